//! Algorithms that choose the next point to try.

mod algorithm;
mod exhaustive;
mod features;
mod forest;
mod gaussian;
mod genetic;
mod guided;
mod local;
mod random;
mod seen;
#[cfg(test)]
mod tests;

pub use algorithm::{Algorithm, UnknownAlgorithm, searcher};
pub use seen::{Outcome, Seen};

use crate::space::Space;

/// A way to choose the next point, given the outcomes so far.
///
/// The caller tries the point and records its outcome before it asks again. Outcomes recorded elsewhere may be
/// in `seen` from the start: a search uses them as its own, which resumes one that was interrupted.
pub trait Search {
    /// The number of a point that is not in `seen`, or `None` when all are.
    ///
    /// The space has to be the same in all calls.
    fn next(&mut self, space: &Space, seen: &Seen) -> Option<usize>;
}
