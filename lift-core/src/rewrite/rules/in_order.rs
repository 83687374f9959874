//! Loops in order along rows, such as recursive filters, solvers of tridiagonal systems and dynamic programming.
//!
//! A work-item goes through a row by itself. Its neighbours are then at the same element of other rows, so they read and write side by side where rows are
//! stored as columns.

use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Order, Param, Prim, Type};
use crate::rewrite::demand::is_large;
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{occurrences, replace};

pub static STORE_TURNED: Rule = Rule {
    name: "store_turned",
    about: "What is computed column by column, and read turned around or in order, is stored turned around: then neighbours write, and read, what lies side by side.",
    equation: "{ let x = materialize(v); e } = { let y = materialize . map^d(transpose) << v; e[x := map^d(transpose) << y] }",
    when: "for a v = map^d(map(f) . transpose) << xs, also of zips, if x occurs in e as transpose(x), or as map(g) << x for a g that goes through rows in order",
    apply: |e, _| {
        let Kind::Let(x, value, body) = e.kind() else { return None };
        let (Prim::Store(Memory::Temporary), [Arg::Data(v)]) = value.as_prim()? else { return None };
        depths_of_columns(v).into_iter().find_map(|depth| {
            let stored = Expr::store(Memory::Temporary, turned(depth, v.clone()));
            let y = Param::new(&x.name, stored.ty().clone());
            let rest = match depth {
                0 => replace_all(body, &Expr::transpose(Expr::param(x)), &Expr::param(&y)),
                _ => body.clone(),
            };
            let is_read_so = occurrences(&rest, x.id).count == in_order(&rest, x, depth);
            let rest = read_turned(&rest, x, &y, depth);
            let rest = replace(&rest, x.id, &turned(depth, Expr::param(&y)));
            (is_read_so && occurrences(&rest, y.id).count > 0).then(|| Expr::let_(y, stored, rest))
        })
    },
};

pub static ROWS_TURNED: Rule = Rule {
    name: "rows_turned",
    about: "Stores rows as columns, if functions go through them in order: then neighbours read what lies side by side.",
    equation: "map(f) << xs = { let t = materialize . transpose << xs; map(f) . transpose << t }",
    when: "for an f that goes through rows in order; of a zip, each matrix that is not transposed, or a part of one, is stored so",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        if !goes_in_order(f) {
            return None;
        }
        let mut stored = Vec::new();
        let mut read = |part: &Expr| {
            if !is_matrix(part.ty()) || is_turned(part) {
                return part.clone();
            }
            let turned = Expr::store(Memory::Temporary, Expr::transpose(part.clone()));
            let t = Param::new("turned", turned.ty().clone());
            stored.push((t.clone(), turned));
            Expr::transpose(Expr::param(&t))
        };
        let xs = match xs.as_prim() {
            Some((Prim::Zip, _)) => {
                Expr::prim(Prim::Zip, parts(xs).into_iter().map(|part| Arg::Data(read(part))).collect())
            }
            _ => read(xs),
        };
        let map = Expr::map(f.clone(), xs);
        let is_changed = !stored.is_empty();
        is_changed.then(|| stored.into_iter().rev().fold(map, |rest, (t, value)| Expr::let_(t, value, rest)))
    },
};

pub static RESULT_TURNED: Rule = Rule {
    name: "result_turned",
    about: "Stores rows as columns that functions write in order: then neighbours write what lies side by side.",
    equation: "map(f) . transpose << xs = transpose . materialize . transpose . map(f) . transpose << xs",
    when: "for an f that goes through rows in order and gives rows, or a zip of such arrays",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        let is_meant = goes_in_order(f) && is_matrix(e.ty()) && is_turned(xs);
        is_meant.then(|| Expr::transpose(Expr::store(Memory::Temporary, Expr::transpose(e.clone()))))
    },
};

/// The rows of each matrix become columns, so many dimensions further inside.
fn turned(depth: usize, matrices: Expr) -> Expr {
    match depth.checked_sub(1) {
        None => Expr::transpose(matrices),
        Some(inner) => Expr::map_with("matrix", matrices, |matrix| turned(inner, matrix)),
    }
}

/// Functions that are mapped over x, of matrices, turn their argument around in place of x.
fn read_turned(e: &Expr, x: &Param, y: &Param, depth: usize) -> Expr {
    match (as_map(e), depth.checked_sub(1)) {
        (Some((f, xs)), Some(inner)) if matches!(xs.kind(), Kind::Param(p) if p == x) => {
            let of = |matrix: Expr| f.apply(&[turned(inner, matrix)]);
            Expr::map_with("matrix", Expr::param(y), |matrix| read_turned(&of(matrix), x, y, depth))
        }
        _ => e.map_children(&mut |child| read_turned(child, x, y, depth)),
    }
}

/// How many dimensions further inside columns are computed, the innermost first.
fn depths_of_columns(v: &Expr) -> Vec<usize> {
    let Some((f, xs)) = as_map(v) else { return Vec::new() };
    let inside = depths_of_columns(result(&f.body)).into_iter().map(|depth| depth + 1);
    inside.chain((is_matrix(v.ty()) && is_turned(xs)).then_some(0)).collect()
}

/// What follows definitions.
fn result(e: &Expr) -> &Expr {
    match e.kind() {
        Kind::Let(_, _, rest) => result(rest),
        _ => e,
    }
}

/// Whether a function goes through something long element by element, and through nothing else that is long, which work-items could share.
pub fn goes_in_order(f: &Lambda) -> bool {
    let has_loop = |in_order: bool| {
        let is_loop = |e: &Expr| match e.as_prim() {
            Some((Prim::Reduce(order) | Prim::Scan(order), [.., Arg::Data(xs)])) => {
                is_large(xs) && (order != Order::Any) == in_order
            }
            _ => false,
        };
        any_outside_of_maps(&f.body, &is_loop)
    };
    has_loop(true) && !has_loop(false)
}

/// Whether this holds somewhere that is not in a function of elements, which work-items share among them.
fn any_outside_of_maps(e: &Expr, holds: &dyn Fn(&Expr) -> bool) -> bool {
    let inner = match as_map(e) {
        Some((_, xs)) => vec![xs],
        None => e.children(),
    };
    holds(e) || inner.into_iter().any(|x| any_outside_of_maps(x, holds))
}

/// The same, so many dimensions further inside.
fn goes_in_order_inside(depth: usize, f: &Lambda) -> bool {
    let Some(inner) = depth.checked_sub(1) else { return goes_in_order(f) };
    let mut e = result(&f.body);
    while let Some((Prim::Transpose, [Arg::Data(turned)])) = e.as_prim() {
        e = turned;
    }
    as_map(e).is_some_and(|(f, _)| goes_in_order_inside(inner, f))
}

/// How often an array is what a function is mapped over that goes through rows in order, so many dimensions further inside.
fn in_order(e: &Expr, x: &Param, depth: usize) -> usize {
    let own = as_map(e).filter(|(f, _)| goes_in_order_inside(depth, f)).map_or(0, |(_, xs)| {
        parts(xs).into_iter().filter(|part| matches!(part.kind(), Kind::Param(p) if p == x)).count()
    });
    own + e.children().into_iter().map(|child| in_order(child, x, depth)).sum::<usize>()
}

/// The arrays of a zip, or the array itself.
fn parts(xs: &Expr) -> Vec<&Expr> {
    match xs.as_prim() {
        Some((Prim::Zip, parts)) => parts.iter().filter_map(Arg::data).collect(),
        _ => vec![xs],
    }
}

/// Whether the elements of an array are arrays.
fn is_matrix(ty: &Type) -> bool {
    ty.as_array().is_some_and(|(element, _)| matches!(element, Type::Array(..)))
}

/// Whether the elements of an array are columns, and perhaps elements of other arrays.
pub fn is_turned(xs: &Expr) -> bool {
    let is_column = |part: &Expr| matches!(part.as_prim(), Some((Prim::Transpose, _)));
    let parts = parts(xs);
    parts.iter().any(|part| is_column(part))
        && parts.iter().all(|part| is_column(part) || !is_matrix(part.ty()))
}
