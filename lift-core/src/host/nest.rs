//! Work-items as the trips of a loop.
//!
//! Before: statements that ask for the id of their work-item. After: what is done once for all of them, the variable that counts them, and
//! what each does, under conditions that do not hold by themselves.

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::decided;
use crate::imp::ast::{Expr, IndexValue, Kernel, Stmt, WorkItem};
use crate::ir::build::fresh_id;
use crate::low::Geometry;
use crate::memory::Space;

/// A kernel as a loop over its work-items.
pub(super) struct Nest {
    /// Their number.
    pub(super) items: ArithExpr,
    /// Which one it is.
    pub(super) item: Var,
    /// What is known of it, and of sizes.
    pub(super) facts: Facts,
    /// What each does.
    pub(super) body: Vec<Stmt>,
}

/// The nest; nothing for kernels that need groups, vectors or memory of their own.
pub(super) fn nest(kernel: &Kernel) -> Option<Nest> {
    let Geometry::Items(items) = &kernel.geometry else { return None };
    let [items] = items.as_slice() else { return None };
    let own = |space: Space| matches!(space, Space::Local | Space::Global);
    if kernel.buffers.iter().any(|buffer| own(buffer.space)) || !kernel.body.iter().all(is_scalar) {
        return None;
    }
    let is_id = |stmt: &&Stmt| matches!(stmt, Stmt::Index(_, IndexValue::Id(WorkItem::Global, 0)));
    let item = match kernel.body.iter().find(is_id) {
        Some(Stmt::Index(var, _)) => var.clone(),
        _ => Var::new(fresh_id(), "item"),
    };
    let body: Vec<Stmt> = kernel.body.iter().filter(|stmt| !is_id(stmt)).cloned().collect();
    if body.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Index(_, IndexValue::Id(..)) | Stmt::Barrier)))
    {
        return None;
    }
    let mut facts = kernel.facts.fork();
    facts.declare(&item, Some(ArithExpr::zero()), Some(items - 1));
    let body = decided(body, &facts);
    Some(Nest { items: items.clone(), item, facts, body })
}

/// Whether there are no vectors in it.
fn is_scalar(stmt: &Stmt) -> bool {
    !stmt.any_expr(&|e| e.lanes() > 1 || matches!(e, Expr::Lane(..) | Expr::Pack(_)))
        && !stmt.any(&|s| matches!(s, Stmt::Value { local, .. } | Stmt::Assign(local, _) if local.lanes > 1))
}
