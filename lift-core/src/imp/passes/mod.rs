//! Tidying up. Each pass keeps the meaning and stands alone.

mod branches;
mod bundles;
mod copies;
mod dead;
mod former;
mod guards;
mod ids;
mod late;
mod lines;
pub(super) mod registers;
mod reuse;
mod rings;
mod streams;
mod trips;
mod turns;
mod vectors;
mod within;

use crate::arith::Facts;
use crate::imp::ast::{Kernel, Stmt};
use crate::memory::Buffer;

pub(in crate::imp) use vectors::WIDEST;

/// Runs all passes that come before the barriers.
pub fn run(kernel: Kernel) -> Kernel {
    let mut kernel = ids::run(kernel);
    kernel.body = trips::run(kernel.body);
    kernel.body = registers::run(kernel.body, &kernel.buffers);
    kernel.body = guards::together(kernel.body, &kernel.buffers);
    kernel.body = vectors::run(kernel.body, &kernel.buffers, &kernel.strides, &kernel.facts);
    kernel.body = bundles::run(kernel.body, &kernel.buffers, &kernel.facts);
    kernel.body = former::run(copies::run(kernel.body));
    kernel.body = dead::run(kernel.body, &kernel.buffers);
    kernel.body = guards::run(kernel.body);
    let body = std::mem::take(&mut kernel.body);
    kernel.body = lines::run(body, &kernel.buffers, &|v| kernel.is_size(v));
    reuse::run(kernel)
}

/// Runs what comes after the barriers.
pub fn finish(kernel: Kernel) -> Kernel {
    rings::run(late::run(streams::run(turns::run(within::run(branches::run(kernel))))))
}

/// Only what joins neighbours.
pub(in crate::imp) fn neighbours(body: Vec<Stmt>, buffers: &[Buffer], facts: &Facts) -> Vec<Stmt> {
    vectors::run(body, buffers, &[], facts)
}
