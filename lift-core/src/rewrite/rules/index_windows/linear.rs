//! Sums of indices.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{BinaryOp, Expr, Kind, Param, Scalar, UnaryOp};

/// Whether indices are computed with a type such as this one's.
pub(super) fn is_number(e: &Expr) -> bool {
    e.ty().as_scalar().is_some_and(Scalar::counts)
}

/// A sum of indices, each times a number, and of a constant.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    pub(super) constant: ArithExpr,
    pub(super) terms: Vec<(i64, Param)>,
}

impl Linear {
    pub(super) fn of(e: &Expr) -> Option<Linear> {
        let constant = |n: ArithExpr| Some(Linear { constant: n, terms: Vec::new() });
        match e.kind() {
            Kind::Size(n) => constant(n.clone()),
            Kind::Literal(literal) => constant(i64::try_from(literal.as_int()?).ok()?.into()),
            Kind::Param(i) if is_number(e) => {
                Some(Linear { constant: ArithExpr::zero(), terms: vec![(1, i.clone())] })
            }
            Kind::Unary(UnaryOp::Neg, x) => Some(Linear::of(x)?.times(-1)),
            Kind::Binary(BinaryOp::Add, a, b) => Some(Linear::of(a)?.plus(Linear::of(b)?)),
            Kind::Binary(BinaryOp::Sub, a, b) => Some(Linear::of(a)?.plus(Linear::of(b)?.times(-1))),
            Kind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (Linear::of(a)?, Linear::of(b)?);
                let (k, x) = if a.terms.is_empty() { (a, b) } else { (b, a) };
                if x.terms.is_empty() {
                    return constant(k.constant * x.constant);
                }
                k.terms.is_empty().then_some(x.times(k.constant.as_const()?))
            }
            Kind::Cast(_, x) if is_number(e) && is_number(x) => Linear::of(x),
            _ => None,
        }
    }

    pub(super) fn times(self, k: i64) -> Linear {
        let terms = self.terms.into_iter().map(|(c, i)| (c * k, i)).collect();
        Linear { constant: self.constant * ArithExpr::cst(k), terms }
    }

    pub(super) fn plus(mut self, other: Linear) -> Linear {
        for (k, i) in other.terms {
            match self.terms.iter_mut().find(|(_, known)| known.id == i.id) {
                Some((known, _)) => *known += k,
                None => self.terms.push((k, i)),
            }
        }
        self.terms.retain(|(k, _)| *k != 0);
        Linear { constant: self.constant + other.constant, ..self }
    }

    /// The least and the greatest value with indices below these numbers.
    pub(super) fn range(&self, below: &dyn Fn(u32) -> Option<ArithExpr>) -> Option<[ArithExpr; 2]> {
        let (mut least, mut most) = (self.constant.clone(), self.constant.clone());
        for (k, i) in &self.terms {
            let reached = (below(i.id)? - 1) * ArithExpr::cst(*k);
            let end = if *k < 0 { &mut least } else { &mut most };
            *end = &*end + reached;
        }
        Some([least, most])
    }

    /// The expression for it less a constant. It is not negative.
    pub(super) fn expr(&self, less: &ArithExpr, facts: &Facts) -> Expr {
        let start = facts.simplify(&(&self.constant - less));
        let times = |k: i64, i: &Param| match k {
            1 => Expr::param(i),
            _ => Expr::binary(BinaryOp::Mul, Expr::size(k.into()), Expr::param(i)),
        };
        let (plus, minus): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(k, _)| *k > 0);
        let first = (start.as_const() != Some(0) || plus.is_empty()).then(|| Expr::size(start));
        let sum = first.into_iter().chain(plus.into_iter().map(|(k, i)| times(*k, i)));
        let sum =
            sum.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b)).unwrap_or_else(|| Expr::size(0.into()));
        minus.into_iter().fold(sum, |sum, (k, i)| Expr::binary(BinaryOp::Sub, sum, times(-*k, i)))
    }
}
