//! What holds of every imperative kernel, for debug assertions and tests: after the last pass (in tests of passes, after every one)
//! its [`structure`], and where its text is for OpenCL its [`divisors`].

mod divisors;
mod structure;

pub use divisors::{check as divisors, check_sizes};
pub use structure::check as structure;
