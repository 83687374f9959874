//! What users are told about `#[strategy(..)]`, as far as the attribute itself is wrong. Code L0190.

use crate::diag::Diagnostic;
use crate::span::Span;

/// No chain of calls.
pub(super) fn no_steps(span: Span) -> Diagnostic {
    Diagnostic::new("L0190", span, "`#[strategy(..)]` takes steps, one after the other")
        .help("write `#[strategy(tile2d(2, 4).to_private())]`; or with a name, `#[strategy(blocks: tile2d(2, 4).to_private())]`")
}

/// A part of the chain that is no step.
pub(super) fn no_step(span: Span, name: Option<&str>) -> Diagnostic {
    let fault =
        Diagnostic::new("L0190", span, "a step of a strategy is a name with numbers in parentheses, or none");
    match name {
        Some(name) => fault.help(format!("write `{name}()`")),
        None => fault.help("write `tile2d(2, 4).to_private()`, for example"),
    }
}

/// On a helper.
pub(super) fn no_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0190", span, format!("only a kernel has versions, and `{name}` is none"))
        .help("write `#[kernel]` as well, or move the attribute to the kernel that uses it")
}
