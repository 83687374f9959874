//! Kernels that update parameters in place.
//!
//! Before: a body with statements such as `write_to(dst, e);`. After: one term for all that is computed - the new
//! contents of each parameter, in the order of the statements, and the result - and a list that says which is
//! which. What the body reads of such a parameter is what it contained before the kernel, so the order of the
//! statements does not matter.

use super::Resolver;
use super::apply::{Lets, wrap_term};
use super::fun::Kind;
use super::scope::Entry;
use crate::ir::prim::Prim;
use crate::syntax::ast::{self, Expr, ExprKind, Statement};
use crate::syntax::error_update as error;
use crate::syntax::term::{Arg, BinderId, Param, Term, TermKind, Update};

/// Whether the function updates parameters, or tries to.
pub(super) fn is_updating(function: &ast::Function) -> bool {
    let statements = matches!(function.body.kind, ExprKind::Updates(..));
    function.kernel && (statements || function.params.iter().any(|param| param.updated.is_some()))
}

impl Resolver {
    /// Only arrays that a kernel gets can be updated.
    pub(super) fn check_updated(&mut self, function: &ast::Function, param: &ast::Param, kind: Kind) {
        let Some(span) = param.updated else { return };
        if !function.kernel {
            self.report(error::update_in_helper(span, &function.name.name));
        } else if kind != Kind::Array && !matches!(param.ty.kind, ast::TypeKind::Infer) {
            self.report(error::update_of_scalar(span, &param.name.name));
        }
    }

    /// The body of a kernel that updates parameters.
    pub(super) fn updating_body(
        &mut self,
        function: &ast::Function,
        params: &[Param],
    ) -> (Term, Vec<Update>) {
        let span = function.body.span;
        let errors = self.diags.errors();
        let (mut lets, mut parts, mut updates) = (Lets::new(), Vec::new(), Vec::new());
        let targets: Vec<Option<BinderId>> = function
            .params
            .iter()
            .zip(params)
            .map(|(written, param)| written.updated.map(|_| param.binder.id))
            .collect();
        let mark = self.scope.open();
        let value = match &function.body.kind {
            ExprKind::Updates(statements, value) => {
                for statement in statements {
                    match statement {
                        Statement::Let(binding) => self.let_statement(binding, &mut lets),
                        Statement::Update(update) => {
                            self.update(update, &targets, &mut parts, &mut updates);
                        }
                    }
                }
                value.as_deref()
            }
            ExprKind::Block(bindings, value) => {
                bindings.iter().for_each(|binding| self.let_statement(binding, &mut lets));
                Some(&**value)
            }
            _ => Some(&function.body),
        };
        match value {
            Some(value) if function.result.is_nothing() => {
                if value.as_update().is_some() {
                    self.update(value, &targets, &mut parts, &mut updates);
                } else if !matches!(value.kind, ExprKind::Error) {
                    self.report(error::value_without_result(value.span, &function.name.name));
                }
            }
            Some(value) => parts.push(self.value(value)),
            None if function.result.is_nothing() => {}
            None => self.report(error::result_without_value(span, &function.name.name)),
        }
        self.scope.close(mark);
        for (i, param) in function.params.iter().enumerate() {
            // That a scalar cannot be updated was reported already.
            let array = params[i].ty.as_ref().is_none_or(|ty| Kind::of(ty) == Kind::Array);
            let updated = !array || updates.iter().any(|update| update.param == i);
            if let (Some(span), false, true) = (param.updated, updated, self.diags.errors() == errors) {
                self.report(error::never_updated(span, &param.name.name));
            }
        }
        let kind = match parts.len() {
            _ if self.diags.errors() > errors => TermKind::Error,
            1 => return (wrap_term(lets, parts.remove(0)), updates),
            _ => TermKind::Tuple(parts),
        };
        (wrap_term(lets, Term { kind, span }), updates)
    }

    /// `write_to(dst, e);` and `scatter_to(dst, idx, vals);`: the new contents of `dst`.
    fn update(
        &mut self,
        statement: &Expr,
        targets: &[Option<BinderId>],
        parts: &mut Vec<Term>,
        updates: &mut Vec<Update>,
    ) {
        let Some((name, place, args)) = statement.as_update() else { return };
        let wanted = if name == "write_to" { 2 } else { 3 };
        if args.len() != wanted {
            return self.report(error::update_arguments(place, name, args.len()));
        }
        let target = args[0];
        let found = match &target.kind {
            ExprKind::Name(name) => match self.scope.find(name) {
                Some(Entry::Data(id)) => {
                    self.used.insert(id);
                    targets.iter().position(|target| *target == Some(id)).map(|param| (param, id))
                }
                Some(Entry::Broken) => return,
                Some(Entry::Size(_) | Entry::Boundary(_) | Entry::Function(..) | Entry::Let(_)) | None => {
                    None
                }
            },
            ExprKind::Error => return,
            _ => None,
        };
        let Some((param, id)) = found else {
            let name = match &target.kind {
                ExprKind::Name(name) => Some(name.as_str()),
                _ => None,
            };
            return self.report(error::not_updatable(target.span, name));
        };
        if updates.iter().any(|update| update.param == param) {
            return self.report(error::updated_twice(statement.span, self.updated_name(target)));
        }
        let values: Vec<Term> = args[1..].iter().map(|arg| self.value(arg)).collect();
        let span = args[args.len() - 1].span;
        let value = match values.as_slice() {
            [value] => value.clone(),
            values => {
                let dst = Term { kind: TermKind::Local(id), span: target.span };
                let data = std::iter::once(dst).chain(values.iter().cloned()).map(Arg::Data).collect();
                Term { kind: TermKind::Prim(Prim::ScatterTo, data), span: statement.span }
            }
        };
        parts.push(value);
        updates.push(Update { param, span });
    }

    fn updated_name(&self, target: &Expr) -> String {
        match &target.kind {
            ExprKind::Name(name) => name.clone(),
            _ => String::new(),
        }
    }
}
