//! OpenCL C: the only place that prints the target language.
//!
//! Before: imperative kernels with their barriers. After: the complete text of a program, for OpenCL 1.2 and
//! later. Tunables are macros that the launcher defines; sizes are macros, too, or arguments of every kernel function. Sizes are numbers of
//! type `index_t`, which is `int` by default (`-D N=4096`), or `long` (`-D index_t=long -D N=4096L`) where `int` does not hold one of
//! [`Printed::widest`].

mod expr;
mod helpers;
mod index;
mod lanes;
mod math;
mod names;
mod plan;
mod print;
mod reserved;
mod source;
mod wrap;

use crate::ir::Scalar;

#[cfg(test)]
mod tests;

pub use names::{defines, entry};
pub use source::{Case, Printed, print};

/// Text and how strongly its outermost operator binds.
struct Text {
    prec: u8,
    text: String,
}

impl Text {
    fn new(prec: u8, text: impl Into<String>) -> Text {
        Text { prec, text: text.into() }
    }

    /// The text as an operand that must bind at least so strongly.
    fn at(&self, prec: u8) -> String {
        if self.prec < prec { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// How strongly C's operators bind.
mod prec {
    pub(super) const SELECT: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const BIT_OR: u8 = 4;
    pub(super) const BIT_XOR: u8 = 5;
    pub(super) const BIT_AND: u8 = 6;
    pub(super) const EQUAL: u8 = 7;
    pub(super) const COMPARE: u8 = 8;
    pub(super) const ADD: u8 = 9;
    pub(super) const MUL: u8 = 10;
    pub(super) const UNARY: u8 = 11;
    pub(super) const ATOM: u8 = 12;
}

/// The type in registers.
fn type_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        Scalar::F16 => "half",
        Scalar::I8 => "char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long",
        Scalar::U8 => "uchar",
        Scalar::U16 => "ushort",
        Scalar::U32 => "uint",
        Scalar::U64 | Scalar::Usize => "ulong",
        Scalar::Bool => "bool",
    }
}
