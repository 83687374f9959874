//! One work-group per tile of a result that reads transposed arrays, their tiles in local memory.
//!
//! Before: a normalised expression. After, if its root is a function of elements in two dimensions and some of its arrays are transposed: the items of a
//! group copy a tile row by row, as the array lies in memory, and read it column by column. With a work-item for each element, neighbouring items would read
//! elements that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::least::open;
use crate::explore::naive::outermost_first;
use crate::explore::reason::{Made, NO_NEST, Reason, must, nested, stencil_to_write};
use crate::explore::tile::to_local;
use crate::explore::variant::Variant;
use crate::ir::{Kind, Prim, Type};
use crate::machine::transposed::{FEWEST, ROWS, TILE};
use crate::rewrite::layout::{as_layout, is_parameter};
use crate::rewrite::normal;
use crate::rewrite::position;
use crate::rewrite::rules::stencil::{Input, OVERLAPPED_TILING, Stencil};
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::{Derivation, Strategy};

const NOT_TRANSPOSED: Reason = Reason::Because(
    "the result is no function of the elements of matrices of scalars, of which some are transposed",
);

/// The variant that a normalised expression becomes, if its root reads transposed matrices.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (root, stencil) = stencil_to_write(&mut d)?;
    let transposed = transposed(&stencil);
    if !transposed.contains(&true) {
        return Err(NOT_TRANSPOSED);
    }
    let least = open(stencil.counts.iter().map(|count| (count.clone(), FEWEST)));
    let tiles = must(&mut d, &OVERLAPPED_TILING, &root)?.sizes;
    tiles.iter().for_each(|extent| d.choose(extent, TILE));
    // A copy is the identity, which would go.
    if !is_parameter(&stencil.f.body, &stencil.f) {
        normal::strategy(Strategy::once).apply(&mut d);
    }
    let group = nested(&mut d, &[], &outermost_first(&place::WORKGROUP, 2))?;
    let is_one = stencil.of_one_array().is_some();
    must(&mut d, if is_one { &memory::TILE_TO_LOCAL } else { &memory::PARTS_TO_LOCAL }, &group)?;
    let body = position::body(&group);
    let copies = d.get(&body).map(|e| to_local(&e)).unwrap_or_default();
    if copies.len() != transposed.len() {
        return Err(NO_NEST);
    }
    // None stands in one that comes before it.
    for (copy, transposed) in copies.iter().zip(&transposed).rev() {
        let (_, stored) = copy.split_last().ok_or(NO_NEST)?;
        let stored = position::join(&body, stored);
        if *transposed {
            must(&mut d, &memory::TRANSPOSED_TILE, &stored)?;
            let stored = position::join(&stored, &[position::OF]);
            must(&mut d, &memory::WIDER_ROWS, &stored)?.sizes.iter().for_each(|room| d.choose(room, 1));
        }
    }
    place::nest(&mut d, &body, &outermost_first(&place::LOCAL, 2), Some(&place::SEQ));
    place::reduce_everything(&mut d);
    let local = vec![ArithExpr::cst(TILE), ArithExpr::cst(ROWS)];
    Ok(Variant { local, least, ..Variant::of("transposed", d) })
}

/// Which of the arrays are transposed, if the elements of all of them are scalars.
fn transposed(stencil: &Stencil) -> Vec<bool> {
    let is_scalar = |input: &Input| {
        let (lens, element) = input.array.ty().shape();
        input.windows.is_empty() && lens.len() == 2 && matches!(element, Type::Scalar(_))
    };
    if stencil.dims() != 2 || !stencil.inputs.iter().all(is_scalar) {
        return Vec::new();
    }
    stencil.inputs.iter().map(is_transposed).collect()
}

/// Whether neighbours in an array are a row apart where it lies.
fn is_transposed(input: &Input) -> bool {
    let stored = |kind: &Kind| matches!(kind, Kind::Param(_) | Kind::Field(..));
    as_layout(&input.array, Prim::Transpose).is_some_and(|rows| stored(rows.kind()))
}
