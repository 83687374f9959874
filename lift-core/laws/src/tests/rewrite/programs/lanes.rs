//! Vectors.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, Place, Prim, Scalar, Type};
use lift_core::machine::vectors::SIDE_BY_SIDE;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules;
use lift_core::rewrite::rules::{nd, place};

use super::zip;
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "skip_vector" => {
            let width = w.random.pick(&[2, 4]);
            let vectors = 1 + w.random.below(2) as i64;
            let int = Type::from(Scalar::I32);
            let len = ArithExpr::cst(width * vectors);
            let numbers = w.input(int.clone().with_shape(std::slice::from_ref(&len)));
            let windows = w.input(int.clone().with_shape(&[len, 3.into()]));
            let most = literal(&int, w.random.below(3) as i32 - 1);
            let other = literal(&int, w.random.below(5) as i32);
            let swapped = w.random.flip();
            let computed = |x: Expr| {
                let (first, second) = (Expr::field(x.clone(), 0), Expr::field(x, 1));
                let (window, n) = if swapped { (second, first) } else { (first, second) };
                let at = |i: i64| {
                    Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(window.clone())])
                };
                let counts = Expr::binary(BinaryOp::Gt, n.clone(), most.clone());
                Expr::if_(counts, twice_minus(at(2), twice_minus(at(0), n)), other.clone())
            };
            let lanes = |xs: Expr| {
                let f = Lambda::unary("x", xs.ty().as_array().unwrap().0.clone(), computed);
                Expr::map_in(Place::Lanes, f, xs)
            };
            let pairs = if swapped { zip(&numbers, &windows) } else { zip(&windows, &numbers) };
            if vectors == 1 {
                return Some(lanes(pairs));
            }
            Expr::join(Expr::map_with("lanes", Expr::split(width.into(), pairs), lanes))
        }
        "lanes_to_local" => {
            let width = w.random.pick(&[2, 4]);
            let dims = [1 + w.random.below(3) as i64, 1 + w.random.below(2) as i64];
            let dims = dims[..1 + w.random.below(2) as usize].iter().copied().map(ArithExpr::cst);
            let lens = std::iter::once(ArithExpr::cst(width)).chain(dims).collect::<Vec<_>>();
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let lanes = w.input(Type::from(scalar).with_shape(&lens));
            let computed = |x: Expr| {
                nd::map_nd(
                    lens.len() - 1,
                    Lambda::unary("v", scalar.into(), |v| twice_minus(v.clone(), v)),
                    x,
                )
            };
            let f = Lambda::unary("x", lanes.ty().as_array().unwrap().0.clone(), computed);
            Expr::map_in(Place::Lanes, f, lanes)
        }
        name if name.starts_with("map_vec") => {
            let (lanes, vectors) =
                (place::VECTORS.iter().find(|(_, r)| r.name == name).unwrap().0, w.some_size());
            let row = w.input(Type::from(Scalar::I32).with_shape(&[vectors * lanes]));
            Expr::map_with("x", row, |x| w.grow(x, 3, &[scope, &[xs]].concat()))
        }
        name if name.starts_with("whole_vectors") => {
            let len = w.random.pick(&[1, 3, 5, 9, 15, 17, 33, 50]);
            let row = w.size_of(len);
            let row = w.input(Type::from(Scalar::I32).with_shape(&[row]));
            Expr::map_with("x", row, |x| w.grow(x, 3, &[scope, &[xs]].concat()))
        }
        name if name.contains("row_in_vectors") => {
            let len = w.random.pick(&[15, 16, 17, 31, 32, 33, 50]);
            let len = w.size_of(len);
            let lens = if w.random.flip() { vec![len] } else { vec![len, 3.into()] };
            let row = w.input(Type::from(Scalar::I32).with_shape(&lens));
            let inner = [scope, &[xs]].concat();
            Expr::map_with("x", row, |x| match x.ty() {
                Type::Array(..) => Expr::map_with("y", x, |y| w.grow(y, 3, &inner)),
                Type::Scalar(_) | Type::Tuple(_) => w.grow(x, 3, &inner),
            })
        }
        name if name.starts_with("stretches") => {
            let len = w.random.pick(&[500, 512, 600, 1024, 1030]);
            let len = w.size_of(len);
            let row = w.input(Type::from(Scalar::I32).with_shape(&[len]));
            Expr::map_with("x", row, |x| w.grow(x, 3, &[scope, &[xs]].concat()))
        }
        name if name.starts_with("reduce_in_vectors") => {
            let own = |(_, rules): &&(i64, [Rule; 2])| rules.iter().any(|rule| rule.name == name);
            let (width, _) = rules::lanes::REDUCE_IN_VECTORS.iter().find(own).unwrap();
            let whole = if name.contains(',') { width * SIDE_BY_SIDE } else { *width };
            let len = w.random.pick(&[whole, 2 * whole, 3 * whole, 2 * whole + 1]);
            let len = w.size_of(len);
            let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
            let xs = w.input(Type::array(scalar.into(), len));
            if w.random.below(3) == 0 {
                return Some(w.largest(xs));
            }
            let computed = Expr::map_with("x", xs.clone(), |x| w.arithmetic(&x, scope));
            match computed.ty().as_array() {
                Some((Type::Scalar(_), _)) if w.random.flip() => w.reduce(computed),
                _ => w.reduce(xs),
            }
        }
        _ => return None,
    };
    Some(side)
}
