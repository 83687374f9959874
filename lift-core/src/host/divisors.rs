//! What indices are divided by along a row.
//!
//! Before: the interior of a loop, whose trips divide by a number that is known when the program runs. After: that number, in terms of what is known
//! before the loop, so that its reciprocal is computed once: a product takes a fraction of the time of a quotient.

use crate::arith::Var;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::ir::{BinaryOp, Scalar};

/// A divisor as it stands in the statements, and in terms of what is around the loop.
pub(super) type Divisor = (Expr, Expr);

/// All that a loop with this index divides indices by, if it is the same in all trips.
pub(super) fn divisors(var: &Var, body: &[Stmt]) -> Vec<Divisor> {
    let mut own = Own { vars: vec![var.clone()], locals: Vec::new() };
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            own.vars.extend(s.index().cloned());
            if let Stmt::Value { local, init, constant } = s {
                own.locals.push((local.clone(), init.clone().filter(|_| *constant)));
            }
        });
    });
    let mut found: Vec<Divisor> = Vec::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            let Some(e) = s.expr() else { return };
            e.visit(&mut |e| {
                let Expr::Binary(BinaryOp::Div | BinaryOp::Rem, Scalar::Usize, _, by) = e else { return };
                if is_known(by) || found.iter().any(|(known, _)| known == &**by) {
                    return;
                }
                if let Some(value) = own.outside(by).filter(|value| !is_known(value)) {
                    found.push(((**by).clone(), value));
                }
            });
        });
    });
    found
}

/// Compilers know what to do with it.
fn is_known(e: &Expr) -> bool {
    match e {
        Expr::Literal(_) => true,
        Expr::Index(e) => e.as_const().is_some(),
        _ => false,
    }
}

/// What changes from trip to trip, and what constants of a trip are.
struct Own {
    vars: Vec<Var>,
    locals: Vec<(Local, Option<Expr>)>,
}

impl Own {
    /// The expression without constants of a trip; nothing if it changes, or if evaluating it before the loop might do what no trip does.
    fn outside(&self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Literal(_) => Some(e.clone()),
            Expr::Index(index) => self.vars.iter().all(|var| !index.contains(var)).then(|| e.clone()),
            Expr::Local(local) => match self.locals.iter().find(|(own, _)| own == local) {
                None => Some(e.clone()),
                Some((_, init)) => self.outside(init.as_ref()?),
            },
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), scalar, a, b) => {
                Some(Expr::Binary(*op, *scalar, self.outside(a)?.into(), self.outside(b)?.into()))
            }
            Expr::Cast(to, x) => Some(Expr::Cast(*to, self.outside(x)?.into())),
            _ => None,
        }
    }
}
