//! Slots of rings: indices that are a number of trips modulo the number of slots.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{IndexValue, Stmt};

/// Whether two indices are never equal because they leave different remainders.
pub fn in_other_slots(i: &ArithExpr, j: &ArithExpr) -> bool {
    let (left, right) = (i.as_modulo(), j.as_modulo());
    let slots = match (&left, &right) {
        (Some((_, a)), Some((_, b))) if a == b => a,
        (Some((_, n)), None) | (None, Some((_, n))) => n,
        (Some(_), Some(_)) => return false,
        // One of them is perhaps 1 less the other.
        (None, None) => &ArithExpr::cst(2),
    };
    let number = |index: &ArithExpr| index.as_modulo().map_or(index.clone(), |(number, _)| number.clone());
    let apart = (number(i) - number(j)).modulo(slots).as_const();
    slots.as_const().is_some_and(|n| n > 0) && apart.is_some_and(|d| d != 0)
}

/// The names of indices that are remainders.
pub fn named(stmts: &[Stmt]) -> BTreeMap<Var, ArithExpr> {
    let mut found = BTreeMap::new();
    for stmt in stmts {
        stmt.visit(&mut |s| match s {
            Stmt::Index(var, IndexValue::Arith(e)) if e.as_modulo().is_some() => {
                found.insert(var.clone(), e.clone());
            }
            _ => {}
        });
    }
    found
}
