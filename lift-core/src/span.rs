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

    /// Keeps the tokens that spans are about, for [`SpanTable::call`].
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
        if !text.is_empty() {
            self.written.push(Written { text, start: span.start(), end: span.end() });
        }
    }

    /// The call that is there, or whose function's name is there, in one line and not too long, if that is known:
    /// `gather(at, xs)`, and of methods `xs.gather(at)`, without what `xs` is if that is more than a name.
    pub fn call(&self, span: Span) -> Option<String> {
        if span.0 == 0 {
            return None;
        }
        let (start, end) = self.range(span);
        let (start, end) = (start.start(), end.end());
        let mut starts = (0..self.written.len()).filter(|i| self.written[*i].start == start);
        // Where nothing has a position, all tokens start there.
        let (Some(mut first), None) = (starts.next(), starts.next()) else { return None };
        let mut last = self.written.iter().position(|token| token.end == end)?;
        let text = |i: usize| self.written.get(i).map_or("", |token| token.text.as_str());
        let is_name = |i: usize| text(i).starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if first == last && is_name(first) {
            last += self.arguments(last + 1);
            while first > 0 && text(first - 1) == "." {
                first -= 1;
                if first == 0 || !is_name(first - 1) {
                    break;
                }
                first -= 1;
            }
        }
        let call = self.line(self.written.get(first..=last)?);
        let is_long = call.chars().count() > LONGEST;
        Some(if is_long { call.chars().take(LONGEST - 1).chain(['…']).collect() } else { call })
    }

    /// How many tokens from this one on are arguments in parentheses.
    fn arguments(&self, first: usize) -> usize {
        let mut open = 0;
        for (i, token) in self.written.iter().skip(first).enumerate() {
            match token.text.as_str() {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            if open == 0 {
                return if token.text == ")" { i + 1 } else { 0 };
            }
        }
        0
    }

    /// Tokens with spaces where there were some, but for methods on lines of their own.
    fn line(&self, tokens: &[Written]) -> String {
        let mut line = String::new();
        let mut before: Option<LineColumn> = None;
        for Written { text, start, end } in tokens {
            if before.is_some_and(|before| before < *start) && text != "." {
                line.push(' ');
            }
            line.push_str(text);
            before = Some(*end);
        }
        line
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

    /// The calls of `gather` in a text.
    fn calls(text: &str) -> Vec<Option<String>> {
        fn names(tokens: TokenStream, found: &mut Vec<TokenSpan>) {
            for token in tokens {
                match token {
                    TokenTree::Group(group) => names(group.stream(), found),
                    TokenTree::Ident(ident) if ident == "gather" => found.push(ident.span()),
                    TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
        }
        let tokens: TokenStream = text.parse().expect("tokens");
        let (mut table, mut found) = (SpanTable::new(), Vec::new());
        table.read(tokens.clone());
        names(tokens, &mut found);
        let spans: Vec<Span> = found.into_iter().map(|name| table.add(name, name)).collect();
        spans.into_iter().map(|span| table.call(span)).collect()
    }

    #[test]
    fn calls_are_quoted_as_they_were_written() {
        let quoted = |text: &str| calls(text).into_iter().map(Option::unwrap).collect::<Vec<_>>();
        assert_eq!(quoted("gather(at, f(xs)) + 1"), ["gather(at, f(xs))"]);
        assert_eq!(
            quoted("a(b.xs\n    .gather( at.map(|k| 2*k),\n  ).map(g))"),
            ["b.xs.gather( at.map(|k| 2*k), )"]
        );
        assert_eq!(quoted("zip(a, b).gather(gather(at, c))"), [".gather(gather(at, c))", "gather(at, c)"]);
        assert_eq!(quoted("xs.gather"), ["xs.gather"]);
        let long = quoted(&format!("gather(at, {}x)", "x + ".repeat(40)));
        assert_eq!((long[0].chars().count(), long[0].ends_with('…')), (LONGEST, true));
    }

    #[test]
    fn a_statement_is_quoted_as_a_whole() {
        let tokens: TokenStream = "{ let y = 1; scatter_to(xs, at, y); }".parse().expect("tokens");
        let mut table = SpanTable::new();
        table.read(tokens.clone());
        let Some(TokenTree::Group(block)) = tokens.into_iter().next() else { panic!("no block") };
        let statement: Vec<TokenTree> = block.stream().into_iter().skip(5).take(2).collect();
        let span = table.add(statement[0].span(), statement[1].span());
        assert_eq!(table.call(span).as_deref(), Some("scatter_to(xs, at, y)"));
    }

    #[test]
    fn what_is_not_known_is_not_quoted() {
        assert_eq!(SpanTable::new().call(Span::default()), None);
        let mut table = SpanTable::new();
        table.read("f(x)".parse().expect("tokens"));
        let elsewhere = table.add(TokenSpan::call_site(), TokenSpan::call_site());
        assert_eq!(table.call(elsewhere), None);
    }
}
