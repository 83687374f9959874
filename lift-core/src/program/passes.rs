//! Programs in passes: each launch computes several steps of a stencil.
//!
//! Before: a kernel that repeats a stencil, or has several after each other, one launch for each step. After: the same program with
//! fewer launches (`rewrite/rules/steps`). Each streams so many steps, or computes them in tiles, or, for CPUs, in whole rows, and the steps that are
//! left over are a pass of their own if their number is known, and launches of one step otherwise. Where a step is not of this kind nothing changes.

use crate::arith::{Facts, Var};
use crate::explore::interchanged::rows_outermost;
use crate::explore::shrinking::shrink;
use crate::explore::{Missing, Reason, streamed, swept};
use crate::ir::walk::is_placed;
use crate::ir::{Arg, Expr, Kernel, Kind, Memory, Prim};
use crate::program::marks::Parts;
use crate::program::{Program, launches, marks};
use crate::rewrite::demand::{as_size, is_host_loop};
use crate::rewrite::normal;
use crate::rewrite::position::join;
use crate::rewrite::rules::steps::{
    ITERATE_MORE, STREAM_STAGES, STREAM_STEPS, STREAMING, SWEEP_STAGES, SWEEP_STEPS, SWEEPING, TILING,
};
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// Passes are for steps.
const NOTHING_REPEATED: Reason =
    Reason::Because("no stencil is repeated with `iterate`, and no stencils come after each other");

/// What is known of single steps does not hold for several.
const NOT_TOGETHER: Reason = Reason::Because("one launch cannot do several of the repeated steps");

/// More passes than any kernel needs.
const LIMIT: usize = 64;

/// A program in passes.
#[derive(Debug, Clone)]
pub struct Passes {
    /// What the version is called.
    pub name: &'static str,
    /// The program.
    pub program: Program,
    /// How much strips and blocks yield: sizes that occur in the launches, and what is usual.
    pub heights: Vec<(Var, i64)>,
    /// The family of variants for steps that are left over.
    pub left_over: &'static str,
}

/// Makes one launch of what stands at a position. Returns sizes that are still open, and what is usual.
type Fuse = fn(&mut Derivation, &[usize]) -> Option<Vec<(Var, i64)>>;

/// How several steps become one launch.
struct Form {
    name: &'static str,
    left_over: &'static str,
    /// What is said where one launch can do no two steps.
    needs: Reason,
    /// How many steps one launch does best.
    most: fn(&Expr, &Facts) -> Option<i64>,
    /// Whether this is a sequence of different steps for one launch.
    staged: fn(&Expr, &Facts) -> bool,
    /// Makes one launch of different steps.
    stages: Fuse,
    /// Makes one launch of steps that are alike.
    steps: Fuse,
}

/// By groups of work-items.
const BY_GROUPS: Form = Form {
    name: "passes",
    left_over: "registers",
    needs: Reason::Because(
        "no repeated step is a stencil whose points are named one by one, such as `w[1][1]`, and few enough for a group",
    ),
    most: |e, facts| STREAMING.steps_at_once(e, facts).or_else(|| TILING.steps_at_once(e, facts)),
    staged: |e, facts| STREAMING.is_for_stages(e, facts),
    stages: |d, at| streamed::stream(d, &STREAM_STAGES, at),
    steps: |d, at| streamed::stream(d, &STREAM_STEPS, at).or_else(|| shrink(d, at).map(|()| Vec::new())),
};

/// By single work-items, in whole rows.
const BY_ROWS: Form = Form {
    name: "row_passes",
    left_over: "vectors",
    needs: Reason::Because(
        "no repeated step is a stencil of one array in two or three dimensions that vectors of whole rows can compute",
    ),
    most: |e, facts| SWEEPING.steps_at_once(e, facts),
    staged: |e, facts| SWEEPING.is_for_stages(e, facts),
    stages: |d, at| swept::sweep(d, &SWEEP_STAGES, at),
    steps: |d, at| swept::sweep(d, &SWEEP_STEPS, at),
};

/// The kernel in passes, in every way in which there are steps that can be done together.
pub fn in_passes(kernel: &Kernel) -> (Vec<Passes>, Vec<Missing>) {
    let forms = [BY_GROUPS, BY_ROWS];
    if is_placed(&kernel.body) || !kernel.options.work_group.is_empty() {
        let reason = Reason::Because("the kernel says itself where things run");
        return (Vec::new(), forms.map(|form| Missing { name: form.name, reason }).into());
    }
    let d = start(kernel);
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for form in forms {
        match form.passes(kernel, d.clone(), None) {
            Ok(passes) => found.push(passes),
            Err(reason) => missing.push(Missing { name: form.name, reason }),
        }
    }
    (found, missing)
}

/// The kernel in passes of so many steps, if there are steps that groups can do together.
pub fn with_steps(kernel: &Kernel, steps: i64) -> Result<Passes, Reason> {
    if steps < 2 {
        return Err("several steps are two or more".into());
    }
    BY_GROUPS.passes(kernel, start(kernel), Some(steps))
}

/// What is repeated, and what comes after each other.
fn start(kernel: &Kernel) -> Derivation {
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    // Steps that were written out are steps as well, as long as one is not fused with the next.
    normal::unfused(Strategy::once).apply(&mut d);
    Strategy::Rule(&ITERATE_MORE).bottom_up().repeat(LIMIT).apply(&mut d);
    normal::strategy(Strategy::once).apply(&mut d);
    marks::place(&mut d, Parts::Chunks);
    // What is in a definition does not move those before it.
    for value in marks::computed(&d).into_iter().rev() {
        rows_outermost(&mut d, &value);
    }
    d
}

impl Form {
    /// With as many steps in a launch as is best, or as are wanted.
    fn passes(&self, kernel: &Kernel, mut d: Derivation, wanted: Option<i64>) -> Result<Passes, Reason> {
        let most = |e: &Expr, facts: &Facts| (self.most)(e, facts).map(|most| wanted.unwrap_or(most));
        let mut parted = false;
        for position in loops(d.expr()).into_iter().rev() {
            let Some(e) = d.get(&position) else { continue };
            let Some(most) = most(&e, d.facts()) else { continue };
            // Passes of the same number of steps, or nearly so.
            let steps = match times(&e) {
                Some(times) if wanted.is_some() => most.min(times),
                Some(times) => ceil(times, ceil(times, most).max(1)),
                None => most,
            };
            if steps >= 2 && times(&e) != Some(steps) {
                streamed::in_parts(&mut d, &position, steps).ok_or(NOT_TOGETHER)?;
            }
            parted |= steps >= 2;
        }
        let staged = |position: &Position| d.get(position).is_some_and(|e| (self.staged)(&e, d.facts()));
        let staged = marks::sequences(d.expr()).iter().any(staged);
        if !parted && !staged {
            let is_repeated =
                !loops(d.expr()).is_empty() || d.expr().contains(Prim::Store(Memory::Temporary));
            return Err(if is_repeated { self.needs } else { NOTHING_REPEATED });
        }
        normal::strategy(Strategy::once).apply(&mut d);
        // A single step that is left over is no loop any more.
        marks::place(&mut d, Parts::Chunks);
        let mut heights = Vec::new();
        if staged {
            // What stands below has gone.
            let all = marks::sequences(d.expr());
            heights.extend(all.iter().find_map(|at| (self.stages)(&mut d, at)).into_iter().flatten());
        }
        for _ in 0..LIMIT {
            let e = d.expr().clone();
            let found = loops(&e).into_iter().find(|position| {
                let steps = d.get(position).and_then(|e| Some((times(&e)?, most(&e, d.facts())?)));
                steps.is_some_and(|(times, most)| (2..=most).contains(&times))
            });
            let Some(position) = found else { break };
            heights.extend((self.steps)(&mut d, &position).ok_or(NOT_TOGETHER)?);
        }
        let program = launches(kernel, d, false);
        Ok(Passes { name: self.name, program, heights, left_over: self.left_over })
    }
}

fn ceil(n: i64, by: i64) -> i64 {
    (n + by - 1).div_euclid(by)
}

/// How often, if it is a number.
fn times(e: &Expr) -> Option<i64> {
    match e.as_prim()? {
        (Prim::Iterate, [Arg::Data(k), ..]) => as_size(k)?.as_const(),
        _ => None,
    }
}

/// Where the loops of the host stand.
fn loops(e: &Expr) -> Vec<Position> {
    let mut found = Vec::new();
    loops_from(e, &[], &mut found);
    found
}

fn loops_from(e: &Expr, position: &[usize], found: &mut Vec<Position>) {
    let is_loop = is_host_loop(e);
    let below = match (e.kind(), e.as_prim()) {
        (Kind::Let(..) | Kind::Tuple(_), _) | (_, Some((Prim::Store(Memory::Temporary), _))) => true,
        _ => is_loop,
    };
    if is_loop {
        found.push(position.to_vec());
    }
    if below {
        for (i, child) in e.children().into_iter().enumerate() {
            loops_from(child, &join(position, &[i]), found);
        }
    }
}
