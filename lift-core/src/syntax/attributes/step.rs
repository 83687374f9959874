//! `#[step(p, before; q)]`: what takes the place of what. Code L0185.

use syn::Token;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;

use super::{Attribute, Attributes, On};
use crate::diag::faults;
use crate::span::Span;
use crate::syntax::ast::Step;
use crate::syntax::parser::Parser;

pub(super) static STEP: Attribute = Attribute {
    name: "step",
    usage: "step(p, before; q)",
    about: "a step in time: the result takes the place of `p`, and `p` that of `before`; a second result takes that of `q`",
    on: On::Kernels("L0185", "only a kernel can be a step in time", "write `#[kernel]` as well"),
    read,
};

fn read(parser: &mut Parser<'_>, meta: &syn::Meta, span: Span, attributes: &mut Attributes) {
    let list = match meta {
        syn::Meta::Path(_) => Some(Vec::new()),
        syn::Meta::List(list) => chains.parse2(list.tokens.clone()).ok(),
        syn::Meta::NameValue(_) => None,
    };
    let Some(list) = list else { return parser.report(not_names(span)) };
    let chain = |names: Punctuated<syn::Ident, _>| names.iter().map(|name| parser.ident(name)).collect();
    attributes.step = Some(Step { chains: list.into_iter().map(chain).collect(), span });
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

faults! { pub(super),
    "L0185" not_names(): "`#[step(..)]` takes names of parameters",
        help "write `#[step(p, before)]`: the result takes the place of `p`, and `p` that of `before`",
        help "for several results, write a list for each, separated by `;`";
}
