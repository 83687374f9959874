//! A compiled kernel as the runtime's data, made while the test runs instead of while it is compiled.

use lift::spec::{KernelSpec, Source};
use lift_core::describe::describe;
use lift_core::pipeline::Compiled;

use super::builtins;

/// The specification, which lives as long as the test process.
pub fn leak(compiled: &Compiled) -> &'static KernelSpec {
    let mut spec = describe(compiled);
    if builtins::are_left_out() {
        for variant in spec.variants.to_mut() {
            variant.source = Source::plain(builtins::declared(&variant.source.text()));
        }
    }
    Box::leak(Box::new(spec))
}
