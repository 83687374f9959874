//! Launchers of kernels with mistakes: the declared signature around nothing, so that one mistake does not
//! become «cannot find type» all over the user's crate.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Function, Param, Type, TypeKind};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::border::Border;
use crate::expand::safe_ident;
use crate::{instances, steps};

/// The launcher's name in the expression form, when there is no kernel to take it from.
pub(crate) const EXPRESSION: &str = "Kernel";

/// A launcher for every kernel of the block, and for the expression.
pub(crate) fn launchers(block: &Block, border: &Border<'_>, input: TokenStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    let mut names: Vec<&str> = Vec::new();
    for function in block.functions.iter().filter(|f| f.kernel) {
        // That two have one name was reported already.
        if !names.contains(&function.name.name.as_str()) {
            names.push(&function.name.name);
            tokens.extend(declared(function, border));
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

fn declared(function: &Function, border: &Border<'_>) -> TokenStream {
    let params: Option<Vec<TokenStream>> = function
        .params
        .iter()
        .map(|p| {
            let (name, data) = (safe_ident(&p.name.name), border.declared(&p.ty, 0)?);
            let update = p.updated.map(|_| quote!(update));
            let state = is_single_state(function, p).then(|| quote!(state));
            Some(quote!((#name: #update #state #data)))
        })
        .collect();
    let result = if function.result.is_nothing() {
        Some(quote!(()))
    } else {
        border.declared(&function.result, 0).map(|d| quote!((#d)))
    };
    let name = instances::launcher_name(function);
    match (params, result) {
        (Some(params), Some(result)) => {
            let (visibility, steps) =
                (function.surface.visibility.clone(), steps_of(function, &name, border));
            launcher(&name, visibility, &params, quote!(#result, #steps))
        }
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
            result: #result
        }
    }
}

/// What a step in time has besides, as far as that was declared.
fn steps_of(function: &Function, name: &Ident, border: &Border<'_>) -> TokenStream {
    let Some(step) = &function.step else { return TokenStream::new() };
    let named = |name: &str| step.chains.iter().flatten().any(|it| it.name == name);
    let params = function.params.iter().filter_map(|param| {
        Some(steps::Param {
            name: &param.name.name,
            data: border.declared(&param.ty, 0)?,
            leaf: 0,
            is_single: is_single_state(function, param),
            first: first_leaf(&param.ty, 0),
            is_state: param.updated.is_some() || named(&param.name.name),
        })
    });
    let params: Vec<steps::Param<'_>> = params.collect();
    let newest = step.chains.iter().flatten().next();
    let newest = newest.and_then(|name| params.iter().position(|param| param.name == name.name));
    let newest = newest.or_else(|| params.iter().position(|param| param.is_state));
    steps::steps(name, &params, newest)
}

/// Whether `#[step(..)]` names a parameter that is made of scalars.
fn is_single_state(function: &Function, param: &Param) -> bool {
    let mut named = function.step.iter().flat_map(|step| step.chains.iter().flatten());
    first_leaf(&param.ty, 0).is_some_and(|(_, dims)| dims == 0) && named.any(|it| it.name == param.name.name)
}

/// The element type and the rank of the first leaf.
fn first_leaf(ty: &Type, outer: usize) -> Option<(Scalar, usize)> {
    match &ty.kind {
        TypeKind::Name(name) => Some((Scalar::from_name(name)?, outer)),
        TypeKind::Array(element, _) => first_leaf(element, outer + 1),
        TypeKind::Tuple(parts) => first_leaf(parts.first()?, outer),
        TypeKind::Function(..) | TypeKind::Boundary(_) | TypeKind::Infer => None,
    }
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
