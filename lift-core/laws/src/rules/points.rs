//! Weights of 0 and 1: which points of a window count.
//!
//! A sum of all elements of a window with weights that are numbers becomes, written out, a sum of those elements whose weights are not 0.
//! Products by 1 change nothing, whatever is multiplied. Products by 0 are 0 for integers only: `0.0 * x` is not a
//! number if `x` is infinite or none, and `-0.0` if `x` is negative; `x + 0.0` is `0.0` if `x` is `-0.0`. Nothing is known of the values
//! of floats, so that the last two rules leave them alone.

use lift_core::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Prim};
use lift_core::rewrite::layout::{as_layout, as_map, is_view};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::reduction::{as_reduce, fresh};
use lift_core::rewrite::rules::steps::nth;
use lift_core::rewrite::scope::{occurrences, replace};
use lift_core::rewrite::weights::vector;

/// Reductions of more elements are not written out.
const MOST: i64 = 64;

pub static POINTS: Rule = Rule {
    name: "points",
    about: "A reduction, element by element.",
    equation: "reduce(f, z, xs) = f(.. f(z, xs[0]) .., xs[n - 1])",
    when: "for a number n; map(g, xs)[i] = g(xs[i]), zip(xs, ys)[i] = (xs[i], ys[i]), join(xs)[i] = xs[i / m][i % m], and elements of numbers that are \
           known are these",
    apply: |e, _| points(e),
};

pub static WEIGHT_ONE: Rule = Rule {
    name: "weight_one",
    about: "A weight of 1.",
    equation: "1 * x = x = x * 1",
    when: "also where x is added",
    apply: |e, _| {
        let one = |x: &Expr| is(x, 1);
        if let Kind::Math(MathFn::MulAdd, args) = e.kind()
            && let [a, b, c] = args.as_slice()
        {
            let other = [(a, b), (b, a)].into_iter().find(|(x, _)| one(x)).map(|(_, other)| other)?;
            return Some(Expr::binary(BinaryOp::Add, c.clone(), other.clone()));
        }
        beside(e, BinaryOp::Mul, &one).or_else(|| beside(e, BinaryOp::Unrounded, &one)).cloned()
    },
};

pub static WEIGHT_ZERO: Rule = Rule {
    name: "weight_zero",
    about: "A weight of 0.",
    equation: "0 * x = 0 = x * 0",
    when: "for integers",
    apply: |e, _| {
        let zero = |x: &Expr| is_integer(x) && is(x, 0);
        beside(e, BinaryOp::Mul, &zero)?;
        let Kind::Binary(_, a, b) = e.kind() else { return None };
        [a, b].into_iter().find(|x| zero(x)).cloned()
    },
};

pub static ADD_ZERO: Rule = Rule {
    name: "add_zero",
    about: "What adds nothing.",
    equation: "0 + x = x = x + 0",
    when: "for integers",
    apply: |e, _| beside(e, BinaryOp::Add, &|x| is_integer(x) && is(x, 0)).cloned(),
};

/// The operand beside one of this kind.
fn beside<'a>(e: &'a Expr, wanted: BinaryOp, kind: &dyn Fn(&Expr) -> bool) -> Option<&'a Expr> {
    match e.kind() {
        Kind::Binary(op, a, b) if *op == wanted => {
            [(a, b), (b, a)].into_iter().find(|(x, _)| kind(x)).map(|(_, y)| y)
        }
        _ => None,
    }
}

fn is(e: &Expr, number: i32) -> bool {
    match e.kind() {
        Kind::Literal(Literal::Int(x, _)) => *x == number.into(),
        Kind::Literal(Literal::Float(x, _)) => *x == f64::from(number),
        _ => false,
    }
}

fn is_integer(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Literal(Literal::Int(..)))
}

fn points(e: &Expr) -> Option<Expr> {
    let (f, z, xs) = as_reduce(e)?;
    let n = xs.ty().as_array()?.1.as_const().filter(|n| (1..=MOST).contains(n))?;
    let mut result = z.clone();
    for i in 0..n {
        result = applied(f, &[result, element(xs, i)?]);
    }
    Some(result)
}

/// The element at a position, if only that is computed for it.
fn element(xs: &Expr, i: i64) -> Option<Expr> {
    if let Some(numbers) = vector(xs) {
        return Some(Expr::literal(*numbers.get(usize::try_from(i).ok()?)?));
    }
    if let Some((g, ys)) = as_map(xs) {
        return Some(applied(g, &[element(ys, i)?]));
    }
    if let Some(rows) = as_layout(xs, Prim::Join) {
        let m = rows.ty().as_array()?.0.as_array()?.1.as_const().filter(|m| *m > 0)?;
        return element(&element(rows, i.div_euclid(m))?, i.rem_euclid(m));
    }
    if let Some((Prim::Zip, args)) = xs.as_prim() {
        return args.iter().map(|arg| element(arg.data()?, i)).collect::<Option<_>>().map(Expr::tuple);
    }
    let len = xs.ty().as_array()?.1.as_const()?;
    (is_row(xs) && i < len).then(|| nth(xs.refresh(), i))
}

/// Whether this is there already, or a row of such.
fn is_row(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::At, args)) => args.iter().filter_map(Arg::data).all(is_row),
        _ => is_view(e),
    }
}

/// Whether reading it twice computes nothing twice.
fn is_cheap(e: &Expr) -> bool {
    match e.kind() {
        Kind::Tuple(parts) => parts.iter().all(is_cheap),
        _ => is_row(e),
    }
}

/// The function of these arguments. What is computed and used more than once gets a name.
fn applied(f: &Lambda, args: &[Expr]) -> Expr {
    let f = fresh(f);
    f.params.iter().zip(args).rev().fold(f.body, |body, (param, arg)| {
        match occurrences(&body, param.id).at_most_once() || is_cheap(arg) {
            true => replace(&body, param.id, &arg.refresh()),
            false => Expr::let_(param.clone(), arg.refresh(), body),
        }
    })
}
