//! Warnings, so that `#[allow(..)]`, `#[expect(..)]` and the other levels hold for them, on a kernel or function, around the macro
//! call and for the whole crate.
//!
//! A macro has no warnings of its own on stable Rust: something must stand in the program that rustc warns of. For what is never used, that
//! is a variable of that name which is never used. For everything else it is the use of a function that is deprecated with our text, the only
//! lint of rustc's that shows a text as its first line (`#[must_use]` shows one below a line of its own, and no other lint takes any). Since
//! rustc's `deprecated` says nothing about the warning, a level may name its code as well: `#[allow(lift::L0170)]`.

use lift_core::diag::{Diagnostic, Severity};
use lift_core::span::SpanTable;
use lift_core::syntax::ast::{Block, ExprKind, Function, PatternKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

use crate::expand::{conditions, safe_ident};

/// What rustc calls a variable that is never used.
const UNUSED: &str = "unused_variables";

/// What rustc calls the lint that has our text.
const TEXT: &str = "deprecated";

/// The warnings among these, each at the levels that its function has, and the expectations of functions that no warning meets.
pub(crate) fn warnings(list: &[Diagnostic], block: &Block, spans: &SpanTable) -> TokenStream {
    let warnings: Vec<&Diagnostic> = list.iter().filter(|d| d.severity == Severity::Warning).collect();
    let mut tokens: TokenStream = warnings.iter().map(|d| warning(d, block, spans)).collect();
    // With errors, not all warnings are there.
    let is_right = warnings.len() == list.len();
    for function in block.functions.iter().filter(|_| is_right) {
        let own: Vec<&&Diagnostic> = warnings.iter().filter(|d| contains(function, d, spans)).collect();
        for level in levels(&function.surface.attributes).iter().filter(|level| level.name == "expect") {
            let is_met = |entry: &Meta| own.iter().any(|d| is_about(entry, d.code));
            let unmet: Vec<&Meta> = level.entries.iter().filter(|e| is_ours(e) && !is_met(e)).collect();
            if !unmet.is_empty() {
                let level = level.with(unmet.into_iter().map(|entry| as_lint(entry, TEXT)));
                let (conditions, _) = conditions(function.surface.attributes.clone());
                tokens.extend(quote!(#conditions #level const _: () = ();));
            }
        }
    }
    tokens
}

/// What rustc warns of with this text, at this place.
pub(crate) fn plain(text: &str, span: Span) -> TokenStream {
    let used = Ident::new("warning", span);
    quote! {
        const _: () = {
            mod lift {
                #[deprecated(note = #text)]
                pub(super) fn warning() {}
            }
            let _ = lift::#used;
        };
    }
}

/// What rustc warns of instead.
fn warning(d: &Diagnostic, block: &Block, spans: &SpanTable) -> TokenStream {
    let (first, _) = spans.range(d.span);
    let function = block.functions.iter().find(|f| contains(f, d, spans));
    let attributes = function.map(|f| f.surface.attributes.clone()).unwrap_or_default();
    let levels = levels(&attributes).into_iter().filter_map(|level| {
        let about: Vec<&Meta> = level.entries.iter().filter(|entry| is_about(entry, d.code)).collect();
        (!about.is_empty()).then(|| level.with(about.into_iter().map(|entry| as_lint(entry, lint(d.code)))))
    });
    let (conditions, _) = conditions(attributes.clone());
    let carrier = match declared(function, block, d).filter(|_| lint(d.code) == UNUSED) {
        Some(name) => {
            let mut name = safe_ident(name);
            name.set_span(first);
            quote! {
                #[allow(non_snake_case, reason = "sizes have capital letters")]
                const _: fn(()) = |#name| {};
            }
        }
        None => plain(&d.text(), first),
    };
    quote!(#conditions #(#levels)* #carrier)
}

/// The lint that carries the warnings of a code.
fn lint(code: &str) -> &'static str {
    match code {
        "L0170" | "L0171" => UNUSED,
        _ => TEXT,
    }
}

/// The name that a function, or the closure of the expression form, declares there.
fn declared<'a>(function: Option<&'a Function>, block: &'a Block, d: &Diagnostic) -> Option<&'a str> {
    let names =
        function.into_iter().flat_map(|f| f.params.iter().map(|param| &param.name).chain(&f.generics));
    let mut names = names.map(|name| (name.span, &*name.name));
    let patterns = match block.result.as_ref().map(|result| &result.kind) {
        Some(ExprKind::Closure(patterns, _)) => patterns.as_slice(),
        _ => &[],
    };
    let mut variables = patterns.iter().filter_map(|pattern| match &pattern.kind {
        PatternKind::Name(name) => Some((pattern.span, &**name)),
        _ => None,
    });
    let is_there = |(span, _): &(lift_core::span::Span, &str)| span.is(d.span);
    names.find(is_there).or_else(|| variables.find(is_there)).map(|(_, name)| name)
}

/// Whether a warning is about something in a function.
fn contains(function: &Function, d: &Diagnostic, spans: &SpanTable) -> bool {
    let mut tokens = function.surface.item.clone().into_iter();
    let Some(first) = tokens.next().map(|token| token.span()) else { return false };
    let last = tokens.last().map_or(first, |token| token.span());
    let at = |span: Span| (span.start().line, span.start().column);
    let (warned, end) = (at(spans.range(d.span).0), (last.end().line, last.end().column));
    (at(first)..=end).contains(&warned)
}

/// `#[allow(..)]` and its like.
struct Level {
    name: Ident,
    entries: Vec<Meta>,
    /// `reason = ".."`
    reason: Option<Meta>,
}

impl Level {
    fn with(&self, lints: impl Iterator<Item = TokenStream>) -> TokenStream {
        let (name, reason) = (&self.name, self.reason.iter());
        let entries = lints.chain(reason.map(ToTokens::to_token_stream));
        quote!(#[#name(#(#entries),*)])
    }
}

/// The levels among attributes.
fn levels(attributes: &TokenStream) -> Vec<Level> {
    let list = syn::Attribute::parse_outer.parse2(attributes.clone()).unwrap_or_default();
    list.iter().filter_map(level).collect()
}

fn level(attribute: &syn::Attribute) -> Option<Level> {
    let name = attribute.path().get_ident()?;
    let known = ["allow", "deny", "expect", "forbid", "warn"].iter().any(|known| name == known);
    let entries = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let entries = entries.ok().filter(|_| known)?;
    let (entries, reason): (Vec<Meta>, Vec<Meta>) =
        entries.into_iter().partition(|entry| matches!(entry, Meta::Path(_)));
    Some(Level { name: name.clone(), entries, reason: reason.into_iter().next() })
}

/// Whether a level that names this is about warnings of the code.
fn is_about(entry: &Meta, code: &str) -> bool {
    own_code(entry).is_some_and(|own| own == code)
        || [lint(code), "warnings"].iter().any(|name| entry.path().is_ident(name))
        || lint(code) == UNUSED && entry.path().is_ident("unused")
}

/// Whether only our warnings can meet an expectation of this.
fn is_ours(entry: &Meta) -> bool {
    own_code(entry).is_some() || entry.path().is_ident(UNUSED)
}

/// `L0170` of `lift::L0170`.
fn own_code(entry: &Meta) -> Option<String> {
    let segments: Vec<String> =
        entry.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
    match segments.as_slice() {
        [tool, code] if tool == "lift" && code.starts_with('L') => Some(code.clone()),
        _ => None,
    }
}

/// An entry as rustc knows it: a code stands for the lint that carries its warnings.
fn as_lint(entry: &Meta, lint: &str) -> TokenStream {
    match (own_code(entry), entry.path().segments.last()) {
        (Some(_), Some(code)) => format_ident!("{lint}", span = code.ident.span()).into_token_stream(),
        _ => entry.to_token_stream(),
    }
}

/// The attributes for rustc, which knows no codes. Those of a function are about its variables in Rust as well. Those of a kernel are about
/// a launcher, which has none.
pub(crate) fn left_over(attributes: TokenStream, of_kernel: bool) -> TokenStream {
    let Ok(list) = syn::Attribute::parse_outer.parse2(attributes.clone()) else { return attributes };
    let left = list.iter().map(|attribute| {
        let Some(level) = level(attribute) else { return attribute.to_token_stream() };
        let left = |entry: &Meta| match own_code(entry) {
            Some(code) => (!of_kernel && lint(&code) == UNUSED).then(|| as_lint(entry, UNUSED)),
            None if of_kernel && level.name == "expect" && is_ours(entry) => None,
            None => Some(entry.to_token_stream()),
        };
        let entries: Vec<TokenStream> = level.entries.iter().filter_map(left).collect();
        match entries.is_empty() && !level.entries.is_empty() {
            true => TokenStream::new(),
            false => level.with(entries.into_iter()),
        }
    });
    left.collect()
}
