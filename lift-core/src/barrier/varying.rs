//! What differs between the items of a group.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{Expr, IndexValue, Stmt, WorkItem};
use crate::memory::{Buffer, BufferId, Space};

/// The indices and variables of a kernel in which the items of a group may have different values. Scalar parameters are the
/// same for all.
#[derive(Default)]
pub(super) struct Varying {
    indices: BTreeSet<Var>,
    locals: BTreeSet<u32>,
    /// Arrays of which each item has one. Of the others, items that read the same element at the same time read the same, as there are no races.
    own: BTreeSet<BufferId>,
}

impl Varying {
    /// Finds them.
    pub(super) fn of(body: &[Stmt], buffers: &[Buffer]) -> Varying {
        let is_own = |(_, buffer): &(u32, &Buffer)| buffer.space == Space::Private;
        let own = (0..).zip(buffers).filter(is_own).map(|(id, _)| BufferId(id)).collect();
        let mut varying = Varying { own, ..Varying::default() };
        loop {
            let before = varying.count();
            varying.learn(body, false);
            // What a loop assigns may decide what comes before it.
            if varying.count() == before {
                return varying;
            }
        }
    }

    fn count(&self) -> usize {
        self.indices.len() + self.locals.len()
    }

    /// Notes what is computed from what varies, or assigned by some of the items only.
    fn learn(&mut self, stmts: &[Stmt], by_some: bool) {
        for stmt in stmts {
            match stmt {
                Stmt::Index(var, value) => {
                    let varies = match value {
                        IndexValue::Id(item, _) => *item != WorkItem::Group,
                        IndexValue::Arith(e) => self.index(e),
                        IndexValue::Value(e) | IndexValue::Checked { value: e, .. } => self.value(e),
                    };
                    if varies {
                        self.indices.insert(var.clone());
                    }
                }
                Stmt::Value { local, init: Some(e), .. } if self.value(e) => {
                    self.locals.insert(local.id);
                }
                Stmt::Assign(local, e) if by_some || self.value(e) => {
                    self.locals.insert(local.id);
                }
                Stmt::For { var, .. } if !self.is_uniform(stmt) => {
                    self.indices.insert(var.clone());
                }
                Stmt::For { .. }
                | Stmt::Repeat { .. }
                | Stmt::Leave(_)
                | Stmt::If(..)
                | Stmt::Value { .. }
                | Stmt::Assign(..)
                | Stmt::Array(_)
                | Stmt::Store(..)
                | Stmt::Atomic(..)
                | Stmt::Claim(_)
                | Stmt::Barrier => {}
            }
            let by_some = by_some || !self.is_uniform(stmt);
            stmt.blocks().for_each(|block| self.learn(block, by_some));
        }
    }

    /// Makes an index one of these.
    pub(super) fn add(&mut self, index: &Var) {
        self.indices.insert(index.clone());
    }

    /// Whether all items of a group take the same way through a statement.
    pub(super) fn is_uniform(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::For { start, bound, step, .. } => ![start, bound, step].into_iter().any(|e| self.index(e)),
            Stmt::If(cond, ..) | Stmt::Leave(cond) => !self.value(cond),
            // Some may leave it before others.
            Stmt::Repeat { count, body, .. } => {
                !self.value(count) && body.iter().all(|stmt| !matches!(stmt, Stmt::Leave(e) if self.value(e)))
            }
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Atomic(..)
            | Stmt::Claim(_)
            | Stmt::Barrier => true,
        }
    }

    /// Whether an index differs.
    pub(super) fn index(&self, e: &ArithExpr) -> bool {
        e.vars().iter().any(|v| self.indices.contains(v))
    }

    /// Whether a value differs.
    pub(super) fn value(&self, e: &Expr) -> bool {
        let mut result = false;
        e.visit(&mut |e| {
            result |= match e {
                Expr::Local(local) => self.locals.contains(&local.id),
                Expr::Load(id, ..) | Expr::Vector(id, ..) if self.own.contains(id) => true,
                e => e.indices().into_iter().any(|e| self.index(e)),
            };
        });
        result
    }
}
