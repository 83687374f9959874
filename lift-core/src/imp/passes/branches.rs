//! Neighbouring branches on one condition are one.
//!
//! Before: every element that is stored tests by itself whether it is wanted. After: branches that follow each other and
//! test the same are one. Refuses where what the first one does may change the condition.

use crate::imp::ast::{Expr, Stmt};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    for stmt in body {
        match (out.last_mut(), stmt) {
            (Some(Stmt::If(cond, then, otherwise)), Stmt::If(same, next, other))
                if *cond == same && is_constant(&same) && otherwise.is_empty() && other.is_empty() =>
            {
                then.extend(next);
            }
            (_, stmt) => out.push(stmt),
        }
    }
    out.into_iter().map(|stmt| stmt.map_blocks(&mut run)).collect()
}

/// Whether nothing changes a condition: it compares indices.
fn is_constant(e: &Expr) -> bool {
    match e {
        Expr::Cond(_) | Expr::Index(_) | Expr::Literal(_) => true,
        Expr::Unary(_, _, x) | Expr::Cast(_, x) => is_constant(x),
        Expr::Binary(_, _, a, b) => is_constant(a) && is_constant(b),
        Expr::Local(_)
        | Expr::Load(..)
        | Expr::Vector(..)
        | Expr::Lane(..)
        | Expr::Pack(_)
        | Expr::Math(..)
        | Expr::Select(..) => false,
    }
}
