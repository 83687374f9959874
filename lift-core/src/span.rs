//! Source positions, kept apart from the trees that refer to them.
//!
//! A [`Span`] is a small index; the token positions it stands for sit in a [`SpanTable`] at the edge of the
//! compiler. Spans do not take part in identity: two terms that differ only in where they were written are
//! equal.

use proc_macro2::{Delimiter, LineColumn, Span as TokenSpan, TokenStream, TokenTree};

/// An entry of a [`SpanTable`]. All spans compare equal.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span(u32);

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl Span {
    /// Whether both are the same entry of their table, which `==` does not say.
    pub fn is(self, other: Span) -> bool {
        self.0 == other.0
    }
}

/// First and last token of every span of one macro call. Entry 0 is the call itself.
#[derive(Debug)]
pub struct SpanTable {
    ranges: Vec<(TokenSpan, TokenSpan)>,
    written: Vec<Written>,
}

/// A token as the user wrote it.
#[derive(Debug)]
struct Written {
    text: String,
    start: LineColumn,
    end: LineColumn,
}

/// A text of the user's that is quoted is at most so long.
const LONGEST: usize = 80;

impl SpanTable {
    /// A table that knows only the macro call as a whole.
    pub fn new() -> SpanTable {
        SpanTable { ranges: vec![(TokenSpan::call_site(), TokenSpan::call_site())], written: Vec::new() }
    }

    /// Keeps the tokens that spans are about, for [`SpanTable::text`].
    pub fn read(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.keep(open.to_string(), group.span_open());
                    self.read(group.stream());
                    self.keep(close.to_string(), group.span_close());
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.keep(token.to_string(), token.span());
                }
            }
        }
    }

    fn keep(&mut self, text: String, span: TokenSpan) {
        self.written.push(Written { text, start: span.start(), end: span.end() });
    }

    /// What the user wrote there, in one line and not too long, if that is known.
    pub fn text(&self, span: Span) -> Option<String> {
        if span.0 == 0 {
            return None;
        }
        let (first, last) = self.range(span);
        let (start, end) = (first.start(), last.end());
        let inside = self.written.iter().filter(|token| start <= token.start && token.end <= end);
        let mut text = String::new();
        let mut before: Option<LineColumn> = None;
        for Written { text: token, start, end } in inside {
            // Without positions, all tokens would be inside.
            if before.is_some_and(|before| *start < before) || start == end && !token.is_empty() {
                return None;
            }
            if before.is_some_and(|before| before < *start) && token != "." {
                text.push(' ');
            }
            text.push_str(token);
            before = Some(*end);
        }
        if text.chars().count() > LONGEST {
            text = text.chars().take(LONGEST - 1).chain(['…']).collect();
        }
        (!text.is_empty()).then_some(text)
    }

    /// Records the range from the first to the last token.
    pub fn add(&mut self, first: TokenSpan, last: TokenSpan) -> Span {
        self.ranges.push((first, last));
        Span(self.ranges.len() as u32 - 1)
    }

    /// The first and the last token of `span`.
    pub fn range(&self, span: Span) -> (TokenSpan, TokenSpan) {
        self.ranges.get(span.0 as usize).copied().unwrap_or(self.ranges[0])
    }

    /// Line and column (from 1) where `span` starts, and where it ends.
    pub fn position(&self, span: Span) -> ((usize, usize), (usize, usize)) {
        let (first, last) = self.range(span);
        let (start, end) = (first.start(), last.end());
        ((start.line, start.column + 1), (end.line, end.column + 1))
    }
}

impl Default for SpanTable {
    fn default() -> Self {
        SpanTable::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_users_wrote_is_quoted_in_one_line() {
        let tokens: TokenStream = "fn f() { a.b( x,\n  y ) }\n    .c([1, 2]) + d".parse().unwrap();
        let mut table = SpanTable::new();
        table.read(tokens.clone());
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let span =
            |table: &mut SpanTable, first: usize, last: usize| table.add(all[first].span(), all[last].span());
        let (name, call) = (span(&mut table, 1, 2), span(&mut table, 3, 6));
        assert_eq!(table.text(name).as_deref(), Some("f()"));
        assert_eq!(table.text(call).as_deref(), Some("{ a.b( x, y ) }.c([1, 2])"));
        assert_eq!(table.text(Span::default()), None);
    }
}
