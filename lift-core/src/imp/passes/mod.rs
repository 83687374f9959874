//! Tidying up. Each pass keeps the meaning and stands alone.

mod bundles;
mod dead;
mod guards;
pub(super) mod registers;
mod vectors;

use crate::imp::ast::Kernel;

/// Runs all passes.
pub fn run(kernel: Kernel) -> Kernel {
    let mut kernel = kernel;
    kernel.body = registers::run(kernel.body, &kernel.buffers);
    kernel.body = guards::together(kernel.body, &kernel.buffers);
    kernel.body = vectors::run(kernel.body, &kernel.buffers, &kernel.strides, &kernel.facts);
    kernel.body = bundles::run(kernel.body, &kernel.buffers, &kernel.facts);
    kernel.body = dead::run(kernel.body);
    kernel.body = guards::run(kernel.body);
    kernel
}
