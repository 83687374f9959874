//! Diagnostics as tokens: what rustc and editors show.

use lift_core::diag::{Diagnostic, Severity};
use lift_core::span::SpanTable;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// One `compile_error!` per mistake. What is only suspicious is in [`crate::warnings`].
pub(crate) fn errors(list: &[Diagnostic], spans: &SpanTable) -> Vec<TokenStream> {
    list.iter().filter(|d| d.severity == Severity::Error).map(|d| error(d, spans)).collect()
}

fn error(d: &Diagnostic, spans: &SpanTable) -> TokenStream {
    let (first, last) = spans.range(d.span);
    // Two tokens: rustc underlines from the first to the last.
    let (a, b) = (Ident::new("a", first), Ident::new("b", last));
    syn::Error::new_spanned(quote!(#a #b), d.text()).to_compile_error()
}

/// A mistake that is nowhere in the text.
pub(crate) fn build_error(text: &str) -> TokenStream {
    syn::Error::new(Span::call_site(), text).to_compile_error()
}

/// A bug of ours.
pub(crate) fn internal_error(text: &str) -> TokenStream {
    let text = format!(
        "[L0000] `lift!` failed: {text}\n\
         note: this is a bug of Lift for Rust, not of this program\n\
         help: please report it, with the body of this macro call"
    );
    syn::Error::new(Span::call_site(), text).to_compile_error()
}
