//! Loops that look for the elements of each key.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, ByKey, Expr, Lambda, MathFn, Order, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::zip;
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, _: &[Expr]) -> Option<Expr> {
    match rule.name {
        "reduce_where" => Some(reduce_where(w)),
        "fold_by_key" => Some(fold_by_key(w)),
        "reduce_by_key_whole" => Some(whole(w)),
        _ => None,
    }
}

/// Some numbers, and what keys are made of beside them.
fn pairs(w: &mut World, scalar: Scalar, key: Scalar) -> Expr {
    let len = w.random.pick(&[0, 1, 2, 7, 30]);
    let len = w.extent_of(len);
    let keys = w.input(Type::array(key.into(), len.clone()));
    let xs = w.input(Type::array(scalar.into(), len));
    zip(&keys, &xs)
}

/// Whether an element belongs to bin `k`; some belong to none.
fn belongs(w: &mut World, key: Expr, k: Expr) -> Expr {
    let Some(scalar) = key.ty().as_scalar() else { panic!("a key of {}", key.ty()) };
    let key = Expr::binary(BinaryOp::Rem, key, literal(&scalar.into(), 5));
    let number = if scalar == Scalar::Usize { k } else { Expr::cast(scalar, k) };
    let number = match w.random.below(3) {
        0 => Expr::binary(BinaryOp::Add, number, literal(&scalar.into(), 2)),
        1 if scalar == Scalar::I32 => Expr::binary(BinaryOp::Add, literal(&scalar.into(), -3), number),
        _ => number,
    };
    let sides = if w.random.flip() { [key, number] } else { [number, key] };
    let [a, b] = sides;
    Expr::binary(BinaryOp::Eq, a, b)
}

fn of_bins(bins: &ArithExpr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let f = Lambda::unary("k", Scalar::Usize.into(), f);
    Expr::prim(Prim::Array, vec![Arg::Size(bins.clone()), Arg::Fun(f)])
}

fn bins(w: &mut World, key: Scalar) -> ArithExpr {
    // Of numbers of 32 bits, it must be known that they are different.
    if key == Scalar::Usize { w.some_size() } else { w.random.pick(&[1, 3, 4]).into() }
}

fn reduce_where(w: &mut World) -> Expr {
    let key = w.random.pick(&[Scalar::Usize, Scalar::I32]);
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let (pairs, bins) = (pairs(w, scalar, key), bins(w, key));
    let counts = scalar == Scalar::I32 && w.random.flip();
    of_bins(&bins, |k| {
        let start = w.reduce(numbers(&pairs));
        let Some((prim, [f, Arg::Data(z), _])) = start.as_prim() else { panic!("{start}") };
        let values = Expr::map_with("t", pairs.clone(), |t| {
            let is = belongs(w, Expr::field(t.clone(), 0), k);
            match counts {
                true => Expr::cast(Scalar::I32, is),
                false => {
                    Expr::if_(is, twice_minus(Expr::field(t.clone(), 1), Expr::field(t, 1)), z.refresh())
                }
            }
        });
        Expr::prim(prim, vec![f.clone(), Arg::Data(z.clone()), Arg::Data(values)])
    })
}

/// The numbers among pairs.
fn numbers(pairs: &Expr) -> Expr {
    Expr::map_with("t", pairs.clone(), |t| Expr::field(t, 1))
}

fn fold_by_key(w: &mut World) -> Expr {
    let key = w.random.pick(&[Scalar::Usize, Scalar::I32]);
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let (pairs, bins) = (pairs(w, scalar, key), bins(w, key));
    let form = w.random.below(3);
    let number = literal(&scalar.into(), 7);
    let element = match form {
        0 => number,
        1 => Expr::tuple(vec![number, literal(&Scalar::I32.into(), 0)]),
        _ => of_bins(&2.into(), |_| number.clone()),
    };
    let start = of_bins(&bins, |_| element);
    let changed = |w: &mut World, old: Expr, x: Expr| {
        let operator = |w: &mut World, old: Expr, x: Expr| match w.random.below(4) {
            0 => Expr::math(MathFn::Min, vec![old, x]),
            1 => Expr::binary(BinaryOp::Sub, x, old),
            2 => Expr::binary(BinaryOp::Mul, old, x),
            _ => Expr::binary(BinaryOp::Add, old, x),
        };
        let at = |i: i64| Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(old.clone())]);
        match form {
            0 => operator(w, old.clone(), x),
            1 => Expr::tuple(vec![
                operator(w, Expr::field(old.clone(), 0), x),
                operator(w, Expr::field(old.clone(), 1), literal(&Scalar::I32.into(), 1)),
            ]),
            _ => Expr::array_literal(vec![operator(w, at(0), x.clone()), operator(w, at(1), x)]),
        }
    };
    Expr::reduce_with(Order::Left, ["s", "t"], start, pairs, |s, t| {
        let (key, x) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
        if w.random.flip() {
            return of_bins(&bins, |k| {
                let old = Expr::prim(Prim::At, vec![Arg::Data(k.clone()), Arg::Data(s)]);
                let is = belongs(w, key, k);
                Expr::if_(is, changed(w, old.clone(), x), old)
            });
        }
        let numbers = of_bins(&bins, |k| k);
        Expr::map_with("both", zip(&s, &numbers), |both| {
            let old = Expr::field(both.clone(), 0);
            let is = belongs(w, key, Expr::field(both, 1));
            Expr::if_(is, changed(w, old.clone(), x), old)
        })
    })
}

fn whole(w: &mut World) -> Expr {
    let len = w.random.pick(&[0, 1, 2, 7, 30]);
    let len = w.extent_of(len);
    let xs = w.input(Type::array(Scalar::I32.into(), len.clone()));
    let bins = w.some_size();
    let of_any = w.by_key(bins, xs);
    let Some((_, [bins, _, _, keys, xs])) = of_any.as_prim() else { panic!("{of_any}") };
    let params = ["a", "b"].map(|name| lift_core::ir::Param::new(name, Scalar::I32.into()));
    let [a, b] = [&params[0], &params[1]].map(Expr::param);
    let (body, z) = match w.random.below(4) {
        0 => (Expr::math(MathFn::Max, vec![b, a]), 3),
        1 => (Expr::binary(BinaryOp::BitAnd, a, b), 12),
        2 => (Expr::binary(BinaryOp::BitXor, a, b), 0),
        _ => (Expr::binary(BinaryOp::Add, a, b), 0),
    };
    let f = Arg::Fun(Lambda { params: params.into(), body });
    let range = [ArithExpr::zero(), len].map(|n| Arg::Data(Expr::size(n)));
    let z = Arg::Data(literal(&Scalar::I32.into(), z));
    let args = [&[bins.clone(), f, z], &range[..], &[keys.clone(), xs.clone()]].concat();
    Expr::prim(Prim::ReduceByKey(ByKey::Item), args)
}
