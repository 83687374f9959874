//! `#[work_group(64, 4)]`, the shape of the work-groups, and `#[stores(streaming)]`, how they store.

use syn::Token;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;

use super::error_place;
use super::parser::Parser;
use crate::span::Span;

/// More work-items than any device has in a group.
const MOST: i64 = 1 << 16;

impl Parser<'_> {
    /// Reads the attribute, whose place is `span`: up to three numbers, dimension 0 first. None if it is wrong.
    pub(super) fn group_attribute(&mut self, meta: &syn::Meta, span: Span) -> Vec<i64> {
        let numbers = Punctuated::<syn::LitInt, Token![,]>::parse_terminated;
        let list = match meta {
            syn::Meta::List(list) => numbers.parse2(list.tokens.clone()).ok(),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => None,
        };
        let extents: Option<Vec<i64>> =
            list.and_then(|list| list.iter().map(|n| n.base10_parse::<i64>().ok()).collect());
        let legal = |extents: &Vec<i64>| {
            let items = extents.iter().try_fold(1i64, |all, n| all.checked_mul(*n));
            (1..=3).contains(&extents.len())
                && extents.iter().all(|n| *n >= 1)
                && items.is_some_and(|items| items <= MOST)
        };
        match extents {
            Some(extents) if legal(&extents) => return extents,
            Some(extents) if !extents.is_empty() => self.report(error_place::wrong_shape(span, &extents)),
            Some(_) | None => self.report(error_place::not_a_shape(span)),
        }
        Vec::new()
    }

    /// Checks the attribute, whose place is `span`: there is one way to store.
    pub(super) fn stores_attribute(&mut self, meta: &syn::Meta, span: Span) {
        let legal = match meta {
            syn::Meta::List(list) => list.parse_args::<syn::Ident>().is_ok_and(|way| way == "streaming"),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
        };
        if !legal {
            self.report(error_place::no_way_to_store(span));
        }
    }
}
