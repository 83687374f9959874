//! What a kernel is compiled from: its own tokens, and those of all that it names, directly or through what it names.
//!
//! Names are compared as identifiers without regard to scope: an over-approximation. Tokens outside of declarations belong to every kernel.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, LineColumn, Spacing, Span, TokenStream, TokenTree};

/// The items of a block.
#[derive(Debug)]
pub struct Items(Vec<Item>);

#[derive(Debug)]
struct Item {
    /// What it declares.
    names: BTreeSet<String>,
    /// All words in it.
    words: BTreeSet<String>,
    /// Its tokens, with spaces where there were some.
    text: String,
    /// Its tokens without spaces and documentation.
    bare: String,
}

/// What stands before the name of an item.
const DECLARATIONS: [&str; 4] = ["const", "fn", "struct", "type"];

impl Items {
    /// The items of the body of one `lift!` call.
    pub fn of(tokens: TokenStream) -> Items {
        let (mut items, mut item) = (Vec::new(), Vec::new());
        let is_value =
            |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "const" || word == "type");
        for token in tokens {
            let ends = match &token {
                TokenTree::Group(group) => {
                    group.delimiter() == Delimiter::Brace && !item.iter().any(is_value)
                }
                TokenTree::Punct(punct) => punct.as_char() == ';',
                TokenTree::Ident(_) | TokenTree::Literal(_) => false,
            };
            item.push(token);
            if ends {
                items.push(Item::of(std::mem::take(&mut item)));
            }
        }
        items.push(Item::of(item));
        Items(items)
    }

    /// The text of all that the item of this name is compiled from, which can be compiled by itself; without such an item, of everything.
    pub fn reached(&self, name: &str) -> String {
        self.items(name).map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Names the tokens that the item of this name is compiled from, whatever their comments and spaces, and on every machine alike: 16
    /// hexadecimal digits.
    pub fn fingerprint(&self, name: &str) -> String {
        lift_spec::fingerprint(self.items(name).flat_map(|item| item.bare.bytes()))
    }

    /// The items that the item of this name is compiled from, in their order; without such an item, all of them.
    fn items(&self, name: &str) -> impl Iterator<Item = &Item> {
        let mut known = vec![false; self.0.len()];
        let mut words = BTreeSet::from([name]);
        let is_there = self.0.iter().any(|item| item.names.contains(name));
        while let Some(new) = self.0.iter().enumerate().position(|(i, item)| {
            let is_named = item.names.iter().any(|name| words.contains(name.as_str()));
            !known[i] && (is_named || item.names.is_empty() || !is_there)
        }) {
            known[new] = true;
            words.extend(self.0[new].words.iter().map(String::as_str));
        }
        self.0.iter().zip(known).filter(|(_, known)| *known).map(|(item, _)| item)
    }
}

impl Item {
    fn of(tokens: Vec<TokenTree>) -> Item {
        let pairs = tokens.iter().zip(tokens.iter().skip(1));
        let declared = pairs.filter_map(|(before, name)| match (before, name) {
            (TokenTree::Ident(word), TokenTree::Ident(name)) if DECLARATIONS.iter().any(|it| word == it) => {
                Some(name.to_string())
            }
            _ => None,
        });
        let names = declared.collect();
        let mut item = Item { names, words: BTreeSet::new(), text: String::new(), bare: String::new() };
        bare(tokens.iter().cloned().collect(), &mut item.bare);
        item.read(tokens.into_iter(), &mut Last { kind: Kind::Delimiter, end: None });
        item
    }

    /// Adds tokens.
    fn read(&mut self, tokens: impl Iterator<Item = TokenTree>, last: &mut Last) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.add(open, group.span_open(), Kind::Delimiter, last);
                    self.read(group.stream().into_iter(), last);
                    self.add(close, group.span_close(), Kind::Delimiter, last);
                }
                TokenTree::Ident(word) => {
                    self.add(&word.to_string(), word.span(), Kind::Word, last);
                    self.words.insert(word.to_string());
                }
                TokenTree::Punct(punct) => {
                    let kind = Kind::Punct { joint: punct.spacing() == Spacing::Joint };
                    self.add(&punct.to_string(), punct.span(), kind, last);
                }
                TokenTree::Literal(literal) => {
                    self.add(&literal.to_string(), literal.span(), Kind::Word, last);
                }
            }
        }
    }

    /// Adds a token, with a space if it was written apart, which messages of launches show, or would not be told apart otherwise.
    fn add(&mut self, text: &str, span: Span, kind: Kind, last: &mut Last) {
        let apart = match (last.kind, kind) {
            (Kind::Word, Kind::Word) | (Kind::Punct { joint: false }, Kind::Punct { .. }) => true,
            _ => last.end != Some(span.start()),
        };
        if apart {
            self.text.push(' ');
        }
        self.text.push_str(text);
        *last = Last { kind, end: Some(span.end()) };
    }
}

/// Adds tokens without spaces, but for one between words, and without documentation.
fn bare(tokens: TokenStream, text: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(hash)
                if hash.as_char() == '#' && tokens.peek().is_some_and(is_documentation) =>
            {
                tokens.next();
            }
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => ["", ""],
                };
                text.push_str(open);
                bare(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(punct) => text.push(punct.as_char()),
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                if text.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    text.push(' ');
                }
                text.push_str(&token.to_string());
            }
        }
    }
}

/// Whether it is what follows `#` in a comment that documents something.
fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && first.is_some_and(|first| matches!(first, TokenTree::Ident(word) if word == "doc"))
}

/// What kind of token it is.
#[derive(Clone, Copy)]
enum Kind {
    /// A name or a literal.
    Word,
    /// Whether it belongs to the next token.
    Punct { joint: bool },
    /// The begin or the end of a group.
    Delimiter,
}

/// The token before.
struct Last {
    kind: Kind,
    /// Where it ended.
    end: Option<LineColumn>,
}
