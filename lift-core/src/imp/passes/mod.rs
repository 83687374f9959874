//! Tidying up. Each pass keeps the meaning and stands alone.

mod branches;
mod bundles;
mod dead;
mod guards;
mod lines;
pub(super) mod registers;
mod vectors;

use crate::imp::ast::Kernel;

/// Runs all passes.
pub fn run(kernel: Kernel) -> Kernel {
    let mut kernel = kernel;
    kernel.body = registers::run(kernel.body, &kernel.buffers);
    kernel.body = branches::run(kernel.body);
    kernel.body = vectors::run(kernel.body, &kernel.buffers, &kernel.facts);
    kernel.body = bundles::run(kernel.body, &kernel.buffers, &kernel.facts);
    kernel.body = dead::run(kernel.body);
    kernel.body = guards::run(kernel.body);
    let body = std::mem::take(&mut kernel.body);
    kernel.body = lines::run(body, &kernel.buffers, &|v| kernel.is_size(v));
    kernel
}
