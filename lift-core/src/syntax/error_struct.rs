//! The texts of errors about structs.

use crate::diag::{Diagnostic, faults};
use crate::ir::types::MOST_PARTS;
use crate::span::Span;
use crate::text::{list, meant};

faults! { pub(super),
    "L0124" unnamed_fields(name): "the fields of the struct `{name}` need names",
        help "write `struct {name} {{ x: f32, … }}`, or use a tuple";
    "L0124" no_fields(name): "the struct `{name}` has no fields, so it holds nothing",
        help "leave it out, or give it fields";
    /// `[Particle; 3]`, `[(f32, f32); 3]`
    "L0124" field_elements(name, field): "arrays in structs hold scalars, and `{field}` of `{name}` holds more",
        help "make an array of each part: `{field}_x: [f32; 3], {field}_y: [f32; 3]`";
    /// `[f32; N]`
    "L0124" field_length(name, size): "the length of an array in `{name}` must be a number, and `{size}` is none",
        note "all values of a struct have one size, which is known when the program is built",
        help "write a number or a constant, `const {size}: usize = 9;`; an array of any length is a parameter of its own";
    "L0150" recursive(name): "the struct `{name}` contains itself",
        help "values have a size that is known, so no struct can be a part of itself";
    "L0272" too_many_parts(name): "the struct `{name}` has more than {MOST_PARTS} parts",
        note "a struct of structs has all of their parts",
        help "keep large data in arrays of their own: each is a parameter";
    "L0124" update(): "the fields of a struct cannot be taken over with `..`",
        help "write them out: `x: old.x`";
    /// `Point(0.0, 0.0)`, `Point::new(0.0, 0.0)`
    "L0124" constructor(called, name, fields: &[String]): "`{called}` is no function: a struct is made of its fields",
        help "write `{name} {{ {}: … }}`" (fields.join(": …, "));
}

pub(super) fn unknown_struct(span: Span, name: &str, near: Option<&str>) -> Diagnostic {
    let message = format!("there is no struct called `{name}` in this block");
    Diagnostic::new("L0105", span, message).help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if name.contains("::") => "structs are defined in the block, without a path".into(),
        None => format!("define it: `struct {name} {{ … }}`"),
    })
}

pub(super) fn unknown_field(span: Span, owner: Option<&str>, field: &str, near: Option<&str>) -> Diagnostic {
    let message = match owner {
        Some(owner) => format!("the struct `{owner}` has no field `{field}`"),
        None => format!("no struct of this block has a field `{field}`"),
    };
    Diagnostic::new("L0121", span, message).help_if(meant(near))
}

pub(super) fn missing_fields(span: Span, owner: &str, missing: &[&str], pattern: bool) -> Diagnostic {
    let (noun, verb) = if missing.len() == 1 { ("field", "is") } else { ("fields", "are") };
    let message = format!("the {noun} {} of `{owner}` {verb} missing", list(missing, "and"));
    let help = pattern.then_some("name them all, or end with `..`: `Name { x, .. }`");
    Diagnostic::new("L0122", span, message).help_if(help)
}
