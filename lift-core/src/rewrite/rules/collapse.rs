//! Loop collapsing: two nested loops become one.
//!
//! Before: for every row, a function of its elements. After: a function of all elements, one row after the other, so that short rows cost nothing, and that no length of a row is
//! worse than another.

use crate::arith::ArithExpr;
use crate::ir::Expr;
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::numbers;
use crate::rewrite::rules::interchange::{map_over, parts, put_together};
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::store::replace_all;
use crate::rewrite::scope::{occurrences, same};

pub static COLLAPSE: Rule = Rule {
    name: "collapse",
    about: "Loop collapsing: a function of the elements of every row is one of the elements of all rows, one row after the other.",
    equation: "map(|(r, y)| map(|(x, v)| e[x, v, y]) << zip(r, vs)) << zip(xs, ys) \
               = split(m) . map(|(x, v, y)| e[x, v, y]) << zip(join << xs, join . map(|_| vs) << xs, join . map(|y| map(|_| y) << vs) << ys)",
    when: "on rows of m elements, at least one, and scalars y; for any number of arrays xs, vs and ys",
    apply: |e, cx| {
        let (by_row, rows) = as_map(e)?;
        let (f, elements) = as_map(&by_row.body)?;
        let ([row], [element]) = (by_row.params.as_slice(), f.params.as_slice()) else { return None };
        let (n, m) = (rows.ty().length(), elements.ty().length());
        if !cx.facts.nonneg(&(&m - 1)).is_yes() {
            return None;
        }
        let known = parts(Expr::param(row), rows);
        let all_rows = |xs: &Expr| {
            let of_row = || known.iter().find(|(part, _)| part.ty() == xs.ty() && same(part, xs));
            match occurrences(xs, row.id).count {
                0 => Some(again(&n, xs)),
                _ => of_row().map(|(_, rows)| (*rows).clone()),
            }
        };
        let own = parts(Expr::param(element), elements);
        let mut inputs: Vec<Expr> =
            own.iter().map(|(_, xs)| all_rows(xs).map(Expr::join)).collect::<Option<_>>()?;
        let is_used = |part: &Expr| f.body.any(&|x| x.ty() == part.ty() && same(x, part));
        let scalars: Vec<_> = known.iter().filter(|(part, _)| is_flat(part.ty()) && is_used(part)).collect();
        let each = |ys: &Expr| Expr::join(Expr::map_with("y", ys.clone(), |y| again(&m, &y)));
        inputs.extend(scalars.iter().map(|(_, ys)| each(ys)));
        let all = map_over(&element.name, inputs, |x| {
            let (own, beside) = x.split_at(own.len());
            let body = f.apply(&[put_together(elements, &mut own.iter().cloned())]);
            scalars.iter().zip(beside).fold(body, |body, ((part, _), y)| replace_all(&body, part, y))
        });
        // Nothing else of a row is used.
        (occurrences(&all, row.id).count == 0).then(|| Expr::split(m, cx.focus(all)))
    },
};

/// So many times the same.
fn again(n: &ArithExpr, x: &Expr) -> Expr {
    Expr::map_with("i", numbers(n.clone()), |_| x.refresh())
}
