//! The texts of errors about `#[types(..)]`.

use crate::diag::Diagnostic;
use crate::span::Span;

fn new(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new("L0147", span, message)
}

pub(super) fn no_choice(span: Span) -> Diagnostic {
    new(span, "`#[types]` lists the scalar types that a type variable stands for")
        .help("write `#[types(T = f32, f64)]`; several variables are separated by `;`")
}

pub(super) fn not_a_kernel(span: Span, name: &str) -> Diagnostic {
    new(span, format!("`#[types]` belongs on a kernel, and `{name}` is none"))
        .help("remove it: a helper with a type variable works for every type it is called with")
}

pub(super) fn not_declared(span: Span, variable: &str, kernel: &str) -> Diagnostic {
    new(span, format!("`{kernel}` has no type variable `{variable}`"))
        .help(format!("declare it: `fn {kernel}<{variable}, …>(…)`"))
}

pub(super) fn never_used(span: Span, variable: &str) -> Diagnostic {
    new(span, format!("the kernel never mentions `{variable}`, so all its instances would be the same"))
        .help(format!("use it, for example as the type of elements: `x: [{variable}; N]`"))
}

pub(super) fn twice(span: Span, name: &str) -> Diagnostic {
    new(span, format!("`{name}` is listed twice")).help("leave one out")
}

pub(super) fn too_many(span: Span, most: usize, variables: usize) -> Diagnostic {
    new(span, format!("these are more than {most} combinations of types, or more than {variables} variables"))
        .help("each is a kernel of its own: list the ones you need")
}
