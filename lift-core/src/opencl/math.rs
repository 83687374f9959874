//! Rust's methods on scalars in OpenCL C: as builtin functions where one means the same, else as helper
//! functions.

use crate::ir::{Literal, MathFn, Scalar};

/// How a method is written.
pub(super) enum Spelling {
    /// A builtin function.
    Builtin(&'static str),
    /// A builtin function whose result must be converted.
    Converted(&'static str),
    /// A helper function with the text of [`body`].
    Helper,
    /// `literal / x`
    Over(Literal),
    /// `x * literal`
    Times(Literal),
}

/// How the method that belongs to a type is written.
pub(super) fn spell(f: MathFn, scalar: Scalar) -> Spelling {
    let float = scalar.is_float();
    Spelling::Builtin(match f {
        MathFn::Abs if float => "fabs",
        MathFn::Min | MathFn::Max if float => return Spelling::Helper,
        MathFn::Min | MathFn::Max | MathFn::Clamp => f.name(),
        MathFn::Ln => "log",
        MathFn::Ln1p => "log1p",
        MathFn::ExpM1 => "expm1",
        MathFn::Powf => "pow",
        MathFn::Powi => "pown",
        MathFn::MulAdd => "fma",
        MathFn::AbsDiff => "abs_diff",
        MathFn::SaturatingAdd => "add_sat",
        MathFn::SaturatingSub => "sub_sat",
        MathFn::Sqrt
        | MathFn::Cbrt
        | MathFn::Exp
        | MathFn::Exp2
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
        | MathFn::Floor
        | MathFn::Ceil
        | MathFn::Round
        | MathFn::Trunc
        | MathFn::Copysign => f.name(),
        // Unsigned.
        MathFn::Abs => return Spelling::Converted("abs"),
        MathFn::CountOnes => return Spelling::Converted("popcount"),
        MathFn::LeadingZeros => return Spelling::Converted("clz"),
        // Numbers.
        MathFn::IsNan => return Spelling::Converted("isnan"),
        MathFn::IsFinite => return Spelling::Converted("isfinite"),
        MathFn::IsInfinite => return Spelling::Converted("isinf"),
        MathFn::Recip => return Spelling::Over(Literal::float(1.0, scalar)),
        MathFn::ToRadians => return Spelling::Times(Literal::float(std::f64::consts::PI / 180.0, scalar)),
        MathFn::ToDegrees => return Spelling::Times(Literal::float(180.0 / std::f64::consts::PI, scalar)),
        MathFn::Signum
        | MathFn::RemEuclid
        | MathFn::DivEuclid
        | MathFn::Fract
        | MathFn::Pow
        | MathFn::WrappingAdd
        | MathFn::WrappingSub
        | MathFn::WrappingMul
        | MathFn::WrappingShl
        | MathFn::WrappingShr
        | MathFn::RotateLeft
        | MathFn::RotateRight
        | MathFn::TrailingZeros => return Spelling::Helper,
    })
}

/// The parameters and the body of a helper. `ty` is the type in registers, and `unsigned` the unsigned type of
/// its width. Only [`MathFn::Min`] and [`MathFn::Max`] are for vectors, too.
pub(super) fn body(f: MathFn, scalar: Scalar, ty: &str, unsigned: &str) -> (String, String) {
    let last_bit = 8 * scalar.bytes() - 1;
    let one = format!("{ty} x");
    let two = format!("{ty} x, {ty} y");
    let with_count = format!("{ty} x, uint n");
    let (params, lines): (String, String) = match f {
        MathFn::Min | MathFn::Max => {
            // Which of two zeros `fmin` and `fmax` give is open: -0.0 is less than 0.0.
            let (builtin, op) = if f == MathFn::Min { ("fmin", '|') } else { ("fmax", '&') };
            let bits = format!("as_{unsigned}(x) {op} as_{unsigned}(y)");
            // C computes with numbers of 16 bits in 32.
            let bits = if scalar.bytes() < 4 { format!("({unsigned})({bits})") } else { bits };
            let zeros = format!("as_{ty}({bits})");
            let all = format!("return x == y ? {zeros} : {builtin}(x, y);");
            match scalar {
                // One instruction there, for which +0.0 is larger as well.
                Scalar::F32 => {
                    (two, format!("#ifdef __NV_CL_C_VERSION\nreturn {builtin}(x, y);\n#else\n{all}\n#endif"))
                }
                _ => (two, all),
            }
        }
        MathFn::Signum if scalar.is_float() => (one, format!("return isnan(x) ? x : copysign(({ty})1, x);")),
        MathFn::Signum => (one, "return x > 0 ? 1 : x < 0 ? -1 : 0;".into()),
        MathFn::Fract => (one, "return x - trunc(x);".into()),
        MathFn::RemEuclid if scalar.is_float() => {
            (two, format!("const {ty} r = fmod(x, y);\nreturn r < 0 ? r + fabs(y) : r;"))
        }
        MathFn::DivEuclid if scalar.is_float() => {
            (two, format!("const {ty} q = trunc(x / y);\nreturn fmod(x, y) < 0 ? y > 0 ? q - 1 : q + 1 : q;"))
        }
        MathFn::RemEuclid if scalar.is_signed() => (
            two,
            format!(
                "if (y == 0 || y == -1) {{\n    return 0;\n}}\nconst {ty} r = x % y;\n\
                 return r >= 0 ? r : y < 0 ? r - y : r + y;"
            ),
        ),
        MathFn::RemEuclid => (two, "return y == 0 ? 0 : x % y;".into()),
        MathFn::DivEuclid if scalar.is_signed() => (
            two,
            format!(
                "if (y == 0) {{\n    return 0;\n}}\nif (y == -1) {{\n    return ({ty})(0 - ({unsigned})x);\n}}\n\
                 const {ty} q = x / y;\nreturn x % y >= 0 ? q : y < 0 ? q + 1 : q - 1;"
            ),
        ),
        MathFn::DivEuclid => (two, "return y == 0 ? 0 : x / y;".into()),
        MathFn::Pow => {
            // In `ulong` nothing overflows that matters.
            let lines = "ulong power = 1, square = x;\nfor (; n != 0; n /= 2) {\n    \
                         power = n % 2 == 0 ? power : power * square;\n    square *= square;\n}\nreturn ";
            (with_count, format!("{lines}({ty})power;"))
        }
        MathFn::WrappingShl => (with_count, format!("return ({ty})(({unsigned})x << (n & {last_bit}));")),
        MathFn::WrappingShr => (with_count, format!("return x >> (n & {last_bit});")),
        MathFn::RotateLeft => (with_count, format!("return rotate(x, ({ty})(n & {last_bit}));")),
        MathFn::RotateRight => (with_count, format!("return rotate(x, ({ty})((0 - n) & {last_bit}));")),
        MathFn::TrailingZeros => {
            (one, format!("return popcount(({unsigned})(~({unsigned})x & (({unsigned})x - 1)));"))
        }
        _ => crate::bug!("`{}` needs no helper", f.name()),
    };
    (params, lines)
}
