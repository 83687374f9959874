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
        let index = |j: &Expr| as_usize(at(j.clone(), idx));
        let found = last(&count, count.clone(), |j| Expr::binary(BinaryOp::Eq, index(j), i.clone()));
        let param = Param::new("found", Scalar::Usize.into());
        let place = Expr::param(&param);
        let exists = Expr::binary(BinaryOp::Lt, place.clone(), Expr::size(count.clone()));
        Expr::let_(param, found, Expr::if_(exists, at(place, xs), at(i, dst)))
    })
}

/// `array(bins, |b| reduce(|sum, i| if keys[i] = b { f(sum, xs[i]) } else { sum }, z))`
pub(super) fn by_key(bins: &ArithExpr, (f, z): (&Lambda, &Expr), keys: &Expr, xs: &Expr) -> Expr {
    generate(bins, |bin| {
        let (sum, i) = (Param::new("sum", z.ty().clone()), Param::new("i", Scalar::Usize.into()));
        let (so_far, j) = (Expr::param(&sum), Expr::param(&i));
        let own = Expr::binary(BinaryOp::Eq, as_usize(at(j.clone(), keys)), bin);
        let body = Expr::if_(own, f.apply(&[so_far.clone(), at(j, xs)]), so_far);
        let f = Arg::Fun(Lambda { params: vec![sum, i], body });
        let indices = generate(&xs.ty().length(), |i| i);
        Expr::prim(Prim::Reduce(Order::Sequential), vec![f, Arg::Data(z.refresh()), Arg::Data(indices)])
    })
}

/// An index as a number of the type of indices.
fn as_usize(index: Expr) -> Expr {
    match index.ty().as_scalar() {
        Some(Scalar::Usize) => index,
        _ => Expr::cast(Scalar::Usize, index),
    }
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
