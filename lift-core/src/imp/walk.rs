//! Traversals of statements and expressions.

use crate::arith::ArithExpr;
use crate::imp::ast::{Expr, IndexValue, Stmt};
use crate::view::Cond;

impl Expr {
    /// The direct operands.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Index(_) | Expr::Cond(_) | Expr::Load(..) => Vec::new(),
            Expr::Unary(_, _, x) | Expr::Cast(_, x) => vec![x],
            Expr::Binary(_, _, a, b) => vec![a, b],
            Expr::Math(_, _, xs) => xs.iter().collect(),
            Expr::Select(c, a, b) => vec![c, a, b],
        }
    }

    /// Calls `f` on this expression and all in it.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.operands().into_iter().for_each(|x| x.visit(f));
    }

    /// The index expressions of this node itself.
    pub fn indices(&self) -> Vec<&ArithExpr> {
        match self {
            Expr::Index(e) => vec![e],
            Expr::Cond(Cond::Less(a, b) | Cond::AtLeast(a, b)) => vec![a, b],
            Expr::Load(_, _, indices) => indices.iter().collect(),
            Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Math(..)
            | Expr::Cast(..)
            | Expr::Select(..) => Vec::new(),
        }
    }
}

impl Stmt {
    /// The expressions of this statement itself, without those in its blocks.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Index(_, IndexValue::Value(e) | IndexValue::Checked { value: e, .. })
            | Stmt::Value { init: Some(e), .. }
            | Stmt::Assign(_, e)
            | Stmt::Store(_, _, e)
            | Stmt::Repeat { count: e, .. }
            | Stmt::If(e, ..) => vec![e],
            Stmt::Index(..)
            | Stmt::Value { init: None, .. }
            | Stmt::Array(_)
            | Stmt::For { .. }
            | Stmt::Barrier => Vec::new(),
        }
    }

    /// The index expressions of this statement itself, without those in its expressions and blocks.
    pub fn indices(&self) -> Vec<&ArithExpr> {
        match self {
            Stmt::Index(_, IndexValue::Arith(e)) => vec![e],
            Stmt::Index(_, IndexValue::Checked { len, position, otherwise, .. }) => {
                vec![len, position, otherwise]
            }
            Stmt::Store(_, indices, _) => indices.iter().collect(),
            Stmt::For { start, bound, step, .. } => vec![start, bound, step],
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Repeat { .. }
            | Stmt::If(..)
            | Stmt::Barrier => Vec::new(),
        }
    }

    /// The blocks inside.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::For { body, .. } | Stmt::Repeat { body, .. } => vec![body],
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Barrier => Vec::new(),
        }
    }

    /// Calls `f` on this statement and all in it, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Stmt)) {
        f(self);
        self.blocks().into_iter().flatten().for_each(|s| s.visit(f));
    }

    /// Calls `f` on all expressions of this statement and of all in it.
    pub fn visit_exprs(&self, f: &mut dyn FnMut(&Expr)) {
        self.visit(&mut |s| s.exprs().into_iter().for_each(|e| e.visit(f)));
    }

    /// Calls `f` on all index expressions of this statement and of all in it.
    pub fn visit_indices(&self, f: &mut dyn FnMut(&ArithExpr)) {
        self.visit(&mut |s| {
            s.indices().into_iter().for_each(&mut *f);
            s.exprs().into_iter().for_each(|e| e.visit(&mut |e| e.indices().into_iter().for_each(&mut *f)));
        });
    }
}
