//! Patterns and literals: from syn's trees to ours.

use super::ast::{Literal, Pattern, PatternKind};
use super::parse_item::macro_fault;
use super::parser::{Parser, ends};
use super::{error, error_rust};
use crate::ir::scalar::Scalar;
use crate::span::Span;

impl Parser<'_> {
    /// A pattern of a closure or `let`; `_` where a mistake was reported.
    pub(super) fn pattern(&mut self, pat: &syn::Pat) -> Pattern {
        let (first, last) = pattern_ends(pat);
        let span = self.span(first, last);
        let mut ty = None;
        let wild = PatternKind::Wild;
        let kind = match pat {
            _ if !self.enter(|| (first, last)) => return Pattern { kind: wild, ty, span },
            syn::Pat::Ident(ident) if ident.mutability.is_some() => {
                let name = ident.ident.to_string();
                self.fault(PatternKind::Name(name.clone()), error_rust::mutable(span, &name))
            }
            syn::Pat::Ident(ident) if ident.by_ref.is_some() => {
                self.fault(PatternKind::Name(ident.ident.to_string()), error_rust::reference(span))
            }
            syn::Pat::Ident(ident) if ident.subpat.is_some() => self.fault(wild, error::pattern(span)),
            syn::Pat::Ident(ident) => PatternKind::Name(ident.ident.to_string()),
            syn::Pat::Wild(_) => wild,
            syn::Pat::Paren(paren) => {
                let inner = self.pattern(&paren.pat);
                ty = inner.ty;
                inner.kind
            }
            syn::Pat::Tuple(tuple) if tuple.elems.len() >= 2 => {
                PatternKind::Tuple(tuple.elems.iter().map(|pat| self.pattern(pat)).collect())
            }
            syn::Pat::Tuple(tuple) => {
                self.fault(wild, error::short_tuple(span, tuple.elems.len(), "pattern"))
            }
            syn::Pat::Slice(slice) if !slice.elems.is_empty() => {
                PatternKind::Array(slice.elems.iter().map(|pat| self.pattern(pat)).collect())
            }
            syn::Pat::Struct(pattern) => self.struct_pattern(pattern),
            syn::Pat::Type(typed) => {
                let inner = self.pattern(&typed.pat);
                ty = Some(self.ty(&typed.ty));
                inner.kind
            }
            syn::Pat::Reference(inner) => {
                self.report(error_rust::reference(span));
                let inner = self.pattern(&inner.pat);
                ty = inner.ty;
                inner.kind
            }
            syn::Pat::Macro(pattern) => self.fault(wild, macro_fault(span, &pattern.mac)),
            _ => self.fault(wild, error::pattern(span)),
        };
        self.leave();
        Pattern { kind, ty, span }
    }

    /// A literal; `None` where a mistake was reported.
    pub(super) fn literal(&mut self, lit: &syn::Lit, span: Span) -> Option<Literal> {
        let (digits, suffix, is_float) = match lit {
            syn::Lit::Bool(literal) => return Some(Literal::Bool(literal.value)),
            syn::Lit::Byte(literal) => {
                return Some(Literal::Int(literal.value().into(), Some("u8".to_string())));
            }
            // `1f32` is an integer to the lexer and a float to everybody else.
            syn::Lit::Int(literal) => {
                let suffix = literal.suffix();
                (literal.base10_digits(), suffix, matches!(suffix, "f32" | "f64" | "f16"))
            }
            syn::Lit::Float(literal) => (literal.base10_digits(), literal.suffix(), true),
            _ => return self.fault(None, error::text_literal(span)),
        };
        let ty = (!suffix.is_empty()).then(|| suffix.to_string());
        let literal = match is_float {
            true => {
                let value = digits.parse().ok().filter(|value: &f64| value.is_finite());
                value.map(|value| Literal::Float(value, ty))
            }
            false => digits.parse().ok().map(|value| Literal::Int(value, ty)),
        };
        match literal {
            None => self.fault(None, error::literal_too_large(span)),
            literal if suffix.is_empty() || Scalar::from_name(suffix).is_some_and(Scalar::is_number) => {
                literal
            }
            _ => self.fault(None, error::suffix(span, digits, suffix)),
        }
    }
}

/// Whether a pattern binds names that [`Parser::pattern`] cannot take over.
pub(super) fn loses_names(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Ident(ident) => ident.subpat.is_some(),
        syn::Pat::Wild(_) => false,
        syn::Pat::Paren(paren) => loses_names(&paren.pat),
        syn::Pat::Type(typed) => loses_names(&typed.pat),
        syn::Pat::Reference(inner) => loses_names(&inner.pat),
        syn::Pat::Tuple(tuple) => tuple.elems.len() < 2 || tuple.elems.iter().any(loses_names),
        syn::Pat::Slice(slice) => slice.elems.is_empty() || slice.elems.iter().any(loses_names),
        syn::Pat::Struct(fields) => fields.fields.iter().any(|field| loses_names(&field.pat)),
        _ => true,
    }
}

fn pattern_ends(pat: &syn::Pat) -> (proc_macro2::Span, proc_macro2::Span) {
    match pat {
        syn::Pat::Ident(ident)
            if ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none() =>
        {
            (ident.ident.span(), ident.ident.span())
        }
        syn::Pat::Tuple(tuple) => (tuple.paren_token.span.open(), tuple.paren_token.span.close()),
        _ => ends(pat),
    }
}
