//! A group computes several steps of a tile, which shrinks from step to step, in local memory.
//!
//! Before: an expression with a few steps of a stencil in one or two dimensions. After: time tiling, with tiles that are with
//! what is around them as large as a group can be; every step but the last is stored in local memory.

use crate::explore::naive::outermost_first;
use crate::explore::streamed::overlap;
use crate::ir::{Expr, Memory, Prim};
use crate::machine::shrinking::EXTENTS;
use crate::rewrite::Rewrite;
use crate::rewrite::position::{self, OF, outside};
use crate::rewrite::rules::steps::TIME_TILING;
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// Tiles what stands at a position.
pub(crate) fn shrink(d: &mut Derivation, position: &[usize]) -> Option<()> {
    let Rewrite { expr: tiled, sizes: tiles, .. } = d.apply(&TIME_TILING, position)?;
    let dims = tiles.len();
    for (tile, extent) in tiles.iter().zip(*EXTENTS.get(dims.checked_sub(1)?)?) {
        d.choose(tile, (extent - overlap(&tiled, tile)?).max(1));
    }
    Strategy::any(&[&place::REDUCE_SEQ_UNROLL, &place::REDUCE_SEQ, &place::FOLD_SEQ])
        .all()
        .at(position.to_vec())
        .apply(d);
    let groups = place::nest(d, position, &outermost_first(&place::WORKGROUP, dims), None);
    let mut level = position::body(groups.last()?);
    place::nest(d, &level, &outermost_first(&place::LOCAL, dims), Some(&place::SEQ));
    while let Some(below) = d.get(&level).and_then(|e| first(&e, Prim::Slide)) {
        let windows = position::join(&level, &below);
        d.apply(&memory::WINDOWS_TO_LOCAL, &windows)?;
        // What is stored there.
        let kept = first(&d.get(&windows)?, Prim::Store(Memory::Local))?;
        level = [windows.as_slice(), &kept, &[OF]].concat();
        place::nest(d, &level, &outermost_first(&place::LOCAL, dims), Some(&place::SEQ));
    }
    Some(())
}

/// Where the first such primitive stands that is data, and in no function.
fn first(e: &Expr, wanted: Prim) -> Option<Position> {
    let (prim, _) = e.as_prim()?;
    if prim == wanted {
        return Some(Position::new());
    }
    outside(e).into_iter().find_map(|(i, x)| Some(position::join(&[i], &first(x, wanted)?)))
}
