//! One work-item per row that is reduced, in wide vectors: what a core of a CPU does best.
//!
//! Before: a normalised expression. After, if its root maps over rows and reduces each to scalars: a work-item, alone in its group, computes what
//! becomes of a row. It reads vectors that lie side by side. With a vector for several rows, lanes would read elements
//! that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::lanes::reduce_in_lanes;
use crate::explore::naive::outermost_first;
use crate::explore::reason::{Made, NO_NEST, written};
use crate::explore::rows::{NO_PARTS, NO_ROWS, reads_rows, reductions};
use crate::explore::variant::Variant;
use crate::explore::vectors::{self, row_in_lanes};
use crate::ir::Prim;
use crate::rewrite::position;
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::strategy::Derivation;

/// The variant that a normalised expression becomes, if its root reduces rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    // What is turned has columns for rows somewhere.
    let mut turned = false;
    d.expr().visit(&mut |e| turned |= matches!(e.as_prim(), Some((Prim::Transpose, _))));
    let path = written(&d)?;
    let dims = d.get(&path).map_or(0, |map| place::depth(&map));
    if turned || dims > place::GLOBAL.len() || !reads_rows(&d, &path, dims) {
        return Err(NO_ROWS);
    }
    let items = place::nest(&mut d, &path, &outermost_first(&place::GLOBAL, dims), None);
    let body = position::body(items.last().filter(|_| items.len() == dims).ok_or(NO_NEST)?);
    // What is known of the positions stays true: a reduction is replaced where it stands.
    let function = d.get(&body).ok_or(NO_NEST)?;
    for reduction in reductions(&function) {
        reduce_in_lanes(&mut d, &position::join(&body, &reduction)).ok_or(NO_PARTS)?;
    }
    // What is computed for every element of a row afterwards is a row itself.
    if !is_flat(function.ty()) && row_in_lanes(&mut d, &body, true).is_none() {
        place::nest(&mut d, &body, &[], Some(&place::SEQ));
    }
    place::unroll_reductions(&mut d);
    Ok(Variant { local: vec![ArithExpr::one(); dims], ..Variant::of(vectors::NAME, d) })
}
