//! One equation per operation on scalars. Integers of all widths share theirs: they are computed without
//! bounds and wrapped around to their width. Floats are rounded to their type after every operation.

use lift_core::ir::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};

use super::{Outcome, Value};

/// The scalar that a value is.
fn scalar(x: &Value) -> Outcome<Literal> {
    x.as_scalar().ok_or_else(|| format!("{x} is not a scalar"))
}

/// `-x`, `!x`
pub(crate) fn unary(op: UnaryOp, x: &Value) -> Outcome {
    let x = scalar(x)?;
    let result = match (op, x) {
        (UnaryOp::Neg, x) => x.negated(),
        (UnaryOp::Not, Literal::Bool(x)) => Some(Literal::Bool(!x)),
        (UnaryOp::Not, Literal::Int(x, s)) => Some(Literal::int(!x, s)),
        (UnaryOp::Not, Literal::Float(..)) => None,
    };
    result.map(Value::Scalar).ok_or_else(|| format!("`{}` of {x}", op.symbol()))
}

/// `a ∘ b` on two scalars of one type.
pub(crate) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Outcome {
    if let Some(result) = unrounded(op, a, b) {
        return result;
    }
    let (a, b) = (scalar(a)?, scalar(b)?);
    let result = match (a, b) {
        (Literal::Float(a, s), Literal::Float(b, t)) if s == t => float(op, a, b, s),
        (Literal::Int(a, s), Literal::Int(b, t)) if s == t => integer(op, a, b, s),
        (Literal::Bool(a), Literal::Bool(b)) => truth(op, a, b),
        (Literal::Float(..) | Literal::Int(..) | Literal::Bool(_), _) => None,
    };
    result.map(Value::Scalar).ok_or_else(|| format!("{a} {} {b} has no meaning", op.symbol()))
}

/// Products that are not rounded, and what they are added to.
fn unrounded(op: BinaryOp, a: &Value, b: &Value) -> Option<Outcome> {
    let sum = |[x, y]: [Literal; 2], z: &Value| {
        let z = scalar(z)?;
        x.mul_add(y, z).map(Value::Scalar).ok_or_else(|| format!("{x} * {y} + {z} has no meaning"))
    };
    match (op, a, b) {
        (BinaryOp::Unrounded, a, b) => {
            Some(scalar(a).and_then(|a| Ok(Value::Product(Box::new([a, scalar(b)?])))))
        }
        (BinaryOp::Add, other, Value::Product(factors)) | (BinaryOp::Add, Value::Product(factors), other) => {
            Some(sum(**factors, other))
        }
        _ => None,
    }
}

/// Twice as many digits and two more are enough to round sums, products and quotients right in two steps.
fn float(op: BinaryOp, a: f64, b: f64, s: Scalar) -> Option<Literal> {
    Some(match op {
        BinaryOp::Add => Literal::float(a + b, s),
        BinaryOp::Sub => Literal::float(a - b, s),
        BinaryOp::Mul | BinaryOp::Unrounded => Literal::float(a * b, s),
        BinaryOp::Div => Literal::float(a / b, s),
        BinaryOp::Rem => Literal::float(a % b, s),
        BinaryOp::Lt => Literal::Bool(a < b),
        BinaryOp::Le => Literal::Bool(a <= b),
        BinaryOp::Gt => Literal::Bool(a > b),
        BinaryOp::Ge => Literal::Bool(a >= b),
        BinaryOp::Eq => Literal::Bool(a == b),
        BinaryOp::Ne => Literal::Bool(a != b),
        BinaryOp::And | BinaryOp::Or | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => return None,
    })
}

fn integer(op: BinaryOp, a: i128, b: i128, s: Scalar) -> Option<Literal> {
    Some(match op {
        BinaryOp::Add => Literal::int(a + b, s),
        BinaryOp::Sub => Literal::int(a - b, s),
        // The low half of the product of two 64-bit numbers is right, whatever happens to the rest.
        BinaryOp::Mul => Literal::int(a.wrapping_mul(b), s),
        BinaryOp::Div => Literal::int(a.checked_div(b).unwrap_or(0), s),
        BinaryOp::Rem => Literal::int(a.checked_rem(b).unwrap_or(0), s),
        BinaryOp::Lt => Literal::Bool(a < b),
        BinaryOp::Le => Literal::Bool(a <= b),
        BinaryOp::Gt => Literal::Bool(a > b),
        BinaryOp::Ge => Literal::Bool(a >= b),
        BinaryOp::Eq => Literal::Bool(a == b),
        BinaryOp::Ne => Literal::Bool(a != b),
        BinaryOp::BitAnd => Literal::int(a & b, s),
        BinaryOp::BitOr => Literal::int(a | b, s),
        BinaryOp::BitXor => Literal::int(a ^ b, s),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Unrounded => return None,
    })
}

fn truth(op: BinaryOp, a: bool, b: bool) -> Option<Literal> {
    Some(Literal::Bool(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::And | BinaryOp::BitAnd => a & b,
        BinaryOp::Or | BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Unrounded
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => return None,
    }))
}

/// The Rust method of that name.
pub(crate) fn math(f: MathFn, xs: &[Value]) -> Outcome {
    let xs = xs.iter().map(scalar).collect::<Outcome<Vec<Literal>>>()?;
    let own = xs.first().map_or(Scalar::Bool, |x| x.scalar());
    let typed = xs.iter().enumerate().all(|(i, x)| x.scalar() == f.operand(i, own));
    let result = match (xs.first(), typed && xs.len() == f.arity() && f.accepts(own)) {
        (Some(Literal::Float(..)), true) => match own {
            _ if f == MathFn::MulAdd => xs[0].mul_add(xs[1], xs[2]),
            Scalar::F32 => math_f32(f, &xs).map(|x| rounded(x, own)),
            _ => math_f64(f, &xs).map(|x| rounded(x, own)),
        },
        (Some(Literal::Int(a, _)), true) => {
            let operand = |i: usize| xs.get(i).and_then(|x| x.as_int()).unwrap_or_default();
            Some(Literal::int(math_int(f, *a, operand(1), operand(2), own), f.result(own)))
        }
        (Some(Literal::Float(..) | Literal::Int(..) | Literal::Bool(_)) | None, _) => None,
    };
    result.map(Value::Scalar).ok_or_else(|| {
        let xs: Vec<String> = xs.iter().map(Literal::to_string).collect();
        format!("{}({}) has no meaning", f.name(), xs.join(", "))
    })
}

/// What a function of floats gives.
enum Real {
    Float(f64),
    Bool(bool),
}

fn rounded(x: Real, scalar: Scalar) -> Literal {
    match x {
        Real::Float(x) => Literal::float(x, scalar),
        Real::Bool(x) => Literal::Bool(x),
    }
}

macro_rules! math_float {
    ($name:ident, $ty:ty) => {
        #[expect(clippy::too_many_lines, reason = "a table: one function of scalars in each row")]
        fn $name(f: MathFn, xs: &[Literal]) -> Option<Real> {
            let operand = |i: usize| xs.get(i).and_then(|x| x.as_float()).unwrap_or_default() as $ty;
            let (a, b, c) = (operand(0), operand(1), operand(2));
            let result: $ty = match f {
                MathFn::Abs => a.abs(),
                MathFn::Signum => a.signum(),
                // Of a NaN and a number the number; -0.0 is less than 0.0. Rust leaves the order of zeros open.
                MathFn::Min => {
                    if a == b && a.is_sign_negative() {
                        a
                    } else if a == b {
                        b
                    } else {
                        a.min(b)
                    }
                }
                MathFn::Max => {
                    if a == b && a.is_sign_negative() {
                        b
                    } else if a == b {
                        a
                    } else {
                        a.max(b)
                    }
                }
                // As Rust's, but without its panic: a NaN stays one, and of crossed limits the upper one wins.
                MathFn::Clamp => {
                    let x = if a < b { b } else { a };
                    if x > c { c } else { x }
                }
                MathFn::RemEuclid => a.rem_euclid(b),
                MathFn::DivEuclid => a.div_euclid(b),
                MathFn::Sqrt => a.sqrt(),
                MathFn::Cbrt => a.cbrt(),
                MathFn::Exp => a.exp(),
                MathFn::Exp2 => a.exp2(),
                MathFn::ExpM1 => a.exp_m1(),
                MathFn::Ln => a.ln(),
                MathFn::Ln1p => a.ln_1p(),
                MathFn::Log2 => a.log2(),
                MathFn::Log10 => a.log10(),
                MathFn::Sin => a.sin(),
                MathFn::Cos => a.cos(),
                MathFn::Tan => a.tan(),
                MathFn::Asin => a.asin(),
                MathFn::Acos => a.acos(),
                MathFn::Atan => a.atan(),
                MathFn::Atan2 => a.atan2(b),
                MathFn::Sinh => a.sinh(),
                MathFn::Cosh => a.cosh(),
                MathFn::Tanh => a.tanh(),
                MathFn::Asinh => a.asinh(),
                MathFn::Acosh => a.acosh(),
                MathFn::Atanh => a.atanh(),
                MathFn::Hypot => a.hypot(b),
                MathFn::Powf => a.powf(b),
                MathFn::Powi => a.powi(i32::try_from(xs.get(1)?.as_int()?).ok()?),
                MathFn::Floor => a.floor(),
                MathFn::Ceil => a.ceil(),
                MathFn::Round => a.round(),
                MathFn::Trunc => a.trunc(),
                MathFn::Fract => a.fract(),
                MathFn::Recip => a.recip(),
                MathFn::Copysign => a.copysign(b),
                MathFn::ToRadians => a.to_radians(),
                MathFn::ToDegrees => a.to_degrees(),
                MathFn::IsNan => return Some(Real::Bool(a.is_nan())),
                MathFn::IsFinite => return Some(Real::Bool(a.is_finite())),
                MathFn::IsInfinite => return Some(Real::Bool(a.is_infinite())),
                MathFn::MulAdd
                | MathFn::Pow
                | MathFn::AbsDiff
                | MathFn::WrappingAdd
                | MathFn::WrappingSub
                | MathFn::WrappingMul
                | MathFn::WrappingShl
                | MathFn::WrappingShr
                | MathFn::SaturatingAdd
                | MathFn::SaturatingSub
                | MathFn::RotateLeft
                | MathFn::RotateRight
                | MathFn::CountOnes
                | MathFn::LeadingZeros
                | MathFn::TrailingZeros => return None,
            };
            Some(Real::Float(f64::from(result)))
        }
    };
}

math_float!(math_f32, f32);
math_float!(math_f64, f64);

/// What a function that is defined for integers gives, before it is wrapped around.
fn math_int(f: MathFn, a: i128, b: i128, c: i128, own: Scalar) -> i128 {
    let (low, high) = own.range().unwrap_or_default();
    let bits = 8 * own.bytes() as u32;
    // The bits of the number, without those of its sign beyond its width.
    let pattern = Literal::int(a, own.unsigned()).as_int().unwrap_or_default() as u128;
    // Rust shifts by the remainder of the width.
    let shift = (b as u32) % bits;
    match f {
        MathFn::Abs => a.abs(),
        MathFn::Signum => a.signum(),
        MathFn::Min => a.min(b),
        MathFn::Max => a.max(b),
        MathFn::Clamp => a.max(b).min(c),
        MathFn::RemEuclid => a.checked_rem_euclid(b).unwrap_or(0),
        MathFn::DivEuclid => a.checked_div_euclid(b).unwrap_or(0),
        MathFn::Pow => a.wrapping_pow(b as u32),
        MathFn::AbsDiff => (a - b).abs(),
        MathFn::WrappingAdd => a + b,
        MathFn::WrappingSub => a - b,
        MathFn::WrappingMul => a.wrapping_mul(b),
        MathFn::WrappingShl => a << shift,
        MathFn::WrappingShr => a >> shift,
        MathFn::SaturatingAdd => (a + b).clamp(low, high),
        MathFn::SaturatingSub => (a - b).clamp(low, high),
        MathFn::RotateLeft => ((pattern << shift) | (pattern >> (bits - shift))) as i128,
        MathFn::RotateRight => ((pattern >> shift) | (pattern << (bits - shift))) as i128,
        MathFn::CountOnes => i128::from(pattern.count_ones()),
        MathFn::LeadingZeros => i128::from(pattern.leading_zeros() + bits - 128),
        MathFn::TrailingZeros => i128::from(pattern.trailing_zeros().min(bits)),
        // For floats only: what is not accepted does not come here.
        MathFn::Sqrt
        | MathFn::Cbrt
        | MathFn::Exp
        | MathFn::Exp2
        | MathFn::ExpM1
        | MathFn::Ln
        | MathFn::Ln1p
        | MathFn::Log2
        | MathFn::Log10
        | MathFn::Sin
        | MathFn::Cos
        | MathFn::Tan
        | MathFn::Asin
        | MathFn::Acos
        | MathFn::Atan
        | MathFn::Atan2
        | MathFn::Sinh
        | MathFn::Cosh
        | MathFn::Tanh
        | MathFn::Asinh
        | MathFn::Acosh
        | MathFn::Atanh
        | MathFn::Hypot
        | MathFn::Powf
        | MathFn::Powi
        | MathFn::MulAdd
        | MathFn::Floor
        | MathFn::Ceil
        | MathFn::Round
        | MathFn::Trunc
        | MathFn::Fract
        | MathFn::Recip
        | MathFn::Copysign
        | MathFn::ToRadians
        | MathFn::ToDegrees
        | MathFn::IsNan
        | MathFn::IsFinite
        | MathFn::IsInfinite => lift_core::bug!("`{}` of an integer", f.name()),
    }
}

/// `x as to`; from floats to integers it saturates, and NaN becomes 0.
pub(crate) fn cast(to: Scalar, x: &Value) -> Outcome {
    let x = scalar(x)?;
    let result = match (x, to.range()) {
        (Literal::Bool(x), _) if to == Scalar::Bool => Some(Literal::Bool(x)),
        (Literal::Bool(x), Some(_)) => Some(Literal::int(x.into(), to)),
        (Literal::Bool(_), None) => None,
        (_, None) if to == Scalar::Bool => None,
        (Literal::Int(x, _), Some(_)) => Some(Literal::int(x, to)),
        // Rounded once: an integer to `f32` not by way of `f64`.
        (Literal::Int(x, _), None) if to == Scalar::F32 => Some(Literal::from(x as f32)),
        (Literal::Int(x, _), None) => Some(Literal::float(x as f64, to)),
        (Literal::Float(x, _), Some((low, high))) => Some(Literal::Int((x as i128).clamp(low, high), to)),
        (Literal::Float(x, _), None) => Some(Literal::float(x, to)),
    };
    result.map(Value::Scalar).ok_or_else(|| format!("{x} cannot be cast to {to}"))
}
