//! Launchers of kernels with mistakes: the declared signature around nothing, so that one mistake does not
//! become «cannot find type» all over the user's crate.

use lift_core::ir::Scalar;
use lift_core::span::SpanTable;
use lift_core::syntax::ast::{Block, Expr, ExprKind, Function, Param, Type, TypeKind};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::border::Border;
use crate::runtime::Runtime;
use crate::signature::{Place, Signature};
use crate::{instances, steps};

/// The launcher's name in the expression form, when there is no kernel to take it from.
pub(crate) const EXPRESSION: &str = "Kernel";

/// A launcher for every kernel in tokens of which nothing else is known, and the mistake.
pub(crate) fn named_launchers(input: TokenStream, mistake: TokenStream) -> TokenStream {
    let names = kernel_names(input);
    let Some(first) = names.first() else { return mistake };
    let (mistake, unknown) = (carried(first, &mistake), unknown(first));
    let launchers = names.iter().map(|name| named(name, &unknown));
    quote!(#mistake #(#launchers)*)
}

/// A mistake in a type that the launcher `first` has. It is the argument of a constant, so that rustc counts the type as wrong already:
/// nothing that is done with it is reported. It stands there once, because without an error in the type itself rustc shows it again.
pub(crate) fn carried(first: &Ident, mistake: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #Runtime::Mistaken for #first {
            type Unknown = #Runtime::Unknown<{ #mistake }>;
        }
    }
}

/// That type.
fn unknown(first: &Ident) -> TokenStream {
    quote!(<#first as #Runtime::Mistaken>::Unknown)
}

/// One parameter of an unknown type stands for any number of them: rustc does not count what it does not know.
fn named(name: &Ident, unknown: &TokenStream) -> TokenStream {
    let (signature, unknown) = (Signature::default(), quote!(unknown #unknown));
    let params = vec![signature.param(0, "arguments", unknown.clone())];
    launcher(name, quote!(pub), &signature, params, unknown, quote!())
}

/// What launchers without a kernel are made from.
pub(crate) struct Stubs<'a> {
    pub(crate) block: &'a Block,
    pub(crate) border: &'a Border<'a>,
    pub(crate) spans: &'a SpanTable,
    /// The kernels that could not be read.
    unread: Vec<Ident>,
}

impl<'a> Stubs<'a> {
    pub(crate) fn new(
        block: &'a Block,
        border: &'a Border<'a>,
        spans: &'a SpanTable,
        input: TokenStream,
    ) -> Stubs<'a> {
        let is_known = |name: &Ident| block.functions.iter().any(|f| *name == f.name.name);
        let unread = kernel_names(input).into_iter().filter(|name| !is_known(name)).collect();
        Stubs { block, border, spans, unread }
    }

    /// The launcher that comes first.
    pub(crate) fn first(&self) -> Option<Ident> {
        let declared = self.block.functions.iter().find(|f| f.kernel).map(instances::launcher_name);
        let expression = || self.block.result.as_ref().map(|_| Ident::new(EXPRESSION, Span::mixed_site()));
        declared.or_else(|| self.unread.first().cloned()).or_else(expression)
    }

    /// A launcher for every kernel of the block, and for the expression.
    pub(crate) fn launchers(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut names: Vec<&str> = Vec::new();
        for function in self.block.functions.iter().filter(|f| f.kernel) {
            // That two have one name was reported already.
            if !names.contains(&function.name.name.as_str()) {
                names.push(&function.name.name);
                tokens.extend(self.declared(function));
            }
        }
        tokens.extend(self.unread.iter().map(|name| named(name, &self.unknown_type())));
        tokens.extend(self.block.result.as_ref().map(|result| self.expression(result)));
        tokens
    }

    fn declared(&self, function: &Function) -> TokenStream {
        let signature = Signature::of_function(function, self.spans);
        let params = function.params.iter().enumerate().map(|(i, p)| {
            let data = self.data(&p.ty, signature.place(i));
            let update = p.updated.map(|_| quote!(update));
            let state = self.is_single_state(function, p).then(|| quote!(state));
            signature.param(i, &p.name.name, quote!(#update #state #data))
        });
        let result = match function.result.is_nothing() {
            true => TokenStream::new(),
            false => self.data(&function.result, None),
        };
        let (visibility, steps) = (function.surface.visibility.clone(), self.steps(function, &signature));
        launcher(&instances::launcher_name(function), visibility, &signature, params.collect(), result, steps)
    }

    /// The expression form: a closure declares its parameters, and other functions declare nothing.
    fn expression(&self, result: &Expr) -> TokenStream {
        let name = Ident::new(EXPRESSION, Span::mixed_site());
        let ExprKind::Closure(params, _) = &result.kind else { return named(&name, &self.unknown_type()) };
        let signature = Signature::of_expression(result, self.spans);
        let params = params.iter().enumerate().map(|(i, p)| {
            let data = p.ty.as_ref().map_or_else(|| self.unknown(), |ty| self.data(ty, signature.place(i)));
            signature.param(i, "", data)
        });
        launcher(&name, quote!(), &signature, params.collect(), self.unknown(), quote!())
    }

    /// A declared type as `__kernel!` takes it.
    fn data(&self, ty: &Type, place: Option<Place>) -> TokenStream {
        self.border.declared(ty, 0, place).unwrap_or_else(|| self.unknown())
    }

    fn unknown(&self) -> TokenStream {
        let unknown = self.unknown_type();
        quote!(unknown #unknown)
    }

    fn unknown_type(&self) -> TokenStream {
        self.first().map(|first| unknown(&first)).unwrap_or_default()
    }

    /// What a step in time has besides, as far as that was declared.
    fn steps(&self, function: &Function, signature: &Signature) -> TokenStream {
        let Some(step) = &function.step else { return TokenStream::new() };
        let named = |name: &str| step.chains.iter().flatten().any(|it| it.name == name);
        let params = function.params.iter().enumerate().map(|(i, param)| {
            let is_state = param.updated.is_some() || named(&param.name.name);
            steps::Param {
                name: &param.name.name,
                data: self.data(&param.ty, signature.place(i)),
                leaf: 0,
                is_single: self.is_single_state(function, param),
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

    /// Whether `#[step(..)]` names a parameter that is made of scalars.
    fn is_single_state(&self, function: &Function, param: &Param) -> bool {
        let mut named = function.step.iter().flat_map(|step| step.chains.iter().flatten());
        let is_single = self.first_leaf(&param.ty, 0).is_some_and(|(_, dims)| dims == 0);
        is_single && named.any(|it| it.name == param.name.name)
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
    signature: &Signature,
    params: Vec<TokenStream>,
    result: TokenStream,
    steps: TokenStream,
) -> TokenStream {
    let (methods, result) = (signature.methods(), signature.result(result));
    quote! {
        #Runtime::__kernel! {
            attrs: [],
            vis: [ #visibility ],
            name: #name,
            ty: "",
            spec: unsafe { #Runtime::spec::KernelSpec::INVALID },
            host: [],
            methods: #methods,
            params: [ #(#params),* ],
            result: #result,
            #steps
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
