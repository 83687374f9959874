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

/// How a number of one type is written as another, where that helps. `literal` is the number that the user wrote.
fn number_help(found: &str, wanted: &str, literal: Option<&str>) -> Option<String> {
    let dimensions = |ty: &str| ty.len() - ty.trim_start_matches('[').len();
    if dimensions(found) != dimensions(wanted) {
        return None;
    }
    let original = found;
    // Of arrays, the elements are what matters.
    let element = |ty: &str| ty.trim_start_matches('[').split(';').next().unwrap_or_default().to_string();
    let (found, wanted) = (element(found), element(wanted));
    let float = |ty: &str| is_float(ty) || ty == "{float}";
    let integer = |ty: &str| is_integer(ty) || ty == "{integer}";
    let rows = dimensions(original) > 0;
    match (found.as_str(), wanted.as_str(), literal) {
        (found, wanted, _) if rows && found == wanted => {
            Some(format!("declare it as `{original}`, or change the number of elements"))
        }
        ("{integer}", ty, Some(literal)) if float(ty) && rows => {
            Some(format!("write all numbers with a point: `{literal}.0`, …"))
        }
        ("{integer}", ty, Some(literal)) if float(ty) => Some(format!("write `{literal}.0`")),
        ("{integer}", ty, None) if float(ty) => Some("write the number with a point".into()),
        ("{float}", ty, Some(literal)) if integer(ty) => Some(match literal.strip_suffix(".0") {
            Some(whole) => format!("write `{whole}`"),
            None => format!("write a whole number in the place of `{literal}`"),
        }),
        ("{float}", ty, None) if integer(ty) => Some("write a whole number".into()),
        (found, "bool", _) if float(found) || integer(found) => Some("compare: `x != 0`".into()),
        ("bool", wanted, _) if float(wanted) || integer(wanted) => {
            Some("choose a number: `if b { … } else { … }`".into())
        }
        (found, wanted, _)
            if (float(found) || integer(found)) && (is_float(wanted) || is_integer(wanted)) =>
        {
            Some(format!("convert it: `… as {wanted}`"))
        }
        _ => None,
    }
}
