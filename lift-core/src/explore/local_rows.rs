//! One work-item per short row, by way of local memory.
//!
//! Before: a normalised expression. After, if its root maps over rows of scalars: the items of a group copy a block of rows, side by side, to local memory; each computes
//! what becomes of one of them; and what are rows again is stored side by side. Without it, neighbours would read and store elements that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, unknown};
use crate::explore::naive::groups_around;
use crate::explore::reason::{Made, Reason, written_nest};
use crate::explore::rows::{is_column, sized};
use crate::explore::variant::Variant;
use crate::ir::{Expr, Prim, Type};
use crate::machine::local_rows::{FEWEST, LONGEST_BYTES, ROWS, ROWS_OF_SCALARS, SHORTEST_BYTES};
use crate::rewrite::layout::{Writer, as_map, writer};
use crate::rewrite::rules::place;
use crate::rewrite::rules::short_rows::ROWS_BY_LOCAL;
use crate::rewrite::strategy::Derivation;

/// What the version is called.
pub(super) const NAME: &str = "local_rows";

const NO_ROWS: Reason = Reason::Because(
    "the result is no function of many short rows of one array, each of which is gone through",
);

/// The variant that a normalised expression becomes, if its root is a function of short rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (path, map, dims) = written_nest(&d)?;
    let (least, block) = d.get(&map).and_then(|map| rows(&map)).ok_or(NO_ROWS)?;
    let [rows] = sized(&mut d, &ROWS_BY_LOCAL, &map, block).and_then(|new| new.focus()).ok_or(NO_ROWS)?;
    groups_around(&mut d, &path, dims)?;
    place::nest(&mut d, &rows, &[&place::LOCAL[0]], Some(&place::SEQ));
    place::reduce_everything(&mut d);
    Ok(Variant { local: vec![ArithExpr::cst(block)], least, ..Variant::of(NAME, d) })
}

/// How many rows there should be, and how short they should be, of a map whose function goes through a row that lies in order; and the rows of a group.
fn rows(map: &Expr) -> Option<(Least, i64)> {
    let (f, rows) = as_map(map)?;
    let [row] = f.params.as_slice() else { return None };
    let (element, n) = row.ty.as_array()?;
    let mut bytes = 0;
    element.scalars(&mut |scalar| bytes += scalar.bytes());
    let own = Expr::param(row);
    if is_column(&own, rows) || rows.contains(Prim::Slide) || !goes_through(&f.body) {
        return None;
    }
    let [shortest, longest] = [SHORTEST_BYTES + bytes - 1, LONGEST_BYTES].map(|most| most / bytes.max(1));
    let (block, shortest) = match f.body.ty() {
        Type::Array(..) => (ROWS, 2),
        _ => (ROWS_OF_SCALARS, shortest),
    };
    let least = [(rows.ty().length(), FEWEST), (n.clone(), shortest), (ArithExpr::cst(longest).div(n), 1)];
    Some((unknown(least)?, block))
}

/// Whether a function of a row is more than a nest, whose elements items share out.
fn goes_through(e: &Expr) -> bool {
    !matches!(e.ty(), Type::Array(..)) || !matches!(writer(e), Some((path, Writer::Map)) if path.is_empty())
}
