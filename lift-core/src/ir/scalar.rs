//! Scalar types and the operators on them. They mean what the Rust operators of the same name mean, with these
//! definitions where Rust would panic: integer arithmetic wraps, and integer division or remainder by zero
//! gives 0.

use std::fmt;

pub use super::literal::Literal;
pub use super::math::MathFn;

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// 16-bit float.
    F16,
    /// 8-bit signed integer.
    I8,
    /// 16-bit signed integer.
    I16,
    /// 32-bit signed integer.
    I32,
    /// 64-bit signed integer.
    I64,
    /// Byte.
    U8,
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit unsigned integer.
    U32,
    /// 64-bit unsigned integer.
    U64,
    /// Truth value.
    Bool,
    /// Index or size, 64 bits.
    Usize,
}

impl Scalar {
    /// All scalar types.
    pub const ALL: [Scalar; 13] = [
        Scalar::F32,
        Scalar::F64,
        Scalar::F16,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Bool,
        Scalar::Usize,
    ];

    /// The Rust name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::F16 => "f16",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Bool => "bool",
            Scalar::Usize => "usize",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Bytes of one value in memory.
    pub fn bytes(self) -> i64 {
        match self {
            Scalar::I8 | Scalar::U8 | Scalar::Bool => 1,
            Scalar::F16 | Scalar::I16 | Scalar::U16 => 2,
            Scalar::F32 | Scalar::I32 | Scalar::U32 => 4,
            Scalar::F64 | Scalar::I64 | Scalar::U64 | Scalar::Usize => 8,
        }
    }

    /// Whether arithmetic is defined.
    pub fn is_number(self) -> bool {
        self != Scalar::Bool
    }

    /// Whether this is a float type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64 | Scalar::F16)
    }

    /// Whether this is an integer type.
    pub fn is_integer(self) -> bool {
        self.range().is_some()
    }

    /// Whether values may be negative.
    pub fn is_signed(self) -> bool {
        self.is_float() || self.range().is_some_and(|(low, _)| low < 0)
    }

    /// Whether devices may lack it.
    pub fn is_optional(self) -> bool {
        matches!(self, Scalar::F64 | Scalar::F16)
    }

    /// The unsigned integer type of the same width.
    pub fn unsigned(self) -> Scalar {
        match self {
            Scalar::I8 => Scalar::U8,
            Scalar::I16 => Scalar::U16,
            Scalar::I32 => Scalar::U32,
            Scalar::I64 => Scalar::U64,
            Scalar::F32
            | Scalar::F64
            | Scalar::F16
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Bool
            | Scalar::Usize => self,
        }
    }

    /// The smallest and the largest value of an integer type.
    pub fn range(self) -> Option<(i128, i128)> {
        match self {
            Scalar::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            Scalar::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            Scalar::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            Scalar::I64 => Some((i64::MIN.into(), i64::MAX.into())),
            Scalar::U8 => Some((0, u8::MAX.into())),
            Scalar::U16 => Some((0, u16::MAX.into())),
            Scalar::U32 => Some((0, u32::MAX.into())),
            Scalar::U64 | Scalar::Usize => Some((0, u64::MAX.into())),
            Scalar::F32 | Scalar::F64 | Scalar::F16 | Scalar::Bool => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A prefix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`, for signed numbers.
    Neg,
    /// `!x`: logical for `bool`, bitwise for integers.
    Not,
}

impl UnaryOp {
    /// The Rust spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        }
    }
}

/// An infix operator. Both operands have the same type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// The product of two floats as it stands in the elements of a sum, which adds it without rounding it before: with `acc + a · b`,
    /// the sum is `mul_add(a, b, acc)`. Anywhere else it is `a * b`. Nobody writes it: contraction makes it of a product.
    Unrounded,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
}

impl BinaryOp {
    /// The Rust spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Unrounded => "·",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
        }
    }

    /// `add`, `multiply`, … for messages: «cannot multiply `u8` by `f32`».
    pub fn verb(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "subtract",
            BinaryOp::Mul | BinaryOp::Unrounded => "multiply",
            BinaryOp::Div => "divide",
            BinaryOp::Rem => "take the remainder of",
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                "compare"
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => "combine",
        }
    }

    /// Whether the result is a `bool` whatever the operands are.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
        )
    }

    /// Whether operands of this type are legal.
    pub fn accepts(self, scalar: Scalar) -> bool {
        match self {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => scalar.is_number(),
            BinaryOp::Unrounded => scalar.is_float(),
            BinaryOp::Eq | BinaryOp::Ne => true,
            BinaryOp::And | BinaryOp::Or => scalar == Scalar::Bool,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => !scalar.is_float(),
        }
    }
}
