//! All points in order.

use super::{Search, Seen};
use crate::space::Space;

/// Tries all points: those with the least predicted cost first, or by number where there is no prediction.
#[derive(Default)]
pub(super) struct Exhaustive {
    /// The order of the points, once it is known.
    order: Vec<usize>,
    /// How many of them are known to be seen.
    position: usize,
}

impl Search for Exhaustive {
    fn next(&mut self, space: &Space, seen: &Seen) -> Option<usize> {
        if self.order.is_empty() {
            self.order = by_prior(space);
        }
        while self.order.get(self.position).is_some_and(|&point| seen.contains(point)) {
            self.position += 1;
        }
        self.order.get(self.position).copied()
    }
}

/// The numbers of all points, the least predicted cost first.
pub(super) fn by_prior(space: &Space) -> Vec<usize> {
    let mut order: Vec<_> = (0..space.len()).collect();
    if !space.prior().is_empty() {
        order.sort_by(|&a, &b| space.prior()[a].total_cmp(&space.prior()[b]));
    }
    order
}
