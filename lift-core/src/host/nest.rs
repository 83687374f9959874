//! Work-items as the trips of a loop.
//!
//! Before: statements that ask for the id of their work-item. After: what is done once for all of them, the variable that counts them, and
//! what each does, under conditions that do not hold by themselves.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::decided;
use crate::host::flatten::{flat, flattened};
use crate::host::uses::{Use, uses};
use crate::host::written_out::{without_loops, written_out};
use crate::imp::ast::{Expr, IndexValue, Kernel, Stmt, Unroll, WorkItem};
use crate::ir::Scalar;
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

/// The nest, and how it uses its arguments; nothing for kernels whose work-items share groups, or have memory in which groups keep what is theirs.
/// Outermost is a dimension of which each work-item has elements of the results for itself, if there is one: at best side by side.
pub(super) fn nest(kernel: &Kernel) -> Option<(Nest, Vec<Use>)> {
    let dims = counts(kernel)?.len();
    let of = |outer: usize| {
        let nest = along(kernel, outer)?;
        let uses = uses(kernel, &nest.item, &nest.body, &nest.facts)?;
        Some((nest, uses))
    };
    let all: Vec<(Nest, Vec<Use>)> = (0..dims).rev().filter_map(of).collect();
    let rank = |how: &Use| match how {
        Use::Shared(_) => 2,
        Use::Columns(..) => 1,
        _ => 0,
    };
    // The first of those that are as good.
    all.into_iter().min_by_key(|(_, uses)| uses.iter().map(rank).max())
}

/// The nest with this dimension outermost.
fn along(kernel: &Kernel, outer: usize) -> Option<Nest> {
    let counts = counts(kernel)?;
    let items = counts.get(outer)?;
    if kernel.buffers.iter().any(|buffer| buffer.space == Space::Global) || in_bytes(kernel) {
        return None;
    }
    let mut facts = kernel.facts.fork();
    let mut ids: Vec<Option<Var>> = vec![None; counts.len()];
    let mut body = own(&kernel.body, &mut ids)?;
    let var = |id: Option<Var>| id.unwrap_or_else(|| Var::new(fresh_id(), "item"));
    let ids: Vec<Var> = ids.into_iter().map(var).collect();
    for (count, var) in counts.iter().zip(&ids).enumerate().filter(|(d, _)| *d != outer).map(|(_, it)| it) {
        let var = var.clone();
        facts.declare(&var, Some(ArithExpr::zero()), Some(count - 1));
        let (start, step) = (ArithExpr::zero(), ArithExpr::one());
        body = vec![Stmt::For { var, start, bound: count.clone(), step, unroll: Unroll::No, body }];
    }
    let item = ids[outer].clone();
    facts.declare(&item, Some(ArithExpr::zero()), Some(items - 1));
    // What a group shares is its only work-item's own.
    let arrays: Vec<Stmt> = kernel.local_buffers().map(Stmt::Array).collect();
    if !arrays.is_empty() {
        body = within(body, counts.len() - 1, arrays);
    }
    // Rows of a few elements are written out only where they are not parts of longer rows, and what they are in may be one loop after that.
    let body = flattened(decided(body, &facts), &kernel.strides, &mut facts);
    let body = flattened(written_out(body, &facts), &kernel.strides, &mut facts);
    let is_one = flat((&item, &ArithExpr::zero(), items), &body, &kernel.strides).is_some();
    let body = if is_one { body } else { without_loops(&body, &facts).unwrap_or(body) };
    Some(Nest { items: items.clone(), item, facts, body })
}

/// The statements at this depth of loops with others before them.
fn within(body: Vec<Stmt>, depth: usize, first: Vec<Stmt>) -> Vec<Stmt> {
    if depth == 0 {
        return [first, body].concat();
    }
    let deeper = |stmt: Stmt| stmt.map_blocks(&mut |block| within(block, depth - 1, first.clone()));
    body.into_iter().map(deeper).collect()
}

/// How many work-items there are in each dimension, if none of them knows of others: each is alone in its group, or groups only have a shape.
fn counts(kernel: &Kernel) -> Option<Vec<ArithExpr>> {
    let alone = |local: &[ArithExpr]| local.iter().all(|n| n.as_const() == Some(1));
    let of_groups = |stmt: &Stmt| {
        stmt.any(&|s| match s {
            Stmt::Index(_, IndexValue::Id(item, _)) => *item != WorkItem::Global,
            s => matches!(s, Stmt::Barrier),
        })
    };
    let shares = kernel.local_buffers().next().is_some() || kernel.body.iter().any(of_groups);
    match &kernel.geometry {
        Geometry::Items(items) => Some(items.clone()),
        Geometry::Shaped { items, local } if alone(local) || !shares => Some(items.clone()),
        Geometry::Groups { groups, local } if alone(local) => Some(groups.clone()),
        Geometry::Groups { groups, local } if !shares => {
            Some(groups.iter().zip(local).map(|(groups, local)| groups * local).collect())
        }
        Geometry::Shaped { .. } | Geometry::Groups { .. } => None,
    }
}

/// The statements without ids, which stand at the top; those of every dimension are one variable, that of a work-item in its group is 0.
fn own(body: &[Stmt], ids: &mut [Option<Var>]) -> Option<Vec<Stmt>> {
    let mut same: BTreeMap<Var, ArithExpr> = BTreeMap::new();
    let mut out = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::Index(var, IndexValue::Id(WorkItem::Local, _)) => {
                same.insert(var.clone(), ArithExpr::zero());
            }
            Stmt::Index(var, IndexValue::Id(WorkItem::Global | WorkItem::Group, d)) => {
                match ids.get_mut(*d)? {
                    Some(known) => {
                        same.insert(var.clone(), ArithExpr::var(known));
                    }
                    new => *new = Some(var.clone()),
                }
            }
            stmt if stmt.any(&|s| matches!(s, Stmt::Index(_, IndexValue::Id(..)))) => return None,
            stmt => out.push(stmt.clone().map_indices(&mut |e| e.substitute(&same))),
        }
    }
    Some(out)
}

/// Whether vectors of truth values are in memory: these are bytes there.
fn in_bytes(kernel: &Kernel) -> bool {
    let is_bool = |e: &Expr| matches!(e, Expr::Vector(_, Scalar::Bool, ..));
    kernel.body.iter().any(|stmt| {
        stmt.any_expr(&is_bool)
            || stmt.any(&|s| matches!(s, Stmt::Store(_, _, e) if e.lanes() > 1 && e.scalar() == Scalar::Bool))
    })
}
