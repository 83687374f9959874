//! The echo of a macro call.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;

use super::names;
use super::sites::Sites;
use super::tokens::{Function, Item, is_punct, items, one_argument, parts};
use super::types::Lengths;

/// What was read, and what is made of it.
pub(super) struct Echo {
    /// Rust for editors.
    pub(super) items: TokenStream,
    /// The patterns in it whose types are to be defined.
    pub(super) sites: Sites,
}

/// The user's tokens as Rust for editors.
pub(super) fn echo(input: &TokenStream) -> Echo {
    let items = items(input.clone());
    let mut echoed = Echoed { defined: defined(&items), sites: Sites::new(helpers(&items)) };
    let items = items.iter().map(|it| echoed.item(it)).collect();
    Echo { items, sites: echoed.sites }
}

/// The names of constants and of types.
fn defined(items: &[Item]) -> Vec<Ident> {
    let name = |it: &Item| match it {
        Item::Definition(tokens) => match tokens.get(1) {
            Some(TokenTree::Ident(name)) => Some(name.clone()),
            _ => None,
        },
        Item::Function(_) | Item::Struct | Item::Rest(_) => None,
    };
    items.iter().filter_map(name).collect()
}

/// A type of which nothing is known. What is converted to it could not be converted to a struct.
fn type_variable(name: &Ident, function: &Function) -> TokenStream {
    match is_converted_to(name, function.body.stream()) {
        true => quote!(type #name = unknown::T;),
        false => quote!(struct #name;),
    }
}

fn is_converted_to(name: &Ident, stream: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let is_here = |pair: &[TokenTree]| matches!(pair, [TokenTree::Ident(word), TokenTree::Ident(it)] if word == "as" && it == name);
    let is_inside =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if is_converted_to(name, group.stream()));
    tokens.windows(2).any(is_here) || tokens.iter().any(is_inside)
}

/// The names of helpers.
fn helpers(items: &[Item]) -> Vec<String> {
    let name = |it: &Item| match it {
        Item::Function(function) if !function.is_kernel() => Some(function.name.to_string()),
        Item::Function(_) | Item::Definition(_) | Item::Struct | Item::Rest(_) => None,
    };
    items.iter().filter_map(name).collect()
}

struct Echoed {
    /// The names that the block defines, other than those of functions.
    defined: Vec<Ident>,
    sites: Sites,
}

impl Echoed {
    fn item(&mut self, item: &Item) -> TokenStream {
        match item {
            Item::Function(it) => self.function(it),
            Item::Definition(tokens) => self.definition(tokens),
            // Structs are Rust already.
            Item::Struct => TokenStream::new(),
            Item::Rest(tokens) => self.rest(tokens.iter().cloned().collect()),
        }
    }

    /// A function: its body stands in one of another name, because a helper can be applied to some of its arguments.
    fn function(&mut self, function: &Function) -> TokenStream {
        let Function { attributes, generics, params: group, result, body, .. } = function;
        let parameters = parts(group.stream(), ',');
        let is_param = |name: &Ident| {
            let is_name = |it: &TokenTree| matches!(it, TokenTree::Ident(it) if it == name);
            parameters.iter().any(|it| it.iter().take_while(|it| !is_punct(it, ':')).any(is_name))
        };
        let mut sizes = names::sizes([group.stream(), written(result), body.stream()]);
        sizes.retain(|it| !self.defined.contains(it) && !is_param(it));
        let chosen: Vec<(Ident, TokenStream)> = attributes.iter().flat_map(chosen).collect();
        let (mut types, sizes) = declared(&written(generics), sizes);
        types.retain(|it| !chosen.iter().any(|(name, _)| name == it));
        let (chosen, instead): (Vec<Ident>, Vec<TokenStream>) = chosen.into_iter().unzip();
        let facts = attributes.iter().filter_map(attribute);
        let own_sites = self.sites.first.len();
        let parameters: Vec<TokenStream> = parameters.iter().map(|it| self.sites.bound(it)).collect();
        let result = (!result.is_empty()).then(|| quote!(let _: Option<#(#result)*>;));
        let body = self.sites.expression(body.stream());
        let is_function = |it: &TokenTree| matches!(it, TokenTree::Ident(word) if word == "fn" || word == "Boundary" || word == "Nat");
        if !types.is_empty() || group.stream().into_iter().any(|it| is_function(&it)) {
            self.sites.forget(own_sites);
        }
        let helper = (!function.is_kernel()).then(|| helper(function, &mut self.sites.lengths));
        let types: TokenStream = types.iter().map(|name| type_variable(name, function)).collect();
        let inner = Ident::new("body", Span::mixed_site());
        quote! {
            #helper
            const _: () = {
                #(static #sizes: usize = at_launch();)*
                #(type #chosen = #instead;)*
                #types
                fn #inner(#(#parameters),*) {
                    #(#facts)*
                    #result
                    let _ = { #body };
                }
            };
        }
    }

    /// A constant, or another name for a type.
    fn definition(&mut self, tokens: &[TokenTree]) -> TokenStream {
        let equals = tokens.iter().position(|it| is_punct(it, '='));
        let (Some(equals), [TokenTree::Ident(word), ..]) = (equals, tokens) else {
            return TokenStream::new();
        };
        let (before, value) = (&tokens[1..equals], &tokens[equals + 1..tokens.len() - 1]);
        if word == "type" {
            let of = self.sites.lengths.written(value.iter().cloned());
            return quote!(type #(#before)* = Written<#of, #(#value)*>;);
        }
        let is_function = matches!(value, [TokenTree::Ident(_), TokenTree::Group(_), ..]);
        match is_function {
            // What primitives give is no array of Rust's.
            true => {
                let value = self.sites.expression(written(value));
                quote!(const #(#before)* = is(#value);)
            }
            false => quote!(const #(#before)* = #(#value)*;),
        }
    }

    /// An expression.
    fn rest(&mut self, stream: TokenStream) -> TokenStream {
        let mut sizes = names::sizes([stream.clone()]);
        sizes.retain(|it| !self.defined.contains(it));
        let value = self.sites.expression(stream);
        let inner = Ident::new("body", Span::mixed_site());
        quote! {
            const _: () = {
                #(static #sizes: usize = at_launch();)*
                fn #inner() { let _ = { #value }; }
            };
        }
    }
}

/// What a helper is for the functions that use it, with its signature and what the user says about it.
fn helper(function: &Function, lengths: &mut Lengths) -> TokenStream {
    let Function { attributes, name, generics, params, result, .. } = function;
    let (generics, params, result) = (text(written(generics)), text(params.stream()), text(written(result)));
    let signature = format!("```text\nfn {name}{generics}({params}) -> {result}\n```");
    let signature = Literal::string(&signature);
    let returned = lengths.written(function.result.iter().cloned());
    let documentation = attributes.iter().filter(|it| it.to_string().starts_with("doc "));
    quote! {
        #[doc = #signature]
        #(#[#documentation])*
        fn #name<A>(arguments: A) -> #returned { loop {} }
    }
}

/// Tokens as people write them.
fn text(stream: TokenStream) -> String {
    let pairs = [
        (" ;", ";"),
        (" ,", ","),
        (" :", ":"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" (", "("),
    ];
    pairs.iter().fold(stream.to_string(), |text, (from, to)| text.replace(from, to))
}

fn written(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// Types and sizes, where they are declared. Sizes need not be.
fn declared(generics: &TokenStream, mut sizes: Vec<Ident>) -> (Vec<Ident>, Vec<Ident>) {
    let (mut types, mut listed) = (Vec::new(), Vec::new());
    names::idents(generics.clone(), &mut listed);
    for name in listed {
        match sizes.iter().position(|it| *it == name) {
            Some(i) => sizes[i] = name,
            None => types.push(name),
        }
    }
    (types, sizes)
}

/// The type variables that an attribute gives types for, with the first type of each.
fn chosen(attribute: &TokenStream) -> Vec<(Ident, TokenStream)> {
    let Some((name, inner)) = applied(attribute) else { return Vec::new() };
    if name != "types" {
        return Vec::new();
    }
    let mut found = Vec::new();
    for choice in parts(inner, ';') {
        if let [TokenTree::Ident(name), equals, first, ..] = choice.as_slice()
            && is_punct(equals, '=')
        {
            found.push((name.clone(), quote!(#first)));
        }
    }
    found
}

/// What an attribute says about sizes and parameters, and its steps.
fn attribute(attribute: &TokenStream) -> Option<TokenStream> {
    let (name, inner) = applied(attribute)?;
    match name.to_string().as_str() {
        "size" => Some(quote!(let _ = (#inner);)),
        "strategy" => {
            let steps = steps(inner);
            Some(quote!(let _ = Strategy.#steps;))
        }
        "step" => {
            let mut found = Vec::new();
            names::idents(inner, &mut found);
            Some(quote!(#(let _ = &#found;)*))
        }
        _ => None,
    }
}

/// The steps of a strategy, without its name. The numbers of each are one argument.
fn steps(inner: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = inner.into_iter().collect();
    let tokens = match tokens.as_slice() {
        [TokenTree::Ident(_), colon, steps @ ..] if is_punct(colon, ':') => steps,
        steps => steps,
    };
    let one = |token: &TokenTree| match token {
        TokenTree::Group(group) => one_argument(group),
        token => token.clone(),
    };
    tokens.iter().map(one).collect()
}

/// An attribute with arguments.
fn applied(attribute: &TokenStream) -> Option<(Ident, TokenStream)> {
    let mut tokens = attribute.clone().into_iter();
    match (tokens.next()?, tokens.next()?) {
        (TokenTree::Ident(name), TokenTree::Group(group)) => Some((name, group.stream())),
        _ => None,
    }
}
