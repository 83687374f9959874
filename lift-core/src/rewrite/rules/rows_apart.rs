//! What is computed of each row, or column, alone comes apart from what is computed beside it: then it is seen that windows share it.

use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim, Type};
use crate::machine::by_key::MOST_SCALARS;
use crate::rewrite::layout::as_map;
use crate::rewrite::normal;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::at;
use crate::rewrite::rules::reduction::{fresh, is_flat};
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{occurrences, replace, same};
use crate::rewrite::strategy::{Derivation, Strategy};

pub static EACH_COLUMN: Rule = Rule {
    name: "each_column",
    about: "What is reduced of each of a few columns is written out.",
    equation: "map(f) . transpose $ xs = { let a = f(map(|x| x[0], xs)); let b = f(map(|x| x[1], xs)); ..; [a, b, ..] }",
    when: "for 2 to 8 columns that f reduces; the same for a zip with such columns",
    apply: |e, _| {
        let (f, columns) = as_map(e)?;
        let count = columns.ty().as_array()?.1.as_const().filter(|n| (2..=MOST_SCALARS).contains(n))?;
        let [column] = f.params.as_slice() else { return None };
        let is_reduced = f.body.any(&|x| matches!(x.as_prim(), Some((Prim::Reduce(_), _))));
        if !is_reduced || !has_columns(columns) {
            return None;
        }
        let one = |i| Some(Expr::let_(column.clone(), nth(columns, i)?, f.body.clone()).refresh());
        let values = (0..count).map(one).collect::<Option<Vec<_>>>()?;
        // With a name for each, none is computed wherever it is read.
        let names: Vec<Param> = values.iter().map(|value| Param::new("c", value.ty().clone())).collect();
        let all = Expr::array_literal(names.iter().map(Expr::param).collect());
        Some(names.into_iter().zip(values).rfold(all, |rest, (name, value)| Expr::let_(name, value, rest)))
    },
};

pub static ROWS_APART: Rule = Rule {
    name: "rows_apart",
    about: "What is computed of rows alone is computed before they meet what stands beside them, such as weights of a column.",
    equation: "map(|(a, row)| e[g(row)]) $ zip(u, rows) = map(|(a, y)| e[y]) $ zip(u, map(g, rows))",
    when: "if row does not occur otherwise in e, and g gives scalars; several such values are a tuple",
    apply: |e, _| {
        let (f, zipped) = as_map(e)?;
        let (Prim::Zip, parts) = zipped.as_prim()? else { return None };
        let [t] = f.params.as_slice() else { return None };
        let parts: Vec<&Expr> = parts.iter().map(Arg::data).collect::<Option<_>>()?;
        (0..parts.len()).find_map(|k| rows_apart(f, t, &parts, k))
    },
};

/// More reductions than the function of a stencil has.
const MOST_REDUCTIONS: usize = 32;

/// Writes out what is reduced of a few columns, in the function that stands there.
pub fn each_column(d: &mut Derivation, function: &[usize]) {
    everywhere(d, function, &EACH_COLUMN);
}

/// Takes what is computed of rows alone apart from what is computed beside it, in the function that stands there.
pub fn apart(d: &mut Derivation, function: &[usize]) {
    everywhere(d, function, &ROWS_APART);
}

fn everywhere(d: &mut Derivation, function: &[usize], rule: &'static Rule) {
    if Strategy::Rule(rule).once().repeat(MOST_REDUCTIONS).at(function.to_vec()).apply(d) {
        normal::strategy(Strategy::once).at(function.to_vec()).apply(d);
    }
}

/// [`ROWS_APART`] for the rows in part `k` of the `zip`.
fn rows_apart(f: &Lambda, t: &Param, parts: &[&Expr], k: usize) -> Option<Expr> {
    let (element, _) = parts[k].ty().as_array()?;
    let own = Expr::field(Expr::param(t), k);
    let row = Param::new("row", element.clone());
    // With a name of its own, it is seen where else the row occurs.
    let body = replace_all(&f.body, &own, &Expr::param(&row));
    let mut values = Vec::new();
    alone(&body, &row, &mut vec![t.id], &mut values);
    if !matches!(element, Type::Array(..)) || values.is_empty() {
        return None;
    }
    let of_row = if values.len() > 1 { Expr::tuple(values.clone()) } else { values[0].clone() };
    let y = Param::new("y", of_row.ty().clone());
    let part = |i| if values.len() > 1 { Expr::field(Expr::param(&y), i) } else { Expr::param(&y) };
    let rest = values.iter().enumerate().fold(body, |rest, (i, value)| replace_all(&rest, value, &part(i)));
    if occurrences(&rest, row.id).count > 0 {
        return None;
    }
    let mapped = Expr::map(fresh(&Lambda { params: vec![row], body: of_row }), parts[k].clone());
    let all = (0..parts.len()).map(|i| Arg::Data(if i == k { mapped.clone() } else { parts[i].clone() }));
    let zipped = Expr::prim(Prim::Zip, all.collect());
    let others = (0..parts.len()).filter(|i| *i != k);
    let named = others.map(|i: usize| Some((i, Param::new("a", parts[i].ty().as_array()?.0.clone()))));
    let named: Vec<(usize, Param)> = named.collect::<Option<_>>()?;
    let rest = named
        .iter()
        .fold(rest, |rest, (i, a)| replace_all(&rest, &Expr::field(Expr::param(t), *i), &Expr::param(a)));
    if occurrences(&rest, t.id).count > 0 {
        return None;
    }
    Some(Expr::map_with("t", zipped, |t| {
        let rest = replace(&rest, y.id, &Expr::field(t.clone(), k));
        named.iter().fold(rest, |rest, (i, a)| replace(&rest, a.id, &Expr::field(t.clone(), *i))).refresh()
    }))
}

/// The largest parts of an expression that are scalars and use this row, and nothing else that is bound around them.
fn alone(e: &Expr, row: &Param, bound: &mut Vec<u32>, found: &mut Vec<Expr>) {
    if occurrences(e, row.id).count == 0 {
        return;
    }
    if is_flat(e.ty()) && bound.iter().all(|id| occurrences(e, *id).count == 0) {
        if !found.iter().any(|known| known.ty() == e.ty() && same(known, e)) {
            found.push(e.clone());
        }
        return;
    }
    let before = bound.len();
    match e.kind() {
        Kind::Let(x, value, rest) => {
            alone(value, row, bound, found);
            bound.push(x.id);
            alone(rest, row, bound, found);
        }
        Kind::Prim(_, args) => {
            for arg in args {
                if let Some(f) = arg.function() {
                    bound.extend(f.params.iter().map(|p| p.id));
                    alone(&f.body, row, bound, found);
                    bound.truncate(before);
                }
                if let Some(x) = arg.data() {
                    alone(x, row, bound, found);
                }
            }
        }
        _ => e.children().into_iter().for_each(|x| alone(x, row, bound, found)),
    }
    bound.truncate(before);
}

/// Whether the elements of an array are columns, or have columns among them.
fn has_columns(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Transpose, _)) => true,
        Some((Prim::Zip, parts)) => parts.iter().filter_map(Arg::data).any(has_columns),
        _ => false,
    }
}

/// An element of an array: of columns, and pairs, what it consists of.
fn nth(e: &Expr, i: i64) -> Option<Expr> {
    match e.as_prim() {
        Some((Prim::Transpose, [Arg::Data(rows)])) => {
            Some(Expr::map_with("row", rows.clone(), |row| at(Expr::size(i.into()), row)))
        }
        Some((Prim::Zip, parts)) => {
            Some(Expr::tuple(parts.iter().map(|part| nth(part.data()?, i)).collect::<Option<_>>()?))
        }
        _ => Some(at(Expr::size(i.into()), e.clone())),
    }
}
