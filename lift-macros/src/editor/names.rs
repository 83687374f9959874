//! Which names in a function are sizes: those in lengths of arrays.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::tokens::parts;

/// The names in the lengths of arrays, each where it stands first.
pub(super) fn sizes(streams: impl IntoIterator<Item = TokenStream>) -> Vec<Ident> {
    let mut found = Vec::new();
    for stream in streams {
        in_lengths(stream, &mut found);
    }
    found
}

fn in_lengths(stream: TokenStream, found: &mut Vec<Ident>) {
    for token in stream {
        let TokenTree::Group(group) = token else { continue };
        let halves = parts(group.stream(), ';');
        if let (Delimiter::Bracket, [_, length]) = (group.delimiter(), halves.as_slice()) {
            idents(length.iter().cloned().collect(), found);
        }
        in_lengths(group.stream(), found);
    }
}

/// All names, each where it stands first.
pub(super) fn idents(stream: TokenStream, found: &mut Vec<Ident>) {
    for token in stream {
        match token {
            TokenTree::Ident(ident) if !FUNCTIONS.iter().any(|it| ident == it) => {
                if !found.contains(&ident) {
                    found.push(ident);
                }
            }
            TokenTree::Group(group) => idents(group.stream(), found),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Functions of sizes.
const FUNCTIONS: [&str; 3] = ["min", "max", "div_ceil"];
