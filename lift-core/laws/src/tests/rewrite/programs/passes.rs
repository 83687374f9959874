//! Functions of rows of windows, and of columns.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, Expr, Lambda, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::nd;

use super::zip;
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    match rule.name {
        "rows_stored" => Some(of_rows(w, scope)),
        "each_column" => Some(columns(w)),
        "rows_apart" => Some(beside_rows(w, scope)),
        _ => None,
    }
}

/// A function of windows of one to three arrays, and perhaps of an element, that needs values of each row, of pairs of rows, and perhaps elements of windows.
fn of_rows(w: &mut World, scope: &[Expr]) -> Expr {
    let int = Type::from(Scalar::I32);
    let dims = w.random.pick(&[2, 2, 3]);
    let counts: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    let one_of = |w: &mut World| {
        let window = |_| {
            let (size, step) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 1, 2]));
            (w.size_of(size), w.size_of(step))
        };
        (0..dims).map(window).collect::<Vec<_>>()
    };
    let usual = one_of(w);
    let inputs = w.random.below(3) + 1;
    let slid = (0..inputs).map(|_| {
        let windows = if w.random.below(4) == 0 { one_of(w) } else { usual.clone() };
        let lens: Vec<ArithExpr> =
            counts.iter().zip(&windows).map(|(n, (size, step))| (n - 1) * step + size).collect();
        nd::slide_nd(&windows, w.input(int.clone().with_shape(&lens)))
    });
    let mut slid: Vec<Expr> = slid.collect();
    let has_elements = w.random.flip();
    if has_elements {
        slid.push(w.input(int.clone().with_shape(&counts)));
    }
    let is_zipped = slid.len() > 1;
    let all = if is_zipped { nd::zip_nd(dims, slid) } else { slid.remove(0) };
    let f = Lambda::unary("x", nd::element(dims, &all).unwrap(), |x| {
        let part = |i: usize| if is_zipped { Expr::field(x.clone(), i) } else { x.clone() };
        let mut body = if has_elements { part(inputs as usize) } else { literal(&int, 5) };
        let bound = Param::new("v", Scalar::I32.into());
        for _ in 0..=w.random.below(4) {
            let i = w.random.below(inputs) as usize;
            let j = w.random.below(inputs) as usize;
            let beside = match w.random.below(8) {
                0 => Expr::param(&bound),
                1 => scope.iter().find(|x| *x.ty() == int).cloned().unwrap_or_else(|| literal(&int, 2)),
                _ => literal(&int, 3),
            };
            let value = value(w, [&part(i), &part(j)], beside);
            body = twice_minus(body, value);
        }
        Expr::let_(bound, literal(&int, 7), body)
    });
    nd::map_nd(dims, f, all)
}

/// A number that is computed from windows by rows, or by planes, or by rows of planes.
fn value(w: &mut World, [a, b]: [&Expr; 2], beside: Expr) -> Expr {
    let has_planes = a.ty().shape().0.len() == 3;
    let by_planes = w.random.flip();
    let rows_of = |x: &Expr| if has_planes && !by_planes { Expr::join(x.clone()) } else { x.clone() };
    let (a, b) = (&rows_of(a), &rows_of(b));
    let sum = |w: &mut World, row: Expr| match row.ty().shape().0.len() {
        1 => w.reduce(row),
        _ => w.reduce(Expr::join(row)),
    };
    match w.random.below(5) {
        // Of pairs of rows, if there are as many.
        0 if a.ty() == b.ty() => {
            let of_rows = Expr::map_with("t", zip(a, b), |t| {
                twice_minus(sum(w, Expr::field(t.clone(), 0)), sum(w, Expr::field(t, 1)))
            });
            w.reduce(of_rows)
        }
        // Two values of each row.
        1 => {
            let of_rows = Expr::map_with("row", a.clone(), |row| {
                Expr::tuple(vec![sum(w, row.clone()), twice_minus(sum(w, row), beside)])
            });
            let numbers =
                Expr::map_with("t", of_rows, |t| twice_minus(Expr::field(t.clone(), 0), Expr::field(t, 1)));
            w.reduce(numbers)
        }
        // An element.
        2 => {
            let dims = a.ty().shape().0.len();
            twice_minus((0..dims).fold(a.clone(), |x, _| at(0, x)), beside)
        }
        _ => {
            let of_rows = Expr::map_with("row", a.clone(), |row| twice_minus(sum(w, row), beside));
            w.reduce(of_rows)
        }
    }
}

/// What is reduced of each column, and perhaps of a number beside it.
fn columns(w: &mut World) -> Expr {
    let int = Type::from(Scalar::I32);
    let (n, k) = (w.any_size(), ArithExpr::cst(w.random.pick(&[2, 3, 5, 8])));
    let rows = w.input(int.clone().with_shape(&[n, k.clone()]));
    let numbers = w.input(Type::array(int, k));
    let columns = Expr::transpose(rows);
    match w.random.flip() {
        true => Expr::map_with("column", columns, |column| w.reduce(column)),
        false => Expr::map_with("t", zip(&numbers, &columns), |t| {
            let sum = w.reduce(Expr::field(t.clone(), 1));
            twice_minus(Expr::field(t.clone(), 0), twice_minus(sum, Expr::field(t, 0)))
        }),
    }
}

/// A function of rows and of numbers beside them.
fn beside_rows(w: &mut World, scope: &[Expr]) -> Expr {
    let int = Type::from(Scalar::I32);
    let (n, m) = (w.any_size(), w.some_size());
    let rows = w.input(int.clone().with_shape(&[n.clone(), m]));
    let numbers = w.input(Type::array(int.clone(), n));
    let is_first = w.random.flip();
    let all = if is_first { zip(&rows, &numbers) } else { zip(&numbers, &rows) };
    let other = scope.iter().find(|x| *x.ty() == int).cloned().unwrap_or_else(|| literal(&int, 3));
    Expr::map_with("t", all, |t| {
        let (row, number) =
            (Expr::field(t.clone(), usize::from(!is_first)), Expr::field(t, usize::from(is_first)));
        let mut body = number.clone();
        for _ in 0..=w.random.below(3) {
            let sum = w.reduce(row.clone());
            let value = match w.random.below(6) {
                // Of the row, and of the number.
                0 => w.reduce(Expr::map_with("x", row.clone(), |x| twice_minus(x, number.clone()))),
                1 => twice_minus(sum, other.clone()),
                2 => twice_minus(at(0, row.clone()), sum),
                _ => sum,
            };
            body = twice_minus(body, value);
        }
        body
    })
}

fn at(i: i64, xs: Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)])
}
