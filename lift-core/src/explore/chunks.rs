//! Chunks of a whole array that is reduced, and the results of all chunks.
//!
//! Before: a normalised expression. After, if it reduces chunks as the rules `reduce_chunks` and `reduce_one_chunk` make them: for GPUs, a work-group for each chunk, whose
//! items read neighbouring elements, each every 256th; their sums meet in local memory. For CPUs, a work-item for each chunk, alone in its group,
//! which sums up several wide vectors side by side; nothing is shared, and nobody waits. The results of all chunks are few: groups reduce them everywhere.

use crate::arith::ArithExpr;
use crate::explore::lanes::{lies_in_order, reduce_in_lanes};
use crate::explore::placed::finished;
use crate::explore::reductions::by_groups;
use crate::explore::variant::Variant;
use crate::explore::vectors;
use crate::ir::{Arg, Prim};
use crate::rewrite::layout::{Writer, as_layout, as_map, is_parameter, writer};
use crate::rewrite::position;
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::{REDUCE_BY_GROUPS, as_reduce, chunk_length, is_flat, vector};
use crate::rewrite::strategy::Derivation;

/// The variants of a launch that reduces chunks.
pub(super) fn variants(d: &Derivation) -> Option<Vec<Variant>> {
    // What the chunks need may be defined before.
    let (map, Writer::Map) = writer(d.expr())? else { return None };
    match chunks(d, &map)? {
        Chunks::One => {
            let mut d = d.clone();
            d.apply(&REDUCE_BY_GROUPS, &map)?;
            Some(vec![sequential(d)])
        }
        Chunks::Many(vector) => {
            let mut groups = d.clone();
            by_groups(&mut groups, &map, vector)?;
            let lanes = by_items(d.clone(), &map);
            Some([Some(sequential(groups)), lanes].into_iter().flatten().collect())
        }
    }
}

/// Whether an expression reduces chunks of a whole array, or what is left of them.
pub(super) fn are_chunks(d: &Derivation) -> bool {
    matches!(writer(d.expr()), Some((map, Writer::Map)) if chunks(d, &map).is_some())
}

/// How many chunks there are.
enum Chunks {
    /// All that is left is one of them.
    One,
    /// Of what devices load so many elements of at once.
    Many(i64),
}

/// The chunks that the map at a position reduces.
fn chunks(d: &Derivation, map: &[usize]) -> Option<Chunks> {
    let map = d.get(map)?;
    let (f, chunks) = as_map(&map)?;
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
    let own = as_map(reduced).map_or(reduced, |(_, chunk)| chunk);
    // Since the chunks were cut, what they are of may have another form.
    let usual = |vector: &i64| d.facts().eq(length, &chunk_length(n, *vector, d.facts())).is_yes();
    let vector = [vector(source), 4, 2, 1].into_iter().find(usual)?;
    is_parameter(own, f).then_some(Chunks::Many(vector))
}

/// What is left are loops.
fn sequential(mut d: Derivation) -> Variant {
    place::reduce_everything(&mut d);
    finished(d, "naive")
}

/// A work-item for each chunk that the map at a position reduces.
fn by_items(mut d: Derivation, map: &[usize]) -> Option<Variant> {
    if !lies_in_order(as_map(&d.get(map)?)?.1) {
        return None;
    }
    d.apply(&place::GLOBAL[0], map)?;
    reduce_in_lanes(&mut d, &position::body(map))?;
    place::reduce_everything(&mut d);
    Some(Variant { local: vec![ArithExpr::one()], ..Variant::of(vectors::NAME, d) })
}
