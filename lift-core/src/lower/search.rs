//! What is scattered but not stored, because it stands in a function: each element that is read is searched for.
//!
//! At the top of a program such values are stored first, which is faster.

use crate::arith::ArithExpr;
use crate::ir::{Arg, BinaryOp, Expr, Lambda, Order, Param, Prim, Scalar};

/// `array(n, |i| xs[the j for which p(j) = i])`
pub(super) fn scatter(p: &Lambda, xs: &Expr) -> Expr {
    let len = xs.ty().length();
    generate(&len, |i| {
        let image = |j: &Expr| p.apply(&[j.clone(), Expr::size(len.clone())]);
        let found = last(&len, ArithExpr::zero(), |j| Expr::binary(BinaryOp::Eq, image(j), i.clone()));
        at(found, xs)
    })
}

/// `array(n, |i| if there is a j for which idx[j] = i { xs[j] } else { dst[i] })`
pub(super) fn scatter_to(dst: &Expr, idx: &Expr, xs: &Expr) -> Expr {
    let count = idx.ty().length();
    generate(&dst.ty().length(), |i| {
        let index = |j: &Expr| {
            let index = at(j.clone(), idx);
            if index.ty().as_scalar() == Some(Scalar::Usize) {
                index
            } else {
                Expr::cast(Scalar::Usize, index)
            }
        };
        let found = last(&count, count.clone(), |j| Expr::binary(BinaryOp::Eq, index(j), i.clone()));
        let param = Param::new("found", Scalar::Usize.into());
        let place = Expr::param(&param);
        let exists = Expr::binary(BinaryOp::Lt, place.clone(), Expr::size(count.clone()));
        Expr::let_(param, found, Expr::if_(exists, at(place, xs), at(i, dst)))
    })
}

/// The last index below `n` for which the condition holds, or `otherwise`.
fn last(n: &ArithExpr, otherwise: ArithExpr, holds: impl Fn(&Expr) -> Expr) -> Expr {
    let params = ["found", "j"].map(|name| Param::new(name, Scalar::Usize.into()));
    let [found, j] = [Expr::param(&params[0]), Expr::param(&params[1])];
    let body = Expr::if_(holds(&j), j, found);
    let indices = generate(n, |i| i);
    let f = Arg::Fun(Lambda { params: params.to_vec(), body });
    Expr::prim(Prim::Reduce(Order::Sequential), vec![f, Arg::Data(Expr::size(otherwise)), Arg::Data(indices)])
}

fn generate(n: &ArithExpr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let f = Lambda::unary("i", Scalar::Usize.into(), f);
    Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)])
}

fn at(i: Expr, xs: &Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(xs.refresh())])
}
