//! Refuses token streams that are nested too deeply.
//!
//! The parser and all later stages recurse over what they read, and so does freeing it. Before: any tokens.
//! After: recursion along any path through the tokens fits into the stack of a thread (2 MiB), even where
//! the parser is not optimised, as in most builds of macros.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// KiB of stack that the parser may need.
const MAX_STACK: usize = 1400;
/// Tokens on one path: a chain of n operators is a tree of depth n.
const MAX_TOKENS: usize = 2048;

/// What lies on the path to a token.
#[derive(Clone, Copy, Default)]
struct Path {
    stack: usize,
    tokens: usize,
}

/// The place where the tokens are nested too deeply, if there is one.
pub(super) fn too_deep(tokens: &TokenStream) -> Option<Span> {
    walk(tokens.clone(), Path::default())
}

fn walk(tokens: TokenStream, outer: Path) -> Option<Span> {
    let mut path = outer;
    // Closure parameters and generic arguments contain commas that do not end the expression.
    let mut open = false;
    // Whether a prefix operator may stand here, not an infix operator.
    let mut prefix = true;
    let mut before = ' ';
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        path.tokens += 1;
        let last = std::mem::replace(&mut before, ' ');
        match &token {
            TokenTree::Group(group) => {
                let cost = match group.delimiter() {
                    Delimiter::Parenthesis | Delimiter::None => 17,
                    Delimiter::Bracket => 36,
                    Delimiter::Brace => 28,
                };
                let inner = Path { stack: path.stack + cost, ..path };
                if inner.stack > MAX_STACK {
                    return Some(group.span_open());
                }
                if let Some(span) = walk(group.stream(), inner) {
                    return Some(span);
                }
                if group.delimiter() == Delimiter::Brace && tokens.peek().is_some_and(starts_anew) {
                    (path, open) = (outer, false);
                }
                prefix = false;
            }
            TokenTree::Punct(punct) => {
                before = punct.as_char();
                let joint = punct.spacing() == Spacing::Joint;
                let comparison =
                    joint && matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '=');
                match before {
                    ';' => (path, open) = (outer, false),
                    ',' if !open => path = outer,
                    '<' if !comparison => {
                        path.stack += 62;
                        open = true;
                    }
                    '>' if last == '-' => path.stack += 45,
                    '|' if prefix => {
                        path.stack += 19;
                        open = true;
                    }
                    '=' if !comparison && !matches!(last, '=' | '!' | '<' | '>') => path.stack += 20,
                    '-' | '!' | '*' | '&' if prefix => path.stack += 6,
                    _ => {}
                }
                prefix = true;
            }
            TokenTree::Ident(ident) => {
                prefix = KEYWORDS.contains(&ident.to_string().as_str());
                path.stack += if prefix { 20 } else { 0 };
            }
            TokenTree::Literal(_) => prefix = false,
        }
        if path.stack > MAX_STACK || path.tokens > MAX_TOKENS {
            return Some(token.span());
        }
    }
    None
}

/// Whether a token after `{ … }` starts a new item or statement, whatever came before.
fn starts_anew(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(ident) => {
            let word = ident.to_string();
            word != "else" && word != "as"
        }
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

/// Keywords after which an expression, type or pattern may follow directly.
const KEYWORDS: [&str; 28] = [
    "if", "match", "while", "for", "in", "loop", "return", "break", "yield", "let", "unsafe", "async",
    "await", "move", "static", "const", "try", "do", "become", "dyn", "impl", "fn", "mut", "ref", "raw",
    "box", "builtin", "where",
];
