//! Strategies of users: named steps that lead to one more version.
//!
//! Before: a kernel, and what the user wrote into `#[strategy(..)]`. After: a variant, or which step does not apply, and why.
//! A step applies rules, so whatever comes out means the same for all sizes. What the steps leave open is placed as always.

mod cursor;
mod error;
pub mod steps;

// The steps.
mod along;
mod inside;
mod tiles;
mod whole;

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Diagnostics};
use crate::explore::chunks::are_chunks;
use crate::explore::variant::{NAMES, Variant};
use crate::explore::{nests, start};
use crate::ir::walk::is_placed;
use crate::ir::{Kernel, UserStep, UserStrategy};
use cursor::Cursor;
pub use steps::OfKernel;
use steps::{Apply, Step};

/// Why a strategy leads to no variant of a kernel.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// How many steps were done before; none where a strategy has nothing to decide.
    done: Option<usize>,
    /// Why the next one does not apply.
    reason: String,
    /// What it was tried on.
    tried: String,
}

impl Refusal {
    /// The first step is about the whole kernel, and does not apply.
    pub fn of_kernel(kernel: &Kernel, reason: &str) -> Refusal {
        Refusal { done: Some(0), reason: reason.to_string(), tried: error::short(&kernel.body) }
    }
}

/// Larger numbers are no extents.
const MOST: i64 = 1 << 16;

/// Reports steps that do not exist, and what they cannot take.
pub fn check(kernel: &Kernel, diags: &mut Diagnostics) {
    let mut names = BTreeSet::new();
    for strategy in &kernel.options.strategies {
        if NAMES.contains(&strategy.name.as_str()) {
            diags.push(error::known_name(strategy.named, &strategy.name));
        } else if !names.insert(&strategy.name) {
            diags.push(error::twice(strategy.named, &strategy.name));
        }
        strategy.steps.iter().for_each(|step| check_step(step, diags));
    }
}

fn check_step(written: &UserStep, diags: &mut Diagnostics) {
    let Some(step) = steps::find(&written.name) else {
        return diags.push(error::unknown_step(written.named, &written.name));
    };
    let before = diags.errors();
    for (number, span) in &written.args {
        match number {
            Some(1..=MOST) => {}
            Some(_) => diags.push(error::no_extent(*span, step)),
            None => diags.push(error::no_number(*span, step)),
        }
    }
    if diags.errors() == before && !step.takes.contains(&written.args.len()) {
        diags.push(error::wrong_count(written.span, step, written.args.len()));
    }
}

/// The first step of a strategy and its numbers, if it is about the whole kernel.
pub fn of_kernel(strategy: &UserStrategy) -> Option<(OfKernel, Vec<i64>)> {
    let first = strategy.steps.first()?;
    match steps::find(&first.name)?.apply {
        Apply::Kernel(step) => Some((step, first.args.iter().filter_map(|(number, _)| *number).collect())),
        Apply::Launch(_) => None,
    }
}

/// The variant of a launch of `whole` to which the steps lead, which were [checked](check).
pub fn apply(
    strategy: &UserStrategy,
    name: &'static str,
    kernel: &Kernel,
    whole: &Kernel,
) -> Result<Variant, Refusal> {
    let mut d = start(kernel);
    let tried = error::short(d.expr());
    let decided = |reason: &str| Refusal { done: None, reason: reason.to_string(), tried: tried.clone() };
    if !kernel.options.work_group.is_empty() {
        return Err(decided("`#[work_group(..)]` has decided how this kernel runs"));
    }
    let is_cut = kernel.body != whole.body && are_chunks(&d);
    if is_placed(d.expr()) || is_cut {
        return Err(decided(match is_placed(&whole.body) {
            true => "low-level primitives have decided how this kernel runs",
            false => "reductions and scans of whole arrays run in parts, which the compiler places",
        }));
    }
    nests(&mut d);
    let found = |written: &UserStep| {
        let args: Option<Vec<i64>> = written.args.iter().map(|(number, _)| *number).collect();
        steps::find(&written.name).zip(args)
    };
    let steps: Option<Vec<(&'static Step, Vec<i64>)>> = strategy.steps.iter().map(found).collect();
    let Some(steps) = steps else { return Err(decided("its steps are unknown")) };
    let mut cursor = Cursor::new(d, kernel, name, &steps);
    for (done, (step, args)) in steps.iter().enumerate() {
        let tried = cursor.shown();
        let refused = |reason| Refusal { done: Some(done), reason, tried: error::short(&tried) };
        match step.apply {
            Apply::Launch(apply) => apply(&mut cursor, args).map_err(refused)?,
            // The launches are there because of it.
            Apply::Kernel(_) if done == 0 => {}
            Apply::Kernel(_) => {
                return Err(refused("it is about all of the kernel, and comes first".to_string()));
            }
        }
    }
    Ok(cursor.finish())
}

/// What is said where a strategy leads to no variant of any launch, for one of which the most steps were done.
pub fn refused(strategy: &UserStrategy, refusals: &[Refusal]) -> Option<Diagnostic> {
    let best = refusals.iter().rev().max_by_key(|refusal| refusal.done)?;
    let step = best.done.and_then(|done| strategy.steps.get(done));
    Some(match step.and_then(|written| Some((written, steps::find(&written.name)?))) {
        Some((written, step)) => error::does_not_apply(written, step, best, refusals.len()),
        None => error::decided(strategy, best),
    })
}
