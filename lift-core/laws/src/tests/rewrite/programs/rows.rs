//! Windows and arrays that are gone through row by row.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, Literal, Order, Param, Place, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::nd;

use super::stencils::plain_stencil;
use super::{known_rows, zip};
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "rows_to_private" => marching_rows(w, scope),
        "join_outwards" | "zip_rows" | "fold_rows" => of_rows(rule.name, w, scope),
        "after_fold" | "fold_windows" => windows_by_rows(w, rule.name == "after_fold"),
        "separate" => separable(w, scope),
        "separate_parts" => separable_parts(w),
        "low_rank" => weighted(w),
        "round_to_local" => {
            let dims = [w.some_size(), w.some_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            let numbers = w.input(Type::array(Scalar::I32.into(), dims[0].clone()));
            let rows = match w.random.below(3) {
                0 => rows,
                1 => zip(&numbers, &rows),
                _ => zip(&rows, &rows.refresh()),
            };
            rows_folded(w, rows)
        }
        "row_to_private" => {
            let (rows, numbers) = (known_rows(w), known_rows(w));
            let numbers = Expr::map_with("row", numbers, |row| w.reduce(row));
            let rows = if w.random.flip() { rows } else { zip(&numbers, &rows) };
            rows_folded(w, rows)
        }
        _ => return None,
    };
    Some(side)
}

/// A function of the elements of rows, pairs of them, or a reduction.
fn of_rows(name: &str, w: &mut World, scope: &[Expr]) -> Expr {
    let dims = [w.some_size(), w.some_size()];
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let ty = Type::from(scalar).with_shape(&dims);
    let joined = Expr::join(w.input(ty.clone()));
    match name {
        "join_outwards" => Expr::map_with("x", joined, |x| {
            let inner = [scope, std::slice::from_ref(&x)].concat();
            w.grow(x, 2, &inner)
        }),
        "zip_rows" => {
            let len = w.value_of(joined.ty().as_array().unwrap().1) as i64;
            let other = match w.random.below(3) {
                0 => Expr::join(w.input(ty)),
                1 => {
                    let len = w.size_of(len);
                    w.input(Type::array(scalar.into(), len))
                }
                // Rows of another length.
                _ => {
                    let rows = [w.size_of(len), ArithExpr::one()];
                    Expr::join(w.input(Type::from(scalar).with_shape(&rows)))
                }
            };
            if w.random.flip() { zip(&joined, &other) } else { zip(&other, &joined) }
        }
        _ => {
            let prim = w.random.pick(&[Prim::Reduce(Order::Any), Prim::Reduce(Order::Left)]);
            w.fold_like(prim, joined)
        }
    }
}

/// A loop over rows, or over pairs of numbers and rows, with a number.
fn rows_folded(w: &mut World, xs: Expr) -> Expr {
    let (acc, t) = (Scalar::I32.into(), xs.ty().as_array().unwrap().0.clone());
    let (acc, t) = (Param::new("acc", acc), Param::new("t", t));
    let value = value_of_rows(w, Expr::param(&t));
    let body = twice_minus(Expr::param(&acc), value);
    let args = vec![
        Arg::Fun(Lambda { params: vec![acc, t], body }),
        Arg::Data(literal(&Scalar::I32.into(), 1)),
        Arg::Data(xs),
    ];
    Expr::prim(Prim::Reduce(Order::Left), args)
}

/// A number that depends on everything in a value of numbers.
pub(super) fn value_of_rows(w: &mut World, e: Expr) -> Expr {
    match e.ty().clone() {
        Type::Scalar(_) => e,
        Type::Tuple(parts) => {
            let parts = (0..parts.len()).map(|i| value_of_rows(w, Expr::field(e.clone(), i)));
            parts.collect::<Vec<_>>().into_iter().reduce(twice_minus).unwrap()
        }
        Type::Array(..) => {
            let mut flat = e;
            while flat.ty().shape().0.len() > 1 {
                flat = Expr::join(flat);
            }
            w.reduce(flat)
        }
    }
}

/// Windows that are gone through row by row, alone or with other rows.
fn windows_by_rows(w: &mut World, more: bool) -> Expr {
    let dims = w.random.pick(&[1, 2, 2, 3]);
    plain_stencil(w, dims, |w, window| {
        let (row, count) = window.ty().as_array().map(|(t, n)| (t.clone(), n.clone())).unwrap();
        let rows = match w.random.below(3) {
            0 => window,
            1 => zip(&w.input(Type::array(row, count)), &window),
            _ => zip(&window, &w.input(Type::array(Scalar::I32.into(), count))),
        };
        let sum = rows_folded(w, rows);
        if more { twice_minus(literal(&Scalar::I32.into(), 7), sum) } else { sum }
    })
}

/// A stencil of which the function uses nothing but a function of each row.
fn separable(w: &mut World, scope: &[Expr]) -> Expr {
    plain_stencil(w, 2, |w, window| {
        let of_rows = Expr::map_with("row", window, |row| {
            let sum = w.reduce(row);
            match scope.iter().find(|x| x.ty() == sum.ty()) {
                Some(other) => twice_minus(sum, other.clone()),
                None => sum,
            }
        });
        match w.random.below(3) {
            0 => of_rows,
            _ => w.reduce(of_rows),
        }
    })
}

/// The same with two functions of each row.
pub(super) fn separable_parts(w: &mut World) -> Expr {
    plain_stencil(w, 2, |w, window| {
        let of_rows = Expr::map_with("row", window, |row| {
            let first = Expr::prim(Prim::At, vec![Arg::Data(Expr::size(0.into())), Arg::Data(row.clone())]);
            let parts = vec![w.reduce(row.clone()), twice_minus(first, w.reduce(row))];
            Expr::tuple(if w.random.flip() { parts.into_iter().rev().collect() } else { parts })
        });
        match w.random.below(3) {
            0 => of_rows,
            _ => {
                let numbers = Expr::map_with("t", of_rows, |t| {
                    twice_minus(Expr::field(t.clone(), 0), Expr::field(t, 1))
                });
                w.reduce(numbers)
            }
        }
    })
}

/// A sum of the elements of rows, with weights that are a sum of products, or are not.
fn weighted(w: &mut World) -> Expr {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::U8, Scalar::I64, Scalar::F32, Scalar::F64]);
    let (n, m) = (w.random.pick(&[3, 4, 7, 9]), w.random.pick(&[3, 5, 7, 8]));
    let products = w.random.pick(&[1, 1, 1, 2, 2, 3, 9]);
    let mut weights = vec![vec![0i32; m as usize]; n as usize];
    for _ in 0..products {
        let b: Vec<i32> = (0..m).map(|_| w.random.below(9) as i32 - 4).collect();
        for row in &mut weights {
            let a = w.random.below(7) as i32 - 3;
            row.iter_mut().zip(&b).for_each(|(x, b)| *x += a * b);
        }
    }
    let number = |x: &i32| {
        Expr::literal(match scalar.is_float() {
            true => Literal::float(f64::from(*x) / 8.0, scalar),
            false => Literal::number(*x, scalar),
        })
    };
    let row = |row: &Vec<i32>| Expr::array_literal(row.iter().map(number).collect());
    let weights = Expr::array_literal(weights.iter().map(row).collect());
    // Whole numbers, whose sums are exact.
    let rows = w.input(Type::from(Scalar::I32).with_shape(&[n.into(), m.into()]));
    let order = w.random.flip();
    let add = |xs: Expr| {
        let (a, b) = (Param::new("a", scalar.into()), Param::new("b", scalar.into()));
        let body = Expr::binary(BinaryOp::Add, Expr::param(&a), Expr::param(&b));
        let f = Lambda { params: vec![a, b], body };
        Expr::reduce(Order::Any, f, literal(&scalar.into(), 0), xs)
    };
    let products = |pairs: Expr| {
        Expr::map_with("p", pairs, |p| {
            let (a, b) = (Expr::field(p.clone(), usize::from(!order)), Expr::field(p, usize::from(order)));
            Expr::binary(BinaryOp::Mul, a, Expr::cast(scalar, b))
        })
    };
    let (weights, rows) = if order { (weights, rows) } else { (rows, weights) };
    if w.random.flip() {
        return add(Expr::map_with("row", nd::zip_nd(2, vec![weights, rows]), |row| add(products(row))));
    }
    add(Expr::map_with("t", zip(&weights, &rows), |t| {
        let (a, b) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
        add(products(zip(&a, &b)))
    }))
}

/// A loop over windows that move along with rows and numbers.
fn marching_rows(w: &mut World, scope: &[Expr]) -> Expr {
    let (rows, (size, step)) = (known_rows(w), w.random.pick(&[(1, 1), (3, 1), (2, 3)]));
    let m = w.random.pick(&[1, 2]);
    let dims = [ArithExpr::cst(4 * step + size), ArithExpr::cst(m)];
    let moving = w.input(Type::from(Scalar::I32).with_shape(&dims));
    let args = vec![Arg::Size(size.into()), Arg::Size(step.into()), Arg::Data(moving)];
    let windows = Expr::prim(Prim::SlideSeq, args);
    let numbers = w.input(Type::from(Scalar::I32).with_shape(&[5.into()]));
    let mut parts = vec![rows, windows, numbers];
    let last = w.random.below(3) as usize;
    parts.swap(2, last);
    let all = Expr::prim(Prim::Zip, parts.into_iter().map(Arg::Data).collect());
    let part = all.ty().as_array().unwrap().0.clone();
    let f = Lambda::unary("t", part, |t| {
        let inner = [scope, std::slice::from_ref(&t)].concat();
        w.grow(t, 3, &inner)
    });
    Expr::map_in(Place::Sequential, f, all)
}
