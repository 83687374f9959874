//! Reductions that are well defined and probably not meant: sums that wrap in small integers, and the largest or
//! smallest element counted from zero.

use crate::diag::Diagnostics;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Operation, Prim, Scalar, Type};
use crate::typecheck::error;
use crate::typecheck::identity::number;

/// Warns of every such reduction.
pub(super) fn check(body: &Expr, diags: &mut Diagnostics) {
    body.visit(&mut |e| {
        let Some((prim, [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)])) = e.as_prim() else { return };
        if !prim.accumulates() {
            return;
        }
        if let (Some((op, scalar)), Type::Array(element, _)) = (narrow(f), xs.ty()) {
            diags.push(error::narrow_accumulator(f.body.span(), prim.name(), op, scalar, element));
        }
        if let (Some(function), Some(start)) = (extremum(f), number(z))
            && is_habit(start)
            && !(function == MathFn::Max && elements_not_negative(xs))
        {
            diags.push(error::extremum_from_zero(z.span(), prim.name(), function, start));
        }
    });
}

/// The operator and the type, where `f` adds or multiplies its state in integers of 8 or 16 bits.
fn narrow(f: &Lambda) -> Option<(BinaryOp, Scalar)> {
    let state = f.params.first()?.id;
    let (names, body) = Names::of(f);
    let parts = match body.kind() {
        Kind::Tuple(parts) => parts.as_slice(),
        _ => std::slice::from_ref(body),
    };
    parts.iter().find_map(|part| {
        let Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), a, b) = part.kind() else { return None };
        let scalar = part.ty().as_scalar().filter(|s| s.is_integer() && s.bytes() <= 2)?;
        [a, b].into_iter().any(|x| names.root(x) == Some(state)).then_some((*op, scalar))
    })
}

/// `max` or `min`, if `f` is that of its two parameters.
fn extremum(f: &Lambda) -> Option<MathFn> {
    let [first, second] = f.params.as_slice() else { return None };
    let (names, body) = Names::of(f);
    let Kind::Math(function @ (MathFn::Max | MathFn::Min), operands) = body.kind() else { return None };
    let roots: Option<Vec<u32>> = operands.iter().map(|x| names.root(x)).collect();
    let mut roots = roots?;
    roots.sort_unstable();
    let mut both = [first.id, second.id];
    both.sort_unstable();
    (roots == both).then_some(*function)
}

/// A start that is written by habit, from sums: 0, or the smallest number above it.
fn is_habit(start: Literal) -> bool {
    let smallest = match start.scalar() {
        Scalar::F64 => f64::MIN_POSITIVE,
        _ => f32::MIN_POSITIVE.into(),
    };
    start.as_float().is_some_and(|value| value == 0.0 || value == smallest)
}

/// What variables stand for that are other names for parameters or parts of them.
struct Names(Vec<(u32, u32)>);

impl Names {
    /// The names in a function, and its body without their definitions.
    fn of(f: &Lambda) -> (Names, &Expr) {
        let mut names = Names(f.params.iter().map(|p| (p.id, p.id)).collect());
        let mut body = &f.body;
        while let Kind::Let(param, value, rest) = body.kind() {
            if let Some(root) = names.root(value) {
                names.0.push((param.id, root));
            }
            body = rest;
        }
        (names, body)
    }

    /// The parameter that `x` is, or is a part of.
    fn root(&self, x: &Expr) -> Option<u32> {
        match x.kind() {
            Kind::Param(p) => self.0.iter().find(|(name, _)| *name == p.id).map(|(_, root)| *root),
            Kind::Field(x, _) => self.root(x),
            _ => None,
        }
    }
}

/// Whether no element of an array can be negative, as far as the function says that makes it.
fn elements_not_negative(xs: &Expr) -> bool {
    match xs.kind() {
        Kind::Let(_, _, body) => elements_not_negative(body),
        Kind::ArrayLiteral(elements) => elements.iter().all(not_negative),
        Kind::Prim(prim, args) => match args.as_slice() {
            [.., Arg::Fun(f), Arg::Data(_)] if prim.is_map() => match f.body.ty().as_scalar() {
                Some(_) => not_negative(&f.body),
                None => elements_not_negative(&f.body),
            },
            // Layout: the elements are those of the last argument.
            [.., Arg::Data(inner)] if *prim != Prim::Concat => elements_not_negative(inner),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a number cannot be negative, by the operation that makes it.
fn not_negative(x: &Expr) -> bool {
    match x.kind() {
        Kind::Literal(literal) => literal.as_float().is_some_and(|value| value >= 0.0),
        Kind::Size(_) => true,
        Kind::Let(_, _, body) => not_negative(body),
        Kind::If(_, a, b) => not_negative(a) && not_negative(b),
        Kind::Cast(_, inner) => {
            inner.ty().as_scalar().is_some_and(|s| !s.is_float() && !s.is_signed()) || not_negative(inner)
        }
        Kind::Binary(BinaryOp::Mul, a, b) => a == b || (not_negative(a) && not_negative(b)),
        Kind::Binary(BinaryOp::Add | BinaryOp::Div, a, b) => not_negative(a) && not_negative(b),
        Kind::Prim(Prim::Reduce(_), args) => match args.as_slice() {
            [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)] => {
                let is_sum = f.operation() == Some(Operation::Binary(BinaryOp::Add));
                is_sum && not_negative(z) && elements_not_negative(xs)
            }
            _ => false,
        },
        Kind::Math(function, operands) => match function {
            MathFn::Abs | MathFn::Sqrt | MathFn::Exp | MathFn::Exp2 | MathFn::Hypot | MathFn::AbsDiff => true,
            MathFn::Max => operands.iter().any(not_negative),
            MathFn::Min | MathFn::Clamp => operands.iter().all(not_negative),
            _ => false,
        },
        _ => false,
    }
}
