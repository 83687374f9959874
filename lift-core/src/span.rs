//! Source positions, kept apart from the trees that refer to them.
//!
//! A [`Span`] is a small index; the token positions it stands for sit in a [`SpanTable`] at the edge of the
//! compiler. Spans do not take part in identity: two terms that differ only in where they were written are
//! equal.

use proc_macro2::Span as TokenSpan;

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
}

impl SpanTable {
    /// A table that knows only the macro call as a whole.
    pub fn new() -> SpanTable {
        SpanTable { ranges: vec![(TokenSpan::call_site(), TokenSpan::call_site())] }
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
