//! Inference for calls of functions, by their bodies.
//!
//! The body of a function is checked again for every call, with the sizes of that call: this inlines it, and
//! gives it any polymorphism for free.

use crate::arith::ArithExpr;
use crate::ir::{self, Expr, Kind, Relation};
use crate::span::Span;
use crate::syntax::term::{Arg, Closure, Function, FunctionId, Term};
use crate::typecheck::env::{Binding, Build, Checked, Env, Slot};
use crate::typecheck::error;
use crate::typecheck::infer::Inferer;
use crate::typecheck::obligation::{Obligation, Origin, Promise};
use crate::typecheck::provenance::{fact_text, size_names};
use crate::typecheck::ty::{Clash, Class, Solver, Ty};

impl<'a> Inferer<'a, '_> {
    /// A function value applied to arguments that are checked already.
    pub(super) fn apply(
        &mut self,
        closure: &'a Closure,
        mut env: Env<'a>,
        args: Vec<Checked<'a>>,
    ) -> Checked<'a> {
        let types: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
        let builds: Vec<Build<'a>> = args.into_iter().map(|a| a.build).collect();
        // Mistakes in what the user wrote are the user's, even if the prelude calls it.
        let calls = if env.prelude { None } else { Some(std::mem::take(&mut self.prelude_calls)) };
        let bounds = self.bind_params("a function", closure, &types, &mut env);
        let body = self.infer(&closure.body, &env);
        if let Some(calls) = calls {
            self.prelude_calls = calls;
        }
        let mut build = body.build;
        if bounds.len() == builds.len() {
            for (bound, value) in bounds.into_iter().zip(builds).rev() {
                build = bound.build_let(value, build);
            }
        }
        Checked { ty: body.ty, build }
    }

    /// A function of the block or of the prelude with all its arguments.
    pub(super) fn call(&mut self, id: FunctionId, args: &'a [Arg], env: &Env<'a>, span: Span) -> Checked<'a> {
        let function = &self.program.functions[id.0 as usize];
        let mut inner = Env::of_function(function.prelude);
        let types = || function.params.iter().filter_map(|p| p.ty.as_ref());
        let is_type = |name: &str| types().any(|ty| ty.names().any(|own| own == name));
        for generic in &function.generics {
            if generic.name.starts_with(|c: char| c.is_uppercase()) && is_type(&generic.name) {
                let unknown = self.solver.unknown(Class::Any);
                inner.types.insert(generic.name.clone(), unknown);
            }
        }
        let mut wrong = false;
        for (param, arg) in function.params.iter().zip(args) {
            if let Arg::Size(size) = arg {
                match self.size(size, env) {
                    Some(size) => {
                        inner.sizes.insert(param.binder.name.clone(), size.clone());
                        inner.bind(param.binder.id, Binding::Size(size));
                    }
                    None => wrong = true,
                }
            }
        }
        let mut lets: Vec<(usize, String, Slot, Build<'a>)> = Vec::new();
        let mut zipped: Vec<(&'a Term, Ty)> = Vec::new();
        for (i, (param, arg)) in function.params.iter().zip(args).enumerate().rev() {
            let Arg::Data(term) = arg else { continue };
            let checked = self.infer(term, env);
            let expected = match &param.ty {
                Some(ty) => self.ty(ty, &mut inner, true),
                None => self.solver.unknown(Class::Any),
            };
            if let Err(clash) = self.solver.unify(&expected, &checked.ty) {
                wrong = true;
                let dims = zip_dimensions(function);
                match (dims, &zipped[..], clash) {
                    (Some(dims), [(last, ty), ..], Clash::Lengths(..)) => {
                        let (a, b) = ((term, &checked.ty), (*last, ty));
                        let d = self.zip_mismatch(self.blame(span), &function.name, dims, a, b);
                        self.diags.push(d);
                    }
                    _ => {
                        let types = (&expected, &checked.ty);
                        self.argument_mismatch(function, &param.binder.name, types, (span, term));
                    }
                }
            }
            zipped.push((term, checked.ty.clone()));
            let slot = Slot::default();
            inner.bind(param.binder.id, Binding::Data(expected, slot.clone()));
            lets.push((i, param.binder.name.clone(), slot, checked.build));
        }
        let last = zipped.first().map_or(Ty::Error, |(_, ty)| ty.clone());
        self.bind_functions(function, args, &last, env, &mut inner);
        let declared = function.result.as_ref().map(|ty| self.ty(ty, &mut inner, false));
        if wrong || self.broken[id.0 as usize] {
            // The result of a function that is wrong by itself has its declared type all the same.
            let ty = declared.filter(|_| !wrong).unwrap_or(Ty::Error);
            return Checked { ty, ..self.wrong() };
        }
        if self.compares_others(function, &inner, args, span) {
            return Checked { ty: declared.unwrap_or(Ty::Error), ..self.wrong() };
        }
        let facts = self.promises(function, &inner, span);
        if let Err(refuted) = facts.iter().try_for_each(|fact| fact.decide(&self.solver).map(|_| ())) {
            // What the body makes of a broken promise is of no interest.
            self.diags.push(*refuted);
            return Checked { ty: declared.unwrap_or(Ty::Error), ..self.wrong() };
        }
        self.obligations.extend(facts);
        if function.prelude {
            self.prelude_calls.push((span, &function.name));
        }
        let body = self.infer(&function.body, &inner);
        if let Some(declared) = &declared
            && let Err(clash) = self.solver.unify(declared, &body.ty)
        {
            self.body_mismatch(function, (declared, &body.ty), clash, span);
        }
        if function.prelude {
            self.prelude_calls.pop();
        }
        Checked { ty: declared.unwrap_or(body.ty), build: build_lets(lets, body.build) }
    }

    /// Binds what a call passes beside data and sizes; `last`: the type of the last argument.
    fn bind_functions(
        &mut self,
        function: &'a Function,
        args: &'a [Arg],
        last: &Ty,
        env: &Env<'a>,
        inner: &mut Env<'a>,
    ) {
        for (param, arg) in function.params.iter().zip(args) {
            match arg {
                Arg::Function(closure) => {
                    if let Some(Arg::Data(data)) = args.last()
                        && function.prelude
                        && function.name.starts_with("map")
                        && !env.prelude
                    {
                        self.provenance.note_elements(self.program, closure, data, last);
                    }
                    inner.bind(param.binder.id, Binding::Function(closure, env.clone()));
                }
                Arg::Boundary(boundary, _) => {
                    inner.bind(param.binder.id, Binding::Boundary(boundary, env.clone()));
                }
                Arg::Data(_) | Arg::Size(_) => {}
            }
        }
    }

    /// What the function wants to hold of the sizes of a call.
    fn promises(&mut self, function: &'a Function, inner: &Env<'a>, span: Span) -> Vec<Obligation> {
        let mut facts = Vec::new();
        for fact in &function.facts {
            if let (Some(left), Some(right)) = (self.size(&fact.left, inner), self.size(&fact.right, inner)) {
                let (relation, left, right) = relation(fact.relation, left, right);
                let names = size_names(fact).into_iter();
                let values =
                    names.filter_map(|name| Some((name.to_string(), inner.sizes.get(name)?.clone())));
                let promise = Promise {
                    by: Some(function.name.clone()),
                    text: fact_text(fact),
                    values: values.collect(),
                };
                let span = self.blame(span);
                let origin = Origin::Fact(promise);
                facts.push(Obligation { origin, relation, left, right, span, added: 0 });
            }
        }
        facts
    }

    /// Whether `argmin` and `argmax` are called with elements that are no numbers, which is reported.
    fn compares_others(&mut self, function: &Function, inner: &Env<'a>, args: &[Arg], span: Span) -> bool {
        let compares = function.prelude && matches!(function.name.as_str(), "argmin" | "argmax");
        let Some(element) = inner.types.get("T").filter(|_| compares) else { return false };
        let is_compared = match self.solver.shallow(element) {
            Ty::Scalar(scalar) => scalar.is_number(),
            Ty::Unknown(_) | Ty::Error => true,
            Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_) => false,
        };
        if !is_compared {
            let found = self.solver.show(element);
            let name = args.last().and_then(|arg| if let Arg::Data(xs) = arg { self.text(xs) } else { None });
            self.diags.push(error::compared(self.blame(span), &function.name, &found, name.as_deref()));
        }
        !is_compared
    }

    fn body_mismatch(
        &mut self,
        function: &Function,
        (declared, found): (&Ty, &Ty),
        clash: Clash,
        span: Span,
    ) {
        let (e, f) = (self.solver.show(declared), self.solver.show(found));
        let d = match clash {
            Clash::Lengths(..) if !function.prelude => {
                error::lengths_of_call(self.blame(span), &function.name, &e, &f)
            }
            Clash::Lengths(a, b) => {
                error::lengths(self.blame(span), self.solver.show_size(&a), self.solver.show_size(&b))
            }
            Clash::Shapes => error::result_type(self.blame(span), &function.name, &f, &e),
        };
        self.diags.push(d);
    }

    fn argument_mismatch(
        &mut self,
        function: &Function,
        param: &str,
        (expected, found): (&Ty, &Ty),
        (call, argument): (Span, &Term),
    ) {
        let (e, f) = (self.solver.show(expected), self.solver.show(found));
        let (wanted, have) = (self.lengths(expected).len(), self.lengths(found).len());
        let d = if function.prelude && have < wanted {
            let name = self.provenance.describe(self.program, argument);
            error::too_few_dimensions(self.blame(call), &function.name, wanted, have, (&name, &f))
        } else {
            let span = if function.prelude { call } else { argument.span };
            let literal = self.number_in(argument, &f);
            error::argument(self.blame(span), &function.name, param, &e, &f, literal.as_deref())
        };
        self.diags.push(d);
    }
}

/// In how many dimensions a function of the prelude pairs elements, if it does.
fn zip_dimensions(function: &Function) -> Option<usize> {
    match function.name.as_str() {
        "zip2d" if function.prelude => Some(2),
        "zip3d" if function.prelude => Some(3),
        _ => None,
    }
}

/// The relation of a user's fact, with `<` written as `<=`.
pub(super) fn relation(
    relation: crate::syntax::ast::Relation,
    left: ArithExpr,
    right: ArithExpr,
) -> (Relation, ArithExpr, ArithExpr) {
    use crate::syntax::ast::Relation as Written;
    match relation {
        Written::Equal => (Relation::Equal, left, right),
        Written::AtMost => (Relation::AtMost, left, right),
        // A variable stays as it was written.
        Written::Below if left.as_const().is_some() => (Relation::AtMost, left + ArithExpr::one(), right),
        Written::Below => (Relation::AtMost, left, right - ArithExpr::one()),
    }
}

/// `let p = value; … body`, in the order of the parameters.
fn build_lets<'a>(mut lets: Vec<(usize, String, Slot, Build<'a>)>, body: Build<'a>) -> Build<'a> {
    lets.sort_by_key(|(i, ..)| *i);
    lets.into_iter().rev().fold(body, |body, (_, name, slot, value)| {
        Box::new(move |s: &Solver| {
            let value = value(s);
            if matches!(value.kind(), Kind::Param(_)) {
                slot.set(value);
                return body(s);
            }
            let param = ir::Param::new(&name, value.ty().clone());
            slot.set(Expr::param(&param));
            Expr::let_(param, value, body(s))
        })
    })
}
