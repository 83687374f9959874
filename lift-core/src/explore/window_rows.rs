//! Blocks of the result in registers inside of tiles in local memory, for windows that are too large for registers.
//!
//! Before: a normalised expression. After, if its root, or the function of a map at its root, reduces every window of one array in two dimensions: overlapped tiling
//! by work-groups, whose tiles lie in local memory; inside of each, overlapped tiling by work-items. A work-item goes through
//! the rows of its block's window once; it keeps a row and uses it for all results of the block that need it. All of it is
//! written out, so that constant weights are parts of instructions. No variant when the root is something else, or when the text would be long.

use crate::arith::ArithExpr;
use crate::explore::is_large;
use crate::explore::reason::{Made, Reason, must};
use crate::explore::tile::{cut_for, matrix, stencil_at};
use crate::explore::variant::Variant;
use crate::machine::window_rows::{MOST_BYTES, MOST_POINTS, ROW_BYTES, ROWS, SHAPE};
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::rules::{memory, place, rows};
use crate::rewrite::strategy::{Derivation, Position, Strategy};
use crate::rewrite::{Rule, normal};

/// More steps than any window needs.
const LIMIT: usize = 100;

/// What fits into registers is computed there.
pub(super) const NOT_LARGE: Reason = Reason::Because(
    "there are no windows of one array in two dimensions that are too large for registers and still fit into local memory",
);

/// Rows are met one by one.
pub(super) const NOT_REDUCED: Reason = Reason::Because("windows are not reduced row by row");

/// The variant that a normalised expression becomes, if its root reduces windows of an array.
pub(super) fn variant(mut d: Derivation) -> Made {
    let at = matrix(&mut d)?;
    let (root, stencil) = stencil_at(&d, &at).ok_or(NOT_LARGE)?;
    let block = block(&stencil).ok_or(NOT_LARGE)?;
    by_rows(&mut d, &position::join(&root, &[BODY, BODY]));

    let tile: Vec<i64> = block.iter().zip(SHAPE).map(|(extent, items)| extent * items).collect();
    let groups = cut_for(&mut d, &at, &tile, &place::WORKGROUP)?;
    must(&mut d, &memory::TILE_TO_LOCAL, &groups)?;
    let group = position::body(&groups);
    let items = cut_for(&mut d, &group, &block, &place::LOCAL)?;
    let item = position::body(&items);

    once_each(&mut d, &item).ok_or(NOT_REDUCED)?;
    place::unroll_reductions(&mut d);
    Ok(Variant { local: SHAPE.map(ArithExpr::cst).to_vec(), ..Variant::of("window_rows", d) })
}

/// The extents of a block, innermost first, if it is worth while and there is room for it.
fn block(stencil: &Stencil) -> Option<[i64; 2]> {
    let (bytes, _) = windows(stencil)?;
    let block = [(ROW_BYTES / bytes).clamp(1, 4), ROWS];
    let tile = [block[0] * SHAPE[0], block[1] * SHAPE[1]];
    fits(stencil, block[0] * block[1], &tile, MOST_BYTES).then_some(block)
}

/// Whether windows of one array in two dimensions are too large for registers, so many of them not too large a text, and what tiles of
/// these extents need, innermost first, no more than so many bytes.
pub(super) fn fits(stencil: &Stencil, together: i64, tile: &[i64; 2], most: i64) -> bool {
    let Some((bytes, [rows, columns])) = windows(stencil) else { return false };
    let needed = (tile[0] + columns - 1) * (tile[1] + rows - 1) * bytes;
    is_flat(stencil.f.body.ty())
        && is_large(stencil)
        && rows * columns * together <= MOST_POINTS
        && needed <= most
}

/// The bytes of an element, and the extents of the windows of an array in two dimensions.
pub(super) fn windows(stencil: &Stencil) -> Option<(i64, [i64; 2])> {
    let Input { windows, array } = stencil.of_one_array()?;
    let (lens, element) = array.ty().shape();
    let mut bytes = 0;
    element.scalars(&mut |scalar| bytes += scalar.bytes());
    let [rows, columns] = windows.as_slice() else { return None };
    let size = |(size, step): &(ArithExpr, ArithExpr)| size.as_const().filter(|_| step.as_const() == Some(1));
    let sizes = [size(rows)?, size(columns)?];
    (lens.len() == 2).then_some((bytes, sizes))
}

/// Makes reductions in the function of a window, which stands there, loops over the rows of the window.
pub(super) fn by_rows(d: &mut Derivation, function: &[usize]) {
    let simpler = normal::strategy(Strategy::once);
    let rules = |rules: &[&'static Rule]| Strategy::any(rules).once().repeat(LIMIT).at(function.to_vec());
    rules(&[&rows::MAP_JOIN, &rows::ZIP_JOIN, &rows::REDUCE_JOIN, &rows::ZIP_MAP, &place::REDUCE_FOLD])
        .apply(d);
    simpler.clone().at(function.to_vec()).apply(d);
    rules(&[&rows::FOLD_MAP]).apply(d);
    simpler.at(function.to_vec()).apply(d);
}

/// Computes the block of results whose stencil stands there with one loop over the rows of what the block needs, if the
/// function is such a loop. It keeps each row before it uses it.
pub(super) fn once_each(d: &mut Derivation, item: &[usize]) -> Option<()> {
    let sums = in_one_loop(d, item)?;
    d.apply(&memory::ROW_TO_PRIVATE, &sums)?;
    written_out(d, item, &sums);
    Some(())
}

/// The same, but what is used of a row is read where it is used.
pub(super) fn once_each_as_used(d: &mut Derivation, item: &[usize]) -> Option<()> {
    let sums = in_one_loop(d, item)?;
    written_out(d, item, &sums);
    Some(())
}

/// Returns where the loop stands.
fn in_one_loop(d: &mut Derivation, item: &[usize]) -> Option<Position> {
    // What follows the sums writes the results.
    let apart = d.apply(&rows::AFTER_FOLD, item).or_else(|| d.apply(&place::COPY, item));
    let [sums] = apart?.focus()?;
    d.apply(&rows::FOLD_WINDOWS, &sums)?;
    Some(sums)
}

fn written_out(d: &mut Derivation, item: &[usize], sums: &[usize]) {
    normal::strategy(Strategy::once).at(sums.to_vec()).apply(d);
    place::nest(d, &position::body(sums), &[], Some(&place::SEQ_UNROLL));
    place::nest(d, item, &[], Some(&place::SEQ_UNROLL));
}
