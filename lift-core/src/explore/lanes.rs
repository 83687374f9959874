//! Reductions in wide vectors, by one work-item: what a core of a CPU does best.
//!
//! Several vectors are summed up side by side, so that none waits for another; then what fills no group of vectors, one vector at a time; then
//! what fills no vector.

use crate::explore::registers::operations;
use crate::explore::rows::sized;
use crate::ir::{Arg, Expr, Kind, Memory, Prim, Type};
use crate::machine::registers::MOST_OPERATIONS;
use crate::machine::vectors::{BYTES, FEW_TUPLES, LONGEST, SIDE_BY_SIDE};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::lanes::REDUCE_IN_VECTORS;
use crate::rewrite::rules::partial::{REDUCE_REST, REDUCE_SHORT};
use crate::rewrite::rules::reduction::as_reduce;
use crate::rewrite::strategy::Derivation;

/// The reduction at a position, of any number of elements that lie in memory as they are reduced.
pub(super) fn reduce_in_lanes(d: &mut Derivation, at: &[usize]) -> Option<()> {
    let reduction = d.get(at)?;
    let (_, _, xs) = as_reduce(&reduction)?;
    let (width, [several, one]) = rules(&reduction)?;
    if !lies_in_order(xs) {
        return None;
    }
    if d.apply(several, at).is_some() {
        return Some(());
    }
    // What fills groups of vectors, and what does not.
    let [groups, rest] = sized(d, &REDUCE_REST, at, width * SIDE_BY_SIDE)?.focus()?;
    d.apply(several, &groups)?;
    let [vectors, _] = sized(d, &REDUCE_REST, &rest, width)?.focus()?;
    d.apply(one, &vectors).map(drop)
}

/// The same for an unknown number of elements: few are reduced one by one, because combining the lanes of vectors would take longer.
pub(super) fn reduce_many_in_lanes(d: &mut Derivation, at: &[usize]) -> Option<()> {
    let reduction = d.get(at)?;
    let (f, _, xs) = as_reduce(&reduction)?;
    let (_, n) = xs.ty().as_array()?;
    let (width, _) = rules(&reduction)?;
    if n.as_const().is_some() || !lies_in_order(xs) {
        return reduce_in_lanes(d, at);
    }
    let few = match (reduction.ty(), f.body.kind()) {
        (Type::Tuple(_), _) => FEW_TUPLES,
        // Lanes are added up in no time.
        (_, Kind::Binary(..)) => 1,
        _ => SIDE_BY_SIDE,
    };
    let [many] = sized(d, &REDUCE_SHORT, at, few * width)?.focus()?;
    reduce_in_lanes(d, &many)
}

/// The rules for vectors of what is reduced, and how many elements they have.
fn rules(reduction: &Expr) -> Option<(i64, &'static [Rule; 2])> {
    let mut bytes = 1;
    reduction.ty().scalars(&mut |scalar| bytes = bytes.max(scalar.bytes()));
    let (width, rules) = REDUCE_IN_VECTORS.iter().rev().find(|(width, _)| *width <= BYTES / bytes)?;
    Some((*width, rules))
}

/// Whether lanes read rows of this array in one piece. What is turned has columns for rows; of windows, of several arrays in one and of what is filled
/// up, lanes would be read one by one.
pub(super) fn has_rows_in_order(xs: &Expr) -> bool {
    ![Prim::Transpose, Prim::Slide, Prim::Concat, Prim::Pad].into_iter().any(|prim| xs.contains(prim))
}

/// Whether neighbours are computed from neighbours in memory, in a few operations, so that lanes read vectors.
pub(crate) fn lies_in_order(e: &Expr) -> bool {
    if let Some((f, xs)) = as_map(e) {
        // A row as it stands, or with something computed for every element.
        let each = match f.body.ty() {
            Type::Array(..) => lies_in_order(&f.body),
            _ => operations(&f.body, LONGEST).is_some_and(|n| n <= MOST_OPERATIONS),
        };
        return each && lies_in_order(xs);
    }
    match (e.kind(), e.as_prim()) {
        // Numbers, such as those of the elements.
        (_, Some((Prim::Array, [_, Arg::Fun(f)]))) => {
            operations(&f.body, LONGEST).is_some_and(|n| n <= MOST_OPERATIONS)
        }
        (Kind::Param(_) | Kind::Field(..), _) | (_, Some((Prim::Store(Memory::Temporary), _))) => true,
        // Neighbouring windows begin at neighbouring elements.
        (_, Some((Prim::Slide, [Arg::Size(_), Arg::Size(step), Arg::Data(xs)]))) => {
            step.as_const() == Some(1) && lies_in_order(xs)
        }
        (_, Some((Prim::Zip | Prim::Split | Prim::Join | Prim::Take | Prim::Drop, args))) => {
            args.iter().filter_map(Arg::data).all(lies_in_order)
        }
        _ => false,
    }
}
