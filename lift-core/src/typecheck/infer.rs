//! Inference for terms that are not calls.
//!
//! [`Inferer::infer`] gives each term a type, with unknowns, and a closure that builds the typed expression
//! once everything is known. A mistake is reported once: the term then has the type [`Ty::Error`], which
//! agrees with everything.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::budget;
use crate::bug;
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::{self, BinaryOp, Expr, Literal, MathFn, Param, Prim, Scalar, UnaryOp};
use crate::span::Span;
use crate::syntax::ast;
use crate::syntax::term::{Pattern, PatternKind, Program, Term, TermKind};
use crate::text::list;
use crate::typecheck::PatternType;
use crate::typecheck::env::{Binding, Build, Checked, Env, Slot};
use crate::typecheck::error;
use crate::typecheck::later::Later;
use crate::typecheck::obligation::Obligation;
use crate::typecheck::provenance::Provenance;
use crate::typecheck::ty::{Class, Solver, Ty};
use crate::typecheck::windows::Windows;

/// The state of checking one kernel or function.
pub(super) struct Inferer<'a, 'd> {
    /// All functions.
    pub(super) program: &'a Program,
    /// Functions known to be wrong: their bodies are not looked at again.
    pub(super) broken: &'a [bool],
    /// Unknowns and facts.
    pub(super) solver: Solver,
    /// Where mistakes go.
    pub(super) diags: &'d mut Diagnostics,
    /// Facts about sizes that must hold, decided at the end.
    pub(super) obligations: Vec<Obligation>,
    /// Questions about types that can only be asked at the end.
    pub(super) later: Vec<Later>,
    /// The calls of prelude functions whose bodies are being checked, outermost first, with their names: a mistake
    /// inside is reported there.
    pub(super) prelude_calls: Vec<(Span, &'a str)>,
    /// Constant arrays in use, by their position: type, what stands for them, and their value.
    pub(super) tables: BTreeMap<usize, (Ty, Slot, Build<'a>)>,
    /// How many functions, other than those of `iterate` and `iterate_until`, are around.
    pub(super) functions: usize,
    /// Whether some term has no type because of a mistake.
    pub(super) poisoned: bool,
    /// Terms around the one that is looked at, those of the functions that are called included.
    pub(super) depth: u32,
    /// What is taken for granted of windows.
    pub(super) windows: Windows,
    /// Whether there is an array that may be shorter than a window.
    pub(super) lacks_windows: bool,
    /// Where values come from, for messages.
    pub(super) provenance: Provenance<'a>,
    /// Patterns of the user, and what they are bound to.
    pub(super) bound: Vec<(Span, Ty)>,
}

impl<'a> Inferer<'a, '_> {
    /// The tokens to blame: those of the outermost call that leads into the prelude, else `span`.
    pub(super) fn blame(&self, span: Span) -> Span {
        self.prelude_calls.first().map_or(span, |(call, _)| *call)
    }

    /// The text of a term, if it is short and simple.
    pub(super) fn text(&self, term: &Term) -> Option<String> {
        self.provenance.text(self.program, term)
    }

    /// The number in a term that makes its type `found`.
    pub(super) fn number_in(&self, term: &Term, found: &str) -> Option<String> {
        self.provenance.literal(self.program, term, found.contains("{float}"))
    }

    /// Reports a mistake; the term in question has no type.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) -> Checked<'a> {
        self.diags.push(diagnostic);
        self.wrong()
    }

    /// A term whose mistake was reported already. From now on nothing of this kernel is built.
    pub(super) fn wrong(&mut self) -> Checked<'a> {
        self.poisoned = true;
        Checked { ty: Ty::Error, build: Box::new(|_| bug!("a wrong term is built")) }
    }

    /// The type of a term, and how to build it.
    pub(super) fn infer(&mut self, term: &'a Term, env: &Env<'a>) -> Checked<'a> {
        budget::node();
        self.depth += 1;
        budget::check_depth(self.depth);
        // What the prelude computes is the doing of the user's call.
        let span = if env.prelude { self.blame(term.span) } else { term.span };
        let mut checked = self.infer_kind(term, env);
        self.depth -= 1;
        if matches!(term.kind, TermKind::Tuple(_) | TermKind::Struct(..) | TermKind::Prim(..))
            && self.solver.has_too_many_parts(&checked.ty)
        {
            // Another one may be made of what was found wrong before.
            return if self.poisoned { self.wrong() } else { self.fail(error::too_many_parts(span)) };
        }
        if matches!(term.kind, TermKind::Prim(..) | TermKind::Call(..)) && !env.prelude {
            self.provenance.types.insert(std::ptr::from_ref(term), checked.ty.clone());
        }
        let build = std::mem::replace(&mut checked.build, Box::new(|_| bug!("built twice")));
        // What a function of the user computes keeps the places within that function.
        let inlined =
            matches!(&term.kind, TermKind::Call(id, _) if !self.program.functions[id.0 as usize].prelude);
        checked.build = match inlined && !env.prelude {
            true => build,
            false => Box::new(move |s| build(s).at(span)),
        };
        checked
    }

    fn infer_kind(&mut self, term: &'a Term, env: &Env<'a>) -> Checked<'a> {
        let span = term.span;
        match &term.kind {
            TermKind::Error => self.wrong(),
            TermKind::Local(id) => match env.get(*id).as_deref() {
                Some(Binding::Data(ty, slot)) => {
                    let slot = slot.clone();
                    Checked { ty: ty.clone(), build: Box::new(move |_| slot.get()) }
                }
                Some(Binding::Size(size)) => size_value(size.clone()),
                _ => bug!("a variable is not what resolution took it for"),
            },
            TermKind::Literal(literal) => self.literal(literal, span, false),
            TermKind::Size(size) => match self.size(size, env) {
                Some(size) => size_value(size),
                None => self.wrong(),
            },
            TermKind::Const(index) => self.constant(*index),
            TermKind::Unary(op, operand) => self.unary(*op, operand, env, span),
            TermKind::Binary(op, a, b) => self.binary(*op, a, b, env, span),
            TermKind::Math(f, args) => self.math(*f, args, env, span),
            TermKind::Cast(x, ty) => self.cast(x, ty, env, span),
            TermKind::If(c, a, b) => self.if_(c, a, b, env, span),
            TermKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| self.infer(p, env)).collect();
                let ty = Ty::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
                Checked {
                    ty,
                    build: Box::new(move |s| Expr::tuple(parts.into_iter().map(|p| (p.build)(s)).collect())),
                }
            }
            TermKind::Field(x, index) => self.part(x, *index, env, span),
            TermKind::Struct(index, values) => self.struct_value(*index, values, env),
            TermKind::Named(x, name) => self.named_field(x, name, env, span),
            TermKind::ArrayLiteral(elements) if elements.is_empty() => self.fail(error::empty_array(span)),
            TermKind::ArrayLiteral(elements) => self.array_literal(elements, env),
            TermKind::Let(pattern, value, body) => self.let_(pattern, value, body, env),
            TermKind::Prim(prim, args) => self.prim(*prim, args, env, span),
            TermKind::Call(id, args) => self.call(*id, args, env, span),
            TermKind::CallLocal(id, args) => match env.get(*id).as_deref() {
                Some(Binding::Function(closure, inner)) => {
                    let args: Vec<_> = args.iter().map(|a| self.infer(a, env)).collect();
                    self.apply(closure, inner.clone(), args)
                }
                _ => bug!("a function is not what resolution took it for"),
            },
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Term, env: &Env<'a>, span: Span) -> Checked<'a> {
        let x = match &operand.kind {
            // -128 is an `i8`, though 128 is none.
            TermKind::Literal(literal) if op == UnaryOp::Neg => self.literal(literal, operand.span, true),
            _ => self.infer(operand, env),
        };
        if self.is_compound(&x.ty) {
            let shown = self.solver.show(&x.ty);
            let d = error::operator_undefined(self.blame(span), op.symbol(), &shown, &[self.text(operand)]);
            return self.fail(d);
        }
        self.later.push(Later::Unary(op, x.ty.clone(), span, None));
        let build = x.build;
        Checked { ty: x.ty, build: Box::new(move |s| Expr::unary(op, build(s))) }
    }

    fn cast(&mut self, x: &'a Term, ty: &'a ast::Type, env: &Env<'a>, span: Span) -> Checked<'a> {
        let text = self.text(x);
        let x = self.infer(x, env);
        let target = self.ty(ty, &mut env.clone(), false);
        let scalar = match (self.solver.shallow(&x.ty), self.solver.shallow(&target)) {
            (Ty::Array(..) | Ty::Tuple(_), _) => None,
            (_, Ty::Scalar(scalar)) => Some(scalar),
            _ => None,
        };
        let Some(scalar) = scalar else {
            let (from, to) = (self.solver.show(&x.ty), self.solver.show(&target));
            return self.fail(error::cast(span, &from, &to, text.as_deref()));
        };
        self.later.push(Later::Cast(x.ty.clone(), scalar, text, span));
        let build = x.build;
        Checked { ty: Ty::Scalar(scalar), build: Box::new(move |s| Expr::cast(scalar, build(s))) }
    }

    /// A part of a tuple.
    fn part(&mut self, x: &'a Term, index: usize, env: &Env<'a>, span: Span) -> Checked<'a> {
        let x = self.infer(x, env);
        match self.solver.shallow(&x.ty) {
            Ty::Tuple(parts) if index < parts.len() => {
                let build = x.build;
                Checked { ty: parts[index].clone(), build: Box::new(move |s| Expr::field(build(s), index)) }
            }
            Ty::Error => x,
            // That follows from the mistake.
            Ty::Unknown(_) if self.poisoned => self.wrong(),
            other => {
                let shown = self.solver.show(&other);
                let parts = if let Ty::Tuple(parts) = &other { parts.len() } else { 0 };
                self.fail(error::no_field(span, index, &shown, parts))
            }
        }
    }

    /// A constant of the block. Scalars are written out where they are used; an array is bound once, around
    /// the whole kernel, under its own name.
    fn constant(&mut self, index: usize) -> Checked<'a> {
        let constant = &self.program.consts[index];
        if let Some((ty, slot, _)) = self.tables.get(&index) {
            let (ty, slot) = (ty.clone(), slot.clone());
            return Checked { ty, build: Box::new(move |_| slot.get()) };
        }
        let value = self.infer(&constant.value, &Env::default());
        let declared = self.ty(&constant.ty, &mut Env::default(), false);
        if self.solver.unify(&declared, &value.ty).is_err() {
            let (d, f) = (self.solver.show(&declared), self.solver.show(&value.ty));
            let literal = self.number_in(&constant.value, &f);
            return self.fail(error::constant_type(
                constant.span,
                &constant.name,
                &d,
                &f,
                literal.as_deref(),
            ));
        }
        if !matches!(self.solver.shallow(&declared), Ty::Array(..)) {
            return value;
        }
        let slot = Slot::default();
        self.tables.insert(index, (declared.clone(), slot.clone(), value.build));
        Checked { ty: declared, build: Box::new(move |_| slot.get()) }
    }

    fn literal(&mut self, literal: &ast::Literal, span: Span, negated: bool) -> Checked<'a> {
        let ty = match literal {
            ast::Literal::Bool(_) => Ty::Scalar(Scalar::Bool),
            ast::Literal::Int(_, None) => self.solver.unknown(Class::Integer),
            ast::Literal::Float(_, None) => self.solver.unknown(Class::Float),
            ast::Literal::Int(_, Some(suffix)) | ast::Literal::Float(_, Some(suffix)) => {
                Scalar::from_name(suffix).map_or(Ty::Error, Ty::Scalar)
            }
        };
        if let ast::Literal::Int(value, _) = literal {
            self.later.push(Later::Literal(*value, negated, ty.clone(), span));
        }
        let (literal, of) = (literal.clone(), ty.clone());
        Checked {
            ty,
            build: Box::new(move |s| {
                let scalar = s.finish(&of).as_scalar();
                Expr::literal(match literal {
                    ast::Literal::Bool(b) => Literal::Bool(b),
                    ast::Literal::Float(x, _) => Literal::float(x, scalar.unwrap_or(Scalar::F32)),
                    ast::Literal::Int(n, _) => Literal::int(n.into(), scalar.unwrap_or(Scalar::I32)),
                })
            }),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &'a Term, b: &'a Term, env: &Env<'a>, span: Span) -> Checked<'a> {
        let (left, right) = (a, b);
        let (a, b) = (self.infer(a, env), self.infer(b, env));
        if self.solver.unify(&a.ty, &b.ty).is_err() {
            let operand = |term: &Term, ty: &Ty| error::Operand {
                ty: self.solver.show(ty),
                text: self.provenance.text(self.program, term),
            };
            let d = error::operands(self.blame(span), op, &operand(left, &a.ty), &operand(right, &b.ty));
            let parts = [(left, &a.ty), (right, &b.ty)];
            let origins = self.provenance.origins(self.program, &parts, &self.solver);
            let d = d.note_if(origins).help_if(self.rows_of_image(&[left, right]));
            return self.fail(d);
        }
        let known = match self.solver.shallow(&a.ty) {
            Ty::Scalar(scalar) => op.accepts(scalar),
            _ => !self.is_compound(&a.ty),
        };
        if !known {
            let (shown, texts) = (self.solver.show(&a.ty), [self.text(left), self.text(right)]);
            let d = error::operator_undefined(self.blame(span), op.symbol(), &shown, &texts);
            return self.fail(match self.rows_of_image(&[left, right]) {
                Some(help) => Diagnostic { help: vec![help], ..d },
                None => d,
            });
        }
        self.later.push(Later::Binary(op, a.ty.clone(), span));
        let ty = if op.is_comparison() { Ty::Scalar(Scalar::Bool) } else { a.ty };
        let (x, y) = (a.build, b.build);
        Checked {
            ty,
            build: Box::new(move |s| {
                let x = x(s);
                Expr::binary(op, x, y(s))
            }),
        }
    }

    fn math(&mut self, f: MathFn, args: &'a [Term], env: &Env<'a>, span: Span) -> Checked<'a> {
        let terms = args;
        let args: Vec<_> = args.iter().map(|a| self.infer(a, env)).collect();
        let ty = args[0].ty.clone();
        let known = match self.solver.shallow(&ty) {
            Ty::Scalar(scalar) => f.accepts(scalar),
            _ => !self.is_compound(&ty),
        };
        if !known {
            let (shown, texts) = (self.solver.show(&ty), terms.iter().map(|term| self.text(term)));
            let d = error::operator_undefined(self.blame(span), f.name(), &shown, &texts.collect::<Vec<_>>());
            return self.fail(d);
        }
        let mut first = None;
        // All numbers of the wrong type, so that they can be changed at once.
        let mut numbers = Vec::new();
        for (i, arg) in args.iter().enumerate().skip(1) {
            let wanted = f.fixed_operand(i).map_or_else(|| ty.clone(), Ty::Scalar);
            if self.solver.unify(&wanted, &arg.ty).is_err() {
                let (w, found) = (self.solver.show(&wanted), self.solver.show(&arg.ty));
                let literal = self.number_in(&terms[i], &found);
                if found == "{integer}" {
                    numbers.extend(literal.as_ref().map(|literal| format!("{literal}.0")));
                }
                first.get_or_insert_with(|| {
                    error::argument(span, f.name(), "", &w, &found, literal.as_deref())
                });
            }
        }
        if let Some(d) = first {
            return self.fail(match numbers.as_slice() {
                [_, _, ..] => Diagnostic { help: vec![format!("write {}", list(&numbers, "and"))], ..d },
                _ => d,
            });
        }
        self.later.push(Later::Math(f, ty.clone(), span));
        let result = if f.keeps_type() {
            ty
        } else {
            // The type of the result depends on that of the receiver: a literal must decide now.
            if self.solver.class(&ty) == Some(Class::Integer) {
                let _ = self.solver.unify(&ty, &Ty::Scalar(Scalar::I32));
            }
            match self.solver.shallow(&ty) {
                Ty::Scalar(own) => Ty::Scalar(f.result(own)),
                Ty::Error => Ty::Error,
                Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Unknown(_) => {
                    Ty::Scalar(f.result(Scalar::U32))
                }
            }
        };
        Checked {
            ty: result,
            build: Box::new(move |s| Expr::math(f, args.into_iter().map(|a| (a.build)(s)).collect())),
        }
    }

    fn if_(&mut self, c: &'a Term, a: &'a Term, b: &'a Term, env: &Env<'a>, span: Span) -> Checked<'a> {
        let (condition_span, then, otherwise) = (c.span, a, b);
        let (c, a, b) = (self.infer(c, env), self.infer(a, env), self.infer(b, env));
        if self.solver.unify(&c.ty, &Ty::Scalar(Scalar::Bool)).is_err() {
            let found = self.solver.show(&c.ty);
            return self.fail(error::condition(condition_span, &found));
        }
        if self.solver.unify(&a.ty, &b.ty).is_err() {
            let (x, y) = (self.solver.show(&a.ty), self.solver.show(&b.ty));
            let literals = [(then, &x), (otherwise, &y)].map(|(term, shown)| self.number_in(term, shown));
            let of = |kind| [&x, &y].iter().position(|shown| **shown == kind);
            let literal = of("{integer}").or(of("{float}")).and_then(|arm| literals[arm].clone());
            return self.fail(error::arms(span, &x, &y, literal.as_deref()));
        }
        let (cb, ab, bb) = (c.build, a.build, b.build);
        Checked {
            ty: a.ty,
            build: Box::new(move |s| {
                let (c, a) = (cb(s), ab(s));
                Expr::if_(c, a, bb(s))
            }),
        }
    }

    fn array_literal(&mut self, elements: &'a [Term], env: &Env<'a>) -> Checked<'a> {
        let terms = elements;
        let elements: Vec<_> = elements.iter().map(|e| self.infer(e, env)).collect();
        for (element, term) in elements.iter().zip(terms).skip(1) {
            if self.solver.unify(&elements[0].ty, &element.ty).is_err() {
                let (a, b) = (self.solver.show(&elements[0].ty), self.solver.show(&element.ty));
                let literal = self.number_in(term, &b);
                return self.fail(error::elements_differ(term.span, &a, &b, literal.as_deref()));
            }
        }
        let ty = Ty::Array(elements[0].ty.clone().into(), ArithExpr::cst(elements.len() as i64));
        Checked {
            ty,
            build: Box::new(move |s| {
                Expr::array_literal(elements.into_iter().map(|e| (e.build)(s)).collect())
            }),
        }
    }

    fn let_(&mut self, pattern: &'a Pattern, value: &'a Term, body: &'a Term, env: &Env<'a>) -> Checked<'a> {
        if let PatternKind::Bind(binder) = &pattern.kind {
            self.provenance.lets.insert(binder.id, value);
        }
        let checked = self.infer(value, env);
        let mut inner = env.clone();
        let bound = self.bind_value(pattern, &checked.ty, Some(value), &mut inner);
        let body = self.infer(body, &inner);
        Checked { ty: body.ty, build: bound.build_let(checked.build, body.build) }
    }

    /// Whether a type is known to be none of a scalar.
    fn is_compound(&self, ty: &Ty) -> bool {
        matches!(self.solver.shallow(ty), Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_))
            && !self.solver.is_wrong(ty)
            && !self.solver.is_ambiguous(ty)
    }

    /// Binds a pattern to a value of type `ty`.
    pub(super) fn bind(&mut self, pattern: &'a Pattern, ty: &Ty, env: &mut Env<'a>) -> Bound {
        self.bind_value(pattern, ty, None, env)
    }

    /// The same, where the value is a term.
    fn bind_value(
        &mut self,
        pattern: &'a Pattern,
        ty: &Ty,
        value: Option<&Term>,
        env: &mut Env<'a>,
    ) -> Bound {
        let mut ty = ty;
        self.bound.push((pattern.span, ty.clone()));
        let wanted = pattern.ty.as_ref().map(|annotation| self.ty(annotation, env, true));
        if let Some(wanted) = &wanted
            && self.solver.unify(wanted, ty).is_err()
        {
            let (w, f) = (self.solver.show(wanted), self.solver.show(ty));
            let literal = value.and_then(|value| self.number_in(value, &f));
            self.diags.push(error::annotation(pattern.span, &w, &f, literal.as_deref()));
            // What follows is about what the user says it is.
            self.poisoned = true;
            ty = wanted;
        }
        match &pattern.kind {
            PatternKind::Wild => Bound { name: "_".into(), ty: ty.clone(), parts: Parts::None },
            PatternKind::Bind(binder) => {
                let slot = Slot::default();
                self.provenance.names.insert(binder.id, binder.name.clone());
                env.bind(binder.id, Binding::Data(ty.clone(), slot.clone()));
                Bound { name: binder.name.clone(), ty: ty.clone(), parts: Parts::Whole(slot) }
            }
            PatternKind::Struct(index, patterns) => {
                let Some(found) = self.struct_at(*index) else {
                    // Its mistake was reported; the names in it are worth nothing.
                    self.poisoned = true;
                    patterns.iter().for_each(|p| drop(self.bind(p, &Ty::Error, env)));
                    return Bound { name: "_".into(), ty: Ty::Error, parts: Parts::None };
                };
                if self.solver.unify(&Ty::Struct(found.clone()), ty).is_err() {
                    let shown = self.solver.show(ty);
                    self.diags.push(error::pattern(self.blame(pattern.span), &found.name, &shown, None));
                }
                let fields = found.fields.iter();
                let parts: Vec<Bound> =
                    patterns.iter().zip(fields).map(|(p, (_, t))| self.bind(p, t, env)).collect();
                Bound { name: found.name.to_lowercase(), ty: ty.clone(), parts: Parts::Tuple(parts) }
            }
            PatternKind::Array(patterns) => {
                let element = self.solver.unknown(Class::Any);
                let len = ArithExpr::cst(patterns.len() as i64);
                if self.solver.unify(ty, &Ty::Array(element.clone().into(), len)).is_err() {
                    let shown = self.solver.show(ty);
                    let text = format!("of {}", crate::text::count(patterns.len(), "element"));
                    self.diags.push(error::pattern(self.blame(pattern.span), &text, &shown, None));
                }
                let parts: Vec<Bound> = patterns.iter().map(|p| self.bind(p, &element, env)).collect();
                let name: Vec<&str> = parts.iter().map(|p| p.name.as_str()).collect();
                Bound { name: name.join("_"), ty: ty.clone(), parts: Parts::Array(parts) }
            }
            PatternKind::Tuple(patterns) => {
                let unknowns: Vec<Ty> = patterns.iter().map(|_| self.solver.unknown(Class::Any)).collect();
                if self.solver.unify(ty, &Ty::Tuple(unknowns.clone().into())).is_err() {
                    let shown = self.solver.show(ty);
                    let text = format!("of {} parts", patterns.len());
                    let instead = self.tuple_pattern(patterns, ty);
                    self.diags.push(error::pattern(self.blame(pattern.span), &text, &shown, instead));
                }
                let parts: Vec<Bound> =
                    patterns.iter().zip(&unknowns).map(|(p, t)| self.bind(p, t, env)).collect();
                let name: Vec<&str> = parts.iter().map(|p| p.name.as_str()).collect();
                Bound { name: name.join("_"), ty: ty.clone(), parts: Parts::Tuple(parts) }
            }
        }
    }
}

impl Inferer<'_, '_> {
    /// The types of patterns, as far as they are known.
    pub(super) fn patterns(&self) -> impl Iterator<Item = PatternType> {
        let solver = &self.solver;
        let is_known = |ty: &Ty| {
            let mut free = Vec::new();
            solver.free_sizes(ty, &mut free);
            free.is_empty() && !solver.is_wrong(ty) && !solver.is_ambiguous(ty)
        };
        let known = self.bound.iter().filter(move |(_, ty)| is_known(ty));
        known.map(|(span, ty)| PatternType { span: *span, ty: solver.written(ty) })
    }

    /// A pattern with the user's names that takes a tuple of this type apart.
    pub(super) fn tuple_pattern(&self, patterns: &[Pattern], ty: &Ty) -> Option<String> {
        let Ty::Tuple(parts) = self.solver.shallow(ty) else { return None };
        let name = |pattern: Option<&Pattern>| match pattern.map(|pattern| &pattern.kind) {
            Some(PatternKind::Bind(binder)) => binder.name.clone(),
            _ => "_".to_string(),
        };
        let names: Vec<String> = (0..parts.len()).map(|i| name(patterns.get(i))).collect();
        Some(format!("({})", names.join(", ")))
    }
}

/// A pattern whose variables wait for their value.
pub(super) struct Bound {
    /// A name for the whole.
    pub(super) name: String,
    /// The type of the whole.
    pub(super) ty: Ty,
    parts: Parts,
}

enum Parts {
    None,
    Whole(Slot),
    Tuple(Vec<Bound>),
    Array(Vec<Bound>),
}

impl Bound {
    /// A pattern of several parts.
    pub(super) fn tuple(parts: Vec<Bound>) -> Bound {
        let name: Vec<&str> = parts.iter().map(|p| p.name.as_str()).collect();
        let ty = Ty::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
        Bound { name: name.join("_"), ty, parts: Parts::Tuple(parts) }
    }

    /// Makes the variable that the pattern destructures.
    pub(super) fn make_param(&self, solver: &Solver) -> Param {
        let param = Param::new(&self.name, solver.finish(&self.ty));
        self.assign(&Expr::param(&param));
        param
    }

    fn assign(&self, value: &Expr) {
        match &self.parts {
            Parts::None => {}
            Parts::Whole(slot) => slot.set(value.clone()),
            Parts::Tuple(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    part.assign(&Expr::field(value.clone(), i));
                }
            }
            Parts::Array(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    let i = Expr::size(ArithExpr::cst(i as i64));
                    part.assign(&Expr::prim(Prim::At, vec![ir::Arg::Data(i), ir::Arg::Data(value.clone())]));
                }
            }
        }
    }

    /// `let self = value; body`; without a variable of its own if the value is one already.
    pub(super) fn build_let<'a>(self, value: Build<'a>, body: Build<'a>) -> Build<'a> {
        Box::new(move |s| self.bind_to(&value(s), Box::new(move || body(s))))
    }

    /// The same for a value that is there. Of a tuple that is written out, each part is bound by itself, so that what is
    /// known of it, such as the range of an index, stays known.
    fn bind_to<'b>(&self, value: &Expr, body: Box<dyn FnOnce() -> Expr + 'b>) -> Expr {
        match (&self.parts, value.kind()) {
            (_, ir::Kind::Param(_)) => {
                self.assign(value);
                body()
            }
            (Parts::Tuple(parts), ir::Kind::Tuple(values)) if parts.len() == values.len() => {
                bind_all(parts.iter().zip(values.iter()).collect(), body)
            }
            _ => {
                let param = Param::new(&self.name, value.ty().clone());
                self.assign(&Expr::param(&param));
                Expr::let_(param, value.clone(), body())
            }
        }
    }
}

/// `let part = value; … body`, the first outermost.
fn bind_all<'b>(parts: Vec<(&'b Bound, &'b Expr)>, body: Box<dyn FnOnce() -> Expr + 'b>) -> Expr {
    let all = parts.into_iter().rev().fold(body, |body, (part, value)| {
        Box::new(move || part.bind_to(value, body)) as Box<dyn FnOnce() -> Expr + 'b>
    });
    all()
}

fn size_value<'a>(size: ArithExpr) -> Checked<'a> {
    Checked { ty: Ty::Scalar(Scalar::Usize), build: Box::new(move |s| Expr::size(s.simplified(&size))) }
}
