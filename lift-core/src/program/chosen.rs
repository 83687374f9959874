//! Versions that the user asks for.
//!
//! Before: a kernel whose strategies have legal steps, and its program. After: for each strategy a variant of every launch that
//! it fits. One that fits none is a mistake. A strategy whose first step is about the whole kernel has a program of its own.

use crate::diag::Diagnostics;
use crate::explore::strategies::{OfKernel, Refusal};
use crate::explore::{Variant, strategies};
use crate::ir::walk::is_placed;
use crate::ir::{Kernel, UserStrategy};
use crate::program::passes::{Passes, with_steps};
use crate::program::{Program, recomputed};

/// What a strategy leads to.
#[derive(Debug)]
pub struct Chosen {
    /// What the version is called.
    pub name: &'static str,
    /// What is launched.
    pub launches: Launches,
}

/// The launches of a version.
#[derive(Debug)]
pub enum Launches {
    /// Those of the kernel; for every one, in order, its variant, if the strategy fits.
    Usual(Vec<Option<Variant>>),
    /// Those of another program.
    Own(Program, Vec<Option<Variant>>),
    /// Several steps in each.
    Steps(Box<Passes>),
}

/// Applies the strategies of a kernel to the launches of its program.
pub fn choose(kernel: &Kernel, program: &Program, diags: &mut Diagnostics) -> Vec<Chosen> {
    let mut all = Vec::new();
    for strategy in &kernel.options.strategies {
        // A few names, once each: those of versions live as long as the compiler.
        let name: &'static str = strategy.name.clone().leak();
        let found = match strategies::of_kernel(strategy) {
            None => variants(kernel, program, strategy, name).map(Launches::Usual),
            Some((step, numbers)) => own(kernel, program, (strategy, name), (step, &numbers)),
        };
        match found {
            Ok(launches) => all.push(Chosen { name, launches }),
            Err(refusals) => {
                strategies::refused(strategy, &refusals).into_iter().for_each(|fault| diags.push(fault));
            }
        }
    }
    all
}

/// A variant of every launch that the strategy fits.
fn variants(
    kernel: &Kernel,
    program: &Program,
    strategy: &UserStrategy,
    name: &'static str,
) -> Result<Vec<Option<Variant>>, Vec<Refusal>> {
    let tried: Vec<_> =
        program.stages.iter().map(|stage| strategies::apply(strategy, name, stage, kernel)).collect();
    match tried.iter().any(Result::is_ok) {
        true => Ok(tried.into_iter().map(Result::ok).collect()),
        false => Err(tried.into_iter().filter_map(Result::err).collect()),
    }
}

/// The launches that a step about the whole kernel makes, and what the other steps say about them.
fn own(
    kernel: &Kernel,
    usual: &Program,
    (strategy, name): (&UserStrategy, &'static str),
    (step, numbers): (OfKernel, &[i64]),
) -> Result<Launches, Vec<Refusal>> {
    let refused = |reason: &str| vec![Refusal::of_kernel(kernel, reason)];
    if is_placed(&kernel.body) || !kernel.options.work_group.is_empty() {
        return Err(refused("the kernel says itself where things run"));
    }
    match step {
        OfKernel::Recompute if usual.stages.len() == 1 => Err(refused("nothing is stored in between")),
        OfKernel::Recompute => {
            let program = recomputed(kernel).map_err(refused)?;
            let variants = variants(kernel, &program, strategy, name)?;
            Ok(Launches::Own(program, variants))
        }
        OfKernel::Steps if strategy.steps.len() > 1 => {
            Err(refused("it decides everything, and stands alone"))
        }
        OfKernel::Steps => {
            let steps = numbers.first().copied().unwrap_or(1);
            let passes = with_steps(kernel, steps).map_err(|reason| refused(&reason.to_string()))?;
            Ok(Launches::Steps(Box::new(Passes { name, ..passes })))
        }
    }
}
