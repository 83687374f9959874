//! Windows with constant weights that are products of those of a row and a column.
//!
//! Before: a normalised expression. After, if its root is a sum of the elements of windows with such weights, and if it wants windows like
//! these: weighted sums of rows, and of them a weighted sum, in normal form, so that they can be computed in two passes. Otherwise it is as
//! it was.

use crate::explore::tile::stencil_at;
use crate::ir::{Expr, Kind, Prim};
use crate::rewrite::position;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::{low_rank, rows, separable};
use crate::rewrite::{Derivation, Strategy, normal};

/// More steps than any window needs.
const LIMIT: usize = 64;

/// Takes the weights of what stands at a position apart, if that can be done and the windows are worth it.
pub(crate) fn factored(d: &mut Derivation, at: &[usize], is_worth: fn(&Stencil) -> bool) {
    if !has_arrays(d.expr()) || stencil_at(d, at).is_none_or(|(_, found)| !is_worth(&found)) {
        return;
    }
    let mut tried = d.clone();
    constants(&mut tried);
    let Some((root, found)) = stencil_at(&tried, at) else { return };
    let function = (0..found.dims()).fold(root, |at, _| position::body(&at));
    by_row(&mut tried, &function);
    if Strategy::Rule(&low_rank::LOW_RANK).once().at(function.clone()).apply(&mut tried) {
        normal::strategy(Strategy::once).at(function).apply(&mut tried);
        *d = tried;
    }
}

/// Puts constant arrays where they are used.
pub(crate) fn constants(d: &mut Derivation) {
    Strategy::Rule(&low_rank::CONSTANT).once().repeat(LIMIT).apply(d);
}

/// Makes sums of pairs of elements, below this place, sums of sums of pairs in rows.
pub(crate) fn by_row(d: &mut Derivation, place: &[usize]) {
    let by_row = Strategy::any(&[&rows::ZIP_JOIN, &rows::MAP_JOIN, &separable::REDUCE_EACH_ROW]);
    by_row.once().repeat(LIMIT).at(place.to_vec()).apply(d);
    normal::strategy(Strategy::once).at(place.to_vec()).apply(d);
}

/// Whether any array is written out.
fn has_arrays(e: &Expr) -> bool {
    e.any(&|x| matches!(x.kind(), Kind::ArrayLiteral(_) | Kind::Prim(Prim::Array, _)))
}
