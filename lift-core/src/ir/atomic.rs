//! Which functions devices apply to what is stored in one step that no other work-item comes between.

use crate::ir::{BinaryOp, Expr, Kind, Lambda, MathFn, Param, Scalar};

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
        let is_whole = |p: &Param| matches!(p.ty.as_scalar(), Some(Scalar::I32 | Scalar::U32));
        if !f.params.first().is_some_and(is_whole) {
            return None;
        }
        match f.operation()? {
            Operation::Binary(op) => match op {
                BinaryOp::Add => Some(Atomic::Add),
                BinaryOp::BitAnd => Some(Atomic::And),
                BinaryOp::BitOr => Some(Atomic::Or),
                BinaryOp::BitXor => Some(Atomic::Xor),
                _ => None,
            },
            Operation::Math(MathFn::Min) => Some(Atomic::Min),
            Operation::Math(MathFn::Max) => Some(Atomic::Max),
            Operation::Math(_) => None,
        }
    }
}

/// One operation on two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Infix.
    Binary(BinaryOp),
    /// A function.
    Math(MathFn),
}

impl Lambda {
    /// The operation that a function of two parameters is, `|a, b| a ∘ b` or `|a, b| b ∘ a`, if it is nothing else.
    pub fn operation(&self) -> Option<Operation> {
        let [a, b] = self.params.as_slice() else { return None };
        let is = |e: &Expr, param| matches!(e.kind(), Kind::Param(p) if p == param);
        let are_both = |x: &Expr, y: &Expr| is(x, a) && is(y, b) || is(x, b) && is(y, a);
        match self.body.kind() {
            Kind::Binary(op, x, y) if are_both(x, y) => Some(Operation::Binary(*op)),
            Kind::Math(f, args) => match args.as_slice() {
                [x, y] if are_both(x, y) => Some(Operation::Math(*f)),
                _ => None,
            },
            _ => None,
        }
    }
}
