//! `#[approximate(1e-3)]`, how much constant weights may differ from those that are used.

use super::error_tolerance;
use super::parser::Parser;
use crate::span::Span;

impl Parser<'_> {
    /// Reads the attribute, whose place is `span`: a part of the largest weight. None if it is wrong.
    pub(super) fn tolerance_attribute(&mut self, meta: &syn::Meta, span: Span) -> Option<f64> {
        let number = match meta {
            syn::Meta::List(list) => list.parse_args::<syn::LitFloat>().ok(),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => None,
        };
        let tolerance = number.and_then(|number| number.base10_parse::<f64>().ok());
        let legal = tolerance.filter(|tolerance| *tolerance > 0.0 && *tolerance < 1.0);
        if legal.is_none() {
            self.report(error_tolerance::no_part(span));
        }
        legal
    }
}
