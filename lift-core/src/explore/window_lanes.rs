//! Windows that are too large for registers, in wide vectors: what a core of a CPU does best.
//!
//! Before: a normalised expression. After, if its root reduces every window of one array in two dimensions: overlapped tiling by work-items, each alone
//! in its group, whose tiles lie in memory of their own; inside of each, overlapped tiling into a few rows of a vector of results. They stay in
//! registers, while every row of what they need is met once, for all of them. All of that is written out, so that constant weights are parts
//! of instructions. No variant when the root is something else, or when the text would be long.

use crate::arith::ArithExpr;
use crate::explore::reason::{Made, NO_NEST, must, nested, stencil_to_write};
use crate::explore::tile::{copied, cut, cut_for};
use crate::explore::variant::Variant;
use crate::explore::vectors::{self, NO_VECTOR, lanes, row_in_lanes};
use crate::explore::window_rows::{NOT_LARGE, NOT_REDUCED, by_rows, fits, once_each_as_used, windows};
use crate::machine::window_lanes::{MOST_BYTES, ROWS, TILES};
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::lanes::LANES_TO_LOCAL;
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::Derivation;

/// The variant that a normalised expression becomes, if its root reduces windows of an array.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (root, stencil) = stencil_to_write(&mut d)?;
    let (bytes, _) = windows(&stencil).ok_or(NOT_LARGE)?;
    let tiles = TILES.map(|[along, rows]| [along / bytes, rows]);
    let tile = tiles.into_iter().find(|tile| fits(&stencil, ROWS, tile, MOST_BYTES)).ok_or(NOT_LARGE)?;
    by_rows(&mut d, &position::join(&root, &[BODY, BODY]));
    let groups = cut_for(&mut d, &[], &tile, &place::WORKGROUP)?;
    must(&mut d, &memory::TILE_TO_LOCAL, &groups)?;
    let group = position::body(&groups);
    let blocks = cut(&mut d, &group, &[1, ROWS]).ok_or(NO_NEST)?;
    // The copy goes along rows in vectors, too.
    let copy = copied(&d, &group)?;
    must(&mut d, &place::COPY, &copy)?;
    let rows = nested(&mut d, &copy, &[&place::SEQ])?;
    row_in_lanes(&mut d, &position::body(&rows), false).ok_or(NO_VECTOR)?;
    let rows = nested(&mut d, &blocks, &[&place::SEQ])?;
    let row = row_in_lanes(&mut d, &position::body(&rows), false).ok_or(NO_VECTOR)?;
    for at in d.get(&row).map(|row| lanes(&row)).unwrap_or_default() {
        let lanes = position::join(&row, &at);
        let item = position::body(&lanes);
        once_each_as_used(&mut d, &item).ok_or(NOT_REDUCED)?;
        place::unroll_reductions_at(&mut d, item);
        must(&mut d, &LANES_TO_LOCAL, &lanes)?;
    }
    place::reduce_everything(&mut d);
    Ok(Variant { local: vec![ArithExpr::one(); 2], ..Variant::of(vectors::NAME, d) })
}
