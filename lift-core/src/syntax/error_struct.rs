//! The texts of errors about structs.

use crate::diag::Diagnostic;
use crate::ir::types::MOST_PARTS;
use crate::span::Span;
use crate::text::list;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

pub(super) fn unnamed_fields(span: Span, name: &str) -> Diagnostic {
    new("L0124", span, format!("the fields of the struct `{name}` need names"))
        .help(format!("write `struct {name} {{ x: f32, … }}`, or use a tuple"))
}

pub(super) fn no_fields(span: Span, name: &str) -> Diagnostic {
    new("L0124", span, format!("the struct `{name}` has no fields, so it holds nothing"))
        .help("leave it out, or give it fields")
}

pub(super) fn field_type(span: Span, name: &str) -> Diagnostic {
    new("L0124", span, format!("the fields of `{name}` must be scalars, or tuples and structs of scalars"))
        .help("an array of structs is fine, `[Particle; N]`; arrays in structs are not")
}

pub(super) fn recursive(span: Span, name: &str) -> Diagnostic {
    new("L0150", span, format!("the struct `{name}` contains itself"))
        .help("values have a size that is known, so no struct can be a part of itself")
}

pub(super) fn too_many_parts(span: Span, name: &str) -> Diagnostic {
    new("L0272", span, format!("the struct `{name}` has more than {MOST_PARTS} parts"))
        .note("a struct of structs has all of their parts")
        .help("keep large data in arrays of their own: each is a parameter")
}

pub(super) fn update(span: Span) -> Diagnostic {
    new("L0124", span, "the fields of a struct cannot be taken over with `..`")
        .help("write them out: `x: old.x`")
}

pub(super) fn unknown_struct(span: Span, name: &str, near: Option<&str>) -> Diagnostic {
    let fault = new("L0105", span, format!("there is no struct called `{name}` in this block"));
    match near {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None if name.contains("::") => fault.help("structs are defined in the block, without a path"),
        None => fault.help(format!("define it: `struct {name} {{ … }}`")),
    }
}

/// `Point(0.0, 0.0)`, `Point::new(0.0, 0.0)`
pub(super) fn constructor(span: Span, called: &str, name: &str, fields: &[String]) -> Diagnostic {
    let fields: Vec<String> = fields.iter().map(|field| format!("{field}: …")).collect();
    new("L0124", span, format!("`{called}` is no function: a struct is made of its fields"))
        .help(format!("write `{name} {{ {} }}`", fields.join(", ")))
}

pub(super) fn unknown_field(span: Span, owner: Option<&str>, field: &str, near: Option<&str>) -> Diagnostic {
    let fault = match owner {
        Some(owner) => new("L0121", span, format!("the struct `{owner}` has no field `{field}`")),
        None => new("L0121", span, format!("no struct of this block has a field `{field}`")),
    };
    match near {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault,
    }
}

pub(super) fn missing_fields(span: Span, owner: &str, missing: &[&str], pattern: bool) -> Diagnostic {
    let fields = if missing.len() == 1 { "the field" } else { "the fields" };
    let fault = new(
        "L0122",
        span,
        format!(
            "{fields} {} of `{owner}` {} missing",
            list(missing, "and"),
            if missing.len() == 1 { "is" } else { "are" }
        ),
    );
    if pattern { fault.help("name them all, or end with `..`: `Name { x, .. }`") } else { fault }
}
