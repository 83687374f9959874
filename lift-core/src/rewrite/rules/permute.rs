//! Permutations of indices: what is known of them makes them disappear, or be read instead of written.
//!
//! A permutation is understood if it is the identity, the reversal or a rotation, as far as polynomials tell.
//! Any other is taken as it is: that it is a permutation is the user's promise.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::ir::build::fresh_id;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, Param, Place, Prim, Scalar};
use crate::rewrite::joint::is_joint;
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;

pub static REORDER_ID: Rule = Rule {
    name: "reorder_id",
    about: "Every element stays where it is.",
    equation: "reorder(|i, n| i) = id",
    when: "",
    apply: |e, cx| {
        let (p, xs, len) = as_permutation(e, Prim::Reorder)?;
        (known(p, &len, cx.facts)? == Known::Identity).then(|| xs.clone())
    },
};

pub static REORDER_BACK: Rule = Rule {
    name: "reorder_back",
    about: "There and back again.",
    equation: "reorder(p) . reorder(q) = id",
    when: "if q(p(i)) = i",
    apply: |e, cx| {
        let (p, ys, len) = as_permutation(e, Prim::Reorder)?;
        let (q, xs, _) = as_permutation(ys, Prim::Reorder)?;
        let back = match (known(p, &len, cx.facts)?, known(q, &len, cx.facts)?) {
            (Known::Reversal, Known::Reversal) => true,
            (Known::Rotation(a), Known::Rotation(b)) => {
                let sum = a + b;
                cx.facts.eq(&sum, &len).is_yes() || cx.facts.eq(&sum, &ArithExpr::zero()).is_yes()
            }
            (Known::Identity | Known::Reversal | Known::Rotation(_), _) => false,
        };
        back.then(|| xs.clone())
    },
};

pub static SCATTER_REORDER: Rule = Rule {
    name: "scatter_reorder",
    about: "What is written in another order can be read in another order.",
    equation: "scatter(p) = reorder(q)",
    when: "if q(p(i)) = i for the identity, the reversal and rotations p",
    apply: |e, cx| {
        let (p, xs, len) = as_permutation(e, Prim::Scatter)?;
        if is_stored(xs) { None } else { inverted(Prim::Reorder, p, xs, &len, cx.facts) }
    },
};

pub static REORDER_SCATTER: Rule = Rule {
    name: "reorder_scatter",
    about: "What work-items store, in another order: they store it where the order says.",
    equation: "reorder(p) = scatter(q)",
    when: "if p(q(i)) = i for the identity, the reversal and rotations p, of what parallel maps or long scans store",
    apply: |e, cx| {
        let (p, xs, len) = as_permutation(e, Prim::Reorder)?;
        if is_stored(xs) { inverted(Prim::Scatter, p, xs, &len, cx.facts) } else { None }
    },
};

pub static MAP_SCATTER: Rule = Rule {
    name: "map_scatter",
    about: "What is stored in another order can be computed before it is stored.",
    equation: "map(f) . scatter(p) = scatter(p) . map(f)",
    when: "",
    apply: |e, _| {
        let (f, ys) = as_map(e)?;
        let (Prim::Scatter, [p @ Arg::Fun(_), Arg::Data(xs)]) = ys.as_prim()? else { return None };
        let mapped = Expr::map(f.clone(), xs.clone());
        Some(Expr::prim(Prim::Scatter, vec![p.clone(), Arg::Data(mapped)]))
    },
};

/// The inverse of a permutation that is understood, applied by this primitive.
fn inverted(prim: Prim, p: &Lambda, xs: &Expr, len: &ArithExpr, facts: &Facts) -> Option<Expr> {
    let inverse = match known(p, len, facts)? {
        Known::Identity => return Some(xs.clone()),
        Known::Reversal => p.clone(),
        Known::Rotation(by) => rotation(&(len - &by)),
    };
    Some(Expr::prim(prim, vec![Arg::Fun(inverse), Arg::Data(xs.clone())]))
}

/// Whether parallel maps compute an array, element by element, or a loop that stores as it goes.
fn is_stored(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Scan(_), _)) => is_joint(e),
        Some((Prim::Map(Place::Global(_) | Place::Group(_) | Place::Local(_)), _)) => true,
        Some((prim, [.., Arg::Fun(f), Arg::Data(xs)])) if prim.is_map() => {
            is_stored(&f.body) || is_stored(xs)
        }
        Some((
            Prim::Split | Prim::Join | Prim::Transpose | Prim::Take | Prim::Drop | Prim::Scatter,
            args,
        )) => args.iter().filter_map(Arg::data).any(is_stored),
        _ => false,
    }
}

/// A permutation that is understood.
#[derive(Debug, PartialEq)]
enum Known {
    /// `i`
    Identity,
    /// `n - 1 - i`
    Reversal,
    /// `(i + c) % n`, for `c` from 0 to `n`.
    Rotation(ArithExpr),
}

fn as_permutation(e: &Expr, wanted: Prim) -> Option<(&Lambda, &Expr, ArithExpr)> {
    match e.as_prim()? {
        (prim, [Arg::Fun(p), Arg::Data(xs)]) if prim == wanted => {
            let (_, len) = xs.ty().as_array()?;
            Some((p, xs, len.clone()))
        }
        _ => None,
    }
}

fn known(p: &Lambda, len: &ArithExpr, facts: &Facts) -> Option<Known> {
    let i = Var::new(fresh_id(), "i");
    let mut values = BTreeMap::new();
    values.insert(p.params[0].id, ArithExpr::var(&i));
    values.insert(p.params[1].id, len.clone());
    let mut body = &p.body;
    while let Kind::Let(param, value, rest) = body.kind() {
        let value = polynomial(value, &values)?;
        values.insert(param.id, value);
        body = rest;
    }
    let i = ArithExpr::var(&i);
    if let Kind::Binary(BinaryOp::Rem, sum, by) = body.kind() {
        let (sum, by) = (polynomial(sum, &values)?, polynomial(by, &values)?);
        let shift = sum - &i;
        let fits = facts.eq(&by, len).is_yes()
            && facts.nonneg(&shift).is_yes()
            && facts.le(&shift, len).is_yes()
            && i.as_var().is_some_and(|i| !shift.contains(i));
        return fits.then_some(Known::Rotation(shift));
    }
    let image = polynomial(body, &values)?;
    if facts.eq(&image, &i).is_yes() {
        return Some(Known::Identity);
    }
    facts.eq(&(image + i), &(len - 1)).is_yes().then_some(Known::Reversal)
}

/// The value of an index as a polynomial; where it wraps on the way, it wraps back.
fn polynomial(e: &Expr, values: &BTreeMap<u32, ArithExpr>) -> Option<ArithExpr> {
    Some(match e.kind() {
        Kind::Literal(Literal::Int(n, Scalar::Usize)) => {
            ArithExpr::cst(i64::try_from(*n).ok().filter(|n| *n < 1 << 31)?)
        }
        Kind::Size(n) => n.clone(),
        Kind::Param(p) => values.get(&p.id)?.clone(),
        Kind::Binary(BinaryOp::Add, a, b) => polynomial(a, values)? + polynomial(b, values)?,
        Kind::Binary(BinaryOp::Sub, a, b) => polynomial(a, values)? - polynomial(b, values)?,
        _ => return None,
    })
}

/// `|i, n| (i + by) % n`
fn rotation(by: &ArithExpr) -> Lambda {
    let params: Vec<Param> = ["i", "n"].iter().map(|name| Param::new(name, Scalar::Usize.into())).collect();
    let sum = Expr::binary(BinaryOp::Add, Expr::param(&params[0]), Expr::size(by.clone()));
    let body = Expr::binary(BinaryOp::Rem, sum, Expr::param(&params[1]));
    Lambda { params, body }
}
