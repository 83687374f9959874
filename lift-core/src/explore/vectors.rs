//! One row of the result per work-item, in wide vectors: what a core of a CPU does best.
//!
//! Before: a normalised expression. After, if its root is a stencil on scalars, or a function of elements in two or three dimensions: a
//! work-item for each row, or for a stretch of a single one, alone in its group, which goes along it in vectors as wide as a cache line. No
//! variant when the root is something else, or when lanes would not go the same way.

use crate::arith::ArithExpr;
use crate::explore::is_large;
use crate::explore::naive::outermost_first;
use crate::explore::registers::{MOST_OPERATIONS, operations};
use crate::explore::tile::{apply, stencil};
use crate::explore::variant::Variant;
use crate::ir::{Prim, Type};
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::rules::lanes::{ROW_IN_VECTORS, STRETCHES};
use crate::rewrite::rules::place;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::strategy::{Derivation, Position};

/// What the variant is called.
pub(super) const NAME: &str = "vectors";

/// A vector has so many bytes: a cache line, and the widest registers of CPUs.
pub(super) const BYTES: i64 = 64;

/// Loops for an element have so many rounds, at most.
pub(super) const LONGEST: i64 = 1024;

/// Windows that are longer are no longer written out.
const LONG: i64 = 16;

/// The variant that a normalised expression becomes.
pub(super) fn variant(mut d: Derivation) -> Option<Variant> {
    place::write_everything(&mut d, &[]);
    let (root, stencil) = stencil(d.expr())?;
    // Every element would look for who writes it, and nobody would claim a place.
    let mut scatters = false;
    d.expr().visit(&mut |e| scatters |= matches!(e.as_prim(), Some((Prim::Scatter | Prim::ScatterTo, _))));
    if scatters {
        return None;
    }
    let Type::Scalar(_) = stencil.f.body.ty() else { return None };
    let outer = stencil.dims().checked_sub(1).filter(|outer| *outer <= 2)?;
    operations(&stencil.f.body, LONGEST).filter(|n| *n <= MOST_OPERATIONS)?;
    if is_large(&stencil) || is_long(&stencil) {
        place::reduce_everything(&mut d);
    } else {
        place::unroll_reductions(&mut d);
    }
    let row = match outer {
        // Where nobody looks at neighbours, compilers make vectors of work-items.
        0 if !has_neighbours(&stencil) => return None,
        0 => in_stretches(&mut d, &root)?,
        _ => place::nest(&mut d, &root, &outermost_first(&place::GLOBAL, outer), None).last()?.clone(),
    };
    row_in_lanes(&mut d, &place::join(&row, &[0]))?;
    Some(Variant { local: vec![ArithExpr::one(); outer.max(1)], ..Variant::of(NAME, d) })
}

/// Cuts the map at a position into stretches, one for each work-item; what fills none is left to an item for each element.
/// Returns where the map stands whose function computes a stretch.
fn in_stretches(d: &mut Derivation, map: &[usize]) -> Option<Position> {
    let lanes = lanes(d.get(map)?.ty())?;
    let (_, rule) = STRETCHES.iter().rev().find(|(width, _)| *width <= lanes)?;
    apply(d, rule, map)?;
    let rows = place::join(map, &[0, 0]);
    apply(d, &place::GLOBAL[0], &rows)?;
    apply(d, &place::GLOBAL[0], &place::join(map, &[1]))?;
    Some(rows)
}

/// The row that stands at a position, in vectors.
pub(super) fn row_in_lanes(d: &mut Derivation, at: &[usize]) -> Option<()> {
    let row = d.get(at)?;
    let lanes = lanes(row.ty())?;
    let (path, Writer::Map) = writer(&row)? else { return None };
    let (_, rule) = ROW_IN_VECTORS.iter().rev().find(|(width, _)| *width <= lanes)?;
    apply(d, rule, &place::join(at, &path))
}

/// How many elements of an array of scalars a vector has.
fn lanes(array: &Type) -> Option<i64> {
    match array.as_array()? {
        (Type::Scalar(scalar), _) => Some(BYTES / scalar.bytes()),
        _ => None,
    }
}

/// Whether neighbours read what lies side by side, and each other's elements.
fn has_neighbours(stencil: &Stencil) -> bool {
    let mut steps = stencil.inputs.iter().flat_map(|input| &input.windows).map(|(_, step)| step);
    stencil.has_windows() && steps.all(|step| step.as_const() == Some(1))
}

/// Whether there are long windows, for each lane of which an edge would be a text of its own.
fn is_long(stencil: &Stencil) -> bool {
    let sizes = stencil.inputs.iter().flat_map(|input| &input.windows).map(|(size, _)| size);
    sizes.into_iter().any(|size| size.as_const().is_none_or(|n| n > LONG))
}
