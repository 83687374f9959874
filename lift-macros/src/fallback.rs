//! Launchers of kernels with mistakes: the declared signature around nothing, so that one mistake does not
//! become «cannot find type» all over the user's crate.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Expr, ExprKind, Function, Pattern, PatternKind, Type, TypeKind};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::border::Border;
use crate::expand::safe_ident;
use crate::{instances, steps};

/// The launcher's name in the expression form, when there is no kernel to take it from.
pub(crate) const EXPRESSION: &str = "Kernel";

/// A launcher for every kernel of the block, and for the expression. `unknown` stands for what was not declared, or wrongly.
pub(crate) fn launchers(
    block: &Block,
    border: &Border<'_>,
    input: TokenStream,
    unknown: &TokenStream,
) -> TokenStream {
    let stubs = Stubs { block, border, unknown };
    let mut tokens = TokenStream::new();
    let mut names: Vec<&str> = Vec::new();
    for function in block.functions.iter().filter(|f| f.kernel) {
        // That two have one name was reported already.
        if !names.contains(&function.name.name.as_str()) {
            names.push(&function.name.name);
            tokens.extend(stubs.declared(function));
        }
    }
    let known: Vec<&str> = block.functions.iter().map(|f| f.name.name.as_str()).collect();
    let unread = kernel_names(input).into_iter().filter(|name| !known.contains(&name.to_string().as_str()));
    tokens.extend(unread.map(|name| named(&name, unknown)));
    tokens.extend(block.result.as_ref().map(|result| stubs.expression(result)));
    tokens
}

/// A launcher for every kernel in tokens of which nothing else is known.
pub(crate) fn named_launchers(input: TokenStream, unknown: &TokenStream) -> TokenStream {
    kernel_names(input).iter().map(|name| named(name, unknown)).collect()
}

/// One parameter of an unknown type stands for any number of them: rustc does not count what it does not know.
fn named(name: &Ident, unknown: &TokenStream) -> TokenStream {
    launcher(name, quote!(pub), &[quote!((arguments: unknown #unknown))], quote!((unknown #unknown)))
}

/// What launchers without a kernel are made from.
struct Stubs<'a> {
    block: &'a Block,
    border: &'a Border<'a>,
    unknown: &'a TokenStream,
}

impl Stubs<'_> {
    fn declared(&self, function: &Function) -> TokenStream {
        let params = function.params.iter().map(|p| {
            let (name, data) = (safe_ident(&p.name.name), self.data(&p.ty));
            let update = p.updated.map(|_| quote!(update));
            quote!((#name: #update #data))
        });
        let result = if function.result.is_nothing() {
            quote!(())
        } else {
            let data = self.data(&function.result);
            quote!((#data))
        };
        let (name, steps) = (instances::launcher_name(function), self.steps(function));
        let visibility = function.surface.visibility.clone();
        launcher(&name, visibility, &params.collect::<Vec<_>>(), quote!(#result, #steps))
    }

    /// The expression form: a closure declares its parameters, and other functions declare nothing.
    fn expression(&self, result: &Expr) -> TokenStream {
        let unknown = self.unknown;
        let params = match &result.kind {
            ExprKind::Closure(params, _) => {
                params.iter().enumerate().map(|(i, p)| self.pattern(i, p)).collect()
            }
            _ => vec![quote!((arguments: unknown #unknown))],
        };
        let name = Ident::new(EXPRESSION, Span::mixed_site());
        launcher(&name, quote!(), &params, quote!((unknown #unknown)))
    }

    fn pattern(&self, index: usize, pattern: &Pattern) -> TokenStream {
        let name = match &pattern.kind {
            PatternKind::Name(name) => safe_ident(name),
            _ => format_ident!("_{index}"),
        };
        let data = pattern.ty.as_ref().map_or_else(|| self.unknown(), |ty| self.data(ty));
        quote!((#name: #data))
    }

    /// A declared type as `__kernel!` takes it.
    fn data(&self, ty: &Type) -> TokenStream {
        self.border.declared(ty, 0).unwrap_or_else(|| self.unknown())
    }

    fn unknown(&self) -> TokenStream {
        let unknown = self.unknown;
        quote!(unknown #unknown)
    }

    /// What a step in time has besides, as far as that was declared.
    fn steps(&self, function: &Function) -> TokenStream {
        let Some(step) = &function.step else { return TokenStream::new() };
        let named = |name: &str| step.chains.iter().flatten().any(|it| it.name == name);
        let params = function.params.iter().map(|param| {
            let is_state = param.updated.is_some() || named(&param.name.name);
            // Only arrays can be states; that it is none was reported.
            let is_possible = !is_state || self.is_array(&param.ty);
            steps::Param {
                name: &param.name.name,
                data: if is_possible { self.data(&param.ty) } else { self.unknown() },
                leaf: 0,
                first: self.first_leaf(&param.ty, 0),
                is_state,
            }
        });
        let params: Vec<steps::Param<'_>> = params.collect();
        let newest = step.chains.iter().flatten().next();
        let newest = newest.and_then(|name| params.iter().position(|param| param.name == name.name));
        let newest = newest.or_else(|| params.iter().position(|param| param.is_state));
        steps::steps(&instances::launcher_name(function), &params, newest)
    }

    /// Whether all of it lies in arrays.
    fn is_array(&self, ty: &Type) -> bool {
        match &self.block.unaliased(ty).kind {
            TypeKind::Array(..) => true,
            TypeKind::Tuple(parts) => parts.iter().all(|part| self.is_array(part)),
            TypeKind::Name(_) | TypeKind::Function(..) | TypeKind::Boundary(_) | TypeKind::Infer => false,
        }
    }

    /// The element type and the rank of the first leaf.
    fn first_leaf(&self, ty: &Type, outer: usize) -> Option<(Scalar, usize)> {
        match &self.block.unaliased(ty).kind {
            TypeKind::Name(name) => Some((Scalar::from_name(name)?, outer)),
            TypeKind::Array(element, _) => self.first_leaf(element, outer + 1),
            TypeKind::Tuple(parts) => self.first_leaf(parts.first()?, outer),
            TypeKind::Function(..) | TypeKind::Boundary(_) | TypeKind::Infer => None,
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
