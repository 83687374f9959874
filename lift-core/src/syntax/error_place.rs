//! What users are told about `#[work_group(..)]`, as far as the attribute itself is wrong. Code L0188.

use crate::diag::Diagnostic;
use crate::span::Span;

/// Something else than one to three numbers.
pub(super) fn not_a_shape(span: Span) -> Diagnostic {
    Diagnostic::new(
        "L0188",
        span,
        "`#[work_group(..)]` takes one to three numbers of work-items, at most 65536 in all",
    )
    .help("write `#[work_group(64, 4)]`: groups of 64 work-items in dimension 0 and 4 in dimension 1")
}

/// On a helper.
pub(super) fn no_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0188", span, format!("only a kernel has work-groups, and `{name}` is none"))
        .help("write `#[kernel]` as well, or move the attribute to the kernel that uses it")
}
