//! Pairs that undo each other, and what does nothing.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, Literal, Order, Param, Place, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::{constants, zip};
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, xs: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "map_id" => Expr::map_with("x", xs, |x| x),
        "transpose_transpose" => {
            let (m, n) = (w.any_size(), w.any_size());
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[m, n]));
            let twice = Expr::transpose(Expr::transpose(rows));
            w.grow(twice, 1, scope)
        }
        "join_split" => {
            let n = w.value_of(xs.ty().as_array().unwrap().1) as i64;
            let m = (1..=n).filter(|m| n % m == 0).nth(w.random.below(2) as usize).unwrap_or(1);
            Expr::join(Expr::split(w.size_of(m), xs))
        }
        "split_join" => {
            let (m, n) = (w.some_size(), w.any_size());
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[n, m.clone()]));
            Expr::split(m, Expr::join(rows))
        }
        "take_all" => Expr::take(xs.ty().as_array().unwrap().1.clone(), xs),
        "drop_none" => Expr::drop(ArithExpr::zero(), xs),
        "pad_none" => {
            let boundary = w.boundary(xs.ty().as_array().unwrap().0);
            Expr::pad(ArithExpr::zero(), ArithExpr::zero(), boundary, xs)
        }
        "reorder_id" => w.permuted(Prim::Reorder, xs),
        "reorder_back" => {
            let once = w.permuted(Prim::Reorder, xs);
            w.permuted(Prim::Reorder, once)
        }
        "scatter_reorder" => w.permuted(Prim::Scatter, xs),
        "reorder_scatter" => {
            let (element, _) = xs.ty().as_array().unwrap();
            if element.as_scalar().is_some() && w.random.flip() {
                let sums = w.fold_like(Prim::Scan(Order::Any), xs);
                return Some(w.permuted(Prim::Reorder, sums));
            }
            let same = Lambda::unary("x", Type::clone(element), |x| x);
            w.permuted(Prim::Reorder, Expr::map_in(Place::Global(0), same, xs))
        }
        "map_scatter" => {
            let xs = w.input(Type::array(Scalar::I32.into(), xs.ty().as_array().unwrap().1.clone()));
            let moved = w.permuted(Prim::Scatter, xs);
            Expr::map_with("x", moved, |x| w.arithmetic(&x, scope))
        }
        "iterate_none" => w.iterate(0, xs),
        "iterate_once" => w.iterate(1, xs),
        "until_none" => match w.random.flip() {
            true => w.iterate_until(0, xs),
            false => ended(w, true, xs),
        },
        "until_never" => ended(w, false, xs),
        "iterate_unroll" => {
            let (times, len) = (w.random.below(4), w.variable(3));
            let rows = w.input(Type::array(xs.ty().clone(), len));
            w.iterate(times, rows)
        }
        "iterate_parts" => {
            let times = w.random.below(8);
            w.iterate(times, xs)
        }
        "unzip_zip" => {
            let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs.refresh()), Arg::Data(xs)]);
            let unzipped = Expr::prim(Prim::Unzip, vec![Arg::Data(pairs)]);
            w.grow(unzipped, 1, scope)
        }
        "concat_concat" => {
            let element = xs.ty().as_array().unwrap().0.clone();
            let some = w.concat(xs, &element);
            w.concat(some, &element)
        }
        "take_concat" | "drop_concat" => {
            let (element, len) = xs.ty().as_array().map(|(t, n)| (t.clone(), n.clone())).unwrap();
            let other = w.any_size();
            let other = w.input(Type::array(element, other));
            let both = Expr::prim(Prim::Concat, vec![Arg::Data(xs), Arg::Data(other)]);
            let prim = if rule.name == "take_concat" { Prim::Take } else { Prim::Drop };
            Expr::prim(prim, vec![Arg::Size(len), Arg::Data(both)])
        }
        "tuple_fields" => {
            let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs.refresh()), Arg::Data(xs)]);
            Expr::map_with("t", pairs, |t| Expr::tuple(vec![Expr::field(t.clone(), 0), Expr::field(t, 1)]))
        }
        "sizes" => {
            let n = xs.ty().as_array().unwrap().1;
            let k = n.min(&(w.variable(3) + n));
            let taken = Expr::take(k, xs);
            w.grow(taken, 2, scope)
        }
        "zip_part" => {
            let i = w.random.below(2) as usize;
            Expr::map_with("t", zip(&xs, &xs.refresh()), |t| Expr::field(t, i))
        }
        "let_map" => {
            let xs = w.input(Type::array(Scalar::I32.into(), xs.ty().as_array().unwrap().1.clone()));
            let mapped = Expr::map_with("x", xs, |x| w.arithmetic(&x, scope));
            let name = Param::new("ys", mapped.ty().clone());
            let ys = Expr::param(&name);
            let body = w.grow(ys.clone(), 2, &[scope, &[ys]].concat());
            Expr::let_(name, mapped, body)
        }
        // Some elements are given, and others computed.
        "let_parts" if w.random.flip() => {
            let rows = w.input(Type::array(xs.ty().clone(), ArithExpr::cst(2)));
            let number = w.input(Scalar::I32.into());
            let elements = (0..3).map(|i| match w.random.below(3) {
                0 => literal(&Scalar::I32.into(), i),
                1 => number.clone(),
                _ => twice_minus(number.clone(), literal(&Scalar::I32.into(), i)),
            });
            let given = Expr::array_literal(elements.collect());
            let name = Param::new("given", given.ty().clone());
            let own = Expr::param(&name);
            let both = twice_minus(w.reduce(own.clone()), w.reduce(own));
            Expr::let_(name, given, Expr::map_with("row", rows, |row| Expr::tuple(vec![both.refresh(), row])))
        }
        "sink_let" => {
            let (count, len) = (w.any_size(), w.variable(3));
            let rows = w.input(Type::from(Scalar::I32).with_shape(&[count, len]));
            Expr::map_with("row", rows, |row| defined_before(w, &row, scope))
        }
        "constant" => {
            let numbers = constants(w, Scalar::I32, &[3, 2]);
            let x = Param::new("c", numbers.ty().clone());
            let inner = [scope, &[Expr::param(&x)]].concat();
            let body = w.grow(Expr::param(&x), 3, &inner);
            Expr::let_(x, numbers, body)
        }
        "constant_map" => {
            let scalar = w.random.pick(&[Scalar::I32, Scalar::U8, Scalar::F32, Scalar::F64]);
            let (n, m) = (w.random.pick(&[1, 2, 3]), w.random.pick(&[1, 2, 5]));
            let (rows, row) = (constants(w, scalar, &[n, m]), constants(w, scalar, &[n]));
            let name = w.random.flip().then(|| Param::new("c", rows.ty().clone()));
            let known = rows.clone();
            let rows = name.as_ref().map_or(rows, Expr::param);
            let computed = Expr::map_with("t", zip(&row, &rows), |t| {
                let (a, row) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
                match w.random.flip() {
                    true => Expr::map_with("x", row, |x| twice_minus(x, a.clone())),
                    false => {
                        let sum = w.reduce(row.clone());
                        Expr::map_with("x", row, |x| twice_minus(sum.clone(), x))
                    }
                }
            });
            let grown = w.grow(computed, 2, scope);
            match name {
                Some(name) => Expr::let_(name, known, grown),
                None => grown,
            }
        }
        "weight_one" | "weight_zero" | "add_zero" => {
            let scalar = match rule.name {
                "weight_one" => w.random.pick(&[Scalar::I32, Scalar::F32]),
                _ => Scalar::I32,
            };
            let ty = Type::from(scalar);
            let number = literal(&ty, i32::from(rule.name == "weight_one"));
            let op = if rule.name == "add_zero" { BinaryOp::Add } else { BinaryOp::Mul };
            let x = w.input(ty);
            let x = if w.random.flip() { twice_minus(x.clone(), x) } else { x };
            let (a, b) = if w.random.flip() { (number, x) } else { (x, number) };
            Expr::binary(op, a, b)
        }
        _ => return None,
    };
    Some(side)
}

/// What is computed from a row with scalars that are defined before: one or two rows, perhaps split or turned.
fn defined_before(w: &mut World, row: &Expr, scope: &[Expr]) -> Expr {
    let mut scalars = scope.to_vec();
    let mut defined = Vec::new();
    for _ in 0..=w.random.below(2) {
        let outside = w.input(Scalar::I32.into());
        let value = w.arithmetic(&outside, &scalars);
        let name = Param::new("s", value.ty().clone());
        scalars.push(Expr::param(&name));
        defined.push((name, value));
    }
    let mapped = |w: &mut World| {
        let ys = Expr::map_with("y", row.refresh(), |y| w.arithmetic(&y, &scalars));
        match w.random.below(3) {
            0 => Expr::split(ArithExpr::one(), ys),
            1 => Expr::transpose(Expr::split(ArithExpr::one(), ys)),
            _ => ys,
        }
    };
    let result = match w.random.flip() {
        true => mapped(w),
        false => Expr::tuple(vec![mapped(w), mapped(w)]),
    };
    defined.into_iter().rev().fold(result, |body, (name, value)| Expr::let_(name, value, body))
}

/// A repetition of which it is known whether it ends early.
fn ended(w: &mut World, known: bool, xs: Expr) -> Expr {
    let times = w.random.below(4);
    let until = w.iterate_until(times, xs);
    let Some((prim, [count, Arg::Fun(done), f, start])) = until.as_prim() else { return until };
    let done = done.with_body(Expr::literal(Literal::Bool(known)));
    Expr::prim(prim, vec![count.clone(), Arg::Fun(done), f.clone(), start.clone()])
}
