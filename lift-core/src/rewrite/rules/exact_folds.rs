//! Folds by operators that may be regrouped without another result.
//!
//! Before: a fold of a long array, whose steps combine what they make of an element with what is accumulated: a counter, a sum of integers, the largest number.
//! After: a reduction, of which there are versions in parts. Sums of floats stay in their order.

use crate::ir::{BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Order, Param, Scalar};
use crate::rewrite::demand::is_large;
use crate::rewrite::layout::is_view;
use crate::rewrite::rule::Rule;
use crate::rewrite::scope::{occurrences, same};

pub static FOLD_EXACT: Rule = Rule {
    name: "fold_exact",
    about: "A loop by an operator that is exactly associative and commutative, which some steps may leave out, as a reduction.",
    equation: "fold(|a, x| a ∘ e[x], z) = (|s| z ∘ s) . reduce(|a, b| a ∘ b, 0) . map(|x| e[x]); fold(|a, x| if c[x] { a ∘ e[x] } else { a }, z) = \
               (|s| z ∘ s) . reduce(|a, b| a ∘ b, 0) . map(|x| if c[x] { e[x] } else { 0 })",
    when: "on long arrays, for +, *, &, | and ^ of integers, && and ||, min and max, and what is neutral for them: z for the last five, as z ∘ z = z",
    apply: |e, _| {
        let (Order::Left, f, z, xs) = e.as_reduction()? else { return None };
        let ([a, x], scalar) = (f.params.as_slice(), e.ty().as_scalar()?) else { return None };
        let op = Operator::of(&f.body).filter(|op| op.is_exact(scalar) && is_large(xs))?;
        let start = match op.neutral(scalar) {
            Some(neutral) => Expr::literal(neutral),
            // It is used any number of times.
            None => is_view(z).then(|| z.clone())?,
        };
        let element = contribution(&f.body, a, op, &start)?;
        let values = Expr::map(Lambda { params: vec![x.clone()], body: element }, xs.clone());
        let both = ["a", "b"].map(|name| Param::new(name, z.ty().clone()));
        let body = op.applied(Expr::param(&both[0]), Expr::param(&both[1]));
        let reduced = Expr::reduce(Order::Any, Lambda { params: both.into(), body }, start.clone(), values);
        let reduced = reduced.at(e.span());
        Some(if same(&start, z) { reduced } else { op.applied(z.clone(), reduced) })
    },
};

/// What combines an element with what is accumulated.
#[derive(Clone, Copy, PartialEq)]
enum Operator {
    Binary(BinaryOp),
    Math(MathFn),
}

impl Operator {
    /// The first operator of a step, on the way to what is accumulated.
    fn of(e: &Expr) -> Option<Operator> {
        match e.kind() {
            Kind::Binary(op, ..) => Some(Operator::Binary(*op)),
            Kind::Math(f @ (MathFn::Min | MathFn::Max), _) => Some(Operator::Math(*f)),
            Kind::Let(_, _, body) => Operator::of(body),
            Kind::If(_, then, other) => Operator::of(then).or_else(|| Operator::of(other)),
            _ => None,
        }
    }

    fn is_exact(self, scalar: Scalar) -> bool {
        match self {
            Operator::Binary(BinaryOp::Add | BinaryOp::Mul) => scalar.is_integer(),
            Operator::Binary(BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) => scalar.is_integer(),
            Operator::Binary(op) => matches!(op, BinaryOp::And | BinaryOp::Or),
            Operator::Math(_) => true,
        }
    }

    /// The value that changes nothing; none where a value changes nothing when it comes again.
    fn neutral(self, scalar: Scalar) -> Option<Literal> {
        match self {
            Operator::Binary(BinaryOp::Add | BinaryOp::BitXor) => Some(Literal::number(0, scalar)),
            Operator::Binary(BinaryOp::Mul) => Some(Literal::number(1, scalar)),
            _ => None,
        }
    }

    fn applied(self, a: Expr, b: Expr) -> Expr {
        match self {
            Operator::Binary(op) => Expr::binary(op, a, b),
            Operator::Math(f) => Expr::math(f, vec![a, b]),
        }
    }
}

/// What a step combines with what is accumulated; `neutral` if it leaves that as it is.
fn contribution(e: &Expr, a: &Param, op: Operator, neutral: &Expr) -> Option<Expr> {
    let is_free = |e: &Expr| occurrences(e, a.id).count == 0;
    let of_two = |l: &Expr, r: &Expr| {
        let (inner, other) = if is_free(r) { (l, r) } else { (r, l) };
        if !is_free(other) {
            return None;
        }
        match inner.kind() {
            Kind::Param(p) if p == a => Some(other.clone()),
            _ => Some(op.applied(contribution(inner, a, op, neutral)?, other.clone())),
        }
    };
    match e.kind() {
        Kind::Param(p) if p == a => Some(neutral.clone()),
        Kind::Binary(found, l, r) if op == Operator::Binary(*found) => of_two(l, r),
        Kind::Math(found, args) if op == Operator::Math(*found) => match args.as_slice() {
            [l, r] => of_two(l, r),
            _ => None,
        },
        Kind::If(c, then, other) if is_free(c) => {
            let [then, other] = [then, other].map(|e| contribution(e, a, op, neutral));
            Some(Expr::if_(c.clone(), then?, other?))
        }
        Kind::Let(x, value, body) if is_free(value) => {
            Some(Expr::let_(x.clone(), value.clone(), contribution(body, a, op, neutral)?))
        }
        _ => None,
    }
}
