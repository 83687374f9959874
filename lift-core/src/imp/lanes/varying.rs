//! What differs between lanes.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::imp::leaving;

/// The variables that differ between lanes.
pub(super) struct Varying {
    /// Variables of these statements.
    own: BTreeSet<u32>,
    locals: BTreeSet<u32>,
    indices: BTreeSet<Var>,
}

impl Varying {
    /// Those of statements in which `var` counts the lanes.
    pub(super) fn of(body: &[Stmt], var: &Var) -> Varying {
        let (own, locals) = (BTreeSet::new(), BTreeSet::new());
        let mut varying = Varying { own, locals, indices: BTreeSet::from([var.clone()]) };
        // What one trip of a loop assigns, the next one reads.
        loop {
            let before = varying.locals.len() + varying.indices.len();
            body.iter().for_each(|s| s.visit(&mut |s| varying.learn(s)));
            if varying.locals.len() + varying.indices.len() == before {
                return varying;
            }
        }
    }

    fn learn(&mut self, stmt: &Stmt) {
        if let Stmt::Value { local, .. } = stmt {
            self.own.insert(local.id);
        }
        match stmt {
            Stmt::Value { local, init: Some(e), .. } | Stmt::Assign(local, e) if self.expr(e) => {
                self.locals.insert(local.id);
            }
            Stmt::Index(var, IndexValue::Arith(_) | IndexValue::Value(_) | IndexValue::Checked { .. })
                if stmt.indices().into_iter().any(|e| self.arith(e))
                    || stmt.expr().into_iter().any(|e| self.expr(e)) =>
            {
                self.indices.insert(var.clone());
            }
            Stmt::Repeat { body, .. } => {
                if let Some((.., rest)) = leaving::apart(body, &|e| self.expr(e)) {
                    self.locals.extend(leaving::kept(rest));
                }
            }
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Atomic(..)
            | Stmt::For { .. }
            | Stmt::Leave(_)
            | Stmt::If(..)
            | Stmt::Claim(_)
            | Stmt::Barrier => {}
        }
    }

    /// Makes a variable one of these.
    pub(super) fn add(&mut self, local: &Local) {
        self.own.insert(local.id);
        self.locals.insert(local.id);
    }

    /// Whether a variable belongs to these statements; others cannot become vectors.
    pub(super) fn is_own(&self, local: &Local) -> bool {
        self.own.contains(&local.id)
    }

    pub(super) fn local(&self, local: &Local) -> bool {
        self.locals.contains(&local.id)
    }

    pub(super) fn index(&self, var: &Var) -> bool {
        self.indices.contains(var)
    }

    pub(super) fn arith(&self, e: &ArithExpr) -> bool {
        e.vars().iter().any(|v| self.indices.contains(v))
    }

    pub(super) fn expr(&self, e: &Expr) -> bool {
        e.any(&|e| matches!(e, Expr::Local(local) if self.local(local)) || e.indices().any(|e| self.arith(e)))
    }
}
