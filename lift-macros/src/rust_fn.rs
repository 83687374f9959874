//! Scalar functions of a block as ordinary Rust functions, so that users can test them.

use lift_core::ir::Scalar;
use lift_core::syntax::ast::{
    Block, Const, Expr, ExprKind, Field, Function, Literal, Pattern, PatternKind, Surface, Type, TypeKind,
};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use crate::{struct_item, warnings};

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
            let item = with_constants(f, block);
            quote! {
                #[allow(dead_code, clippy::all, reason = "it is the kernel's function, made available to tests")]
                #item
            }
        })
        .collect()
}

/// The function as written, with the constants that it mentions at the start of its body. Beside the function they could
/// meet others of the same name.
fn with_constants(function: &Function, block: &Block) -> TokenStream {
    let mut names = Names::default();
    function.params.iter().for_each(|p| names.bound.push(p.name.name.clone()));
    names.visit(&function.body);
    let mut wanted: Vec<&Const> = Vec::new();
    while let Some(name) = names.mentioned.pop() {
        let known = wanted.iter().any(|c| c.name.name == name) || names.bound.contains(&name);
        if let Some(constant) = block.consts.iter().find(|c| c.name.name == name).filter(|_| !known) {
            names.visit(&constant.value);
            wanted.push(constant);
        }
    }
    let constants = wanted.iter().map(|c| &c.surface.item);
    let mut item = item(function);
    if let (Some(TokenTree::Group(body)), false) = (item.last_mut(), wanted.is_empty()) {
        let statements = body.stream();
        let mut inside = Group::new(body.delimiter(), quote!(#(#constants)* #statements));
        inside.set_span(body.span());
        *body = inside;
    }
    item.into_iter().collect()
}

/// The function as written, without levels of our own warnings, which rustc does not know.
fn item(function: &Function) -> Vec<TokenTree> {
    let Surface { attributes, item, .. } = &function.surface;
    let written = item.clone().into_iter().skip(attributes.clone().into_iter().count());
    warnings::left_over(attributes.clone(), false).into_iter().chain(written).collect()
}

/// The names in a plain expression.
#[derive(Default)]
struct Names {
    mentioned: Vec<String>,
    bound: Vec<String>,
}

impl Names {
    fn visit(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => self.mentioned.push(name.clone()),
            ExprKind::Unary(_, x)
            | ExprKind::Cast(x, _)
            | ExprKind::Field(x, _)
            | ExprKind::Dot(x, _, None)
            | ExprKind::Closure(_, x) => self.visit(x),
            ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) | ExprKind::Index(a, b) => {
                [a, b].into_iter().for_each(|e| self.visit(e));
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.visit(e)),
            ExprKind::Call(x, args) | ExprKind::Dot(x, _, Some(args)) => {
                self.visit(x);
                args.iter().for_each(|e| self.visit(e));
            }
            ExprKind::Tuple(parts) | ExprKind::ArrayLiteral(parts) => {
                parts.iter().for_each(|e| self.visit(e))
            }
            ExprKind::Struct(_, fields) => fields.iter().for_each(|(_, e)| self.visit(e)),
            ExprKind::Block(lets, result) => {
                for l in lets {
                    self.bind(&l.pattern);
                    self.visit(&l.value);
                }
                self.visit(result);
            }
            ExprKind::Literal(_) | ExprKind::Updates(..) | ExprKind::Error => {}
        }
    }

    fn bind(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.bound.push(name.clone()),
            PatternKind::Wild => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => parts.iter().for_each(|p| self.bind(p)),
            PatternKind::Struct(_, fields, _) => fields.iter().for_each(|(_, p)| self.bind(p)),
        }
    }
}

/// The functions of a block with mistakes: their signatures, so that calls elsewhere find them. Their bodies stay
/// away from rustc, which would report the same mistakes again.
pub(crate) fn declarations(block: &Block) -> TokenStream {
    let mut names: Vec<&str> = Vec::new();
    let mut tokens = TokenStream::new();
    for function in block.functions.iter().filter(|f| !f.kernel && is_scalar(f, block)) {
        let mut item = item(function);
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

/// Whether Rust, too, can compute the constant's value while it compiles.
fn is_constant(value: &Expr, block: &Block, depth: usize) -> bool {
    let inside = |x: &Expr| is_constant(x, block, depth + 1);
    match &value.kind {
        ExprKind::Name(name) => {
            let constant = block.consts.iter().find(|c| c.name.name == *name);
            // A circle of constants was reported.
            is_known_to_rust(name)
                || depth < 64 && constant.is_some_and(|c| is_rust(&c.ty, block) && inside(&c.value))
        }
        ExprKind::Literal(_) => is_plain(value, &[], block),
        ExprKind::Unary(_, x) => inside(x),
        ExprKind::Cast(x, ty) => is_rust(ty, block) && inside(x),
        ExprKind::Binary(_, a, b) => inside(a) && inside(b),
        ExprKind::Apply(..)
        | ExprKind::Call(..)
        | ExprKind::Dot(..)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Closure(..)
        | ExprKind::Block(..)
        | ExprKind::Updates(..)
        | ExprKind::If(..)
        | ExprKind::Tuple(_)
        | ExprKind::Struct(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Error => false,
    }
}

/// Whether Rust has this constant of a type of numbers, such as `f32::MAX`, under the same path.
fn is_known_to_rust(path: &str) -> bool {
    match path.split("::").collect::<Vec<_>>().as_slice() {
        [scalar, _] => Scalar::from_name(scalar).is_some_and(|scalar| scalar != Scalar::F16),
        ["std" | "core", "f32" | "f64", "consts", _] => true,
        _ => false,
    }
}

/// Whether Rust gives the body the same meaning: operators, methods, `if`, `let` and calls of `functions`.
fn is_plain(body: &Expr, functions: &[String], block: &Block) -> bool {
    let all = |exprs: &[Expr]| exprs.iter().all(|e| is_plain(e, functions, block));
    match &body.kind {
        ExprKind::Name(name) => {
            let constant = block.consts.iter().find(|c| c.name.name == *name);
            (!name.contains("::") || is_known_to_rust(name))
                && constant.is_none_or(|c| is_rust(&c.ty, block) && is_constant(&c.value, block, 0))
        }
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
