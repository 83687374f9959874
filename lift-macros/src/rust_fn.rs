//! Scalar functions of a block as ordinary Rust functions, so that users can test them.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Expr, ExprKind, Function, Literal, Type, TypeKind};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// Every function that works on scalars alone and whose body is plain Rust.
pub(crate) fn scalar_functions(block: &Block) -> TokenStream {
    let mut plain: Vec<&Function> = block.functions.iter().filter(|f| !f.kernel && is_scalar(f)).collect();
    // A function that calls one that is left out is left out too.
    loop {
        let names: Vec<String> = plain.iter().map(|f| f.name.name.clone()).collect();
        let before = plain.len();
        plain.retain(|f| is_plain(&f.body, &names));
        if plain.len() == before {
            break;
        }
    }
    plain
        .into_iter()
        .map(|f| {
            let item = &f.surface.item;
            quote! {
                #[allow(dead_code, clippy::all, reason = "it is the kernel's function, made available to tests")]
                #item
            }
        })
        .collect()
}

/// The functions of a block with mistakes: their signatures, so that calls elsewhere find them. Their bodies stay
/// away from rustc, which would report the same mistakes again.
pub(crate) fn declarations(block: &Block) -> TokenStream {
    let mut names: Vec<&str> = Vec::new();
    let mut tokens = TokenStream::new();
    for function in block.functions.iter().filter(|f| !f.kernel && is_scalar(f)) {
        let mut item: Vec<TokenTree> = function.surface.item.clone().into_iter().collect();
        let body = item.pop();
        let has_body =
            matches!(&body, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
        if !has_body || names.contains(&function.name.name.as_str()) {
            continue;
        }
        names.push(&function.name.name);
        tokens.extend(quote! {
            #[allow(dead_code, unused, clippy::all, reason = "the function has mistakes, which are reported")]
            #(#item)* { ::core::unimplemented!() }
        });
    }
    tokens
}

fn is_scalar(function: &Function) -> bool {
    function.generics.is_empty()
        && is_rust(&function.result)
        && function.params.iter().all(|p| is_rust(&p.ty))
}

/// Whether this is a scalar type that Rust has: `f16` is none yet.
fn is_rust(ty: &Type) -> bool {
    let TypeKind::Name(name) = &ty.kind else { return false };
    Scalar::from_name(name).is_some_and(|scalar| scalar != Scalar::F16)
}

/// Whether Rust gives the body the same meaning: operators, methods, `if`, `let` and calls of `functions`.
fn is_plain(body: &Expr, functions: &[String]) -> bool {
    let all = |exprs: &[Expr]| exprs.iter().all(|e| is_plain(e, functions));
    match &body.kind {
        ExprKind::Name(name) => !name.contains("::"),
        ExprKind::Literal(Literal::Int(_, suffix) | Literal::Float(_, suffix)) => {
            suffix.as_deref() != Some(Scalar::F16.name())
        }
        ExprKind::Literal(Literal::Bool(_)) => true,
        ExprKind::Unary(_, x) => is_plain(x, functions),
        ExprKind::Cast(x, ty) => is_rust(ty) && is_plain(x, functions),
        ExprKind::Binary(_, a, b) => is_plain(a, functions) && is_plain(b, functions),
        ExprKind::If(c, a, b) => [c, a, b].into_iter().all(|x| is_plain(x, functions)),
        ExprKind::Block(lets, result) => {
            lets.iter().all(|l| is_plain(&l.value, functions)) && is_plain(result, functions)
        }
        ExprKind::Call(callee, args) => {
            matches!(&callee.kind, ExprKind::Name(name) if functions.contains(name)) && all(args)
        }
        ExprKind::Dot(x, method, Some(args)) => {
            lift_core::ir::MathFn::from_name(&method.name).is_some() && is_plain(x, functions) && all(args)
        }
        ExprKind::Dot(_, _, None)
        | ExprKind::Apply(..)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Closure(..)
        | ExprKind::Tuple(_)
        | ExprKind::Updates(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Error => false,
    }
}
