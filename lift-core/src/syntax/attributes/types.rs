//! `#[types(T = f32, f64)]`: for which types a kernel is made. Code L0147.

use syn::Token;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;

use super::{Attribute, Attributes, On};
use crate::diag::faults;
use crate::ir::scalar::Scalar;
use crate::span::Span;
use crate::syntax::ast::Ident;
use crate::syntax::error_name;
use crate::syntax::parser::Parser;
use crate::text::did_you_mean;

pub(in crate::syntax) static TYPES: Attribute = Attribute {
    name: "types",
    usage: "types(T = f32, f64; U = i32)",
    about: "one kernel for each choice of types for its type variables",
    on: On::Kernels(
        "L0147",
        "`#[types]` belongs on a kernel",
        "remove it: a helper with a type variable works for every type it is called with",
    ),
    read,
};

/// `T = f32, f64`
pub(in crate::syntax) struct TypeChoice {
    /// `T`
    pub(in crate::syntax) variable: Ident,
    /// `f32`, `f64`
    pub(in crate::syntax) types: Vec<Scalar>,
}

/// Mistakes are reported, and what is right is kept.
fn read(parser: &mut Parser<'_>, meta: &syn::Meta, span: Span, attributes: &mut Attributes) {
    let choices = meta.require_list().and_then(|list| list.parse_args_with(choices)).unwrap_or_default();
    if choices.is_empty() {
        parser.report(no_choice(span));
    }
    attributes.types = choices.into_iter().map(|choice| parser.type_choice(choice)).collect();
}

/// A variable and its types, as they are written.
type Written = (syn::Ident, Punctuated<syn::Ident, Token![,]>);

fn choices(input: ParseStream<'_>) -> syn::Result<Vec<Written>> {
    let mut choices = Vec::new();
    while !input.is_empty() {
        let variable = input.parse()?;
        input.parse::<Token![=]>()?;
        choices.push((variable, Punctuated::parse_separated_nonempty(input)?));
        if !input.is_empty() {
            input.parse::<Token![;]>()?;
        }
    }
    Ok(choices)
}

impl Parser<'_> {
    fn type_choice(&mut self, (variable, names): Written) -> TypeChoice {
        let variable = self.ident(&variable);
        let mut types = Vec::new();
        for name in &names {
            let Ident { name, span } = self.ident(name);
            match Scalar::from_name(&name) {
                Some(scalar) if types.contains(&scalar) => self.report(twice(span, &name)),
                Some(scalar) => types.push(scalar),
                None => {
                    let near = did_you_mean(&name, Scalar::ALL.map(Scalar::name));
                    self.report(error_name::unknown_type(span, &name, near));
                }
            }
        }
        TypeChoice { variable, types }
    }
}

faults! { pub(in crate::syntax),
    "L0147" no_choice(): "`#[types]` lists the scalar types that a type variable stands for",
        help "write `#[types(T = f32, f64)]`; several variables are separated by `;`";
    /// A variable or a type that stands twice in a list.
    "L0147" twice(name): "`{name}` is listed twice", help "leave one out";
}
