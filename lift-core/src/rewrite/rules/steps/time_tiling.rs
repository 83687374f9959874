//! Overlapped tiling in time: all steps on one tile, which shrinks from step to step, and is written out as a whole.

use std::rc::Rc;

use crate::arith::ArithExpr;
use crate::ir::{Expr, Place, Type};
use crate::machine::steps::{MOST_IN_ROWS, MOST_IN_TILES};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::steps::Schedule;
use crate::rewrite::rules::steps::arrays::{ELEMENTS, nth, over};
use crate::rewrite::rules::steps::boundary::Edge;
use crate::rewrite::rules::steps::step::{Point, Step};
use crate::rewrite::rules::steps::wavefront::Wavefront;

/// In tiles that a group keeps in local memory.
pub static TILING: Schedule = Schedule { farthest, launch: tiled };

pub static TIME_TILING: Rule = Rule {
    name: "time_tiling",
    about: "Time tiling, with tiles that are written out. `T` is a new size per dimension.",
    equation: "iterate(t, map^d(f) . slide^d(n, 1) . pad^d(l, r, b)) = take^d(len) . join^d . map^d(t times map^d(f . b) . slide^d(n, 1)) . slide^d(T + t \
               * (n - 1), T) . pad^d(t * l, e, clamp)",
    when: "for a number t, where f . b is f of a window in which the points outside of the array are those that b says",
    apply: |e, cx| TILING.repeated(e, cx),
};

fn farthest(step: &Step) -> Option<i64> {
    let most = match step.dims() {
        1 => MOST_IN_ROWS,
        2 => MOST_IN_TILES,
        _ => return None,
    };
    matches!(step.element(), Type::Scalar(_)).then_some(most)
}

fn tiled(steps: Vec<Rc<Step>>, x: &Expr, cx: &Context) -> Option<Expr> {
    let dims = steps[0].dims();
    let front = Wavefront::new(steps, dims, cx);
    let padded = |array: &Expr| front.padded(dims, array, &|dim| front.boundary(dim));
    Some(front.blocks(x, &padded, |_| Place::View, &|parts, at| written_out(&front, parts, at)))
}

/// All steps on a tile.
fn written_out(front: &Wavefront, parts: &[Expr], positions: &[Option<Expr>]) -> Expr {
    let dims = front.tiles.len();
    front.numbered(&parts[1..]).into_iter().fold(parts[0].clone(), |state, (done, step, others)| {
        let window = |i: usize| ((step.reach[i].both() + 1).into(), ArithExpr::one());
        let slid = nd::slide_nd(&(0..dims).map(window).collect::<Vec<_>>(), state);
        let others = others.iter().map(|other| front.left(done, 0..dims, other));
        let arrays: Vec<Expr> = [slid].into_iter().chain(others).collect();
        let left = |i: usize| positions[i].as_ref().map(|xs| front.left(done, i..i + 1, xs));
        let own: Vec<Option<Expr>> = (0..dims).map(left).collect();
        over(ELEMENTS, |_| Place::View, &arrays, &own, &|elements, own| {
            let at = |distances: &[i64]| {
                let path = distances.iter().zip(&step.reach);
                path.fold(elements[0].clone(), |w, (distance, reach)| nth(w, distance + reach.before))
            };
            let near =
                |dim: usize, edge: Edge, from: i64| Some(front.is_near(dim, own[dim].clone()?, edge, from));
            let other = |i: usize| elements[1 + i].clone();
            step.applied(&Point { facts: front.facts, at: &at, near: &near, other: &other })
        })
    })
}
