//! All points in random order.

use super::{Search, Seen};
use crate::random::Random;
use crate::space::Space;

/// Tries all points in a random order; other searches draw their random points from it.
pub(super) struct RandomOrder {
    random: Random,
    /// The points that may not have been seen yet, in the opposite order.
    rest: Option<Vec<usize>>,
}

impl RandomOrder {
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), rest: None }
    }
}

impl Search for RandomOrder {
    fn next(&mut self, space: &Space, seen: &Seen) -> Option<usize> {
        let random = &mut self.random;
        let rest = self.rest.get_or_insert_with(|| {
            let mut order: Vec<_> = (0..space.len()).collect();
            random.shuffle(&mut order);
            order
        });
        while rest.pop_if(|point| seen.contains(*point)).is_some() {}
        rest.last().copied()
    }
}
