//! Loop interchange: what is computed column by column is computed row by row.
//!
//! Before: a nest of maps over columns whose result is transposed, so that neighbouring work-items would read and write what lies a row apart. After: a nest over rows,
//! in which they read and write what lies side by side.

use crate::bug;
use crate::ir::{Arg, Boundary, Expr, Prim};
use crate::rewrite::layout::{as_layout, as_map};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd::outwards;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{occurrences, same};

pub static ROWS_OUTERMOST: Rule = Rule {
    name: "rows_outermost",
    about: "Loop interchange: what is computed column by column, and stored row by row, is computed row by row.",
    equation: "transpose << map(|(c, y)| map(|(w, v)| e[w, v, y]) << zip(l << c, vs)) << zip(transpose << xs, ys) \
               = map(|(r, v)| map(|(w, y)| e[w, v, y]) << zip(transpose << r, ys)) << zip(l << xs, vs)",
    when: "for a layout l of `slide`, `pad`, `take`, `drop` and `split`, or none, and scalars y and v; for any number of columns c and of arrays vs and ys",
    apply: |e, _| {
        let (by_column, columns) = as_map(as_layout(e, Prim::Transpose)?)?;
        let (f, elements) = as_map(&by_column.body)?;
        let ([column], [element]) = (by_column.params.as_slice(), f.params.as_slice()) else { return None };
        let whole = Expr::param(column);
        let known = parts(whole, columns);
        let stored = |c: &Expr| {
            let (_, xs) = known.iter().find(|(part, _)| part.ty() == c.ty() && same(part, c))?;
            as_layout(xs, Prim::Transpose).cloned()
        };
        // For each array of a function of a column what its rows are, and how many dimensions they have, if it is of the column.
        let rows: Vec<(Expr, Option<usize>)> = parts(Expr::param(element), elements)
            .into_iter()
            .map(|(_, xs)| match occurrences(xs, column.id).count {
                0 => is_flat(xs.ty().as_array()?.0).then(|| (xs.clone(), None)),
                _ => of_rows(xs, &stored).map(|(xs, dims)| (xs, Some(dims))),
            })
            .collect::<Option<_>>()?;
        let scalars: Vec<&(Expr, &Expr)> = known.iter().filter(|(part, _)| is_flat(part.ty())).collect();
        if scalars.is_empty() && rows.iter().all(|(_, dims)| dims.is_none()) {
            return None;
        }
        let by_row = map_over("row", rows.iter().map(|(xs, _)| xs.clone()).collect(), |row| {
            let own =
                rows.iter().zip(row).filter_map(|((_, dims), row)| Some(outwards((*dims)?, row.clone())));
            let all = own.chain(scalars.iter().map(|(_, xs)| (*xs).clone())).collect();
            map_over(&element.name, all, |x| {
                let (mut own, beside) = (x.iter(), &x[x.len() - scalars.len()..]);
                let given = rows.iter().zip(row).map(|((_, dims), row)| match dims {
                    Some(_) => own.next().unwrap_or(row).clone(),
                    None => row.clone(),
                });
                let given = put_together(elements, &mut given.into_iter());
                let body = f.apply(&[given]);
                scalars.iter().zip(beside).fold(body, |body, ((part, _), x)| replace_all(&body, part, x))
            })
        });
        // Nothing else of a column is used.
        (occurrences(&by_row, column.id).count == 0).then_some(by_row)
    },
};

/// The rows, of all columns together, of a layout of a column, and how many dimensions are outside of that of the columns; given what is stored for a column.
fn of_rows(e: &Expr, stored: &dyn Fn(&Expr) -> Option<Expr>) -> Option<(Expr, usize)> {
    if let Some(xs) = stored(e) {
        return Some((xs, 0));
    }
    let (prim, args) = e.as_prim()?;
    let inner = match prim {
        Prim::Slide | Prim::Split => 1,
        Prim::Take | Prim::Drop => 0,
        Prim::Pad if args.iter().any(|arg| matches!(arg, Arg::Boundary(Boundary::Fold(_)))) => 0,
        _ => return None,
    };
    let (Arg::Data(xs), sizes) = args.split_last()? else { return None };
    let (xs, dims) = of_rows(xs, stored)?;
    Some((Expr::prim(prim, [sizes, &[Arg::Data(xs)]].concat()), dims + inner))
}

/// The arrays of a `zip`, also of one that is an array of another, or the one array that is none; each with what an element is of it.
pub(super) fn parts(element: Expr, xs: &Expr) -> Vec<(Expr, &Expr)> {
    match xs.as_prim() {
        Some((Prim::Zip, args)) => {
            let args = args.iter().filter_map(Arg::data).enumerate();
            args.flat_map(|(i, xs)| parts(Expr::field(element.clone(), i), xs)).collect()
        }
        _ => vec![(element, xs)],
    }
}

/// An element of `xs`, of what it is of each of the arrays.
pub(super) fn put_together(xs: &Expr, of_parts: &mut impl Iterator<Item = Expr>) -> Expr {
    match xs.as_prim() {
        Some((Prim::Zip, args)) => {
            let args = args.iter().filter_map(Arg::data);
            Expr::tuple(args.map(|xs| put_together(xs, of_parts)).collect())
        }
        _ => of_parts.next().unwrap_or_else(|| bug!("an array without an element")),
    }
}

/// A function of the elements of all of these arrays.
pub(super) fn map_over(name: &str, mut xs: Vec<Expr>, f: impl FnOnce(&[Expr]) -> Expr) -> Expr {
    if xs.len() == 1 {
        return Expr::map_with(name, xs.remove(0), |x| f(&[x]));
    }
    let count = xs.len();
    let zip = Expr::prim(Prim::Zip, xs.into_iter().map(Arg::Data).collect());
    Expr::map_with(name, zip, |x| f(&(0..count).map(|i| Expr::field(x.clone(), i)).collect::<Vec<_>>()))
}
