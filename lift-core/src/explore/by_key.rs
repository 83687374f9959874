//! Reductions by key.
//!
//! Before: a normalised expression. After, if it reduces by key: a work-item for each chunk, or for each element of the array over which the
//! reduction is mapped, which combines in the place where the result is stored. For GPUs, a work-group for each chunk where devices combine
//! atomically, or where each of a few items may have a copy of the bins.

use crate::arith::ArithExpr;
use crate::explore::least;
use crate::explore::naive::{self, outermost_first};
use crate::explore::placed::finished;
use crate::explore::reason::nested;
use crate::explore::rows::share_row;
use crate::explore::variant::Variant;
use crate::explore::vectors;
use crate::ir::{Arg, ByKey, Expr, Kind, Prim};
use crate::machine::by_key::LEAST_ROW;
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::position::{self, join, outside_of_functions};
use crate::rewrite::rules::{by_key, place};
use crate::rewrite::strategy::Derivation;

/// The variants of a launch that reduces by key.
pub(super) fn variants(d: &Derivation) -> Option<Vec<Variant>> {
    if ![ByKey::Whole, ByKey::Item].iter().any(|form| d.expr().contains(Prim::ReduceByKey(*form))) {
        return None;
    }
    let items = naive::variant(d.clone());
    if let Some(groups) = by_chunk(d.clone()) {
        return Some(vec![groups, Variant { name: vectors::NAME, local: vec![ArithExpr::one()], ..items }]);
    }
    Some([items].into_iter().chain(by_row(d.clone())).collect())
}

/// A work-group for each chunk.
fn by_chunk(mut d: Derivation) -> Option<Variant> {
    let (map, Writer::Map) = writer(d.expr())? else { return None };
    let chunk = position::body(&map);
    let items = by_group(&mut d, &chunk)?;
    d.apply(&place::WORKGROUP[0], &map)?;
    share_row(&mut d, &chunk);
    place::reduce_everything(&mut d);
    Some(Variant { local: vec![items.into()], ..finished(d, "naive") })
}

/// A work-group for each row.
fn by_row(mut d: Derivation) -> Option<Variant> {
    let (path, Writer::Map) = writer(d.expr())? else { return None };
    let dims = d.get(&path).map_or(0, |map| place::depth(&map));
    let of = |dims: usize| (0..dims).fold(path.clone(), |at, _| position::body(&at));
    // The innermost map is over bins, if anything becomes of these.
    let (outer, row) = [dims, dims.checked_sub(1)?]
        .into_iter()
        .filter(|outer| (1..=place::WORKGROUP.len()).contains(outer))
        .find_map(|outer| {
            let body = d.get(&of(outer)).filter(is_alone)?;
            let inside = outside_of_functions(&body).into_iter();
            let mut inside =
                inside.filter(|at| body.below(at).is_some_and(|e| by_key::in_sequence(e).is_some()));
            Some((outer, join(&of(outer), &inside.next()?)))
        })?;
    let by_key = d.get(&row)?;
    let Some((Prim::ReduceByKey(_), [.., Arg::Data(xs)])) = by_key.as_prim() else { return None };
    let least = least::unknown([(xs.ty().length(), LEAST_ROW)])?;
    d.apply(&by_key::BY_KEY_SEQ, &row)?;
    let items = by_group(&mut d, &row)?;
    let map = nested(&mut d, &path, &outermost_first(&place::WORKGROUP, outer)).ok()?;
    share_row(&mut d, &position::body(&map));
    place::reduce_everything(&mut d);
    Some(Variant { local: vec![items.into()], least, ..finished(d, "rows") })
}

/// Whether there is one loop outside of functions, the reduction by key: each item of a group would run every other loop from start to end.
fn is_alone(e: &Expr) -> bool {
    let is_loop = |x: &Expr| {
        let prim = x.as_prim().map(|(prim, _)| prim);
        matches!(prim, Some(Prim::ReduceByKey(_) | Prim::Reduce(_) | Prim::Scan(_) | Prim::ScanWith))
    };
    let has_loop = |x: &Expr| is_loop(x) || matches!(x.kind(), Kind::If(..)) && x.any(&is_loop);
    outside_of_functions(e).iter().filter_map(|at| e.below(at)).filter(|x| has_loop(x)).count() == 1
}

/// Makes the reduction by key at a position one of a group, and returns the number of its work-items.
fn by_group(d: &mut Derivation, at: &[usize]) -> Option<i64> {
    let (items, rule) = by_key::groups(&d.get(at)?)?;
    d.apply(rule, at)?;
    Some(items)
}
