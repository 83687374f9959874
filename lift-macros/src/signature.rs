//! Where the user has declared what a launcher's methods take and return, so that rustc's messages about arguments point there.
//!
//! A generated token that has the place of the user's is one more that editors find for it, so that there are only these: the
//! name of every method and parameter, and what stands around types.

use lift_core::span::SpanTable;
use lift_core::syntax::ast::{Expr, ExprKind, Function, Param, Pattern, PatternKind};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::quote;

use crate::editor::is_editor;
use crate::expand::safe_ident;

/// From which token to which something was declared.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Place {
    fn of(first: lift_core::span::Span, last: lift_core::span::Span, spans: &SpanTable) -> Place {
        Place { first: spans.range(first).0, last: spans.range(last).1 }
    }
}

/// The places of a kernel, of a function or of an expression.
#[derive(Default)]
pub(crate) struct Signature {
    name: Option<Span>,
    params: Vec<(Ident, Place)>,
    result: Option<Place>,
}

impl Signature {
    /// Those of a function.
    pub(crate) fn of_function(function: &Function, spans: &SpanTable) -> Signature {
        let param = |param: &Param| {
            let Param { name, ty, updated } = param;
            let place = Place::of(name.span, updated.unwrap_or(ty.span), spans);
            (named(&name.name, place), place)
        };
        Signature {
            name: Some(spans.range(function.name.span).0),
            params: function.params.iter().map(param).collect(),
            result: Some(Place::of(function.result.span, function.result.span, spans)),
        }
    }

    /// Those of an expression, which is a closure if anything is declared.
    pub(crate) fn of_expression(expression: &Expr, spans: &SpanTable) -> Signature {
        let ExprKind::Closure(patterns, _) = &expression.kind else { return Signature::default() };
        let param = |(i, pattern): (usize, &Pattern)| {
            let name = match &pattern.kind {
                PatternKind::Name(name) => name.clone(),
                _ => format!("_{i}"),
            };
            let last = pattern.ty.as_ref().map_or(pattern.span, |ty| ty.span);
            let place = Place::of(pattern.span, last, spans);
            (named(&name, place), place)
        };
        let params = patterns.iter().enumerate().map(param).collect();
        Signature { name: Some(spans.range(expression.span).0), params, result: None }
    }

    /// The names of methods, and of the parameter for the result, which is none of the user's.
    pub(crate) fn methods(&self) -> TokenStream {
        // For an editor, the kernel's name is that of its launcher.
        let at = self.name.filter(|_| !is_editor()).unwrap_or_else(Span::call_site);
        let methods = ["run", "launch", "output", "output_shape", "start"].map(|name| Ident::new(name, at));
        let mut out = "out".to_string();
        while self.params.iter().any(|(name, _)| *name == out) {
            out.push('_');
        }
        let out = Ident::new(&out, self.result.map_or_else(Span::call_site, |place| place.first));
        quote!([ #(#methods)* #out ])
    }

    /// The place of a parameter.
    pub(crate) fn place(&self, index: usize) -> Option<Place> {
        self.params.get(index).map(|(_, place)| *place)
    }

    /// A parameter as `__kernel!` takes it.
    pub(crate) fn param(&self, index: usize, name: &str, data: TokenStream) -> TokenStream {
        let ident = self.params.get(index).map_or_else(|| safe_ident(name), |(ident, _)| ident.clone());
        let data = around(self.place(index), data);
        quote!((#ident: #data))
    }

    /// The result as `__kernel!` takes it.
    pub(crate) fn result(&self, data: TokenStream) -> Group {
        around(self.result, data)
    }
}

fn named(name: &str, place: Place) -> Ident {
    let mut ident = safe_ident(name);
    // For an editor, it is the variable in the kernel.
    if !is_editor() {
        ident.set_span(place.first);
    }
    ident
}

/// Parentheses that end where something was declared.
fn around(place: Option<Place>, tokens: TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(place.map_or_else(Span::call_site, |place| place.last));
    group
}
