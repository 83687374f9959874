//! Reductions and scans of rows, column by column.
//!
//! Before: a reduction or a scan of rows whose function combines them element by element. After: the columns are reduced or scanned, each by itself: what is accumulated is no
//! array, and whatever is known of reductions of scalars holds for each of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Arg, BinaryOp, ByKey, Expr, Kind, Lambda, Literal, Order, Param, Place, Prim, Scalar, Type};
use crate::rewrite::layout::{as_map, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::indices::bound;
use crate::rewrite::rules::interchange::{map_over, parts, put_together};
use crate::rewrite::rules::keys::fold_by_key;
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{mentions, same};

pub static COMPONENTS: Rule = Rule {
    name: "components",
    about: "Rows that are combined element by element: each column is reduced, or scanned, by itself.",
    equation: "reduce(|a, x| map(|(a, x, w)| e) << zip(a, x, ws), z) = map(|(z, c, w)| reduce(|a, x| e, z) << c) << zip(z, transpose, ws); \
               scan(|a, x| map(|(a, x, w)| e) << zip(a, x, ws), z) = transpose . map(|(z, c, w)| scan(|a, x| e, z) << c) << zip(z, transpose, ws)",
    when: "if the elements of a row are read, or each is computed of elements that are read, with few operations for all of them, or no work-item can keep a row; for any number of arrays ws, \
           and in a fold for columns of several arrays, and for scalars of a row; reduce_by_key as scan",
    apply: |e, _| combined(e),
};

pub static COUNTED: Rule = Rule {
    name: "counted",
    about: "A loop that goes through arrays with a counter, as a fold.",
    equation: "iterate(n, |(i, a)| (i + 1, e[a, xs[i % n]]), (0, z)).1 = fold(|a, x| e[a, x], z, xs)",
    when: "on n elements, if i is used for nothing else; for any number of arrays xs",
    apply: |e, _| counted(e),
};

/// The rule. If nothing can keep a row, rows that are computed as a whole are given a name first, and what a step computes once for a row is computed again in each column.
fn combined(e: &Expr) -> Option<Expr> {
    // A histogram: one pass that changes one bin at a time is less work than one pass for each bin.
    let is_kept = |ty: &Type| ty.small_count(&Clone::clone).is_some();
    if is_kept(e.ty()) && fold_by_key(e).is_some() {
        return None;
    }
    by_column(e, false).or_else(|| {
        let (prim, [rest @ .., Arg::Data(xs)]) = e.as_prim()? else { return None };
        let (z, by_key) = (rest.iter().find_map(Arg::data)?, matches!(prim, Prim::ReduceByKey(_)));
        if (!by_key && is_kept(z.ty())) || !z.ty().contains_array() {
            return None;
        }
        let rows = Param::new("rows", xs.ty().clone());
        let of_rows = Expr::prim(prim, [rest, &[Arg::Data(Expr::param(&rows))]].concat()).at(e.span());
        by_column(&of_rows, true).map(|e| Expr::let_(rows, xs.clone(), e))
    })
}

/// `may_share`: also where columns compute again what was computed once for a row.
fn by_column(e: &Expr, may_share: bool) -> Option<Expr> {
    let (prim, args) = e.as_prim()?;
    let order = match prim {
        Prim::Reduce(order) | Prim::Scan(order) => order,
        Prim::ReduceByKey(ByKey::Whole) => Order::Any,
        _ => return None,
    };
    let (before, [Arg::Fun(f), Arg::Data(z), between @ .., Arg::Data(xs)]) =
        args.split_at(args.iter().position(|arg| arg.fun().is_some())?)
    else {
        return None;
    };
    let ([acc, x], (g, zipped)) = (f.params.as_slice(), as_map(&f.body)?) else { return None };
    let [pair] = g.params.as_slice() else { return None };
    let is = |e: &Expr, param: &Param| matches!(e.kind(), Kind::Param(p) if p == param);
    let a = Param::new(&acc.name, acc.ty.as_array()?.0.clone());
    // A function for any grouping is one of two elements, which are computed before; that of a fold computes of what is read.
    let b = (order == Order::Any).then(|| Param::new(&x.name, a.ty.clone()));
    let mut rows = Rows::of(x, xs)?;
    let mut given = Vec::new();
    for (_, array) in parts(Expr::param(pair), zipped) {
        given.push(match &b {
            _ if is(array, acc) => Expr::param(&a),
            Some(b) if is(array, x) => Expr::param(b),
            _ if reads(array, acc) => return None,
            _ => rows.component(&rows.written(array))?,
        });
    }
    let body = rows.written(&g.apply(&[put_together(zipped, &mut given.into_iter())]));
    let element = match &b {
        Some(_) => Some(rows.component(&rows.value.clone())?),
        None => None,
    };
    let computed = element.as_ref().unwrap_or(&body);
    let is_elementwise = reads(&body, &a) && !reads(&body, acc) && !(b.is_some() && rows.are_read_by(&body));
    if !is_elementwise || (!may_share && rows.shares(computed, &a)) {
        return None;
    }
    let has_length = !rows.columns.is_empty() || !rows.beside.is_empty();
    let start = constant(z).filter(|_| has_length).unwrap_or_else(|| rows.beside(z));
    let Rows { sources, columns, beside, .. } = rows;
    let read: Vec<(Param, Expr)> =
        sources.into_iter().filter(|(element, _)| reads(computed, element)).collect();
    if columns.is_empty() && read.is_empty() {
        return None;
    }
    let transposed = columns.iter().map(|(_, rows)| Expr::transpose(rows.clone()));
    let outside = beside.iter().map(|(_, array)| array.clone()).chain(transposed).collect();
    let result = map_over("column", outside, |given| {
        let (own, given) = given.split_at(beside.len());
        let bound = |e: &Expr| with(e, beside.iter().map(|(param, _)| param), own);
        let names = || columns.iter().chain(&read).map(|(param, _)| param);
        let arrays: Vec<Expr> = given.iter().cloned().chain(read.iter().map(|(_, xs)| xs.clone())).collect();
        let (f, xs) = match (&b, &element) {
            (Some(b), Some(element)) => {
                let xs = map_over(&x.name, arrays, |read| with(&bound(element), names(), read));
                (Lambda { params: vec![a.clone(), b.clone()], body: bound(&body) }, xs)
            }
            _ => {
                let (t, parts, xs) = together(&x.name, arrays);
                (Lambda { params: vec![a.clone(), t], body: with(&bound(&body), names(), &parts) }, xs)
            }
        };
        let args = [before, &[Arg::Fun(f), Arg::Data(bound(&start))], between, &[Arg::Data(xs)]].concat();
        Expr::prim(prim, args).at(e.span())
    });
    Some(if let Prim::Reduce(_) = prim { result } else { Expr::transpose(result) })
}

/// Rows that are combined, and what one component of the result needs of them.
struct Rows {
    /// The variable that stands for a row in the function, and what it is of the elements of `sources`.
    x: Param,
    value: Expr,
    /// The arrays that are read, with what stands for an element.
    sources: Vec<(Param, Expr)>,
    /// Those of them that are arrays of rows, with what stands for the element of a row.
    columns: Vec<(Param, Expr)>,
    /// Arrays that are the same for all rows, with what stands for an element.
    beside: Vec<(Param, Expr)>,
}

impl Rows {
    /// The rows `xs`, which `x` stands for, if all that they are computed of is read.
    fn of(x: &Param, xs: &Expr) -> Option<Rows> {
        let (mut value, mut row, mut source) = (Expr::param(x), x.clone(), xs);
        while let Some((h, ys)) = as_map(source) {
            let y = Param::new(&h.params.first()?.name, h.params.first()?.ty.clone());
            value = with(&value, [&row].into_iter(), &[h.apply(&[Expr::param(&y)])]);
            (row, source) = (y, ys);
        }
        if !is_view(source) {
            return None;
        }
        let parts = parts(Expr::param(&row), source).into_iter();
        let sources: Vec<(Param, Expr)> =
            parts.map(|(part, xs)| (Param::new(&row.name, part.ty().clone()), xs.clone())).collect();
        let whole = put_together(source, &mut sources.iter().map(|(param, _)| Expr::param(param)));
        let value = with(&value, [&row].into_iter(), &[whole]);
        Some(Rows { x: x.clone(), value, sources, columns: Vec::new(), beside: Vec::new() })
    }

    fn are_read_by(&self, e: &Expr) -> bool {
        self.sources.iter().any(|(element, _)| reads(e, element))
    }

    /// What is said of a row, said of what is read.
    fn written(&self, e: &Expr) -> Expr {
        with(e, [&self.x].into_iter(), std::slice::from_ref(&self.value))
    }

    /// One element of an array of a row, if no other one is computed for it.
    fn component(&mut self, e: &Expr) -> Option<Expr> {
        if !self.are_read_by(e) {
            return Some(self.beside(e));
        }
        if let Some((Prim::Zip, args)) = e.as_prim() {
            let parts = args.iter().filter_map(Arg::data).map(|part| self.component(part));
            return Some(Expr::tuple(parts.collect::<Option<_>>()?));
        }
        if !is_view(e) {
            let (g, xs) = as_map(e)?;
            return Some(g.apply(&[self.component(xs)?]));
        }
        let mut read = self.sources.iter().filter(|(element, _)| reads(e, element));
        let ((element, source), None) = (read.next()?, read.next()) else { return None };
        let rows = match e.kind() {
            Kind::Param(_) => source.clone(),
            _ => Expr::map(Lambda { params: vec![element.clone()], body: e.clone() }, source.clone()),
        };
        Some(named(&mut self.columns, rows, e))
    }

    /// An element of an array that is the same for all rows.
    fn beside(&mut self, array: &Expr) -> Expr {
        named(&mut self.beside, array.clone(), array)
    }

    /// Whether columns would compute again what was computed once for a row, and takes long.
    fn shares(&self, e: &Expr, a: &Param) -> bool {
        let own = self.columns.iter().chain(&self.beside).map(|(param, _)| param.id).chain([a.id]).collect();
        let is_long = |e: &Expr| match e.kind() {
            Kind::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
            Kind::Math(..) | Kind::If(..) => true,
            Kind::Prim(..) => !is_view(e),
            _ => false,
        };
        e.any(&|e| is_long(e) && self.are_read_by(e) && !mentions(e, &own))
    }
}

/// The variable for an element of one of these arrays, of which this is one, or becomes one.
fn named(known: &mut Vec<(Param, Expr)>, array: Expr, row: &Expr) -> Expr {
    if let Some((param, _)) = known.iter().find(|(_, known)| same(known, &array)) {
        return Expr::param(param);
    }
    let element = row.ty().as_array().map_or_else(|| row.ty(), |(element, _)| element);
    let param = Param::new("c", element.clone());
    let found = Expr::param(&param);
    known.push((param, array));
    found
}

/// The arrays as one, an element of it, and its parts.
fn together(name: &str, mut arrays: Vec<Expr>) -> (Param, Vec<Expr>, Expr) {
    let count = arrays.len();
    let xs = if count == 1 {
        arrays.remove(0)
    } else {
        Expr::prim(Prim::Zip, arrays.into_iter().map(Arg::Data).collect())
    };
    let element = xs.ty().as_array().map_or_else(|| xs.ty(), |(element, _)| element);
    let t = Param::new(name, element.clone());
    let parts = match count {
        1 => vec![Expr::param(&t)],
        _ => (0..count).map(|i| Expr::field(Expr::param(&t), i)).collect(),
    };
    (t, parts, xs)
}

/// The element of an array whose elements are all the same number, or such an array.
fn constant(z: &Expr) -> Option<Expr> {
    let is_known = |e: &Expr| is_view(e) || constant(e).is_some();
    let element = match z.kind() {
        Kind::ArrayLiteral(xs) => xs.first().filter(|first| xs.iter().all(|x| same(x, first)))?.clone(),
        Kind::Prim(Prim::Array | Prim::Map(Place::View), args) => {
            let f = args.iter().find_map(Arg::function)?;
            f.params.iter().all(|i| !reads(&f.body, i)).then(|| f.body.clone())?
        }
        Kind::Let(param, value, rest) => match constant(rest)?.kind() {
            Kind::Param(p) if p == param => value.clone(),
            _ => return None,
        },
        _ => return None,
    };
    is_known(&element).then_some(element)
}

fn counted(e: &Expr) -> Option<Expr> {
    let Kind::Field(rounds, 1) = e.kind() else { return None };
    let (Prim::Iterate, [Arg::Data(n), Arg::Fun(round), Arg::Data(start)]) = rounds.as_prim()? else {
        return None;
    };
    let ([state], Kind::Size(len)) = (round.params.as_slice(), n.kind()) else { return None };
    let (Kind::Tuple(start), Kind::Tuple(next)) = (start.kind(), round.body.kind()) else { return None };
    let ([zero, z], [after, next]) = (start.as_slice(), next.as_slice()) else { return None };
    let number = |n| Expr::literal(Literal::int(n, Scalar::Usize));
    let i = Expr::field(Expr::param(state), 0);
    if !same(zero, &number(0)) || !same(after, &Expr::binary(BinaryOp::Add, i.clone(), number(1))) {
        return None;
    }
    let index = Expr::binary(BinaryOp::Rem, i, n.clone());
    let inner = bound(next);
    let mut arrays: Vec<Expr> = Vec::new();
    next.visit(&mut |x| {
        if let Some((Prim::At, [Arg::Data(at), Arg::Data(xs)])) = x.as_prim()
            && same(at, &index)
            && xs.ty().as_array().is_some_and(|(_, n)| n == len)
            && !mentions(xs, &inner)
            && !arrays.iter().any(|known| same(known, xs))
        {
            arrays.push(xs.clone());
        }
    });
    if arrays.is_empty() || arrays.iter().any(|xs| reads(xs, state)) {
        return None;
    }
    let read =
        arrays.iter().map(|xs| Expr::prim(Prim::At, vec![Arg::Data(index.clone()), Arg::Data(xs.clone())]));
    let read: Vec<Expr> = read.collect();
    let (x, parts, xs) = together("x", arrays);
    let acc = Param::new("acc", z.ty().clone());
    let next = replace_all(next, &Expr::field(Expr::param(state), 1), &Expr::param(&acc));
    let body = read.iter().zip(&parts).fold(next, |body, (read, part)| replace_all(&body, read, part));
    // The loop is a fold only if its counter is used for nothing but these indices.
    let f = Lambda { params: vec![acc, x], body };
    (!reads(&f.body, state)).then(|| Expr::reduce(Order::Left, f, z.clone(), xs).at(rounds.span()))
}

fn reads(e: &Expr, param: &Param) -> bool {
    mentions(e, &BTreeSet::from([param.id]))
}

/// The expression with these in the place of variables.
fn with<'a>(e: &Expr, params: impl Iterator<Item = &'a Param>, by: &[Expr]) -> Expr {
    let by = params.map(|param| param.id).zip(by.iter().cloned()).collect();
    e.instantiate(&BTreeMap::new(), &by)
}
