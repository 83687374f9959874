//! Structs: their definitions, their values and their patterns.

use proc_macro2::{Delimiter, TokenTree};
use syn::Token;
use syn::parse::{ParseStream, Parser as _};

use super::ast::{Block, ExprKind, Field, Ident, PatternKind, Struct, Surface};
use super::attributes::Attributes;
use super::error_struct as error;
use super::parse_item::{tokens_between, visibility};
use super::parser::Parser;
use crate::span::Span;

impl Parser<'_> {
    /// Reads a struct after its attributes.
    pub(super) fn structure(
        &mut self,
        input: ParseStream<'_>,
        attributes: Attributes,
        block: &mut Block,
    ) -> syn::Result<()> {
        let visibility = visibility(input)?;
        input.parse::<Token![struct]>()?;
        let ident: syn::Ident = input.parse()?;
        let name = self.ident(&ident);
        self.no_lift_attributes(&attributes, "a struct");
        let generics: syn::Generics = input.parse()?;
        if !generics.params.is_empty() {
            self.report(super::error::generic_item(name.span, "a struct"));
        }
        let fields = match input.parse::<TokenTree>()? {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let read = |input: ParseStream<'_>| self.fields(input);
                read.parse2(group.stream())?
            }
            TokenTree::Group(_) => {
                input.parse::<Option<Token![;]>>()?;
                block.broken.push(name.name.clone());
                self.report(error::unnamed_fields(name.span, &name.name));
                return Ok(());
            }
            // `struct Name;`
            _ => Vec::new(),
        };
        if fields.is_empty() {
            block.broken.push(name.name.clone());
            self.report(error::no_fields(name.span, &name.name));
            return Ok(());
        }
        if !generics.params.is_empty() {
            // Its fields may be of types that are none.
            block.broken.push(name.name.clone());
            return Ok(());
        }
        let surface =
            Surface { ident: Some(ident), visibility, attributes: attributes.others, ..Surface::default() };
        block.structs.push(Struct { name, fields, surface });
        Ok(())
    }

    fn fields(&mut self, input: ParseStream<'_>) -> syn::Result<Vec<Field>> {
        let mut fields = Vec::new();
        while !input.is_empty() {
            let start = input.cursor();
            input.call(syn::Attribute::parse_outer)?;
            let attributes = tokens_between(start, input.cursor());
            let visibility = visibility(input)?;
            let ident: syn::Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            let ty: syn::Type = input.parse()?;
            let name = self.ident(&ident);
            let surface = Surface { ident: Some(ident), visibility, attributes, ..Surface::default() };
            fields.push(Field { name, ty: self.ty(&ty), surface });
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(fields)
    }

    /// `Name { field: e, … }`
    pub(super) fn struct_value(&mut self, value: &syn::ExprStruct) -> ExprKind {
        let Some(name) = self.struct_name(&value.path) else { return ExprKind::Error };
        if let Some(dots) = &value.dot2_token {
            let [first, last] = dots.spans;
            let span = self.span(first, last);
            return self.fault(ExprKind::Error, error::update(span));
        }
        let read =
            |field: &syn::FieldValue| Some((self.field(&field.member, &name)?, self.expr(&field.expr)));
        match value.fields.iter().map(read).collect() {
            Some(fields) => ExprKind::Struct(name, fields),
            None => ExprKind::Error,
        }
    }

    /// `Name { field: p, field, .. }`
    pub(super) fn struct_pattern(&mut self, pattern: &syn::PatStruct) -> PatternKind {
        let Some(name) = self.struct_name(&pattern.path) else { return PatternKind::Wild };
        let read =
            |field: &syn::FieldPat| Some((self.field(&field.member, &name)?, self.pattern(&field.pat)));
        match pattern.fields.iter().map(read).collect() {
            Some(fields) => PatternKind::Struct(name, fields, pattern.rest.is_some()),
            None => PatternKind::Wild,
        }
    }

    /// The name of a field of the struct `owner`: a number is none.
    fn field(&mut self, member: &syn::Member, owner: &Ident) -> Option<Ident> {
        match member {
            syn::Member::Named(ident) => Some(self.ident(ident)),
            syn::Member::Unnamed(index) => {
                let span = self.span(index.span, index.span);
                self.fault(None, error::unnamed_fields(span, &owner.name))
            }
        }
    }

    /// The name, which has no path: structs are defined in the block.
    fn struct_name(&mut self, path: &syn::Path) -> Option<Ident> {
        if let Some(ident) = path.get_ident() {
            return Some(self.ident(ident));
        }
        let (first, last) = (path.segments.first()?, path.segments.last()?);
        let span: Span = self.span(first.ident.span(), last.ident.span());
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.fault(None, error::unknown_struct(span, &names.join("::"), None))
    }
}
