//! Which functions devices apply to what is stored in one step that no other work-item comes between.

use crate::ir::{BinaryOp, Expr, Kind, Lambda, MathFn, Scalar};

/// What devices do atomically with what is stored and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Atomic {
    /// `+`, which wraps.
    Add,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl Atomic {
    /// The operation that a function of two integers of 32 bits is. All of them are associative and commutative, so that a result does not
    /// depend on who comes first.
    pub fn of(f: &Lambda) -> Option<Atomic> {
        let [a, b] = f.params.as_slice() else { return None };
        if !matches!(a.ty.as_scalar(), Some(Scalar::I32 | Scalar::U32)) {
            return None;
        }
        let is = |e: &Expr, param| matches!(e.kind(), Kind::Param(p) if p == param);
        let are_both = |x: &Expr, y: &Expr| is(x, a) && is(y, b) || is(x, b) && is(y, a);
        match f.body.kind() {
            Kind::Binary(op, x, y) if are_both(x, y) => match op {
                BinaryOp::Add => Some(Atomic::Add),
                BinaryOp::BitAnd => Some(Atomic::And),
                BinaryOp::BitOr => Some(Atomic::Or),
                BinaryOp::BitXor => Some(Atomic::Xor),
                _ => None,
            },
            Kind::Math(f, args) => match (f, args.as_slice()) {
                (MathFn::Min, [x, y]) if are_both(x, y) => Some(Atomic::Min),
                (MathFn::Max, [x, y]) if are_both(x, y) => Some(Atomic::Max),
                _ => None,
            },
            _ => None,
        }
    }
}
