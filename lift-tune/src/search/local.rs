//! Hill climbing with restarts.

use super::random::RandomOrder;
use super::{Search, Seen};
use crate::random::Random;
use crate::space::Space;

/// Moves to the first better neighbour that it finds, and restarts at a random point where there is none.
pub(super) struct Local {
    random: Random,
    starts: RandomOrder,
    /// Where the search stands, with the neighbours not examined yet in the opposite order.
    current: Option<(usize, Vec<usize>)>,
}

impl Local {
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), starts: RandomOrder::new(!seed), current: None }
    }

    fn stand_at(&mut self, point: usize, space: &Space) {
        let mut neighbours = space.neighbours(point);
        self.random.shuffle(&mut neighbours);
        self.current = Some((point, neighbours));
    }

    /// The next unseen neighbour on the way down, or none at a local minimum.
    fn descend(&mut self, space: &Space, seen: &Seen) -> Option<usize> {
        while let Some((point, neighbours)) = &mut self.current {
            let cost = seen.cost(*point)?;
            let &neighbour = neighbours.last()?;
            if !seen.contains(neighbour) {
                return Some(neighbour);
            }
            neighbours.pop();
            if seen.cost(neighbour).is_some_and(|other| other < cost) {
                self.stand_at(neighbour, space);
            }
        }
        None
    }
}

impl Search for Local {
    fn next(&mut self, space: &Space, seen: &Seen) -> Option<usize> {
        if self.current.is_none()
            && let Some((best, _)) = seen.best()
        {
            self.stand_at(best, space);
        }
        self.descend(space, seen).or_else(|| {
            let start = self.starts.next(space, seen)?;
            self.stand_at(start, space);
            Some(start)
        })
    }
}
