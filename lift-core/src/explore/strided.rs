//! Several elements of the result per work-item, a group apart.
//!
//! Before: a normalised expression. After, if its root is a cheap function of elements: a group computes a block of all rows, one after the other, or of one row where elements are
//! read in another order; each item loads several elements, as far apart as there are items, before it stores any. With a work-item for each element, too few loads are in flight;
//! and a block of neighbours is a vector only where rows are whole vectors.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, at_most, open, unknown};
use crate::explore::naive::groups_around;
use crate::explore::reason::{Made, NO_NEST, Reason, must, written_nest};
use crate::explore::variant::Variant;
use crate::ir::{Expr, Prim};
use crate::machine::strided::{ITEMS, LEAST_BYTES, SHORTEST};
use crate::machine::transposed::FEWEST;
use crate::rewrite::layout::{as_map, replaced};
use crate::rewrite::rules::collapse::COLLAPSE;
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::strided::STRIDED;
use crate::rewrite::strategy::{Derivation, Position};

/// What the version is called.
pub(super) const NAME: &str = "strided";

const NO_ELEMENTS: Reason = Reason::Because("the result is no function of elements without loops");

const ROWS_APART: Reason = Reason::Because("neighbours in an array that is transposed are a row apart");

const NOT_IN_ORDER: Reason = Reason::Because("elements are not read one after the other, row after row");

const SMALL: Reason =
    Reason::Because("its elements have less than four bytes, so that a work-item should have neighbours");

/// What an elementwise expression is: where the maps of its nest stand, the outermost and the innermost, and how many there are.
type Nest = (Position, Position, usize);

/// The variant that a normalised expression becomes, if its root computes elements from elements that are read one after the other, row after row.
pub(super) fn of_all_rows(mut d: Derivation) -> Made {
    let (path, map, dims) = elements(&mut d)?;
    let in_order = |prim: Prim| !prim.is_layout() || matches!(prim, Prim::Zip | Prim::At | Prim::Transpose);
    if d.get(&path).is_none_or(|nest| nest.any(&|x| x.as_prim().is_some_and(|(prim, _)| !in_order(prim)))) {
        return Err(NOT_IN_ORDER);
    }
    let least = match d.get(&path).is_some_and(|nest| nest.contains(Prim::Transpose)) {
        true => few_rows_or_columns(&d, &path, &map)?,
        false => Least::new(),
    };
    let map = all_rows(&mut d, &path, dims).ok_or(Reason::Rule(COLLAPSE.name))?;
    must(&mut d, &STRIDED, &map)?;
    Ok(finished(d, least))
}

/// Of a matrix with few rows or columns, one of which is transposed, items side by side read elements of few rows, and those beside them the next ones: without tiles, most of
/// which would be empty.
fn few_rows_or_columns(d: &Derivation, path: &[usize], map: &[usize]) -> Result<Least, Reason> {
    let length = |at: &[usize]| d.get(at).map(|map| map.ty().length()).ok_or(NO_NEST);
    unknown([at_most(&ArithExpr::min(&length(path)?, &length(map)?), FEWEST - 1)]).ok_or(ROWS_APART)
}

/// The variant that a normalised expression becomes, if its root computes elements from elements: each row by itself.
pub(super) fn of_each_row(mut d: Derivation) -> Made {
    let (path, map, dims) = elements(&mut d)?;
    let row = d.get(&map).map(|map| map.ty().length()).ok_or(NO_NEST)?;
    if d.get(&path).is_some_and(|nest| nest.contains(Prim::Transpose)) {
        return Err(ROWS_APART);
    }
    must(&mut d, &STRIDED, &map)?;
    groups_around(&mut d, &path, dims)?;
    Ok(finished(d, open([(row, SHORTEST)])))
}

fn finished(mut d: Derivation, least: Least) -> Variant {
    place::reduce_everything(&mut d);
    Variant { local: vec![ArithExpr::cst(ITEMS)], least, ..Variant::of(NAME, d) }
}

/// The nest of an expression whose root computes elements from elements.
fn elements(d: &mut Derivation) -> Result<Nest, Reason> {
    let root = replaced(d.expr());
    place::write_everything(d, &root);
    let (path, map, dims) = written_nest(d)?;
    let outermost = d.get(&path).ok_or(NO_NEST)?;
    let e = d.get(&map).ok_or(NO_NEST)?;
    let (f, _) = as_map(&e).ok_or(NO_ELEMENTS)?;
    let has_windows = Stencil::find(&outermost).is_some_and(|stencil| stencil.has_windows());
    let is_element = is_flat(f.body.ty()) && is_cheap(&f.body) && !reduces(&outermost);
    if !is_element || has_windows || outermost.contains(Prim::Slide) {
        return Err(NO_ELEMENTS);
    }
    let mut bytes = 0;
    f.body.ty().scalars(&mut |scalar| bytes += scalar.bytes());
    if bytes < LEAST_BYTES {
        return Err(SMALL);
    }
    Ok((path, map, dims))
}

/// Collapses a nest of maps into one map, and returns its position. If one of them cannot be collapsed, the nest stays as it is.
pub(super) fn all_rows(d: &mut Derivation, outermost: &[usize], dims: usize) -> Option<Position> {
    let mut collapsed = d.clone();
    let mut map = outermost.to_vec();
    for _ in 1..dims {
        let [all] = collapsed.apply(&COLLAPSE, &map)?.focus()?;
        map = all;
    }
    *d = collapsed;
    Some(map)
}

/// Whether nothing in a function is a loop.
fn is_cheap(e: &Expr) -> bool {
    !reduces(e) && !e.any(&|x| x.as_prim().is_some_and(|(prim, _)| matches!(prim, Prim::Map(_))))
}

/// Whether something is a loop that goes on from what it has.
fn reduces(e: &Expr) -> bool {
    use Prim::{Iterate, IterateUntil, Reduce, ReduceByKey, Scan, ScanWith};
    let is_loop =
        |prim| matches!(prim, Reduce(_) | Scan(_) | ScanWith | ReduceByKey(_) | Iterate | IterateUntil);
    e.any(&|x| x.as_prim().is_some_and(|(prim, _)| is_loop(prim)))
}
