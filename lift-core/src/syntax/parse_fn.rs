//! Functions, kernels and their attributes.
//!
//! The signature and the body are read apart, so that a mistake in the body leaves a function that can be
//! called.

use proc_macro2::{Delimiter, Span as TokenSpan, TokenStream, TokenTree};
use syn::Token;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;

use super::ast::{Block, Expr, ExprKind, Fact, Function, Ident, Param, Step, Surface, Type, TypeKind};
use super::instances::TypeChoice;
use super::parse_item::tokens_between;
use super::parse_type::function_text;
use super::parser::{Ends, Parser};
use super::{error, error_place, error_rust, error_step, error_strategy, error_tolerance};
use crate::ir::UserStrategy;
use crate::span::Span;

/// The attributes of one item.
#[derive(Default)]
pub(super) struct Attributes {
    /// `#[kernel]`
    kernel: Option<Span>,
    /// `#[size(..)]`
    facts: Vec<Fact>,
    size: Option<Span>,
    /// One of the facts cannot be read.
    broken_fact: bool,
    /// `#[types(..)]`
    types: Option<(Span, Vec<TypeChoice>)>,
    /// `#[step(..)]`
    step: Option<Step>,
    /// `#[work_group(..)]`
    group: Option<(Span, Vec<i64>)>,
    /// `#[stores(streaming)]`
    streams: Option<Span>,
    /// `#[approximate(..)]`
    tolerance: Option<(Span, Option<f64>)>,
    /// `#[strategy(..)]`
    strategies: Vec<UserStrategy>,
    /// The last of these attributes, whether it is legal or not.
    strategy: Option<Span>,
    /// Doc comments.
    docs: Vec<String>,
    /// All but Lift's own.
    others: TokenStream,
    /// All attributes together.
    pub(super) span: Span,
    any: bool,
}

impl Attributes {
    /// All but Lift's own.
    pub(super) fn into_others(self) -> TokenStream {
        self.others
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        !self.any
    }
}

impl Parser<'_> {
    /// Reads the attributes that stand here.
    pub(super) fn attributes(&mut self, input: ParseStream<'_>) -> syn::Result<Attributes> {
        let mut attributes = Attributes::default();
        let mut range: Option<(TokenSpan, TokenSpan)> = None;
        while input.peek(Token![#]) {
            let hash: TokenTree = input.parse()?;
            let tree: TokenTree = input.parse()?;
            let TokenTree::Group(group) = &tree else {
                return Err(syn::Error::new(tree.span(), "expected `[`"));
            };
            if group.delimiter() != Delimiter::Bracket {
                return Err(syn::Error::new(tree.span(), "expected `[`"));
            }
            let first = range.map_or(hash.span(), |range| range.0);
            range = Some((first, tree.span()));
            let span = self.span(hash.span(), tree.span());
            // What is not an attribute as we know it may still be one for somebody else.
            let meta = syn::parse2::<syn::Meta>(group.stream()).ok();
            match &meta {
                Some(meta) if meta.path().is_ident("kernel") => {
                    if !matches!(meta, syn::Meta::Path(_)) {
                        self.report(error::kernel_arguments(span));
                    }
                    attributes.kernel = Some(span);
                }
                Some(meta) if meta.path().is_ident("size") => {
                    attributes.size = Some(span);
                    let errors = self.errors();
                    self.size_attribute(meta, span, &mut attributes.facts);
                    attributes.broken_fact |= self.errors() > errors;
                }
                Some(meta) if meta.path().is_ident("types") => {
                    let choices = self.types_attribute(meta, span);
                    attributes.types = Some((span, choices));
                }
                Some(meta) if meta.path().is_ident("step") => {
                    attributes.step = self.step_attribute(meta, span);
                }
                Some(meta) if meta.path().is_ident("stores") => {
                    self.stores_attribute(meta, span);
                    attributes.streams = Some(span);
                }
                Some(meta) if meta.path().is_ident("approximate") => {
                    attributes.tolerance = Some((span, self.tolerance_attribute(meta, span)));
                }
                Some(meta) if meta.path().is_ident("strategy") => {
                    attributes.strategies.extend(self.strategy_attribute(meta, span));
                    attributes.strategy = Some(span);
                }
                Some(meta) if meta.path().is_ident("work_group") => {
                    attributes.group = Some((span, self.group_attribute(meta, span)));
                }
                _ => {
                    // `#[kernal]` would otherwise go to rustc, or be lost with a function that stays here.
                    if let Some(path) = meta.as_ref().map(syn::Meta::path)
                        && let (Some(first), Some(last)) = (path.segments.first(), path.segments.last())
                        && (path.segments.len() == 1 || first.ident == "lift")
                        && let name = last.ident.to_string()
                        && let Some(near) = crate::text::did_you_mean(
                            &name,
                            [
                                "approximate",
                                "kernel",
                                "size",
                                "step",
                                "stores",
                                "strategy",
                                "types",
                                "work_group",
                            ],
                        )
                    {
                        let path = if path.segments.len() > 1 { "lift::" } else { "" };
                        self.report(error::unknown_attribute(span, path, &name, near));
                        // With it, it would have been one.
                        attributes.kernel = attributes.kernel.or((near == "kernel").then_some(span));
                        continue;
                    }
                    if let Some(syn::Meta::NameValue(pair)) = &meta
                        && pair.path.is_ident("doc")
                        && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value
                    {
                        attributes.docs.push(text.value());
                    }
                    attributes.others.extend([hash, tree]);
                }
            }
        }
        if let Some((first, last)) = range {
            attributes.any = true;
            attributes.span = self.span(first, last);
        }
        Ok(attributes)
    }

    fn size_attribute(&mut self, meta: &syn::Meta, span: Span, facts: &mut Vec<Fact>) {
        let syn::Meta::List(list) = meta else {
            return self.report(error::size_without_facts(span));
        };
        let relations = list.parse_args_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated);
        match relations {
            Ok(relations) if relations.is_empty() => self.report(error::size_without_facts(span)),
            Ok(relations) => facts.extend(relations.iter().filter_map(|relation| self.fact(relation))),
            Err(fault) => self.not_rust(&fault),
        }
    }

    /// Lift's own attributes stand on functions only.
    pub(super) fn no_lift_attributes(&mut self, attributes: &Attributes, item: &str) {
        if let Some(span) = attributes.kernel {
            self.report(error::misplaced_attribute(span, "kernel", item));
        }
        if let Some(span) = attributes.size {
            self.report(error::misplaced_attribute(span, "size", item));
        }
        if let Some((span, _)) = attributes.types {
            self.report(error::misplaced_attribute(span, "types", item));
        }
        if let Some(step) = &attributes.step {
            self.report(error::misplaced_attribute(step.span, "step", item));
        }
        if let Some((span, _)) = attributes.group {
            self.report(error::misplaced_attribute(span, "work_group", item));
        }
        if let Some(span) = attributes.streams {
            self.report(error::misplaced_attribute(span, "stores", item));
        }
        if let Some((span, _)) = attributes.tolerance {
            self.report(error::misplaced_attribute(span, "approximate", item));
        }
        if let Some(span) = attributes.strategy {
            self.report(error::misplaced_attribute(span, "strategy", item));
        }
    }

    /// Reads a function after its attributes.
    pub(super) fn function(
        &mut self,
        input: ParseStream<'_>,
        attributes: Attributes,
        block: &mut Block,
    ) -> syn::Result<()> {
        let start = input.cursor();
        input.parse::<syn::Visibility>()?;
        let visibility = tokens_between(start, input.cursor());
        if input.peek(Token![default]) {
            input.parse::<TokenTree>()?;
        }
        let signature: syn::Signature = input.parse()?;
        let name = self.ident(&signature.ident);
        self.qualifiers(&signature);
        let unlisted = attributes.kernel.is_some() && attributes.types.is_none();
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
            None if self.errors() > errors => Type { kind: TypeKind::Infer, span: name.span },
            None => {
                let fault = error::missing_result_type(name.span, &name.name);
                self.fault(Type { kind: TypeKind::Infer, span: name.span }, fault)
            }
        };
        if attributes.broken_fact {
            // The body may rely on it.
            body.kind = ExprKind::Error;
        }
        if signature.inputs.iter().any(|input| !has_name(input)) {
            // The body may use names that could not be declared.
            body.kind = ExprKind::Error;
        }
        if let Some(step) = attributes.step.as_ref().filter(|_| attributes.kernel.is_none()) {
            self.report(error_step::no_kernel(step.span, &name.name));
        }
        if let Some((span, _)) = attributes.group.as_ref().filter(|_| attributes.kernel.is_none()) {
            self.report(error_place::no_kernel(*span, &name.name));
        }
        if let Some(span) = attributes.streams.filter(|_| attributes.kernel.is_none()) {
            self.report(error_place::stores_nothing(span, &name.name));
        }
        if let Some((span, _)) = attributes.tolerance.filter(|_| attributes.kernel.is_none()) {
            self.report(error_tolerance::no_kernel(span, &name.name));
        }
        if let Some(span) = attributes.strategy.filter(|_| attributes.kernel.is_none()) {
            self.report(error_strategy::no_kernel(span, &name.name));
        }
        let mut item = attributes.others.clone();
        item.extend(tokens_between(start, input.cursor()));
        let types = attributes.types;
        let function = Function {
            kernel: attributes.kernel.is_some(),
            name,
            generics,
            facts: attributes.facts,
            step: attributes.step,
            group: attributes.group.map(|(_, group)| group).unwrap_or_default(),
            streams: attributes.streams,
            tolerance: attributes.tolerance.and_then(|(_, tolerance)| tolerance),
            strategies: attributes.strategies,
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
            Some((span, choices)) => self.instances(function, span, &choices, block),
        }
        Ok(())
    }

    fn body(&mut self, input: ParseStream<'_>, name: Span) -> syn::Result<Expr> {
        if input.peek(Token![;]) {
            input.parse::<TokenTree>()?;
            return Ok(self.fault(Expr { kind: ExprKind::Error, span: name }, error::no_body(name)));
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
            self.report(error_rust::qualifier(span, &format!("`{word}`"), "`fn name(x: T) -> U { … }`"));
        }
    }

    /// The names in `<…>`, and those that stand for the types of functions. `unlisted`: a kernel without `#[types]`.
    fn generics(&mut self, signature: &syn::Signature, unlisted: bool) -> (Vec<Ident>, Vec<String>) {
        let generics = &signature.generics;
        let mut functions = Vec::new();
        if let Some(clause) = &generics.where_clause {
            let span = self.whole(clause);
            self.report(error::where_clause(span));
        }
        let mut names = Vec::new();
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(ty) => {
                    let name = ty.ident.to_string();
                    if function_text(&ty.bounds).is_some() {
                        let span = self.whole(param);
                        self.report(error::function_bound(span, &name));
                        functions.push(name);
                        continue;
                    }
                    if !ty.bounds.is_empty() || ty.default.is_some() {
                        let span = self.whole(param);
                        self.report(error::bound(span, &name, unlisted));
                    }
                    names.push(self.ident(&ty.ident));
                }
                syn::GenericParam::Const(size) => {
                    let span = self.whole(param);
                    self.report(error::const_generic(span, &size.ident.to_string()));
                    names.push(self.ident(&size.ident));
                }
                // What it is for is reported by itself.
                syn::GenericParam::Lifetime(_) if signature.inputs.iter().any(is_reference) => {}
                syn::GenericParam::Lifetime(_) => {
                    let span = self.whole(param);
                    self.report(error::lifetime(span));
                }
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
                syn::FnArg::Receiver(receiver) => {
                    let (first, last) = receiver.ends();
                    let span = self.span(first, last);
                    self.report(error::receiver(span));
                }
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
                    let span = self.whole(pat);
                    self.report(error_rust::mutable(span, &ident.ident.to_string()));
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
