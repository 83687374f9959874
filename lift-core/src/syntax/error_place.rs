//! What users are told about `#[work_group(..)]` and `#[stores(..)]`, as far as the attributes themselves are wrong. Codes L0188 and
//! L0189.

use crate::diag::Diagnostic;
use crate::span::Span;

/// No list of numbers.
pub(super) fn not_a_shape(span: Span) -> Diagnostic {
    Diagnostic::new("L0188", span, "`#[work_group(..)]` takes one to three numbers of work-items")
        .help("write `#[work_group(64, 4)]`: groups of 64 work-items in dimension 0 and 4 in dimension 1")
}

/// Numbers that no device can follow.
pub(super) fn wrong_shape(span: Span, extents: &[i64]) -> Diagnostic {
    let wrote: Vec<String> = extents.iter().map(ToString::to_string).collect();
    let wrote = format!("`#[work_group({})]`", wrote.join(", "));
    let message = match extents {
        [_, _, _, _, ..] => format!("{wrote} has {} dimensions, and there are three", extents.len()),
        extents if extents.iter().any(|n| *n < 1) => {
            format!("groups of the shape {wrote} have no work-items")
        }
        _ => format!("groups of the shape {wrote} have more work-items than any device allows"),
    };
    Diagnostic::new("L0188", span, message)
        .help("write `#[work_group(64, 4)]`, for example; devices allow 256 to 1024 work-items in a group, and some more")
}

/// On a helper.
pub(super) fn no_kernel(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0188", span, format!("only a kernel has work-groups, and `{name}` is none"))
        .help("write `#[kernel]` as well, or move the attribute to the kernel that uses it")
}

/// Not `streaming`.
pub(super) fn no_way_to_store(span: Span) -> Diagnostic {
    Diagnostic::new("L0189", span, "`#[stores(..)]` takes `streaming`, and nothing else")
        .help("write `#[stores(streaming)]`: vectors of the results are stored past the caches")
}

/// On a helper.
pub(super) fn stores_nothing(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new("L0189", span, format!("only a kernel stores, and `{name}` is none"))
        .help("write `#[kernel]` as well, or move the attribute to the kernel that uses it")
}
