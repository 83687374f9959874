//! What holds of every imperative kernel, for debug assertions and tests: [`structure`] between all passes, the divisors of
//! [`check`] at the end, because proofs take time.

mod divisors;
mod structure;

use crate::imp::ast::Kernel;

pub use divisors::check_sizes;
pub use structure::check as structure;

/// Whether all of it holds of a finished kernel; `Err` says what does not.
pub fn check(kernel: &Kernel) -> Result<(), String> {
    structure(kernel)?;
    divisors::check(kernel)
}
