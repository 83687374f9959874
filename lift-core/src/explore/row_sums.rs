//! One work-item per row that is reduced, in wide vectors: what a core of a CPU does best.
//!
//! Before: a normalised expression. After, if its root maps over rows and reduces each to scalars: a work-item, alone in its group, computes what
//! becomes of a row. It reads vectors that lie side by side. With a vector for several rows, lanes would read elements
//! that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::lanes::{has_rows_in_order, reduce_many_in_lanes};
use crate::explore::reason::Made;
use crate::explore::rows::{NO_ROWS, place_rows, reduce_rows};
use crate::explore::variant::Variant;
use crate::explore::vectors::{self, row_in_lanes};
use crate::ir::{Arg, Expr};
use crate::rewrite::position;
use crate::rewrite::rules::place;
use crate::rewrite::strategy::Derivation;

/// The variant that a normalised expression becomes, if its root reduces rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    // What is computed for every element of a row afterwards is a row itself.
    let (map, dims) = place_rows(&mut d, &place::GLOBAL)?;
    let is_in_order =
        |map: Expr| matches!(map.as_prim(), Some((_, [_, Arg::Data(rows)])) if has_rows_in_order(rows));
    if !d.get(&map).is_some_and(is_in_order) {
        return Err(NO_ROWS);
    }
    reduce_rows(&mut d, &position::body(&map), reduce_many_in_lanes, |d, row| {
        if row_in_lanes(d, row, true).is_none() {
            place::nest(d, row, &[], Some(&place::SEQ));
        }
    })?;
    Ok(Variant { local: vec![ArithExpr::one(); dims], ..Variant::of(vectors::NAME, d) })
}
