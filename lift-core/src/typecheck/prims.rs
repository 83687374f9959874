//! Inference for primitives, by their signatures.
//!
//! Data arguments are checked before functions, the array to work on first, so that the parameters of
//! closures have a type by the time their bodies are looked at.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::bug;
use crate::diag::Diagnostic;
use crate::ir::scheme::{Need, SchemeParam, SchemeSize, SchemeType, scheme};
use crate::ir::{self, ByKey, Expr, Fold, Lambda, Order, Prim, Scalar};
use crate::span::Span;
use crate::syntax::term::{Arg, Boundary, Closure, Term, TermKind};
use crate::typecheck::env::{Build, Checked, Env};
use crate::typecheck::error;
use crate::typecheck::infer::{Bound, Inferer};
use crate::typecheck::later::Later;
use crate::typecheck::obligation::{Obligation, Origin};
use crate::typecheck::state::host_fold;
use crate::typecheck::ty::{Clash, Class, Solver, Ty};
use crate::typecheck::windows::{self, Windows};

/// What the variables of a signature stand for at one call.
#[derive(Default)]
struct Instance {
    types: BTreeMap<String, Ty>,
    sizes: BTreeMap<String, ArithExpr>,
}

impl Instance {
    fn ty(&mut self, scheme: &SchemeType, solver: &mut Solver) -> Ty {
        match scheme {
            SchemeType::Var(name) => {
                self.types.entry(name.clone()).or_insert_with(|| solver.unknown(Class::Any)).clone()
            }
            SchemeType::Scalar(s) => Ty::Scalar(*s),
            SchemeType::Array(element, len) => {
                let element = self.ty(element, solver);
                Ty::Array(element.into(), self.size(len, solver))
            }
            SchemeType::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.ty(p, solver)).collect()),
        }
    }

    fn size(&mut self, scheme: &SchemeSize, solver: &mut Solver) -> ArithExpr {
        self.declare(scheme, solver);
        scheme.instantiate(&self.sizes)
    }

    fn declare(&mut self, scheme: &SchemeSize, solver: &mut Solver) {
        match scheme {
            SchemeSize::Const(_) => {}
            SchemeSize::Var(name) => {
                self.sizes.entry(name.clone()).or_insert_with(|| solver.unknown_size(name));
            }
            SchemeSize::Binary(_, a, b) => {
                self.declare(a, solver);
                self.declare(b, solver);
            }
        }
    }
}

/// Whether what a boundary adds are elements of the array.
fn repeats(boundary: &Boundary, env: &Env<'_>) -> bool {
    match boundary {
        Boundary::Fold(_) | Boundary::Negated(_) | Boundary::Index(_) => true,
        Boundary::Constant(_) | Boundary::Value(_) => false,
        Boundary::Local(id) => {
            let (boundary, inner) = env.boundary(*id);
            repeats(boundary, &inner)
        }
    }
}

/// The arguments of a primitive.
fn built(prim: Prim, ready: Vec<Option<Ready<'_>>>, s: &Solver) -> Vec<ir::Arg> {
    let arg = |arg| match arg {
        Some(Ready::Data(build)) => ir::Arg::Data(build(s)),
        Some(Ready::Fun(build)) => ir::Arg::Fun(build(s)),
        Some(Ready::Size(size)) => ir::Arg::Size(s.simplified(&size)),
        Some(Ready::Boundary(build)) => ir::Arg::Boundary(build(s)),
        None => bug!("an argument of `{}` is missing", prim.name()),
    };
    ready.into_iter().map(arg).collect()
}

/// What is repeated, if it is negated.
fn negated(boundary: &Boundary, env: &Env<'_>) -> Option<Fold> {
    match boundary {
        Boundary::Negated(fold) => Some(*fold),
        Boundary::Fold(_) | Boundary::Index(_) | Boundary::Constant(_) | Boundary::Value(_) => None,
        Boundary::Local(id) => {
            let (boundary, inner) = env.boundary(*id);
            negated(boundary, &inner)
        }
    }
}

type BuildLambda<'a> = Box<dyn FnOnce(&Solver) -> Lambda + 'a>;

/// An argument on its way into the typed expression.
enum Ready<'a> {
    Data(Build<'a>),
    Fun(BuildLambda<'a>),
    Size(ArithExpr),
    Boundary(Box<dyn FnOnce(&Solver) -> ir::Boundary + 'a>),
}

impl<'a> Inferer<'a, '_> {
    /// A primitive with all its arguments.
    pub(super) fn prim(&mut self, prim: Prim, args: &'a [Arg], env: &Env<'a>, span: Span) -> Checked<'a> {
        match (prim, args) {
            (Prim::Unzip, [Arg::Data(xs)]) => return self.unzip(xs, env, span),
            (Prim::Iterate, [Arg::Data(k), Arg::Function(f), Arg::Data(x)]) => {
                return self.iterate(k, f, x, env, span);
            }
            (Prim::Map(place), [Arg::Size(d), args @ ..]) => {
                let Some(d) = self.size(d, env) else { return self.wrong() };
                let Some(number @ 0..=2) = d.as_const() else {
                    let shown = self.solver.show_size(&d);
                    return self.fail(error::no_dimension(self.blame(span), prim.name(), &shown));
                };
                return self.applied(Prim::Map(place.with_dimension(number as usize)), args, env, span);
            }
            _ => {}
        }
        self.applied(prim, args, env, span)
    }

    /// The same by its scheme.
    fn applied(&mut self, prim: Prim, args: &'a [Arg], env: &Env<'a>, span: Span) -> Checked<'a> {
        let scheme = scheme(prim, args.len());
        let mut instance = Instance::default();
        let mut ready: Vec<Option<Ready<'a>>> = args.iter().map(|_| None).collect();
        // Sizes first: types mention them. Then data, the last argument first; then what depends on data.
        if !self.sizes(args, &scheme.params, (&mut instance, &mut ready), env) {
            return self.wrong();
        }
        let data: Vec<usize> = (0..args.len()).filter(|i| matches!(args[*i], Arg::Data(_))).collect();
        let side_by_side = matches!(prim, Prim::Zip | Prim::Concat);
        let order: Vec<usize> = if side_by_side { data } else { data.into_iter().rev().collect() };
        let mut zipped: Vec<(&'a Term, Ty)> = Vec::new();
        let mut wrong = false;
        for i in order {
            let Arg::Data(term) = &args[i] else { bug!("not data") };
            let checked = self.infer(term, env);
            let SchemeParam::Data(param) = &scheme.params[i].1 else { bug!("signature of {}", prim.name()) };
            let expected = instance.ty(param, &mut self.solver);
            if let Err(clash) = self.solver.unify(&expected, &checked.ty) {
                wrong = true;
                match (&zipped[..], clash) {
                    ([(first, ty), ..], Clash::Lengths(..)) if prim == Prim::Zip => {
                        let (a, b) = ((*first, ty), (term, &checked.ty));
                        let d = self.zip_mismatch(self.blame(span), "zip", 1, a, b);
                        self.diags.push(d);
                    }
                    _ => {
                        let types = (&expected, &checked.ty);
                        self.data_mismatch(prim, &scheme.params[i].0, types, (span, term), (args, &zipped));
                    }
                }
            }
            zipped.push((term, checked.ty.clone()));
            ready[i] = Some(Ready::Data(checked.build));
        }
        if wrong {
            return self.wrong();
        }
        if let (Prim::At, [array, (index, _)]) = (prim, zipped.as_slice()) {
            self.note_end(array, index);
        }
        for (i, arg) in args.iter().enumerate() {
            match (arg, &scheme.params[i].1) {
                (Arg::Function(closure), SchemeParam::Function(params, result)) => {
                    if let Some(Arg::Data(data)) = args.last()
                        && prim.is_map()
                        && !env.prelude
                    {
                        let ty = zipped.first().map_or(Ty::Error, |(_, ty)| ty.clone());
                        self.provenance.note_elements(self.program, closure, data, &ty);
                    }
                    let params = params.iter().map(|p| instance.ty(p, &mut self.solver)).collect();
                    let result = instance.ty(result, &mut self.solver);
                    let lambda = self.lambda(prim, closure, params, &result, env);
                    ready[i] = Some(Ready::Fun(lambda));
                }
                (Arg::Boundary(boundary, at), _) => {
                    let element = instance.types.get("T").cloned().unwrap_or(Ty::Error);
                    ready[i] = Some(Ready::Boundary(self.boundary(boundary, &element, env, *at)));
                }
                (Arg::Data(_) | Arg::Size(_) | Arg::Function(_), _) => {}
            }
        }
        let result = self.result(prim, &scheme.result, &mut instance);
        if self.lengths(&result).into_iter().fold(ArithExpr::one(), |all, n| all * n).is_beyond_machines() {
            return self.fail(error::size_too_large(self.blame(span)));
        }
        let by_host = match (prim, instance.types.get("U"), instance.sizes.get("n")) {
            (Prim::Reduce(Order::Left), Some(state), Some(n)) => self.is_host_fold(state, n, span),
            _ => false,
        };
        if !by_host {
            self.defer(prim, args, &scheme.params, &instance, span);
        }
        if let Err(refuted) = self.needs(prim, args, &scheme.needs, &instance, env, span) {
            self.diags.push(*refuted);
            return self.wrong();
        }
        let build = self.build_prim(prim, ready, args, env);
        let build: Build<'a> = if by_host { Box::new(move |s| host_fold(&build(s))) } else { build };
        Checked { ty: result, build }
    }

    /// The arguments that are sizes; whether all of them have values.
    fn sizes(
        &mut self,
        args: &'a [Arg],
        params: &[(String, SchemeParam)],
        (instance, ready): (&mut Instance, &mut [Option<Ready<'a>>]),
        env: &Env<'a>,
    ) -> bool {
        let mut all = true;
        for (i, arg) in args.iter().enumerate() {
            if let Arg::Size(size) = arg {
                match self.size(size, env) {
                    Some(size) => {
                        instance.sizes.insert(params[i].0.clone(), size.clone());
                        ready[i] = Some(Ready::Size(size));
                    }
                    None => all = false,
                }
            }
        }
        all
    }

    /// What can be asked of accumulators and indices once their types are known.
    fn defer(
        &mut self,
        prim: Prim,
        args: &'a [Arg],
        params: &[(String, SchemeParam)],
        instance: &Instance,
        span: Span,
    ) {
        // What comes out is kept beside the state. Of other accumulators, it is known later what they become.
        if let (Prim::ScanWith, Some(own), Some(out)) =
            (prim, instance.types.get("S"), instance.types.get("U").or_else(|| instance.types.get("T")))
        {
            let state = Ty::Tuple(vec![own.clone(), out.clone()].into());
            self.later.push(Later::Accumulator(prim.name(), state, self.blame(span)));
        }
        // Outside of functions, the host counts the rounds, and every one is a launch.
        if prim == Prim::IterateUntil && self.functions > 0 {
            let state = instance.types.get("T").cloned().unwrap_or(Ty::Error);
            self.later.push(Later::Kept(state, self.blame(span)));
        }
        let by_key = Prim::ReduceByKey(ByKey::Whole);
        let takes_indices = matches!(prim, Prim::Gather | Prim::ScatterTo) || prim == by_key;
        if let (true, Some(index)) = (takes_indices, instance.types.get("I")) {
            let at = args.iter().zip(params).find(|(_, (name, _))| name == "idx" || name == "keys");
            let place = at.map_or(span, |(arg, _)| arg.span());
            self.later.push(Later::Indices(prim, index.clone(), place));
        }
    }

    fn build_prim(
        &self,
        prim: Prim,
        ready: Vec<Option<Ready<'a>>>,
        args: &[Arg],
        env: &Env<'a>,
    ) -> Build<'a> {
        match (&self.windows, prim) {
            (Windows::MayLack(_), Prim::Slide) => Self::build_windows(ready),
            (_, Prim::Pad) => Self::build_pad(ready, args, env),
            _ => Box::new(move |s| Expr::prim(prim, built(prim, ready, s))),
        }
    }

    /// A pad, whose elements may be negated.
    fn build_pad(ready: Vec<Option<Ready<'a>>>, args: &[Arg], env: &Env<'a>) -> Build<'a> {
        let boundary = args.iter().find_map(|arg| if let Arg::Boundary(b, _) = arg { Some(b) } else { None });
        let fold = boundary.and_then(|boundary| negated(boundary, env));
        Box::new(move |s| {
            let args = built(Prim::Pad, ready, s);
            match (fold, args.as_slice()) {
                (Some(fold), [ir::Arg::Size(l), ir::Arg::Size(r), _, ir::Arg::Data(xs)]) => {
                    super::negated::pad(l, r, fold, xs, &s.facts)
                }
                _ => Expr::prim(Prim::Pad, args),
            }
        })
    }

    /// Windows of an array that may be shorter than one.
    fn build_windows(ready: Vec<Option<Ready<'a>>>) -> Build<'a> {
        Box::new(move |s| match built(Prim::Slide, ready, s).as_slice() {
            [ir::Arg::Size(size), ir::Arg::Size(step), ir::Arg::Data(xs)] => {
                windows::slide(size.clone(), step.clone(), xs.clone(), s)
            }
            _ => bug!("arguments of `slide`"),
        })
    }

    /// The type of what a primitive gives.
    fn result(&mut self, prim: Prim, scheme: &SchemeType, instance: &mut Instance) -> Ty {
        let result = instance.ty(scheme, &mut self.solver);
        match (&self.windows, prim, &result, &instance.sizes) {
            (Windows::MayLack(_), Prim::Slide, Ty::Array(window, _), sizes) => {
                let [size, step, n] = ["size", "step", "n"].map(|name| self.solver.size(&sizes[name]));
                Ty::Array(window.clone(), self.solver.simplified(&windows::count(&size, &step, &n)))
            }
            _ => result,
        }
    }

    /// Notes what the primitive needs of the lengths of its arguments.
    fn needs(
        &mut self,
        prim: Prim,
        args: &'a [Arg],
        needs: &[Need],
        instance: &Instance,
        env: &Env<'a>,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let source = match args.last() {
            Some(Arg::Data(term)) if !env.prelude => Some(term),
            _ => None,
        };
        let pad = source.and_then(|term| self.provenance.steps(self.program, term).pop());
        let pad = pad.and_then(|step| step.padding(self.program)?.first().copied());
        let added = pad.map_or(0, |(before, after)| before + after);
        let boundary = args.iter().find_map(|arg| match arg {
            Arg::Boundary(boundary, _) => Some(boundary),
            Arg::Data(_) | Arg::Size(_) | Arg::Function(_) => None,
        });
        let reads = boundary.is_none_or(|boundary| repeats(boundary, env));
        let needs = needs.iter().filter(|need| reads || !need.at_zero);
        self.oblige(prim, needs, instance, span, added).map_err(|refuted| {
            // The lengths that would follow are of no interest.
            let text = source.and_then(|term| self.provenance.text(self.program, term));
            match text.filter(|text| text.contains('.')) {
                Some(text) => Box::new(refuted.note(format!("the array is `{text}`"))),
                None => refuted,
            }
        })
    }

    /// Notes what the primitive needs of its sizes; what is known not to hold is an error.
    fn oblige<'n>(
        &mut self,
        prim: Prim,
        needs: impl Iterator<Item = &'n Need>,
        instance: &Instance,
        span: Span,
        added: i64,
    ) -> Result<(), Box<Diagnostic>> {
        let sizes: Vec<_> = instance.sizes.iter().map(|(n, s)| (n.clone(), s.clone())).collect();
        let span = self.blame(span);
        let callee = self.prelude_calls.first().map_or(prim.name(), |(_, name)| name);
        for need in needs {
            let mut obligation = Obligation {
                origin: Origin::Prim(prim, callee.to_string(), sizes.clone()),
                relation: need.relation,
                left: need.left.instantiate(&instance.sizes),
                right: need.right.instantiate(&instance.sizes),
                span,
                added,
            };
            let may_lack = matches!(self.windows, Windows::MayLack(_)) && prim == Prim::Slide;
            if may_lack && need.relation == ir::Relation::Equal {
                let [size, step, n] = ["size", "step", "n"].map(|name| &instance.sizes[name]);
                obligation.left = windows::rest(size, step, n);
            }
            let is_open = obligation.decide(&self.solver)?.is_some();
            let is_window = prim == Prim::Slide && is_open && windows::is_first(need);
            self.lacks_windows |= is_window;
            if !(is_window && may_lack) {
                self.obligations.push(obligation);
            }
        }
        Ok(())
    }

    fn data_mismatch(
        &mut self,
        prim: Prim,
        param: &str,
        (expected, found): (&Ty, &Ty),
        (call, argument): (Span, &'a Term),
        (args, checked): (&'a [Arg], &[(&'a Term, Ty)]),
    ) {
        let blame = self.blame(call);
        let (e, f) = (self.solver.show(expected), self.solver.show(found));
        let d = match prim {
            Prim::Reduce(Order::Any | Order::Sequential | Order::Unrolled)
            | Prim::Scan(Order::Any)
            | Prim::ReduceByKey(_)
                if param == "z" =>
            {
                let rows = self.reduce_rows(prim, argument, args, expected);
                error::identity_type(argument.span, prim.name(), &f, &e, rows)
            }
            Prim::At if param == "i" => {
                let array =
                    args.last().and_then(|arg| if let Arg::Data(xs) = arg { self.text(xs) } else { None });
                let last = checked.first().and_then(|(_, ty)| self.lengths(ty).first().cloned());
                let last = last.map(|n| self.solver.show_size(&(n - ArithExpr::one())));
                let parts = match &argument.kind {
                    TermKind::Tuple(parts) | TermKind::ArrayLiteral(parts) => {
                        parts.iter().map(|part| self.text(part)).collect()
                    }
                    _ => None,
                };
                let array = array.unwrap_or_else(|| "xs".into());
                let text = self.text(argument);
                error::index_type(argument.span, &f, text.as_deref(), (&array, last.as_deref()), parts)
            }
            _ => {
                let (wanted, have) = (self.lengths(expected).len(), self.lengths(found).len());
                if have < wanted && self.solver.class(found) != Some(Class::Any) {
                    let name = self.provenance.describe(self.program, argument);
                    error::too_few_dimensions(blame, prim.name(), wanted, have, (&name, &f))
                } else {
                    let literal = self.number_in(argument, &f);
                    error::argument(blame, prim.name(), param, &e, &f, literal.as_deref())
                }
            }
        };
        self.diags.push(d);
    }

    /// A function as an argument of a primitive, which calls it with arguments of these types.
    fn lambda(
        &mut self,
        prim: Prim,
        closure: &'a Closure,
        params: Vec<Ty>,
        result: &Ty,
        env: &Env<'a>,
    ) -> BuildLambda<'a> {
        let callee = prim.name();
        let around = self.functions;
        self.functions += usize::from(prim != Prim::IterateUntil);
        let (body, build) = self.function(callee, closure, &params, env);
        self.functions = around;
        if self.solver.unify(result, &body).is_err() {
            let (e, f) = (self.solver.show(result), self.solver.show(&body));
            let span = self.blame(closure.span);
            let wrong = error::function_result(span, callee, &e, &f);
            self.diags.push(match prim {
                Prim::IterateUntil => wrong.help(
                    "in `iterate_until(k, done, f, x)`, `done` is a condition, and `f` gives the next value, of the type of `x`",
                ),
                Prim::ScanWith => wrong.help(
                    "in `scan_with(f, z, xs)`, `f` gives the next state, of the type of `z`, and what comes out: `|state, x| (next, y)`",
                ),
                Prim::Scan(Order::Any) => {
                    wrong.help("a state of another type than the elements has `scan_with(|state, x| (next, y), z, xs)`")
                }
                _ => wrong,
            });
        }
        build
    }

    /// A function of parameters of these types: what it returns, and how it is built.
    fn function(
        &mut self,
        callee: &str,
        closure: &'a Closure,
        params: &[Ty],
        env: &Env<'a>,
    ) -> (Ty, BuildLambda<'a>) {
        let mut inner = env.clone();
        let bounds = self.bind_params(callee, closure, params, &mut inner);
        let body = self.infer(&closure.body, &inner);
        let build = Box::new(move |s: &Solver| {
            let params = bounds.iter().map(|b| b.make_param(s)).collect();
            Lambda { params, body: (body.build)(s) }
        });
        (body.ty, build)
    }

    /// Binds a closure's patterns to arguments of these types. A function of k parameters accepts one
    /// k-tuple.
    pub(super) fn bind_params(
        &mut self,
        callee: &str,
        closure: &'a Closure,
        params: &[Ty],
        env: &mut Env<'a>,
    ) -> Vec<Bound> {
        let patterns = &closure.params;
        if patterns.len() == params.len() {
            return patterns.iter().zip(params).map(|(p, t)| self.bind(p, t, env)).collect();
        }
        if let [param] = params {
            let parts: Vec<Ty> = patterns.iter().map(|_| self.solver.unknown(Class::Any)).collect();
            if self.solver.unify(param, &Ty::Tuple(parts.clone().into())).is_ok() {
                let parts = patterns.iter().zip(&parts).map(|(p, t)| self.bind(p, t, env)).collect();
                return vec![Bound::tuple(parts)];
            }
        }
        let span = self.blame(closure.span);
        let tuple = match params {
            [param] => self.tuple_pattern(patterns, param).map(|pattern| (self.solver.show(param), pattern)),
            _ => None,
        };
        self.diags.push(error::function_arity(span, callee, params.len(), patterns.len(), tuple));
        // Bind everything to something, so that the body has no followers.
        for pattern in patterns {
            self.bind(pattern, &Ty::Error, env);
        }
        Vec::new()
    }

    /// A boundary for elements of this type.
    fn boundary(
        &mut self,
        boundary: &'a Boundary,
        element: &Ty,
        env: &Env<'a>,
        span: Span,
    ) -> Box<dyn FnOnce(&Solver) -> ir::Boundary + 'a> {
        match boundary {
            Boundary::Fold(fold) => Box::new(|_| ir::Boundary::Fold(*fold)),
            Boundary::Negated(fold) => {
                let leaf = self.leaf(element);
                self.later.push(Later::Negated(leaf, self.blame(span)));
                Box::new(|_| ir::Boundary::Fold(*fold))
            }
            Boundary::Local(id) => {
                let (boundary, inner) = env.boundary(*id);
                self.boundary(boundary, element, &inner, span)
            }
            Boundary::Index(closure) => self.boundary_function(closure, None, env, ir::Boundary::Index),
            Boundary::Value(closure) => {
                let leaf = self.leaf(element);
                self.boundary_function(closure, Some(leaf), env, ir::Boundary::Value)
            }
            Boundary::Constant(term) => {
                let value = self.infer(term, env);
                let leaf = self.leaf(element);
                if self.solver.unify(&leaf, &value.ty).is_err() {
                    let (f, e) = (self.solver.show(&value.ty), self.solver.show(&leaf));
                    let literal = self.number_in(term, &f);
                    self.diags.push(error::boundary_type(term.span, &f, &e, literal.as_deref()));
                }
                let build = value.build;
                Box::new(move |s| ir::Boundary::Constant(build(s)))
            }
        }
    }

    /// A boundary that is a function of an index outside and the length. It gives a value of the type `leaf`, or,
    /// without that, an index.
    fn boundary_function(
        &mut self,
        closure: &'a Closure,
        leaf: Option<Ty>,
        env: &Env<'a>,
        make: fn(Lambda) -> ir::Boundary,
    ) -> Box<dyn FnOnce(&Solver) -> ir::Boundary + 'a> {
        let long = Ty::Scalar(Scalar::I64);
        self.functions += 1;
        let (body, build) = self.function("pad", closure, &[long.clone(), long.clone()], env);
        self.functions -= 1;
        let is_usize = matches!(self.solver.shallow(&body), Ty::Scalar(Scalar::Usize));
        let wanted = leaf.as_ref().unwrap_or(&long);
        if !(leaf.is_none() && is_usize) && self.solver.unify(wanted, &body).is_err() {
            let found = self.solver.show(&body);
            let span = self.blame(closure.body.span);
            self.diags.push(match &leaf {
                Some(leaf) => error::boundary_value_type(span, &found, self.solver.show(leaf)),
                None => error::boundary_index_type(span, &found),
            });
        }
        Box::new(move |s| make(build(s)))
    }
}
