//! Several results for each work-item that share what is read for them.
//!
//! Before: a normalised expression. After, if its root maps over scalars and reduces another array, the same for all of them, to scalars: an item computes
//! several results at once, so that every element of that array is read once for all of them.

use crate::arith::ArithExpr;
use crate::explore::least::unknown;
use crate::explore::naive::outermost_first;
use crate::explore::reason::{Made, NO_NEST, Reason, must, nested, written_nest};
use crate::explore::variant::{VECTORS, Variant};
use crate::ir::Expr;
use crate::machine::coarsened::{LONG, MANY, MOST_OPERATIONS, SHAPES};
use crate::rewrite::rules::jointly::{Pairs, REDUCE_JOINTLY};
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::is_long;
use crate::rewrite::strategy::Derivation;

pub(super) const NAME: &str = "coarsened";

const NO_PAIRS: Reason = Reason::Because(
    "the result does not reduce a long array, the same for all elements, to scalars, each a cheap function of an element and one of the array",
);

const FEW_PAIRS: Reason = Reason::Because("there are few results, or little is reduced for each of them");

/// The pairs that a map is, if their function is so cheap that reading them matters.
pub(super) fn all_pairs(map: &Expr) -> Option<Pairs<'_>> {
    Pairs::find(map).filter(|pairs| pairs.operations() <= MOST_OPERATIONS)
}

/// The variant that a normalised expression becomes, if its root is a function of all pairs.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (path, map, dims) = written_nest(&d)?;
    let e = d.get(&map).ok_or(NO_NEST)?;
    let pairs = all_pairs(&e).filter(|pairs| is_long(pairs.ys)).ok_or(NO_PAIRS)?;
    let (lens, _) = d.get(&path).ok_or(NO_NEST)?.ty().shape();
    let results = lens.into_iter().take(dims).fold(ArithExpr::one(), |all, n| all * n);
    let least = [(results, MANY), (pairs.ys.ty().length(), LONG)];
    let least = unknown(least).ok_or(FEW_PAIRS)?;
    must(&mut d, &REDUCE_JOINTLY, &map)?;
    let outer = &outermost_first(&place::GLOBAL, dims);
    nested(&mut d, &path, outer)?;
    place::reduce_everything(&mut d);
    let local = SHAPES[dims - 1].iter().map(|n| ArithExpr::cst(*n)).collect();
    Ok(Variant { least, local, vectors: &VECTORS[..1], ..Variant::of(NAME, d) })
}
