//! Scalar types and the operators on them. They mean what the Rust operators of the same name mean, with these
//! definitions where Rust would panic: integer arithmetic wraps, and integer division or remainder by zero
//! gives 0.

pub use lift_spec::ScalarType as Scalar;

pub use super::literal::Literal;
pub use super::math::MathFn;

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
    /// What the operation makes of two integers in an extent, if it is arithmetic and fits.
    pub fn of_integers(self, a: i64, b: i64) -> Option<i64> {
        match self {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div => a.checked_div_euclid(b),
            BinaryOp::Rem => a.checked_rem_euclid(b),
            _ => None,
        }
    }

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
