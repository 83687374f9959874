//! The interior of an array apart from its edges.
//!
//! Windows that reach over an edge need what the boundary says; all others need not ask. So there are three parts in the outermost
//! dimension, one after the other, and the windows in the middle are those of the array itself.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Prim};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::stencil::{Input, Stencil};

/// Edges of so many rows each, at most.
const WIDEST: i64 = 64;

/// The two edges and what lies between them.
pub static INTERIOR: Rule = Rule {
    name: "interior",
    law: "map^d(f) . slide^d(n, 1) . pad(l, r, b) $ xs = concat(map^d(f) . slide^d(n, 1) . take(l + n - 1) $ ys, map^d(f) . slide^d(n, 1) $ xs, \
          map^d(f) . slide^d(n, 1) . drop(m - r) $ ys), for m >= l + r windows in the outermost dimension and ys = pad(l, r, b) $ xs; of several \
          arrays each has its part of the rows",
    apply: interior,
};

/// What is padded in the outermost dimension: how far on both sides, and the array inside.
fn padded(input: &Input) -> Option<(i64, i64, &Expr)> {
    let (_, step) = input.windows.first()?;
    let Some((Prim::Pad, [Arg::Size(l), Arg::Size(r), _, Arg::Data(xs)])) = input.array.as_prim() else {
        return None;
    };
    let (l, r) = (l.as_const()?, r.as_const()?);
    (step.as_const() == Some(1) && l + r > 0 && l <= WIDEST && r <= WIDEST).then_some((l, r, xs))
}

fn interior(e: &Expr, facts: &Facts) -> Option<Expr> {
    let stencil = Stencil::find(e)?;
    // A window moves on by one row, and so does everything beside it.
    let by_one = |input: &Input| input.windows.first().is_none_or(|(_, step)| step.as_const() == Some(1));
    let edges: Vec<(i64, i64)> = stencil.inputs.iter().filter_map(padded).map(|(l, r, _)| (l, r)).collect();
    let (first, last) = (edges.iter().map(|(l, _)| *l).max()?, edges.iter().map(|(_, r)| *r).max()?);
    let count = stencil.counts.first()?;
    let middle = count - first - last;
    if !stencil.inputs.iter().all(by_one) || !facts.nonneg(&middle).is_yes() {
        return None;
    }
    // So many windows from a place on need these rows of an array.
    let rows = |i: usize, array: &Expr, start: ArithExpr, windows: ArithExpr| {
        let reach = stencil.inputs[i].windows.first().map_or_else(ArithExpr::zero, |(size, _)| size - 1);
        Expr::take(facts.simplify(&(windows + reach)), drop(facts.simplify(&start), array.clone()))
    };
    let whole = |start: &ArithExpr, windows: &ArithExpr| {
        stencil.with_inputs(|i, array| rows(i, array, start.clone(), windows.clone()))
    };
    let inside = stencil.with_inputs(|i, array| match padded(&stencil.inputs[i]) {
        Some((l, _, xs)) => rows(i, xs, (first - l).into(), middle.clone()),
        None => rows(i, array, first.into(), middle.clone()),
    });
    let parts = [
        (first > 0).then(|| whole(&ArithExpr::zero(), &first.into())),
        Some(inside),
        (last > 0).then(|| whole(&(count - last), &last.into())),
    ];
    let parts: Vec<Arg> = parts.into_iter().flatten().map(|part| Arg::Data(part.refresh())).collect();
    Some(Expr::prim(Prim::Concat, parts))
}

fn drop(k: ArithExpr, xs: Expr) -> Expr {
    Expr::prim(Prim::Drop, vec![Arg::Size(k), Arg::Data(xs)])
}
