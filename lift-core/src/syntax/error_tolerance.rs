//! What users are told about `#[approximate(..)]`. Code L0195.

use crate::diag::Diagnostic;
use crate::span::Span;

/// No number, or none between 0 and 1.
pub(super) fn no_part(span: Span) -> Diagnostic {
    Diagnostic::new(
        "L0195",
        span,
        "`#[approximate(..)]` takes a number between 0 and 1, with a point or an exponent",
    )
    .help("write `#[approximate(1e-3)]`: constant weights may differ by a thousandth of the largest of them")
}

/// On a helper.
pub(super) fn no_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        "L0195",
        span,
        format!("only the weights of a kernel are approximated, and `{name}` is none"),
    )
    .help("write `#[kernel]` as well, or move the attribute to the kernel that uses it")
}
