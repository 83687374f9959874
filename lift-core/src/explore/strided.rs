//! Several elements of the result per work-item, a group apart.
//!
//! Before: a normalised expression. After, if its root is a cheap function of elements: a group computes a block of a row; each item loads several elements, as far apart as there
//! are items, before it stores any. With a work-item for each element, too few loads are in flight; and a block of neighbours is a vector only where rows are whole vectors.

use crate::arith::ArithExpr;
use crate::explore::least::open;
use crate::explore::naive::groups_around;
use crate::explore::reason::{Made, NO_NEST, Reason, must, written_nest};
use crate::explore::variant::Variant;
use crate::ir::{Expr, Prim};
use crate::machine::strided::{ITEMS, LEAST_BYTES, SHORTEST};
use crate::rewrite::layout::{as_map, replaced};
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::strided::STRIDED;
use crate::rewrite::strategy::Derivation;

/// What the version is called.
pub(super) const NAME: &str = "strided";

const NO_ELEMENTS: Reason = Reason::Because("the result is no function of elements without loops");

const ROWS_APART: Reason = Reason::Because("neighbours in an array that is transposed are a row apart");

const SMALL: Reason =
    Reason::Because("its elements have less than four bytes, so that a work-item should have neighbours");

/// The variant that a normalised expression becomes, if its root computes elements from elements.
pub(super) fn variant(mut d: Derivation) -> Made {
    let root = replaced(d.expr());
    place::write_everything(&mut d, &root);
    let (path, map, dims) = written_nest(&d)?;
    let outermost = d.get(&path).ok_or(NO_NEST)?;
    let e = d.get(&map).ok_or(NO_NEST)?;
    let (f, xs) = as_map(&e).ok_or(NO_ELEMENTS)?;
    let has_windows = Stencil::find(&outermost).is_some_and(|stencil| stencil.has_windows());
    if !is_flat(f.body.ty()) || has_windows || !is_cheap(&f.body) || outermost.contains(Prim::Slide) {
        return Err(NO_ELEMENTS);
    }
    if outermost.contains(Prim::Transpose) {
        return Err(ROWS_APART);
    }
    let mut bytes = 0;
    f.body.ty().scalars(&mut |scalar| bytes += scalar.bytes());
    if bytes < LEAST_BYTES {
        return Err(SMALL);
    }
    let least = open([(xs.ty().length(), SHORTEST)]);
    must(&mut d, &STRIDED, &map)?;
    groups_around(&mut d, &path, dims)?;
    place::reduce_everything(&mut d);
    Ok(Variant { local: vec![ArithExpr::cst(ITEMS)], least, ..Variant::of(NAME, d) })
}

/// Whether nothing in a function is a loop.
fn is_cheap(e: &Expr) -> bool {
    use Prim::{Iterate, IterateUntil, Map, Reduce, ReduceByKey, Scan, ScanWith};
    let is_loop = |prim| {
        matches!(prim, Map(_) | Reduce(_) | Scan(_) | ScanWith | ReduceByKey(_) | Iterate | IterateUntil)
    };
    !e.any(&|x| x.as_prim().is_some_and(|(prim, _)| is_loop(prim)))
}
