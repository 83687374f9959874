//! What every trip of a loop reads is read once, before it.
//!
//! Before: the interior of a loop. After: reads of one element, which every trip does and none writes, are variables.

use crate::arith::Var;
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::ir::BinaryOp;
use crate::memory::BufferId;

/// The statements, and the variables with what they hold. `is_read` says which buffers are only read.
pub(super) fn hoisted(
    body: Vec<Stmt>,
    var: &Var,
    is_read: &dyn Fn(BufferId) -> bool,
) -> (Vec<Stmt>, Vec<(Local, Expr)>) {
    let mut inside = vec![var.clone()];
    body.iter().for_each(|stmt| stmt.visit(&mut |s| inside.extend(s.index().cloned())));
    let is_invariant = |e: &Expr| match e {
        Expr::Load(id, _, index) => {
            is_read(*id) && index.iter().all(|e| inside.iter().all(|var| !e.contains(var)))
        }
        _ => false,
    };
    let mut found: Vec<(Local, Expr)> = Vec::new();
    let mut top = |stmt: Stmt| match stmt {
        Stmt::Value { .. } | Stmt::Assign(..) | Stmt::Store(..) | Stmt::Index(_, IndexValue::Value(_)) => {
            stmt.map_exprs(&mut |e| always(e, &is_invariant, &mut found))
        }
        stmt => stmt,
    };
    let body = body.into_iter().map(&mut top).collect();
    (body, found)
}

/// The expression with variables for such reads where it is sure to read them.
pub(super) fn always(e: &Expr, is: &dyn Fn(&Expr) -> bool, found: &mut Vec<(Local, Expr)>) -> Expr {
    match e {
        e if is(e) => {
            if let Some((local, _)) = found.iter().find(|(_, known)| known == e) {
                return Expr::Local(local.clone());
            }
            let local = Local::new("same", e.scalar());
            found.push((local.clone(), e.clone()));
            Expr::Local(local)
        }
        Expr::Select(cond, a, b) => Expr::Select(always(cond, is, found).into(), a.clone(), b.clone()),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), scalar, a, b) => {
            Expr::Binary(*op, *scalar, always(a, is, found).into(), b.clone())
        }
        e => e.map_operands(&mut |x| always(x, is, found)),
    }
}
