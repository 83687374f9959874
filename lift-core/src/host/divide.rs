//! Index-set splitting: a loop along a row in whose middle a condition turns is two loops, in which it does not.
//!
//! Before: an innermost loop whose trips do not depend on each other. After, if one of its conditions turns once, far from both ends, and no other one does: the trips
//! before the turn, and those from there on, with statements in which the condition is decided. Otherwise one of the two would have no vectors.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::{decided, without_names};
use crate::host::rows::{carries, is_plain};
use crate::imp::ast::{Expr, Stmt, Unroll};
use crate::machine::host::STRIP;

/// The two loops.
pub(super) fn divided(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    facts: &Facts,
) -> Option<[Stmt; 2]> {
    if !body.iter().all(is_plain) || carries(body) {
        return None;
    }
    let body = without_names(body.to_vec(), &BTreeMap::new());
    let turn = only_turn((var, start, bound), &body)?;
    let inside = facts.simplify(&ArithExpr::min(&ArithExpr::max(&turn, start), bound));
    let part = |start: &ArithExpr, bound: &ArithExpr, side: ArithExpr| {
        let mut known = facts.fork();
        known.assume_nonneg(side);
        let body = decided(body.clone(), &known);
        // A loop that is divided has a condition less than before, so that this comes to an end.
        if only_turn((var, start, bound), &body).is_some() {
            return None;
        }
        let (start, bound, step) = (start.clone(), bound.clone(), ArithExpr::one());
        Some(Stmt::For { var: var.clone(), start, bound, step, unroll: Unroll::No, body })
    };
    let i = ArithExpr::var(var);
    Some([part(start, &inside, &turn - &i - 1)?, part(&inside, bound, i - &turn)?])
}

/// The first trip in which the condition holds where it did not before, or the other way round, if only one turns further than a strip from both ends.
fn only_turn((var, start, bound): (&Var, &ArithExpr, &ArithExpr), body: &[Stmt]) -> Option<ArithExpr> {
    let mut turns: Vec<Option<ArithExpr>> = Vec::new();
    let is_near =
        |a: &ArithExpr, b: &ArithExpr| (a - b).as_const().is_some_and(|n| n.unsigned_abs() <= STRIP as u64);
    let turn = |margin: &ArithExpr| {
        let (by, rest) = margin.linear_in(var)?;
        match by.as_const()? {
            1 => Some(-rest),
            -1 => Some(rest + 1),
            _ => None,
        }
    };
    body.iter().for_each(|stmt| {
        stmt.visit_exprs(&mut |e| {
            if let Expr::Cond(cond) = e
                && cond.margin().contains(var)
            {
                let turn = turn(&cond.margin());
                let is_end = turn.as_ref().is_some_and(|turn| is_near(turn, start) || is_near(turn, bound));
                if !is_end && !turns.contains(&turn) {
                    turns.push(turn);
                }
            }
        });
    });
    match <[_; 1]>::try_from(turns) {
        Ok([turn]) => turn,
        Err(_) => None,
    }
}
