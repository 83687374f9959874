//! Reductions by key.
//!
//! Before: a normalised expression. After, if it reduces by key: a work-item for each chunk, or for each element of the array over which the
//! reduction is mapped, which combines in the place where the result is stored. For GPUs, a work-group for each chunk where devices combine
//! atomically, or where each of a few items may have a copy of the bins.

use crate::arith::ArithExpr;
use crate::explore::naive;
use crate::explore::placed::finished;
use crate::explore::variant::Variant;
use crate::explore::vectors;
use crate::ir::{ByKey, Prim};
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::rules::{by_key, place};
use crate::rewrite::strategy::Derivation;

/// The variants of a launch that reduces by key.
pub(super) fn variants(d: &Derivation) -> Option<Vec<Variant>> {
    if ![ByKey::Whole, ByKey::Item].iter().any(|form| d.expr().contains(Prim::ReduceByKey(*form))) {
        return None;
    }
    let items = naive::variant(d.clone());
    let Some(groups) = by_groups(d.clone()) else { return Some(vec![items]) };
    Some(vec![groups, Variant { name: vectors::NAME, local: vec![ArithExpr::one()], ..items }])
}

/// A work-group for each chunk.
fn by_groups(mut d: Derivation) -> Option<Variant> {
    let (map, Writer::Map) = writer(d.expr())? else { return None };
    let (items, rule) = by_key::groups(&d.get(&map)?)?;
    d.apply(rule, &map)?;
    place::reduce_everything(&mut d);
    Some(Variant { local: vec![items.into()], ..finished(d, "naive") })
}
