//! The interior of an array apart from its edges.
//!
//! Windows that reach over an edge need what the boundary says; all others need not ask. So there are three parts in the outermost
//! dimension, one after the other, and the windows in the middle are those of the array itself. For another dimension, that one becomes
//! the outermost first, and the middle is turned back.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Lambda, Place, Prim};
use crate::rewrite::layout::{as_layout, is_parameter};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::{Input, Stencil};

/// Edges of so many rows each, at most.
const WIDEST: i64 = 64;

pub static INTERIOR: Rule = Rule {
    name: "interior",
    about: "The two edges and what lies between them.",
    equation: "map^d(f) . slide^d(n, 1) . pad(l, r, b) $ xs = concat(map^d(f) . slide^d(n, 1) . take(l + n - 1) $ ys, map^d(f) . slide^d(n, 1) $ xs, \
               map^d(f) . slide^d(n, 1) . drop(m - r) $ ys)",
    when: "for m > l + r windows in the outermost dimension and ys = pad(l, r, b) $ xs; of several arrays each has its part of the rows, and pad may \
           stand inside of layout that keeps its dimension apart",
    apply: |e, cx| interior(e, cx.facts),
};

/// How many windows at the two ends of the outermost dimension reach over an edge.
pub fn edges(stencil: &Stencil) -> Option<(i64, i64)> {
    let edges: Vec<(i64, i64)> = stencil.inputs.iter().filter_map(padded).map(|(l, r, _)| (l, r)).collect();
    Some((edges.iter().map(|(l, _)| *l).max()?, edges.iter().map(|(_, r)| *r).max()?))
}

/// What is padded in the outermost dimension: how far on both sides, and the array without that.
fn padded(input: &Input) -> Option<(i64, i64, Expr)> {
    let (_, step) = input.windows.first()?;
    let (l, r, xs) = (step.as_const() == Some(1)).then(|| unpadded(&input.array, 0))??;
    (l + r > 0 && l <= WIDEST && r <= WIDEST).then_some((l, r, xs))
}

/// How far a view is padded in a dimension, and the same view without that. What lies outside in another dimension depends on nothing but
/// the index in that dimension, so that it stays what it is.
fn unpadded(e: &Expr, dim: usize) -> Option<(i64, i64, Expr)> {
    let again = |xs: &Expr, dim: usize, whole: &dyn Fn(Expr) -> Expr| {
        let (l, r, xs) = unpadded(xs, dim)?;
        Some((l, r, whole(xs)))
    };
    match e.as_prim()? {
        (Prim::Pad, [Arg::Size(l), Arg::Size(r), _, Arg::Data(xs)]) if dim == 0 => {
            Some((l.as_const()?, r.as_const()?, xs.clone()))
        }
        (prim @ (Prim::Pad | Prim::Take | Prim::Drop), [before @ .., Arg::Data(xs)]) if dim > 0 => {
            again(xs, dim, &|xs| Expr::prim(prim, [before, &[Arg::Data(xs)]].concat()))
        }
        (Prim::Transpose, [Arg::Data(xs)]) => again(xs, exchanged(dim), &Expr::transpose),
        (Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)]) if dim > 0 => {
            let moves = as_layout(&f.body, Prim::Transpose).is_some_and(|x| is_parameter(x, f));
            if moves {
                return again(xs, exchanged(dim - 1) + 1, &|xs| nd::transpose_below(1, xs));
            }
            again(&f.body, dim - 1, &|body| Expr::map(Lambda { params: f.params.clone(), body }, xs.clone()))
        }
        _ => None,
    }
}

/// Which dimension it was before the first two were exchanged.
fn exchanged(dim: usize) -> usize {
    match dim {
        0 => 1,
        1 => 0,
        _ => dim,
    }
}

fn interior(e: &Expr, facts: &Facts) -> Option<Expr> {
    let stencil = Stencil::find(e)?;
    // A window moves on by one row, and so does everything beside it.
    let by_one = |input: &Input| input.windows.first().is_none_or(|(_, step)| step.as_const() == Some(1));
    let (first, last) = edges(&stencil)?;
    let count = stencil.counts.first()?;
    let middle = count - first - last;
    if !stencil.inputs.iter().all(by_one) || !facts.nonneg(&(&middle - 1)).is_yes() {
        return None;
    }
    // So many windows from a place on need these rows of an array.
    let rows = |i: usize, array: &Expr, start: ArithExpr, windows: ArithExpr| {
        let reach = stencil.inputs[i].windows.first().map_or_else(ArithExpr::zero, |(size, _)| size - 1);
        Expr::take(facts.simplify(&(windows + reach)), Expr::drop(facts.simplify(&start), array.clone()))
    };
    let whole = |start: &ArithExpr, windows: &ArithExpr| {
        stencil.with_inputs(|i, array| rows(i, array, start.clone(), windows.clone()))
    };
    let inside = stencil.with_inputs(|i, array| match padded(&stencil.inputs[i]) {
        Some((l, _, xs)) => rows(i, &xs, (first - l).into(), middle.clone()),
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
