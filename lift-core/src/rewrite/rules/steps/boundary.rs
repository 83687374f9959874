//! Where the elements come from that lie beyond the edges of an array: how far inside from the same edge.
//!
//! Several steps at once know where the edges are, but not the whole array. They can follow a function that gives an index
//! if what it gives lies near the same edge, for arrays of any length.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Truth};
use crate::ir::{BinaryOp, Boundary, Expr, Fold, Kind, Lambda, MathFn, UnaryOp};

/// One of the two edges of an array in a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    First,
    Last,
}

impl Edge {
    /// How far away from an element another one is: the one lies so far inside from the edge, and the other so far.
    pub(super) fn distance(self, from: i64, to: i64) -> i64 {
        match self {
            Edge::First => to - from,
            Edge::Last => from - to,
        }
    }
}

/// How far inside from an edge the element lies that a function gives for the one so far outside: nothing for the first element
/// inside, and 1 for the first one outside.
pub(super) fn inside(f: &Lambda, edge: Edge, outside: i64, len: &ArithExpr, facts: &Facts) -> Option<i64> {
    let [i, n] = f.params.as_slice() else { return None };
    let index = match edge {
        Edge::First => ArithExpr::cst(-outside),
        Edge::Last => len + &ArithExpr::cst(outside - 1),
    };
    let found = value(&f.body, &BTreeMap::from([(i.id, index), (n.id, len.clone())]), facts)?;
    let distance = match edge {
        Edge::First => found,
        Edge::Last => len - &found - ArithExpr::one(),
    };
    facts.simplify(&distance).as_const().filter(|distance| *distance >= 0)
}

/// The same for an array of this length that is folded over at its edges, which may be several times, or whose last elements are repeated.
pub(super) fn folded(boundary: &Boundary, outside: i64, len: i64) -> i64 {
    match boundary {
        Boundary::Fold(Fold::Mirror) => {
            let j = (-outside).rem_euclid(2 * len);
            j.min(2 * len - 1 - j)
        }
        Boundary::Fold(Fold::Reflect) => {
            let period = (2 * len - 2).max(1);
            let j = (-outside).rem_euclid(period);
            j.min(period - j)
        }
        _ => 0,
    }
}

/// An expression of integers as a size.
fn value(e: &Expr, of: &BTreeMap<u32, ArithExpr>, facts: &Facts) -> Option<ArithExpr> {
    let value = |e: &Expr| value(e, of, facts);
    let found = match e.kind() {
        Kind::Param(param) => of.get(&param.id)?.clone(),
        Kind::Literal(literal) => ArithExpr::cst(i64::try_from(literal.as_int()?).ok()?),
        Kind::Size(n) => n.clone(),
        Kind::Cast(scalar, x) if !scalar.is_float() => value(x)?,
        Kind::Unary(UnaryOp::Neg, x) => -value(x)?,
        Kind::Binary(BinaryOp::Add, a, b) => value(a)? + value(b)?,
        Kind::Binary(BinaryOp::Sub, a, b) => value(a)? - value(b)?,
        Kind::Binary(BinaryOp::Mul, a, b) => value(a)? * value(b)?,
        Kind::Math(MathFn::Min, args) => ArithExpr::min(&value(&args[0])?, &value(&args[1])?),
        Kind::Math(MathFn::Max, args) => ArithExpr::max(&value(&args[0])?, &value(&args[1])?),
        Kind::If(c, a, b) => match holds(c, of, facts)? {
            true => value(a)?,
            false => value(b)?,
        },
        _ => return None,
    };
    Some(facts.simplify(&found))
}

/// Whether a comparison of integers holds, if that is known.
fn holds(e: &Expr, of: &BTreeMap<u32, ArithExpr>, facts: &Facts) -> Option<bool> {
    let Kind::Binary(op, a, b) = e.kind() else { return None };
    if let (BinaryOp::And | BinaryOp::Or, Some(a), Some(b)) = (op, holds(a, of, facts), holds(b, of, facts)) {
        return Some(if *op == BinaryOp::And { a && b } else { a || b });
    }
    let (a, b) = (value(a, of, facts)?, value(b, of, facts)?);
    let truth = match op {
        BinaryOp::Lt => facts.lt(&a, &b),
        BinaryOp::Le => facts.le(&a, &b),
        BinaryOp::Gt => facts.lt(&b, &a),
        BinaryOp::Ge => facts.le(&b, &a),
        BinaryOp::Eq => facts.eq(&a, &b),
        _ => return None,
    };
    match truth {
        Truth::Yes => Some(true),
        Truth::No => Some(false),
        Truth::Unknown => None,
    }
}
