//! Definitions leave what they stand in, so that what is reduced or scanned after them can become a launch.
//!
//! A function that is called in a sum, in a tuple or in an arm brings its definitions with it: `a + { let s = 2.0 * k; reduce(f, s) }`. A launch
//! that computes the reduction comes after all definitions that it reads, and before the sum: so the definition moves to the front.

use std::collections::BTreeSet;

use crate::ir::{Arg, Expr, Kind, Memory, Prim};
use crate::rewrite::demand::{is_large_reduction, is_large_scan, is_partial};
use crate::rewrite::position;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::simplify::as_let;
use crate::rewrite::scope::mentions;
use crate::rewrite::strategy::Position;

pub static HOIST_LET: Rule = Rule {
    name: "hoist_let",
    about: "A definition before something large moves to the front, also out of arms and functions: it is computed only where it is read.",
    equation: "e[{ let x = v; w }] = { let x = v; e[w] }",
    when: "if no variable of v is bound in e, v cannot fail, and something long is reduced or scanned in w, for all elements alike",
    apply: |e, _| {
        if matches!(e.kind(), Kind::Let(..)) {
            return None;
        }
        let at = find(e, &BTreeSet::new())?;
        let (x, v, w) = as_let(e.below(&at)?)?;
        Some(Expr::let_(x.clone(), v.clone(), e.with_below(&at, w)))
    },
};

/// Where the first such definition stands in an expression in which these variables are bound.
fn find(e: &Expr, bound: &BTreeSet<u32>) -> Option<Position> {
    // A definition does not leave the one before it, which may be what it reads.
    scopes(e, bound, &|_| true).into_iter().enumerate().find_map(|(i, (x, bound))| match as_let(x) {
        Some((_, v, w)) if !mentions(v, &bound) && !is_partial(v) && has_large(w, &bound) => Some(vec![i]),
        _ => find(x, &bound).map(|below| position::join(&[i], &below)),
    })
}

/// Whether something long is reduced or scanned in it that depends on none of these variables.
fn has_large(e: &Expr, bound: &BTreeSet<u32>) -> bool {
    let is_pass = matches!(
        e.as_prim(),
        Some((Prim::ReduceByKey(_) | Prim::Scatter | Prim::Store(Memory::Temporary), _))
    );
    let is_large = is_pass || is_large_reduction(e) || is_large_scan(e);
    (is_large && !mentions(e, bound))
        || scopes(e, bound, &|v| mentions(v, bound)).into_iter().any(|(x, bound)| has_large(x, &bound))
}

/// The parts of an expression, each with the variables that are bound there: those of functions, and of definitions of which this holds.
fn scopes<'e>(
    e: &'e Expr,
    bound: &BTreeSet<u32>,
    binds: &dyn Fn(&Expr) -> bool,
) -> Vec<(&'e Expr, BTreeSet<u32>)> {
    let children = e.children();
    if let (Some((x, ..)), [v, w]) = (as_let(e), children.as_slice()) {
        let mut after = bound.clone();
        after.extend(binds(v).then_some(x.id));
        return vec![(v, bound.clone()), (w, after)];
    }
    let mut functions = e.as_prim().into_iter().flat_map(|(_, args)| args).filter(|arg| arg.expr().is_some());
    let within = |x| {
        let mut own = bound.clone();
        if let Some(f) = functions.next().and_then(Arg::function) {
            own.extend(f.params.iter().map(|param| param.id));
        }
        (x, own)
    };
    children.into_iter().map(within).collect()
}
