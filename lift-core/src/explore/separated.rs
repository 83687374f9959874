//! Rows first and columns afterwards, in one launch.
//!
//! Before: a normalised expression. After, if its root is a function of windows that uses nothing but a function of each row of a
//! window: overlapped tiling by work-groups, whose tiles lie in local memory; the work-items compute what is needed of each row
//! of the tile, in blocks, and keep it in local memory as well; then they compute blocks of the result from its columns. No
//! variant when the root is something else, or when local memory does not hold both.

use crate::explore::is_large;
use crate::explore::registers::finished;
use crate::explore::tile::{apply, stencil, to_local};
use crate::explore::variant::Variant;
use crate::explore::window_rows::{by_rows, cut, once_each};
use crate::ir::Type;
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::rules::{memory, place, separable};
use crate::rewrite::strategy::Derivation;

/// Longer rows and columns are not written out.
const LONGEST: i64 = 64;

/// The elements of both passes of a group take so many bytes, at most.
const MOST_BYTES: i64 = 47 << 10;

/// Of so many bytes is a row of a block: the widest vector that devices load at once.
const ROW_BYTES: i64 = 16;

/// Rows of a block.
const ROWS: i64 = 4;

/// The work-items of a group, dimension 0 first.
const SHAPE: [i64; 2] = [16, 16];

/// The variant that a normalised expression becomes.
pub(super) fn variant(mut d: Derivation) -> Option<Variant> {
    place::write_everything(&mut d, &[]);
    let (root, _) = stencil(d.expr())?;
    let function = place::join(&root, &[0, 0]);
    separable::by_row(&mut d, &function);
    let (_, stencil) = stencil(d.expr())?;
    let block = block(&stencil).filter(|_| separable::is_separable(&stencil))?;

    let tile: Vec<i64> = block.iter().zip(SHAPE).map(|(extent, items)| extent * items).collect();
    let groups = cut(&mut d, &[], &tile, &place::WORKGROUP)?;
    apply(&mut d, &memory::TILE_TO_LOCAL, &groups)?;
    let group = place::join(&groups, &[0]);
    apply(&mut d, &separable::SEPARATE, &group)?;
    apply(&mut d, &separable::PASS_TO_LOCAL, &group)?;
    by_rows(&mut d, &place::join(&group, &[0, 0]));
    let items = cut(&mut d, &group, &block, &place::LOCAL)?;
    if once_each(&mut d, &place::join(&items, &[0])).is_none() {
        in_registers(&mut d, &items)?;
    }
    let pass = place::join(&group, &to_local(&d.get(&group)?)?);
    let items = cut(&mut d, &pass, &[block[0], 1], &place::LOCAL)?;
    in_registers(&mut d, &items)?;
    place::unroll_reductions(&mut d);
    let tiles = stencil.counts.iter().rev().cloned().zip(tile).collect();
    Some(Variant { tiles, ..finished(d, "separated", &SHAPE, (&stencil, &block)) })
}

/// The work-items of these maps read everything before they compute a block.
fn in_registers(d: &mut Derivation, items: &[usize]) -> Option<()> {
    apply(d, &memory::TILE_TO_PRIVATE, items)?;
    place::nest(d, &place::join(items, &[0]), &[], Some(&place::SEQ_UNROLL));
    Some(())
}

/// The extents of a block, innermost first, if it is worth while and there is room for both passes of a tile.
fn block(stencil: &Stencil) -> Option<[i64; 2]> {
    let Input { windows, array } = stencil.of_one_array()?;
    let (lens, Type::Scalar(scalar)) = array.ty().shape() else { return None };
    let (Type::Scalar(_), 2) = (stencil.f.body.ty(), lens.len()) else { return None };
    let sizes: Option<Vec<i64>> =
        windows.iter().map(|(size, step)| size.as_const().filter(|_| step.as_const() == Some(1))).collect();
    let sizes = sizes?;
    let [rows, columns] = sizes.as_slice() else { return None };
    let block = [(ROW_BYTES / scalar.bytes()).clamp(1, 4), ROWS];
    let (wide, high) = (block[0] * SHAPE[0], block[1] * SHAPE[1] + rows - 1);
    let bytes = (wide + wide + columns - 1) * high * scalar.bytes();
    let fits = is_large(stencil) && *rows.max(columns) <= LONGEST && bytes <= MOST_BYTES;
    fits.then_some(block)
}
