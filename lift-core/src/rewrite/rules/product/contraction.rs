//! Tensor contractions as products of two matrices.
//!
//! Before: a nest of maps whose elements reduce, over any number of axes, a function of a few scalars, of which some depend on the first axes of the
//! result and the others on the rest. After: the product of two matrices that nobody stores: a row holds what the first axes need, and a column what the others need,
//! for every element that is reduced. A convolution with several channels is such a product, of its weights with its windows.

use std::collections::BTreeSet;

use super::pair::pair;
use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Kind, Lambda, Order, Param, Prim, Scalar, Type};
use crate::machine::blocked::MOST_OPERANDS;
use crate::rewrite::joint::has_long_work;
use crate::rewrite::layout::{as_layout, as_map, is_view, is_view_node};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{at, zip};
use crate::rewrite::rules::interchange::map_over;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::{as_reduce, fresh, is_flat};
use crate::rewrite::scope::{mentions, occurrences, replace, same, same_function};

/// More axes than programs have; every place between two of them is tried.
const MOST_AXES: usize = 8;

pub static CONTRACTION: Rule = Rule {
    name: "contraction",
    about: "A reduction over several axes, of pairs of which a few scalars depend on the first axes of the result and the others on the rest, is the product of two matrices.",
    equation: "array^d(|i| array^c(|j| h(reduce(f, z) . join^r . array^r(|k| g(a[i, k], b[j, k]))))) = \
               split^(d - 1) . map(split^(c - 1)) . map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), ys), xs)",
    when: "for xs = join^(d - 1)(array^d(|i| join^(r - 1)(array^r(|k| a[i, k])))), and ys in the same way, or transposed where neighbours of j lie side by side; \
           for maps as for generated arrays; factors of a product that depend on what is reduced alone belong to a; for each of the elements of the first dimensions, if a and b depend on these; where no dimension is empty that is not \
           the first of i or j, or one of k",
    apply: |e, cx| Contraction::find(e)?.product(cx.facts),
};

/// A dimension of the result, or of what is reduced.
#[derive(Debug, Clone)]
struct Axis {
    n: ArithExpr,
    index: Param,
}

impl Axis {
    fn new(name: &str, n: &ArithExpr) -> Axis {
        Axis { n: n.clone(), index: Param::new(name, Scalar::Usize.into()) }
    }

    fn number(&self) -> Expr {
        Expr::param(&self.index)
    }
}

/// What is needed for a row or a column of the result, and the axes that it depends on, besides those that are reduced.
struct Operand {
    axes: Vec<Axis>,
    value: Expr,
}

/// A reduction, for every element of a nest of maps, of a function of two operands.
struct Contraction {
    /// Axes that both operands depend on: a product for each of their elements.
    batch: Vec<Axis>,
    operands: [Operand; 2],
    reduced: Vec<Axis>,
    f: Lambda,
    z: Expr,
    /// What is made of the values of both operands.
    g: (Param, Param, Expr),
    /// What becomes of a reduction, and of what is read beside it.
    h: (Param, Expr),
    beside: Vec<(Param, Expr)>,
}

impl Contraction {
    fn find(e: &Expr) -> Option<Contraction> {
        let (axes, body) = nest(e)?;
        let Sums { all: sums, f, z, reduced, term } = Sums::of(&body)?;
        if !(2..=MOST_AXES).contains(&axes.len()) || reduced.len() > MOST_AXES {
            return None;
        }
        let all = ids(&axes);
        if [&f.body, &z].into_iter().any(|e| mentions(e, &all)) || !is_flat(term.ty()) {
            return None;
        }
        // With as few axes of a batch as there can be.
        let cuts = (0..axes.len() - 1).flat_map(|batch| (batch + 1..axes.len()).map(move |at| (batch, at)));
        let (batch, at, pair) = cuts.into_iter().find_map(|(batch, at)| {
            let pair = pair(&term, &ids(&axes[batch..at]), &ids(&axes[at..]), &ids(&reduced))?;
            // What only a product of the batch has belongs to neither of its operands.
            (!mentions(&pair.body, &ids(&axes[..batch]))).then_some((batch, at, pair))
        })?;
        let [a, b] = pair.operands;
        let defined = definitions(&body);
        if [&a.1, &b.1].into_iter().any(|operand| mentions(operand, &defined)) {
            return None;
        }
        let acc = Param::new("sum", z.ty().clone());
        let count = sums.len();
        let of_sum = |i: usize| match count {
            1 => Expr::param(&acc),
            _ => Expr::field(Expr::param(&acc), i),
        };
        let known: Vec<(Expr, Expr)> =
            sums.into_iter().enumerate().map(|(i, sum)| (sum, of_sum(i))).collect();
        let mut beside = Vec::new();
        let body = outside(&body, &known, &all, &mut beside)?;
        let rows = Operand { axes: axes[batch..at].to_vec(), value: as_stored(&a.1) };
        let columns = Operand { axes: axes[at..].to_vec(), value: as_stored(&b.1) };
        Some(Contraction {
            batch: axes[..batch].to_vec(),
            operands: [rows, columns],
            g: (a.0, b.0, pair.body),
            reduced,
            f,
            z,
            h: (acc, body),
            beside,
        })
    }

    fn product(self, facts: &Facts) -> Option<Expr> {
        let inner = |axes: &[Axis]| axes.iter().skip(1).all(|axis| facts.nonneg(&(&axis.n - 1)).is_yes());
        if !inner(&self.batch) || !self.operands.iter().all(|operand| inner(&operand.axes)) {
            return None;
        }
        let [rows, columns] = &self.operands;
        let matrices = [rows, columns].map(|operand| operand.matrix(&self.reduced, facts));
        let beside = self.beside.iter().map(|(_, value)| {
            let of_row = joined(&columns.axes, value.clone(), facts);
            joined(&rows.axes, of_row, facts)
        });
        let all: Vec<Expr> = matrices.into_iter().chain(beside).map(|matrix| matrix.refresh()).collect();
        let results = match self.batch.as_slice() {
            [] => self.results(&all),
            batch => {
                let each = all.into_iter().map(|matrix| joined(batch, matrix, facts).refresh()).collect();
                split(batch, map_over("matrices", each, |each| self.results(each)))
            }
        };
        Some(results)
    }

    /// The product of two matrices, with the others of what is read beside it, in the dimensions of the result.
    fn results(&self, matrices: &[Expr]) -> Expr {
        let [rows, columns] = &self.operands;
        let turned = |operand: &Operand, matrix: &Expr| match operand.is_turned(&self.reduced) {
            true => Expr::transpose(matrix.clone()),
            false => matrix.clone(),
        };
        let (xs, ys) = (turned(rows, &matrices[0]), turned(columns, &matrices[1]));
        let results = map_over("row", [vec![xs], matrices[2..].to_vec()].concat(), |row| {
            map_over("column", [vec![ys], row[1..].to_vec()].concat(), |column| {
                self.result(&row[0], &column[0], &column[1..])
            })
        });
        let cut = match columns.axes.as_slice() {
            [_] => results,
            _ => Expr::map_with("row", results, |row| split(&columns.axes, row)),
        };
        split(&rows.axes, cut)
    }

    /// An element of the result, with what is read beside the row and the column.
    fn result(&self, row: &Expr, column: &Expr, beside: &[Expr]) -> Expr {
        let pairs = zip(row.clone(), column.clone());
        let (a, b, body) = &self.g;
        let terms = Expr::map_with("pair", pairs, |pair| {
            let body = replace(body, a.id, &Expr::field(pair.clone(), 0));
            replace(&body, b.id, &Expr::field(pair, 1))
        });
        let sum = Expr::reduce(Order::Any, self.f.clone(), self.z.clone(), terms);
        let (acc, body) = &self.h;
        let with = |body: Expr, ((p, _), x): (&(Param, Expr), &Expr)| replace(&body, p.id, x);
        let body = self.beside.iter().zip(beside).fold(body.clone(), with);
        match occurrences(&body, acc.id).at_most_once() || mentions(&sum, &definitions(&body)) {
            true => replace(&body, acc.id, &sum),
            false => Expr::let_(acc.clone(), sum, body),
        }
    }
}

impl Operand {
    /// A row for every element of the axes, with a value for each that is reduced; or the other way round, so that neighbours lie side by side.
    fn matrix(&self, reduced: &[Axis], facts: &Facts) -> Expr {
        let (first, second) = match self.is_turned(reduced) {
            true => (reduced, self.axes.as_slice()),
            false => (self.axes.as_slice(), reduced),
        };
        let of = |value: &Expr| joined(first, joined(second, value.clone(), facts), facts);
        match self.value.kind() {
            Kind::Tuple(parts) => nd::zip_nd(2, parts.iter().map(of).collect()),
            _ => of(&self.value),
        }
    }

    /// Whether neighbours along the last of its axes lie side by side, rather than those that are reduced.
    fn is_turned(&self, reduced: &[Axis]) -> bool {
        let Some(axis) = self.axes.last() else { return false };
        let mut last = None;
        self.value.visit(&mut |e| {
            if let (None, Some((Prim::At, [Arg::Data(i), Arg::Data(xs)]))) = (&last, e.as_prim()) {
                last = Some((i.clone(), xs.clone()));
            }
        });
        let Some((i, xs)) = last else { return false };
        let of = |axis: &Axis, e: &Expr| occurrences(e, axis.index.id).count > 0;
        // Neighbouring windows begin at neighbouring elements.
        let is_slid = |e: &Expr| match e.as_prim() {
            Some((Prim::Slide, [_, Arg::Size(step), _])) => step.as_const() == Some(1),
            _ => false,
        };
        of(axis, &i) || of(axis, &xs) && (xs.any(&is_slid) || !reduced.iter().any(|axis| of(axis, &i)))
    }
}

/// The reductions of an element of the result, as one.
struct Sums {
    all: Vec<Expr>,
    f: Lambda,
    z: Expr,
    reduced: Vec<Axis>,
    term: Expr,
}

impl Sums {
    /// The reductions in an expression that are not in functions, if all of them go over the same axes.
    fn of(e: &Expr) -> Option<Sums> {
        let all: Vec<Expr> = super::reductions(e).into_iter().cloned().collect();
        // A reduction that needs the result of another one runs after it.
        let defined = definitions(e);
        if all.len() > 1 && all.iter().any(|sum| mentions(sum, &defined)) {
            return None;
        }
        let one = |reduction: &Expr| {
            let (f, z, _) = as_reduce(reduction)?;
            let (axes, term) = terms(reduction, f, z)?;
            Some((fresh(f), z.clone(), axes, term))
        };
        let mut parts = all.iter().map(one).collect::<Option<Vec<_>>>()?;
        if parts.len() > MOST_OPERANDS {
            return None;
        }
        if parts.len() == 1 {
            let (f, z, reduced, term) = parts.pop()?;
            return Some(Sums { all, f, z, reduced, term });
        }
        let reduced = parts.first()?.2.clone();
        let extents = |axes: &[Axis]| axes.iter().map(|axis| axis.n.clone()).collect::<Vec<_>>();
        let mut terms = Vec::new();
        for (_, z, axes, term) in &parts {
            if extents(axes) != extents(&reduced) || z.ty().as_scalar().is_none() {
                return None;
            }
            let renamed =
                |term: Expr, (own, axis): (&Axis, &Axis)| replace(&term, own.index.id, &axis.number());
            terms.push(axes.iter().zip(&reduced).fold(term.clone(), renamed));
        }
        let z = Expr::tuple(parts.iter().map(|(_, z, ..)| z.clone()).collect());
        let of = z.ty().clone();
        let params = [Param::new("sums", of.clone()), Param::new("terms", of)];
        let part = |(i, (f, ..)): (usize, &(Lambda, Expr, Vec<Axis>, Expr))| {
            f.apply(&params.each_ref().map(|param| Expr::field(Expr::param(param), i)))
        };
        let body = Expr::tuple(parts.iter().enumerate().map(part).collect());
        let f = Lambda { params: params.to_vec(), body };
        Some(Sums { all, f, z, reduced, term: Expr::tuple(terms) })
    }
}

/// The variables that are defined in an expression, outside of functions.
fn definitions(e: &Expr) -> BTreeSet<u32> {
    match e.kind() {
        Kind::Prim(..) => BTreeSet::new(),
        kind => {
            let own = if let Kind::Let(x, ..) = kind { Some(x.id) } else { None };
            e.children().into_iter().flat_map(definitions).chain(own).collect()
        }
    }
}

/// What becomes of reductions, with what is known of each in its place, and variables for what is read beside them at the indices of the result.
fn outside(
    e: &Expr,
    sums: &[(Expr, Expr)],
    axes: &BTreeSet<u32>,
    beside: &mut Vec<(Param, Expr)>,
) -> Option<Expr> {
    if let Some((_, known)) = sums.iter().find(|(sum, _)| e.is_same(sum)) {
        return Some(known.clone());
    }
    if !mentions(e, axes) {
        return Some(e.clone());
    }
    let is_beside = !e.any(&|x| sums.iter().any(|(sum, _)| x.is_same(sum)));
    if is_beside && e.ty().as_scalar().is_some() && is_read(e) {
        let param = Param::new("c", e.ty().clone());
        beside.push((param.clone(), e.clone()));
        return Some(Expr::param(&param));
    }
    if matches!(e.kind(), Kind::Prim(..) | Kind::Param(_) | Kind::Field(..)) {
        return None;
    }
    let mut ok = true;
    let new = e.map_children(&mut |x| {
        outside(x, sums, axes, beside).unwrap_or_else(|| {
            ok = false;
            x.clone()
        })
    });
    ok.then_some(new)
}

/// The axes of a nest of maps and generated arrays, and its scalar elements.
fn nest(e: &Expr) -> Option<(Vec<Axis>, Expr)> {
    let (mut axes, mut body) = (Vec::new(), e.clone());
    while let Type::Array(_, n) = body.ty().clone() {
        // What is defined for a row and computes little is computed where it is copied.
        if let Kind::Let(x, value, rest) = body.kind() {
            if has_long_work(value) {
                return None;
            }
            body = replace(rest, x.id, value).refresh();
            continue;
        }
        if as_map(&body).is_none() && !matches!(body.as_prim(), Some((Prim::Array, _))) {
            return None;
        }
        let axis = Axis::new("i", &n);
        body = element(&body, &axis.number())?;
        axes.push(axis);
    }
    is_flat(body.ty()).then_some((axes, body))
}

/// The axes over which a reduction with this function and start goes, and what is reduced.
fn terms(reduction: &Expr, f: &Lambda, z: &Expr) -> Option<(Vec<Axis>, Expr)> {
    let (own, start, xs) = as_reduce(reduction)?;
    if !same_function(f, own) || !same(z, start) {
        return None;
    }
    let (mut axes, body) = elements(xs)?;
    match as_reduce(&body) {
        Some(_) => {
            let (inner, body) = terms(&body, f, z)?;
            axes.extend(inner);
            Some((axes, body))
        }
        None => Some((axes, body)),
    }
}

/// The axes of an array with what it says of an element: several where rows follow each other.
fn elements(xs: &Expr) -> Option<(Vec<Axis>, Expr)> {
    if let Some((Prim::Join, [Arg::Data(rows)])) = xs.as_prim() {
        let (mut axes, row) = elements(rows)?;
        let (inner, x) = elements(&row)?;
        axes.extend(inner);
        return Some((axes, x));
    }
    if let Some((f, ys)) = as_map(xs) {
        let (axes, y) = elements(ys)?;
        return Some((axes, applied(f, &y)?));
    }
    let axis = Axis::new("k", &xs.ty().length());
    let x = element(xs, &axis.number())?;
    Some((vec![axis], x))
}

/// The element at an index.
fn element(xs: &Expr, i: &Expr) -> Option<Expr> {
    if let Some((f, ys)) = as_map(xs) {
        return applied(f, &element(ys, i)?);
    }
    match xs.as_prim() {
        Some((Prim::Array, [_, Arg::Fun(f)])) => Some(f.apply(std::slice::from_ref(i))),
        Some((Prim::Zip, args)) => args
            .iter()
            .filter_map(Arg::data)
            .map(|xs| element(xs, i))
            .collect::<Option<Vec<_>>>()
            .map(Expr::tuple),
        _ if is_read(xs) => Some(at(i.clone(), xs.refresh())),
        _ => None,
    }
}

/// `at(j, at(i, transpose(xs))) = at(i, at(j, xs))`, everywhere: indices in the order in which elements lie.
fn as_stored(e: &Expr) -> Expr {
    let e = e.map_children(&mut as_stored);
    let turned = |e: &Expr| match e.as_prim()? {
        (Prim::At, [Arg::Data(j), Arg::Data(row)]) => match row.as_prim()? {
            (Prim::At, [Arg::Data(i), Arg::Data(xs)]) => {
                Some(at(i.clone(), at(j.clone(), as_layout(xs, Prim::Transpose)?.clone())))
            }
            _ => None,
        },
        _ => None,
    };
    turned(&e).unwrap_or(e)
}

/// `f(x)`, if nothing is computed twice.
fn applied(f: &Lambda, x: &Expr) -> Option<Expr> {
    let [p] = f.params.as_slice() else { return None };
    let once = || match x.kind() {
        Kind::Tuple(parts) => {
            parts.iter().enumerate().all(|(i, part)| is_read(part) || part_is_used_once(&f.body, p, i))
        }
        _ => occurrences(&f.body, p.id).at_most_once(),
    };
    (is_read(x) || once()).then(|| f.apply(std::slice::from_ref(x)))
}

/// Whether this part of a variable is used at most once, and not in a function; the variable is used in parts.
fn part_is_used_once(e: &Expr, x: &Param, part: usize) -> bool {
    let (all, mut parts, mut own) = (occurrences(e, x.id), 0, 0);
    e.visit(&mut |e| {
        if let Kind::Field(of, i) = e.kind()
            && matches!(of.kind(), Kind::Param(p) if p == x)
        {
            parts += 1;
            own += usize::from(*i == part);
        }
    });
    !all.in_function && parts == all.count && own <= 1
}

/// Whether this is read, and not computed, whatever indices say where.
fn is_read(x: &Expr) -> bool {
    match x.as_prim() {
        Some((Prim::At, [_, Arg::Data(xs)])) => is_read(xs),
        _ => is_view(x) || is_view_node(x) && x.children().into_iter().all(is_read),
    }
}

fn ids(axes: &[Axis]) -> BTreeSet<u32> {
    axes.iter().map(|axis| axis.index.id).collect()
}

/// `join^(d - 1)(array^d(|i| value))`
fn joined(axes: &[Axis], value: Expr, facts: &Facts) -> Expr {
    let all = axes.iter().rev().fold(value, |inner, axis| generated(axis, inner, facts));
    (1..axes.len()).fold(all, |all, _| Expr::join(all))
}

/// `array(n, |i| e)`; the array itself where `e` is its element at `i`, or the rows of it that `e` puts together.
fn generated(axis: &Axis, e: Expr, facts: &Facts) -> Expr {
    let (mut x, mut joins) = (&e, 0);
    while let Some((Prim::Join, [Arg::Data(rows)])) = x.as_prim() {
        (x, joins) = (rows, joins + 1);
    }
    if let Some((Prim::At, [Arg::Data(i), Arg::Data(xs)])) = x.as_prim()
        && matches!(i.kind(), Kind::Param(p) if *p == axis.index)
        && occurrences(xs, axis.index.id).count == 0
    {
        let all = match facts.eq(&xs.ty().length(), &axis.n).is_yes() {
            true => xs.clone(),
            false => Expr::take(axis.n.clone(), xs.clone()),
        };
        return match joins {
            0 => all,
            _ => Expr::map_with("row", all, |row| (0..joins).fold(row, |row, _| Expr::join(row))),
        };
    }
    let f = Lambda { params: vec![axis.index.clone()], body: e };
    Expr::prim(Prim::Array, vec![Arg::Size(axis.n.clone()), Arg::Fun(f)])
}

/// The way back.
fn split(axes: &[Axis], xs: Expr) -> Expr {
    axes[1..].iter().rev().fold(xs, |xs, axis| Expr::split(axis.n.clone(), xs))
}
