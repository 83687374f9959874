//! Smart constructors: the only way to make an [`Expr`]. Each computes the type of what it makes.
//!
//! An ill-typed request is a bug of the compiler, not of the user: user errors are found by `typecheck`.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arith::ArithExpr;
use crate::budget;
use crate::bug;
use crate::ir::boundary::Boundary;
use crate::ir::expr::{Arg, Expr, Kind, Lambda, Node, Param};
use crate::ir::place::{Memory, Order, Place};
use crate::ir::prim::Prim;
use crate::ir::scalar::{BinaryOp, Literal, MathFn, Scalar, UnaryOp};
use crate::ir::scheme::{SchemeParam, SchemeSize, SchemeType, scheme};
use crate::ir::types::Type;
use crate::span::Span;

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

/// Starts numbering afresh, so that the same input always gives the same output.
pub fn reset_ids() {
    NEXT.with(|next| next.set(0));
}

/// An identity that no parameter and no arithmetic variable has yet.
pub fn fresh_id() -> u32 {
    NEXT.with(|next| next.replace(next.get() + 1))
}

/// The number that the next variable gets.
pub(in crate::ir) fn next_id() -> u32 {
    NEXT.with(Cell::get)
}

/// Numbers variables from here on.
pub(in crate::ir) fn number_from(first: u32) {
    NEXT.with(|next| next.set(first));
}

impl Param {
    /// A new variable.
    pub fn new(name: &str, ty: Type) -> Param {
        Param { id: fresh_id(), name: name.into(), ty }
    }
}

impl Lambda {
    /// A function of one new parameter.
    pub fn unary(name: &str, ty: Type, body: impl FnOnce(Expr) -> Expr) -> Lambda {
        let param = Param::new(name, ty);
        let body = body(Expr::param(&param));
        Lambda { params: vec![param], body }
    }
}

impl Expr {
    fn node(kind: Kind, ty: Type) -> Expr {
        Expr::with(kind, ty, Span::default())
    }

    fn with(kind: Kind, ty: Type, span: Span) -> Expr {
        budget::node();
        let depth = 1 + depth_below(&kind);
        budget::check_depth(depth);
        Expr(Arc::new(Node { kind, ty, span, depth }))
    }

    /// The same expression, said to stem from `span`.
    pub fn at(&self, span: Span) -> Expr {
        Expr::with(self.0.kind.clone(), self.0.ty.clone(), span)
    }

    /// The same for an expression that was just made, without a copy of it.
    pub(in crate::ir) fn spanned(mut self, span: Span) -> Expr {
        match Arc::get_mut(&mut self.0) {
            Some(node) => {
                node.span = span;
                self
            }
            None => self.at(span),
        }
    }

    /// The same type and span for an expression of another shape. Its parts have the types that they had before.
    pub(in crate::ir) fn with_kind(&self, kind: Kind) -> Expr {
        Expr::with(kind, self.0.ty.clone(), self.0.span)
    }

    /// A variable.
    pub fn param(param: &Param) -> Expr {
        Expr::node(Kind::Param(param.clone()), param.ty.clone())
    }

    /// A literal.
    pub fn literal(literal: Literal) -> Expr {
        Expr::node(Kind::Literal(literal), literal.scalar().into())
    }

    /// Zeros of any type.
    pub fn zero(ty: &Type) -> Expr {
        match ty {
            Type::Scalar(scalar) => Expr::literal(Literal::number(0, *scalar)),
            Type::Tuple(parts) => Expr::tuple(parts.iter().map(Expr::zero).collect()),
            Type::Array(element, n) => {
                let each = Lambda::unary("i", Scalar::Usize.into(), |_| Expr::zero(element));
                Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(each)])
            }
        }
    }

    /// A size as a value.
    pub fn size(size: ArithExpr) -> Expr {
        Expr::node(Kind::Size(size), Scalar::Usize.into())
    }

    /// A prefix operation.
    pub fn unary(op: UnaryOp, x: Expr) -> Expr {
        let ty = x.ty().clone();
        Expr::node(Kind::Unary(op, x), ty)
    }

    /// An infix operation on two operands of one scalar type.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        if a.ty() != b.ty() {
            bug!("`{}` of {} and {}", op.symbol(), a.ty(), b.ty());
        }
        let ty = if op.is_comparison() { Scalar::Bool.into() } else { a.ty().clone() };
        Expr::node(Kind::Binary(op, a, b), ty)
    }

    /// A function of the standard library.
    pub fn math(f: MathFn, args: Vec<Expr>) -> Expr {
        let own = args[0].ty();
        let ty = own.as_scalar().map_or_else(|| own.clone(), |own| f.result(own).into());
        Expr::node(Kind::Math(f, args), ty)
    }

    /// `x as scalar`
    pub fn cast(scalar: Scalar, x: Expr) -> Expr {
        Expr::node(Kind::Cast(scalar, x), scalar.into())
    }

    /// `if c { a } else { b }`
    pub fn if_(c: Expr, a: Expr, b: Expr) -> Expr {
        if !a.ty().same_shape(b.ty()) {
            bug!("arms of `if`: {} and {}", a.ty(), b.ty());
        }
        let ty = a.ty().clone();
        Expr::node(Kind::If(c, a, b), ty)
    }

    /// `(parts…)`
    pub fn tuple(parts: Vec<Expr>) -> Expr {
        let ty = Type::tuple(parts.iter().map(|p| p.ty().clone()).collect());
        Expr::node(Kind::Tuple(parts), ty)
    }

    /// `x.index`
    pub fn field(x: Expr, index: usize) -> Expr {
        let Type::Tuple(parts) = x.ty() else { bug!("field of {}", x.ty()) };
        let ty = parts[index].clone();
        // A projection of a tuple that is written out is that part.
        if let Kind::Tuple(parts) = x.kind() {
            return parts[index].clone();
        }
        Expr::node(Kind::Field(x, index), ty)
    }

    /// `[elements…]`
    pub fn array_literal(elements: Vec<Expr>) -> Expr {
        let len = ArithExpr::cst(elements.len() as i64);
        let ty = Type::array(elements[0].ty().clone(), len);
        Expr::node(Kind::ArrayLiteral(elements), ty)
    }

    /// `let param = value; body`
    pub fn let_(param: Param, value: Expr, body: Expr) -> Expr {
        let ty = body.ty().clone();
        Expr::node(Kind::Let(param, value, body), ty)
    }

    /// A primitive with all its arguments.
    pub fn prim(prim: Prim, args: Vec<Arg>) -> Expr {
        let parts = match (prim, args.as_slice()) {
            (Prim::Unzip, [Arg::Data(xs)]) => xs.ty().as_array().map_or(0, |(element, _)| element.arity()),
            _ => args.len(),
        };
        let scheme = scheme(prim, parts);
        if scheme.params.len() != args.len() {
            bug!("`{}` with {} arguments", prim.name(), args.len());
        }
        let mut bindings = Bindings { prim, types: BTreeMap::new(), sizes: BTreeMap::new() };
        for ((name, param), arg) in scheme.params.iter().zip(&args) {
            match (param, arg) {
                (SchemeParam::Nat, Arg::Size(size)) => {
                    bindings.sizes.insert(name.clone(), size.clone());
                }
                (SchemeParam::Data(ty), Arg::Data(x)) => bindings.bind(ty, x.ty()),
                (SchemeParam::Function(params, result), Arg::Fun(f)) => {
                    if params.len() != f.params.len() {
                        bug!("`{}` with a function of {} parameters", prim.name(), f.params.len());
                    }
                    for (ty, param) in params.iter().zip(&f.params) {
                        bindings.bind(ty, &param.ty);
                    }
                    bindings.bind(result, f.body.ty());
                }
                (SchemeParam::Boundary, Arg::Boundary(_)) => {}
                (
                    SchemeParam::Nat
                    | SchemeParam::Data(_)
                    | SchemeParam::Function(..)
                    | SchemeParam::Boundary,
                    _,
                ) => bug!("`{}`: argument `{name}` is of the wrong kind", prim.name()),
            }
        }
        let ty = bindings.instantiate(&scheme.result);
        Expr::node(Kind::Prim(prim, args), ty)
    }

    /// `map(f, xs)`
    pub fn map(f: Lambda, xs: Expr) -> Expr {
        Expr::map_in(Place::View, f, xs)
    }

    /// The same by whom this says.
    pub fn map_in(place: Place, f: Lambda, xs: Expr) -> Expr {
        Expr::prim(Prim::Map(place), vec![Arg::Fun(f), Arg::Data(xs)])
    }

    /// `map(|x| body(x), xs)`
    pub fn map_with(name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
        let Some((element, _)) = xs.ty().as_array() else { bug!("map over {}", xs.ty()) };
        let f = Lambda::unary(name, element.clone(), body);
        Expr::map(f, xs)
    }

    /// `split(m, xs)`
    pub fn split(m: ArithExpr, xs: Expr) -> Expr {
        Expr::prim(Prim::Split, vec![Arg::Size(m), Arg::Data(xs)])
    }

    /// `join(xs)`
    pub fn join(xs: Expr) -> Expr {
        Expr::prim(Prim::Join, vec![Arg::Data(xs)])
    }

    /// `transpose(xs)`
    pub fn transpose(xs: Expr) -> Expr {
        Expr::prim(Prim::Transpose, vec![Arg::Data(xs)])
    }

    /// `slide(size, step, xs)`
    pub fn slide(size: ArithExpr, step: ArithExpr, xs: Expr) -> Expr {
        Expr::prim(Prim::Slide, vec![Arg::Size(size), Arg::Size(step), Arg::Data(xs)])
    }

    /// `pad(l, r, boundary, xs)`
    pub fn pad(l: ArithExpr, r: ArithExpr, boundary: Boundary, xs: Expr) -> Expr {
        Expr::prim(Prim::Pad, vec![Arg::Size(l), Arg::Size(r), Arg::Boundary(boundary), Arg::Data(xs)])
    }

    /// `drop(k, xs)`
    pub fn drop(k: ArithExpr, xs: Expr) -> Expr {
        Expr::prim(Prim::Drop, vec![Arg::Size(k), Arg::Data(xs)])
    }

    /// A reduction in this order.
    pub fn reduce(order: Order, f: Lambda, z: Expr, xs: Expr) -> Expr {
        Expr::prim(Prim::Reduce(order), vec![Arg::Fun(f), Arg::Data(z), Arg::Data(xs)])
    }

    /// All prefixes of a reduction.
    pub fn scan(order: Order, f: Lambda, z: Expr, xs: Expr) -> Expr {
        Expr::prim(Prim::Scan(order), vec![Arg::Fun(f), Arg::Data(z), Arg::Data(xs)])
    }

    /// A reduction with a function of an accumulator and an element of these names.
    pub fn reduce_with(
        order: Order,
        names: [&str; 2],
        z: Expr,
        xs: Expr,
        body: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Expr {
        let Some((element, _)) = xs.ty().as_array() else { bug!("a reduction of {}", xs.ty()) };
        let (acc, x) = (Param::new(names[0], z.ty().clone()), Param::new(names[1], element.clone()));
        let body = body(Expr::param(&acc), Expr::param(&x));
        Expr::reduce(order, Lambda { params: vec![acc, x], body }, z, xs)
    }

    /// `to_local(x)` and the like.
    pub fn store(memory: Memory, x: Expr) -> Expr {
        Expr::prim(Prim::Store(memory), vec![Arg::Data(x)])
    }

    /// `take(k, xs)`
    pub fn take(k: ArithExpr, xs: Expr) -> Expr {
        Expr::prim(Prim::Take, vec![Arg::Size(k), Arg::Data(xs)])
    }
}

/// The depth of the deepest part.
fn depth_below(kind: &Kind) -> u32 {
    let deepest = |xs: &[Expr]| xs.iter().map(|x| x.0.depth).max().unwrap_or(0);
    match kind {
        Kind::Param(_) | Kind::Literal(_) | Kind::Size(_) => 0,
        Kind::Unary(_, x) | Kind::Cast(_, x) | Kind::Field(x, _) => x.0.depth,
        Kind::Binary(_, a, b) | Kind::Let(_, a, b) => a.0.depth.max(b.0.depth),
        Kind::If(c, a, b) => c.0.depth.max(a.0.depth).max(b.0.depth),
        Kind::Math(_, xs) | Kind::Tuple(xs) | Kind::ArrayLiteral(xs) => deepest(xs),
        Kind::Prim(_, args) => args.iter().filter_map(Arg::expr).map(|x| x.0.depth).max().unwrap_or(0),
    }
}

/// What the variables of a scheme stand for.
struct Bindings {
    prim: Prim,
    types: BTreeMap<String, Type>,
    sizes: BTreeMap<String, ArithExpr>,
}

impl Bindings {
    fn bind(&mut self, scheme: &SchemeType, ty: &Type) {
        match (scheme, ty) {
            (SchemeType::Var(name), _) => match self.types.get(name) {
                None => {
                    self.types.insert(name.clone(), ty.clone());
                }
                Some(bound) if bound.same_shape(ty) => {}
                Some(bound) => bug!("`{}`: {name} is {bound} and {ty}", self.prim.name()),
            },
            (SchemeType::Scalar(s), Type::Scalar(t)) if s == t => {}
            (SchemeType::Array(element, len), Type::Array(t, n)) => {
                if let SchemeSize::Var(name) = len {
                    self.sizes.entry(name.clone()).or_insert_with(|| n.clone());
                }
                self.bind(element, t);
            }
            (SchemeType::Tuple(parts), Type::Tuple(tys)) if parts.len() == tys.len() => {
                for (part, ty) in parts.iter().zip(tys.iter()) {
                    self.bind(part, ty);
                }
            }
            (SchemeType::Scalar(_) | SchemeType::Array(..) | SchemeType::Tuple(_), _) => {
                bug!("`{}`: {scheme:?} is {ty}", self.prim.name())
            }
        }
    }

    fn instantiate(&self, scheme: &SchemeType) -> Type {
        match scheme {
            SchemeType::Var(name) => match self.types.get(name) {
                Some(ty) => ty.clone(),
                None => bug!("`{}`: {name} is not bound", self.prim.name()),
            },
            SchemeType::Scalar(s) => Type::Scalar(*s),
            SchemeType::Array(element, len) => {
                Type::array(self.instantiate(element), len.instantiate(&self.sizes))
            }
            SchemeType::Tuple(parts) => Type::tuple(parts.iter().map(|p| self.instantiate(p)).collect()),
        }
    }
}
