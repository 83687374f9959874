//! Rows that are combined element by element.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, ByKey, Expr, Lambda, Literal, MathFn, Order, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::zip;
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    match rule.name {
        "components" => Some(components(w, scope)),
        "counted" => Some(counted(w)),
        "by_key_scalars" => Some(by_key(w)),
        "fold_exact" => Some(exact(w)),
        _ => None,
    }
}

/// Rows of numbers, or of such rows, are read or computed, and combined in one of many ways.
fn components(w: &mut World, scope: &[Expr]) -> Expr {
    let ty = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let (n, m) = (w.any_size(), w.any_size());
    let inner = w.random.flip().then(|| w.some_size());
    let row = Type::array(inner.iter().fold(ty.clone(), |ty, k| Type::array(ty, k.clone())), m.clone());
    let rows = w.input(Type::array(row.clone(), n.clone()));
    let numbers = w.input(Type::array(ty.clone(), n.clone()));
    let captured = scope.iter().find(|x| *x.ty() == ty).cloned().unwrap_or_else(|| literal(&ty, 3));
    let xs = match w.random.below(6) {
        0 => Expr::map_with("row", rows, |row| each(row, &|x| twice_minus(x, captured.clone()))),
        1 => Expr::map_with("p", zip(&rows, &numbers), |p| {
            let number = Expr::field(p.clone(), 1);
            each(Expr::field(p, 0), &|x| twice_minus(x, number.clone()))
        }),
        // A row is computed as a whole, and no work-item can keep it.
        2 if n.as_const().is_none() && m.as_const().is_none() => Expr::map_with("row", rows, |row| {
            let number = literal(&ty, 7);
            let sum = if inner.is_none() { w.reduce(row.clone()) } else { number };
            let name = Param::new("sum", ty.clone());
            let divided = each(row, &|x| twice_minus(x, Expr::param(&name)));
            Expr::let_(name, sum, divided)
        }),
        _ => rows,
    };
    let start = match w.random.below(3) {
        0 => w.input(row.clone()),
        1 => same(&row, literal(&ty, 1)),
        _ => Expr::map_with("z", w.input(row.clone()), |z| each(z, &|_| literal(&ty, 2))),
    };
    let kind = w.random.below(5);
    if kind == 0 {
        return fold(w, start, &xs, &numbers);
    }
    let (a, b) = (Param::new("a", row.clone()), Param::new("b", row.clone()));
    let beside = w.random.flip().then(|| w.input(row.clone()));
    let body = combined(&[&Expr::param(&a), &Expr::param(&b)], beside.as_ref());
    let mut args = vec![Arg::Fun(Lambda { params: vec![a, b], body }), Arg::Data(start)];
    let prim = match kind {
        1 => Prim::Scan(Order::Any),
        2 => {
            let bins = w.some_size();
            let keys = w.input(Type::array(Scalar::Usize.into(), n));
            let keys =
                Expr::map_with("k", keys, |k| Expr::binary(BinaryOp::Rem, k, Expr::size(bins.clone())));
            args.insert(0, Arg::Size(bins));
            args.push(Arg::Data(keys));
            Prim::ReduceByKey(ByKey::Whole)
        }
        _ => Prim::Reduce(w.random.pick(&[Order::Any, Order::Left])),
    };
    args.push(Arg::Data(xs));
    Expr::prim(prim, args)
}

/// Short arrays, alone, in tuples or in arrays, are combined by key in some way.
fn by_key(w: &mut World) -> Expr {
    let ty = Type::from(w.random.pick(&[Scalar::I32, Scalar::F32]));
    let (n, bins) = (w.any_size(), w.some_size());
    let row = Type::array(ty.clone(), w.random.pick(&[1, 2, 3]).into());
    let value = match w.random.below(4) {
        0 => Type::tuple(vec![row.clone(), ty.clone()]),
        1 => Type::array(row.clone(), 2.into()),
        _ => row.clone(),
    };
    let xs = w.input(Type::array(value.clone(), n.clone()));
    let keys = w.input(Type::array(Scalar::Usize.into(), n));
    let keys = Expr::map_with("k", keys, |k| Expr::binary(BinaryOp::Rem, k, Expr::size(bins.clone())));
    let start =
        if value == row && w.random.flip() { same(&row, literal(&ty, 1)) } else { w.input(value.clone()) };
    let (a, b) = (Param::new("a", value.clone()), Param::new("b", value.clone()));
    let [x, y] = [&a, &b].map(Expr::param);
    let body = match (value == row, w.random.flip()) {
        (true, true) => {
            let at = |xs: &Expr| {
                let zero = Expr::literal(Literal::int(0, Scalar::Usize));
                Expr::prim(Prim::At, vec![Arg::Data(zero), Arg::Data(xs.clone())])
            };
            Expr::if_(Expr::binary(BinaryOp::Gt, at(&x), at(&y)), x, y)
        }
        _ if matches!(value, Type::Tuple(_)) => {
            let part = |i| combined(&[&Expr::field(x.clone(), i), &Expr::field(y.clone(), i)], None);
            let name = Param::new("first", row);
            let parts = Expr::tuple(vec![Expr::param(&name), part(1)]);
            Expr::let_(name, part(0), parts)
        }
        _ => combined(&[&x, &y], None),
    };
    let f = Arg::Fun(Lambda { params: vec![a, b], body });
    let args = vec![Arg::Size(bins), f, Arg::Data(start), Arg::Data(keys), Arg::Data(xs)];
    Expr::prim(Prim::ReduceByKey(ByKey::Whole), args)
}

/// A fold of rows and of a number beside each, or of numbers alone.
fn fold(w: &mut World, start: Expr, xs: &Expr, numbers: &Expr) -> Expr {
    let order = Order::Left;
    if w.random.flip() {
        return Expr::reduce_with(order, ["a", "x"], start, numbers.clone(), |a, x| {
            each(a, &|a| twice_minus(a, x.clone()))
        });
    }
    Expr::reduce_with(order, ["a", "x"], start, zip(xs, numbers), |a, x| {
        let (row, number) = (Expr::field(x.clone(), 0), Expr::field(x, 1));
        Expr::map_with("p", zip(&a, &row), |p| {
            let (a, x) = (Expr::field(p.clone(), 0), Expr::field(p, 1));
            match a.ty() {
                Type::Array(..) => combined(&[&a, &x], None),
                _ => twice_minus(twice_minus(a, x), number.clone()),
            }
        })
    })
}

/// Two arrays, and perhaps a third one, element by element.
fn combined([a, b]: &[&Expr; 2], beside: Option<&Expr>) -> Expr {
    if !matches!(a.ty(), Type::Array(..)) {
        let all = twice_minus((*a).clone(), (*b).clone());
        return beside.map_or(all.clone(), |x| twice_minus(all, x.clone()));
    }
    let arrays = [*a, *b].into_iter().chain(beside).map(|xs| Arg::Data(xs.clone()));
    Expr::map_with("p", Expr::prim(Prim::Zip, arrays.collect()), |p| {
        let part = |i| Expr::field(p.clone(), i);
        combined(&[&part(0), &part(1)], beside.map(|_| part(2)).as_ref())
    })
}

/// A function of every number.
fn each(x: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
    if matches!(x.ty(), Type::Array(..)) { Expr::map_with("x", x, |x| each(x, f)) } else { f(x) }
}

/// An array whose elements are all this number.
fn same(ty: &Type, x: Expr) -> Expr {
    let Type::Array(element, len) = ty else { return x };
    let f = Lambda::unary("i", Scalar::Usize.into(), |_| same(element, x));
    Expr::prim(Prim::Array, vec![Arg::Size(len.clone()), Arg::Fun(f)])
}

/// A fold by an operator that may be regrouped, which some elements may not reach.
fn exact(w: &mut World) -> Expr {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::U8, Scalar::F32]);
    let ty = Type::from(scalar);
    let n = w.any_size();
    let xs = w.input(Type::array(ty.clone(), n));
    let start = if w.random.flip() { literal(&ty, 1) } else { w.input(ty.clone()) };
    let ops = [BinaryOp::Add, BinaryOp::Mul, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];
    let kind = w.random.below(if scalar.is_float() { 2 } else { 7 }) as usize;
    let combined = |a: Expr, b: Expr| match kind {
        0 => Expr::math(MathFn::Min, vec![a, b]),
        1 => Expr::math(MathFn::Max, vec![b, a]),
        _ => Expr::binary(ops[kind - 2], b, a),
    };
    let (is_some, is_twice) = (w.random.flip(), w.random.flip());
    Expr::reduce_with(Order::Left, ["a", "x"], start, xs, |a, x| {
        let next = combined(a.clone(), twice_minus(x.clone(), literal(&ty, 3)));
        let next = if is_twice { combined(next, x.clone()) } else { next };
        match is_some {
            true => Expr::if_(Expr::binary(BinaryOp::Gt, x, literal(&ty, 4)), next, a),
            false => next,
        }
    })
}

/// A loop with a counter that goes through one or two arrays.
fn counted(w: &mut World) -> Expr {
    let ty = Type::from(Scalar::I32);
    let n: ArithExpr = w.any_size();
    let arrays = [(); 2].map(|()| w.input(Type::array(ty.clone(), n.clone())));
    let (has_two, is_array) = (w.random.flip(), w.random.flip());
    let state = if is_array { Type::array(ty, w.some_size()) } else { ty };
    let start = w.input(state.clone());
    let number = |n| Expr::literal(Literal::int(n, Scalar::Usize));
    let both = Type::tuple(vec![Scalar::Usize.into(), state]);
    let f = Lambda::unary("state", both, |both| {
        let (i, state) = (Expr::field(both.clone(), 0), Expr::field(both, 1));
        let index = Expr::binary(BinaryOp::Rem, i.clone(), Expr::size(n.clone()));
        let [x, y] = arrays.map(|xs| Expr::prim(Prim::At, vec![Arg::Data(index.clone()), Arg::Data(xs)]));
        let next = each(state, &|s| {
            let next = twice_minus(s, x.clone());
            if has_two { twice_minus(next, y.clone()) } else { next }
        });
        Expr::tuple(vec![Expr::binary(BinaryOp::Add, i, number(1)), next])
    });
    let start = Expr::tuple(vec![number(0), start]);
    let rounds = Expr::prim(Prim::Iterate, vec![Arg::Data(Expr::size(n)), Arg::Fun(f), Arg::Data(start)]);
    Expr::field(rounds, 1)
}
