//! The expansion of one macro call.

use lift_core::diag::Severity;
use lift_core::ir::{Kernel, Scalar, Type};
use lift_core::pipeline::{self, Compiled};
use lift_core::syntax::ast;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::Parser;

use crate::{fallback, report, rust_fn, spec};

/// Compiles the tokens and emits launchers, scalar functions and diagnostics.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let compilation = pipeline::compile(input.clone());
    let errors = report::diagnostics(&compilation.diagnostics, &compilation.spans);
    let block = &compilation.block;
    let wrong = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let functions = if wrong { rust_fn::declarations(block) } else { rust_fn::scalar_functions(block) };
    let launchers: TokenStream = if compilation.kernels.is_empty() {
        fallback::launchers(block, input)
    } else {
        compilation.kernels.iter().map(|k| launcher(k, block)).collect()
    };
    match expression_name(block, &compilation.kernels) {
        None => quote!(#errors #functions #launchers),
        // The expression form is a value with the launcher's associated functions as methods.
        Some(name) => quote! {{
            #errors
            #functions
            #launchers
            ::lift::__private::Unbound::<#name>::new()
        }},
    }
}

/// The launcher's name in the expression form.
fn expression_name(block: &ast::Block, kernels: &[Compiled]) -> Option<Ident> {
    let anonymous = kernels.iter().find(|k| k.kernel.source.is_none());
    match (anonymous, &block.result) {
        (Some(compiled), _) => Some(Ident::new(&compiled.kernel.name, Span::mixed_site())),
        (None, Some(_)) => Some(Ident::new(fallback::EXPRESSION, Span::mixed_site())),
        (None, None) => None,
    }
}

fn launcher(compiled: &Compiled, block: &ast::Block) -> TokenStream {
    let kernel = &compiled.kernel;
    let spec = spec::kernel(compiled);
    let params = kernel.params.iter().map(|p| param(&p.name, &p.ty));
    let result = data(kernel.body.ty());
    let surface = kernel.source.map(|i| &block.functions[i].surface);
    let name =
        surface.and_then(|s| s.ident.clone()).unwrap_or_else(|| Ident::new(&kernel.name, Span::mixed_site()));
    let (attributes, visibility) =
        surface.map(|s| (s.attributes.clone(), s.visibility.clone())).unwrap_or_default();
    let (conditions, attributes) = conditions(attributes);
    let ty = documented_type(kernel);
    quote! {
        #conditions
        ::lift::__private::__kernel! {
            attrs: [ #attributes #[doc = #ty] ],
            vis: [ #visibility ],
            name: #name,
            spec: { #spec },
            params: [ #(#params),* ],
            result: #result,
        }
    }
}

/// `#[cfg(..)]` apart from other attributes: it stands before the whole launcher, the others on the struct.
fn conditions(attributes: TokenStream) -> (TokenStream, TokenStream) {
    match syn::Attribute::parse_outer.parse2(attributes.clone()) {
        Ok(list) => {
            let (conditions, others): (Vec<_>, Vec<_>) =
                list.into_iter().partition(|a| a.path().is_ident("cfg"));
            (quote!(#(#conditions)*), quote!(#(#others)*))
        }
        Err(_) => (TokenStream::new(), attributes),
    }
}

fn documented_type(kernel: &Kernel) -> String {
    let params: Vec<String> = kernel.params.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
    format!("\n\nType: `({}) -> {}`", params.join(", "), kernel.body.ty())
}

fn param(name: &str, ty: &Type) -> TokenStream {
    let name = safe_ident(name);
    let data = match ty.shape() {
        (dims, elem) if dims.is_empty() => {
            let elem = element(elem);
            quote!(scalar #elem)
        }
        (dims, elem) => {
            let (elem, rank) = (element(elem), rank(dims.len()));
            quote!(array #elem, #rank)
        }
    };
    quote!((#name: #data))
}

fn data(ty: &Type) -> TokenStream {
    let (dims, elem) = ty.shape();
    let elem = element(elem);
    if dims.is_empty() {
        return quote!((scalar #elem));
    }
    let rank = rank(dims.len());
    quote!((array #elem, #rank))
}

/// The Rust type of an element.
pub(crate) fn element(ty: &Type) -> TokenStream {
    match ty.as_scalar() {
        Some(Scalar::F16) => quote!(::lift::f16),
        _ => {
            let name = format_ident!("{}", ty.to_string());
            quote!(#name)
        }
    }
}

/// The rank as a literal without suffix.
pub(crate) fn rank(rank: usize) -> proc_macro2::Literal {
    proc_macro2::Literal::usize_unsuffixed(rank)
}

/// A name made up by the compiler, or the user's, as a Rust identifier.
pub(crate) fn safe_ident(name: &str) -> Ident {
    syn::parse_str(name).unwrap_or_else(|_| format_ident!("{}_", name, span = Span::mixed_site()))
}
