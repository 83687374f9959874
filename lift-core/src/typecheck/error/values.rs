//! What is said about types of values: results, fields, patterns and declarations.

use crate::diag::Diagnostic;
use crate::span::Span;
use crate::typecheck::error::{helped, number_help, spoken};

/// A function returns something else than it promises.
pub(in crate::typecheck) fn result_type(span: Span, name: &str, found: &str, declared: &str) -> Diagnostic {
    Diagnostic::new("L0240", span, format!("this yields {found}, but `{name}` promises {declared}"))
}

/// `.0` of something that is no tuple.
/// `parts`: how many it has.
pub(in crate::typecheck) fn no_field(span: Span, index: usize, ty: &str, parts: usize) -> Diagnostic {
    if ty == "_" {
        return Diagnostic::new(
            "L0256",
            span,
            format!("the type must be known before `.{index}` can be taken"),
        )
        .help("say it: `|p: (f32, f32)| …`");
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
        let message = format!("the type must be known before `.{field}` can be taken");
        return Diagnostic::new("L0256", span, message).help("say it: `|p: Name| …`");
    }
    let d = Diagnostic::new("L0121", span, format!("{owner} has no field `{field}`"));
    match near {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None if owner.starts_with('(') => d.help("the parts of a tuple are `.0`, `.1`, …"),
        None if owner.starts_with('[') => d.help(format!("take it of every element: `.map(|x| x.{field})`")),
        None if fields.is_empty() => d,
        None => d.note(format!("its fields are {}", crate::text::list(fields, "and"))),
    }
}

/// A field with a value of another type.
pub(in crate::typecheck) fn field_value(
    span: Span,
    owner: &str,
    field: &str,
    expected: &str,
    found: &str,
) -> Diagnostic {
    Diagnostic::new(
        "L0123",
        span,
        format!("the field `{field}` of `{owner}` is {expected}, and this is {found}"),
    )
}

/// A pattern that does not fit.
/// `instead`: a pattern that fits.
pub(in crate::typecheck) fn pattern(
    span: Span,
    pattern: &str,
    ty: &str,
    instead: Option<String>,
) -> Diagnostic {
    let d =
        Diagnostic::new("L0258", span, format!("the pattern {pattern} does not fit a value of type {ty}"));
    helped(d, instead.map(|instead| format!("write `{instead}`")))
}

/// `let x: T = …` of another type.
pub(in crate::typecheck) fn annotation(
    span: Span,
    declared: &str,
    found: &str,
    literal: Option<&str>,
) -> Diagnostic {
    let message = format!("this is declared as {declared}, but its value is {}", spoken(found));
    let d = Diagnostic::new("L0258", span, message);
    helped(d, number_help(found, declared, literal))
}

/// The elements of an array literal differ.
pub(in crate::typecheck) fn elements_differ(
    span: Span,
    first: &str,
    other: &str,
    literal: Option<&str>,
) -> Diagnostic {
    let d = Diagnostic::new(
        "L0259",
        span,
        format!(
            "the elements of an array have one type; the first is {}, this is {}",
            spoken(first),
            spoken(other)
        ),
    );
    helped(d, number_help(other, first, literal))
}

/// A type that does not exist.
pub(in crate::typecheck) fn unknown_type(span: Span, name: &str) -> Diagnostic {
    let d = Diagnostic::new("L0105", span, format!("there is no type called `{name}`"));
    d.help("the scalar types are `f16 f32 f64`, `i8 i16 i32 i64`, `u8 u16 u32 u64`, `usize` and `bool`")
}

/// A type where data is needed.
pub(in crate::typecheck) fn not_data(span: Span) -> Diagnostic {
    Diagnostic::new("L0105", span, "this is not a type of data")
        .help("data are scalars, arrays and tuples of them")
}

/// A type that nothing determines.
pub(in crate::typecheck) fn ambiguous(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0211", span, format!("the type of `{name}` cannot be inferred"))
        .help(format!("say it: `|{name}: [[f32; W]; H]| …`"))
}

/// A parameter gets contents of another type.
pub(in crate::typecheck) fn update_type(span: Span, name: &str, declared: &str, found: &str) -> Diagnostic {
    Diagnostic::new("L0243", span, format!("`{name}` is {declared}, but what is written to it is {found}"))
}

/// A constant whose value has another type.
pub(in crate::typecheck) fn constant_type(
    span: Span,
    name: &str,
    declared: &str,
    found: &str,
    literal: Option<&str>,
) -> Diagnostic {
    let message = format!("`{name}` is declared as {declared}, but its value is {}", spoken(found));
    let d = Diagnostic::new("L0241", span, message);
    helped(d, number_help(found, declared, literal))
}

/// `[]`
pub(in crate::typecheck) fn empty_array(span: Span) -> Diagnostic {
    Diagnostic::new("L0242", span, "an array literal needs at least one element")
}

/// A kernel parameter of a type that only helpers may have.
pub(in crate::typecheck) fn kernel_type(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        "L0105",
        span,
        format!("the kernel parameter `{name}` must have one definite type of data"),
    )
    .help("write the type, or list those of a type variable: `#[types(T = f32, f64)]`")
}
