//! A group goes through a strip of the result, row by row or plane by plane.
//!
//! Before: an expression with a few steps of a stencil, or one. After: the same streamed (`rewrite/rules/steps/streaming.rs`), in strips of
//! known sizes: as wide as a group, and so high that what strips share is little.

use crate::arith::{ArithExpr, Var};
use crate::explore::placed;
use crate::explore::reason::{Made, Reason, stencil_to_write};
use crate::explore::variant::Variant;
use crate::ir::{Arg, Expr, Prim};
use crate::machine::streamed::{HIGHEST, OF_PLANES, OF_ROWS, PLANES, PLANES_OF_ONE, ROWS};
use crate::rewrite::normal;
use crate::rewrite::rule::{Rewrite, Rule};
use crate::rewrite::rules::place;
use crate::rewrite::rules::steps::{ITERATE_PARTS, STREAM};
use crate::rewrite::strategy::{Derivation, Strategy};

/// Loops through planes need them.
pub(super) const FEW_DIMENSIONS: Reason = Reason::Because("the result has fewer than three dimensions");

/// What moves along must be known point by point.
const NOT_NAMED: Reason = Reason::Because(
    "the points of its windows are not named one by one, such as `w[1][1]`, or there are too many",
);

/// The variant that a normalised expression becomes, if its root is one step of a stencil in three dimensions.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (root, stencil) = stencil_to_write(&mut d)?;
    if stencil.dims() <= OF_PLANES.len() {
        return Err(FEW_DIMENSIONS);
    }
    planes(&d, &root, PLANES_OF_ONE).ok_or(NOT_NAMED)
}

/// The variant in strips of this height, if a step of a stencil stands there that can be streamed.
pub(super) fn planes(d: &Derivation, root: &[usize], height: i64) -> Option<Variant> {
    let mut d = d.clone();
    let tiles = stream(&mut d, &STREAM, root)?;
    normal::strategy(Strategy::once).apply(&mut d);
    place::unroll_reductions(&mut d);
    tiles.iter().for_each(|(tile, _)| d.choose(tile, height));
    Some(placed::finished(d, "planes"))
}

/// Streams what stands at a position. How much a strip yields along the loop is still open: the size, and what is usual.
pub(crate) fn stream(d: &mut Derivation, rule: &'static Rule, position: &[usize]) -> Option<Vec<(Var, i64)>> {
    let Rewrite { expr: strips, sizes: tiles, .. } = d.apply(rule, position)?;
    let (group, default): (&[i64], i64) =
        if tiles.len() == 2 { (&OF_ROWS, ROWS) } else { (&OF_PLANES, PLANES) };
    let mut tiles = tiles.into_iter();
    for (items, tile) in group.iter().zip(&mut tiles) {
        d.choose(&tile, (items - overlap(&strips, &tile)?).max(1));
    }
    let height = tiles.next()?;
    d.declare(&height, 1, HIGHEST);
    Some(vec![(height, default)])
}

/// Cuts a loop into parts of so many rounds.
pub(crate) fn in_parts(d: &mut Derivation, position: &[usize], rounds: i64) -> Option<()> {
    let parts = d.apply(&ITERATE_PARTS, position)?;
    parts.sizes.iter().for_each(|size| d.choose(size, rounds));
    Some(())
}

/// How much strips share that yield so many elements.
pub(super) fn overlap(strips: &Expr, tile: &Var) -> Option<i64> {
    let mut found = None;
    strips.visit(&mut |e| {
        if let Some((Prim::Slide, [Arg::Size(size), Arg::Size(step), _])) = e.as_prim()
            && *step == ArithExpr::var(tile)
        {
            found = (size - step).as_const();
        }
    });
    found
}
