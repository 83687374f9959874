//! Reductions of columns, strip by strip.
//!
//! Before: a map whose function reduces a column. After: a work-group for a strip of neighbouring columns. Its items read rows of the strip, side by side,
//! each every so many rows of its column; what they add up meets in local memory.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Boundary, Expr, Fold, Kind, Lambda, Memory, Order, Param, Place, Prim, Scalar};
use crate::machine::columns::{STRIPS, Strip};
use crate::rewrite::layout::as_map;
use crate::rewrite::position::outside;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::reduction::{fresh, in_chunks, is_flat};
use crate::rewrite::rules::rows::put;
use crate::rewrite::scope::{occurrences, replace};

/// In strips of such a width, one of [`STRIPS`].
pub static REDUCE_COLUMNS: [Rule; STRIPS.len()] =
    [reduce_columns::<0>("reduce_columns(32)"), reduce_columns::<1>("reduce_columns(8)")];

const fn reduce_columns<const STRIP: usize>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "A group for a strip of columns, each of which several items reduce.",
        equation: "map(|x| e[reduce(f, z, v)]) = take(m) . join . map_workgroup(0, |strip| map_local(0, |(x, s)| e[reduce_seq(f, z, s)]) . zip(strip) . transpose \
               . to_local . map_local(1, |k| map_local(0, |x| reduce_seq(f, z) << transpose . split(p) . pad(0, q, constant(z)) << v, at k) << strip) << array(p)) . split(c) . pad(0, r, clamp)",
        when: "on m elements, for strips of c columns with p items each, r = ceil(m / c) * c - m, n elements of v, and q = ceil(n / p) * p - n, if v needs nothing that is defined in e",
        apply: |e, cx| in_strips(e, cx.facts, &STRIPS[STRIP]),
    }
}

fn in_strips(e: &Expr, facts: &Facts, strip: &Strip) -> Option<Expr> {
    let (function, columns) = as_map(e)?;
    let [x] = function.params.as_slice() else { return None };
    let reduction = only_reduction(&function.body)?;
    let (f, z, xs) = as_flat_reduce(reduction)?;
    if !is_flat(function.body.ty())
        || is_defined_inside(&function.body, reduction)
        || occurrences(z, x.id).count > 0
    {
        return None;
    }
    let (_, m) = columns.ty().as_array()?;
    let [strip, items] = [strip.columns, strip.rows].map(ArithExpr::cst);
    let missing = facts.simplify(&(m.div_ceil(&strip) * &strip - m));
    let clamp = Boundary::Fold(Fold::Clamp);
    let padded = Expr::pad(ArithExpr::zero(), missing, clamp, columns.clone());
    let strips = Expr::split(strip, padded);
    let (_, n) = xs.ty().as_array()?;
    // The last of the pieces is filled up.
    let missing = n.div_ceil(&items) * &items - n;
    let local = |d: usize, name: &str, xs: Expr, f: &dyn Fn(Expr) -> Expr| {
        let (element, _) = xs.ty().as_array()?;
        Some(Expr::map_in(Place::Local(d), Lambda::unary(name, element.clone(), f), xs))
    };
    let of = |column: &Expr, e: &Expr| replace(e, x.id, column).refresh();
    let (element, _) = strips.ty().as_array()?;
    let own = Param::new("strip", element.clone());
    let sums = |k: Expr| {
        local(0, &x.name, Expr::param(&own), &|column| {
            let rows = in_chunks(z, &of(&column, xs), &items, &missing, facts);
            let every = Expr::prim(Prim::At, vec![Arg::Data(k.clone()), Arg::Data(Expr::transpose(rows))]);
            Expr::reduce(Order::Sequential, fresh(f), z.refresh(), every)
        })
    };
    let k = Param::new("k", Scalar::Usize.into());
    let numbers = Lambda::unary("i", Scalar::Usize.into(), |i| i);
    let numbers = Expr::prim(Prim::Array, vec![Arg::Size(items.clone()), Arg::Fun(numbers)]);
    let by_row = Lambda { params: vec![k.clone()], body: sums(Expr::param(&k))? };
    let sums = Expr::store(Memory::Local, Expr::map_in(Place::Local(1), by_row, numbers));
    let both = Expr::prim(Prim::Zip, vec![Arg::Data(Expr::param(&own)), Arg::Data(Expr::transpose(sums))]);
    let body = local(0, "both", both, &|both| {
        let column = Expr::field(both.clone(), 0);
        let all = Expr::reduce(Order::Sequential, fresh(f), z.refresh(), Expr::field(both, 1));
        of(&column, &put(&function.body, reduction, &all))
    })?;
    let by_strip = Expr::map_in(Place::Group(0), Lambda { params: vec![own], body }, strips);
    Some(Expr::take(m.clone(), Expr::join(by_strip)))
}

/// The reduction of an array that is in no function, if there is just one.
pub fn only_reduction(e: &Expr) -> Option<&Expr> {
    match reductions(e).as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

/// The reductions and scans in an expression that are in no function, outer ones first.
pub fn reductions(e: &Expr) -> Vec<&Expr> {
    let mut all = Vec::new();
    collect(e, &mut all);
    all
}

fn collect<'a>(e: &'a Expr, all: &mut Vec<&'a Expr>) {
    if matches!(e.as_prim(), Some((Prim::Reduce(_) | Prim::Scan(_), _))) {
        all.push(e);
    }
    outside(e).into_iter().for_each(|(_, x)| collect(x, all));
}

/// Whether something that `part` needs is defined in `e`, or `part` is only computed in some cases.
pub fn is_defined_inside(e: &Expr, part: &Expr) -> bool {
    if e.is_same(part) {
        return false;
    }
    let has = |x: &Expr| x.any(&|y| y.is_same(part));
    match e.kind() {
        Kind::Let(x, _, body) if has(body) => {
            occurrences(part, x.id).count > 0 || is_defined_inside(body, part)
        }
        Kind::If(c, ..) if !has(c) => true,
        _ => outside(e).into_iter().filter(|(_, x)| has(x)).any(|(_, x)| is_defined_inside(x, part)),
    }
}
