//! Functions that go through rows in order, and what they store for each other.

use lift_core::ir::{Expr, Memory, Order, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::zip;
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    match rule.name {
        "store_turned" => Some(stored(w, scope)),
        "rows_turned" => Some(of_rows(w, false)),
        "result_turned" => Some(of_rows(w, true)),
        _ => None,
    }
}

/// What is computed of columns, and read turned around or in order.
fn stored(w: &mut World, scope: &[Expr]) -> Expr {
    if w.random.below(3) == 0 {
        return of_matrices(w);
    }
    let dims = [w.any_size(), w.any_size()];
    let turned = |w: &mut World| Expr::transpose(w.input(Type::from(Scalar::I32).with_shape(&dims)));
    let columns = turned(w);
    let columns = match w.random.below(3) {
        0 => zip(&columns, &turned(w)),
        1 => zip(&w.input(Type::from(Scalar::I32).with_shape(&dims[1..])), &columns),
        _ => columns,
    };
    let scan = w.random.pick(&[Order::Any, Order::Left]);
    let value = Expr::map_with("column", columns, |column| match column.ty() {
        Type::Tuple(parts) => Expr::field(column.clone(), usize::from(matches!(parts[1], Type::Array(..)))),
        _ => w.fold_like(Prim::Scan(scan), column),
    });
    let stored = Expr::store(Memory::Temporary, value);
    let x = Param::new("x", stored.ty().clone());
    let rows = || Expr::transpose(Expr::param(&x));
    let own = || Expr::param(&x);
    let body = match w.random.below(6) {
        0 => w.grow(rows(), 3, scope),
        1 => zip(&rows(), &rows()),
        2 => Expr::map_with("row", rows(), |row| {
            let rows = Expr::join(rows());
            Expr::map_with("y", row, |y| twice_minus(y, w.reduce(rows)))
        }),
        3 => Expr::map_with("row", own(), |row| in_order(w, row)),
        4 => {
            let first = w.input(Type::from(Scalar::I32).with_shape(&dims[1..]));
            Expr::map_with("pair", zip(&own(), &first), |pair| in_order(w, Expr::field(pair, 0)))
        }
        _ => zip(
            &rows(),
            &Expr::transpose(Expr::map_with("row", own(), |row| w.fold_like(Prim::Scan(Order::Left), row))),
        ),
    };
    Expr::let_(x, stored, body)
}

/// The same for each of several matrices.
fn of_matrices(w: &mut World) -> Expr {
    let dims = [w.any_size(), w.any_size(), w.any_size()];
    let matrices = w.input(Type::from(Scalar::I32).with_shape(&dims));
    let value = Expr::map_with("matrix", matrices, |matrix| {
        let columns = |w: &mut World, xs: Expr| {
            Expr::map_with("column", Expr::transpose(xs), |column| {
                w.fold_like(Prim::Scan(Order::Left), column)
            })
        };
        match w.random.flip() {
            true => columns(w, matrix),
            false => {
                let x = Param::new("own", matrix.ty().clone());
                Expr::let_(x.clone(), matrix, columns(w, Expr::param(&x)))
            }
        }
    });
    let stored = Expr::store(Memory::Temporary, value);
    let x = Param::new("x", stored.ty().clone());
    let rest = Expr::map_with("matrix", Expr::param(&x), |matrix| {
        Expr::map_with("row", matrix, |row| in_order(w, row))
    });
    Expr::let_(x, stored, rest)
}

/// A function of rows in order: of one array, or of those of several, of which one may have no rows.
fn of_rows(w: &mut World, are_columns: bool) -> Expr {
    let dims = [w.any_size(), w.any_size()];
    let int = Type::from(Scalar::I32);
    let rows = |w: &mut World| match are_columns {
        true => Expr::transpose(w.input(int.clone().with_shape(&[dims[1].clone(), dims[0].clone()]))),
        false => w.input(int.clone().with_shape(&dims)),
    };
    let xs = rows(w);
    let xs = match w.random.below(4) {
        0 => zip(&xs, &rows(w)),
        1 => zip(&xs, &w.input(int.clone().with_shape(&dims[..1]))),
        // Of two, one is turned around already.
        2 if !are_columns => {
            zip(&xs, &Expr::transpose(w.input(int.clone().with_shape(&[dims[1].clone(), dims[0].clone()]))))
        }
        _ => xs,
    };
    Expr::map_with("row", xs, |row| {
        let (row, other) = match row.ty() {
            Type::Tuple(_) => (Expr::field(row.clone(), 0), Some(Expr::field(row, 1))),
            _ => (row, None),
        };
        let done = match are_columns {
            true => w.fold_like(Prim::Scan(Order::Left), row),
            false => in_order(w, row),
        };
        match other {
            Some(other) if matches!(other.ty(), Type::Array(..)) && matches!(done.ty(), Type::Array(..)) => {
                Expr::map_with("pair", zip(&done, &other), |pair| {
                    twice_minus(Expr::field(pair.clone(), 0), Expr::field(pair, 1))
                })
            }
            Some(other) if other.ty() == done.ty() => twice_minus(done, other),
            _ => done,
        }
    })
}

/// What is folded, or all on the way, perhaps from the other end.
fn in_order(w: &mut World, row: Expr) -> Expr {
    match w.random.below(3) {
        0 => w.fold_like(Prim::Reduce(Order::Left), row),
        1 => w.fold_like(Prim::Scan(Order::Left), row),
        _ => {
            let one = literal(&Scalar::I32.into(), 1);
            let scan = w.fold_like(Prim::Scan(Order::Left), row);
            Expr::map_with("v", scan, |v| twice_minus(v, one))
        }
    }
}
