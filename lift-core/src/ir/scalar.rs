//! Scalar types and the operations on them. They mean what the Rust operators and methods of the same name
//! mean, with these definitions where Rust would panic: integer arithmetic wraps, and integer division or
//! remainder by zero gives 0.

use std::fmt;

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// 32-bit float.
    F32,
    /// 32-bit signed integer.
    I32,
    /// Byte.
    U8,
    /// Truth value.
    Bool,
    /// Index or size, 64 bits.
    Usize,
}

impl Scalar {
    /// All scalar types.
    pub const ALL: [Scalar; 5] = [Scalar::F32, Scalar::I32, Scalar::U8, Scalar::Bool, Scalar::Usize];

    /// The Rust name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::F32 => "f32",
            Scalar::I32 => "i32",
            Scalar::U8 => "u8",
            Scalar::Bool => "bool",
            Scalar::Usize => "usize",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Whether arithmetic is defined.
    pub fn is_number(self) -> bool {
        self != Scalar::Bool
    }

    /// Whether this is a float type.
    pub fn is_float(self) -> bool {
        self == Scalar::F32
    }

    /// Whether this is an integer type.
    pub fn is_integer(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::U8 | Scalar::Usize)
    }

    /// Whether values may be negative.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::I32)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A literal of a scalar type.
#[derive(Debug, Clone, Copy)]
pub enum Literal {
    /// `f32`
    F32(f32),
    /// `i32`
    I32(i32),
    /// `u8`
    U8(u8),
    /// `bool`
    Bool(bool),
    /// `usize`
    Usize(u64),
}

impl Literal {
    /// Its type.
    pub fn scalar(self) -> Scalar {
        match self {
            Literal::F32(_) => Scalar::F32,
            Literal::I32(_) => Scalar::I32,
            Literal::U8(_) => Scalar::U8,
            Literal::Bool(_) => Scalar::Bool,
            Literal::Usize(_) => Scalar::Usize,
        }
    }
}

/// Bitwise: NaN equals itself, and 0.0 differs from -0.0, so that equal literals mean the same.
impl PartialEq for Literal {
    fn eq(&self, other: &Literal) -> bool {
        match (self, other) {
            (Literal::F32(a), Literal::F32(b)) => a.to_bits() == b.to_bits(),
            (Literal::I32(a), Literal::I32(b)) => a == b,
            (Literal::U8(a), Literal::U8(b)) => a == b,
            (Literal::Bool(a), Literal::Bool(b)) => a == b,
            (Literal::Usize(a), Literal::Usize(b)) => a == b,
            (
                Literal::F32(_) | Literal::I32(_) | Literal::U8(_) | Literal::Bool(_) | Literal::Usize(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Literal {}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::F32(x) => write!(f, "{x:?}"),
            Literal::I32(x) => write!(f, "{x}"),
            Literal::U8(x) => write!(f, "{x}"),
            Literal::Bool(x) => write!(f, "{x}"),
            Literal::Usize(x) => write!(f, "{x}"),
        }
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
            BinaryOp::Mul => "multiply",
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
            BinaryOp::Eq | BinaryOp::Ne => true,
            BinaryOp::And | BinaryOp::Or => scalar == Scalar::Bool,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => !scalar.is_float(),
        }
    }
}

/// A method or function on scalars, with the meaning of the Rust method of that name. All operands and
/// the result have one type, except for `powi`, whose second operand is `i32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the Rust method of that name")]
pub enum MathFn {
    Abs,
    Min,
    Max,
    Clamp,
    Sqrt,
    Exp,
    Exp2,
    Ln,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Hypot,
    Powf,
    Powi,
    MulAdd,
    Floor,
    Ceil,
    Round,
    Trunc,
    Recip,
}

impl MathFn {
    /// All of them.
    pub const ALL: [MathFn; 29] = [
        MathFn::Abs,
        MathFn::Min,
        MathFn::Max,
        MathFn::Clamp,
        MathFn::Sqrt,
        MathFn::Exp,
        MathFn::Exp2,
        MathFn::Ln,
        MathFn::Log2,
        MathFn::Log10,
        MathFn::Sin,
        MathFn::Cos,
        MathFn::Tan,
        MathFn::Asin,
        MathFn::Acos,
        MathFn::Atan,
        MathFn::Atan2,
        MathFn::Sinh,
        MathFn::Cosh,
        MathFn::Tanh,
        MathFn::Hypot,
        MathFn::Powf,
        MathFn::Powi,
        MathFn::MulAdd,
        MathFn::Floor,
        MathFn::Ceil,
        MathFn::Round,
        MathFn::Trunc,
        MathFn::Recip,
    ];

    /// The Rust name.
    pub fn name(self) -> &'static str {
        match self {
            MathFn::Abs => "abs",
            MathFn::Min => "min",
            MathFn::Max => "max",
            MathFn::Clamp => "clamp",
            MathFn::Sqrt => "sqrt",
            MathFn::Exp => "exp",
            MathFn::Exp2 => "exp2",
            MathFn::Ln => "ln",
            MathFn::Log2 => "log2",
            MathFn::Log10 => "log10",
            MathFn::Sin => "sin",
            MathFn::Cos => "cos",
            MathFn::Tan => "tan",
            MathFn::Asin => "asin",
            MathFn::Acos => "acos",
            MathFn::Atan => "atan",
            MathFn::Atan2 => "atan2",
            MathFn::Sinh => "sinh",
            MathFn::Cosh => "cosh",
            MathFn::Tanh => "tanh",
            MathFn::Hypot => "hypot",
            MathFn::Powf => "powf",
            MathFn::Powi => "powi",
            MathFn::MulAdd => "mul_add",
            MathFn::Floor => "floor",
            MathFn::Ceil => "ceil",
            MathFn::Round => "round",
            MathFn::Trunc => "trunc",
            MathFn::Recip => "recip",
        }
    }

    /// The function of that name.
    pub fn from_name(name: &str) -> Option<MathFn> {
        MathFn::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            MathFn::Min | MathFn::Max | MathFn::Atan2 | MathFn::Hypot | MathFn::Powf | MathFn::Powi => 2,
            MathFn::Clamp | MathFn::MulAdd => 3,
            MathFn::Abs
            | MathFn::Sqrt
            | MathFn::Exp
            | MathFn::Exp2
            | MathFn::Ln
            | MathFn::Log2
            | MathFn::Log10
            | MathFn::Sin
            | MathFn::Cos
            | MathFn::Tan
            | MathFn::Asin
            | MathFn::Acos
            | MathFn::Atan
            | MathFn::Sinh
            | MathFn::Cosh
            | MathFn::Tanh
            | MathFn::Floor
            | MathFn::Ceil
            | MathFn::Round
            | MathFn::Trunc
            | MathFn::Recip => 1,
        }
    }

    /// Whether it is defined for this type (of its first operand).
    pub fn accepts(self, scalar: Scalar) -> bool {
        match self {
            MathFn::Min | MathFn::Max | MathFn::Clamp => scalar.is_number(),
            MathFn::Abs => scalar.is_signed(),
            MathFn::Sqrt
            | MathFn::Exp
            | MathFn::Exp2
            | MathFn::Ln
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
            | MathFn::Hypot
            | MathFn::Powf
            | MathFn::Powi
            | MathFn::MulAdd
            | MathFn::Floor
            | MathFn::Ceil
            | MathFn::Round
            | MathFn::Trunc
            | MathFn::Recip => scalar.is_float(),
        }
    }
}
