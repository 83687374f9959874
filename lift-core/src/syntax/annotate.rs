//! Kernels with strategies that stand somewhere else than in the source: in a file, or in a search for better ones.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// The body of a `lift!` call in which every kernel has the strategies that `of` names for it: names of versions, and the steps that lead to them. What
/// is not made of tokens is left out. Places of the new tokens are those of the kernels' names.
pub fn with_strategies(tokens: TokenStream, of: impl Fn(&str) -> Vec<(String, String)>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut result = TokenStream::new();
    for (i, token) in tokens.iter().enumerate() {
        // The attribute that makes a function a kernel is where others may stand, too.
        if let (true, Some(name)) = (is_kernel(&tokens[i..]), function_after(&tokens[i..])) {
            for (version, steps) in of(&name.to_string()) {
                let attribute = format!("#[strategy({version}: {steps})]").parse().unwrap_or_default();
                result.extend(located(attribute, name.span()));
            }
        }
        result.extend([token.clone()]);
    }
    result
}

/// Whether `#[kernel]` stands here.
fn is_kernel(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = tokens else { return false };
    let mut inside = group.stream().into_iter();
    let first = inside.next();
    hash.as_char() == '#'
        && group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(word)) if word == "kernel")
        && inside.next().is_none()
}

/// The name of the function to which an attribute belongs.
fn function_after(tokens: &[TokenTree]) -> Option<&Ident> {
    let at = tokens.iter().position(|token| matches!(token, TokenTree::Ident(word) if word == "fn"))?;
    match tokens.get(at + 1) {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

/// The same tokens, at this place of the user's.
fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), located(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut other => {
            other.set_span(span);
            other
        }
    });
    moved.collect()
}
