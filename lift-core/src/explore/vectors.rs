//! One row of the result per work-item, or a few together, in wide vectors: what a core of a CPU does best.
//!
//! Before: a normalised expression. After, if its root is a stencil on scalars, or a function of elements in two or three dimensions: a
//! work-item for each row, or for a stretch of a single one, alone in its group, which goes along it in vectors as wide as a cache line. Of
//! planes, it computes a few rows together, if they share what they read: overlapped tiling across the rows, with each vector read once. In three
//! dimensions that would take more registers than there are. No variant when the root is something else, or when lanes would not go the same way.

use crate::arith::ArithExpr;
use crate::explore::is_large;
use crate::explore::naive::outermost_first;
use crate::explore::reason::{LONG_TEXT, Made, NO_NEST, Reason, must, nested, scalar, stencil_to_write};
use crate::explore::registers::{is_read_at_once, is_written_out, kept, longest, operations};
use crate::explore::rows::sized;
use crate::explore::tile::cut;
use crate::explore::variant::Variant;
use crate::ir::{Expr, Kind, Place, Prim, Type};
use crate::machine::registers::{MOST_ELEMENTS, MOST_OPERATIONS};
use crate::machine::vectors::{BLOCK, BYTES, LONG, LONGEST, MANY, MANY_POINTS};
use crate::machine::windows::FEW_POINTS;
use crate::rewrite::layout::{Writer, as_layout, writer};
use crate::rewrite::position;
use crate::rewrite::rules::lanes::{EVEN_ROW_IN_VECTORS, ROW_IN_VECTORS, STRETCHES};
use crate::rewrite::rules::partial::REDUCE_SPLIT;
use crate::rewrite::rules::reduction::as_reduce;
use crate::rewrite::rules::stencil::{Input, Stencil};
use crate::rewrite::rules::{memory, place, skip};
use crate::rewrite::strategy::{Derivation, Position};

/// What the variant is called.
pub(super) const NAME: &str = "vectors";

/// What lanes do not compute.
pub(super) const NO_VECTOR: Reason = Reason::Because(
    "lanes of a vector cannot compute the neighbours of a row, or rows are shorter than a vector",
);

/// The variant that a normalised expression becomes.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (root, stencil) = stencil_to_write(&mut d)?;
    // Every element would look for who writes it, and nobody would claim a place.
    if d.expr().contains(Prim::Scatter) || d.expr().contains(Prim::ScatterTo) {
        return Err(
            "data decide where elements are written, and which of them are is not known in lanes".into()
        );
    }
    scalar(&stencil)?;
    let outer = stencil.dims().saturating_sub(1);
    operations(&stencil.f.body, LONGEST).filter(|n| *n <= MOST_OPERATIONS).ok_or(LONG_TEXT)?;
    let in_loops = is_large(&stencil) || is_long(&stencil);
    let together = !in_loops && shares_rows(&stencil);
    if in_loops {
        place::reduce_everything(&mut d);
    } else if !together {
        place::unroll_reductions(&mut d);
    }
    let root = if together { cut(&mut d, &root, &BLOCK).ok_or(NO_NEST)? } else { root };
    let row = match outer {
        // Where nobody looks at neighbours, compilers make vectors of work-items.
        0 if !has_neighbours(&stencil) => {
            return Err(
                "in a single row without windows that overlap, drivers make vectors of work-items".into()
            );
        }
        0 => in_stretches(&mut d, &root).ok_or(NO_VECTOR)?,
        _ => nested(&mut d, &root, &outermost_first(&place::GLOBAL, outer))?,
    };
    let row = row_in_lanes(&mut d, &position::body(&row), has_ends(&stencil)).ok_or(NO_VECTOR)?;
    let all = d.get(&row).map(|row| lanes(&row)).unwrap_or_default();
    if !together {
        for at in all {
            d.apply(&skip::SKIP_VECTOR, &position::join(&row, &at));
        }
    } else {
        for at in all {
            in_registers(&mut d, &position::join(&row, &at))?;
        }
        // What fills no vector is little.
        place::nest(&mut d, &row, &[], Some(&place::SEQ));
        place::reduce_everything(&mut d);
    }
    let computes = together && stencil.reads().as_const().is_some_and(|n| n >= MANY_POINTS);
    let blocks = computes.then(|| (stencil.counts[0].clone(), BLOCK[1])).into_iter().collect();
    Ok(Variant { local: vec![ArithExpr::one(); outer.max(1)], blocks, ..Variant::of(NAME, d) })
}

/// Cuts the map at a position into stretches, one for each work-item; what fills none is left to an item for each element.
/// Returns where the map stands whose function computes a stretch.
fn in_stretches(d: &mut Derivation, map: &[usize]) -> Option<Position> {
    let lanes = width(d.get(map)?.ty())?;
    let (_, rule) = STRETCHES.iter().rev().find(|(width, _)| *width <= lanes)?;
    let [rows, rest] = d.apply(rule, map)?.focus()?;
    d.apply(&place::GLOBAL[0], &rows)?;
    d.apply(&place::GLOBAL[0], &rest)?;
    Some(rows)
}

/// The row that stands at a position, in vectors, with ends that differ from the rest or not. Returns where the map stood that computes it.
pub(super) fn row_in_lanes(d: &mut Derivation, at: &[usize], has_ends: bool) -> Option<Position> {
    let row = d.get(at)?;
    let lanes = width(row.ty())?;
    let (path, Writer::Map) = writer(&row)? else { return None };
    let map = position::join(at, &path);
    let rules = if has_ends { &ROW_IN_VECTORS } else { &EVEN_ROW_IN_VECTORS };
    let (_, rule) = rules.iter().rev().find(|(width, _)| *width <= lanes)?;
    d.apply(rule, &map)?;
    Some(map)
}

/// How many of its scalars a vector has.
fn width(array: &Type) -> Option<i64> {
    match array.shape().1 {
        Type::Scalar(scalar) => Some(BYTES / scalar.bytes()),
        _ => None,
    }
}

/// Whether neighbours read what lies side by side, and each other's elements.
fn has_neighbours(stencil: &Stencil) -> bool {
    let mut steps = stencil.inputs.iter().flat_map(|input| &input.windows).map(|(_, step)| step);
    stencil.has_windows() && steps.all(|step| step.as_const() == Some(1))
}

/// Lanes, whose map stands there, read everything before they compute several results.
fn in_registers(d: &mut Derivation, lanes: &[usize]) -> Result<(), Reason> {
    must(d, &memory::TILE_TO_PRIVATE, lanes)?;
    let results = position::body(lanes);
    in_parts(d, &results);
    place::nest(d, &results, &[], Some(&place::SEQ_UNROLL));
    place::unroll_reductions_at(d, results);
    Ok(())
}

/// Makes several reductions of each long one below a position: written out, none of them waits for another.
fn in_parts(d: &mut Derivation, at: &[usize]) {
    let Some(e) = d.get(at) else { return };
    for (i, x) in e.children().into_iter().enumerate() {
        if !matches!(x.kind(), Kind::Param(_) | Kind::Literal(_)) {
            in_parts(d, &position::join(at, &[i]));
        }
    }
    let len = as_reduce(&e).and_then(|(_, _, xs)| xs.ty().as_array()?.1.as_const());
    if let Some(part) = len.filter(|n| *n >= MANY).and_then(part) {
        sized(d, &REDUCE_SPLIT, at, part);
    }
}

/// How many elements parts of so many elements have, about as many as there are parts.
fn part(len: i64) -> Option<i64> {
    (2..len).find(|part| len % part == 0 && part * part >= len)
}

/// Where maps over lanes stand below `e`.
pub(super) fn lanes(e: &Expr) -> Vec<Position> {
    position::outermost(e, &|x| matches!(x.as_prim(), Some((Prim::Map(Place::Lanes), _))))
}

/// Whether the ends of a row differ from the rest, because something is made up there or lies elsewhere.
fn has_ends(stencil: &Stencil) -> bool {
    stencil.inputs.iter().any(|input| {
        let mut rows = &input.array;
        // What is outside of all rows is a row as well.
        while let (true, Some(inner)) = (stencil.dims() > 1, as_layout(rows, Prim::Pad)) {
            rows = inner;
        }
        [Prim::Pad, Prim::Array, Prim::Reorder, Prim::Concat].iter().any(|prim| rows.contains(*prim))
    })
}

/// Whether the windows of neighbouring rows have rows in common, which are read once for all of them.
fn shares_rows(stencil: &Stencil) -> bool {
    let overlaps =
        |input: &Input| input.windows.first().is_some_and(|(rows, _)| rows.as_const().is_some_and(|n| n > 1));
    let enough = stencil.counts.first().is_some_and(|rows| rows.as_const().is_none_or(|n| n >= BLOCK[1]));
    let is_short = stencil.dims() == BLOCK.len()
        && is_written_out(stencil, &BLOCK, longest(stencil))
        && is_read_at_once(stencil, &BLOCK, MOST_ELEMENTS);
    enough && is_short && kept(stencil, FEW_POINTS - 1).is_ok() && stencil.inputs.iter().any(overlaps)
}

/// Whether there are long windows, for each lane of which an edge would be a text of its own.
fn is_long(stencil: &Stencil) -> bool {
    let sizes = stencil.inputs.iter().filter_map(|input| input.windows.last()).map(|(size, _)| size);
    sizes.into_iter().any(|size| size.as_const().is_none_or(|n| n > LONG))
}
