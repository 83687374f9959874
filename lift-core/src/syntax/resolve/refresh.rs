//! Copies of functions with binders of their own.
//!
//! A function bound by `let` is substituted where it is used. Binders are unique in the whole macro call, so
//! every use gets a copy whose binders are new.

use std::collections::BTreeMap;

use super::fun::{Fun, FunKind, Item};
use crate::syntax::term::{Arg, Binder, BinderId, Boundary, Closure, Pattern, PatternKind, Term, TermKind};

/// Renames the binders of one copy.
pub(super) struct Refresh<'a> {
    /// The next free binder.
    pub(super) next: &'a mut u32,
    /// Old to new.
    pub(super) names: BTreeMap<BinderId, BinderId>,
    /// Nodes seen.
    pub(super) nodes: usize,
    /// Nodes on the longest path.
    pub(super) deepest: usize,
    /// Nodes on the path to here.
    pub(super) depth: usize,
}

impl<'a> Refresh<'a> {
    /// Nothing renamed yet.
    pub(super) fn new(next: &'a mut u32) -> Refresh<'a> {
        Refresh { next, names: BTreeMap::new(), nodes: 0, deepest: 0, depth: 0 }
    }

    fn enter(&mut self) {
        self.nodes += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    fn used(&self, id: &mut BinderId) {
        if let Some(new) = self.names.get(id) {
            *id = *new;
        }
    }

    fn bound(&mut self, binder: &mut Binder) {
        let new = BinderId(*self.next);
        *self.next += 1;
        self.names.insert(binder.id, new);
        binder.id = new;
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        self.nodes += 1;
        match &mut pattern.kind {
            PatternKind::Bind(binder) => self.bound(binder),
            PatternKind::Wild => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) | PatternKind::Struct(_, parts) => {
                parts.iter_mut().for_each(|part| self.pattern(part))
            }
        }
    }

    /// Renames a function.
    pub(super) fn fun(&mut self, fun: &mut Fun) {
        self.enter();
        match &mut fun.kind {
            FunKind::Closure(params, body) => {
                params.iter_mut().for_each(|param| self.pattern(param));
                match &mut **body {
                    Item::Value(term) => self.term(term),
                    Item::Fun(fun) => self.fun(fun),
                }
            }
            FunKind::Named(_, args) => args.iter_mut().for_each(|arg| self.arg(arg)),
            FunKind::Compose(outer, inner) => {
                self.fun(outer);
                self.fun(inner);
            }
            FunKind::Lets(lets, inner) => {
                for (pattern, value) in lets {
                    self.term(value);
                    self.pattern(pattern);
                }
                self.fun(inner);
            }
        }
        self.depth -= 1;
    }

    fn arg(&mut self, arg: &mut Arg) {
        match arg {
            Arg::Data(term) => self.term(term),
            Arg::Function(Closure { params, body, .. })
            | Arg::Boundary(
                Boundary::Index(Closure { params, body, .. }) | Boundary::Value(Closure { params, body, .. }),
                _,
            ) => {
                params.iter_mut().for_each(|param| self.pattern(param));
                self.term(body);
            }
            Arg::Boundary(Boundary::Constant(term), _) => self.term(term),
            Arg::Size(_) | Arg::Boundary(..) => {}
        }
    }

    fn term(&mut self, term: &mut Term) {
        self.enter();
        match &mut term.kind {
            TermKind::Local(id) => self.used(id),
            TermKind::Literal(_) | TermKind::Size(_) | TermKind::Const(_) | TermKind::Error => {}
            TermKind::Unary(_, a) | TermKind::Cast(a, _) | TermKind::Field(a, _) | TermKind::Named(a, _) => {
                self.term(a);
            }
            TermKind::Binary(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            TermKind::If(a, b, c) => {
                self.term(a);
                self.term(b);
                self.term(c);
            }
            TermKind::Math(_, parts)
            | TermKind::Tuple(parts)
            | TermKind::Struct(_, parts)
            | TermKind::ArrayLiteral(parts) => {
                parts.iter_mut().for_each(|part| self.term(part));
            }
            TermKind::Let(pattern, value, body) => {
                self.term(value);
                self.pattern(pattern);
                self.term(body);
            }
            TermKind::Prim(_, args) | TermKind::Call(_, args) => {
                args.iter_mut().for_each(|arg| self.arg(arg));
            }
            TermKind::CallLocal(id, args) => {
                self.used(id);
                args.iter_mut().for_each(|arg| self.term(arg));
            }
        }
        self.depth -= 1;
    }
}
