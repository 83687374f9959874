//! One kernel function: the stages from a term to statements, and all passes over these.

use crate::explore::variant::Variant;
use crate::imp::passes::{AFTER_BARRIERS, BEFORE_BARRIERS, Pass};
use crate::ir::{Place, Prim};
use crate::{barrier, bug, imp, ir, low, lower, memory};

/// What stands between the two halves of the passes.
const BARRIERS: Pass = Pass {
    name: "barriers",
    why_here: "when all accesses to local memory are there, and where each array lies is known",
    run: barrier::insert,
};

/// All passes, in order.
pub fn all() -> impl Iterator<Item = &'static Pass> + Clone {
    BEFORE_BARRIERS.iter().chain([&BARRIERS]).chain(AFTER_BARRIERS)
}

/// The passes for the host, in order: its compiler unrolls and shares addresses by itself, and makes vectors of loops. Those that a
/// variant asks for are made here.
fn on_host(has_lanes: bool) -> impl Iterator<Item = &'static Pass> + Clone {
    const LOOPS: [&str; 8] = [
        "hoist_ids",
        "tighten_bounds",
        "scalar_replacement",
        "merge_nested_guards",
        "copy_propagation",
        "forward_variables",
        "dead_code",
        "merge_guards",
    ];
    const LANES: [&str; 3] = ["join_neighbours", "slp", "address_cse"];
    all().filter(move |pass| LOOPS.contains(&pass.name) || has_lanes && LANES.contains(&pass.name))
}

/// A function for the host, ready to be printed.
pub fn host_function(kernel: &ir::Kernel, variant: &Variant) -> imp::Kernel {
    let has_lanes = variant.body.contains(Prim::Map(Place::Lanes));
    // A quotient by 0 is 0 there, whoever asks for it; nobody uses it.
    through(on_host(has_lanes), kernel, variant, &mut |_, _| {})
}

/// What a kernel function is on its way.
pub enum Stage<'a> {
    /// Nodes.
    Arena(&'a low::Kernel),
    /// Statements.
    Statements(&'a imp::Kernel),
}

/// A kernel function, ready to be printed.
pub fn function(kernel: &ir::Kernel, variant: &Variant) -> imp::Kernel {
    watched(kernel, variant, &mut |_, _| {})
}

/// The same; `watch` sees the statements as they are emitted, and after every pass, by its name.
pub fn watched(
    kernel: &ir::Kernel,
    variant: &Variant,
    watch: &mut dyn FnMut(&str, Stage<'_>),
) -> imp::Kernel {
    let imp = through(all(), kernel, variant, watch);
    if cfg!(debug_assertions)
        && let Err(fault) = imp::check::divisors(&imp)
    {
        bug!("{fault}");
    }
    imp
}

/// Runs the passes. In debug builds the structure of what they make is checked; if something is wrong with it, they run again to find the
/// pass after which it is.
fn through(
    passes: impl Iterator<Item = &'static Pass> + Clone,
    kernel: &ir::Kernel,
    variant: &Variant,
    watch: &mut dyn FnMut(&str, Stage<'_>),
) -> imp::Kernel {
    let imp = unchecked(passes.clone(), kernel, variant, watch);
    if cfg!(debug_assertions) && imp::check::structure(&imp).is_err() {
        unchecked(passes, kernel, variant, &mut |name, stage| {
            if let Stage::Statements(imp) = stage
                && let Err(fault) = imp::check::structure(imp)
            {
                bug!("after {name}: {fault}");
            }
        });
    }
    imp
}

fn unchecked(
    passes: impl Iterator<Item = &'static Pass>,
    kernel: &ir::Kernel,
    variant: &Variant,
    watch: &mut dyn FnMut(&str, Stage<'_>),
) -> imp::Kernel {
    let low = lower::lower(kernel, variant);
    watch("lower", Stage::Arena(&low));
    let plan = memory::plan(&low);
    let mut imp = imp::Kernel { streams: kernel.options.streaming.is_some(), ..imp::emit(&low, &plan) };
    watch("emit", Stage::Statements(&imp));
    for pass in passes {
        imp = (pass.run)(imp);
        watch(pass.name, Stage::Statements(&imp));
    }
    imp
}
