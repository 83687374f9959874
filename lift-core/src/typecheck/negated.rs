//! `negated(mirror)`: elements outside of an array are the negatives of those inside, as for a function that is odd at the edges.

use crate::arith::Facts;
use crate::ir::{
    Arg, BinaryOp, Boundary, Expr, Fold, Lambda, Literal, MathFn, Param, Prim, Scalar, Type, UnaryOp,
};
use crate::{arith::ArithExpr, bug};

/// `pad(l, r, negated(fold), xs)`: what is repeated an odd number of edges away is negative.
pub(super) fn pad(l: &ArithExpr, r: &ArithExpr, fold: Fold, xs: &Expr, facts: &Facts) -> Expr {
    let n = facts.simplify(&xs.ty().length());
    let is_near = |most: &ArithExpr| facts.le(l, most).is_yes() && facts.le(r, most).is_yes();
    let is_odd = match fold {
        Fold::Clamp => always(),
        Fold::Mirror | Fold::Wrap if is_near(&n) => always(),
        Fold::Reflect if is_near(&(&n - 1)) => always(),
        Fold::Mirror | Fold::Wrap => Boundary::Value(of_index(|i, n| second_half(i, twice(n.clone()), n))),
        // An edge that is not repeated belongs to both sides; one element alone repeats.
        Fold::Reflect => Boundary::Value(of_index(|i, n| {
            let period = Expr::binary(BinaryOp::Sub, twice(n.clone()), long(2));
            second_half(i, Expr::math(MathFn::Max, vec![period, long(1)]), n)
        })),
    };
    let inside = Lambda::unary("i", Scalar::Usize.into(), |_| Expr::literal(Literal::Bool(false)));
    let inside = Expr::prim(Prim::Array, vec![Arg::Size(n), Arg::Fun(inside)]);
    let elements = Expr::pad(l.clone(), r.clone(), Boundary::Fold(fold), xs.clone());
    let signs = Expr::pad(l.clone(), r.clone(), is_odd, inside);
    let both = Expr::prim(Prim::Zip, vec![Arg::Data(elements), Arg::Data(signs)]);
    Expr::map_with("x", both, |both| {
        let (x, is_odd) = (Expr::field(both.clone(), 0), Expr::field(both, 1));
        chosen(&is_odd, x)
    })
}

fn always() -> Boundary {
    Boundary::Constant(Expr::literal(Literal::Bool(true)))
}

/// `-x` or `x`, element by element.
fn chosen(is_odd: &Expr, x: Expr) -> Expr {
    match x.ty() {
        Type::Scalar(_) => Expr::if_(is_odd.clone(), Expr::unary(UnaryOp::Neg, x.clone()), x),
        Type::Array(..) => Expr::map_with("x", x, |x| chosen(is_odd, x)),
        Type::Tuple(_) => bug!("a tuple is negated"),
    }
}

fn of_index(body: impl FnOnce(Expr, Expr) -> Expr) -> Lambda {
    let [i, n] = ["i", "n"].map(|name| Param::new(name, Scalar::I64.into()));
    let body = body(Expr::param(&i), Expr::param(&n));
    Lambda { params: vec![i, n], body }
}

/// Whether `i` is in the second half of its period, from `n` on.
fn second_half(i: Expr, period: Expr, n: Expr) -> Expr {
    Expr::binary(BinaryOp::Ge, Expr::math(MathFn::RemEuclid, vec![i, period]), n)
}

fn twice(n: Expr) -> Expr {
    Expr::binary(BinaryOp::Mul, long(2), n)
}

fn long(n: i128) -> Expr {
    Expr::literal(Literal::int(n, Scalar::I64))
}
