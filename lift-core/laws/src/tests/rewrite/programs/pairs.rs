//! Reductions of one array for each element of another one.

use lift_core::ir::{BinaryOp, Expr, MathFn, Order, Param, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;

use super::zip;
use crate::testing::{World, literal, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    (rule.name == "reduce_jointly").then(|| all_pairs(w, scope))
}

/// Of either array, elements may be pairs; what is reduced, too, and what becomes of it.
fn all_pairs(w: &mut World, scope: &[Expr]) -> Expr {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let ty = Type::from(scalar);
    let lens = [w.random.pick(&[0, 1, 3, 127, 128, 130, 511, 512, 513, 700]), w.random.pick(&[0, 1, 2, 5])];
    let [n, m] = lens.map(|len| w.extent_of(len));
    let [xs, others] = [(); 2].map(|()| w.input(Type::array(ty.clone(), n.clone())));
    let [ys, weights] = [(); 2].map(|()| w.input(Type::array(ty.clone(), m.clone())));
    let [are_pairs, are_weighted, is_split, is_twice, is_own] = [(); 5].map(|()| w.random.flip());
    let is_nearly = w.random.below(8) == 0;
    let constant = scope.iter().find(|x| *x.ty() == ty).cloned().unwrap_or_else(|| literal(&ty, 3));
    let xs = if are_pairs { zip(&xs, &others) } else { xs };
    Expr::map_with("x", xs, |own| {
        let x = match are_pairs {
            true => twice_minus(Expr::field(own.clone(), 0), Expr::field(own, 1)),
            false => own,
        };
        let all = if are_weighted { zip(&ys, &weights) } else { ys.clone() };
        let values = Expr::map_with("y", all, |other| {
            let y = match are_weighted {
                true => twice_minus(Expr::field(other.clone(), 1), Expr::field(other, 0)),
                false => other,
            };
            let apart = Expr::binary(BinaryOp::Sub, x.clone(), y);
            // A name for what is read twice.
            let name = Param::new("d", ty.clone());
            let square = Expr::math(MathFn::Max, vec![Expr::param(&name), constant.clone()]);
            let value = Expr::let_(name, apart, square);
            if is_split { Expr::tuple(vec![value, x.clone()]) } else { value }
        });
        let reduced = match is_split {
            true => {
                let element = Type::Tuple([ty.clone(), ty.clone()].into());
                let start = Expr::tuple(vec![literal(&ty, 0), literal(&ty, 1)]);
                let order = Order::Left;
                let names = ["a", "b"];
                let reduced = Expr::reduce_with(order, names, start, values, |a, b| {
                    let [first, second] =
                        [0, 1].map(|i| twice_minus(Expr::field(a.clone(), i), Expr::field(b.clone(), 1 - i)));
                    Expr::tuple(vec![first, second])
                });
                assert_eq!(*reduced.ty(), element);
                twice_minus(Expr::field(reduced.clone(), 0), Expr::field(reduced, 1))
            }
            false => {
                let prim = w.random.pick(&[Prim::Reduce(Order::Any), Prim::Reduce(Order::Left)]);
                w.fold_like(prim, values)
            }
        };
        let result = if is_own { twice_minus(reduced.clone(), x.clone()) } else { reduced.clone() };
        let result = if is_nearly {
            twice_minus(result, w.fold_like(Prim::Reduce(Order::Any), ys.clone()))
        } else {
            result
        };
        if is_twice { Expr::tuple(vec![result, x]) } else { result }
    })
}
