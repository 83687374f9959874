//! Stencils along one dimension of an array in two.
//!
//! Before: for every row, a function of its windows; or for every window of rows, a function of its columns. After: a stencil in two dimensions, so that it has every version that such
//! a stencil has.

use crate::arith::ArithExpr;
use crate::ir::{Arg, Boundary, Expr, Lambda, Prim};
use crate::rewrite::layout::{as_layout, as_map};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::interchange::{parts, put_together};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::scope::{occurrences, same};

pub static WINDOWS_OF_ONE: Rule = Rule {
    name: "windows_of_one",
    about: "A stencil along rows, or along columns, is one in two dimensions: its windows have one element in the other dimension.",
    equation: "map(map(f) . slide(n, s) . p) = map2d(|w| f(w[0])) . slide2d(1, 1, n, s) . map(p); \
               map(map(f) . transpose) . slide(n, s) = map2d(|w| f(map(|r| r[0]) $ w)) . slide2d(n, s, 1, 1)",
    when: "on matrices, for a p of `pad`, or without it; also for a zip of such windows, and of elements",
    apply: |e, _| {
        let (by_row, rows) = as_map(e)?;
        let (f, elements) = as_map(&by_row.body)?;
        let ([row], [element]) = (by_row.params.as_slice(), f.params.as_slice()) else { return None };
        if occurrences(&f.body, row.id).count > 0 {
            return None;
        }
        let known = parts(Expr::param(row), rows);
        let inputs = parts(Expr::param(element), elements);
        let inputs = inputs.iter().map(|(_, xs)| Input::of(xs, &known)).collect::<Option<Vec<_>>>()?;
        if inputs.iter().all(|input| input.windows == Windows::None) {
            return None;
        }
        let count = inputs.len();
        let slid: Vec<Expr> = inputs.iter().map(Input::slid).collect();
        let all = if count == 1 { slid[0].clone() } else { nd::zip_nd(2, slid) };
        let f = Lambda::unary(&element.name, nd::element(2, &all)?, |x| {
            let part = |i: usize| if count == 1 { x.clone() } else { Expr::field(x.clone(), i) };
            let read: Vec<Expr> = inputs.iter().enumerate().map(|(i, input)| input.read(part(i))).collect();
            read_through(&f.apply(&[put_together(elements, &mut read.into_iter())]))
        });
        Some(nd::map_nd(2, f, all))
    },
};

/// Along what windows lie, with their sizes and steps.
#[derive(Debug, Clone, PartialEq)]
enum Windows {
    /// Elements.
    None,
    Rows(ArithExpr, ArithExpr),
    Columns(ArithExpr, ArithExpr),
}

/// A matrix, and how it is read.
struct Input {
    windows: Windows,
    matrix: Expr,
}

impl Input {
    /// What a function of a row reads, given the arrays whose rows these are.
    fn of(e: &Expr, known: &[(Expr, &Expr)]) -> Option<Input> {
        if let Some(window) = as_layout(e, Prim::Transpose) {
            let (_, slid) = known.iter().find(|(part, _)| same(part, window))?;
            let (size, step, rows) = as_slide(slid)?;
            return is_matrix(rows).then(|| Input {
                windows: Windows::Columns(size.clone(), step.clone()),
                matrix: rows.clone(),
            });
        }
        let (windows, row) = match as_slide(e) {
            Some((size, step, row)) => (Windows::Rows(size.clone(), step.clone()), row),
            None => (Windows::None, e),
        };
        let own = padded(row);
        let (part, rows) = known.iter().find(|(part, _)| part.ty() == own.ty() && same(part, own))?;
        let matrix = match row.ty() == part.ty() && same(row, part) {
            true => (*rows).clone(),
            false => Expr::map_with("row", (*rows).clone(), |of| with_row(row, own, &of)),
        };
        is_matrix(rows).then_some(Input { windows, matrix })
    }

    /// Its windows in two dimensions, or itself.
    fn slid(&self) -> Expr {
        let one = || (ArithExpr::one(), ArithExpr::one());
        let own = |size: &ArithExpr, step: &ArithExpr| (size.clone(), step.clone());
        match &self.windows {
            Windows::None => self.matrix.clone(),
            Windows::Rows(size, step) => nd::slide_nd(&[one(), own(size, step)], self.matrix.clone()),
            Windows::Columns(size, step) => nd::slide_nd(&[own(size, step), one()], self.matrix.clone()),
        }
    }

    /// The window in one dimension, or the element, given that in two.
    fn read(&self, x: Expr) -> Expr {
        match &self.windows {
            Windows::None => x,
            Windows::Rows(..) => first(x),
            Windows::Columns(..) => Expr::map_with("row", x, first),
        }
    }
}

/// `xs[0]`
fn first(xs: Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(ArithExpr::zero())), Arg::Data(xs)])
}

fn is_matrix(rows: &Expr) -> bool {
    let row = rows.ty().as_array().and_then(|(row, _)| row.as_array());
    row.is_some_and(|(element, _)| is_flat(element))
}

/// What is padded, by elements of its own.
fn padded(e: &Expr) -> &Expr {
    match e.as_prim() {
        Some((Prim::Pad, [.., Arg::Boundary(Boundary::Fold(_)), Arg::Data(xs)])) => padded(xs),
        _ => e,
    }
}

/// The same padding of another row.
fn with_row(e: &Expr, own: &Expr, other: &Expr) -> Expr {
    if e.is_same(own) {
        return other.clone();
    }
    match e.as_prim() {
        Some((prim, [sizes @ .., Arg::Data(xs)])) => {
            Expr::prim(prim, [sizes, &[Arg::Data(with_row(xs, own, other))]].concat())
        }
        _ => e.clone(),
    }
}

fn as_slide(e: &Expr) -> Option<(&ArithExpr, &ArithExpr, &Expr)> {
    match e.as_prim() {
        Some((Prim::Slide, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)])) => Some((size, step, xs)),
        _ => None,
    }
}

/// Elements of arrays that are mapped are functions of elements: `map(f, xs)[i] = f(xs[i])`.
fn read_through(e: &Expr) -> Expr {
    if let Some((Prim::At, [Arg::Data(i), Arg::Data(ys)])) = e.as_prim()
        && let Some((f, xs)) = as_map(ys)
    {
        let element = Expr::prim(Prim::At, vec![Arg::Data(read_through(i)), Arg::Data(read_through(xs))]);
        return f.apply(&[element]);
    }
    e.map_children(&mut read_through)
}
