//! Reductions over several axes of pairs of elements.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, MathFn, Order, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, _: &[Expr]) -> Option<Expr> {
    (rule.name == "contraction").then(|| contraction(w))
}

/// Both operands may be read with indices in any order, and one like a window; what is made of the sum may need what is read for every element of the result.
fn contraction(w: &mut World) -> Expr {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let ty = Type::from(scalar);
    let batch = w.random.pick(&[0, 0, 1, 2]);
    let [rows, columns, reduced] = [(); 3].map(|()| w.random.pick(&[1, 1, 2]));
    let mut extents = |count: u64, may_be_empty: bool| -> Vec<ArithExpr> {
        let of = |first: bool| if first { &[0, 1, 2, 3][..] } else { &[1, 2, 3] };
        (0..count)
            .map(|i| w.random.pick(of(may_be_empty && i == 0)))
            .collect::<Vec<i64>>()
            .into_iter()
            .map(|n| w.extent_of(n))
            .collect()
    };
    let (batch, rows, columns, reduced) =
        (extents(batch, false), extents(rows, true), extents(columns, true), extents(reduced, true));
    let [a, b, other] =
        [&rows, &columns, &columns].map(|own| operand(w, &ty, &[&batch, own, &reduced].map(Vec::as_slice)));
    let result = [batch.clone(), rows.clone(), columns.clone()].concat();
    let beside = w.input(ty.clone().with_shape(&result));
    let scale = w.input(ty.clone().with_shape(&batch));
    let weights = w.input(ty.clone().with_shape(&reduced));
    // Products of floats are rounded elsewhere.
    let weight = if scalar.is_float() { 0 } else { w.random.below(4) };
    // Several sums, and several scalars of each operand.
    let [are_two, is_mixed] = [(); 2].map(|()| w.random.flip());
    let [is_product, is_row_changed, is_beside, is_max, is_scaled] = [(); 5].map(|()| w.random.flip());
    // Sums of floats are rounded elsewhere.
    let is_max = is_max || scalar.is_float();
    let sum = |at: &[Expr]| {
        let (batch, own) = at.split_at(batch.len());
        let (row, column) = own.split_at(rows.len());
        let total = reduction(&ty, is_max, &reduced, &mut Vec::new(), &|k| {
            let a = a(&[batch, row, k].concat());
            let b = b(&[batch, column, k].concat());
            let a = if is_row_changed { twice_minus(literal(&ty, 3), a) } else { a };
            let weigh = |x: Expr, at: u64| match at == weight {
                true => Expr::binary(BinaryOp::Mul, x, element(&weights, k)),
                false => x,
            };
            let pair = match is_product {
                true => weigh(Expr::binary(BinaryOp::Mul, weigh(a, 1), weigh(b, 2)), 3),
                false => twice_minus(a, b),
            };
            let pair = if is_mixed { twice_minus(pair, element(&weights, k)) } else { pair };
            if is_scaled { twice_minus(pair, element(&scale, batch)) } else { pair }
        });
        let total = match are_two {
            true => {
                let also = reduction(&ty, is_max, &reduced, &mut Vec::new(), &|k| {
                    twice_minus(a(&[batch, row, k].concat()), other(&[batch, column, k].concat()))
                });
                twice_minus(total, also)
            }
            false => total,
        };
        if is_beside { twice_minus(total, element(&beside, at)) } else { total }
    };
    generated(&result, &mut Vec::new(), &sum)
}

/// An array that is read at the indices of some axes, in another order, or with the sum of two in the place of both.
fn operand(w: &mut World, ty: &Type, axes: &[&[ArithExpr]; 3]) -> impl Fn(&[Expr]) -> Expr + use<> {
    let extents = axes.concat();
    let mut order: Vec<Vec<usize>> = (0..extents.len()).map(|i| vec![i]).collect();
    let own = axes[0].len() + axes[1].len() - 1;
    if w.random.flip() {
        let last = order.pop().unwrap_or_default();
        order[own].extend(last);
    }
    let (i, j) = (w.random.below(order.len() as u64), w.random.below(order.len() as u64));
    order.swap(i as usize, j as usize);
    let dims: Vec<ArithExpr> = order.iter().map(|at| at.iter().map(|i| extents[*i].clone()).sum()).collect();
    let array = w.input(ty.clone().with_shape(&dims));
    move |indices| {
        let sum = |at: &Vec<usize>| {
            let all = at.iter().map(|i| indices[*i].clone());
            all.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b)).unwrap_or_else(|| indices[0].clone())
        };
        element(&array, &order.iter().map(sum).collect::<Vec<Expr>>())
    }
}

fn element(array: &Expr, indices: &[Expr]) -> Expr {
    let at = |xs: Expr, i: &Expr| Expr::prim(Prim::At, vec![Arg::Data(i.clone()), Arg::Data(xs)]);
    indices.iter().fold(array.clone(), at)
}

/// A nest of generated arrays.
fn generated(extents: &[ArithExpr], known: &mut Vec<Expr>, of: &dyn Fn(&[Expr]) -> Expr) -> Expr {
    let [n, inner @ ..] = extents else { return of(known) };
    let f = Lambda::unary("i", Scalar::Usize.into(), |i| {
        known.push(i);
        let body = generated(inner, known, of);
        known.pop();
        body
    });
    Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)])
}

/// A nest of reductions.
fn reduction(
    ty: &Type,
    is_max: bool,
    extents: &[ArithExpr],
    known: &mut Vec<Expr>,
    of: &dyn Fn(&[Expr]) -> Expr,
) -> Expr {
    let [n, inner @ ..] = extents else { return of(known) };
    let f = Lambda::unary("k", Scalar::Usize.into(), |k| {
        known.push(k);
        let body = reduction(ty, is_max, inner, known, of);
        known.pop();
        body
    });
    let terms = Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)]);
    let start = literal(ty, if is_max { -100 } else { 0 });
    Expr::reduce_with(Order::Any, ["a", "b"], start, terms, |a, b| match is_max {
        true => Expr::math(MathFn::Max, vec![a, b]),
        false => Expr::binary(BinaryOp::Add, a, b),
    })
}
