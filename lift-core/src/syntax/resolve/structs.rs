//! Structs: fields by name become fields in the order of the declaration.

use std::collections::BTreeMap;

use super::Resolver;
use crate::ir::types::MOST_PARTS;
use crate::span::Span;
use crate::syntax::ast::{self, Ident, SizeExpr, Type, TypeKind};
use crate::syntax::error_struct as error;
use crate::syntax::term::{PatternKind, Struct, Term, TermKind};
use crate::syntax::{error_name, term};
use crate::text::{did_you_mean, near_name};

/// What is known of a struct before its types are resolved.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    index: usize,
    name: String,
    pub(super) fields: Vec<String>,
}

impl Resolver {
    /// Reads the names of all structs, so that types may mention them.
    pub(super) fn declare_structs(&mut self, structs: &[ast::Struct]) {
        for (index, found) in structs.iter().enumerate() {
            let name = &found.name;
            if crate::ir::Scalar::from_name(&name.name).is_some()
                || matches!(name.name.as_str(), "Nat" | "Boundary")
            {
                self.report(error_name::duplicate(name.span, &name.name, "a type of Lift already"));
            } else if self.structs.contains_key(&name.name) {
                self.report(error_name::duplicate(name.span, &name.name, "defined twice in this block"));
            } else {
                let mut fields: Vec<String> = Vec::new();
                for field in &found.fields {
                    if fields.contains(&field.name.name) {
                        let what = "the name of two fields";
                        self.report(error_name::duplicate(field.name.span, &field.name.name, what));
                    }
                    fields.push(field.name.name.clone());
                }
                let shape = Shape { index, name: name.name.clone(), fields };
                self.structs.insert(name.name.clone(), shape);
            }
        }
    }

    /// Resolves the types of all fields.
    pub(super) fn resolve_structs(&mut self, structs: &[ast::Struct]) -> Vec<Struct> {
        self.clear();
        let mut resolved: Vec<Struct> = Vec::new();
        for found in structs {
            let fields = found.fields.iter().map(|field| {
                let ty = self.field_type(field, &found.name.name);
                (field.name.name.clone(), ty)
            });
            let fields = fields.collect();
            resolved.push(Struct { name: found.name.name.clone(), fields });
        }
        for (index, found) in structs.iter().enumerate() {
            if contains(&resolved, index, index, &mut vec![false; resolved.len()]) {
                self.report(error::recursive(found.name.span, &found.name.name));
                self.structs.remove(&found.name.name);
                self.broken.insert(found.name.name.clone());
            }
        }
        self.check_parts(structs, &resolved);
        // What is recursive has no size: nothing more is said about it, nor about what is too large.
        for found in &mut resolved {
            if self.broken.contains(&found.name) {
                found.fields.clear();
            }
        }
        resolved
    }

    /// The type of a field. Arrays in it are of scalars, and their lengths are numbers; else it is left open.
    fn field_type(&mut self, field: &ast::Field, owner: &str) -> Type {
        let open = Type { kind: TypeKind::Infer, span: field.ty.span };
        let lengths = |ty: &Type| -> Vec<SizeExpr> {
            let parts = ty.all().into_iter();
            parts
                .filter_map(
                    |part| if let TypeKind::Array(_, len) = &part.kind { Some(len.clone()) } else { None },
                )
                .collect()
        };
        for len in lengths(&field.ty) {
            if let Some((size, at)) =
                len.names().into_iter().find(|(size, _)| !self.consts.contains_key(*size))
            {
                self.report(error::field_length(at, owner, size));
                return open;
            }
        }
        let errors = self.diags.errors();
        let ty = self.ty(&field.ty);
        let of_more = ty.all().into_iter().any(|part| match &part.kind {
            TypeKind::Array(element, _) => !is_of_scalars(element),
            _ => false,
        });
        if of_more && self.diags.errors() == errors {
            self.report(error::field_elements(field.ty.span, owner, &field.name.name));
            return open;
        }
        ty
    }

    /// Reports structs with too many parts, those that contain one of them not again.
    fn check_parts(&mut self, structs: &[ast::Struct], resolved: &[Struct]) {
        let mut counts = vec![None; resolved.len()];
        for (index, found) in structs.iter().enumerate() {
            if self.broken.contains(&found.name.name) || parts(resolved, index, &mut counts) <= MOST_PARTS {
                continue;
            }
            let inside = names(&resolved[index]);
            let large = |other: usize| counts[other].is_some_and(|count| count > MOST_PARTS);
            if !inside.iter().any(|name| position(resolved, name).is_some_and(large)) {
                self.report(error::too_many_parts(found.name.span, &found.name.name));
            }
            self.structs.remove(&found.name.name);
            self.broken.insert(found.name.name.clone());
        }
    }

    /// The struct of that name; `None` where a mistake was reported.
    fn find_struct(&mut self, name: &Ident) -> Option<Shape> {
        if let Some(found) = self.structs.get(&name.name) {
            return Some(found.clone());
        }
        // An alias may stand for a struct.
        if let Some(Type { kind: TypeKind::Name(target), .. }) = self.aliases.get(&name.name)
            && let Some(found) = self.structs.get(target)
        {
            return Some(found.clone());
        }
        if !self.broken.contains(&name.name) {
            let near = did_you_mean(&name.name, self.structs.keys().map(String::as_str)).map(str::to_string);
            self.report(error::unknown_struct(name.span, &name.name, near.as_deref()));
        }
        None
    }

    /// Puts fields into the order of the declaration. Those that are not there are `None`.
    fn in_order<T>(&mut self, shape: &Shape, given: Vec<(&Ident, T)>) -> Vec<Option<T>> {
        let mut ordered: BTreeMap<usize, T> = BTreeMap::new();
        for (name, value) in given {
            match shape.fields.iter().position(|field| *field == name.name) {
                None => {
                    let near = near_field(&name.name, shape.fields.iter().map(String::as_str));
                    let fault =
                        error::unknown_field(name.span, Some(&shape.name), &name.name, near.as_deref());
                    self.report(fault);
                }
                Some(at) => {
                    if ordered.insert(at, value).is_some() {
                        self.report(error_name::duplicate(name.span, &name.name, "given twice"));
                    }
                }
            }
        }
        (0..shape.fields.len()).map(|at| ordered.remove(&at)).collect()
    }

    fn report_missing<T>(&mut self, shape: &Shape, found: &[Option<T>], span: Span, pattern: bool) {
        let fields = shape.fields.iter().zip(found);
        let missing: Vec<&str> =
            fields.filter(|(_, value)| value.is_none()).map(|(name, _)| name.as_str()).collect();
        if !missing.is_empty() {
            self.report(error::missing_fields(span, &shape.name, &missing, pattern));
        }
    }

    /// `Name { field: e, … }`
    pub(super) fn struct_value(
        &mut self,
        name: &Ident,
        fields: &[(Ident, ast::Expr)],
        span: Span,
    ) -> TermKind {
        let shape = self.find_struct(name);
        let values: Vec<(&Ident, Term)> = fields.iter().map(|(name, e)| (name, self.value(e))).collect();
        let Some(shape) = shape else { return TermKind::Error };
        let errors = self.diags.errors();
        let ordered = self.in_order(&shape, values);
        // A field with a slip in its name is not missing.
        if self.diags.errors() == errors {
            self.report_missing(&shape, &ordered, span, false);
        }
        match ordered.into_iter().collect::<Option<Vec<Term>>>() {
            Some(values) => TermKind::Struct(shape.index, values),
            None => TermKind::Error,
        }
    }

    /// `Name { field: p, .. }`; `None` where a mistake was reported.
    pub(super) fn struct_pattern(
        &mut self,
        name: &Ident,
        fields: Vec<(&Ident, term::Pattern)>,
        rest: bool,
        span: Span,
    ) -> Option<PatternKind> {
        let shape = self.find_struct(name)?;
        let errors = self.diags.errors();
        let ordered = self.in_order(&shape, fields);
        if !rest && self.diags.errors() == errors {
            self.report_missing(&shape, &ordered, span, true);
        }
        let wild = || term::Pattern { kind: PatternKind::Wild, ty: None, span };
        let patterns = ordered.into_iter().map(|pattern| pattern.unwrap_or_else(wild)).collect();
        (self.diags.errors() == errors).then_some(PatternKind::Struct(shape.index, patterns))
    }

    /// `x.name` without parentheses, where `x` is a value: a field, if any struct has one of that name.
    pub(super) fn field(&mut self, receiver: Term, name: &Ident) -> Option<TermKind> {
        let known: Vec<&str> =
            self.structs.values().flat_map(|shape| &shape.fields).map(String::as_str).collect();
        if known.contains(&name.name.as_str()) {
            return Some(TermKind::Named(Box::new(receiver), name.name.clone()));
        }
        if known.is_empty() || self.is_function_name(&name.name) {
            return None;
        }
        let near = near_field(&name.name, known);
        self.report(error::unknown_field(name.span, None, &name.name, near.as_deref()));
        Some(TermKind::Error)
    }
}

/// The field that may be meant.
fn near_field<'a>(name: &str, fields: impl IntoIterator<Item = &'a str>) -> Option<String> {
    near_name(name, fields).map(str::to_string)
}

fn position(all: &[Struct], name: &str) -> Option<usize> {
    all.iter().position(|other| other.name == name)
}

/// Whether a struct contains another, or itself.
fn contains(all: &[Struct], outer: usize, wanted: usize, seen: &mut Vec<bool>) -> bool {
    names(&all[outer]).into_iter().any(|name| {
        let Some(index) = position(all, name) else { return false };
        index == wanted || (!std::mem::replace(&mut seen[index], true) && contains(all, index, wanted, seen))
    })
}

/// How many scalars are in a struct. One that contains itself ends where it begins again.
fn parts(all: &[Struct], index: usize, known: &mut [Option<usize>]) -> usize {
    if let Some(count) = known[index] {
        return count;
    }
    known[index] = Some(1);
    let count = names(&all[index]).into_iter().fold(0, |sum: usize, name| {
        sum.saturating_add(position(all, name).map_or(1, |inner| parts(all, inner, known)))
    });
    known[index] = Some(count);
    count
}

/// Whether it is a scalar, or an array, of which this is asked as well.
fn is_of_scalars(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Name(name) => crate::ir::Scalar::from_name(name).is_some(),
        TypeKind::Array(..) | TypeKind::Infer => true,
        TypeKind::Tuple(_) | TypeKind::Boundary(_) | TypeKind::Function(..) => false,
    }
}

/// The names that the types of the fields mention.
fn names(found: &Struct) -> Vec<&str> {
    found.fields.iter().flat_map(|(_, ty)| ty.names()).collect()
}
