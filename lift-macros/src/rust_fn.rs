//! Scalar functions of a block as ordinary Rust functions, so that users can test them.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{Block, Expr, ExprKind, Field, Function, Literal, Type, TypeKind};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use crate::struct_item;

/// Every function that works on scalars alone and whose body is plain Rust.
pub(crate) fn scalar_functions(block: &Block) -> TokenStream {
    let mut plain: Vec<&Function> =
        block.functions.iter().filter(|f| !f.kernel && is_scalar(f, block)).collect();
    // A function that calls one that is left out is left out too.
    loop {
        let names: Vec<String> = plain.iter().map(|f| f.name.name.clone()).collect();
        let before = plain.len();
        plain.retain(|f| is_plain(&f.body, &names, block));
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
    for function in block.functions.iter().filter(|f| !f.kernel && is_scalar(f, block)) {
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

fn is_scalar(function: &Function, block: &Block) -> bool {
    function.generics.is_empty()
        && is_rust(&function.result, block)
        && function.params.iter().all(|p| is_rust(&p.ty, block))
}

/// Whether this is a type of scalars that Rust has: `f16` is none yet.
fn is_rust(ty: &Type, block: &Block) -> bool {
    match &ty.kind {
        TypeKind::Name(name) => match Scalar::from_name(name) {
            Some(scalar) => scalar != Scalar::F16,
            None => struct_item::is_rust(name, block),
        },
        TypeKind::Tuple(parts) => parts.iter().all(|part| is_rust(part, block)),
        TypeKind::Boundary(_) | TypeKind::Array(..) | TypeKind::Function(..) | TypeKind::Infer => false,
    }
}

/// Whether Rust gives the body the same meaning: operators, methods, `if`, `let` and calls of `functions`.
fn is_plain(body: &Expr, functions: &[String], block: &Block) -> bool {
    let all = |exprs: &[Expr]| exprs.iter().all(|e| is_plain(e, functions, block));
    match &body.kind {
        ExprKind::Name(name) => !name.contains("::"),
        ExprKind::Literal(Literal::Int(_, suffix) | Literal::Float(_, suffix)) => {
            suffix.as_deref() != Some(Scalar::F16.name())
        }
        ExprKind::Literal(Literal::Bool(_)) => true,
        ExprKind::Unary(_, x) => is_plain(x, functions, block),
        ExprKind::Cast(x, ty) => is_rust(ty, block) && is_plain(x, functions, block),
        ExprKind::Binary(_, a, b) => is_plain(a, functions, block) && is_plain(b, functions, block),
        ExprKind::If(c, a, b) => [c, a, b].into_iter().all(|x| is_plain(x, functions, block)),
        ExprKind::Block(lets, result) => {
            lets.iter().all(|l| is_plain(&l.value, functions, block)) && is_plain(result, functions, block)
        }
        ExprKind::Call(callee, args) => {
            matches!(&callee.kind, ExprKind::Name(name) if functions.contains(name)) && all(args)
        }
        ExprKind::Dot(x, method, Some(args)) => {
            lift_core::ir::MathFn::from_name(&method.name).is_some()
                && is_plain(x, functions, block)
                && all(args)
        }
        // Fields; a composition of functions has none.
        ExprKind::Dot(x, field, None) => {
            let is_field = |f: &Field| f.name.name == field.name;
            block.structs.iter().flat_map(|s| &s.fields).any(is_field) && is_plain(x, functions, block)
        }
        ExprKind::Field(x, _) => is_plain(x, functions, block),
        ExprKind::Tuple(parts) => all(parts),
        ExprKind::Struct(name, fields) => {
            struct_item::is_rust(&name.name, block)
                && fields.iter().all(|(_, e)| is_plain(e, functions, block))
        }
        ExprKind::Apply(..)
        | ExprKind::Index(..)
        | ExprKind::Closure(..)
        | ExprKind::Updates(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Error => false,
    }
}
