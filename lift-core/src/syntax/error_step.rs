//! What users are told about `#[step(..)]`, as far as the attribute itself is wrong. Code L0185.

use crate::diag::Diagnostic;
use crate::span::Span;

/// `#[step = ..]`, or something else than names.
pub(super) fn not_names(span: Span) -> Diagnostic {
    Diagnostic::new("L0185", span, "`#[step(..)]` takes names of parameters")
        .help("write `#[step(p, before)]`: the result takes the place of `p`, and `p` that of `before`")
        .help("for several results, write a list for each, separated by `;`")
}

/// `#[step]` on a helper.
pub(super) fn no_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0185", span, format!("only a kernel can be a step in time, and `{name}` is none"))
        .help("write `#[kernel]` as well")
}
