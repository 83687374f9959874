//! What holds of every imperative kernel, for debug assertions and tests: its [`structure`] after every pass, and at the end its
//! [`divisors`], because proofs take time.

mod divisors;
mod structure;

pub use divisors::{check as divisors, check_sizes};
pub use structure::check as structure;
