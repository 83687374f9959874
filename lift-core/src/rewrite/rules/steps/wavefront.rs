//! Blocks of an array for several steps, one after the other.
//!
//! A block has as much around what it yields as all steps reach together, so that no step needs another block. It shrinks from step to
//! step; what is around it in the end is nothing. The array is padded so that all blocks are whole, and what they yield too much is
//! cut off. Elements outside of the array have no meaning, and whoever reads one asks how far it is from the edge.

use std::ops::Range;
use std::rc::Rc;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, BinaryOp, Boundary, Expr, Fold, Place, Prim};
use crate::rewrite::rule::Context;
use crate::rewrite::rules::build::numbers;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::new_tiles;
use crate::rewrite::rules::steps::arrays::{Body, TILES, map_together, over};
use crate::rewrite::rules::steps::boundary::Edge;
use crate::rewrite::rules::steps::reach::Reach;
use crate::rewrite::rules::steps::step::Step;

/// Steps on the blocks of an array. Lists have one entry for each dimension that is cut, outermost first.
pub(super) struct Wavefront<'a> {
    /// One after the other: through arrays of the same shape, periodic in the same dimensions.
    pub steps: Vec<Rc<Step>>,
    pub facts: &'a Facts,
    /// The extents of the array.
    pub lens: Vec<ArithExpr>,
    /// New sizes: how much a block yields.
    pub tiles: Vec<ArithExpr>,
    /// How much a block has around that.
    pub around: Vec<Reach>,
}

/// What a trip of a loop computes of a step: of a window of rows of the step before, and of what other arrays and positions have there.
pub(super) type Trip<'a> = &'a dyn Fn(usize, &Expr, &[Expr], &[Option<Expr>]) -> Expr;

impl<'a> Wavefront<'a> {
    /// Steps on blocks that are cut in so many of the outermost dimensions.
    pub(super) fn new(steps: Vec<Rc<Step>>, dims: usize, cx: &'a Context) -> Wavefront<'a> {
        let around = (0..dims).map(|i| steps.iter().map(|step| step.reach[i]).sum()).collect();
        let lens = steps[0].lens[..dims].to_vec();
        Wavefront { steps, facts: cx.facts, lens, tiles: new_tiles(cx, dims), around }
    }

    /// How far the first so many steps reach together.
    fn done(&self, steps: usize, dim: usize) -> Reach {
        self.steps[..steps].iter().map(|step| step.reach[dim]).sum()
    }

    /// The extent of a block after so many steps.
    pub(super) fn extent(&self, done: usize, dim: usize) -> ArithExpr {
        let around = self.around[dim].both() - self.done(done, dim).both();
        &self.tiles[dim] + &around.into()
    }

    /// What is left after so many steps of what a block has at the beginning, in these dimensions.
    pub(super) fn left(&self, done: usize, dims: Range<usize>, xs: &Expr) -> Expr {
        let amounts = dims.map(|i| (self.done(done, i).before.into(), self.extent(done, i)));
        nd::part_of(&amounts.collect::<Vec<_>>(), xs.clone())
    }

    /// What is added to the array before and after.
    pub(super) fn added(&self, dim: usize) -> (ArithExpr, ArithExpr) {
        let (len, tile, around) = (&self.lens[dim], &self.tiles[dim], self.around[dim]);
        let after = len.div_ceil(tile) * tile - len + ArithExpr::cst(around.after);
        (around.before.into(), self.facts.simplify(&after))
    }

    /// What lies around the array before the first step: anything, if it is not periodic.
    pub(super) fn boundary(&self, dim: usize) -> Boundary {
        let mut all = self.steps.iter().map(|step| step.around(dim));
        all.find(|around| matches!(around, Boundary::Fold(Fold::Wrap))).unwrap_or(Boundary::Fold(Fold::Clamp))
    }

    /// The array with what blocks need around it in the first so many dimensions, and with these boundaries.
    pub(super) fn padded(&self, dims: usize, array: &Expr, boundary: &dyn Fn(usize) -> Boundary) -> Expr {
        let pad = |i: usize| {
            let (before, after) = self.added(i);
            (before, after, boundary(i))
        };
        nd::pad_each(&(0..dims).map(pad).collect::<Vec<_>>(), array.clone())
    }

    /// The numbers of the elements of the padded array in blocks, if it matters how far they are from the edges.
    fn positions(&self, dim: usize) -> Option<Expr> {
        let (before, after) = self.added(dim);
        let all = numbers(self.facts.simplify(&(before + &self.lens[dim] + after)));
        let has_edges = self.steps.iter().any(|step| step.has_edges(dim));
        has_edges.then(|| Expr::slide(self.extent(0, dim), self.tiles[dim].clone(), all))
    }

    /// Whether the element with this number in the padded array is so far from an edge.
    pub(super) fn is_near(&self, dim: usize, own: Expr, edge: Edge, from: i64) -> Expr {
        is_near(own, self.around[dim].before, &self.lens[dim], (edge, from))
    }

    /// What a function makes of the blocks of the array and of those that steps read beside it, all of them padded, and put together again.
    pub(super) fn blocks(
        &self,
        x: &Expr,
        padded: &dyn Fn(&Expr) -> Expr,
        place: fn(usize) -> Place,
        body: Body,
    ) -> Expr {
        let dims = self.tiles.len();
        let windows: Vec<_> = (0..dims).map(|i| (self.extent(0, i), self.tiles[i].clone())).collect();
        let others = self.steps.chunk_by(Rc::ptr_eq).flat_map(|same| same[0].others());
        let cut = |array: &Expr| nd::slide_nd(&windows, padded(array));
        let arrays: Vec<Expr> = [x].into_iter().chain(others).map(cut).collect();
        let positions: Vec<Option<Expr>> = (0..dims).map(|i| self.positions(i)).collect();
        nd::take_nd(&self.lens, nd::join_nd(dims, over(TILES, place, &arrays, &positions, body)))
    }

    /// Every step, how many there are up to this one, and its own of the arrays beside the first: a step that is repeated always reads the same.
    pub(super) fn numbered<'b>(&'b self, others: &'b [Expr]) -> Vec<(usize, &'b Step, &'b [Expr])> {
        let (mut found, mut rest) = (Vec::new(), others);
        for same in self.steps.chunk_by(Rc::ptr_eq) {
            let (own, after) = rest.split_at(same[0].others().len());
            rest = after;
            for step in same {
                found.push((found.len() + 1, &**step, own));
            }
        }
        found
    }

    /// A loop for each step through a block, along its outermost dimension. Each trip computes one row from the last ones of the step before. The first
    /// loop goes through these rows.
    pub(super) fn loops(&self, rows: Expr, others: &[Expr], positions: &[Option<Expr>], trip: Trip) -> Expr {
        self.numbered(others).into_iter().fold(rows, |rows, (number, step, others)| {
            let is_computed = matches!(rows.as_prim(), Some((Prim::Map(Place::Sequential), _)));
            let slide = if is_computed { Prim::SlideSeq } else { Prim::Slide };
            let size = step.reach[0].both() + 1;
            let args = [Arg::Size(size.into()), Arg::Size(ArithExpr::one()), Arg::Data(rows)];
            let windows = Expr::prim(slide, args.to_vec());
            let beside = others.iter().chain(&positions[0]).map(|xs| self.left(number, 0..1, xs));
            let all: Vec<Expr> = beside.chain([windows]).collect();
            map_together(Place::Sequential, "w", &all, &|of| {
                let (others, rest) = of.split_at(others.len());
                let own = positions[0].as_ref().map(|_| rest[0].clone());
                trip(number, &of[all.len() - 1], others, &[&[own], &positions[1..]].concat())
            })
        })
    }
}

/// Whether the element with this number is so far from an edge of what has this length and comes after so many others.
pub(super) fn is_near(own: Expr, before: i64, len: &ArithExpr, (edge, from): (Edge, i64)) -> Expr {
    let is = |own: Expr, n: ArithExpr| Expr::binary(BinaryOp::Eq, own, Expr::size(n));
    match (edge, before - from - 1) {
        (Edge::First, _) => is(own, (before + from).into()),
        (Edge::Last, more @ 0..) => is(own, len + &more.into()),
        // A size is never less than nothing.
        (Edge::Last, less) => is(Expr::binary(BinaryOp::Add, own, Expr::size((-less).into())), len.clone()),
    }
}
