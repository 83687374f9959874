//! Items of a macro call, told apart by their tokens.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};

/// What stands in a macro call.
pub(super) enum Item {
    Function(Function),
    /// `const` or `type`, with all its tokens.
    Definition(Vec<TokenTree>),
    /// A `struct`, which is one in Rust as well.
    Struct,
    /// An expression, or what cannot be told apart.
    Rest(Vec<TokenTree>),
}

/// A function.
pub(super) struct Function {
    /// The contents of `#[..]`.
    pub(super) attributes: Vec<TokenStream>,
    pub(super) name: Ident,
    pub(super) generics: Vec<TokenTree>,
    pub(super) params: Group,
    pub(super) result: Vec<TokenTree>,
    pub(super) body: Group,
}

impl Function {
    /// Whether hosts launch it.
    pub(super) fn is_kernel(&self) -> bool {
        self.attributes.iter().any(|it| it.to_string() == "kernel")
    }
}

/// The items of a macro call.
pub(super) fn items(stream: TokenStream) -> Vec<Item> {
    let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
    // The form with helpers and an expression.
    if let [TokenTree::Group(group)] = tokens.as_slice()
        && group.delimiter() == Delimiter::Brace
    {
        tokens = group.stream().into_iter().collect();
    }
    let mut items = Vec::new();
    let mut rest = tokens.as_slice();
    while !rest.is_empty() {
        let (item, after) = item(rest);
        items.push(item);
        rest = after;
    }
    items
}

fn item(tokens: &[TokenTree]) -> (Item, &[TokenTree]) {
    let (attributes, start) = before(tokens);
    let found = match tokens.get(start).map(ToString::to_string).as_deref() {
        Some("fn") => function(attributes, &tokens[start + 1..]).map(|(it, rest)| (Item::Function(it), rest)),
        Some("const" | "type") => {
            let end = position(&tokens[start..], |token| is_punct(token, ';')).map(|i| start + i + 1);
            end.map(|end| (Item::Definition(tokens[start..end].to_vec()), &tokens[end..]))
        }
        Some("struct") => {
            let is_end = |token: &TokenTree| is_punct(token, ';') || is_group(token, Delimiter::Brace);
            position(&tokens[start..], is_end).map(|i| (Item::Struct, &tokens[start + i + 1..]))
        }
        _ => None,
    };
    found.unwrap_or_else(|| (Item::Rest(tokens.to_vec()), &[]))
}

/// Attributes and visibility before an item, and where it starts.
fn before(tokens: &[TokenTree]) -> (Vec<TokenStream>, usize) {
    let (mut attributes, mut i) = (Vec::new(), 0);
    loop {
        match (tokens.get(i), tokens.get(i + 1)) {
            (Some(hash), Some(TokenTree::Group(group))) if is_punct(hash, '#') => {
                attributes.push(group.stream());
                i += 2;
            }
            (Some(TokenTree::Ident(word)), next) if word == "pub" => {
                let restricted = next.is_some_and(|it| is_group(it, Delimiter::Parenthesis));
                i += if restricted { 2 } else { 1 };
            }
            _ => return (attributes, i),
        }
    }
}

/// What follows `fn`.
fn function(attributes: Vec<TokenStream>, tokens: &[TokenTree]) -> Option<(Function, &[TokenTree])> {
    let TokenTree::Ident(name) = tokens.first()? else { return None };
    let open = position(tokens, |token| is_group(token, Delimiter::Parenthesis))?;
    let close = position(tokens, |token| is_group(token, Delimiter::Brace))?;
    let (TokenTree::Group(params), TokenTree::Group(body)) = (tokens.get(open)?, tokens.get(close)?) else {
        return None;
    };
    let generics = tokens.get(1..open)?.to_vec();
    // Behind `->`.
    let result = tokens.get(open + 1..close)?.iter().skip(2).cloned().collect();
    let (name, params, body) = (name.clone(), params.clone(), body.clone());
    Some((Function { attributes, name, generics, params, result, body }, &tokens[close + 1..]))
}

fn position(tokens: &[TokenTree], is_wanted: impl Fn(&TokenTree) -> bool) -> Option<usize> {
    tokens.iter().position(is_wanted)
}

pub(super) fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// A sign that is no part of a longer one.
pub(super) fn is_single(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted && punct.spacing() == Spacing::Alone)
}

pub(super) fn is_group(token: &TokenTree, wanted: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == wanted)
}

/// What stands between commas, or between other signs.
pub(super) fn parts(stream: TokenStream, between: char) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in stream {
        match parts.last_mut() {
            Some(part) if !is_punct(&token, between) => part.push(token),
            _ => parts.push(Vec::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A group with other contents.
pub(super) fn regrouped(group: &Group, inner: TokenStream) -> TokenTree {
    let mut regrouped = Group::new(group.delimiter(), inner);
    regrouped.set_span(group.span());
    TokenTree::Group(regrouped)
}

/// All arguments of a call as one.
pub(super) fn one_argument(group: &Group) -> TokenTree {
    let inner = TokenTree::Group(Group::new(group.delimiter(), group.stream()));
    regrouped(group, inner.into())
}
