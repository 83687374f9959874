//! What the parts of the parser share: spans, mistakes, and a bound on the depth of the tree.

use proc_macro2::{Span as TokenSpan, TokenStream};

use super::error;
use super::error_grammar::{self, Around};
use crate::diag::{Diagnostic, Diagnostics};
use crate::span::{Span, SpanTable};

/// Expressions within expressions.
pub(super) const MAX_DEPTH: usize = 128;

/// `let`s around an expression: each is one level of the resolved term.
const MAX_LETS: usize = 256;

/// Turns syn's trees into ours.
pub(super) struct Parser<'a> {
    spans: &'a mut SpanTable,
    diags: &'a mut Diagnostics,
    /// The prelude's tokens are none of the user's: everything in it stands at the macro call.
    anonymous: bool,
    depth: usize,
    lets: usize,
    /// Whether a place was reported where the tree is too deep: there may be many.
    reported_depth: bool,
    /// All of the macro call, to look around where the text is not Rust.
    pub(super) tokens: TokenStream,
    /// Types `Name<…>` that are none: a struct of that name may explain them.
    pub(super) generic_types: Vec<(String, Diagnostic)>,
}

impl<'a> Parser<'a> {
    /// A parser of the user's tokens, or (`anonymous`) of ours.
    pub(super) fn new(spans: &'a mut SpanTable, diags: &'a mut Diagnostics, anonymous: bool) -> Parser<'a> {
        let (tokens, generic_types) = (TokenStream::new(), Vec::new());
        Parser { spans, diags, anonymous, depth: 0, lets: 0, reported_depth: false, tokens, generic_types }
    }

    /// Records a range of tokens.
    pub(super) fn span(&mut self, first: TokenSpan, last: TokenSpan) -> Span {
        if self.anonymous { Span::default() } else { self.spans.add(first, last) }
    }

    /// From the start of one range to the end of another.
    pub(super) fn cover(&mut self, first: Span, last: Span) -> Span {
        let (first, last) = (self.first(first), self.last(last));
        self.span(first, last)
    }

    /// The first token of a range.
    pub(super) fn first(&self, span: Span) -> TokenSpan {
        self.spans.range(span).0
    }

    /// The last token of a range.
    pub(super) fn last(&self, span: Span) -> TokenSpan {
        self.spans.range(span).1
    }

    /// Records the range of a node.
    pub(super) fn whole(&mut self, node: &impl Ends) -> Span {
        let (first, last) = node.ends();
        self.span(first, last)
    }

    /// Reports a mistake.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    /// Reports a mistake at a node.
    pub(super) fn report_at(&mut self, node: &impl Ends, fault: impl FnOnce(Span) -> Diagnostic) {
        let span = self.whole(node);
        self.report(fault(span));
    }

    /// Reports a mistake and goes on with `instead`.
    pub(super) fn fault<T>(&mut self, instead: T, diagnostic: Diagnostic) -> T {
        self.diags.push(diagnostic);
        instead
    }

    /// How many errors there are so far.
    pub(super) fn errors(&self) -> usize {
        self.diags.errors()
    }

    /// Reports what syn does not accept.
    pub(super) fn not_rust(&mut self, fault: &syn::Error) {
        let (first, last) = error_ends(fault);
        let span = self.span(first, last);
        let around = self.around(first);
        self.report(error_grammar::not_rust(span, &fault.to_string(), &around));
    }

    /// The words around a place.
    pub(super) fn around(&self, place: TokenSpan) -> Around {
        Around::of(self.tokens.clone(), place.start())
    }

    /// One level down; `false`, and a diagnostic, where the tree is too deep. Each `true` needs a `leave`.
    pub(super) fn enter(&mut self, place: impl FnOnce() -> (TokenSpan, TokenSpan)) -> bool {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        self.too_deep(place)
    }

    /// One `let` more; `false`, and a diagnostic, when there are too many.
    pub(super) fn enter_let(&mut self, place: impl FnOnce() -> (TokenSpan, TokenSpan)) -> bool {
        self.lets += 1;
        if self.lets <= MAX_LETS {
            return true;
        }
        self.too_deep(place)
    }

    /// Reports that the tree is too deep, once.
    fn too_deep(&mut self, place: impl FnOnce() -> (TokenSpan, TokenSpan)) -> bool {
        if !std::mem::replace(&mut self.reported_depth, true) {
            let (first, last) = place();
            let span = self.span(first, last);
            self.report(error::too_deep(span));
        }
        false
    }

    /// Leaves a block with so many `let`s.
    pub(super) fn leave_lets(&mut self, count: usize) {
        self.lets -= count;
    }

    /// One level up.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Nodes of syn that know their first and last token.
pub(super) trait Ends {
    /// First and last token.
    fn ends(&self) -> (TokenSpan, TokenSpan);
}

macro_rules! ends_of {
    ($($node:ty),*) => {$(
        impl Ends for $node {
            fn ends(&self) -> (TokenSpan, TokenSpan) {
                error_ends(&syn::Error::new_spanned(self, ""))
            }
        }
    )*};
}

ends_of!(syn::Expr, syn::Type, syn::Pat, syn::Stmt, syn::Item, syn::Signature, syn::Meta, TokenStream);
ends_of!(syn::GenericParam, syn::WhereClause, syn::Receiver, syn::Abi, syn::AngleBracketedGenericArguments);

/// First and last token of a node.
pub(super) fn ends(node: &impl Ends) -> (TokenSpan, TokenSpan) {
    node.ends()
}

/// The range of a syn error: it tells only through the tokens that it becomes, whose first carries the
/// start and whose last carries the end.
fn error_ends(error: &syn::Error) -> (TokenSpan, TokenSpan) {
    let mut tokens = error.to_compile_error().into_iter();
    let first = tokens.next().map_or_else(TokenSpan::call_site, |token| token.span());
    // Of several messages, the first ends with its eighth token.
    let last = tokens.nth(6).map_or(first, |token| token.span());
    (first, last)
}
