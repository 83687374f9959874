//! The texts of type and size errors, one constructor per fault.

mod calls;
mod operators;
mod sizes;
mod values;

pub(super) use calls::*;
pub(super) use operators::*;
pub(super) use sizes::*;
pub(super) use values::*;

use crate::ir::Scalar;

/// Whether a size is one size variable.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_integer(ty: &str) -> bool {
    Scalar::from_name(ty).is_some_and(Scalar::is_integer)
}

fn is_float(ty: &str) -> bool {
    Scalar::from_name(ty).is_some_and(Scalar::is_float)
}

/// The type of a literal that nothing has decided yet, in words.
fn spoken(ty: &str) -> &str {
    match ty {
        "{integer}" => "an integer",
        "{float}" => "a float",
        _ => ty,
    }
}

/// How a number of one type is written as another.
fn number_help(found: &str, wanted: &str) -> String {
    match (found, wanted) {
        ("{integer}", ty) if is_float(ty) => "write the number with a point: `2.0`".into(),
        ("{float}", ty) if is_integer(ty) => "write a whole number".into(),
        _ => format!("convert one of them, for example with `as {wanted}`"),
    }
}
