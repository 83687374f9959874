//! `#[size(N % 128 == 0, M >= 17)]`: what holds of sizes.

use syn::Token;
use syn::punctuated::Punctuated;

use super::{Attribute, Attributes, On};
use crate::span::Span;
use crate::syntax::error;
use crate::syntax::parser::Parser;

pub(super) static SIZE: Attribute = Attribute {
    name: "size",
    usage: "size(N % 128 == 0, M >= 17)",
    about: "what holds of sizes: a launch of a kernel checks it, and so does the compiler at every call of a helper",
    on: On::Functions,
    read,
};

fn read(parser: &mut Parser<'_>, meta: &syn::Meta, span: Span, attributes: &mut Attributes) {
    let errors = parser.errors();
    let relations = match meta.require_list() {
        Ok(list) => list.parse_args_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated),
        Err(_) => Ok(Punctuated::new()),
    };
    match relations {
        Ok(relations) if relations.is_empty() => parser.report(error::size_without_facts(span)),
        Ok(relations) => {
            attributes.facts.extend(relations.iter().filter_map(|relation| parser.fact(relation)))
        }
        Err(fault) => parser.not_rust(&fault),
    }
    attributes.broken_fact |= parser.errors() > errors;
}
