//! Different steps after each other in one launch.
//!
//! A stencil of what another stencil computes needs nothing but the rows around a row, so the stages of a pipeline can be
//! streamed together as the rounds of a repetition are, and what is between them is never stored as a whole.

use crate::arith::Facts;
use crate::ir::{Boundary, Expr, Fold, Kind, Order, Param, Prim};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::step::Step;
use crate::rewrite::rules::stream::{self, streamed};
use crate::rewrite::rules::sweep::{self, swept};
use crate::rewrite::rules::time::{MOST_STEPS, bare, function_of, inside, iterated};
use crate::rewrite::scope::occurrences;

pub static STREAM_STAGES: Rule = Rule {
    name: "stream_stages",
    about: "Several stages.",
    equation: "map^d(g) . slide^d(m, 1) . pad^d(u, v, c) . map^d(f) . slide^d(n, 1) . pad^d(l, r, b) = take^d(len) . join^d . map_workgroup^d(map_seq( \
               map^(d-1)(g . c)) . slide_seq(m, 1) . map_seq(kept . map^(d-1)(f . b)) . slide_seq(n, 1) . map_seq(kept)) . slide^d(T + (n - 1) + (m - 1), \
               T) . pad^d(l + u, e, clamp)",
    when: "as in stream_steps, for any number of steps, also with materialize between",
    apply: |e, cx| {
        let (steps, x) = stages(e, cx.facts, stream::pays)?;
        streamed(&steps.iter().collect::<Vec<_>>(), &x, cx)
    },
};

pub static SWEEP_STAGES: Rule = Rule {
    name: "sweep_stages",
    about: "Several stages, in whole rows.",
    equation: "map^d(g) . slide^d(m, 1) . pad^d(u, v, c) . map^d(f) . slide^d(n, 1) . pad^d(l, r, b) = take^(d-1)(len) . join^(d-1) . \
               map_workgroup^(d-1)( map_seq(map^(d-1)(g . c)) . slide_seq(m, 1) . map_seq(to_local . map^(d-1)(f . b)) . slide(n, 1)) . slide^(d-1)(T + \
               (n - 1) + (m - 1), T) . pad^(d-1)(l + u, e, clamp)",
    when: "as in sweep_steps, for any number of steps, also with materialize between",
    apply: |e, cx| {
        let (steps, x) = stages(e, cx.facts, sweep::pays)?;
        swept(&steps.iter().collect::<Vec<_>>(), &x, cx)
    },
};

/// Whether it pays to stream what an expression is step by step.
pub fn can_stream(e: &Expr, facts: &Facts) -> bool {
    stages(e, facts, stream::pays).is_some()
}

/// Whether it pays to do it in whole rows.
pub fn can_sweep(e: &Expr, facts: &Facts) -> bool {
    stages(e, facts, sweep::pays).is_some()
}

/// The steps that an expression is, if there are several that are worth it, and the array that they begin with.
fn stages(e: &Expr, facts: &Facts, pays: fn(&[&Step]) -> bool) -> Option<(Vec<Step>, Expr)> {
    // What is nothing but repeated has a rule of its own.
    let repeated = iterated(bare(e)).is_some_and(|(_, _, x)| matches!(x.kind(), Kind::Param(_)));
    let (steps, x) = chain(e, None, facts).filter(|(steps, _)| !repeated && steps.len() > 1)?;
    let all: Vec<&Step> = steps.iter().collect();
    (pays(&all) && agree(&all, e, facts)).then_some((steps, x))
}

/// The steps that an expression is, the first one first, and the variable that they begin with: this one, if it is given.
fn chain(e: &Expr, from: Option<&Param>, facts: &Facts) -> Option<(Vec<Step>, Expr)> {
    let e = bare(e);
    if let Kind::Param(param) = e.kind() {
        return from.is_none_or(|from| from == param).then(|| (Vec::new(), e.clone()));
    }
    let after = |x: &Expr, steps: Vec<Step>| {
        let (mut all, first) = chain(x, from, facts)?;
        all.extend(steps);
        (all.len() <= MOST_STEPS as usize).then_some((all, first))
    };
    if let Some((times, f, x)) = iterated(e) {
        let steps: Option<Vec<Step>> = (0..times).map(|_| Step::of(f, facts)).collect();
        return after(x, steps?);
    }
    if let Kind::Let(state, value, body) = e.kind() {
        return after(value, chain(body, Some(state), facts)?.0);
    }
    let mut found = None;
    inside(e, &mut |y| {
        if found.is_none() && y.ty() == e.ty() {
            found = Step::of(&function_of(e, y), facts).and_then(|step| after(y, vec![step]));
        }
    });
    found
}

/// Whether all steps of an expression go through arrays of one shape, periodic in the same dimensions, and other arrays are there as a whole.
fn agree(steps: &[&Step], e: &Expr, facts: &Facts) -> bool {
    let [first, rest @ ..] = steps else { return false };
    let alike = |step: &&Step| {
        let same = |(n, m)| facts.eq(n, m).is_yes();
        step.element() == first.element()
            && step.dims() == first.dims()
            && step.lens.iter().zip(&first.lens).all(same)
    };
    let wraps = |step: &&Step, dim: usize| matches!(step.around(dim), Boundary::Fold(Fold::Wrap));
    let edges = |dim: usize| {
        let periodic = steps.iter().any(|step| wraps(step, dim));
        periodic && steps.iter().any(|step| step.has_edges(dim))
    };
    // What is between two steps is nowhere as a whole.
    let between = bound(e);
    let is_there = |other: &&Expr| {
        let mut found = false;
        other.visit(&mut |e| found |= is_computed(e));
        !found && between.iter().all(|state| occurrences(other, *state).count == 0)
    };
    rest.iter().all(alike)
        && !(0..first.dims()).any(edges)
        && steps.iter().all(|step| step.others().iter().all(is_there))
}

/// The variables that are defined for what follows.
fn bound(e: &Expr) -> Vec<u32> {
    match bare(e).kind() {
        Kind::Let(state, value, body) => [bound(value), vec![state.id], bound(body)].concat(),
        _ => Vec::new(),
    }
}

/// Whether an expression computes much for an element.
fn is_computed(e: &Expr) -> bool {
    let much = [
        Prim::Slide,
        Prim::Reduce(Order::Any),
        Prim::Reduce(Order::Left),
        Prim::Iterate,
        Prim::Scan(Order::Any),
    ];
    e.as_prim().is_some_and(|(prim, _)| much.contains(&prim))
}
