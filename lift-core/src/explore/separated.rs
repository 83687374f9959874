//! Rows first and columns afterwards, in one launch.
//!
//! Before: a normalised expression. After, if its root, or the function of a map at its root, is a function of windows that uses nothing but a function of each row of a
//! window, be it that its weights are products of numbers: overlapped tiling by work-groups, whose tiles lie in local memory; the work-items compute what is needed of each row
//! of the tile, in blocks, and keep it in local memory as well; then they compute blocks of the result from its columns. No
//! variant when the root is something else, or when local memory does not hold both.

use crate::arith::ArithExpr;
use crate::explore::factored::factored;
use crate::explore::is_large;
use crate::explore::reason::{Made, NO_NEST, NO_WINDOWS, Reason, must};
use crate::explore::tile::{cut_for, matrix, stencil_at, to_local};
use crate::explore::variant::{VECTORS, Variant};
use crate::explore::window_rows::{by_rows, once_each, windows};
use crate::machine::separated::{HEIGHTS, LONGEST, MOST_BYTES, MOST_BYTES_OF_SMALL, ROW_BYTES, SHAPE};
use crate::rewrite::layout::writer;
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::rules::{memory, place, rows_apart, separable};
use crate::rewrite::strategy::Derivation;

/// What the variant is called.
pub(crate) const NAME: &str = "separated";

/// Where one pass takes no more operations.
const SMALL_WINDOWS: Reason =
    Reason::Because("windows are so small that computing rows first saves too few operations");

/// Rows are what the first pass is about.
pub(crate) const NOT_BY_ROW: Reason = Reason::Because(
    "more is used of a window than one function of each of its rows: weights, if any, are no products of rows and columns",
);

/// What both passes need.
const NO_ROOM: Reason = Reason::Because("local memory does not hold a tile of scalars and what rows give");

/// The variant that a normalised expression becomes.
pub(super) fn variant(mut d: Derivation) -> Made {
    let at = matrix(&mut d)?;
    factored(&mut d, &at, |stencil| is_worth(stencil, 1));
    let (root, found) = stencil_at(&d, &at).ok_or(NO_WINDOWS)?;
    if !is_worth(&found, 1) {
        return Err(small(&found));
    }
    let function = position::join(&root, &[BODY, BODY]);
    separable::by_row(&mut d, &function);
    rows_apart::apart(&mut d, &function);
    let (_, stencil) = stencil_at(&d, &at).ok_or(NO_WINDOWS)?;
    let passes = separable::passes(&stencil).ok_or(NOT_BY_ROW)?;
    let block = block(&stencil, passes).ok_or(NO_ROOM)?;

    let tile: Vec<i64> = block.iter().zip(SHAPE).map(|(extent, items)| extent * items).collect();
    let groups = cut_for(&mut d, &at, &tile, &place::WORKGROUP)?;
    let group = position::body(&groups);
    let separate = if passes > 1 { &separable::SEPARATE_PARTS } else { &separable::SEPARATE };
    must(&mut d, separate, &group)?;
    must(&mut d, &separable::PASS_TO_LOCAL, &group)?;
    must(&mut d, &memory::TILE_TO_LOCAL, &groups)?;
    // Several passes share the tile, which has a name then.
    let (path, _) = d.get(&group).and_then(|group| writer(&group)).ok_or(NO_NEST)?;
    let group = position::join(&group, &path);
    by_rows(&mut d, &position::join(&group, &[BODY, BODY]));
    let items = cut_for(&mut d, &group, &block, &place::LOCAL)?;
    if once_each(&mut d, &position::body(&items)).is_none() {
        in_registers(&mut d, &items)?;
    }
    for pass in d.get(&group).map(|group| to_local(&group)).unwrap_or_default() {
        let pass = position::join(&group, &pass);
        let items = cut_for(&mut d, &pass, &[block[0], 1], &place::LOCAL)?;
        in_registers(&mut d, &items)?;
    }
    place::unroll_reductions(&mut d);
    Ok(Variant { local: SHAPE.map(ArithExpr::cst).to_vec(), vectors: &VECTORS[..1], ..Variant::of(NAME, d) })
}

/// What is said of windows that are not worth two passes.
pub(crate) fn small(stencil: &Stencil) -> Reason {
    if stencil.has_windows() { SMALL_WINDOWS } else { NO_WINDOWS }
}

/// Whether one launch computes both passes over these windows, whose rows stand by themselves.
pub(crate) fn is_separated(stencil: &Stencil) -> bool {
    separable::passes(stencil).and_then(|passes| block(stencil, passes)).is_some()
}

/// Whether windows are too large for registers, or so many passes over rows, and one over columns for each, take less than half of the operations.
fn is_worth(stencil: &Stencil, passes: usize) -> bool {
    let operations = |input: &Input| {
        let sizes: Option<Vec<i64>> = input.windows.iter().map(|(size, _)| size.as_const()).collect();
        sizes.map(|sizes| passes as i64 * sizes.iter().sum::<i64>())
    };
    let few = || Some(2 * operations(stencil.of_one_array()?)? < stencil.reads().as_const()?);
    is_large(stencil) || stencil.dims() == SHAPE.len() && few() == Some(true)
}

/// The work-items of these maps read everything before they compute a block.
fn in_registers(d: &mut Derivation, items: &[usize]) -> Result<(), Reason> {
    must(d, &memory::TILE_TO_PRIVATE, items)?;
    place::nest(d, &position::body(items), &[], Some(&place::SEQ_UNROLL));
    Ok(())
}

/// The extents of a block, innermost first, if it is worth while and there is room for a tile and what so many passes make of it.
fn block(stencil: &Stencil, passes: usize) -> Option<[i64; 2]> {
    let (bytes, [rows, columns]) = windows(stencil)?;
    stencil.f.body.ty().as_scalar()?;
    if !is_worth(stencil, passes) || rows.max(columns) > LONGEST {
        return None;
    }
    let width = (ROW_BYTES / bytes).clamp(1, 4);
    let wide = width * SHAPE[0];
    let is_small = !is_large(stencil);
    let most = if is_small { MOST_BYTES_OF_SMALL } else { MOST_BYTES };
    let fits = |height: &i64| {
        let high = height * SHAPE[1] + rows - 1;
        (wide * (1 + passes as i64) + columns - 1) * high * bytes <= most
    };
    // What several passes leave is read from several places: with a lower block there is room for it. Small windows share less.
    let heights = if passes > 1 || is_small { &HEIGHTS[..] } else { &HEIGHTS[..1] };
    heights.iter().find(|height| fits(height)).map(|height| [width, *height])
}
