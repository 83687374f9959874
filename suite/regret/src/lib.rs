//! Generated programs against what is written by hand for each of them.
//!
//! A case is a random member of a class of programs (stencils of any shape, reductions of rows and columns, scans, products, all pairs) at random
//! sizes. Its *regret* is the time of the version that the launcher chooses divided by the time of the best opponent in the same run: kernels in
//! OpenCL from templates, tried in several shapes. What the best of our own versions would have taken says how much of that is the choice.
//! Half of the cases are held out: nothing is tuned on them.

pub mod case;
pub mod classes;
pub mod opponents;
pub mod plot;
pub mod report;
