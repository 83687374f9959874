//! Programs as users write them, who have read the guide and no more: no steps of their own, nothing placed, nothing stored by hand.
//!
//! Each is measured against the loop that its user would write in Rust otherwise, on one thread and on two. None of them is
//! in the papers, and no version was made for them: they show where the compiler is at home only in the suite.

mod algebra;
mod cells;
mod columns;
mod features;
mod further;
mod images;
mod keys;
mod points;

mod rows;
mod run;
mod scans;
mod shared;
mod signals;
mod steps;
pub mod traffic;
mod work;

pub use run::{Measured, measure, table};
pub use work::{Program, Work};

/// All programs.
pub fn programs() -> impl Iterator<Item = &'static Program> {
    [
        scans::PROGRAMS,
        rows::PROGRAMS,
        images::PROGRAMS,
        features::PROGRAMS,
        keys::PROGRAMS,
        points::PROGRAMS,
        signals::PROGRAMS,
        algebra::PROGRAMS,
        cells::PROGRAMS,
        steps::PROGRAMS,
        columns::PROGRAMS,
        further::PROGRAMS,
        shared::PROGRAMS,
    ]
    .into_iter()
    .flatten()
}
