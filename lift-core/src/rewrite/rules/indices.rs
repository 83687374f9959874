//! Generated arrays, `array(n, |i| a[i] * b[i])`, as maps over the arrays that are read at the index: the versions for rows, columns and products
//! start from maps.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim, Type};
use crate::rewrite::demand::{is_large_reduction, is_large_scan};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{at, numbers};
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{mentions, occurrences, replace, same};

/// Of more arrays that are read at the index no zip is made. Not measured.
const MOST_ARRAYS: usize = 6;

pub static INDEX_MAP: Rule = Rule {
    name: "index_map",
    about: "What is read at the index of a generated array are the elements of a map, and what is read there of the rows of a matrix is its column.",
    equation: "array(n, |i| e) = map(|(x, y, …)| e[at(i, a) := x, …]) << zip(a, b, …)",
    when: "for arrays of n elements, or the first n of more, that are the same for all i, if i does not occur otherwise in e; map(|r| at(i, r)) $ rows is at(i, transpose(rows)); a is in the zip once for each j if nothing but at(j, at(i, a)) is read of it, with several j from outside of e",
    apply: |e, cx| {
        let (n, f) = as_array(e)?;
        raised(n, f, false, cx.facts)
    },
};

pub static ARRAY_MAP: Rule = Rule {
    name: "array_map",
    about: "A generated array is a map over its indices, and over what is read at these.",
    equation: "array(n, |i| e) = map(|(x, …, i)| e[at(i, a) := x, …]) << zip(a, …, array(n, |i| i))",
    when: "for arrays as for index_map, and an e in which something long is reduced",
    apply: |e, cx| {
        let (n, f) = as_array(e)?;
        has_large(&f.body).then(|| raised(n, f, true, cx.facts))?
    },
};

fn as_array(e: &Expr) -> Option<(&ArithExpr, &Lambda)> {
    match e.as_prim()? {
        (Prim::Array, [Arg::Size(n), Arg::Fun(f)]) => Some((n, f)),
        _ => None,
    }
}

fn has_large(e: &Expr) -> bool {
    e.any(&|x| is_large_reduction(x) || is_large_scan(x))
}

/// Whether something long is reduced for each element of a generated array, or such an array is reduced itself.
pub fn reduces_generated(e: &Expr) -> bool {
    let is_generated = |xs: &Expr| as_array(as_map(xs).map_or(xs, |(_, xs)| xs)).is_some();
    e.any(&|x| {
        let reduced = x.as_reduction().is_some_and(|(.., xs)| is_large_reduction(x) && is_generated(xs));
        reduced || as_array(x).is_some_and(|(_, f)| has_large(&f.body))
    })
}

/// The map for a generated array; over its indices as well, if these are needed and wanted.
fn raised(n: &ArithExpr, f: &Lambda, with_numbers: bool, facts: &Facts) -> Option<Expr> {
    let [i] = f.params.as_slice() else { return None };
    let mut body = by_columns(&f.body, i);
    let found = read_at(&body, i, n, facts).into_iter();
    let reads: Vec<Read> = found.flat_map(|array| apart(&body, i, array)).collect();
    if reads.len() > MOST_ARRAYS {
        return None;
    }
    let read: Vec<Expr> = reads.iter().map(|read| read.of(&at(Expr::param(i), read.array.clone()))).collect();
    let needs_index = occurrences(&body, i.id).count > read.iter().map(|x| count(&body, x)).sum();
    if needs_index && !with_numbers || reads.is_empty() && !needs_index {
        return None;
    }
    let first = |array: &Expr| match facts.eq(&array.ty().length(), n).is_yes() {
        true => array.clone(),
        false => Expr::take(n.clone(), array.clone()),
    };
    let mut arrays: Vec<Expr> = reads.iter().map(|read| first(&read.array)).collect();
    let element = |read: &Read| at(Expr::param(i), read.array.clone()).ty().clone();
    let mut elements: Vec<Type> = reads.iter().map(element).collect();
    if needs_index {
        arrays.push(numbers(n.clone()));
        elements.push(i.ty.clone());
    }
    let is_one = arrays.len() == 1;
    let x = Param::new("x", if is_one { elements.remove(0) } else { Type::tuple(elements) });
    let part = |k: usize| if is_one { Expr::param(&x) } else { Expr::field(Expr::param(&x), k) };
    for (k, (read, old)) in reads.iter().zip(&read).enumerate() {
        body = replace_all(&body, old, &read.of(&part(k)));
    }
    if needs_index {
        body = replace(&body, i.id, &part(arrays.len() - 1));
    }
    let all = match arrays.as_slice() {
        [array] => array.clone(),
        several => Expr::prim(Prim::Zip, several.iter().cloned().map(Arg::Data).collect()),
    };
    Some(Expr::map(Lambda { params: vec![x], body }, all))
}

/// What is read of an array at the index.
struct Read {
    array: Expr,
    /// Where the element is a row, of which one element is read: the index of that.
    inner: Option<Expr>,
}

impl Read {
    /// What is read where this is the array's element.
    fn of(&self, element: &Expr) -> Expr {
        match &self.inner {
            None => element.clone(),
            Some(inner) => at(inner.clone(), element.clone()),
        }
    }
}

/// What is read of an array at the index: once for each inner index if only elements of rows are read, with several indices from around. Each of them may
/// go over the elements of the rows by itself, as in the product of a transposed matrix with the matrix.
fn apart(body: &Expr, i: &Param, array: Expr) -> Vec<Read> {
    let (bound, row) = (bound(body), at(Expr::param(i), array.clone()));
    let mut inner: Vec<Expr> = Vec::new();
    let mut read = 0;
    body.visit(&mut |x| {
        if let Some((Prim::At, [Arg::Data(index), Arg::Data(of)])) = x.as_prim()
            && same(of, &row)
            && matches!(index.kind(), Kind::Param(param) if !bound.contains(&param.id))
        {
            read += 1;
            if !inner.iter().any(|known| same(known, index)) {
                inner.push(index.clone());
            }
        }
    });
    if inner.len() < 2 || read != count(body, &row) {
        return vec![Read { array, inner: None }];
    }
    inner.into_iter().map(|index| Read { array: array.clone(), inner: Some(index) }).collect()
}

/// The arrays of which exactly this element is read, of `n` elements or more, and in which nothing is bound here.
fn read_at(body: &Expr, i: &Param, n: &ArithExpr, facts: &Facts) -> Vec<Expr> {
    let mut bound = bound(body);
    bound.insert(i.id);
    let mut found: Vec<Expr> = Vec::new();
    body.visit(&mut |x| {
        if let Some(array) = element_of(x, i).filter(|array| !mentions(array, &bound))
            && facts.le(n, &array.ty().length()).is_yes()
            && !found.iter().any(|known| same(known, array))
        {
            found.push(array.clone());
        }
    });
    found
}

/// The variables that are bound in an expression.
pub(super) fn bound(e: &Expr) -> BTreeSet<u32> {
    let mut bound = BTreeSet::new();
    e.visit(&mut |x| {
        if let Kind::Let(param, ..) = x.kind() {
            bound.insert(param.id);
        }
        let functions = x.as_prim().into_iter().flat_map(|(_, args)| args).filter_map(Arg::function);
        bound.extend(functions.flat_map(|f| f.params.iter().map(|param| param.id)));
    });
    bound
}

/// The array of which this is the element with an index.
fn element_of<'e>(e: &'e Expr, i: &Param) -> Option<&'e Expr> {
    match e.as_prim()? {
        (Prim::At, [Arg::Data(index), Arg::Data(array)]) => {
            matches!(index.kind(), Kind::Param(param) if param.id == i.id).then_some(array)
        }
        _ => None,
    }
}

/// The expression in which maps over rows that read one element of each are maps over a column.
fn by_columns(e: &Expr, i: &Param) -> Expr {
    let e = e.map_children(&mut |x| by_columns(x, i));
    column_of(&e, i).unwrap_or(e)
}

/// A map over rows, of each of which the function reads the element with this index and nothing else, as a map over the column.
fn column_of(e: &Expr, i: &Param) -> Option<Expr> {
    let (f, xs) = as_map(e)?;
    let [p] = f.params.as_slice() else { return None };
    let column = |rows: &Expr| at(Expr::param(i), Expr::transpose(rows.clone()));
    let is_row = |x: &Expr| matches!(x.ty(), Type::Array(..));
    // What is read of a row, and how often the row is looked at.
    let reads = |row: &Expr| {
        let (mut read, mut all) = (0, 0);
        f.body.visit(&mut |x| {
            all += usize::from(same(x, row));
            read += usize::from(element_of(x, i).is_some_and(|of| same(of, row)));
        });
        read > 0 && read == all
    };
    let whole = Expr::param(p);
    let Some((Prim::Zip, parts)) = xs.as_prim() else {
        if !is_row(&whole) || !reads(&whole) {
            return None;
        }
        let new = Expr::map_with("x", column(xs), |x| replace_all(&f.body, &at(Expr::param(i), whole), &x));
        return Some(new);
    };
    let rows: Vec<bool> = (0..parts.len())
        .map(|k| Expr::field(whole.clone(), k))
        .map(|row| is_row(&row) && reads(&row))
        .collect();
    let fields: usize = (0..parts.len()).map(|k| count(&f.body, &Expr::field(whole.clone(), k))).sum();
    if !rows.contains(&true) || fields != occurrences(&f.body, p.id).count {
        return None;
    }
    let new_parts: Vec<Expr> = parts
        .iter()
        .filter_map(Arg::data)
        .zip(&rows)
        .map(|(part, is_row)| if *is_row { column(part) } else { part.clone() })
        .collect();
    let zipped = Expr::prim(Prim::Zip, new_parts.into_iter().map(Arg::Data).collect());
    Some(Expr::map_with(&p.name, zipped, |x| {
        rows.iter().enumerate().fold(f.body.clone(), |body, (k, is_row)| {
            let old = Expr::field(whole.clone(), k);
            let old = if *is_row { at(Expr::param(i), old) } else { old };
            replace_all(&body, &old, &Expr::field(x.clone(), k))
        })
    }))
}

/// How often an expression occurs.
fn count(e: &Expr, part: &Expr) -> usize {
    let mut found = 0;
    e.visit(&mut |x| found += usize::from(same(x, part)));
    found
}
