//! A compiled kernel as the runtime's data, made while the test runs instead of while it is compiled.

use lift::spec::KernelSpec;
use lift_core::describe::describe;
use lift_core::pipeline::Compiled;

/// The specification, which lives as long as the test process.
pub fn leak(compiled: &Compiled) -> &'static KernelSpec {
    Box::leak(Box::new(describe(compiled)))
}
