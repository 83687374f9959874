//! Steps of stencils after each other.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, Boundary, Expr, Lambda, Literal, Memory, Prim, Scalar, Type};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::nd;

use crate::testing::{World, twice_minus};

/// The left sides of these rules; nothing for another one.
pub(super) fn left_side(rule: &Rule, w: &mut World, _: Expr, scope: &[Expr]) -> Option<Expr> {
    let side = match rule.name {
        "time_tiling" => {
            let (dims, times) = (w.random.pick(&[1, 1, 2, 2, 3]), w.random.pick(&[2, 2, 3]));
            steps(w, (dims, times, false), scope)
        }
        "stream_steps" | "stream" | "sweep_steps" => {
            let (dims, times) = (w.random.pick(&[2, 2, 3]), w.random.pick(&[2, 2, 3]));
            let times = if rule.name == "stream" { 1 } else { times };
            steps(w, (dims, times, true), scope)
        }
        "stream_stages" | "sweep_stages" => {
            let (dims, stages) = (w.random.pick(&[2, 2, 3]), w.random.pick(&[2, 2, 3]));
            let (ty, x) = grid(w, dims);
            (0..stages).fold(x, |x, _| {
                let f = step_of(w, &ty, true, scope);
                let stored = if w.random.flip() { Expr::store(Memory::Temporary, x) } else { x };
                Expr::let_(f.params[0].clone(), stored, f.body)
            })
        }
        "windows_to_local" => {
            let (dims, times) = (w.random.pick(&[1, 1, 2]), w.random.pick(&[1, 2]));
            let (f, x) = step(w, (dims, false), scope);
            (0..times).fold(x, |x, _| repeated(1, f.clone(), x))
        }
        "iterate_more" => {
            let (dims, times) = (w.random.pick(&[1, 1, 2, 3]), w.random.pick(&[1, 2]));
            let (f, x) = step(w, (dims, false), scope);
            let mut first = repeated(times, f.clone(), x);
            if w.random.flip() {
                first = Expr::store(Memory::Temporary, first);
            }
            repeated(1, f, first)
        }
        _ => return None,
    };
    Some(side)
}

/// Several steps of a stencil.
fn steps(w: &mut World, (dims, times, is_named): (usize, i128, bool), scope: &[Expr]) -> Expr {
    let (f, x) = step(w, (dims, is_named), scope);
    repeated(times, f, x)
}

/// So many applications of a function.
fn repeated(times: i128, f: Lambda, x: Expr) -> Expr {
    if times == 1 {
        return lift_core::rewrite::scope::replace(&f.body, f.params[0].id, &x);
    }
    let times = Expr::literal(Literal::int(times, Scalar::Usize));
    Expr::prim(Prim::Iterate, vec![Arg::Data(times), Arg::Fun(f), Arg::Data(x)])
}

/// A step of a stencil with some boundary in every dimension, perhaps with something else beside the array, and an array.
fn step(w: &mut World, (dims, is_named): (usize, bool), scope: &[Expr]) -> (Lambda, Expr) {
    let (ty, x) = grid(w, dims);
    (step_of(w, &ty, is_named, scope), x)
}

/// An array of scalars in so many dimensions, and its type.
fn grid(w: &mut World, dims: usize) -> (Type, Expr) {
    let scalar = w.random.pick(&[Scalar::I32, Scalar::F32]);
    let lens: Vec<ArithExpr> = (0..dims).map(|_| w.some_size()).collect();
    let ty = Type::from(scalar).with_shape(&lens);
    (ty.clone(), w.input(ty))
}

/// A step from such an array.
fn step_of(w: &mut World, ty: &Type, is_named: bool, scope: &[Expr]) -> Lambda {
    let (other, dims) = (w.input(ty.clone()), ty.shape().0.len());
    let scalar = ty.shape().1.clone();
    let boundary = |w: &mut World| w.boundary(&scalar);
    let whole = boundary(w);
    let pads: Vec<(i64, i64, Boundary)> = (0..dims)
        .map(|_| {
            let (l, r) = w.random.pick(&[(1, 1), (1, 1), (0, 1), (2, 1), (0, 0), (0, 3), (2, 2)]);
            (l, r, if w.random.flip() { whole.clone() } else { boundary(w) })
        })
        .collect();
    let (is_zipped, is_named) = (w.random.below(3) == 0, is_named || w.random.flip());
    Lambda::unary("state", ty.clone(), |state| {
        let windows: Vec<_> = pads.iter().map(|(l, r, _)| ((l + r + 1).into(), ArithExpr::one())).collect();
        let slid = nd::slide_nd(&windows, pad(&pads, state.clone()));
        let all = if is_zipped { nd::zip_nd(dims, vec![other, slid, state]) } else { slid };
        let element = (0..dims).fold(all.ty(), |ty, _| ty.as_array().unwrap().0).clone();
        let f = Lambda::unary("w", element, |x| {
            let window = if is_zipped { Expr::field(x.clone(), 1) } else { x.clone() };
            let value = if is_named { corners(&pads, window) } else { in_order(w, window) };
            let value = match scope.iter().find(|x| x.ty() == value.ty()) {
                Some(other) => twice_minus(value, other.clone()),
                None => value,
            };
            match is_zipped {
                true => twice_minus(twice_minus(value, Expr::field(x.clone(), 0)), Expr::field(x, 2)),
                false => value,
            }
        });
        nd::map_nd(dims, f, all)
    })
}

/// `pad` with own amounts and boundaries in every dimension.
pub(super) fn pad(pads: &[(i64, i64, Boundary)], xs: Expr) -> Expr {
    let Some(((l, r, boundary), inner)) = pads.split_first() else { return xs };
    let rows = if inner.is_empty() { xs } else { Expr::map_with("row", xs, |row| pad(inner, row)) };
    Expr::pad((*l).into(), (*r).into(), boundary.clone(), rows)
}

/// All of a window.
fn in_order(w: &mut World, window: Expr) -> Expr {
    let mut flat = window;
    while flat.ty().shape().0.len() > 1 {
        flat = Expr::join(flat);
    }
    w.reduce(flat)
}

/// The first, the middle and the last point of a window.
fn corners(pads: &[(i64, i64, Boundary)], window: Expr) -> Expr {
    let nth = |xs: Expr, i: i64| Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(xs)]);
    let point = |f: &dyn Fn(&(i64, i64, Boundary)) -> i64| pads.iter().map(f).fold(window.clone(), nth);
    let (first, middle, last) = (point(&|_| 0), point(&|(l, _, _)| *l), point(&|(l, r, _)| l + r));
    twice_minus(twice_minus(first, middle), last)
}
