//! One equation per operation on scalars.

use super::{Outcome, Value};
use crate::ir::{BinaryOp, MathFn, Scalar, UnaryOp};

/// `-x`, `!x`
pub(super) fn unary(op: UnaryOp, x: &Value) -> Outcome {
    Ok(match (op, x) {
        (UnaryOp::Neg, Value::F32(x)) => Value::F32(-x),
        (UnaryOp::Neg, Value::I32(x)) => Value::I32(x.wrapping_neg()),
        (UnaryOp::Not, Value::Bool(x)) => Value::Bool(!x),
        (UnaryOp::Not, Value::I32(x)) => Value::I32(!x),
        (UnaryOp::Not, Value::U8(x)) => Value::U8(!x),
        (UnaryOp::Not, Value::Usize(x)) => Value::Usize(!x),
        (UnaryOp::Neg | UnaryOp::Not, x) => return Err(format!("`{}` of {x}", op.symbol())),
    })
}

/// `a ∘ b` on two scalars of one type.
pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Outcome {
    let result = match (a, b) {
        (Value::F32(a), Value::F32(b)) => float(op, *a, *b),
        (Value::I32(a), Value::I32(b)) => int_i32(op, *a, *b),
        (Value::U8(a), Value::U8(b)) => int_u8(op, *a, *b),
        (Value::Usize(a), Value::Usize(b)) => int_u64(op, *a, *b),
        (Value::Bool(a), Value::Bool(b)) => truth(op, *a, *b),
        _ => None,
    };
    result.ok_or_else(|| format!("{a} {} {b} has no meaning", op.symbol()))
}

fn float(op: BinaryOp, a: f32, b: f32) -> Option<Value> {
    Some(match op {
        BinaryOp::Add => Value::F32(a + b),
        BinaryOp::Sub => Value::F32(a - b),
        BinaryOp::Mul => Value::F32(a * b),
        BinaryOp::Div => Value::F32(a / b),
        BinaryOp::Rem => Value::F32(a % b),
        BinaryOp::Lt => Value::Bool(a < b),
        BinaryOp::Le => Value::Bool(a <= b),
        BinaryOp::Gt => Value::Bool(a > b),
        BinaryOp::Ge => Value::Bool(a >= b),
        BinaryOp::Eq => Value::Bool(a == b),
        BinaryOp::Ne => Value::Bool(a != b),
        BinaryOp::And | BinaryOp::Or | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => return None,
    })
}

macro_rules! integer {
    ($name:ident, $ty:ty, $wrap:path) => {
        fn $name(op: BinaryOp, a: $ty, b: $ty) -> Option<Value> {
            Some(match op {
                BinaryOp::Add => $wrap(a.wrapping_add(b)),
                BinaryOp::Sub => $wrap(a.wrapping_sub(b)),
                BinaryOp::Mul => $wrap(a.wrapping_mul(b)),
                BinaryOp::Div => $wrap(if b == 0 { 0 } else { a.wrapping_div(b) }),
                BinaryOp::Rem => $wrap(if b == 0 { 0 } else { a.wrapping_rem(b) }),
                BinaryOp::Lt => Value::Bool(a < b),
                BinaryOp::Le => Value::Bool(a <= b),
                BinaryOp::Gt => Value::Bool(a > b),
                BinaryOp::Ge => Value::Bool(a >= b),
                BinaryOp::Eq => Value::Bool(a == b),
                BinaryOp::Ne => Value::Bool(a != b),
                BinaryOp::BitAnd => $wrap(a & b),
                BinaryOp::BitOr => $wrap(a | b),
                BinaryOp::BitXor => $wrap(a ^ b),
                BinaryOp::And | BinaryOp::Or => return None,
            })
        }
    };
}

integer!(int_i32, i32, Value::I32);
integer!(int_u8, u8, Value::U8);
integer!(int_u64, u64, Value::Usize);

fn truth(op: BinaryOp, a: bool, b: bool) -> Option<Value> {
    Some(Value::Bool(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::And | BinaryOp::BitAnd => a & b,
        BinaryOp::Or | BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => return None,
    }))
}

/// The Rust method of that name.
pub(super) fn math(f: MathFn, xs: &[Value]) -> Outcome {
    let result = match xs {
        [Value::F32(a), rest @ ..] => math_f32(f, *a, rest),
        [Value::I32(a), rest @ ..] => match (f, rest) {
            (MathFn::Abs, []) => Some(Value::I32(a.wrapping_abs())),
            (_, [Value::I32(b)]) => order(f, *a, *b, *b).map(Value::I32),
            (_, [Value::I32(b), Value::I32(c)]) => order(f, *a, *b, *c).map(Value::I32),
            _ => None,
        },
        [Value::U8(a), Value::U8(b)] => order(f, *a, *b, *b).map(Value::U8),
        [Value::U8(a), Value::U8(b), Value::U8(c)] => order(f, *a, *b, *c).map(Value::U8),
        [Value::Usize(a), Value::Usize(b)] => order(f, *a, *b, *b).map(Value::Usize),
        [Value::Usize(a), Value::Usize(b), Value::Usize(c)] => order(f, *a, *b, *c).map(Value::Usize),
        _ => None,
    };
    result.ok_or_else(|| {
        let xs: Vec<String> = xs.iter().map(Value::to_string).collect();
        format!("{}({}) has no meaning", f.name(), xs.join(", "))
    })
}

/// `min`, `max` and `clamp` of integers.
fn order<T: Ord>(f: MathFn, a: T, b: T, c: T) -> Option<T> {
    match f {
        MathFn::Min => Some(a.min(b)),
        MathFn::Max => Some(a.max(b)),
        MathFn::Clamp => Some(a.max(b).min(c)),
        _ => None,
    }
}

fn math_f32(f: MathFn, a: f32, rest: &[Value]) -> Option<Value> {
    let result = match (f, rest) {
        (MathFn::Abs, []) => a.abs(),
        (MathFn::Min, [Value::F32(b)]) => a.min(*b),
        (MathFn::Max, [Value::F32(b)]) => a.max(*b),
        (MathFn::Clamp, [Value::F32(low), Value::F32(high)]) => clamp(a, *low, *high),
        (MathFn::Sqrt, []) => a.sqrt(),
        (MathFn::Exp, []) => a.exp(),
        (MathFn::Exp2, []) => a.exp2(),
        (MathFn::Ln, []) => a.ln(),
        (MathFn::Log2, []) => a.log2(),
        (MathFn::Log10, []) => a.log10(),
        (MathFn::Sin, []) => a.sin(),
        (MathFn::Cos, []) => a.cos(),
        (MathFn::Tan, []) => a.tan(),
        (MathFn::Asin, []) => a.asin(),
        (MathFn::Acos, []) => a.acos(),
        (MathFn::Atan, []) => a.atan(),
        (MathFn::Atan2, [Value::F32(b)]) => a.atan2(*b),
        (MathFn::Sinh, []) => a.sinh(),
        (MathFn::Cosh, []) => a.cosh(),
        (MathFn::Tanh, []) => a.tanh(),
        (MathFn::Hypot, [Value::F32(b)]) => a.hypot(*b),
        (MathFn::Powf, [Value::F32(b)]) => a.powf(*b),
        (MathFn::Powi, [Value::I32(b)]) => a.powi(*b),
        (MathFn::MulAdd, [Value::F32(b), Value::F32(c)]) => a.mul_add(*b, *c),
        (MathFn::Floor, []) => a.floor(),
        (MathFn::Ceil, []) => a.ceil(),
        (MathFn::Round, []) => a.round(),
        (MathFn::Trunc, []) => a.trunc(),
        (MathFn::Recip, []) => a.recip(),
        _ => return None,
    };
    Some(Value::F32(result))
}

/// As Rust's, but without its panic: a NaN stays one, and of crossed limits the upper one wins.
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `x as scalar`; from floats to integers it saturates, and NaN becomes 0.
pub(super) fn cast(scalar: Scalar, x: &Value) -> Outcome {
    macro_rules! from {
        ($x:expr) => {
            match scalar {
                Scalar::F32 => Some(Value::F32($x as f32)),
                Scalar::I32 => Some(Value::I32($x as i32)),
                Scalar::U8 => Some(Value::U8($x as u8)),
                Scalar::Usize => Some(Value::Usize($x as u64)),
                Scalar::Bool => None,
            }
        };
    }
    let result = match x {
        Value::F32(x) => from!(*x),
        Value::I32(x) => from!(*x),
        Value::U8(x) => from!(*x),
        Value::Usize(x) => from!(*x),
        Value::Bool(x) if scalar == Scalar::Bool => Some(Value::Bool(*x)),
        Value::Bool(x) => from!(u8::from(*x)),
        Value::Tuple(_) | Value::Array(_) => None,
    };
    result.ok_or_else(|| format!("{x} cannot be cast to {scalar}"))
}
