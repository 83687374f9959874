//! Reductions of one array for each of many results, several results at a time.
//!
//! Before: a map whose function reduces an array that is the same for all: all pairs of elements of two arrays. After: work-items with several results each,
//! whose accumulators are in registers while the array is gone through. Each of its elements is read once for all of them, and what is
//! computed for one of them does not wait for another one.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Boundary, Expr, Fold, Kind, Lambda, Order, Param, Place, Prim, Type};
use crate::machine::coarsened::{RESULTS, TOGETHER};
use crate::rewrite::demand::cost;
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{kept, repeat, with, zip};
use crate::rewrite::rules::columns::{is_defined_inside, only_reduction};
use crate::rewrite::rules::reduction::{fresh, is_flat};
use crate::rewrite::rules::rows::put;
use crate::rewrite::scope::{occurrences, replace};

pub static REDUCE_JOINTLY: Rule = Rule {
    name: "reduce_jointly",
    about: "Items that reduce an array for four results at once.",
    equation: "map(|x| e[reduce(f, z) . map(g) << v]) = take(m) . join . map(|xs| map_unrolled(|(x, s)| e[s]) . zip(xs) << all) . split(4) . pad(0, r, clamp)",
    when: "on m elements, for r = ceil(m / 4) * 4 - m, xs in registers, all = reduce_seq(step, reduce_seq(|acc, ys| step(step(step(step(acc, y0), y1), y2), y3), array(4, z)) << \
           split(4) . take(w) << v) << drop(w, v), step = |acc, y| map_unrolled(|(s, x)| f(s, g(y))) . zip(acc, xs), and w = n / 4 * 4 for n elements of v, if all are scalars or \
           tuples of scalars, x is needed by g or f, and by neither z nor v, and g and f need no array; the same for fold, and without g",
    apply: |e, cx| {
        let pairs = Pairs::find(e)?;
        let (_, m) = pairs.xs.ty().as_array()?;
        let each = ArithExpr::cst(RESULTS);
        let missing = cx.facts.simplify(&(m.div_ceil(&each) * &each - m));
        let padded = Expr::pad(ArithExpr::zero(), missing, Boundary::Fold(Fold::Clamp), pairs.xs.clone());
        let items = Expr::map_with("xs", Expr::split(each, padded), |xs| pairs.by_item(xs, cx.facts));
        Some(Expr::take(m.clone(), Expr::join(items)))
    },
};

/// All pairs: `map(|x| e[reduce(f, z, map(g, ys))], xs)`.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    x: &'a Param,
    /// What is computed for an `x`, and the reduction in it.
    body: &'a Expr,
    reduction: &'a Expr,
    f: &'a Lambda,
    z: &'a Expr,
    /// What is reduced is computed by this from `ys`, if they are not reduced themselves.
    g: Option<&'a Lambda>,
    pub xs: &'a Expr,
    pub ys: &'a Expr,
}

impl<'a> Pairs<'a> {
    /// The pairs that `e` is.
    pub fn find(e: &'a Expr) -> Option<Pairs<'a>> {
        let (function, xs) = as_map(e)?;
        let [x] = function.params.as_slice() else { return None };
        let body = &function.body;
        let reduction = only_reduction(body)?;
        let (Order::Any | Order::Left, f, z, reduced) = reduction.as_reduction()? else { return None };
        let (g, ys) = as_map(reduced).map_or((None, reduced), |(g, ys)| (Some(g), ys));
        let (element, _) = ys.ty().as_array()?;
        let functions = [Some(&f.body), g.map(|g| &g.body)].into_iter().flatten();
        let types = [&x.ty, element, body.ty()].into_iter().chain(functions.clone().map(Expr::ty));
        let uses = |e: &Expr| occurrences(e, x.id).count > 0;
        // What is read is read for all of them.
        let reads = |e: &Expr| e.any(&|e| matches!(e.ty(), Type::Array(..)));
        let is_apart = !uses(z) && !uses(ys) && functions.clone().any(uses) && !functions.clone().any(reads);
        let holds = types.into_iter().all(is_flat) && is_apart && !is_defined_inside(body, reduction);
        holds.then_some(Pairs { x, body, reduction, f, z, g, xs, ys })
    }

    /// About how many operations a pair takes.
    pub fn operations(&self) -> u32 {
        cost(&self.f.body) + self.g.map_or(0, |g| cost(&g.body))
    }

    /// What an item computes for several `x`.
    fn by_item(&self, xs: Expr, facts: &Facts) -> Expr {
        kept("xs", xs, |xs| {
            let n = self.ys.ty().length();
            let whole = facts.simplify(&(n.div(&TOGETHER.into()) * TOGETHER));
            let start = repeat(RESULTS, self.z.clone());
            let fours = Expr::split(TOGETHER.into(), Expr::take(whole.clone(), self.ys.refresh()));
            let most = Expr::reduce_with(Order::Sequential, ["acc", "ys"], start, fours, |acc, ys| {
                kept("ys", ys, |ys| {
                    let all: Vec<Expr> = (0..TOGETHER).map(|i| at(i, &ys)).collect();
                    self.step(acc, &xs, &all)
                })
            });
            let all = match facts.eq(&whole, &n).is_yes() {
                true => most,
                false => {
                    let rest = Expr::drop(whole, self.ys.refresh());
                    Expr::reduce_with(Order::Sequential, ["acc", "y"], most, rest, |acc, y| {
                        self.step(acc, &xs, &[y])
                    })
                }
            };
            with(Place::Unrolled, "both", zip(xs, all), |both| {
                let body = put(self.body, self.reduction, &Expr::field(both.clone(), 1));
                replace(&body, self.x.id, &Expr::field(both, 0)).refresh()
            })
        })
    }

    /// Accumulators with some more elements each.
    fn step(&self, acc: Expr, xs: &Expr, ys: &[Expr]) -> Expr {
        with(Place::Unrolled, "both", zip(acc, xs.clone()), |both| {
            let x = Expr::field(both.clone(), 1);
            let (last, first) = ys.split_last().unwrap_or_else(|| crate::bug!("no element"));
            let mut names: Vec<(Param, Expr)> = Vec::new();
            let mut acc = Expr::field(both, 0);
            for y in first {
                let name = Param::new("s", acc.ty().clone());
                names.push((name.clone(), self.added(&acc, &x, y)));
                acc = Expr::param(&name);
            }
            let all = self.added(&acc, &x, last);
            names.into_iter().rev().fold(all, |body, (name, value)| Expr::let_(name, value, body))
        })
    }

    /// An accumulator with one more element.
    fn added(&self, acc: &Expr, x: &Expr, y: &Expr) -> Expr {
        let pair = self.g.map_or_else(|| y.clone(), |g| g.apply(std::slice::from_ref(y)));
        let f = fresh(self.f);
        let [sum, next] = f.params.as_slice() else {
            crate::bug!("a reduction with {} operands", f.params.len())
        };
        let body = replace(&f.body, sum.id, acc);
        replace(&defined(next, &pair, &body), self.x.id, x).refresh()
    }
}

/// `{ let name = value; body }`, without a name for what is read once, also of a tuple: a product then still stands in the sum that it is for.
fn defined(name: &Param, value: &Expr, body: &Expr) -> Expr {
    let count = occurrences(body, name.id).count;
    match value.kind() {
        _ if count <= 1 => replace(body, name.id, value),
        Kind::Let(other, first, rest) => Expr::let_(other.clone(), first.clone(), defined(name, rest, body)),
        Kind::Tuple(values) => {
            let parts: Vec<Param> =
                values.iter().map(|value| Param::new(&name.name, value.ty().clone())).collect();
            let apart = in_parts(body, name, &parts);
            match occurrences(&apart, name.id).count {
                0 => parts.iter().zip(values).fold(apart, |body, (part, value)| defined(part, value, &body)),
                // All of it is needed.
                _ => Expr::let_(name.clone(), value.clone(), body.clone()),
            }
        }
        _ => Expr::let_(name.clone(), value.clone(), body.clone()),
    }
}

/// The same with names for the fields of what a name stands for.
fn in_parts(e: &Expr, name: &Param, parts: &[Param]) -> Expr {
    match e.kind() {
        Kind::Field(tuple, i) if matches!(tuple.kind(), Kind::Param(p) if p == name) => {
            Expr::param(&parts[*i])
        }
        _ => e.map_children(&mut |x| in_parts(x, name, parts)),
    }
}

fn at(i: i64, xs: &Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs.clone())])
}
