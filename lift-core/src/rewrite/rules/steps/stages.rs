//! Different steps after each other.
//!
//! A stencil of what another stencil computes needs nothing but the rows around a row, so the stages of a pipeline can be done
//! together as the rounds of a repetition are, and what is between them is never stored as a whole.

use std::rc::Rc;

use crate::arith::Facts;
use crate::ir::{Boundary, Expr, Fold, Kind, Order, Param, Prim};
use crate::rewrite::rules::steps::repetition::{MOST_STEPS, bare, candidates, function_of, iterated, rounds};
use crate::rewrite::rules::steps::step::Step;
use crate::rewrite::scope::occurrences;

/// The steps that an expression is, if there are several that can be done together, and the array that they begin with.
pub(super) fn stages(e: &Expr, facts: &Facts) -> Option<(Vec<Rc<Step>>, Expr)> {
    // What is nothing but repeated has a rule of its own.
    let repeated = iterated(bare(e)).is_some_and(|(_, _, x)| matches!(x.kind(), Kind::Param(_)));
    let (steps, x) = chain(e, None, facts).filter(|(steps, _)| !repeated && steps.len() > 1)?;
    agree(&steps, e, facts).then_some((steps, x))
}

/// The steps that an expression is, the first one first, and the variable that they begin with: this one, if it is given.
fn chain(e: &Expr, from: Option<&Param>, facts: &Facts) -> Option<(Vec<Rc<Step>>, Expr)> {
    let e = bare(e);
    if let Kind::Param(param) = e.kind() {
        return from.is_none_or(|from| from == param).then(|| (Vec::new(), e.clone()));
    }
    let after = |x: &Expr, steps: Vec<Rc<Step>>| {
        let (mut all, first) = chain(x, from, facts)?;
        all.extend(steps);
        (all.len() <= MOST_STEPS as usize).then_some((all, first))
    };
    if let Some((steps, x)) = rounds(e, facts) {
        return after(x, steps);
    }
    if let Kind::Let(state, value, body) = e.kind() {
        return after(value, chain(body, Some(state), facts)?.0);
    }
    let last = |y: &Expr| after(y, vec![Rc::new(Step::of(&function_of(e, y), facts)?)]);
    candidates(e).into_iter().find_map(last)
}

/// Whether all steps of an expression go through arrays of one shape, periodic in the same dimensions, and other arrays are there as a whole.
fn agree(steps: &[Rc<Step>], e: &Expr, facts: &Facts) -> bool {
    let [first, rest @ ..] = steps else { return false };
    let alike = |step: &Rc<Step>| {
        let same = |(n, m)| facts.eq(n, m).is_yes();
        step.element() == first.element()
            && step.dims() == first.dims()
            && step.lens.iter().zip(&first.lens).all(same)
    };
    let wraps = |step: &Rc<Step>, dim: usize| matches!(step.around(dim), Boundary::Fold(Fold::Wrap));
    let edges = |dim: usize| {
        let periodic = steps.iter().any(|step| wraps(step, dim));
        periodic && steps.iter().any(|step| step.has_edges(dim))
    };
    // What is between two steps is nowhere as a whole.
    let between = bound(e);
    let is_there = |other: &&Expr| {
        !other.any(&is_computed) && between.iter().all(|state| occurrences(other, *state).count == 0)
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
        Prim::IterateUntil,
        Prim::Scan(Order::Any),
        Prim::Scan(Order::Left),
    ];
    e.as_prim().is_some_and(|(prim, _)| much.contains(&prim))
}
