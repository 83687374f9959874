//! Checking one kernel or one helper function by itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Truth, Var};
use crate::budget;
use crate::diag::Diagnostics;
use crate::ir::{self, Interface, Kernel, Output, Param, Relation, build::fresh_id};
use crate::span::Span;
use crate::syntax::ast::{self, TypeKind};
use crate::syntax::term::{Function, Program, Term, TermKind};
use crate::typecheck::annotation::is_unreadable;
use crate::typecheck::associativity;
use crate::typecheck::bounds;
use crate::typecheck::calls::relation;
use crate::typecheck::env::{Binding, Checked, Env, Slot};
use crate::typecheck::error;
use crate::typecheck::identity;
use crate::typecheck::infer::Inferer;
use crate::typecheck::launches;
use crate::typecheck::obligation::{Obligation, Origin, Promise, assume, decide_all};
use crate::typecheck::provenance::{Provenance, fact_text};
use crate::typecheck::starts;
use crate::typecheck::step;
use crate::typecheck::suspicious;
use crate::typecheck::ty::{Clash, Class, Solver, Ty};
use crate::typecheck::windows::{self, Windows};
use crate::typecheck::{PatternType, STEPS};

/// Checks a kernel and builds its typed expression; `None` if there are mistakes.
pub(super) fn check_kernel(
    program: &Program,
    function: &Function,
    broken: &[bool],
    patterns: &mut Vec<PatternType>,
    diags: &mut Diagnostics,
) -> Option<Kernel> {
    let (kernel, lacks_windows) = check_with(Windows::Fit, program, function, broken, patterns, diags)?;
    if !lacks_windows {
        return Some(kernel);
    }
    // What can be said of the kernel was said.
    let lengths = windows::shared_lengths(&kernel);
    let mut known = Diagnostics::new();
    let again = check_with(Windows::MayLack(lengths), program, function, broken, &mut Vec::new(), &mut known);
    Some(again.map_or(kernel, |(kernel, _)| kernel))
}

/// The same with these windows, and whether some array may be shorter than one.
fn check_with(
    windows: Windows,
    program: &Program,
    function: &Function,
    broken: &[bool],
    patterns: &mut Vec<PatternType>,
    diags: &mut Diagnostics,
) -> Option<(Kernel, bool)> {
    let before = diags.errors();
    for param in &function.params {
        if param.ty.as_ref().is_some_and(|ty| is_polymorphic(ty, function)) {
            // Names of other things were reported when they were looked up.
            if before == 0 {
                diags.push(error::kernel_type(param.binder.span, &param.binder.name));
            }
            return None;
        }
    }
    let mut session = Session::open(windows, program, function, broken, diags);
    let body = session.infer_body(function)?;
    session.unify_updates(function, &body.ty);
    session.name_free_sizes();
    session.assume_lengths(function);
    session.settle(function.span);
    session.inferer.answer_later();
    patterns.extend(session.inferer.patterns());
    let (poisoned, lacks_windows) = (session.inferer.poisoned, session.inferer.lacks_windows);
    let interface = if poisoned { None } else { session.interface(function, &body.ty) };
    let Session { inferer, sizes, slots, .. } = session;
    let Inferer { program, mut solver, obligations, diags, tables, .. } = inferer;
    let obligations = with_equalities(obligations, &solver, function.span);
    let checks = decide_all(&obligations, &mut solver, diags);
    let (params, interface) = interface?;
    for size in &sizes {
        let dims: Vec<ArithExpr> =
            params.iter().flat_map(|p| p.ty.leaves()).flat_map(|(dims, _)| dims).collect();
        // A size that occurs nowhere was reported already.
        if dims.iter().any(|n| n.contains(size)) && dims.iter().all(|n| n.linear_in(size).is_none()) {
            diags.push(error::unbound_size(function.span, &function.name, size.name()));
        }
    }
    if diags.errors() > before {
        return None;
    }
    for (param, slot) in params.iter().zip(&slots) {
        slot.set(ir::Expr::param(param));
    }
    let mut lets = Vec::new();
    for (index, (_, slot, value)) in tables {
        let value = value(&solver);
        let table = Param::new(&program.consts[index].name, value.ty().clone());
        slot.set(ir::Expr::param(&table));
        lets.push((table, value));
    }
    let updates: Vec<Output> = function.updates.iter().map(|u| Output::Update(u.param)).collect();
    let body = with_parts((body.build)(&solver), updates.len());
    let outputs = outputs(body.ty(), updates);
    let body = lets.into_iter().rev().fold(body, |body, (table, value)| ir::Expr::let_(table, value, body));
    let mut kernel = Kernel {
        name: function.name.clone(),
        sizes,
        facts: solver.facts,
        params,
        outputs,
        body,
        checks,
        source: function.source,
        step: None,
        options: function.options.clone(),
        interface: Some(interface),
    };
    kernel.step = function.step.as_ref().map(|step| step::check(step, &kernel, diags));
    let mut kernel = step::in_memory(kernel);
    identity::check(&kernel.body, diags);
    associativity::check(&kernel.body, diags);
    starts::check(&kernel.body, diags);
    suspicious::check(&kernel.body, diags);
    launches::check(&kernel, diags);
    bounds::check(&kernel, diags);
    kernel.body = starts::apart(&kernel.body);
    (diags.errors() == before).then_some((kernel, lacks_windows))
}

/// Checks a function that is not a kernel, for its own sake: mistakes are reported at its own tokens, also if
/// nothing calls it. Functions that take functions or boundaries, or have type variables, are checked where
/// they are called.
pub(super) fn check_helper(
    program: &Program,
    function: &Function,
    broken: &[bool],
    patterns: &mut Vec<PatternType>,
    diags: &mut Diagnostics,
) {
    let generic = |ty: &ast::Type| is_polymorphic(ty, function);
    if function.params.iter().filter_map(|p| p.ty.as_ref()).any(generic) {
        return;
    }
    let mut session = Session::open(Windows::Fit, program, function, broken, diags);
    if session.infer_body(function).is_none() {
        return;
    }
    session.settle(function.span);
    session.inferer.answer_later();
    patterns.extend(session.inferer.patterns());
    let Inferer { mut solver, obligations, diags, .. } = session.inferer;
    // What cannot be proved for all sizes may still hold for those of the calls.
    decide_all(&obligations, &mut solver, diags);
}

/// Whether the function has no mistakes.
pub(super) fn checks(program: &Program, function: &Function, broken: &[bool]) -> bool {
    let mut diags = Diagnostics::new();
    let checked = budget::within(STEPS, || {
        if program.kernels.iter().any(|id| program.functions[id.0 as usize].span.is(function.span)) {
            return check_kernel(program, function, broken, &mut Vec::new(), &mut diags).is_some();
        }
        check_helper(program, function, broken, &mut Vec::new(), &mut diags);
        diags.errors() == 0
    });
    checked.is_ok_and(|(right, _)| right)
}

fn is_polymorphic(ty: &ast::Type, function: &Function) -> bool {
    match &ty.kind {
        TypeKind::Function(..) | TypeKind::Boundary(_) => true,
        TypeKind::Name(name) => {
            matches!(name.as_str(), "Nat" | "Boundary") || function.generics.iter().any(|g| &g.name == name)
        }
        TypeKind::Array(element, _) => is_polymorphic(element, function),
        TypeKind::Tuple(parts) => parts.iter().any(|p| is_polymorphic(p, function)),
        TypeKind::Infer => false,
    }
}

/// Equations between lengths that could not be decided become obligations like any other.
fn with_equalities(mut obligations: Vec<Obligation>, solver: &Solver, span: Span) -> Vec<Obligation> {
    obligations.extend(solver.unproved.iter().map(|(a, b)| Obligation {
        origin: Origin::Equality,
        relation: Relation::Equal,
        left: a.clone(),
        right: b.clone(),
        span,
        added: 0,
    }));
    obligations
}

struct Session<'a, 'd> {
    inferer: Inferer<'a, 'd>,
    env: Env<'a>,
    sizes: Vec<Var>,
    types: Vec<Ty>,
    slots: Vec<Slot>,
    /// How many errors there were before this function.
    errors: usize,
}

impl<'a, 'd> Session<'a, 'd> {
    /// Declares sizes, facts and parameters.
    fn open(
        windows: Windows,
        program: &'a Program,
        function: &'a Function,
        broken: &'a [bool],
        diags: &'d mut Diagnostics,
    ) -> Self {
        let errors = diags.errors();
        let solver = Solver::default();
        let (obligations, later, prelude_calls) = (Vec::new(), Vec::new(), Vec::new());
        let inferer = Inferer {
            program,
            broken,
            solver,
            diags,
            obligations,
            later,
            prelude_calls,
            tables: BTreeMap::new(),
            functions: 0,
            poisoned: false,
            depth: 0,
            windows,
            lacks_windows: false,
            provenance: Provenance::default(),
            bound: Vec::new(),
        };
        let mut session = Session {
            inferer,
            env: Env::default(),
            sizes: Vec::new(),
            types: Vec::new(),
            slots: Vec::new(),
            errors,
        };
        for name in size_names(program, function) {
            session.declare_size(&name);
        }
        for param in &function.params {
            let ty = match &param.ty {
                Some(ty) if function.source.is_some() && is_unreadable(ty) => {
                    session.inferer.poisoned = true;
                    Ty::Error
                }
                Some(ty) => session.inferer.ty(ty, &mut session.env, false),
                None => session.inferer.solver.unknown(Class::Any),
            };
            let slot = Slot::default();
            let trail = &mut session.inferer.provenance;
            trail.names.insert(param.binder.id, param.binder.name.clone());
            trail.params.insert(param.binder.id);
            trail.param_types.insert(param.binder.id, ty.clone());
            session.env.bind(param.binder.id, Binding::Data(ty.clone(), slot.clone()));
            session.types.push(ty);
            session.slots.push(slot);
        }
        for fact in &function.facts {
            session.assume(fact);
        }
        session.assume_lengths(function);
        session
    }

    /// The lengths that may be taken for at least 0, as far as their sizes are declared: where one is below that, a launch writes nothing,
    /// or refuses to.
    fn assume_lengths(&mut self, function: &Function) {
        let Windows::MayLack(shared) = &self.inferer.windows else { return };
        let mut lengths: Vec<ArithExpr> =
            shared.iter().filter_map(|length| windows::renamed(length, &self.sizes)).collect();
        if let Some(result) = &function.result {
            let result = self.inferer.ty(result, &mut self.env.clone(), false);
            let leaves = self.inferer.solver.finish(&result).leaves();
            lengths.extend(leaves.into_iter().flat_map(|(dims, _)| dims));
        }
        let facts = &mut self.inferer.solver.facts;
        for n in lengths {
            if facts.nonneg(&n) == Truth::Unknown {
                facts.assume_nonneg(n);
            }
        }
    }

    fn declare_size(&mut self, name: &str) -> Var {
        let var = Var::new(fresh_id(), name);
        self.inferer.solver.facts.declare(&var, Some(ArithExpr::one()), None);
        self.env.sizes.insert(name.to_string(), ArithExpr::var(&var));
        self.sizes.push(var.clone());
        var
    }

    /// A promise of the user: known from here on, and checked at launch.
    fn assume(&mut self, fact: &ast::Fact) {
        let left = self.inferer.size(&fact.left, &self.env);
        let right = self.inferer.size(&fact.right, &self.env);
        let (Some(left), Some(right)) = (left, right) else { return };
        let (relation, left, right) = relation(fact.relation, left, right);
        let promise = Promise { by: None, text: fact_text(fact), values: Vec::new() };
        let (origin, span) = (Origin::Fact(promise), fact.span);
        self.inferer.obligations.push(Obligation { origin, relation, left, right, span, added: 0 });
    }

    fn infer_body(&mut self, function: &'a Function) -> Option<Checked<'a>> {
        // The user's promises help to infer types, but stay obligations of the launch.
        let promised = std::mem::take(&mut self.inferer.obligations);
        let facts = self.inferer.solver.facts.clone();
        for fact in &promised {
            assume(&mut self.inferer.solver.facts, fact.relation, &fact.left, &fact.right);
        }
        let body = self.inferer.infer(&function.body, &self.env);
        if function.result.as_ref().is_some_and(is_unreadable) {
            self.inferer.poisoned = true;
        } else if let (Some(declared), Some(found)) = (&function.result, self.result(function, &body.ty)) {
            let declared = self.inferer.ty(declared, &mut self.env.clone(), false);
            self.unify_result(function, &declared, &found);
        }
        self.inferer.solver.facts = facts;
        self.inferer.obligations.splice(0..0, promised);
        (!matches!(self.inferer.solver.shallow(&body.ty), Ty::Error)).then_some(body)
    }

    /// The type of each part of the body: the new contents of parameters, and the result if there is one.
    fn parts(&self, function: &Function, body: &Ty) -> Vec<Ty> {
        let has_result = !function.result.as_ref().is_some_and(ast::Type::is_nothing);
        match self.inferer.solver.shallow(body) {
            Ty::Tuple(parts) if function.updates.len() + usize::from(has_result) > 1 => parts.to_vec(),
            body => vec![body],
        }
    }

    /// The type of the result, if there is one.
    fn result(&self, function: &Function, body: &Ty) -> Option<Ty> {
        self.parts(function, body).get(function.updates.len()).cloned()
    }

    /// What is written to a parameter has its type.
    fn unify_updates(&mut self, function: &'a Function, body: &Ty) {
        for (i, (update, found)) in function.updates.iter().zip(self.parts(function, body)).enumerate() {
            let declared = self.types[update.param].clone();
            if self.inferer.solver.unify(&declared, &found).is_err() {
                if self.inferer.poisoned || self.inferer.diags.errors() > self.errors {
                    self.inferer.poisoned = true;
                    continue;
                }
                let (d, f) = (self.inferer.solver.show(&declared), self.inferer.solver.show(&found));
                let name = &function.params[update.param].binder.name;
                let base = error::update_type(update.span, name, &d, &f);
                let part = part(&function.body, i);
                let d = self.inferer.mismatch(base, part, (&declared, &found), None);
                self.inferer.diags.push(d);
            }
        }
    }

    fn unify_result(&mut self, function: &'a Function, declared: &Ty, found: &Ty) {
        if self.inferer.solver.unify(declared, found).is_ok() {
            return;
        }
        // What follows from a mistake in the body, or from a refuted size fact, is of no interest.
        let refuted = self.inferer.obligations.iter().any(|o| o.decide(&self.inferer.solver).is_err());
        if refuted || self.inferer.poisoned || self.inferer.diags.errors() > self.errors {
            self.inferer.poisoned = true;
            return;
        }
        let d = self.inferer.result_mismatch(function, declared, found);
        self.inferer.diags.push(d);
    }

    /// In the expression form, sizes that nothing else determines are the kernel's size variables.
    fn name_free_sizes(&mut self) {
        let _ = self.inferer.solver.settle();
        let mut free = Vec::new();
        for ty in &self.types {
            self.inferer.solver.free_sizes(ty, &mut free);
        }
        let used: BTreeSet<String> = self.env.sizes.keys().cloned().collect();
        let names = ["N", "M", "K", "L", "P", "Q"].map(String::from);
        let more = (1..).map(|i| format!("N{i}"));
        let mut names = names.into_iter().chain(more).filter(|n| !used.contains(n));
        for var in free {
            if let Some(name) = names.next()
                && !self.inferer.solver.is_known(&ArithExpr::var(&var))
            {
                let named = self.declare_size(&name);
                self.inferer.solver.set_size(&var, ArithExpr::var(&named));
            }
        }
    }

    fn settle(&mut self, span: Span) {
        if let Err(Clash::Lengths(a, b)) = self.inferer.solver.settle() {
            let solver = &self.inferer.solver;
            let d = error::lengths(span, solver.show_size(&a), solver.show_size(&b));
            self.inferer.diags.push(d);
        }
    }

    /// The parameters as they cross the border between host and device; the result must be able to, too.
    fn interface(&mut self, function: &Function, body: &Ty) -> Option<(Vec<Param>, Interface)> {
        let before = self.inferer.diags.errors();
        let (mut params, mut written) = (Vec::new(), Vec::new());
        for (param, ty) in function.params.iter().zip(&self.types) {
            let solver = &self.inferer.solver;
            if solver.is_wrong(ty) {
                return None;
            }
            if solver.is_ambiguous(ty) {
                self.inferer.diags.push(error::ambiguous(param.binder.span, &param.binder.name));
                continue;
            }
            written.push(solver.written(ty));
            let ty = solver.finish(ty);
            let dims: Vec<ArithExpr> = ty.leaves().into_iter().flat_map(|(dims, _)| dims).collect();
            if let Some(len) = dims.iter().find(|n| solver.facts.nonneg(n) == Truth::No) {
                let d = error::negative_length(param.binder.span, len.to_string());
                self.inferer.diags.push(d);
                continue;
            }
            if is_too_large(&ty) {
                self.inferer.diags.push(error::size_too_large(param.binder.span));
                continue;
            }
            params.push(Param::new(&param.binder.name, ty));
        }
        let result = self.result(function, body);
        if let Some(result) = result.as_ref().map(|result| self.inferer.solver.finish(result)) {
            let dims: Vec<ArithExpr> = result.leaves().into_iter().flat_map(|(dims, _)| dims).collect();
            if is_too_large(&result) {
                self.inferer.diags.push(error::size_too_large(function.span));
            }
            let solver = &self.inferer.solver;
            if dims.iter().any(|n| !solver.is_known(n)) {
                self.inferer.diags.push(error::ambiguous_size(function.span, result.to_string()));
            }
        }
        let result = result.map(|result| self.inferer.solver.written(&result));
        let interface = Interface { params: written, result };
        (self.inferer.diags.errors() == before).then_some((params, interface))
    }
}

/// Whether an array in this type has more elements than can be counted.
fn is_too_large(ty: &ir::Type) -> bool {
    let count = |dims: &[ArithExpr]| dims.iter().fold(ArithExpr::one(), |all, n| all * n.clone());
    ty.leaves().iter().any(|(dims, _)| count(dims).is_beyond_machines())
}

/// The body with each part of a tuple that is the result a part of its own, after the new contents of parameters.
fn with_parts(body: ir::Expr, updates: usize) -> ir::Expr {
    if updates == 0 {
        return body;
    }
    let span = body.span();
    let flat = match body.kind() {
        ir::Kind::Let(param, value, rest) => {
            ir::Expr::let_(param.clone(), value.clone(), with_parts(rest.clone(), updates))
        }
        ir::Kind::Tuple(parts) if parts.len() == updates + 1 => match parts[updates].ty() {
            ir::Type::Tuple(inner) => {
                let result = Param::new("result", parts[updates].ty().clone());
                let whole = ir::Expr::param(&result);
                let own = (0..inner.len()).map(|i| ir::Expr::field(whole.clone(), i));
                let all = parts[..updates].iter().cloned().chain(own).collect();
                ir::Expr::let_(result, parts[updates].clone(), ir::Expr::tuple(all))
            }
            ir::Type::Scalar(_) | ir::Type::Array(..) => return body,
        },
        _ => return body,
    };
    flat.at(span)
}

/// The term of one part of a body.
fn part(body: &Term, index: usize) -> &Term {
    match &body.kind {
        TermKind::Let(_, _, rest) => part(rest, index),
        TermKind::Tuple(parts) => parts.get(index).unwrap_or(body),
        _ => body,
    }
}

/// Where the parts of a body go: the updates come first.
fn outputs(body: &ir::Type, updates: Vec<Output>) -> Vec<Output> {
    let results = ir::results(body).into_iter().skip(updates.len());
    updates.iter().copied().chain(results).collect()
}

/// The size variables of a function: declared ones first, then those in the types of parameters.
fn size_names(program: &Program, function: &Function) -> Vec<String> {
    let parts: Vec<&ast::Type> =
        function.params.iter().filter_map(|p| p.ty.as_ref()).flat_map(ast::Type::all).collect();
    let is_type = |name: &str| parts.iter().any(|ty| matches!(&ty.kind, TypeKind::Name(own) if own == name));
    let declared = function.generics.iter().map(|g| g.name.as_str()).filter(|n| !is_type(n));
    let mut names: Vec<String> = declared.map(String::from).collect();
    for ty in &parts {
        let TypeKind::Array(_, len) = &ty.kind else { continue };
        for (name, _) in len.names() {
            if names.iter().all(|known| known != name) && !program.consts.iter().any(|c| c.name == name) {
                names.push(name.to_string());
            }
        }
    }
    names
}
