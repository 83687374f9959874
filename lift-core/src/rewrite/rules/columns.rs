//! Reductions of columns, strip by strip.
//!
//! Before: a map whose function reduces a column. After: a work-group for a strip of neighbouring columns. Its items read rows of the strip, side by side,
//! each every so many rows of its column; what they add up meets in local memory.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Boundary, Expr, Fold, Kind, Lambda, Memory, Order, Param, Place, Prim, Scalar};
use crate::machine::coarsened::TOGETHER;
use crate::machine::columns::{STRIPS, Strip};
use crate::rewrite::layout::as_map;
use crate::rewrite::position::outside;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{at, kept, numbers, with, zip};
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::reduction::{fresh, in_chunks, is_flat};
use crate::rewrite::rules::rows::put;
use crate::rewrite::rules::stages::closed;
use crate::rewrite::scope::{occurrences, replace};

/// In strips of such a width, one of [`STRIPS`].
pub static REDUCE_COLUMNS: [Rule; STRIPS.len()] = [
    reduce_columns::<0>("reduce_columns(32)"),
    reduce_columns::<1>("reduce_columns(8)"),
    reduce_columns::<2>("reduce_columns(4)"),
];

const fn reduce_columns<const STRIP: usize>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "A group for a strip of columns, each of which several items reduce.",
        equation: "map(|x| e[reduce(f, z, v)]) = take(m) . join . map_workgroup(0, |strip| map_local(0, |(x, s)| e[reduce_seq(f, z, s)]) . zip(strip) . transpose \
               . to_local . map_local(1, |k| map_local(0, |x| reduce_seq(|a, few| reduce_seq_unroll(f, a) . to_private << few, z) . split(4) << transpose . split(p) . pad(0, q, constant(z)) << v, at k) << strip) \
               << array(p)) . split(c) . pad(0, r, clamp)",
        when: "on m elements, for strips of c columns with p items each, r = ceil(m / c) * c - m, n elements of v, and q = ceil(n / 4p) * 4p - n, if v needs nothing that is defined in e \
               but scalars; for several reductions one after the other, with one row at a time and q = ceil(n / p) * p - n, and with to_local . map_local(0, reduce_seq(f, z)) for all of them that others, or arrays, need; with to_local . map_local(1, |k| map_local(0, reduce_seq(f, z) << at(k) . transpose . split(p / s)) \
               . transpose) << array(p / s) before that for p > 16, with s = 8 for 64 items and 16 for 128; and with transpose \
               . map_local(1, |i| map_local(0, at(i)) << strip) << array(n) for an e that gives n elements",
        apply: |e, cx| in_strips(e, cx.facts, &STRIPS[STRIP]),
    }
}

fn in_strips(e: &Expr, facts: &Facts, strip: &Strip) -> Option<Expr> {
    let (function, columns) = as_map(e)?;
    let [x] = function.params.as_slice() else { return None };
    let (_, m) = columns.ty().as_array()?;
    let width = ArithExpr::cst(strip.columns);
    let missing = facts.simplify(&(m.div_ceil(&width) * &width - m));
    let clamp = Boundary::Fold(Fold::Clamp);
    let padded = Expr::pad(ArithExpr::zero(), missing, clamp, columns.clone());
    let strips = Expr::split(width, padded);
    let own = Param::new("strip", strips.ty().as_array()?.0.clone());
    let group = Group { x, own: &own, items: strip.rows.into(), strip, facts };
    let body = group.computed(&function.body, &mut Vec::new())?;
    let by_strip = Expr::map_in(Place::Group(0), Lambda { params: vec![own.clone()], body }, strips);
    Some(Expr::take(m.clone(), Expr::join(by_strip)))
}

/// A group that has a strip of columns.
struct Group<'a> {
    /// What stands for a column.
    x: &'a Param,
    /// The columns.
    own: &'a Param,
    /// Items for each of them.
    items: ArithExpr,
    strip: &'a Strip,
    facts: &'a Facts,
}

/// What stands for a scalar of a column, and for the scalars of all columns.
type Known = (Param, Param);

impl Group<'_> {
    /// What becomes of the columns by this function of one, of which some scalars are known.
    fn computed(&self, body: &Expr, known: &mut Vec<Known>) -> Option<Expr> {
        let all = reductions(body);
        let open = all.iter().find_map(|e| as_flat_reduce(e).and(Some((*e, closed(body, e)?))));
        let Some((found, reduction)) = open else {
            return (all.is_empty() && !known.is_empty()).then(|| self.elements(body, known)).flatten();
        };
        let (f, z, xs) = as_flat_reduce(&reduction)?;
        if occurrences(z, self.x.id).count > 0 {
            return None;
        }
        let is_once = is_flat(body.ty()) && all.len() == 1 && known.is_empty();
        let sums = self.sums((f, z, xs), known, if is_once { TOGETHER } else { 1 })?;
        let of_items = Param::new("sums", sums.ty().clone());
        let (first, sums) = match self.strip.step < self.strip.rows {
            true => (Some((of_items.clone(), sums)), self.fewer((f, z), Expr::param(&of_items))?),
            false => (None, sums),
        };
        let after = |e: Expr| first.into_iter().fold(e, |e, (name, value)| Expr::let_(name, value, e));
        let sums = Expr::transpose(sums);
        let whole = |sums: Expr| Expr::reduce(Order::Sequential, fresh(f), z.refresh(), sums);
        if is_flat(body.ty()) && all.len() == 1 {
            let both = zip(self.columns(known), sums);
            return local(0, "both", both, &|both| {
                let column = Expr::field(both.clone(), 0);
                self.of(&put(body, found, &whole(Expr::field(both, 1))), &column, known)
            })
            .map(after);
        }
        let scalars = Expr::store(Memory::Local, local(0, "sums", sums, &whole)?);
        let all = Param::new("whole", scalars.ty().clone());
        let one = Param::new("whole", z.ty().clone());
        let rest = put(body, found, &Expr::param(&one));
        known.push((one, all.clone()));
        Some(after(Expr::let_(all, scalars, self.computed(&rest, known)?)))
    }

    /// What each item adds up of its column, of which it reads so many rows before it adds any of them.
    fn sums(&self, (f, z, xs): (&Lambda, &Expr, &Expr), known: &[Known], together: i64) -> Option<Expr> {
        let (_, n) = xs.ty().as_array()?;
        // The last of the pieces is filled up.
        let all = &self.items * together;
        let missing = n.div_ceil(&all) * &all - n;
        let k = Param::new("k", Scalar::Usize.into());
        let body = local(0, &self.x.name, self.columns(known), &|column| {
            let rows = in_chunks(z, &self.of(xs, &column, known), &self.items, &missing, self.facts);
            let own = at(Expr::param(&k), Expr::transpose(rows));
            if together == 1 {
                return Expr::reduce(Order::Sequential, fresh(f), z.refresh(), own);
            }
            let own = Expr::split(together.into(), own);
            Expr::reduce_with(Order::Sequential, ["acc", "few"], z.refresh(), own, |acc, few| {
                kept("few", with(Place::Unrolled, "x", few, |x| x), |few| {
                    Expr::reduce(Order::Unrolled, fresh(f), acc, few)
                })
            })
        })?;
        let by_row = Lambda { params: vec![k], body };
        Some(Expr::store(Memory::Local, Expr::map_in(Place::Local(1), by_row, numbers(self.items.clone()))))
    }

    /// The sums of a few items each, of what all of them add up.
    fn fewer(&self, (f, z): (&Lambda, &Expr), sums: Expr) -> Option<Expr> {
        let Strip { rows, step, .. } = *self.strip;
        let k = Param::new("k", Scalar::Usize.into());
        let body = local(0, "sums", Expr::transpose(sums), &|sums| {
            let own = at(Expr::param(&k), Expr::transpose(Expr::split((rows / step).into(), sums)));
            Expr::reduce(Order::Sequential, fresh(f), z.refresh(), own)
        })?;
        let by_row = Lambda { params: vec![k], body };
        let steps = numbers((rows / step).into());
        Some(Expr::store(Memory::Local, Expr::map_in(Place::Local(1), by_row, steps)))
    }

    /// What is left when everything is reduced: a scalar, or an element for every row.
    fn elements(&self, body: &Expr, known: &[Known]) -> Option<Expr> {
        if is_flat(body.ty()) {
            return local(0, "column", self.columns(known), &|column| self.of(body, &column, known));
        }
        let (element, n) = body.ty().as_array()?;
        if !is_flat(element) {
            return None;
        }
        let i = Param::new("i", Scalar::Usize.into());
        let by_row = local(0, "column", self.columns(known), &|column| {
            at(Expr::param(&i), self.of(body, &column, known))
        })?;
        let by_row = Lambda { params: vec![i], body: by_row };
        Some(Expr::transpose(Expr::map_in(Place::Local(1), by_row, numbers(n.clone()))))
    }

    /// The columns, each with what is known of it.
    fn columns(&self, known: &[Known]) -> Expr {
        let strip = Expr::param(self.own);
        if known.is_empty() {
            return strip;
        }
        let scalars = known.iter().map(|(_, all)| Arg::Data(Expr::param(all)));
        Expr::prim(Prim::Zip, [Arg::Data(strip)].into_iter().chain(scalars).collect())
    }

    /// A part of the function for this element of the columns.
    fn of(&self, e: &Expr, column: &Expr, known: &[Known]) -> Expr {
        if known.is_empty() {
            return replace(e, self.x.id, column).refresh();
        }
        let e = replace(e, self.x.id, &Expr::field(column.clone(), 0));
        let scalars = known.iter().enumerate();
        scalars.fold(e, |e, (i, (one, _))| replace(&e, one.id, &Expr::field(column.clone(), i + 1))).refresh()
    }
}

/// A map of the items of a group, in one of its dimensions.
fn local(d: usize, name: &str, xs: Expr, f: &dyn Fn(Expr) -> Expr) -> Option<Expr> {
    let (element, _) = xs.ty().as_array()?;
    Some(Expr::map_in(Place::Local(d), Lambda::unary(name, element.clone(), f), xs))
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
