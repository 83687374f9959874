//! One guard for all dimensions.
//!
//! Before: a map over global work-items tests its own dimension, inside the test of the dimension around it.
//! After: one `if` tests them all. Refuses where something is computed between
//! the two tests that is more than an index.

use crate::arith::Var;
use crate::imp::ast::{Expr, IndexValue, Stmt};
use crate::ir::BinaryOp;
use crate::memory::{Buffer, BufferId, Space};

/// Statements that follow each other under the same guard are guarded once; indices that are computed in between come first.
/// Where they write to local memory, the group may have to wait in between.
pub(super) fn nested(body: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    // Where the last guard stands, if only indices follow.
    let mut last: Option<usize> = None;
    for stmt in body {
        match stmt.map_blocks(&mut |body| nested(body, buffers)) {
            Stmt::If(cond, then, otherwise)
                if otherwise.is_empty() && is_guard(&cond) && !shares(&then, buffers) =>
            {
                let before = last.and_then(|at| out.get_mut(at));
                match before {
                    Some(Stmt::If(same, body, _)) if *same == cond && agree(body, &then) => {
                        let known = |s: &Stmt| s.index().is_some_and(|var| declares(body, var).is_some());
                        let new: Vec<Stmt> = then.into_iter().filter(|s| !known(s)).collect();
                        body.extend(new);
                    }
                    Some(_) | None => {
                        last = Some(out.len());
                        out.push(Stmt::If(cond, then, Vec::new()));
                    }
                }
            }
            stmt @ Stmt::Index(_, IndexValue::Arith(_)) => match &mut last {
                Some(at) => {
                    out.insert(*at, stmt);
                    *at += 1;
                }
                None => out.push(stmt),
            },
            stmt => {
                last = None;
                out.push(stmt);
            }
        }
    }
    out
}

/// Whether indices that both blocks declare, as copies of one map do, are the same in both.
fn agree(first: &[Stmt], second: &[Stmt]) -> bool {
    second.iter().all(|stmt| match (stmt, stmt.index().and_then(|var| declares(first, var))) {
        (_, None) => true,
        (Stmt::Index(_, IndexValue::Arith(a)), Some(IndexValue::Arith(b))) => a == b,
        (_, Some(_)) => false,
    })
}

/// What a block says that an index is.
fn declares<'a>(stmts: &'a [Stmt], var: &Var) -> Option<&'a IndexValue> {
    stmts.iter().find_map(|stmt| match stmt {
        Stmt::Index(other, value) if other == var => Some(value),
        _ => None,
    })
}

/// Whether statements write to memory that work-items share, or wait. Those that only read it may wait before all of them.
fn shares(stmts: &[Stmt], buffers: &[Buffer]) -> bool {
    let is_shared = |id: &BufferId| matches!(buffers[id.0 as usize].space, Space::Local | Space::Global);
    let is_shared = |s: &Stmt| {
        matches!(s, Stmt::Barrier)
            || matches!(s, Stmt::Store(id, ..) | Stmt::Atomic(_, id, ..) if is_shared(id))
    };
    stmts.iter().any(|stmt| stmt.any(&is_shared))
}

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in body {
        match stmt.map_blocks(&mut run) {
            Stmt::If(cond, then, otherwise) => merge(cond, then, otherwise, &mut out),
            stmt => out.push(stmt),
        }
    }
    out
}

fn merge(cond: Expr, mut then: Vec<Stmt>, otherwise: Vec<Stmt>, out: &mut Vec<Stmt>) {
    let mergeable = |last: &Stmt| match last {
        Stmt::If(inner, _, none) => none.is_empty() && is_guard(inner),
        _ => false,
    };
    let simple = |s: &Stmt| matches!(s, Stmt::Index(_, IndexValue::Arith(_)));
    let fits = match then.split_last() {
        Some((last, before)) => mergeable(last) && before.iter().all(simple) && independent(last, before),
        None => false,
    };
    if !otherwise.is_empty() || !is_guard(&cond) || !fits {
        return out.push(Stmt::If(cond, then, otherwise));
    }
    if let Some(Stmt::If(inner, body, _)) = then.pop() {
        out.push(Stmt::If(Expr::and(cond, inner), [then, body].concat(), Vec::new()));
    }
}

/// A conjunction of comparisons of indices.
fn is_guard(e: &Expr) -> bool {
    e.conjuncts().into_iter().all(|part| match part {
        Expr::Cond(_) => true,
        Expr::Binary(BinaryOp::Eq, _, a, b) => matches!((&**a, &**b), (Expr::Index(_), Expr::Index(_))),
        _ => false,
    })
}

/// Whether the condition of `last` uses no index that is computed in `before`.
fn independent(last: &Stmt, before: &[Stmt]) -> bool {
    let mut used = Vec::new();
    if let Some(e) = last.expr() {
        e.visit(&mut |e| e.indices().for_each(|i| used.extend(i.vars())));
    }
    !before.iter().any(|s| matches!(s, Stmt::Index(var, IndexValue::Arith(_)) if used.contains(var)))
}
