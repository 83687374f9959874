//! Expressions: each is a value or a function, which can be told without types.

use std::rc::Rc;

use super::Resolver;
use super::apply::{Form, Given, Lets, wrap};
use super::elsewhere::{self, Wrote};
use super::fun::{Fun, FunKind, Item};
use super::name::Use;
use super::scope::Entry;
use crate::ir::prim::Prim;
use crate::span::Span;
use crate::syntax::ast::{self, Expr, ExprKind, Ident};
use crate::syntax::error_name as error;
use crate::syntax::error_update;
use crate::syntax::term::{Arg, Term, TermKind};

impl Resolver {
    /// What an expression means.
    pub(super) fn item(&mut self, expr: &Expr) -> Item {
        if !self.enter(expr.span) {
            return Item::error(expr.span);
        }
        let item = self.item_inner(expr);
        self.leave();
        item
    }

    /// An expression that must be a value.
    pub(super) fn value(&mut self, expr: &Expr) -> Term {
        match self.item(expr) {
            Item::Value(term) => term,
            Item::Fun(fun) => {
                self.function_as_value(&fun, expr.span);
                Term::error(expr.span)
            }
        }
    }

    /// The parts of an array or tuple. Functions are refused once for all of them.
    fn parts(&mut self, list: &[Expr], array: bool) -> Vec<Term> {
        let mut told = false;
        let mut part = |expr: &Expr| match self.item(expr) {
            Item::Value(term) => term,
            Item::Fun(fun) => {
                if self.missing(&fun).iter().any(|slot| !slot.kind.is_data()) {
                    self.function_as_value(&fun, expr.span);
                } else if !std::mem::replace(&mut told, true) {
                    self.report(error::stored_function(expr.span, array));
                }
                Term::error(expr.span)
            }
        };
        list.iter().map(&mut part).collect()
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Term> {
        Box::new(self.value(expr))
    }

    /// Reports a function where a value is needed.
    pub(super) fn function_as_value(&mut self, fun: &Fun, span: Span) {
        let missing = self.missing(fun);
        let diagnostic = match &fun.kind {
            FunKind::Named(callee, args) if missing.iter().any(|slot| !slot.kind.is_data()) => {
                let (name, forms) = (self.callee_name(callee), self.forms(callee, 0));
                error::too_few(fun.span, &name, &forms, args.len(), error::Other::None, None, None)
            }
            FunKind::Named(callee, args) => {
                let form =
                    self.forms(callee, args.len() + 1).into_iter().find(|slots| slots.len() > args.len());
                let all = form.unwrap_or_default();
                error::function_as_value(span, Some(&self.callee_name(callee)), &all, &missing)
            }
            FunKind::Closure(..) | FunKind::Compose(..) | FunKind::Lets(..) => {
                error::function_as_value(span, None, &[], &missing)
            }
        };
        self.report(diagnostic);
    }

    fn item_inner(&mut self, expr: &Expr) -> Item {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Error => TermKind::Error,
            ExprKind::Name(name) => return self.name(name, span, Use::Value),
            ExprKind::Literal(literal) => TermKind::Literal(literal.clone()),
            ExprKind::Unary(op, inner) => TermKind::Unary(*op, self.boxed(inner)),
            ExprKind::Binary(op, left, right) => TermKind::Binary(*op, self.boxed(left), self.boxed(right)),
            ExprKind::Apply(function, argument) => return self.apply_to(function, argument, span),
            ExprKind::Call(function, args) => return self.call_expr(function, args, span),
            ExprKind::Dot(left, name, args) => return self.dot(left, name, args.as_deref(), span),
            ExprKind::Field(base, index) => TermKind::Field(self.boxed(base), *index),
            ExprKind::Index(base, index) => {
                if let ExprKind::Dot(_, name, None) = &base.kind
                    && self.is_function_name(&name.name)
                {
                    return self.fault(Item::error(span), error::brackets_of_call(name.span, &name.name));
                }
                let (index, base) = (self.value(index), self.value(base));
                if matches!(base.kind, TermKind::Error) {
                    return Item::error(span);
                }
                TermKind::Prim(Prim::At, vec![Arg::Data(index), Arg::Data(base)])
            }
            ExprKind::Closure(params, body) => return self.closure_expr(params, body, span),
            ExprKind::Block(lets, result) => return self.block_expr(lets, result),
            ExprKind::Updates(statements, _) => {
                for statement in statements {
                    if let ast::Statement::Update(update) = statement {
                        self.report(error_update::update_inside(update.span));
                    }
                }
                TermKind::Error
            }
            ExprKind::If(condition, then, otherwise) => {
                TermKind::If(self.boxed(condition), self.boxed(then), self.boxed(otherwise))
            }
            ExprKind::Cast(inner, ty) => {
                let ty = self.ty(ty);
                TermKind::Cast(self.boxed(inner), ty)
            }
            ExprKind::Tuple(parts) => TermKind::Tuple(self.parts(parts, false)),
            ExprKind::Struct(name, fields) => self.struct_value(name, fields, span),
            ExprKind::ArrayLiteral(parts) => TermKind::ArrayLiteral(self.parts(parts, true)),
        };
        Item::Value(Term { kind, span })
    }

    /// `f << x`
    fn apply_to(&mut self, function: &Expr, argument: &Expr, span: Span) -> Item {
        match self.item(function) {
            Item::Fun(fun) => self.apply(fun, vec![Given::Source(argument)], Form::Call, span),
            Item::Value(term) => {
                if !matches!(term.kind, TermKind::Error) {
                    self.report(error::shift(span));
                }
                Item::error(span)
            }
        }
    }

    /// `f(a, b)`
    fn call_expr(&mut self, function: &Expr, args: &[Expr], span: Span) -> Item {
        let item = match &function.kind {
            ExprKind::Name(name) => {
                let data = |name: &String| matches!(self.scope.find(name), Some(Entry::Data(_)));
                let mut arrays: Vec<String> = args.iter().filter_map(plain_name).filter(data).collect();
                let owner = if arrays.len() == 1 { arrays.pop() } else { None };
                let args = args.iter().map(plain_word).collect();
                self.wrote = Wrote { owner, is_method: false, args };
                self.name(name, function.span, Use::Function)
            }
            _ => self.item(function),
        };
        match item {
            Item::Fun(fun) => {
                let given = args.iter().map(Given::Source).collect();
                self.apply(fun, given, Form::Call, span)
            }
            Item::Value(term) => {
                if !matches!(term.kind, TermKind::Error) {
                    let name = match &function.kind {
                        ExprKind::Name(name) => Some(name.as_str()),
                        _ => None,
                    };
                    self.report(error::not_a_function(function.span, name));
                }
                Item::error(span)
            }
        }
    }

    /// `x.f(a)` applies, `g.f(a)` composes.
    fn dot(&mut self, left: &Expr, name: &Ident, args: Option<&[Expr]>, span: Span) -> Item {
        let outer = match self.item(left) {
            Item::Value(Term { kind: TermKind::Error, .. }) => return Item::error(span),
            Item::Value(receiver) => {
                let words = args.unwrap_or_default().iter().map(plain_word).collect();
                self.wrote = Wrote { owner: plain_name(left), is_method: true, args: words };
                return self.method(receiver, name, args, span);
            }
            Item::Fun(fun) => fun,
        };
        let words = args.unwrap_or_default().iter().map(plain_word).collect();
        self.wrote = Wrote { args: words, ..Wrote::default() };
        let inner = match (self.name(&name.name, name.span, Use::Function), args) {
            (Item::Fun(fun), Some(args)) if !args.is_empty() => {
                let given = args.iter().map(Given::Source).collect();
                self.apply(fun, given, Form::Call, span)
            }
            (item, _) => item,
        };
        match inner {
            Item::Value(Term { kind: TermKind::Error, .. }) => Item::error(span),
            // `map(mul) . zip(a, b)`: the right side is complete.
            Item::Value(value) => {
                self.composed.push(outer.span);
                self.apply(outer, vec![Given::Done(value)], Form::Composed, span)
            }
            Item::Fun(inner) => {
                let missing = self.missing(&inner);
                let complete = match &inner.kind {
                    // `f . slide2d(17)`: more than the array is missing.
                    FunKind::Named(_, args) => {
                        missing.iter().all(|slot| slot.kind.is_data())
                            && (missing.len() <= 1 || args.is_empty())
                    }
                    FunKind::Closure(..) | FunKind::Compose(..) | FunKind::Lets(..) => true,
                };
                if !complete {
                    self.incomplete(&inner);
                    return Item::error(span);
                }
                let kind = FunKind::Compose(Box::new(outer), Box::new(inner));
                Item::Fun(Fun { kind, span })
            }
        }
    }

    fn incomplete(&mut self, fun: &Fun) {
        if let FunKind::Named(callee, args) = &fun.kind {
            let (name, forms) = (self.callee_name(callee), self.forms(callee, 0));
            self.report(error::too_few(fun.span, &name, &forms, args.len(), error::Other::Last, None, None));
        }
    }

    fn method(&mut self, receiver: Term, name: &Ident, args: Option<&[Expr]>, span: Span) -> Item {
        if args.is_none()
            && let Some(kind) = self.field(receiver.clone(), name)
        {
            return Item::Value(Term { kind, span });
        }
        if args.is_none() && !self.is_function_name(&name.name) && !self.broken.contains(&name.name) {
            let wrote = std::mem::take(&mut self.wrote);
            let help = elsewhere::proposal(elsewhere::FUNCTIONS, &name.name, &wrote);
            self.report(error::no_field(name.span, &name.name, wrote.owner.as_deref(), help));
            return Item::error(span);
        }
        if let Some(help) = elsewhere::proposal(elsewhere::IDLE, &name.name, &Wrote::default())
            && !self.is_function_name(&name.name)
        {
            // Without it, the rest means what it says.
            self.report(error::rust_name(name.span, &name.name, &help));
            return Item::Value(receiver);
        }
        let fun = match self.name(&name.name, name.span, Use::Method) {
            Item::Fun(fun) => fun,
            Item::Value(Term { kind: TermKind::Error, .. }) => return Item::error(span),
            Item::Value(_) => {
                return self.fault(Item::error(span), error::not_a_function(name.span, Some(&name.name)));
            }
        };
        let Some(args) = args else {
            return self.fault(Item::error(span), error::method_without_parentheses(name.span, &name.name));
        };
        let mut given: Vec<Given<'_>> = args.iter().map(Given::Source).collect();
        let first = matches!(&fun.kind, FunKind::Named(callee, args) if args.is_empty() && self.receiver_first(callee));
        if first {
            given.insert(0, Given::Done(receiver));
        } else {
            given.push(Given::Done(receiver));
        }
        self.apply(fun, given, Form::Method, span)
    }

    fn closure_expr(&mut self, params: &[ast::Pattern], body: &Expr, span: Span) -> Item {
        let mark = self.scope.open();
        let patterns: Vec<&ast::Pattern> = params.iter().collect();
        let params = self.bind_patterns(&patterns);
        let body = match body.kind {
            ExprKind::Error => Item::error(body.span),
            _ => self.item(body),
        };
        self.scope.close(mark);
        if params.is_empty() {
            // `|| e` is `e`.
            self.report(error::closure_without_parameters(span));
            return body;
        }
        Item::Fun(Fun { kind: FunKind::Closure(params, Box::new(body)), span })
    }

    fn block_expr(&mut self, statements: &[ast::Let], result: &Expr) -> Item {
        let mark = self.scope.open();
        let mut lets = Lets::new();
        for statement in statements {
            self.let_statement(statement, &mut lets);
        }
        let item = self.item(result);
        self.scope.close(mark);
        wrap(lets, item)
    }

    /// `let p = e;`
    pub(super) fn let_statement(&mut self, statement: &ast::Let, lets: &mut Lets) {
        match self.item(&statement.value) {
            Item::Value(term) if is_wrong(&term) => self.bind_broken(&statement.pattern),
            Item::Value(value) => {
                let pattern = self.bind_patterns(&[&statement.pattern]).pop();
                lets.extend(pattern.map(|pattern| (pattern, value)));
            }
            Item::Fun(fun) => self.bind_function(&statement.pattern, fun, lets),
        }
    }

    /// `let f = …` where the value is a function: it is substituted where it is used.
    fn bind_function(&mut self, pattern: &ast::Pattern, fun: Fun, lets: &mut Lets) {
        let fun = self.share(fun, lets);
        match &pattern.kind {
            ast::PatternKind::Name(name) => self.scope.push(name.clone(), Entry::Let(Rc::new(fun))),
            ast::PatternKind::Wild => {}
            ast::PatternKind::Tuple(_) | ast::PatternKind::Array(_) | ast::PatternKind::Struct(..) => {
                let missing = self.missing(&fun);
                self.report(error::function_as_value(fun.span, None, &[], &missing));
                self.bind_broken(pattern);
            }
        }
    }

    /// Binds what a function bound by `let` has computed already, so that it is computed once.
    fn share(&mut self, fun: Fun, lets: &mut Lets) -> Fun {
        let span = fun.span;
        match fun.kind {
            FunKind::Lets(inner_lets, inner) => {
                lets.extend(inner_lets);
                self.share(*inner, lets)
            }
            FunKind::Named(callee, args) => {
                let slots =
                    self.forms(&callee, args.len() + 1).into_iter().find(|slots| slots.len() > args.len());
                let slots = slots.unwrap_or_default();
                let args = args.into_iter().enumerate().map(|(i, arg)| match arg {
                    Arg::Data(term) if !is_trivial(&term) => {
                        let name = slots.get(i).map_or("x", |slot| slot.name.as_str());
                        let (pattern, local) = self.fresh(name, term.span);
                        lets.push((pattern, term));
                        Arg::Data(local)
                    }
                    arg => arg,
                });
                let kind = FunKind::Named(callee, args.collect());
                Fun { kind, span }
            }
            FunKind::Compose(outer, inner) => {
                let outer = Box::new(self.share(*outer, lets));
                let inner = Box::new(self.share(*inner, lets));
                Fun { kind: FunKind::Compose(outer, inner), span }
            }
            kind @ FunKind::Closure(..) => Fun { kind, span },
        }
    }

    /// Whether a name stands for a function.
    pub(super) fn is_function_name(&self, name: &str) -> bool {
        matches!(self.scope.find(name), Some(Entry::Function(..) | Entry::Let(_)))
            || self.find_callee(name).is_some()
    }
}

/// Whether a mistake in a term was reported that leaves nothing of it, or not all of its parts.
fn is_wrong(term: &Term) -> bool {
    match &term.kind {
        TermKind::Error => true,
        TermKind::Tuple(parts) | TermKind::ArrayLiteral(parts) => parts.iter().any(is_wrong),
        _ => false,
    }
}

/// The name that an expression is.
fn plain_name(expr: &Expr) -> Option<String> {
    if let ExprKind::Name(name) = &expr.kind { Some(name.clone()) } else { None }
}

/// A name or a number.
fn plain_word(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Literal(literal) => Some(literal.to_string()),
        _ => plain_name(expr),
    }
}

/// Whether a term costs nothing to repeat.
fn is_trivial(term: &Term) -> bool {
    match &term.kind {
        TermKind::Local(_)
        | TermKind::Literal(_)
        | TermKind::Size(_)
        | TermKind::Const(_)
        | TermKind::Error => true,
        TermKind::Field(inner, _) | TermKind::Named(inner, _) | TermKind::Unary(_, inner) => {
            is_trivial(inner)
        }
        _ => false,
    }
}
