//! Literals: one scalar value with its type.

use std::fmt;

use super::scalar::Scalar;

/// A value of a scalar type. [`Literal::int`] and [`Literal::float`] make values that their type has.
#[derive(Debug, Clone, Copy)]
pub enum Literal {
    /// A float; every value of the smaller float types is one of `f64`, too.
    Float(f64, Scalar),
    /// An integer.
    Int(i128, Scalar),
    /// A truth value.
    Bool(bool),
}

impl Literal {
    /// The integer, wrapped around to the width of its type.
    pub fn int(value: i128, scalar: Scalar) -> Literal {
        let value = match scalar {
            Scalar::I8 => i128::from(value as i8),
            Scalar::I16 => i128::from(value as i16),
            Scalar::I32 => i128::from(value as i32),
            Scalar::I64 => i128::from(value as i64),
            Scalar::U8 => i128::from(value as u8),
            Scalar::U16 => i128::from(value as u16),
            Scalar::U32 => i128::from(value as u32),
            Scalar::U64 | Scalar::Usize => i128::from(value as u64),
            Scalar::F32 | Scalar::F64 | Scalar::F16 => return Literal::float(value as f64, scalar),
            Scalar::Bool => return Literal::Bool(value != 0),
        };
        Literal::Int(value, scalar)
    }

    /// The float, rounded to its type.
    pub fn float(value: f64, scalar: Scalar) -> Literal {
        let value = match scalar {
            Scalar::F32 => f64::from(value as f32),
            Scalar::F16 => round_to_half(value),
            Scalar::F64
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Bool
            | Scalar::Usize => value,
        };
        Literal::Float(value, scalar)
    }

    /// This number of whatever type; for `bool`, whether it is not 0.
    pub fn number(value: i32, scalar: Scalar) -> Literal {
        Literal::int(value.into(), scalar)
    }

    /// `a * b + c` of floats of one type, rounded once.
    pub fn mul_add(self, b: Literal, c: Literal) -> Option<Literal> {
        let (Literal::Float(a, scalar), Literal::Float(b, of_b), Literal::Float(c, of_c)) = (self, b, c)
        else {
            return None;
        };
        let result = match scalar {
            // By way of `f64` it would be rounded twice.
            Scalar::F32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
            _ => a.mul_add(b, c),
        };
        (scalar == of_b && scalar == of_c).then(|| Literal::float(result, scalar))
    }

    /// Its type.
    pub fn scalar(self) -> Scalar {
        match self {
            Literal::Float(_, scalar) | Literal::Int(_, scalar) => scalar,
            Literal::Bool(_) => Scalar::Bool,
        }
    }

    /// `-x`, if its type has negative values.
    pub fn negated(self) -> Option<Literal> {
        match self {
            Literal::Float(x, scalar) => Some(Literal::Float(-x, scalar)),
            Literal::Int(x, scalar) => scalar.is_signed().then(|| Literal::int(-x, scalar)),
            Literal::Bool(_) => None,
        }
    }

    /// The value, if it is an integer.
    pub fn as_int(self) -> Option<i128> {
        match self {
            Literal::Int(x, _) => Some(x),
            Literal::Float(..) | Literal::Bool(_) => None,
        }
    }

    /// The value, if it is a float.
    pub fn as_float(self) -> Option<f64> {
        match self {
            Literal::Float(x, _) => Some(x),
            Literal::Int(..) | Literal::Bool(_) => None,
        }
    }
}

/// The nearest 16-bit float, of two equally near ones the even one.
fn round_to_half(x: f64) -> f64 {
    let size = x.abs();
    if !x.is_finite() || size == 0.0 {
        return x;
    }
    // Halfway between the largest finite value and what would follow it.
    if size >= 65520.0 {
        return f64::INFINITY.copysign(x);
    }
    // Ten bits follow the first one; below 2⁻¹⁴ values are equally spaced.
    let exponent = (((size.to_bits() >> 52) as i32) - 1023).max(-14);
    let unit = 2.0_f64.powi(exponent - 10);
    ((size / unit).round_ties_even() * unit).copysign(x)
}

/// Bitwise: NaN equals itself, and 0.0 differs from -0.0, so that equal literals mean the same.
impl PartialEq for Literal {
    fn eq(&self, other: &Literal) -> bool {
        match (self, other) {
            (Literal::Float(a, s), Literal::Float(b, t)) => s == t && a.to_bits() == b.to_bits(),
            (Literal::Int(a, s), Literal::Int(b, t)) => s == t && a == b,
            (Literal::Bool(a), Literal::Bool(b)) => a == b,
            (Literal::Float(..) | Literal::Int(..) | Literal::Bool(_), _) => false,
        }
    }
}

impl Eq for Literal {}

macro_rules! from {
    ($($ty:ty => $scalar:ident),*) => {$(
        impl From<$ty> for Literal {
            fn from(x: $ty) -> Literal {
                Literal::Int(x as i128, Scalar::$scalar)
            }
        }
    )*};
}

from!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, usize => Usize);

impl From<f32> for Literal {
    fn from(x: f32) -> Literal {
        Literal::Float(x.into(), Scalar::F32)
    }
}

impl From<f64> for Literal {
    fn from(x: f64) -> Literal {
        Literal::Float(x, Scalar::F64)
    }
}

impl From<bool> for Literal {
    fn from(x: bool) -> Literal {
        Literal::Bool(x)
    }
}

/// The digits that it takes to read the same value back.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Float(x, Scalar::F64) => write!(f, "{x:?}"),
            // Whatever reads as this `f32` reads as this `f16`.
            Literal::Float(x, _) => write!(f, "{:?}", *x as f32),
            Literal::Int(x, _) => write!(f, "{x}"),
            Literal::Bool(x) => write!(f, "{x}"),
        }
    }
}
