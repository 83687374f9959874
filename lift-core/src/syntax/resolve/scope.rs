//! Names in scope, and the binders they stand for.

use std::rc::Rc;

use super::Resolver;
use super::fun::{Fun, Kind};
use crate::span::Span;
use crate::syntax::ast;
use crate::syntax::error_name as error;
use crate::syntax::term::{Binder, BinderId, Pattern, PatternKind, Term, TermKind};

/// What a local name stands for.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    /// A value.
    Data(BinderId),
    /// A parameter of type `Nat`.
    Size(BinderId),
    /// A parameter of type `Boundary<T>`.
    Boundary(BinderId),
    /// A parameter of function type, with the number of its parameters.
    Function(BinderId, usize),
    /// A function bound by `let`.
    Let(Rc<Fun>),
    /// Its definition was wrong, which is reported already.
    Broken,
}

/// Local names, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scope {
    entries: Vec<(String, Entry)>,
}

impl Scope {
    /// The innermost meaning of a name.
    pub(super) fn find(&self, name: &str) -> Option<Entry> {
        self.entries.iter().rev().find(|(other, _)| other == name).map(|(_, entry)| entry.clone())
    }

    /// Adds a name.
    pub(super) fn push(&mut self, name: String, entry: Entry) {
        self.entries.push((name, entry));
    }

    /// A mark for [`Scope::close`].
    pub(super) fn open(&self) -> usize {
        self.entries.len()
    }

    /// Removes all names since the mark.
    pub(super) fn close(&mut self, mark: usize) {
        self.entries.truncate(mark);
    }

    /// All names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }
}

impl Resolver {
    /// A new binder.
    pub(super) fn binder(&mut self, name: &str, span: Span) -> Binder {
        let id = BinderId(self.next);
        self.next += 1;
        Binder { id, name: name.to_string(), span }
    }

    /// A new binder that the user did not write, as a pattern and as a value.
    pub(super) fn fresh(&mut self, name: &str, span: Span) -> (Pattern, Term) {
        let binder = self.binder(name, span);
        self.made_up.insert(binder.id);
        let term = Term { kind: TermKind::Local(binder.id), span };
        (Pattern { kind: PatternKind::Bind(binder), ty: None, span }, term)
    }

    /// Brings a parameter of a function into scope.
    pub(super) fn bind_param(&mut self, name: &str, kind: Kind, span: Span) -> Binder {
        let binder = self.binder(name, span);
        let entry = match kind {
            Kind::Function(arity) => Entry::Function(binder.id, arity),
            Kind::Size => Entry::Size(binder.id),
            Kind::Boundary => Entry::Boundary(binder.id),
            Kind::Array | Kind::Value => Entry::Data(binder.id),
        };
        self.scope.push(name.to_string(), entry);
        binder
    }

    /// Brings the names of patterns into scope; a name may occur once.
    pub(super) fn bind_patterns(&mut self, patterns: &[&ast::Pattern]) -> Vec<Pattern> {
        let mut seen = Vec::new();
        patterns.iter().map(|pattern| self.bind_pattern(pattern, &mut seen)).collect()
    }

    fn bind_pattern(&mut self, pattern: &ast::Pattern, seen: &mut Vec<String>) -> Pattern {
        let ty = pattern.ty.as_ref().map(|ty| self.ty(ty));
        if let Some(ty) = &ty
            && !Kind::of(ty).is_data()
        {
            self.report(error::annotation(ty.span));
        }
        let kind = match &pattern.kind {
            ast::PatternKind::Wild => PatternKind::Wild,
            ast::PatternKind::Tuple(parts) => {
                PatternKind::Tuple(parts.iter().map(|part| self.bind_pattern(part, seen)).collect())
            }
            ast::PatternKind::Array(parts) => {
                PatternKind::Array(parts.iter().map(|part| self.bind_pattern(part, seen)).collect())
            }
            ast::PatternKind::Struct(name, fields, rest) => {
                let fields =
                    fields.iter().map(|(name, part)| (name, self.bind_pattern(part, seen))).collect();
                match self.struct_pattern(name, fields, *rest, pattern.span) {
                    Some(kind) => kind,
                    None => {
                        self.bind_broken(pattern);
                        PatternKind::Wild
                    }
                }
            }
            ast::PatternKind::Name(name) => {
                if seen.contains(name) {
                    self.report(error::duplicate(pattern.span, name, "bound twice in one pattern"));
                }
                seen.push(name.clone());
                let binder = self.binder(name, pattern.span);
                self.scope.push(name.clone(), Entry::Data(binder.id));
                PatternKind::Bind(binder)
            }
        };
        Pattern { kind, ty, span: pattern.span }
    }

    /// Brings the names of a pattern whose value is wrong into scope, so that their uses report nothing.
    pub(super) fn bind_broken(&mut self, pattern: &ast::Pattern) {
        match &pattern.kind {
            ast::PatternKind::Wild => {}
            ast::PatternKind::Tuple(parts) | ast::PatternKind::Array(parts) => {
                parts.iter().for_each(|part| self.bind_broken(part));
            }
            ast::PatternKind::Struct(_, fields, _) => {
                fields.iter().for_each(|(_, part)| self.bind_broken(part))
            }
            ast::PatternKind::Name(name) => self.scope.push(name.clone(), Entry::Broken),
        }
    }
}
