//! Where variables are bound: by `let` and by closures. Each gets a type, by a name that the end of the echo defines, so that what comes before
//! does not depend on whether types are known.

use std::collections::BTreeSet;

use lift_core::syntax::language;
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use super::tokens::{is_group, is_punct, is_single, one_argument, parts, regrouped};
use super::types::Lengths;

/// The patterns that have no type of the user's, and the lengths in those types that are written.
pub(super) struct Sites {
    /// The functions that can be applied to some of their arguments: those of the language and the block's.
    functions: BTreeSet<String>,
    /// The first token of each, if it has one type.
    pub(super) first: Vec<Option<Span>>,
    pub(super) lengths: Lengths,
}

/// The name of the type of a pattern.
pub(super) fn name(index: usize) -> Ident {
    Ident::new(&format!("T{index}"), Span::call_site())
}

/// The name of the function to which the value of a `let` is given.
pub(super) fn conversion(index: usize) -> Ident {
    Ident::new(&format!("is{index}"), Span::call_site())
}

/// Primitives that take any number of arrays, or different numbers of arguments: as methods they take one, the tuple of all.
const OVERLOADED: [&str; 8] = ["zip", "zip2d", "zip3d", "concat", "slide2d", "slide3d", "pad2d", "pad3d"];

impl Sites {
    /// None yet, in a block with these functions.
    pub(super) fn new(helpers: Vec<String>) -> Sites {
        let functions = language().into_iter().chain(helpers).collect();
        Sites { functions, first: Vec::new(), lengths: Lengths::default() }
    }

    /// The tokens of an expression or of statements, with a type for every pattern.
    pub(super) fn expression(&mut self, stream: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let (mut out, mut rest, mut last) = (TokenStream::new(), tokens.as_slice(), None);
        while let [token, after @ ..] = rest {
            rest = after;
            let before = &tokens[..tokens.len() - rest.len() - 1];
            match token {
                TokenTree::Ident(word) if word == "let" => {
                    let (pattern, after) = until(rest, |it| is_single(it, '=') || is_punct(it, ';'));
                    let is = self.conversion(pattern);
                    let bound = self.bound(pattern);
                    out.extend(quote!(#token #bound));
                    rest = after;
                    if let [equals, after @ ..] = after
                        && is_single(equals, '=')
                    {
                        let (value, after) = until(after, |it| is_punct(it, ';'));
                        let value = self.expression(value.iter().cloned().collect());
                        let value = Group::new(Delimiter::Parenthesis, value);
                        out.extend(quote!(#equals #is #value));
                        rest = after;
                    }
                }
                TokenTree::Punct(_) if is_single(token, '|') && last.is_none_or(is_before_operand) => {
                    let (patterns, after) = until(rest, |it| is_punct(it, '|'));
                    let patterns = patterns.split(|it| is_punct(it, ',')).filter(|it| !it.is_empty());
                    let patterns: Vec<TokenStream> = patterns.map(|it| self.bound(it)).collect();
                    out.extend(quote!(#token #(#patterns),*));
                    out.extend(after.first().cloned());
                    rest = after.get(1..).unwrap_or_default();
                }
                TokenTree::Group(group) => {
                    let is_fields = group.delimiter() == Delimiter::Brace && last.is_some_and(is_type);
                    let inner = match is_fields {
                        true => self.fields(group),
                        false => self.expression(group.stream()),
                    };
                    let group = regrouped(group, inner);
                    // An array that is written out is one of the language.
                    if is_group(&group, Delimiter::Bracket) && last.is_none_or(is_before_operand) {
                        out.extend(quote!(array_of(#group)));
                        last = Some(token);
                        continue;
                    }
                    out.extend([match &group {
                        TokenTree::Group(group) if self.takes_one(before) => one_argument(group),
                        _ => group,
                    }]);
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    out.extend([token.clone()])
                }
            }
            last = Some(token);
        }
        out
    }

    /// Forgets where patterns stand, from one on: those of a function for many types have no type of their own.
    pub(super) fn forget(&mut self, from: usize) {
        self.first.iter_mut().skip(from).for_each(|first| *first = None);
    }

    /// Whether what stands before the arguments of a call is a function, or a method, that takes all of them as one.
    fn takes_one(&self, before: &[TokenTree]) -> bool {
        match before {
            [.., dot, TokenTree::Ident(name)] if is_punct(dot, '.') => OVERLOADED.iter().any(|it| name == it),
            [.., TokenTree::Ident(name)] => self.functions.contains(&name.to_string()),
            _ => false,
        }
    }

    /// A pattern, or a parameter, with a type. The user's type stands in a type without a meaning, for its names.
    pub(super) fn bound(&mut self, tokens: &[TokenTree]) -> TokenStream {
        let (pattern, of) = until(tokens, |it| is_single(it, ':'));
        let Some(first) = pattern.first().map(first_span) else { return TokenStream::new() };
        match of {
            [_, of @ ..] => {
                let shown = self.lengths.written(of.iter().cloned());
                quote!(#(#pattern)*: Written<#shown, #(#of)*>)
            }
            [] => {
                let name = name(self.first.len());
                self.first.push(Some(first));
                quote!(#(#pattern)*: types::#name<_>)
            }
        }
    }

    /// The function that makes a value of the type of a variable, to which `let` binds it: one that is known to be of another type would be a mistake.
    fn conversion(&self, pattern: &[TokenTree]) -> TokenStream {
        match pattern.iter().any(|it| is_single(it, ':')) {
            true => quote!(is),
            false => {
                let name = conversion(self.first.len());
                quote!(types::#name)
            }
        }
    }

    /// The fields of a struct: in Rust, they are arrays as they are written.
    fn fields(&mut self, group: &Group) -> TokenStream {
        let fields = parts(group.stream(), ',').into_iter().map(|field| match field.as_slice() {
            [name, colon, value @ ..] if is_single(colon, ':') => {
                let value = self.expression(value.iter().cloned().collect());
                quote!(#name #colon is(#value))
            }
            [name @ TokenTree::Ident(_)] => {
                let mut field = name.clone();
                field.set_span(Span::call_site());
                quote!(#field: is(#name))
            }
            other => quote!(#(#other)*),
        });
        let fields: Vec<TokenStream> = fields.collect();
        quote!(#(#fields),*)
    }
}

/// Where a token begins.
fn first_span(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_open(),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.span(),
    }
}

/// What comes before a token, and the rest.
fn until(tokens: &[TokenTree], is_end: impl Fn(&TokenTree) -> bool) -> (&[TokenTree], &[TokenTree]) {
    tokens.split_at(tokens.iter().position(is_end).unwrap_or(tokens.len()))
}

/// Whether it is the name of a struct.
fn is_type(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(name) if name.to_string().starts_with(char::is_uppercase))
}

/// Whether what follows is no operand of a binary operator.
fn is_before_operand(token: &TokenTree) -> bool {
    match token {
        // The second sign of `||` begins no closure.
        TokenTree::Punct(punct) => punct.as_char() != '|' || punct.spacing() == Spacing::Alone,
        TokenTree::Ident(word) => word == "else" || word == "return" || word == "in",
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}
