//! `#[step(p, before; q)]`: what takes the place of what.

use syn::Token;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;

use super::ast::Step;
use super::error_step;
use super::parser::Parser;
use crate::span::Span;

impl Parser<'_> {
    /// Reads the attribute, whose place is `span`.
    pub(super) fn step_attribute(&mut self, meta: &syn::Meta, span: Span) -> Option<Step> {
        let list = match meta {
            syn::Meta::Path(_) => Some(Vec::new()),
            syn::Meta::List(list) => chains.parse2(list.tokens.clone()).ok(),
            syn::Meta::NameValue(_) => None,
        };
        let Some(list) = list else {
            self.report(error_step::not_names(span));
            return None;
        };
        let chain = |names: Punctuated<syn::Ident, _>| names.iter().map(|name| self.ident(name)).collect();
        Some(Step { chains: list.into_iter().map(chain).collect(), span })
    }
}

/// Lists of at least one name, separated by `;`.
fn chains(input: ParseStream<'_>) -> syn::Result<Vec<Punctuated<syn::Ident, Token![,]>>> {
    let mut chains = Vec::new();
    loop {
        chains.push(Punctuated::parse_separated_nonempty(input)?);
        if input.is_empty() {
            return Ok(chains);
        }
        input.parse::<Token![;]>()?;
    }
}
