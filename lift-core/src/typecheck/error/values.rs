//! What is said about types of values: results, fields, patterns and declarations.

use crate::diag::{Diagnostic, faults};
use crate::span::Span;
use crate::text::{list, meant};
use crate::typecheck::error::{number_help, spoken};

faults! { pub(in crate::typecheck),
    /// A function returns something else than it promises.
    "L0240" result_type(name, found, declared): "this yields {found}, but `{name}` promises {declared}";
    /// A field with a value of another type.
    "L0123" field_value(owner, field, expected, found): "the field `{field}` of `{owner}` is {expected}, and this \
     is {found}";
    /// A type that does not exist.
    "L0105" unknown_type(name): "there is no type called `{name}`",
        help "the scalar types are `f16 f32 f64`, `i8 i16 i32 i64`, `u8 u16 u32 u64`, `usize` and `bool`";
    /// A type where data is needed.
    "L0105" not_data(): "this is not a type of data", help "data are scalars, arrays and tuples of them";
    /// A type that nothing determines.
    "L0211" ambiguous(name): "the type of `{name}` cannot be inferred",
        help "say it: `|{name}: [[f32; W]; H]| …`";
    /// A parameter gets contents of another type.
    "L0243" update_type(name, declared, found): "`{name}` is {declared}, but what is written to it is {found}";
    /// `[]`
    "L0242" empty_array(): "an array literal needs at least one element";
    /// A kernel parameter of a type that only helpers may have.
    "L0105" kernel_type(name): "the kernel parameter `{name}` must have one definite type of data",
        help "write the type, or list those of a type variable: `#[types(T = f32, f64)]`";
    /// A pattern that does not fit.
    /// `instead`: a pattern that fits.
    "L0258" pattern(pattern, ty, instead: Option<String>): "the pattern {pattern} does not fit a value of type {ty}"
        => instead.map(|instead| format!("write `{instead}`"));
    /// `let x: T = …` of another type.
    "L0258" annotation(declared: &str, found: &str, literal: Option<&str>):
        "this is declared as {declared}, but its value is {}" (spoken(found))
        => number_help(found, declared, literal);
    /// The elements of an array literal differ.
    "L0259" elements_differ(first: &str, other: &str, literal: Option<&str>):
        "the elements of an array have one type; the first is {}, this is {}" (spoken(first), spoken(other))
        => number_help(other, first, literal);
    /// A constant whose value has another type.
    "L0241" constant_type(name, declared: &str, found: &str, literal: Option<&str>):
        "`{name}` is declared as {declared}, but its value is {}" (spoken(found))
        => number_help(found, declared, literal);
    /// A part of something whose type is not known yet.
    "L0256" unknown_owner(part, param): "the type must be known before `.{part}` can be taken",
        help "say it: `|p: {param}| …`";
}

/// `.0` of something that is no tuple.
/// `parts`: how many it has.
pub(in crate::typecheck) fn no_field(span: Span, index: usize, ty: &str, parts: usize) -> Diagnostic {
    if ty == "_" {
        return unknown_owner(span, index, "(f32, f32)");
    }
    let d = Diagnostic::new("L0257", span, format!("{ty} has no component `.{index}`"));
    if ty.starts_with('[') {
        return d.help(format!("an element of an array is `[{index}]`"));
    }
    match parts {
        0 => d.note("only tuples have components"),
        parts => d.help(format!("its components are `.0` to `.{}`", parts - 1)),
    }
}

/// `.x` of something that has no such field.
pub(in crate::typecheck) fn no_named_field(
    span: Span,
    owner: &str,
    field: &str,
    near: Option<&str>,
    fields: &[&str],
) -> Diagnostic {
    if owner == "_" {
        return unknown_owner(span, field, "Name");
    }
    let d = Diagnostic::new("L0121", span, format!("{owner} has no field `{field}`"));
    match near {
        Some(_) => d.help_if(meant(near)),
        None if owner.starts_with('(') => d.help("the parts of a tuple are `.0`, `.1`, …"),
        None if owner.starts_with('[') => d.help(format!("take it of every element: `.map(|x| x.{field})`")),
        None if fields.is_empty() => d,
        None => d.note(format!("its fields are {}", list(fields, "and"))),
    }
}
