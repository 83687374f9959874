//! Functions and kernels.
//!
//! The signature and the body are read apart, so that a mistake in the body leaves a function that can be
//! called.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Token;
use syn::parse::ParseStream;

use super::ast::{Block, Expr, ExprKind, Function, Ident, Param, Surface, Type, TypeKind};
use super::attributes::{Attributes, KERNEL, TYPES};
use super::parse_item::{tokens_between, visibility};
use super::parse_type::function_text;
use super::parser::Parser;
use super::{error, error_rust};
use crate::span::Span;

impl Parser<'_> {
    /// Reads a function after its attributes.
    pub(super) fn function(
        &mut self,
        input: ParseStream<'_>,
        attributes: Attributes,
        block: &mut Block,
    ) -> syn::Result<()> {
        let start = input.cursor();
        let visibility = visibility(input)?;
        if input.peek(Token![default]) {
            input.parse::<TokenTree>()?;
        }
        let signature: syn::Signature = input.parse()?;
        let name = self.ident(&signature.ident);
        self.qualifiers(&signature);
        let kernel = attributes.place(&KERNEL).is_some();
        let types = attributes.place(&TYPES);
        let unlisted = kernel && types.is_none();
        let (generics, functions) = self.generics(&signature, unlisted);
        let params = self.params(&signature, &functions, name.span);
        let updates = params.iter().any(|param| param.updated.is_some());
        let declared = match &signature.output {
            syn::ReturnType::Type(_, ty) if updates && is_unit(ty) => Some(Type::nothing(name.span)),
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
            syn::ReturnType::Default if updates => Some(Type::nothing(name.span)),
            syn::ReturnType::Default => None,
        };
        let errors = self.errors();
        let mut body = self.body(input, name.span)?;
        let result = match declared {
            Some(result) => result,
            // It tries to update something; what is missing is a `&mut`.
            None if matches!(body.kind, ExprKind::Updates(_, None)) => Type::nothing(name.span),
            // A body that tries to change something says enough.
            None => {
                if self.errors() == errors {
                    self.report(error::missing_result_type(name.span, &name.name));
                }
                Type { kind: TypeKind::Infer, span: name.span }
            }
        };
        // The body may rely on a fact that is wrong, or use names that could not be declared.
        if attributes.broken_fact || signature.inputs.iter().any(|input| !has_name(input)) {
            body.kind = ExprKind::Error;
        }
        if !kernel {
            self.no_kernel_attributes(&attributes, &name.name);
        }
        let mut item = attributes.others.clone();
        item.extend(tokens_between(start, input.cursor()));
        let function = Function {
            kernel,
            name,
            generics,
            facts: attributes.facts,
            step: attributes.step,
            options: attributes.options,
            params,
            result,
            body,
            docs: attributes.docs,
            surface: Surface {
                ident: Some(signature.ident.clone()),
                visibility,
                attributes: attributes.others,
                item,
            },
            instance: Vec::new(),
        };
        match types {
            None => block.functions.push(function),
            Some(span) => self.instances(function, span, &attributes.types, block),
        }
        Ok(())
    }

    fn body(&mut self, input: ParseStream<'_>, name: Span) -> syn::Result<Expr> {
        if input.peek(Token![;]) {
            input.parse::<TokenTree>()?;
            return Ok(self.fault(Expr::error(name), error::no_body(name)));
        }
        let tree: TokenTree = input.parse()?;
        let group = match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => group,
            other => return Err(syn::Error::new(other.span(), "expected `{`")),
        };
        let span = self.span(group.span_open(), group.span_close());
        self.attributes_within(&group.stream());
        let kind = match syn::parse2::<syn::Block>(TokenTree::Group(group).into()) {
            Ok(block) => match block.stmts.as_slice() {
                [syn::Stmt::Expr(expr, None)] => return Ok(self.expr(expr)),
                statements => self.statements(statements, span),
            },
            Err(fault) => {
                self.not_rust(&fault);
                ExprKind::Error
            }
        };
        Ok(Expr { kind, span })
    }

    /// Attributes within a body would change what rustc sees, but not what Lift sees.
    fn attributes_within(&mut self, tokens: &TokenStream) {
        let mut hash = None;
        for token in tokens.clone() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => hash = Some(punct.span()),
                TokenTree::Group(group) => {
                    if let Some(first) = hash.take()
                        && group.delimiter() == Delimiter::Bracket
                    {
                        let span = self.span(first, group.span_close());
                        self.report(error::attribute_on_expression(span));
                    }
                    self.attributes_within(&group.stream());
                }
                _ => {}
            }
        }
    }

    fn qualifiers(&mut self, signature: &syn::Signature) {
        let words = [
            signature.constness.as_ref().map(|word| (word.span, "const")),
            signature.asyncness.as_ref().map(|word| (word.span, "async")),
            match &signature.safety {
                syn::Safety::Unsafe(word) => Some((word.span, "unsafe")),
                syn::Safety::Safe(word) => Some((word.span, "safe")),
                syn::Safety::Default => None,
            },
            signature.abi.as_ref().map(|abi| (abi.extern_token.span, "extern")),
        ];
        for (place, word) in words.into_iter().flatten() {
            let span = self.span(place, place);
            self.report(error_rust::qualifier(span, format!("`{word}`"), "`fn name(x: T) -> U { … }`"));
        }
    }

    /// The names in `<…>`, and those that stand for the types of functions. `unlisted`: a kernel without `#[types]`.
    fn generics(&mut self, signature: &syn::Signature, unlisted: bool) -> (Vec<Ident>, Vec<String>) {
        let generics = &signature.generics;
        let mut functions = Vec::new();
        if let Some(clause) = &generics.where_clause {
            self.report_at(clause, error::where_clause);
        }
        let mut names = Vec::new();
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(ty) => {
                    let name = ty.ident.to_string();
                    if function_text(&ty.bounds).is_some() {
                        self.report_at(param, |span| error::function_bound(span, &name));
                        functions.push(name);
                        continue;
                    }
                    if !ty.bounds.is_empty() || ty.default.is_some() {
                        self.report_at(param, |span| error::bound(span, &name, unlisted));
                    }
                    names.push(self.ident(&ty.ident));
                }
                syn::GenericParam::Const(size) => {
                    self.report_at(param, |span| error::const_generic(span, &size.ident));
                    names.push(self.ident(&size.ident));
                }
                // What it is for is reported by itself.
                syn::GenericParam::Lifetime(_) if signature.inputs.iter().any(is_reference) => {}
                syn::GenericParam::Lifetime(_) => self.report_at(param, error::lifetime),
            }
        }
        (names, functions)
    }

    fn params(&mut self, signature: &syn::Signature, functions: &[String], name: Span) -> Vec<Param> {
        if signature.variadic.is_some() {
            self.report(error::variadic(name));
        }
        let mut params = Vec::new();
        for (i, input) in signature.inputs.iter().enumerate() {
            match input {
                syn::FnArg::Receiver(receiver) => self.report_at(receiver, error::receiver),
                syn::FnArg::Typed(typed) => {
                    let ident = self.param_name(&typed.pat, i);
                    let (written, updated) = match &*typed.ty {
                        syn::Type::Reference(reference) if reference.mutability.is_some() => {
                            if let Some(lifetime) = &reference.lifetime {
                                let span = self.span(lifetime.apostrophe, lifetime.ident.span());
                                self.report(error::lifetime(span));
                            }
                            (&*reference.elem, Some(self.whole(&*typed.ty)))
                        }
                        written => (written, None),
                    };
                    let mut ty = self.ty(written);
                    if matches!(&ty.kind, TypeKind::Name(name) if functions.contains(name)) {
                        ty.kind = TypeKind::Infer;
                    }
                    if matches!(written, syn::Type::Infer(_)) {
                        self.report(error::untyped_parameter(ty.span, &ident.name));
                    }
                    params.push(Param { name: ident, ty, updated });
                }
            }
        }
        params
    }

    fn param_name(&mut self, pat: &syn::Pat, index: usize) -> Ident {
        match pat {
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                if ident.mutability.is_some() {
                    self.report_at(pat, |span| error_rust::mutable(span, &ident.ident));
                }
                self.ident(&ident.ident)
            }
            syn::Pat::Wild(_) => Ident { name: format!("_{index}"), span: self.whole(pat) },
            _ => {
                let span = self.whole(pat);
                let ident = Ident { name: format!("_{index}"), span };
                self.fault(ident, error::pattern_parameter(span))
            }
        }
    }
}

/// Whether a parameter is a reference that Lift does not have.
fn is_reference(input: &syn::FnArg) -> bool {
    matches!(input, syn::FnArg::Typed(typed)
        if matches!(&*typed.ty, syn::Type::Reference(reference) if reference.mutability.is_none()))
}

/// `()`
fn is_unit(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Whether a parameter is one name with a type, as it should be.
fn has_name(input: &syn::FnArg) -> bool {
    match input {
        syn::FnArg::Typed(typed) => matches!(&*typed.pat, syn::Pat::Ident(_) | syn::Pat::Wild(_)),
        syn::FnArg::Receiver(_) => false,
    }
}
