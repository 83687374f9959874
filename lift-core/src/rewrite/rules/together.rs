//! Several reductions over the same indices, at once.
//!
//! A mean and a mean of squares, a minimum and a maximum: what reads one array, or arrays of one length, is read
//! in one launch.

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Lambda, Order, Param, Prim, Type};
use crate::machine::work::MOST_SUMS;
use crate::rewrite::demand::{Use, Wanted, find_all};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::reduction::{REDUCE_ROWS, as_reduce, fresh, is_flat};
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::same;

pub static REDUCE_TOGETHER: Rule = Rule {
    name: "reduce_together",
    about: "Two reductions become one of pairs.",
    equation: "e[reduce(f, z, xs), reduce(g, w, ys)] = { let both = reduce(|(a, b), (c, d)| (f(a, c), g(b, d)), (z, w), zip(xs, ys)); e[both.0, both.1] }",
    when: "if no variable of the two is bound in e",
    apply: |e, cx| {
        let positions = find_all(Wanted::Reductions, e, Use::Once, cx.facts);
        let all: Vec<&Expr> = positions.iter().filter_map(|position| e.below(position)).collect();
        let pairs = all.iter().enumerate().flat_map(|(i, a)| all[i + 1..].iter().map(move |b| (*a, *b)));
        pairs.into_iter().find_map(|(a, b)| together(e, a, b, cx.facts))
    },
};

fn together(e: &Expr, a: &Expr, b: &Expr, facts: &Facts) -> Option<Expr> {
    let scalars = a.ty().leaves().len() + b.ty().leaves().len();
    if same(a, b) || contains(a, b) || contains(b, a) || scalars > MOST_SUMS {
        return None;
    }
    let (first, second) = (flat(a, facts), flat(b, facts));
    let ((f, z, xs), (g, w, ys)) = (as_reduce(&first)?, as_reduce(&second)?);
    let (n, m) = (xs.ty().as_array()?.1, ys.ty().as_array()?.1);
    if !is_flat(z.ty()) || !is_flat(w.ty()) || !facts.eq(n, m).is_yes() {
        return None;
    }
    let pair = Type::tuple(vec![z.ty().clone(), w.ty().clone()]);
    let params = vec![Param::new("x", pair.clone()), Param::new("y", pair.clone())];
    let parts = |i: usize| [Expr::field(Expr::param(&params[0]), i), Expr::field(Expr::param(&params[1]), i)];
    let body = Expr::tuple(vec![fresh(f).apply(&parts(0)), fresh(g).apply(&parts(1))]);
    let start = Expr::tuple(vec![z.refresh(), w.refresh()]);
    let zipped = Expr::prim(Prim::Zip, vec![Arg::Data(xs.refresh()), Arg::Data(ys.refresh())]);
    let both = Param::new("both", pair);
    let value = Expr::reduce(Order::Any, Lambda { params, body }, start, zipped);
    let part = |i| Expr::field(Expr::param(&both), i);
    let rest = replace_all(&replace_all(e, a, &part(0)), b, &part(1));
    Some(Expr::let_(both.clone(), value, rest))
}

/// With all dimensions as one.
fn flat(e: &Expr, facts: &Facts) -> Expr {
    let mut flat = e.clone();
    while let Some(next) = REDUCE_ROWS.rewrite(&flat, facts) {
        flat = next.expr;
    }
    flat
}

fn contains(outer: &Expr, inner: &Expr) -> bool {
    let mut found = false;
    outer.visit(&mut |e| found |= e.ty() == inner.ty() && same(e, inner));
    found
}
