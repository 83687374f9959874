//! Launchers of kernels with mistakes: the declared signature around nothing, so that one mistake does not
//! become «cannot find type» all over the user's crate.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Function, Type, TypeKind};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::expand::{element, rank, safe_ident};

/// The launcher's name in the expression form, when there is no kernel to take it from.
pub(crate) const EXPRESSION: &str = "Kernel";

/// A launcher for every kernel of the block, and for the expression.
pub(crate) fn launchers(block: &Block, input: TokenStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    let mut names: Vec<&str> = Vec::new();
    for function in block.functions.iter().filter(|f| f.kernel) {
        // That two have one name was reported already.
        if !names.contains(&function.name.name.as_str()) {
            names.push(&function.name.name);
            tokens.extend(declared(function));
        }
    }
    let known: Vec<&str> = block.functions.iter().map(|f| f.name.name.as_str()).collect();
    for name in kernel_names(input) {
        if !known.contains(&name.to_string().as_str()) {
            tokens.extend(quote!(pub struct #name;));
        }
    }
    if block.result.is_some() {
        let name = Ident::new(EXPRESSION, Span::mixed_site());
        tokens.extend(launcher(&name, quote!(), &[], quote!((scalar f32))));
    }
    tokens
}

fn declared(function: &Function) -> TokenStream {
    let params: Option<Vec<TokenStream>> = function
        .params
        .iter()
        .map(|p| {
            let (name, data) = (safe_ident(&p.name.name), data(&p.ty)?);
            Some(quote!((#name: #data)))
        })
        .collect();
    let result = data(&function.result).map(|d| quote!((#d)));
    let name = function.surface.ident.clone().unwrap_or_else(|| safe_ident(&function.name.name));
    match (params, result) {
        (Some(params), Some(result)) => launcher(&name, function.surface.visibility.clone(), &params, result),
        _ => {
            let visibility = &function.surface.visibility;
            quote!(#visibility struct #name;)
        }
    }
}

fn launcher(
    name: &Ident,
    visibility: TokenStream,
    params: &[TokenStream],
    result: TokenStream,
) -> TokenStream {
    quote! {
        ::lift::__private::__kernel! {
            attrs: [],
            vis: [ #visibility ],
            name: #name,
            spec: { ::lift::__private::spec::KernelSpec::INVALID },
            params: [ #(#params),* ],
            result: #result,
        }
    }
}

fn data(ty: &Type) -> Option<TokenStream> {
    let (mut ty, mut dims) = (ty, 0);
    while let TypeKind::Array(element, _) = &ty.kind {
        ty = element;
        dims += 1;
    }
    let TypeKind::Name(name) = &ty.kind else { return None };
    let elem = element(&Scalar::from_name(name)?.into());
    if dims == 0 {
        return Some(quote!(scalar #elem));
    }
    let rank = rank(dims);
    Some(quote!(array #elem, #rank))
}

/// The names of kernels in tokens that could not be parsed: what follows `fn` after `#[kernel]`.
fn kernel_names(input: TokenStream) -> Vec<Ident> {
    let mut names = Vec::new();
    let (mut kernel, mut function) = (false, false);
    for token in input {
        match token {
            TokenTree::Group(group) if group.stream().to_string() == "kernel" => kernel = true,
            TokenTree::Ident(ident) if function => {
                names.push(ident);
                (kernel, function) = (false, false);
            }
            TokenTree::Ident(ident) if ident == "fn" && kernel => function = true,
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    names
}
