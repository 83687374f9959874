//! `#[work_group(64, 4)]`: the shape of the work-groups. Code L0188.

use syn::Token;
use syn::punctuated::Punctuated;

use super::{ADD_OR_MOVE, Attribute, On};
use crate::diag::{Diagnostic, faults};
use crate::span::Span;

pub(super) static WORK_GROUP: Attribute = Attribute {
    name: "work_group",
    usage: "work_group(64, 4)",
    about: "the work-items of a group in every dimension",
    on: On::Kernels("L0188", "only a kernel has work-groups", ADD_OR_MOVE),
    read: |parser, meta, span, attributes| match extents(meta, span) {
        Ok(extents) => attributes.options.work_group = extents,
        Err(fault) => parser.report(fault),
    },
};

/// More work-items than any device has in a group.
const MOST: i64 = 1 << 16;

/// Up to three numbers, dimension 0 first.
fn extents(meta: &syn::Meta, span: Span) -> Result<Vec<i64>, Diagnostic> {
    let numbers = Punctuated::<syn::LitInt, Token![,]>::parse_terminated;
    let list = meta.require_list().and_then(|list| list.parse_args_with(numbers)).ok();
    let extents = list.and_then(|list| list.iter().map(|n| n.base10_parse::<i64>().ok()).collect());
    let extents: Vec<i64> = extents.unwrap_or_default();
    let items = extents.iter().try_fold(1i64, |all, n| all.checked_mul(*n));
    match extents.len() {
        0 => Err(not_a_shape(span)),
        1..=3 if extents.iter().all(|n| *n >= 1) && items.is_some_and(|items| items <= MOST) => Ok(extents),
        _ => Err(wrong_shape(span, &extents)),
    }
}

/// Numbers that no device can follow.
fn wrong_shape(span: Span, extents: &[i64]) -> Diagnostic {
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

faults! { pub(super),
    "L0188" not_a_shape(): "`#[work_group(..)]` takes one to three numbers of work-items",
        help "write `#[work_group(64, 4)]`: groups of 64 work-items in dimension 0 and 4 in dimension 1";
}
