//! Types and sizes: aliases are replaced, and every name must be known.

use std::collections::BTreeMap;

use super::Resolver;
use super::scope::Entry;
use crate::ir::scalar::Scalar;
use crate::span::Span;
use crate::syntax::ast::{self, SizeExpr, Type, TypeKind};
use crate::syntax::error_name as error;
use crate::text::near_name;

/// Where a type stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A parameter: it may be a function, a size or a boundary.
    Parameter,
    /// Anything else.
    Value,
}

impl Resolver {
    /// Replaces the aliases in the types of aliases. Those that cannot be replaced are left out.
    pub(super) fn declare_aliases(&mut self, aliases: &[ast::Alias]) {
        let mut open: BTreeMap<&str, &ast::Alias> = BTreeMap::new();
        for alias in aliases {
            let name = alias.name.name.as_str();
            if Scalar::from_name(name).is_some() || matches!(name, "Nat" | "Boundary") {
                self.report(error::duplicate(alias.name.span, name, "a type of Lift already"));
            } else if self.structs.contains_key(name) || open.insert(name, alias).is_some() {
                self.report(error::duplicate(alias.name.span, name, "defined twice in this block"));
            }
        }
        // An alias is ready when those it needs are; what never gets ready is recursive.
        while !open.is_empty() {
            let ready: Vec<&str> = open
                .iter()
                .filter(|(_, alias)| !alias.ty.names().any(|name| open.contains_key(name)))
                .map(|(name, _)| *name)
                .collect();
            if ready.is_empty() {
                for (name, alias) in &open {
                    self.report(error::recursive_alias(alias.name.span, name));
                    self.broken.insert((*name).to_string());
                }
                return;
            }
            for name in ready {
                if let Some(alias) = open.remove(name) {
                    self.within_alias = true;
                    let ty = self.ty(&alias.ty);
                    self.within_alias = false;
                    self.aliases.insert(name.to_string(), ty);
                }
            }
        }
    }

    /// A type of a value.
    pub(super) fn ty(&mut self, ty: &Type) -> Type {
        self.ty_at(ty, Place::Value)
    }

    /// A type.
    pub(super) fn ty_at(&mut self, ty: &Type, place: Place) -> Type {
        let kind = match &ty.kind {
            TypeKind::Infer => TypeKind::Infer,
            TypeKind::Name(name) => return self.type_name(name, ty, place),
            TypeKind::Array(element, size) => {
                self.type_size(size);
                TypeKind::Array(Box::new(self.ty(element)), size.clone())
            }
            TypeKind::Tuple(parts) => TypeKind::Tuple(parts.iter().map(|part| self.ty(part)).collect()),
            TypeKind::Boundary(inner) if place == Place::Parameter => {
                TypeKind::Boundary(Box::new(self.ty(inner)))
            }
            TypeKind::Function(inputs, result) if place == Place::Parameter => {
                let inputs = inputs.iter().map(|input| self.ty(input)).collect();
                TypeKind::Function(inputs, Box::new(self.ty(result)))
            }
            TypeKind::Boundary(_) => self.misplaced(ty, "a boundary"),
            TypeKind::Function(..) => self.misplaced(ty, "a function"),
        };
        Type { kind, span: ty.span }
    }

    fn misplaced(&mut self, ty: &Type, what: &str) -> TypeKind {
        self.fault(TypeKind::Infer, error::not_a_value_type(ty.span, what))
    }

    fn type_name(&mut self, name: &str, ty: &Type, place: Place) -> Type {
        let span = ty.span;
        if self.generics.iter().any(|generic| generic == name) {
            self.type_variables.insert(name.to_string());
            return ty.clone();
        }
        if let Some(alias) = self.aliases.get(name).cloned() {
            // The sizes in an alias belong to the function that uses it.
            let parts = alias.all();
            for part in &parts {
                if let TypeKind::Array(_, size) = &part.kind {
                    self.type_size(size);
                }
            }
            let kind = if self.spend(parts.len(), span) { alias.kind } else { TypeKind::Infer };
            return Type { kind, span };
        }
        let kind = match name {
            _ if Scalar::from_name(name).is_some() || self.structs.contains_key(name) => return ty.clone(),
            "Nat" | "Boundary" if place == Place::Parameter => return ty.clone(),
            "Nat" => self.misplaced(ty, "a size"),
            "Boundary" => self.misplaced(ty, "a boundary"),
            _ if self.broken.contains(name) => TypeKind::Infer,
            _ if self.consts.contains_key(name) => {
                self.fault(TypeKind::Infer, error::value_as_type(span, name, "a constant"))
            }
            _ if self.sizes.contains(name) => {
                self.fault(TypeKind::Infer, error::value_as_type(span, name, "a size"))
            }
            _ => {
                let mut known: Vec<&str> = self
                    .aliases
                    .keys()
                    .chain(self.structs.keys())
                    .chain(&self.generics)
                    .map(String::as_str)
                    .collect();
                for scalar in Scalar::ALL {
                    known.push(scalar.name());
                }
                let near = near_name(name, known).map(str::to_string);
                self.report_once(error::unknown_type(span, name, near.as_deref()));
                TypeKind::Infer
            }
        };
        Type { kind, span }
    }

    /// Checks the names in a size; the first parameter type that mentions a size variable declares it.
    pub(super) fn type_size(&mut self, size: &SizeExpr) {
        if self.within_alias {
            return;
        }
        for (name, span) in size.names() {
            if self.implicit_sizes && self.size_is_new(name) {
                self.sizes.insert(name.to_string());
            }
            match self.known_size(name, span) {
                Some(true) => {}
                Some(false) => self.report(error::not_a_size(span, name)),
                None => self.unknown_size(name, span),
            }
        }
    }

    fn size_is_new(&self, name: &str) -> bool {
        self.scope.find(name).is_none() && !self.consts.contains_key(name) && !self.broken.contains(name)
    }

    /// Whether a name stands for a size; `None` when it stands for nothing.
    pub(super) fn known_size(&mut self, name: &str, span: Span) -> Option<bool> {
        match self.scope.find(name) {
            Some(Entry::Size(id)) => {
                self.used.insert(id);
                Some(true)
            }
            Some(Entry::Broken) => Some(true),
            Some(Entry::Data(_) | Entry::Boundary(_) | Entry::Function(..) | Entry::Let(_)) => Some(false),
            None if self.sizes.contains(name) => {
                self.used_sizes.insert(name.to_string());
                Some(true)
            }
            None if self.consts.contains_key(name) => {
                self.use_const(name, span);
                Some(true)
            }
            None => self.broken.contains(name).then_some(true),
        }
    }
}
