//! Whole vectors of an array of any length, and what fills none.
//!
//! Nothing is said about places: whoever computes the array shares out the vectors, and the rest as well.

use crate::arith::{ArithExpr, Facts, Truth};
use crate::ir::{Arg, Expr, Place, Prim};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;

/// In vectors of 2, 4, 8 and 16 elements, in this order.
pub static WHOLE_VECTORS: [(i64, Rule); 4] = [
    (2, whole_vectors::<2>("whole_vectors(2)")),
    (4, whole_vectors::<4>("whole_vectors(4)")),
    (8, whole_vectors::<8>("whole_vectors(8)")),
    (16, whole_vectors::<16>("whole_vectors(16)")),
];

const fn whole_vectors<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "In vectors, and what fills none by itself.",
        equation: "map(f) $ xs = concat(join . map(map_vec(f)) . split(w) . take(m) $ xs, map(f) . drop(m) $ xs)",
        when: "on n elements, for m = n / w * w",
        apply: |e, cx| whole(e, cx.facts, WIDTH),
    }
}

/// Not where there is no vector at all, and not where nothing is left: that is what `map_vec` is for.
fn whole(e: &Expr, facts: &Facts, width: i64) -> Option<Expr> {
    let (f, xs) = as_map(e)?;
    let (_, len) = xs.ty().as_array()?;
    let width = ArithExpr::cst(width);
    let even = facts.multiple_of(len, &width).is_yes();
    if even || facts.nonneg(&(len - &width)) == Truth::No {
        return None;
    }
    let done = facts.simplify(&(len.div(&width) * &width));
    let vectors = Expr::split(width, Expr::take(done.clone(), xs.clone()));
    let in_lanes = |lanes: Expr| Expr::map_in(Place::Lanes, f.clone(), lanes);
    let vectors = Expr::join(Expr::map_with("lanes", vectors, in_lanes));
    let rest = Expr::drop(done, xs.clone());
    let rest = Expr::map(f.clone(), rest).refresh();
    Some(Expr::prim(Prim::Concat, vec![Arg::Data(vectors), Arg::Data(rest)]))
}
