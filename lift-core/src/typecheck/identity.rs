//! `reduce(sub, 0.0)`, `reduce(mul, 0.0)` and the like: operators that are known not to be associative, and start
//! values that are known not to be neutral.

use crate::diag::Diagnostics;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, Order, Prim, Scalar, UnaryOp};
use crate::typecheck::error;

/// Reports every reduction with such an operator or start value.
pub(super) fn check(body: &Expr, diags: &mut Diagnostics) {
    body.visit(&mut |e| {
        let (prim, f, z) = match e.as_prim() {
            Some((
                prim @ (Prim::Reduce(Order::Any) | Prim::Scan(Order::Any)),
                [Arg::Fun(f), Arg::Data(z), _],
            ))
            | Some((prim @ Prim::ReduceByKey(_), [Arg::Size(_), Arg::Fun(f), Arg::Data(z), ..])) => {
                (prim, f, z)
            }
            _ => return,
        };
        let Some(op) = plain_operator(f) else { return };
        if matches!(op, BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem) {
            let start = number(z).map_or_else(|| "…".to_string(), |z| z.to_string());
            diags.push(error::not_associative(f.body.span(), prim.name(), op, &start));
            return;
        }
        let Some(found) = number(z) else { return };
        if let Some(right) = identity_of(op, found.scalar())
            && right != found
            && !both_zero(right, found)
        {
            diags.push(error::not_an_identity(z.span(), prim.name(), op, found, right));
        }
    });
}

/// The operator of `|a, b| a ∘ b`, or of `|a, b| b ∘ a`, as from the right.
pub(super) fn plain_operator(f: &Lambda) -> Option<BinaryOp> {
    // Functions that were called by name leave bindings of their parameters behind.
    let mut names: Vec<(u32, u32)> = f.params.iter().map(|p| (p.id, p.id)).collect();
    let mut body = &f.body;
    while let Kind::Let(param, value, rest) = body.kind() {
        let Kind::Param(of) = value.kind() else { return None };
        let stands_for = names.iter().find(|(name, _)| *name == of.id)?.1;
        names.push((param.id, stands_for));
        body = rest;
    }
    let Kind::Binary(op, a, b) = body.kind() else { return None };
    let param = |x: &Expr| match x.kind() {
        Kind::Param(p) => names.iter().find(|(name, _)| *name == p.id).map(|(_, of)| *of),
        _ => None,
    };
    let [first, second] = f.params.as_slice() else { return None };
    let found = (param(a)?, param(b)?);
    (found == (first.id, second.id) || found == (second.id, first.id)).then_some(*op)
}

/// A literal, with its sign.
pub(super) fn number(z: &Expr) -> Option<Literal> {
    match z.kind() {
        Kind::Literal(literal) => Some(*literal),
        Kind::Unary(UnaryOp::Neg, x) => number(x)?.negated(),
        _ => None,
    }
}

/// -0.0 is neutral for `+` as 0.0 is.
pub(super) fn both_zero(a: Literal, b: Literal) -> bool {
    a.as_float() == Some(0.0) && b.as_float() == Some(0.0)
}

/// The neutral start value of an operator, for known operators.
fn identity_of(op: BinaryOp, scalar: Scalar) -> Option<Literal> {
    match op {
        BinaryOp::Add => Some(Literal::number(0, scalar)),
        BinaryOp::Mul => Some(Literal::number(1, scalar)),
        BinaryOp::And => Some(Literal::Bool(true)),
        BinaryOp::Or => Some(Literal::Bool(false)),
        _ => None,
    }
}
