//! Expressions that already say who computes what: rewriting before exploration has decided it.
//!
//! Before: a normalised expression with `map_workgroup` at its root. After: the same, with loops for the
//! reductions, and the work-groups as large as the largest `map_local` needs.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::explore::variant::Variant;
use crate::ir::{Arg, Expr, Prim};
use crate::rewrite::layout::writer;
use crate::rewrite::rules::place;
use crate::rewrite::strategy::{Derivation, Strategy};

/// The only variant of such an expression; `None` for all others.
pub(super) fn variant(mut d: Derivation) -> Option<Variant> {
    let (position, _) = writer(d.expr())?;
    let root = d.get(&position)?;
    let Some((Prim::MapWorkgroup, _)) = root.as_prim() else { return None };
    let local = shape(&root)?;
    Strategy::Rule(&place::REDUCE_SEQ).all().apply(&mut d);
    let (body, facts, trace) = d.finish();
    Some(Variant { name: "naive", body, tunables: Vec::new(), local, facts, trace })
}

/// The work-items of a group in every dimension.
fn shape(e: &Expr) -> Option<Vec<ArithExpr>> {
    let mut extents: BTreeMap<i64, i64> = BTreeMap::new();
    e.visit(&mut |x| {
        if let Some((Prim::MapLocal, [Arg::Size(d), _, _])) = x.as_prim()
            && let (Some(d), Some(n)) = (d.as_const(), x.ty().as_array().and_then(|(_, n)| n.as_const()))
        {
            let extent = extents.entry(d).or_insert(1);
            *extent = n.max(*extent);
        }
    });
    let last = extents.keys().max()?;
    Some((0..=*last).map(|d| ArithExpr::cst(extents.get(&d).copied().unwrap_or(1))).collect())
}
