//! Tiles in local memory and blocks in registers.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, Memory, Order, Param, Place, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::nd;
use lift_core::rewrite::scope::replace;

use super::{known_rows, numbers_beside, zip};
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "shared_to_local" | "groups_stored" => {
            let element = xs.ty().as_array().unwrap().0.clone();
            let f = Lambda::unary("x", element, |x| w.grow(x, 2, scope));
            let place = if rule.name == "groups_stored" { Place::Group(0) } else { Place::Local(0) };
            Expr::map_in(place, f, xs)
        }
        "rows_in_groups" => Expr::map_with("row", xs, |x| w.grow(x, 2, scope)),
        "strided" => {
            let n = w.random.pick(&[0, 1, 127, 130, 511, 512, 513]);
            let n = w.extent_of(n);
            let numbers = w.input(Type::array(Scalar::I32.into(), n));
            Expr::map_with("x", numbers, |x| match w.random.flip() {
                true => twice_minus(x.clone(), x),
                false => Expr::tuple(vec![twice_minus(x.clone(), x.clone()), x]),
            })
        }
        "rows_by_local" => {
            let dims = [w.any_size(), w.some_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            Expr::map_with("row", rows, |row| match w.random.below(3) {
                0 => w.reduce(row),
                1 => w.fold_like(Prim::Scan(Order::Any), row),
                _ => {
                    let sum = w.reduce(row.clone());
                    Expr::map_with("x", row, |x| twice_minus(x, sum))
                }
            })
        }
        "share_inside" => {
            let dims = [w.any_size(), w.any_size()];
            let rows = w.input(Type::from(Scalar::I32).with_shape(&dims));
            Expr::map_with("row", rows, |row| shared_parts(w, &row, scope))
        }
        "skip_block" | "let_into_arm" => {
            let len = ArithExpr::cst(1 + w.random.below(4) as i64);
            let dims = if w.random.flip() { vec![len] } else { vec![ArithExpr::cst(2), len] };
            let numbers = w.input(Type::from(Scalar::I32).with_shape(&dims));
            let size = ArithExpr::cst(3);
            let windows = w.input(Type::from(Scalar::I32).with_shape(&[dims.as_slice(), &[size]].concat()));
            let tile = Param::new("tile", windows.ty().clone());
            fn both(xs: Expr, ys: Expr, dims: usize) -> Expr {
                let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs), Arg::Data(ys)]);
                if dims == 1 {
                    return pairs;
                }
                Expr::map_with("p", pairs, |p| both(Expr::field(p.clone(), 0), Expr::field(p, 1), dims - 1))
            }
            fn unrolled(xs: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
                let (element, _) = xs.ty().as_array().unwrap();
                let deeper = matches!(element, Type::Array(..));
                let f = Lambda::unary("x", element.clone(), |x| if deeper { unrolled(x, f) } else { f(x) });
                Expr::map_in(Place::Unrolled, f, xs)
            }
            let int = Type::from(Scalar::I32);
            let most = literal(&int, w.random.below(3) as i32 - 1);
            let other = literal(&int, w.random.below(5) as i32);
            let computed = |x: Expr| {
                let (window, n) = (Expr::field(x.clone(), 0), Expr::field(x, 1));
                let at = |i: i64| {
                    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(window.clone())])
                };
                let counts = Expr::binary(BinaryOp::Gt, n.clone(), most.clone());
                Expr::if_(counts, twice_minus(at(2), twice_minus(at(0), n)), other.clone())
            };
            let block = unrolled(both(Expr::param(&tile), numbers.clone(), dims.len()), &computed);
            if rule.name == "skip_block" {
                return Some(replace(&block, tile.id, &windows));
            }
            let constant = unrolled(numbers.clone(), &|_| other.clone());
            let first = dims.iter().fold(numbers, |xs, _| {
                Expr::prim(Prim::At, vec![Arg::Data(Expr::size(0.into())), Arg::Data(xs)])
            });
            let near = Param::new("near", Scalar::I32.into());
            let counts = Expr::binary(BinaryOp::Gt, Expr::param(&near), most.clone());
            let chosen = Expr::if_(counts, block, constant);
            let value = Expr::store(Memory::Private, windows);
            Expr::let_(tile, value, Expr::let_(near, first, chosen))
        }
        "tile_to_private" | "map_seq_unroll" => {
            let rows = known_rows(w);
            let inner_scope = [scope, std::slice::from_ref(&xs)].concat();
            let rows = if w.random.flip() { rows } else { zip(&rows, &known_rows(w)) };
            Expr::map_with("t", rows, |t| w.grow(t, 3, &inner_scope))
        }
        "let_to_private" => {
            let value = known_rows(w);
            let value = if w.random.flip() {
                value
            } else {
                Expr::map_with("row", value, |row| Expr::map_with("x", row, |x| twice_minus(x.clone(), x)))
            };
            let tile = Param::new("tile", value.ty().clone());
            let body = w.grow(Expr::param(&tile), 3, scope);
            Expr::let_(tile, value, body)
        }
        "transposed_tile" | "wider_rows" => {
            let rows = known_rows(w);
            let rows = if w.random.flip() { nd::copy_nd(2, rows) } else { zip(&rows, &known_rows(w)) };
            Expr::store(Memory::Local, rows)
        }
        "parts_to_local" => {
            let rows = known_rows(w);
            let rows = zip(&rows, &if w.random.flip() { known_rows(w) } else { numbers_beside(w, &rows) });
            Expr::map_with("t", rows, |t| w.grow(t, 3, scope))
        }
        _ => return None,
    };
    Some(side)
}

/// What is computed from a row by its items, perhaps after something that is defined for the row, and then by each of them.
fn shared_parts(w: &mut World, row: &Expr, scope: &[Expr]) -> Expr {
    let before = w.reduce(row.refresh());
    let name = Param::new("before", before.ty().clone());
    let inner = [scope, &[Expr::param(&name)]].concat();
    let f =
        Lambda::unary("x", Scalar::I32.into(), |x| twice_minus(x, w.random.pick(&inner[inner.len() - 1..])));
    let parts = Expr::map_in(Place::Local(0), f, row.refresh());
    let sum = w.reduce(parts);
    let after = match w.random.below(3) {
        0 => w.arithmetic(&sum, &inner),
        1 => Expr::map_with("y", row.refresh(), |y| twice_minus(y, sum.refresh())),
        _ => twice_minus(sum.clone(), sum),
    };
    match w.random.flip() {
        true => Expr::let_(name, before, after),
        false => replace(&after, name.id, &before),
    }
}
