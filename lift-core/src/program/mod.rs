//! Programs of several launches.
//!
//! Before: one expression. After: kernels of one launch each, temporaries between them, and the order in which
//! all is done. Each of the kernels is explored and compiled like any other.

pub mod schedule;

// What is stored between launches.
mod marks;

// Other ways to cut a kernel.
pub mod in_columns;
pub mod rows_first;
pub mod turned;
pub mod two_stage;

// Kernels and the order in which they run.
mod alias;
mod cut;
mod horizontal_fusion;
mod in_place;
mod items;

// Fewer launches for repeated stencils.
pub mod passes;

// What to store where an expression has no end.
pub mod too_large;

// Temporaries that are used again.
mod lifetime;

// What the user asks for.
pub mod chosen;

// After this point: a variant for every stage.
pub mod versions;

use crate::arith::Facts;
use crate::bug;
use crate::ir::walk::is_placed;
use crate::ir::{ByKey, Kernel, Memory, Order, Output, Prim, Type};
use crate::program::marks::Parts;
use crate::program::schedule::{Count, Slot, Temporary};
use crate::rewrite::demand::{self, Use, Wanted};
use crate::rewrite::rules::by_key::BY_KEY_SHORT_CHUNKS;
use crate::rewrite::rules::reduction::{REDUCE_BLOCKS, REDUCE_CHUNKS};
use crate::rewrite::rules::store::RECOMPUTE;
use crate::rewrite::{Derivation, Strategy, Trace, normal};

/// A kernel as several launches.
#[derive(Debug, Clone)]
pub struct Program {
    /// What is launched: kernels of their own, in the order of their first launch.
    pub stages: Vec<Kernel>,
    /// Buffers between launches.
    pub temporaries: Vec<Temporary>,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// How the kernel's expression became this sequence; without steps if it is one launch as it stands.
    pub trace: Option<Trace>,
}

/// Something that is done.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A launch.
    Launch(Launch),
    /// The steps are done so many times, unless they are left.
    Repeat(Count, Vec<Step>),
    /// The end of the repetition in whose steps it stands, if the temporary, a truth value, is true.
    Leave(usize),
    /// From here on, each of the two temporaries stands for the other's buffer.
    Swap(usize, usize),
}

/// A launch of a stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// Which.
    pub stage: usize,
    /// The leaves of its parameters, in order.
    pub inputs: Vec<Slot>,
    /// The leaves of its value, in order. A stage that updates a parameter has them among its inputs.
    pub outputs: Vec<Slot>,
}

/// Cuts a kernel into launches.
pub fn cut(kernel: &Kernel) -> Program {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    cut_from(kernel, derivation)
}

/// Cuts a kernel into launches for the cores of a CPU, if they are others than those of [`cut`] in `usual`.
pub fn cut_for_host(kernel: &Kernel, usual: &Program) -> Option<Program> {
    let has = |trace: &Trace, name: &str| trace.steps.iter().any(|step| step.rule.name == name);
    let usual = usual.trace.as_ref()?;
    let has_short = has(usual, BY_KEY_SHORT_CHUNKS.name);
    if !has_short && !has(usual, REDUCE_CHUNKS.name) {
        return None;
    }
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation, Parts::Rows);
    let is_other = has_short || has(derivation.trace(), REDUCE_BLOCKS.name);
    is_other.then(|| launches(kernel, derivation, false))
}

/// The launches of a kernel between which nothing is stored; if that cannot be, why.
fn recomputed(kernel: &Kernel) -> Result<Program, &'static str> {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    if Strategy::Rule(&RECOMPUTE).all().apply(&mut derivation) {
        normal::strategy(Strategy::once).apply(&mut derivation);
    }
    items::together(kernel, &mut derivation);
    let body = derivation.expr();
    let many = |wanted| demand::find(wanted, body, Use::Once, &kernel.facts).is_some();
    if many(Wanted::Reductions) {
        return Err("a whole array is reduced, in chunks that are stored");
    }
    if body.any(&demand::is_host_loop)
        || many(Wanted::Scans)
        || [Prim::Scan(Order::Any), Prim::ReduceByKey(ByKey::Whole), Prim::Scatter, Prim::ScatterTo]
            .iter()
            .any(|p| body.contains(*p))
    {
        return Err("what is scanned, reduced by key, scattered or repeated has to be stored");
    }
    Ok(launches(kernel, derivation, false))
}

/// Cuts a kernel into launches, from a normalised form of its body on.
fn cut_from(kernel: &Kernel, mut derivation: Derivation) -> Program {
    let is_marked = mark(kernel, &mut derivation, Parts::Chunks);
    launches(kernel, derivation, !is_marked)
}

/// Marks in a normalised expression what is stored between launches; whether anything is.
fn mark(kernel: &Kernel, derivation: &mut Derivation, parts: Parts) -> bool {
    let before = derivation.trace().steps.len();
    let is_placed = is_placed(derivation.expr());
    // Who says where things run says where they are stored.
    if !is_placed || derivation.expr().contains(Prim::Store(Memory::Temporary)) {
        let is_decided = is_placed || !kernel.options.work_group.is_empty();
        marks::place(derivation, if is_decided { Parts::OfGroups } else { parts });
    }
    derivation.trace().steps.len() > before
}

/// The launches of a kernel whose expression was rewritten to this one; `unmarked` if it means nothing for launches.
fn launches(kernel: &Kernel, derivation: Derivation, unmarked: bool) -> Program {
    let (body, facts, trace) = derivation.finish();
    let kernel = &Kernel { facts, ..kernel.clone() };
    let plain = kernel.outputs == [Output::Result]
        && !matches!(kernel.body.ty(), Type::Tuple(_))
        && !kernel.body.contains(Prim::Store(Memory::Temporary));
    let (mut stages, temporaries, steps) = cut::cut(kernel, &body);
    if let ([stage], true, true) = (stages.as_mut_slice(), unmarked && plain, temporaries.is_empty()) {
        // Nothing was cut: the kernel is the launch, with all its parameters.
        *stage = kernel.clone();
        let leaves: usize = kernel.params.iter().map(|p| p.ty.leaves().len()).sum();
        let inputs = (0..leaves).map(Slot::Param).collect();
        let outputs = (0..kernel.body.ty().leaves().len()).map(Slot::Result).collect();
        let steps = vec![Step::Launch(Launch { stage: 0, inputs, outputs })];
        return Program { stages, temporaries, steps, trace: None };
    }
    let (mut stages, steps) = in_order(stages, steps);
    if stages.len() > 1 {
        for (i, stage) in stages.iter_mut().enumerate() {
            stage.name = format!("{}_{}", kernel.name, i + 1);
        }
    }
    let (temporaries, steps) = lifetime::share(temporaries, steps, &kernel.facts);
    Program { stages, temporaries, steps, trace: Some(trace) }
}

/// The stages in the order of their first launch.
fn in_order(stages: Vec<Kernel>, steps: Vec<Step>) -> (Vec<Kernel>, Vec<Step>) {
    let mut order: Vec<usize> = Vec::new();
    Step::launches(&steps, &mut |launch| {
        if !order.contains(&launch.stage) {
            order.push(launch.stage);
        }
    });
    let place = |stage: usize| order.iter().position(|i| *i == stage).unwrap_or(stage);
    let steps = Step::renamed(&steps, &place, &|slot| slot);
    (order.iter().map(|i| stages[*i].clone()).collect(), steps)
}

impl Step {
    /// Calls `f` on every launch, those that are repeated once.
    pub fn launches<'a>(steps: &'a [Step], f: &mut dyn FnMut(&'a Launch)) {
        for step in steps {
            match step {
                Step::Launch(launch) => f(launch),
                Step::Repeat(_, steps) => Step::launches(steps, f),
                Step::Leave(_) | Step::Swap(..) => {}
            }
        }
    }

    /// The same with other stages and other buffers.
    fn renamed(steps: &[Step], stage: &dyn Fn(usize) -> usize, slot: &dyn Fn(Slot) -> Slot) -> Vec<Step> {
        let all = |slots: &[Slot]| slots.iter().copied().map(slot).collect();
        let temporary = |id: usize| match slot(Slot::Temporary(id)) {
            Slot::Temporary(other) => other,
            Slot::Param(_) | Slot::Result(_) | Slot::Status | Slot::Claims(_) => {
                bug!("what is swapped or decides is no temporary any more")
            }
        };
        let step = |step: &Step| match step {
            Step::Launch(Launch { stage: own, inputs, outputs }) => {
                Step::Launch(Launch { stage: stage(*own), inputs: all(inputs), outputs: all(outputs) })
            }
            Step::Repeat(count, steps) => Step::Repeat(count.clone(), Step::renamed(steps, stage, slot)),
            Step::Leave(id) => Step::Leave(temporary(*id)),
            Step::Swap(a, b) => Step::Swap(temporary(*a), temporary(*b)),
        };
        steps.iter().map(step).collect()
    }
}

/// Whether two temporaries have the same number of elements, so that one buffer serves for both.
fn fits(a: &Temporary, b: &Temporary, facts: &Facts) -> bool {
    let elements = |t: &Temporary| t.dims.iter().cloned().product();
    a.scalar == b.scalar && facts.eq(&elements(a), &elements(b)).is_yes()
}
