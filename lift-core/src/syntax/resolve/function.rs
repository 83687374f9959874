//! Functions and kernels.

use std::collections::BTreeSet;

use super::apply::{Lets, wrap_term};
use super::fun::{Item, Kind, Slot};
use super::scope::Entry;
use super::types::Place;
use super::update::is_updating;
use super::{Node, Resolver, Signature};
use crate::ir::KernelOptions;
use crate::syntax::ast::{self, Expr, ExprKind, Type, TypeKind};
use crate::syntax::error_name as error;
use crate::syntax::term::{Closure, Function, FunctionId, Param, PatternKind, Term, TermKind};

/// The signature of a function, read before any body.
#[derive(Debug)]
pub(super) struct Declared {
    params: Vec<Type>,
    sizes: BTreeSet<String>,
    type_variables: BTreeSet<String>,
}

impl Resolver {
    /// Reads the signatures of all functions, so that they may call each other in any order.
    pub(super) fn declare_functions(&mut self, functions: &[ast::Function]) -> Vec<Declared> {
        let mut own: BTreeSet<&str> = BTreeSet::new();
        let prelude = self.prelude_functions == usize::MAX;
        let mut declared = Vec::new();
        for function in functions {
            let name = &function.name;
            let taken = own.contains(name.name.as_str()) || self.consts.contains_key(&name.name);
            if taken && !prelude {
                self.report(error::duplicate(name.span, &name.name, "defined twice in this block"));
            }
            let id = FunctionId(self.signatures.len() as u32);
            let signature = self.declare(function);
            let slots = function.params.iter().zip(&signature.params);
            let slots =
                slots.map(|(param, ty)| Slot { name: param.name.name.clone(), kind: Kind::of(ty) }).collect();
            self.signatures.push(Signature { name: name.name.clone(), slots });
            let ids = self.by_name.entry(name.name.clone()).or_default();
            if prelude {
                ids.push(id);
            } else if own.insert(&name.name) {
                // A function of the block hides those of the prelude.
                *ids = vec![id];
            }
            declared.push(signature);
        }
        declared
    }

    fn declare(&mut self, function: &ast::Function) -> Declared {
        self.clear();
        let mut names: Vec<&str> = Vec::new();
        for generic in &function.generics {
            if names.contains(&generic.name.as_str()) {
                self.report(error::duplicate(generic.span, &generic.name, "declared twice"));
            }
            names.push(&generic.name);
        }
        for param in &function.params {
            if names.contains(&param.name.name.as_str()) {
                let what = "the name of two parameters";
                self.report(error::duplicate(param.name.span, &param.name.name, what));
            }
            names.push(&param.name.name);
        }
        self.generics = function.generics.iter().map(|generic| generic.name.clone()).collect();
        // `Nat` parameters may occur in the types of the others.
        for param in &function.params {
            if Kind::of(&param.ty) == Kind::Size {
                self.bind_param(&param.name.name, Kind::Size, param.name.span);
            }
        }
        self.implicit_sizes = true;
        let mut params = Vec::new();
        for param in &function.params {
            params.push(self.ty_at(&param.ty, Place::Parameter));
        }
        Declared {
            params,
            sizes: std::mem::take(&mut self.sizes),
            type_variables: std::mem::take(&mut self.type_variables),
        }
    }

    /// Resolves one function.
    pub(super) fn function(
        &mut self,
        function: &ast::Function,
        declared: Declared,
        id: FunctionId,
        source: Option<usize>,
    ) -> Function {
        let errors = self.diags.errors();
        let prelude = source.is_none();
        self.clear();
        self.current = Some(Node::Function(id.0 as usize));
        self.within_kernel = function.kernel;
        self.generics = function.generics.iter().map(|generic| generic.name.clone()).collect();
        self.type_variables = declared.type_variables;
        self.sizes = declared.sizes;
        let determined = self.sizes.clone();
        // A size that no parameter determines is reported as such, not as unknown.
        let types = &self.type_variables;
        let others = self.generics.iter().filter(|name| !types.contains(*name));
        self.sizes.extend(others.cloned());
        let mut params = Vec::new();
        for (param, ty) in function.params.iter().zip(declared.params) {
            let kind = Kind::of(&ty);
            self.check_updated(function, param, kind);
            if function.kernel && !kind.is_data() {
                self.report(error::kernel_parameter(param.ty.span, kind.describe(1)));
            }
            let binder = self.bind_param(&param.name.name, kind, param.name.span);
            if is_partly_unknown(&ty) {
                // It might have been anything.
                self.scope.push(param.name.name.clone(), Entry::Broken);
            }
            params.push(Param { binder, ty: Some(ty) });
        }
        for ty in params.iter().filter_map(|param| param.ty.as_ref()) {
            self.count_sizes(ty);
        }
        let result = self.ty(&function.result);
        self.unreadable_result = !prelude && matches!(result.kind, TypeKind::Infer);
        for fact in &function.facts {
            self.type_size(&fact.left);
            self.type_size(&fact.right);
        }
        let mut updates = Vec::new();
        let body = match function.body.kind {
            ExprKind::Error => Term::error(function.body.span),
            _ if is_updating(function) => {
                let (body, found) = self.updating_body(function, &params);
                updates = found;
                body
            }
            _ => self.body(function, &params, errors),
        };
        if self.diags.errors() == errors && !matches!(body.kind, TermKind::Error) && !prelude {
            self.lint_params(&params);
            self.lint_sizes(function, &determined);
        }
        Function {
            name: function.name.name.clone(),
            prelude,
            generics: function.generics.clone(),
            facts: function.facts.clone(),
            step: function.step.clone(),
            options: function.options.clone(),
            params,
            // In the prelude, a result may be left to inference.
            result: (!prelude || !matches!(result.kind, TypeKind::Infer)).then_some(result),
            updates,
            body,
            span: function.name.span,
            source,
            instance: function.instance.clone(),
        }
    }

    fn body(&mut self, function: &ast::Function, params: &[Param], errors: usize) -> Term {
        let fun = match self.item(&function.body) {
            Item::Value(term) => return term,
            Item::Fun(fun) => fun,
        };
        let span = function.body.span;
        let mut unused = params.iter().filter(|param| self.is_unused(param));
        match (unused.next(), self.missing(&fun)) {
            (Some(param), missing)
                if self.diags.errors() == errors && missing.iter().all(|slot| slot.kind.is_data()) =>
            {
                let (name, param) = (function.name.name.clone(), param.binder.name.clone());
                self.report(error::never_receives(span, &name, &param));
            }
            // A result that is a function was reported.
            _ if self.unreadable_result => {}
            (_, missing) if missing.iter().all(|slot| slot.kind.is_data()) => {
                self.report(error::body_is_function(span, &function.name.name, &missing));
            }
            _ => self.function_as_value(&fun, span),
        }
        Term::error(span)
    }

    fn is_unused(&self, param: &Param) -> bool {
        !self.used.contains(&param.binder.id) && !param.binder.name.starts_with('_')
    }

    fn lint_params(&mut self, params: &[Param]) {
        for param in params {
            let size_in_type = self.used_sizes.contains(&param.binder.name);
            if self.is_unused(param) && !size_in_type {
                self.lints.push(error::unused_parameter(param.binder.span, &param.binder.name));
            }
        }
    }

    fn lint_sizes(&mut self, function: &ast::Function, determined: &BTreeSet<String>) {
        for generic in &function.generics {
            let name = &generic.name;
            if determined.contains(name) || self.type_variables.contains(name) {
                continue;
            }
            if self.used_sizes.contains(name) {
                self.report(error::undetermined_size(generic.span, name));
            } else if !name.starts_with('_') {
                self.lints.push(error::unused_size(generic.span, name));
            }
        }
    }

    /// Counts the names in the sizes of a parameter's type as used.
    fn count_sizes(&mut self, ty: &Type) {
        // Already checked: every name is known.
        self.ty_at(ty, Place::Parameter);
    }

    /// Resolves the expression of the expression form.
    pub(super) fn expression_kernel(&mut self, expr: &Expr) -> Function {
        let errors = self.diags.errors();
        self.clear();
        self.implicit_sizes = true;
        self.within_kernel = true;
        let (params, body) = match expr.kind {
            ExprKind::Error => (Vec::new(), Term::error(expr.span)),
            _ => match self.item(expr) {
                Item::Value(term) => (Vec::new(), term),
                Item::Fun(fun) => {
                    let mut lets = Lets::new();
                    match self.closure(fun, None, &mut lets) {
                        Some(closure) => self.kernel_params(closure, lets),
                        None => (Vec::new(), Term::error(expr.span)),
                    }
                }
            },
        };
        if self.diags.errors() == errors {
            let own = |param: &&Param| !self.made_up.contains(&param.binder.id);
            let own: Vec<Param> = params.iter().filter(own).cloned().collect();
            self.lint_params(&own);
        }
        Function {
            name: "Kernel".to_string(),
            prelude: false,
            generics: Vec::new(),
            facts: Vec::new(),
            step: None,
            options: KernelOptions::default(),
            params,
            result: None,
            updates: Vec::new(),
            body,
            span: expr.span,
            source: None,
            instance: Vec::new(),
        }
    }

    /// The parameters of a closure as those of a kernel: each needs a name of its own.
    fn kernel_params(&mut self, closure: Closure, mut lets: Lets) -> (Vec<Param>, Term) {
        let mut params: Vec<Param> = Vec::new();
        for pattern in closure.params {
            let (span, ty) = (pattern.span, pattern.ty.clone());
            match pattern.kind {
                PatternKind::Bind(binder) => params.push(Param { binder, ty }),
                PatternKind::Wild => {
                    let binder = self.binder(&format!("_{}", params.len()), span);
                    params.push(Param { binder, ty });
                }
                PatternKind::Tuple(_) | PatternKind::Array(_) | PatternKind::Struct(..) => {
                    let binder = self.binder("x", span);
                    self.made_up.insert(binder.id);
                    let term = Term { kind: TermKind::Local(binder.id), span };
                    params.push(Param { binder, ty });
                    lets.push((pattern, term));
                }
            }
        }
        self.name_made_up(&mut params);
        (params, wrap_term(lets, *closure.body))
    }

    /// Gives the parameters that the user did not name the names `x`, `y`, `z`, `x1`, …
    fn name_made_up(&self, params: &mut [Param]) {
        let made_up = |param: &Param| self.made_up.contains(&param.binder.id);
        let mut taken: BTreeSet<String> =
            params.iter().filter(|param| !made_up(param)).map(|param| param.binder.name.clone()).collect();
        let letters = ["x", "y", "z"].map(str::to_string).into_iter();
        let mut names = letters.chain((1..).map(|i| format!("x{i}")));
        for param in params.iter_mut().filter(|param| made_up(param)) {
            if let Some(name) = names.by_ref().find(|name| !taken.contains(name)) {
                taken.insert(name.clone());
                param.binder.name = name;
            }
        }
    }
}

/// Whether a part of a type was left out, or is no type of Lift.
fn is_partly_unknown(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Infer => true,
        TypeKind::Array(element, _) => is_partly_unknown(element),
        TypeKind::Tuple(parts) => parts.iter().any(is_partly_unknown),
        TypeKind::Name(_) | TypeKind::Boundary(_) | TypeKind::Function(..) => false,
    }
}
