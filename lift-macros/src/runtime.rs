//! What generated code calls the runtime: a part of the facade, which users may have under any name, or from another crate that
//! exports it again.
//!
//! The facade's `lift!` therefore is a macro by example, whose `$crate` is the facade wherever it is expanded. It hands that over
//! before the user's tokens, which stay what they are.

use std::cell::RefCell;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

thread_local! {
    /// The `$crate` of the call that is expanded.
    static FACADE: RefCell<Option<Ident>> = const { RefCell::new(None) };
}

/// The path to the runtime.
pub(crate) struct Runtime;

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        FACADE.with_borrow(|facade| match facade {
            Some(facade) => tokens.extend(quote!(#facade::__private)),
            None => tokens.extend(quote!(::lift::__private)),
        });
    }
}

/// The path to what editors find for the names of the language.
pub(crate) struct Language;

impl ToTokens for Language {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        FACADE.with_borrow(|facade| match facade {
            Some(facade) => tokens.extend(quote!(#facade::language)),
            None => tokens.extend(quote!(::lift::language)),
        });
    }
}

/// Takes `@[$crate]` off the tokens, and keeps it for [`Runtime`].
pub(crate) fn facade(input: TokenStream) -> TokenStream {
    let mut tokens = input.clone().into_iter();
    let facade = match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Punct(at)), Some(TokenTree::Group(group))) if at.as_char() == '@' => {
            group.stream().into_iter().find_map(|token| match token {
                TokenTree::Ident(ident) => Some(ident),
                TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
            })
        }
        _ => None,
    };
    let users = if facade.is_some() { tokens.collect() } else { input };
    FACADE.set(facade);
    users
}
