//! What users are told about kernels that update parameters: one function per fault. Codes L0180–L0189.

use crate::diag::Diagnostic;
use crate::span::Span;
use crate::text::count;

fn new(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

/// `&mut` in a function that is no kernel.
pub(super) fn update_in_helper(span: Span, name: &str) -> Diagnostic {
    new("L0180", span, format!("only a kernel can update a parameter, and `{name}` is none"))
        .help("take the array by value, return the new one, and `write_to` it in the kernel")
}

/// `&mut` of something else than an array.
pub(super) fn update_of_scalar(span: Span, name: &str) -> Diagnostic {
    new("L0180", span, format!("`{name}` is no array: only arrays can be updated"))
        .help("return the value instead, or write `&mut [T; 1]`")
}

/// The target of an update is no such parameter.
pub(super) fn not_updatable(span: Span, name: Option<&str>) -> Diagnostic {
    match name {
        Some(name) => new("L0181", span, format!("`{name}` cannot be updated"))
            .help(format!("only what the kernel declares as `&mut` can: `{name}: &mut [f32; N]`")),
        None => new("L0181", span, "only a parameter of the kernel can be updated, not a part of one")
            .help("name a parameter that is declared as `&mut [f32; N]`"),
    }
}

/// Two updates of one parameter.
pub(super) fn updated_twice(span: Span, name: &str) -> Diagnostic {
    new("L0181", span, format!("`{name}` is updated twice"))
        .note(
            "all that is read of it is what it contained before the kernel, so one of the two would be lost",
        )
        .help("compute the new contents in one expression, or use two kernels")
}

/// No update of a parameter.
pub(super) fn never_updated(span: Span, name: &str) -> Diagnostic {
    new("L0182", span, format!("`{name}` is never updated"))
        .help(format!("write `write_to({name}, …);`, or leave out the `&mut`"))
}

/// An update within an expression.
pub(super) fn update_inside(span: Span) -> Diagnostic {
    new("L0183", span, "an update cannot stand within an expression")
        .help("it is a statement in the body of a kernel; compute the whole array here, and update there")
}

/// `write_to` where a value is needed.
pub(super) fn update_as_value(span: Span) -> Diagnostic {
    new("L0183", span, "`write_to` is a statement and has no value")
        .help("it stands in the body of a kernel, followed by `;`: `write_to(dst, e);`")
}

/// An update with too many or too few arguments.
pub(super) fn update_arguments(span: Span, name: &str, found: usize) -> Diagnostic {
    let form = if name == "write_to" { "write_to(dst, e)" } else { "scatter_to(dst, idx, vals)" };
    new("L0110", span, format!("`{form}` is the form of this update; here are {}", count(found, "argument")))
}

/// A value at the end of a kernel without a result.
pub(super) fn value_without_result(span: Span, name: &str) -> Diagnostic {
    new("L0184", span, format!("this value goes nowhere: `{name}` has no result"))
        .help("say its type, `-> [f32; N]`, or write it to a parameter: `write_to(dst, …);`")
}

/// No value at the end of a kernel with a result.
pub(super) fn result_without_value(span: Span, name: &str) -> Diagnostic {
    new("L0184", span, format!("`{name}` promises a result, but its body ends without a value"))
        .help("end it with the result, without `;`, or leave out the type after `->`")
}
