//! Statements in which what is known decides: indices without choices that are made, conditions that hold or do not.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::imp::ast::{Expr, IndexValue, Stmt};
use crate::ir::{BinaryOp, Literal};

/// The same statements where these facts hold.
pub(super) fn decided(stmts: Vec<Stmt>, facts: &Facts) -> Vec<Stmt> {
    stmts.into_iter().flat_map(|stmt| stmt_decided(stmt, facts)).collect()
}

fn stmt_decided(stmt: Stmt, facts: &Facts) -> Vec<Stmt> {
    let stmt = stmt.map_exprs(&mut |e| expr_decided(e, facts));
    match stmt {
        Stmt::If(Expr::Literal(Literal::Bool(holds)), then, otherwise) => {
            decided(if holds { then } else { otherwise }, facts)
        }
        stmt => {
            let stmt = stmt.map_blocks(&mut |block| decided(block, facts));
            vec![indices_decided(stmt, facts)]
        }
    }
}

/// The indices of a statement itself; those in its expressions and blocks are done.
fn indices_decided(stmt: Stmt, facts: &Facts) -> Stmt {
    match stmt {
        Stmt::Index(var, IndexValue::Arith(e)) => Stmt::Index(var, IndexValue::Arith(facts.simplify(&e))),
        Stmt::Index(var, IndexValue::Value(Expr::Index(e))) => Stmt::Index(var, IndexValue::Arith(e)),
        Stmt::Store(id, index, value) => {
            Stmt::Store(id, index.iter().map(|e| facts.simplify(e)).collect(), value)
        }
        stmt => stmt,
    }
}

fn expr_decided(e: &Expr, facts: &Facts) -> Expr {
    let truth = |e: &Expr| match e {
        Expr::Literal(Literal::Bool(holds)) => Some(*holds),
        _ => None,
    };
    if let Some(holds) = compared(e).and_then(|it| it.decided(facts)) {
        return Expr::Literal(Literal::Bool(holds));
    }
    match e {
        Expr::Cond(cond) => {
            let cond = cond.map(&mut |e| facts.simplify(e));
            match facts.nonneg(&cond.margin()) {
                Truth::Yes => Expr::Literal(Literal::Bool(true)),
                Truth::No => Expr::Literal(Literal::Bool(false)),
                Truth::Unknown => Expr::Cond(cond),
            }
        }
        Expr::Select(cond, a, b) => match expr_decided(cond, facts) {
            Expr::Literal(Literal::Bool(holds)) => expr_decided(if holds { a } else { b }, facts),
            cond => Expr::Select(cond.into(), expr_decided(a, facts).into(), expr_decided(b, facts).into()),
        },
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), scalar, a, b) => {
            let deciding = *op == BinaryOp::Or;
            let (a, b) = (expr_decided(a, facts), expr_decided(b, facts));
            match (truth(&a), truth(&b)) {
                (Some(first), _) if first == deciding => a,
                (Some(_), _) => b,
                (None, Some(second)) if second != deciding => a,
                (None, _) => Expr::Binary(*op, *scalar, a.into(), b.into()),
            }
        }
        Expr::Index(_) | Expr::Load(..) | Expr::Vector(..) => e.map_indices(&mut |e| facts.simplify(e)),
        e => e.map_operands(&mut |x| expr_decided(x, facts)),
    }
}

/// A comparison of two indices that the program makes.
pub(super) struct Compared<'e> {
    op: BinaryOp,
    a: &'e ArithExpr,
    b: &'e ArithExpr,
}

/// The comparison of indices that an expression is.
pub(super) fn compared(e: &Expr) -> Option<Compared<'_>> {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    match e {
        Expr::Binary(op @ (Eq | Ne | Lt | Le | Gt | Ge), _, a, b) => match (&**a, &**b) {
            (Expr::Index(a), Expr::Index(b)) => Some(Compared { op: *op, a, b }),
            _ => None,
        },
        _ => None,
    }
}

impl Compared<'_> {
    /// The first index less the second.
    pub(super) fn difference(&self) -> ArithExpr {
        self.a - self.b
    }

    /// Whether it holds, if these facts say so.
    fn decided(&self, facts: &Facts) -> Option<bool> {
        let truth = |margin: &ArithExpr| match facts.nonneg(margin) {
            Truth::Yes => Some(true),
            Truth::No => Some(false),
            Truth::Unknown => None,
        };
        let difference = self.difference();
        let (less, greater) = (truth(&(-difference.clone() - 1)), truth(&(difference - 1)));
        let same = match (less, greater) {
            (Some(true), _) | (_, Some(true)) => Some(false),
            (Some(false), Some(false)) => Some(true),
            _ => None,
        };
        match self.op {
            BinaryOp::Eq => same,
            BinaryOp::Ne => same.map(|same| !same),
            BinaryOp::Lt => less,
            BinaryOp::Ge => less.map(|less| !less),
            BinaryOp::Gt => greater,
            BinaryOp::Le => greater.map(|greater| !greater),
            _ => None,
        }
    }
}

/// The same statements without names of indices: what a name stands for is written in its place.
pub(super) fn without_names(stmts: Vec<Stmt>, known: &BTreeMap<Var, ArithExpr>) -> Vec<Stmt> {
    let mut known = known.clone();
    let mut out = Vec::new();
    for stmt in stmts {
        match stmt {
            Stmt::Index(var, IndexValue::Arith(e)) => {
                let e = e.substitute(&known);
                known.insert(var, e);
            }
            stmt => {
                let stmt = match stmt {
                    Stmt::If(cond, a, b) => {
                        Stmt::If(cond, without_names(a, &known), without_names(b, &known))
                    }
                    Stmt::For { var, start, bound, step, unroll, body } => {
                        Stmt::For { var, start, bound, step, unroll, body: without_names(body, &known) }
                    }
                    Stmt::Repeat { counter, count, body } => {
                        Stmt::Repeat { counter, count, body: without_names(body, &known) }
                    }
                    stmt => stmt,
                };
                out.push(stmt.map_indices(&mut |e| e.substitute(&known)));
            }
        }
    }
    out
}
