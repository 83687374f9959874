//! Versions that the user asks for.
//!
//! Before: a kernel whose strategies have legal steps, and its program. After: for each strategy a variant of every launch that
//! it fits. One that fits none is a mistake.

use crate::diag::Diagnostics;
use crate::explore::{Variant, strategies};
use crate::ir::Kernel;
use crate::program::Program;

/// What a strategy leads to.
#[derive(Debug)]
pub struct Chosen {
    /// What the version is called.
    pub name: &'static str,
    /// For every launch, in order, its variant, if the strategy fits.
    pub variants: Vec<Option<Variant>>,
}

/// Applies the strategies of a kernel to the launches of its program.
pub fn choose(kernel: &Kernel, program: &Program, diags: &mut Diagnostics) -> Vec<Chosen> {
    let mut all = Vec::new();
    for strategy in &kernel.strategies {
        // A few names, once each: those of versions live as long as the compiler.
        let name: &'static str = strategy.name.clone().leak();
        let tried: Vec<_> =
            program.stages.iter().map(|stage| strategies::apply(strategy, name, stage, kernel)).collect();
        if tried.iter().any(Result::is_ok) {
            all.push(Chosen { name, variants: tried.into_iter().map(Result::ok).collect() });
        } else {
            let refusals: Vec<_> = tried.into_iter().filter_map(Result::err).collect();
            strategies::refused(strategy, &refusals).into_iter().for_each(|fault| diags.push(fault));
        }
    }
    all
}
