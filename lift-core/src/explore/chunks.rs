//! Chunks of a whole array that is reduced, and the results of all chunks.
//!
//! Before: a normalised expression. After, if it reduces chunks as the rules `reduce_chunks` and `reduce_one_chunk` make them: for GPUs, a work-group for each chunk, whose
//! items read neighbouring elements, each every 256th; their sums meet in local memory. For CPUs, a work-item for each chunk, alone in its group,
//! which sums up several wide vectors side by side; nothing is shared, and nobody waits. The results of all chunks are few: groups reduce them everywhere.

use crate::arith::ArithExpr;
use crate::explore::placed::finished;
use crate::explore::reductions::by_groups;
use crate::explore::tile::apply;
use crate::explore::variant::Variant;
use crate::explore::vectors::{self, reduce_in_lanes};
use crate::ir::{Arg, Expr, Kind, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map, is_parameter};
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::{REDUCE_BY_GROUPS, as_reduce, chunk_length, is_flat, vector};
use crate::rewrite::strategy::Derivation;

/// The variants of a launch that reduces chunks.
pub(super) fn variants(d: &Derivation) -> Option<Vec<Variant>> {
    match chunks(d)? {
        Chunks::One => {
            let mut d = d.clone();
            apply(&mut d, &REDUCE_BY_GROUPS, &[])?;
            Some(vec![sequential(d)])
        }
        Chunks::Many(vector) => {
            let mut groups = d.clone();
            by_groups(&mut groups, &[], vector)?;
            let lanes = if lies_in_order(d.expr()) { by_items(d.clone()) } else { None };
            Some([Some(sequential(groups)), lanes].into_iter().flatten().collect())
        }
    }
}

/// How many chunks there are.
enum Chunks {
    /// All that is left is one of them.
    One,
    /// Of what devices load so many elements of at once.
    Many(i64),
}

/// Whether the expression reduces chunks.
fn chunks(d: &Derivation) -> Option<Chunks> {
    let (f, chunks) = as_map(d.expr())?;
    let (Prim::Split, [Arg::Size(length), Arg::Data(xs)]) = chunks.as_prim()? else { return None };
    let (_, _, reduced) = as_reduce(&f.body)?;
    let (_, count) = chunks.ty().as_array()?;
    if !is_flat(f.body.ty()) {
        return None;
    }
    if count.as_const() == Some(1) {
        return Some(Chunks::One);
    }
    // What is left over is no part of a chunk.
    let source = as_layout(xs, Prim::Take).unwrap_or(xs);
    let (_, n) = source.ty().as_array()?;
    let vector = vector(source);
    let usual = d.facts().simplify(&chunk_length(n, vector));
    let own = as_map(reduced).map_or(reduced, |(_, chunk)| chunk);
    let is_whole = is_parameter(own, f);
    (is_whole && d.facts().eq(length, &usual).is_yes()).then_some(Chunks::Many(vector))
}

/// Whether neighbours are computed from neighbours in memory, so that lanes read vectors.
fn lies_in_order(e: &Expr) -> bool {
    if let Some((f, xs)) = as_map(e) {
        // A row, or a chunk, as it stands or with something computed for every element.
        let rows = !matches!(f.body.ty(), Type::Array(..)) || lies_in_order(&f.body);
        return rows && lies_in_order(xs);
    }
    match (e.kind(), e.as_prim()) {
        (Kind::Param(_) | Kind::Field(..), _) | (_, Some((Prim::Materialize, _))) => true,
        (_, Some((Prim::Zip | Prim::Split | Prim::Join | Prim::Take | Prim::Drop, args))) => {
            args.iter().filter_map(Arg::data).all(lies_in_order)
        }
        _ => false,
    }
}

/// What is left are loops.
fn sequential(mut d: Derivation) -> Variant {
    place::reduce_everything(&mut d);
    finished(d, "naive")
}

/// A work-item for each chunk.
fn by_items(mut d: Derivation) -> Option<Variant> {
    apply(&mut d, &place::GLOBAL[0], &[])?;
    reduce_in_lanes(&mut d, &[0])?;
    place::reduce_everything(&mut d);
    Some(Variant { local: vec![ArithExpr::one()], ..Variant::of(vectors::NAME, d) })
}
