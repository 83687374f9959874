//! Methods and functions on scalars, with the meaning of the Rust methods of the same names.

use super::scalar::Scalar;

/// A type in a signature, given the type that the method belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The type itself.
    Own,
    /// The unsigned integer type of its width.
    Unsigned,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `bool`
    Bool,
}

impl Role {
    fn of(self, own: Scalar) -> Scalar {
        match self {
            Role::Own => own,
            Role::Unsigned => own.unsigned(),
            Role::I32 => Scalar::I32,
            Role::U32 => Scalar::U32,
            Role::Bool => Scalar::Bool,
        }
    }
}

/// The types that have a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Domain {
    Number,
    Signed,
    Float,
    Integer,
}

/// A row of the table.
struct Row {
    name: &'static str,
    /// Operands after the first.
    operands: &'static [Role],
    domain: Domain,
    result: Role,
}

macro_rules! table {
    ($($function:ident $name:literal ($($operand:ident)*) $domain:ident $result:ident;)*) => {
        /// A method or function on scalars. Its first operand is the receiver, of the type that the method
        /// belongs to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each is the Rust method of that name")]
        pub enum MathFn {
            $($function),*
        }

        impl MathFn {
            /// All of them.
            pub const ALL: [MathFn; [$($name),*].len()] = [$(MathFn::$function),*];

            const fn row(self) -> Row {
                match self {
                    $(MathFn::$function => Row {
                        name: $name,
                        operands: &[$(Role::$operand),*],
                        domain: Domain::$domain,
                        result: Role::$result,
                    }),*
                }
            }
        }
    };
}

// Function, its Rust name, operands after the receiver, types that have it, result.
table! {
    Abs "abs" () Signed Own;
    Signum "signum" () Signed Own;
    Min "min" (Own) Number Own;
    Max "max" (Own) Number Own;
    Clamp "clamp" (Own Own) Number Own;
    RemEuclid "rem_euclid" (Own) Number Own;
    DivEuclid "div_euclid" (Own) Number Own;
    Sqrt "sqrt" () Float Own;
    Cbrt "cbrt" () Float Own;
    Exp "exp" () Float Own;
    Exp2 "exp2" () Float Own;
    ExpM1 "exp_m1" () Float Own;
    Ln "ln" () Float Own;
    Ln1p "ln_1p" () Float Own;
    Log2 "log2" () Float Own;
    Log10 "log10" () Float Own;
    Sin "sin" () Float Own;
    Cos "cos" () Float Own;
    Tan "tan" () Float Own;
    Asin "asin" () Float Own;
    Acos "acos" () Float Own;
    Atan "atan" () Float Own;
    Atan2 "atan2" (Own) Float Own;
    Sinh "sinh" () Float Own;
    Cosh "cosh" () Float Own;
    Tanh "tanh" () Float Own;
    Asinh "asinh" () Float Own;
    Acosh "acosh" () Float Own;
    Atanh "atanh" () Float Own;
    Hypot "hypot" (Own) Float Own;
    Powf "powf" (Own) Float Own;
    Powi "powi" (I32) Float Own;
    MulAdd "mul_add" (Own Own) Float Own;
    Floor "floor" () Float Own;
    Ceil "ceil" () Float Own;
    Round "round" () Float Own;
    Trunc "trunc" () Float Own;
    Fract "fract" () Float Own;
    Recip "recip" () Float Own;
    Copysign "copysign" (Own) Float Own;
    ToRadians "to_radians" () Float Own;
    ToDegrees "to_degrees" () Float Own;
    IsNan "is_nan" () Float Bool;
    IsFinite "is_finite" () Float Bool;
    IsInfinite "is_infinite" () Float Bool;
    Pow "pow" (U32) Integer Own;
    AbsDiff "abs_diff" (Own) Integer Unsigned;
    WrappingAdd "wrapping_add" (Own) Integer Own;
    WrappingSub "wrapping_sub" (Own) Integer Own;
    WrappingMul "wrapping_mul" (Own) Integer Own;
    WrappingShl "wrapping_shl" (U32) Integer Own;
    WrappingShr "wrapping_shr" (U32) Integer Own;
    SaturatingAdd "saturating_add" (Own) Integer Own;
    SaturatingSub "saturating_sub" (Own) Integer Own;
    RotateLeft "rotate_left" (U32) Integer Own;
    RotateRight "rotate_right" (U32) Integer Own;
    CountOnes "count_ones" () Integer U32;
    LeadingZeros "leading_zeros" () Integer U32;
    TrailingZeros "trailing_zeros" () Integer U32;
}

impl MathFn {
    /// Whether it takes many times as long as a sum.
    pub fn takes_long(self) -> bool {
        use MathFn::{Abs, Clamp, Max, Min, MulAdd};
        !matches!(self, Abs | Clamp | Max | Min | MulAdd)
    }

    /// The Rust name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The function of that name.
    pub fn from_name(name: &str) -> Option<MathFn> {
        MathFn::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Number of operands.
    pub fn arity(self) -> usize {
        1 + self.row().operands.len()
    }

    /// The type of an operand (the receiver is operand 0) of the method that belongs to `own`.
    pub fn operand(self, index: usize, own: Scalar) -> Scalar {
        match index.checked_sub(1).and_then(|i| self.row().operands.get(i)) {
            Some(role) => role.of(own),
            None => own,
        }
    }

    /// The type that an operand has whatever the receiver's is.
    pub fn fixed_operand(self, index: usize) -> Option<Scalar> {
        match index.checked_sub(1).and_then(|i| self.row().operands.get(i))? {
            Role::Own | Role::Unsigned => None,
            role @ (Role::I32 | Role::U32 | Role::Bool) => Some(role.of(Scalar::I32)),
        }
    }

    /// The type of the result of the method that belongs to `own`.
    pub fn result(self, own: Scalar) -> Scalar {
        self.row().result.of(own)
    }

    /// Whether the result has the type of the receiver.
    pub fn keeps_type(self) -> bool {
        self.row().result == Role::Own
    }

    /// Whether it is defined for this type (of its first operand).
    pub fn accepts(self, scalar: Scalar) -> bool {
        match self.row().domain {
            Domain::Number => scalar.is_number(),
            Domain::Signed => scalar.is_signed(),
            Domain::Float => scalar.is_float(),
            Domain::Integer => scalar.is_integer(),
        }
    }
}
