//! Tidying up. Each pass keeps the meaning and stands alone.

mod dead;
mod guards;

use crate::imp::ast::Kernel;

/// Runs all passes.
pub fn run(kernel: Kernel) -> Kernel {
    let mut kernel = kernel;
    kernel.body = dead::run(kernel.body);
    kernel.body = guards::run(kernel.body);
    kernel
}
