//! Arguments: what stands in the parentheses becomes data, a closure, a size or a boundary, as the
//! parameter wants it.

use super::apply::{Given, Lets, wrap_term};
use super::fun::{Callee, Fun, FunKind, Item, Kind, Slot, describe_slots};
use super::name::Use;
use super::scope::Entry;
use super::{Node, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{BinaryOp, Fold, UnaryOp};
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind, Literal, SizeExpr, SizeKind, SizeOp};
use crate::syntax::error_name as error;
use crate::syntax::parse_type::size_function;
use crate::syntax::term::{Arg, Boundary, Closure, Term, TermKind};

impl Resolver {
    /// One argument. `None`: it is wrong in itself, and reported. `Err`: it is of the wrong kind.
    pub(super) fn argument(
        &mut self,
        callee: &Callee,
        slot: &Slot,
        slots: &[Slot],
        given: Given<'_>,
        lets: &mut Lets,
    ) -> Result<Option<Arg>, Box<Diagnostic>> {
        let span = given.span();
        let wrong = |this: &Self, found: &str| {
            let name = this.callee_name(callee);
            let mut forms = error::form(&name, slots);
            if let [rest @ .., last] = slots
                && !rest.is_empty()
            {
                forms += &format!(" or {}", error::form(&format!("{}.{name}", last.name), rest));
            }
            Err(Box::new(error::wrong_kind(span, &name, slot, describe_slots(slots), forms, found)))
        };
        match slot.kind {
            Kind::Size => Ok(match given {
                Given::Source(Expr { kind: ExprKind::Name(name), .. }) if self.names_boundary(name) => {
                    return wrong(self, "a boundary");
                }
                Given::Source(Expr { kind: ExprKind::Closure(..), .. }) => return wrong(self, "a function"),
                Given::Source(expr) => self.size(expr).map(Arg::Size),
                Given::Done(Term { kind: TermKind::Size(size), .. }) => Some(Arg::Size(size)),
                Given::Done(Term { kind: TermKind::Error, .. }) => None,
                Given::Done(_) => return wrong(self, "a value"),
            }),
            Kind::Boundary => match given {
                Given::Source(expr) => {
                    Ok(self.boundary(expr, lets).map(|boundary| Arg::Boundary(boundary, span)))
                }
                Given::Done(Term { kind: TermKind::Error, .. }) => Ok(None),
                Given::Done(_) => wrong(self, "a value"),
            },
            Kind::Function(arity) => {
                let item = match given {
                    Given::Source(expr) => match &expr.kind {
                        ExprKind::Name(name) => self.name(name, span, Use::Function),
                        ExprKind::Binary(BinaryOp::BitOr, left, _) => match &left.kind {
                            ExprKind::Name(name) if self.means_nothing(name) => {
                                self.report(error::missing_bar(span, name));
                                return Ok(None);
                            }
                            _ => self.item(expr),
                        },
                        _ => self.item(expr),
                    },
                    Given::Done(term) => Item::Value(term),
                };
                match item {
                    Item::Value(Term { kind: TermKind::Error, .. }) => Ok(None),
                    Item::Value(_) => wrong(self, "a value"),
                    Item::Fun(fun) => Ok(self.closure(fun, Some(arity), lets).map(Arg::Function)),
                }
            }
            Kind::Array | Kind::Value => {
                let item = match given {
                    Given::Source(expr) => self.item(expr),
                    Given::Done(term) => Item::Value(term),
                };
                match item {
                    Item::Value(Term { kind: TermKind::Error, .. }) if slot.kind == Kind::Value => Ok(None),
                    Item::Value(term) => Ok(Some(Arg::Data(term))),
                    Item::Fun(_) => wrong(self, "a function"),
                }
            }
        }
    }

    /// Whether a name is that of a boundary, and of nothing else.
    fn names_boundary(&mut self, name: &str) -> bool {
        matches!(self.scope.find(name), Some(Entry::Boundary(_)))
            || matches!(name, "clamp" | "mirror" | "reflect" | "wrap" | "constant")
                && self.known_size(name, Span::default()).is_none()
    }

    /// Whether a name is defined nowhere.
    fn means_nothing(&self, name: &str) -> bool {
        self.scope.find(name).is_none()
            && !self.sizes.contains(name)
            && !self.consts.contains_key(name)
            && !self.broken.contains(name)
            && self.find_callee(name).is_none()
    }

    /// A function as an argument, or (`arity` is `None`) as a kernel. `None`: wrong, and reported.
    pub(super) fn closure(&mut self, fun: Fun, arity: Option<usize>, lets: &mut Lets) -> Option<Closure> {
        let span = fun.span;
        match fun.kind {
            FunKind::Lets(inner_lets, inner) => {
                lets.extend(inner_lets);
                self.closure(*inner, arity, lets)
            }
            FunKind::Closure(params, body) => match *body {
                Item::Value(body) => Some(Closure { params, body: Box::new(body), span }),
                // `|a| |b| e` has two parameters.
                Item::Fun(inner) => {
                    let rest = arity.map(|arity| arity.saturating_sub(params.len()));
                    if rest == Some(0) {
                        self.function_as_value(&inner, inner.span);
                        return None;
                    }
                    let mut own = Lets::new();
                    let inner = self.closure(inner, rest, &mut own)?;
                    let params = params.into_iter().chain(inner.params).collect();
                    Some(Closure { params, body: Box::new(wrap_term(own, *inner.body)), span })
                }
            },
            FunKind::Compose(outer, inner) => {
                let inner = self.closure(*inner, arity, lets)?;
                self.composed.push(outer.span);
                let value = vec![Given::Done(*inner.body)];
                match self.apply(*outer, value, super::apply::Form::Composed, span) {
                    Item::Value(body) => Some(Closure { params: inner.params, body: Box::new(body), span }),
                    Item::Fun(fun) => {
                        self.function_as_value(&fun, span);
                        None
                    }
                }
            }
            FunKind::Named(callee, args) => {
                let wanted = arity.and_then(|arity| {
                    self.forms(&callee, args.len() + arity)
                        .into_iter()
                        .find(|slots| slots.len() == args.len() + arity)
                });
                let missing = match wanted {
                    Some(slots) => slots[args.len()..].to_vec(),
                    None => self.missing(&Fun { kind: FunKind::Named(callee.clone(), args.clone()), span }),
                };
                if missing.is_empty() || missing.iter().any(|slot| !slot.kind.is_data()) {
                    self.function_as_value(&Fun { kind: FunKind::Named(callee, args), span }, span);
                    return None;
                }
                let (mut params, mut all) = (Vec::new(), args);
                for slot in &missing {
                    let (pattern, term) = self.fresh(&slot.name, span);
                    params.push(pattern);
                    all.push(Arg::Data(term));
                }
                let body = Box::new(self.saturate(&callee, all, span));
                Some(Closure { params, body, span })
            }
        }
    }

    /// A size. `None`: wrong, and reported.
    pub(super) fn size(&mut self, expr: &Expr) -> Option<SizeExpr> {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Error => return None,
            ExprKind::Literal(Literal::Int(value, suffix))
                if suffix.as_deref().is_none_or(|suffix| suffix == "usize") && *value <= i32::MAX as u64 =>
            {
                SizeKind::Const(*value as i64)
            }
            ExprKind::Literal(Literal::Int(..)) => {
                return self.fault(None, error::size_literal(span));
            }
            ExprKind::Name(name) => match self.known_size(name, span) {
                Some(true) if matches!(self.scope.find(name), Some(Entry::Broken)) => return None,
                Some(true) => SizeKind::Name(name.clone()),
                Some(false) => return self.not_a_size(span, Some(name)),
                None => {
                    if self.is_function_name(name) {
                        return self.not_a_size(span, Some(name));
                    }
                    self.unknown_size(name, span);
                    return None;
                }
            },
            ExprKind::Binary(op, left, right) => {
                let op = match op {
                    BinaryOp::Add => SizeOp::Add,
                    BinaryOp::Sub => SizeOp::Sub,
                    BinaryOp::Mul => SizeOp::Mul,
                    BinaryOp::Div => SizeOp::Div,
                    BinaryOp::Rem => SizeOp::Mod,
                    _ => return self.not_a_size(span, None),
                };
                self.size_pair(op, left, right)?
            }
            ExprKind::Call(function, args) => match (&function.kind, args.as_slice()) {
                (ExprKind::Name(name), [left, right]) => match size_function(name) {
                    Some(op) => self.size_pair(op, left, right)?,
                    None => return self.not_a_size(span, None),
                },
                _ => return self.not_a_size(span, None),
            },
            ExprKind::Dot(left, name, Some(args)) => match (size_function(&name.name), args.as_slice()) {
                (Some(op), [right]) => self.size_pair(op, left, right)?,
                _ => return self.not_a_size(span, None),
            },
            ExprKind::Unary(UnaryOp::Neg, _) => {
                return self.fault(None, error::negative_size(span));
            }
            // Nothing else is one.
            _ => return self.not_a_size(span, None),
        };
        Some(SizeExpr { kind, span })
    }

    fn size_pair(&mut self, op: SizeOp, left: &Expr, right: &Expr) -> Option<SizeKind> {
        if !self.enter(left.span) {
            return None;
        }
        let (left, right) = (self.size(left), self.size(right));
        self.leave();
        Some(SizeKind::Binary(op, Box::new(left?), Box::new(right?)))
    }

    fn not_a_size<T>(&mut self, span: Span, name: Option<&str>) -> Option<T> {
        let parameter = name.is_some_and(|name| {
            matches!(self.scope.find(name), Some(Entry::Data(_))) && self.is_parameter(name)
        });
        let origin = match (parameter, self.within_kernel) {
            (true, true) => error::NoSize::KernelParameter,
            (true, false) => error::NoSize::HelperParameter,
            (false, _) => error::NoSize::Other,
        };
        let fault = error::not_a_constant_size(span, name, origin);
        match name {
            Some(_) => self.report_once(fault),
            None => self.report(fault),
        }
        None
    }

    /// Whether the function at hand has a parameter of that name.
    fn is_parameter(&self, name: &str) -> bool {
        match self.current {
            Some(Node::Function(current)) => {
                self.signatures[current].slots.iter().any(|slot| slot.name == name)
            }
            Some(Node::Const(_)) => false,
            // The parameters of the expression form are those of closures.
            None => true,
        }
    }

    /// A boundary. `None`: wrong, and reported.
    fn boundary(&mut self, expr: &Expr, lets: &mut Lets) -> Option<Boundary> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Error => None,
            ExprKind::Name(name) => match (self.scope.find(name), name.as_str()) {
                (Some(Entry::Boundary(id)), _) => {
                    self.used.insert(id);
                    Some(Boundary::Local(id))
                }
                (_, name) if Fold::from_name(name).is_some() => Fold::from_name(name).map(Boundary::Fold),
                (_, "constant") => self.fault(None, error::constant_boundary(span)),
                (None, "negated") => self.fault(None, error::negated_boundary(span)),
                (Some(Entry::Broken), _) => None,
                (Some(Entry::Function(..) | Entry::Let(_)), _) => {
                    self.boundary_function(expr, lets).map(Boundary::Index)
                }
                _ if self.is_function_name(name) => self.boundary_function(expr, lets).map(Boundary::Index),
                _ => self.fault(None, error::not_a_boundary(span, Some(name))),
            },
            ExprKind::Call(function, args) => match &function.kind {
                ExprKind::Name(name) if name == "constant" => match args.as_slice() {
                    [value] => {
                        let value = self.value(value);
                        let right = !matches!(value.kind, TermKind::Error);
                        right.then(|| Boundary::Constant(Box::new(value)))
                    }
                    _ => self.fault(None, error::constant_boundary(span)),
                },
                ExprKind::Name(name) if name == "value" => match args.as_slice() {
                    [function] => self.boundary_function(function, lets).map(Boundary::Value),
                    _ => self.fault(None, error::value_boundary(span)),
                },
                ExprKind::Name(name) if name == "negated" => match args.as_slice() {
                    [Expr { kind: ExprKind::Name(name), .. }] if Fold::from_name(name).is_some() => {
                        Fold::from_name(name).map(Boundary::Negated)
                    }
                    _ => self.fault(None, error::negated_boundary(span)),
                },
                _ => self.fault(None, error::not_a_boundary(span, None)),
            },
            ExprKind::Closure(..) => self.boundary_function(expr, lets).map(Boundary::Index),
            ExprKind::Literal(_) | ExprKind::Unary(..) => self.fault(None, error::number_boundary(span)),
            _ => self.fault(None, error::not_a_boundary(span, None)),
        }
    }

    /// A function of an index and the length. `None`: wrong, and reported.
    fn boundary_function(&mut self, expr: &Expr, lets: &mut Lets) -> Option<Closure> {
        match self.item(expr) {
            Item::Value(Term { kind: TermKind::Error, .. }) => None,
            Item::Value(_) => self.fault(None, error::value_boundary(expr.span)),
            Item::Fun(fun) => self.closure(fun, Some(2), lets),
        }
    }
}
