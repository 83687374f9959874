//! Terms that several rules build.

use crate::arith::ArithExpr;
use crate::bug;
use crate::ir::{Arg, Expr, Lambda, Memory, Param, Place, Prim, Scalar};

pub(super) fn zip(a: Expr, b: Expr) -> Expr {
    Expr::prim(Prim::Zip, vec![Arg::Data(a), Arg::Data(b)])
}

pub(super) fn at(i: Expr, xs: Expr) -> Expr {
    Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(xs)])
}

/// `array(n, f)`
pub(super) fn array(n: ArithExpr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let f = Lambda::unary("i", Scalar::Usize.into(), f);
    Expr::prim(Prim::Array, vec![Arg::Size(n), Arg::Fun(f)])
}

/// The numbers below this.
pub(super) fn numbers(n: ArithExpr) -> Expr {
    array(n, |i| i)
}

/// `n` times the same.
pub(super) fn repeat(n: i64, x: Expr) -> Expr {
    array(n.into(), |_| x.refresh())
}

/// A map with a place.
pub(super) fn with(place: Place, name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let Some((element, _)) = xs.ty().as_array() else { bug!("map over {}", xs.ty()) };
    let f = Lambda::unary(name, element.clone(), body);
    Expr::map_in(place, f, xs)
}

/// `{ let name = to_private(xs); body }`
pub(super) fn kept(name: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let own = Expr::store(Memory::Private, xs);
    let param = Param::new(name, own.ty().clone());
    let body = body(Expr::param(&param));
    Expr::let_(param, own, body)
}
