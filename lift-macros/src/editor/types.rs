//! How types are shown. The lengths of a Rust array are constants with values, and editors show these; so an array is an `Array<f32, N>`, whose
//! length is a type with the name of the size.

use lift_core::ir::SurfaceType;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::tokens::parts;
use crate::expand::element;

/// Types are made of these lengths, each by its name.
#[derive(Default)]
pub(super) struct Lengths(Vec<String>);

impl Lengths {
    /// A type that was found out.
    pub(super) fn of(&mut self, ty: &SurfaceType) -> TokenStream {
        match ty {
            SurfaceType::Scalar(scalar) => element(*scalar),
            SurfaceType::Array(inner, length) => {
                let inner = self.of(inner);
                self.array(&inner, &length.to_string())
            }
            SurfaceType::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.of(part));
                quote!((#(#parts,)*))
            }
            SurfaceType::Struct(name, _) => {
                let name = Ident::new(name, Span::call_site());
                quote!(#name)
            }
        }
    }

    /// A type that the user wrote. The tokens stand for none of the user's.
    pub(super) fn written(&mut self, tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
        let mut out = TokenStream::new();
        for mut token in tokens {
            token.set_span(Span::call_site());
            match token {
                TokenTree::Group(group) => {
                    let of = self.group(&group);
                    out.extend(of);
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => out.extend([token]),
            }
        }
        out
    }

    fn group(&mut self, group: &Group) -> TokenStream {
        let halves = parts(group.stream(), ';');
        match (group.delimiter(), halves.as_slice()) {
            (Delimiter::Bracket, [element, length]) => {
                let element = self.written(element.iter().cloned());
                let length: TokenStream = length.iter().cloned().collect();
                self.array(&element, &length.to_string())
            }
            _ => {
                let parts = parts(group.stream(), ',').into_iter().map(|part| self.written(part));
                let parts: Vec<TokenStream> = parts.collect();
                match (group.delimiter(), parts.as_slice()) {
                    (Delimiter::Parenthesis, [one]) => quote!((#one)),
                    _ => quote!((#(#parts),*)),
                }
            }
        }
    }

    fn array(&mut self, element: &TokenStream, length: &str) -> TokenStream {
        let name = name(length);
        if !self.0.contains(&name) {
            self.0.push(name.clone());
        }
        let name = Ident::new(&name, Span::call_site());
        quote!(Array<#element, types::lengths::#name>)
    }

    /// The lengths that occur.
    pub(super) fn definitions(&self) -> TokenStream {
        let names = self.0.iter().map(|name| Ident::new(name, Span::call_site()));
        quote!(pub mod lengths { #(pub struct #names;)* })
    }
}

/// A size as a name: `N + 2` is `N_plus_2`.
fn name(size: &str) -> String {
    let mut text = String::new();
    for sign in size.chars() {
        match sign {
            '+' => text.push_str("_plus_"),
            '-' => text.push_str("_minus_"),
            '*' => text.push_str("_times_"),
            '/' => text.push_str("_div_"),
            '%' => text.push_str("_mod_"),
            _ if sign.is_alphanumeric() => text.push(sign),
            _ => text.push('_'),
        }
    }
    let words: Vec<&str> = text.split('_').filter(|word| !word.is_empty()).collect();
    let name = words.join("_");
    // What begins with a digit is no name, nor are words of Rust's.
    match syn::parse_str::<Ident>(&name) {
        Ok(_) => name,
        Err(_) => format!("_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn sizes_become_names() {
        assert_eq!(name("N"), "N");
        assert_eq!(name("3"), "_3");
        assert_eq!(name("N + 2"), "N_plus_2");
        assert_eq!(name("2*N - 1"), "_2_times_N_minus_1");
        assert_eq!(name("min(N, M / 16)"), "min_N_M_div_16");
    }
}
