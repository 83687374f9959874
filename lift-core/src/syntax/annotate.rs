//! Kernels with strategies that stand somewhere else than in the source: in a file, or in a search for better ones.

use std::str::FromStr as _;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// The body of a `lift!` call in which every kernel has the strategies that `of` names for it: names of versions, and the steps that lead to them. What
/// is not made of tokens is left out. Places of the new tokens are those of the kernels' names.
pub fn with_strategies(tokens: TokenStream, of: impl Fn(&str) -> Vec<(String, String)>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut result = TokenStream::new();
    for (i, token) in tokens.iter().enumerate() {
        // The attribute that makes a function a kernel is where others may stand, too.
        if let (true, Some(name)) = (is_kernel(&tokens[i..]), function_after(&tokens[i..])) {
            for (version, steps) in of(&name.to_string()) {
                result.extend(located(attribute(&version, &steps).unwrap_or_default(), name.span()));
            }
        }
        result.extend([token.clone()]);
    }
    result
}

/// `#[strategy(version: steps)]`, if the version is a name and the steps are tokens: whatever else a file says, it does not leave the attribute.
fn attribute(version: &str, steps: &str) -> Option<TokenStream> {
    let name: Ident = syn::parse_str(version).ok()?;
    let inside = [TokenTree::Ident(name), TokenTree::Punct(Punct::new(':', Spacing::Alone))];
    let inside = inside.into_iter().chain(TokenStream::from_str(steps).ok()?).collect();
    let word = TokenTree::Ident(Ident::new("strategy", Span::call_site()));
    let meta = [word, TokenTree::Group(Group::new(Delimiter::Parenthesis, inside))].into_iter().collect();
    let bracket = TokenTree::Group(Group::new(Delimiter::Bracket, meta));
    Some([TokenTree::Punct(Punct::new('#', Spacing::Alone)), bracket].into_iter().collect())
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

#[cfg(test)]
mod tests {
    use super::with_strategies;

    fn annotated(version: &str, steps: &str) -> String {
        let kernel = "const A: f32 = 1.0; #[kernel] pub fn K<N>(xs: [f32; N]) -> [f32; N] { xs }";
        let of = |name: &str| {
            assert_eq!(name, "K");
            vec![(version.to_string(), steps.to_string())]
        };
        with_strategies(kernel.parse().unwrap(), of).to_string().replace(' ', "")
    }

    #[test]
    fn kernels_get_their_strategies() {
        let text = annotated("fast", "tile(4).to_local()");
        assert!(text.contains("#[strategy(fast:tile(4).to_local())]#[kernel]pubfnK"), "{text}");
    }

    #[test]
    fn texts_do_not_leave_the_attribute() {
        let without = annotated("fast", "unbalanced)] fn evil() {} #[allow(");
        assert!(!without.contains("strategy") && !without.contains("evil"), "{without}");
        for version in ["", "two names", "a: b)] fn evil() {}", "7"] {
            assert!(!annotated(version, "unroll()").contains("strategy"), "{version}");
        }
        assert!(
            annotated("fast", "unroll(), fn evil").contains("#[strategy(fast:unroll(),fnevil)]#[kernel]")
        );
    }
}
