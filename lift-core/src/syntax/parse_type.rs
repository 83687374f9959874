//! Types and sizes: from syn's trees to ours.
//!
//! A type or size that Lift does not have is reported once; an unknown type takes its place.

use proc_macro2::Span as TokenSpan;
use syn::spanned::Spanned;

use super::ast::{Fact, Relation, SizeExpr, SizeKind, SizeOp, Type, TypeKind};
use super::parse_expr::{word, words};
use super::parse_item::macro_fault;
use super::parser::{Parser, ends};
use super::{error, error_rust};
use crate::diag::Diagnostic;
use crate::span::Span;

impl Parser<'_> {
    /// A type; `_` where a mistake was reported.
    pub(super) fn ty(&mut self, ty: &syn::Type) -> Type {
        if !self.enter(|| ends(ty)) {
            return Type { kind: TypeKind::Infer, span: Span::default() };
        }
        let (first, last) = type_ends(ty);
        let span = self.span(first, last);
        let kind = self.type_kind(ty, span).unwrap_or_else(|fault| {
            self.report(fault);
            TypeKind::Infer
        });
        self.leave();
        Type { kind, span }
    }

    fn type_kind(&mut self, ty: &syn::Type, span: Span) -> Result<TypeKind, Diagnostic> {
        Ok(match ty {
            syn::Type::Array(array) => {
                let element = self.ty(&array.elem);
                match self.size(&array.len) {
                    Some(size) => TypeKind::Array(Box::new(element), size),
                    None => TypeKind::Infer,
                }
            }
            syn::Type::FnPtr(f) => {
                if f.unsafety.is_some() || f.abi.is_some() || f.variadic.is_some() || f.lifetimes.is_some() {
                    return Err(error_rust::qualifier(span, "a function type", "`fn(T) -> U`"));
                }
                let inputs = f.inputs.iter().map(|arg| self.ty(&arg.ty)).collect();
                match &f.output {
                    syn::ReturnType::Type(_, result) => TypeKind::Function(inputs, Box::new(self.ty(result))),
                    syn::ReturnType::Default => return Err(error::function_type_without_result(span)),
                }
            }
            syn::Type::Group(group) => self.type_kind(&group.elem, span)?,
            syn::Type::Paren(paren) => self.type_kind(&paren.elem, span)?,
            syn::Type::Infer(_) => TypeKind::Infer,
            syn::Type::Path(path) if path.qself.is_none() => self.type_path(&path.path, span)?,
            syn::Type::Tuple(tuple) if tuple.elems.len() >= 2 => {
                TypeKind::Tuple(tuple.elems.iter().map(|ty| self.ty(ty)).collect())
            }
            syn::Type::Tuple(tuple) => return Err(error::short_tuple(span, tuple.elems.len(), "type")),
            syn::Type::Reference(syn::TypeReference { elem, .. })
            | syn::Type::Ptr(syn::TypePtr { elem, .. }) => {
                return Err(match &**elem {
                    syn::Type::Path(path) if path.path.is_ident("str") => error::text_type(span),
                    syn::Type::TraitObject(object) => {
                        error::trait_type(span, function_text(&object.bounds).as_deref())
                    }
                    value @ syn::Type::Path(_) if matches!(ty, syn::Type::Ptr(_)) => {
                        error_rust::pointer_type(span, type_text(value))
                    }
                    value => error_rust::reference_type(span, type_text(value)),
                });
            }
            syn::Type::Slice(_) => return Err(error::slice_type(span, type_text(ty))),
            syn::Type::ImplTrait(syn::TypeImplTrait { bounds, .. })
            | syn::Type::TraitObject(syn::TypeTraitObject { bounds, .. }) => {
                return Err(error::trait_type(span, function_text(bounds).as_deref()));
            }
            syn::Type::Macro(called) => return Err(macro_fault(span, &called.mac)),
            _ => return Err(error::unsupported_type(span)),
        })
    }

    fn type_path(&mut self, path: &syn::Path, span: Span) -> Result<TypeKind, Diagnostic> {
        let (Some(segment), 1, None) = (path.segments.first(), path.segments.len(), path.leading_colon)
        else {
            return Err(error::type_path(span));
        };
        let name = segment.ident.to_string();
        match &segment.arguments {
            syn::PathArguments::None if matches!(name.as_str(), "str" | "String" | "char") => {
                Err(error::text_type(span))
            }
            syn::PathArguments::None => Ok(TypeKind::Name(name)),
            syn::PathArguments::AngleBracketed(arguments) if name == "Boundary" => {
                match arguments.args.first() {
                    Some(syn::GenericArgument::Type(ty)) if arguments.args.len() == 1 => {
                        Ok(TypeKind::Boundary(Box::new(self.ty(ty))))
                    }
                    _ => Err(error::generic_type(span, &name)),
                }
            }
            _ if matches!(name.as_str(), "Option" | "Result") => Err(error_rust::option(span, &name)),
            _ => {
                let fault = error::generic_type(span, &name);
                self.generic_types.push((name, fault));
                Ok(TypeKind::Infer)
            }
        }
    }

    /// A size; `None` where a mistake was reported.
    pub(super) fn size(&mut self, expr: &syn::Expr) -> Option<SizeExpr> {
        if !self.enter(|| ends(expr)) {
            return None;
        }
        let size = self.size_inner(expr);
        self.leave();
        size
    }

    fn size_inner(&mut self, expr: &syn::Expr) -> Option<SizeExpr> {
        let (kind, first, last) = match expr {
            syn::Expr::Group(group) => return self.size(&group.expr),
            syn::Expr::Paren(paren) => return self.size(&paren.expr),
            syn::Expr::Block(block) if block.label.is_none() => match block.block.stmts.as_slice() {
                [syn::Stmt::Expr(inner, None)] => return self.size(inner),
                _ => return self.no_size(expr),
            },
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(literal), .. })
                if matches!(literal.suffix(), "" | "usize") =>
            {
                let value = literal.base10_parse::<i64>().ok().filter(|n| *n <= i64::from(i32::MAX));
                let span = literal.span();
                match value {
                    Some(value) => (SizeKind::Const(value), span, span),
                    None => {
                        let span = self.span(span, span);
                        return self.fault(None, error::size_too_large(span));
                    }
                }
            }
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(ident) if path.qself.is_none() => {
                    (SizeKind::Name(ident.to_string()), ident.span(), ident.span())
                }
                _ => return self.no_size(expr),
            },
            _ => {
                return match size_operation(expr) {
                    Some((op, left, right)) => self.size_pair(op, left, right),
                    None => self.no_size(expr),
                };
            }
        };
        Some(SizeExpr { kind, span: self.span(first, last) })
    }

    fn size_pair(&mut self, op: SizeOp, left: &syn::Expr, right: &syn::Expr) -> Option<SizeExpr> {
        let (left, right) = (self.size(left), self.size(right));
        let (left, right) = (left?, right?);
        let span = self.cover(left.span, right.span);
        Some(SizeExpr { kind: SizeKind::Binary(op, Box::new(left), Box::new(right)), span })
    }

    fn no_size<T>(&mut self, expr: &syn::Expr) -> Option<T> {
        let array = match expr {
            syn::Expr::MethodCall(call) if call.method == "len" => word(&call.receiver),
            _ => None,
        };
        self.report_at(expr, |span| error::not_a_size_in_type(span, array.as_deref()));
        None
    }

    /// One relation of `#[size(..)]`.
    pub(super) fn fact(&mut self, expr: &syn::Expr) -> Option<Fact> {
        let comparison = match expr {
            syn::Expr::Binary(binary) => match binary.op {
                syn::BinOp::Eq(_) => Some((binary, Relation::Equal, false)),
                syn::BinOp::Le(_) => Some((binary, Relation::AtMost, false)),
                syn::BinOp::Lt(_) => Some((binary, Relation::Below, false)),
                syn::BinOp::Ge(_) => Some((binary, Relation::AtMost, true)),
                syn::BinOp::Gt(_) => Some((binary, Relation::Below, true)),
                _ => None,
            },
            _ => None,
        };
        let Some((binary, relation, swap)) = comparison else {
            self.report_at(expr, |span| error::not_a_fact(span, fact_meant(expr).as_deref()));
            return None;
        };
        let (left, right) = (self.size(&binary.left), self.size(&binary.right));
        let (left, right) = if swap { (right?, left?) } else { (left?, right?) };
        Some(Fact { relation, left, right, span: self.whole(expr) })
    }
}

/// The operation of that name between sizes.
pub(super) fn size_function(name: &str) -> Option<SizeOp> {
    match name {
        "min" => Some(SizeOp::Min),
        "max" => Some(SizeOp::Max),
        "div_ceil" => Some(SizeOp::DivCeil),
        _ => None,
    }
}

/// The operation on sizes that an expression is: `a + b`, `min(a, b)` or `a.min(b)`.
fn size_operation(expr: &syn::Expr) -> Option<(SizeOp, &syn::Expr, &syn::Expr)> {
    match expr {
        syn::Expr::Binary(binary) => {
            let op = match binary.op {
                syn::BinOp::Add(_) => SizeOp::Add,
                syn::BinOp::Sub(_) => SizeOp::Sub,
                syn::BinOp::Mul(_) => SizeOp::Mul,
                syn::BinOp::Div(_) => SizeOp::Div,
                syn::BinOp::Rem(_) => SizeOp::Mod,
                _ => return None,
            };
            Some((op, &binary.left, &binary.right))
        }
        syn::Expr::Call(call) if call.args.len() == 2 => {
            let op = size_function(&word(&call.func)?)?;
            Some((op, &call.args[0], &call.args[1]))
        }
        syn::Expr::MethodCall(call) if call.args.len() == 1 => {
            let op = size_function(&call.method.to_string())?;
            Some((op, &call.receiver, &call.args[0]))
        }
        _ => None,
    }
}

/// What is meant by something that is no comparison of sizes.
fn fact_meant(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(fact), .. }) => Some(fact.value()),
        syn::Expr::Assign(assign) => Some(format!("{} == {}", words(&assign.left)?, words(&assign.right)?)),
        syn::Expr::Binary(binary) => match binary.op {
            syn::BinOp::And(_) => Some(format!("{}, {}", words(&binary.left)?, words(&binary.right)?)),
            syn::BinOp::Rem(_) => Some(format!("{} == 0", words(expr)?)),
            _ => None,
        },
        _ => None,
    }
}

/// A type as it would be written in Lift: without references, and with a length for slices.
pub(super) fn type_text(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Reference(syn::TypeReference { elem, .. }) | syn::Type::Ptr(syn::TypePtr { elem, .. }) => {
            type_text(elem)
        }
        syn::Type::Array(array) => {
            format!("[{}; {}]", type_text(&array.elem), word(&array.len).unwrap_or_else(|| "N".into()))
        }
        syn::Type::Slice(slice) => format!("[{}; N]", type_text(&slice.elem)),
        syn::Type::Tuple(tuple) => {
            let parts: Vec<String> = tuple.elems.iter().map(type_text).collect();
            format!("({})", parts.join(", "))
        }
        syn::Type::Path(path) => match path.path.segments.last() {
            Some(segment) if segment.arguments.is_none() => segment.ident.to_string(),
            _ => "[f32; N]".into(),
        },
        _ => "f32".into(),
    }
}

/// `fn(f32) -> f32` for `Fn(f32) -> f32`.
pub(super) fn function_text<'b>(bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>) -> Option<String> {
    bounds.into_iter().find_map(|bound| {
        let syn::TypeParamBound::Trait(bound) = bound else { return None };
        let segment = bound.path.segments.last()?;
        let syn::PathArguments::Parenthesized(arguments) = &segment.arguments else { return None };
        let inputs: Vec<String> = arguments.inputs.iter().map(|input| type_text(&input.ty)).collect();
        let result = match &arguments.output {
            syn::ReturnType::Type(_, ty) => type_text(ty),
            syn::ReturnType::Default => "f32".into(),
        };
        Some(format!("fn({}) -> {result}", inputs.join(", ")))
    })
}

/// First and last token of a type, without printing the common ones.
fn type_ends(ty: &syn::Type) -> (TokenSpan, TokenSpan) {
    match ty {
        syn::Type::Array(array) => (array.bracket_token.span.open(), array.bracket_token.span.close()),
        syn::Type::Tuple(tuple) => (tuple.paren_token.span.open(), tuple.paren_token.span.close()),
        syn::Type::Path(path) => match path.path.get_ident() {
            Some(ident) => (ident.span(), ident.span()),
            None => ends(ty),
        },
        syn::Type::Infer(infer) => (infer.span(), infer.span()),
        _ => ends(ty),
    }
}
