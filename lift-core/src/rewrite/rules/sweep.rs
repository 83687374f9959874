//! Steps in whole rows: a work-item goes through a block of the array, row by row or plane by plane.
//!
//! Each trip of a loop computes one row, or plane, of a step from the last ones of the step before, which lie in local memory: a ring for each step,
//! small enough for the caches of a core. Blocks overlap by as much as the steps reach, and shrink from step to step. Rows are whole, so that
//! what lies beyond their ends is what the boundary says, and nothing is computed twice along them.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Boundary, Expr, Fold, Memory, Place, Prim, Scalar, Type};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::new_tiles;
use crate::rewrite::rules::step::{Edge, Point, Step};
use crate::rewrite::rules::stream::{are_few, are_flat, function, most_at_once, reach_of};
use crate::rewrite::rules::time::{
    ELEMENTS, TILES, apart, is_near, iterated, nth, numbers, over, pad_each, part_of, together,
};

pub static SWEEP_STEPS: Rule = Rule {
    name: "sweep_steps",
    about: "Several steps.",
    equation: "iterate(t, map^d(f) . slide^d(n, 1) . pad^d(l, r, b)) = take^(d-1)(len) . join^(d-1) . map_workgroup^(d-1)(t times map_seq(to_local . \
               map^(d-1)(f . b)) . slide_seq(n, 1)) . slide^(d-1)(T + t * (n - 1), T) . pad^(d-1)(t * l, e, clamp)",
    when: "where the first step reads windows of the block, and the last one is not kept, and f . b is as in time_tiling",
    apply: |e, cx| {
        let (times, f, x) = iterated(e)?;
        let step = Step::of(f, cx.facts)?;
        swept(&vec![&step; times as usize], x, cx)
    },
};

/// How many steps at once pay, if the rule for several applies.
pub fn steps_at_once(e: &Expr, facts: &Facts) -> Option<i64> {
    let (Prim::Iterate, [_, Arg::Fun(f), _]) = e.as_prim()? else { return None };
    let step = Step::of(f, facts)?;
    let steps = most_at_once(&step);
    (steps >= 2 && boundary(&step).is_some()).then_some(steps)
}

/// Whether it pays to do these steps at once, and all of them can be swept.
pub(super) fn pays(steps: &[&Step]) -> bool {
    are_few(steps) && steps.iter().all(|step| boundary(step).is_some())
}

/// What lies beyond the ends of rows, if a step can be swept.
fn boundary(step: &Step) -> Option<Boundary> {
    let number = matches!(step.element(), Type::Scalar(scalar) if *scalar != Scalar::Bool);
    let can_be =
        (2..=3).contains(&step.dims()) && number && step.is_named() && are_flat(&step.others(), step);
    step.boundary(step.dims() - 1).filter(|_| can_be)
}

/// Steps one after the other, if all of them can be swept. They go through arrays of the same shape, periodic in the same dimensions.
pub(super) fn swept(steps: &[&Step], x: &Expr, cx: &Context) -> Option<Expr> {
    let stages: Option<Vec<Stage>> = steps.iter().map(|step| Stage::new(step, cx.facts)).collect();
    let outer = steps.first()?.dims() - 1;
    Some(Sweep { stages: stages?, facts: cx.facts, tiles: new_tiles(cx, outer) }.all(x))
}

/// A step, and what it reads of a window.
struct Stage<'a> {
    step: &'a Step,
    /// How far away each row is that is read, and how far along it, before and after.
    rows: BTreeMap<Vec<i64>, (i64, i64)>,
    /// What lies beyond the ends of rows.
    boundary: Boundary,
}

impl<'a> Stage<'a> {
    fn new(step: &'a Step, facts: &Facts) -> Option<Stage<'a>> {
        let boundary = boundary(step)?;
        let mut rows = BTreeMap::new();
        for mut distances in step.distances(step.dims() - 1, facts) {
            let own = distances.pop()?;
            let (before, after) = rows.entry(distances).or_insert((0, 0));
            *before = (-own).max(*before);
            *after = own.max(*after);
        }
        // What reads nothing has no rows to keep.
        (!rows.is_empty()).then_some(Stage { step, rows, boundary })
    }
}

struct Sweep<'a> {
    /// One after the other.
    stages: Vec<Stage<'a>>,
    facts: &'a Facts,
    /// New sizes: how many rows, or planes and rows, a block yields.
    tiles: Vec<ArithExpr>,
}

impl Sweep<'_> {
    fn all(&self, x: &Expr) -> Expr {
        let outer = self.outer();
        let windows: Vec<_> = (0..outer).map(|i| (self.extent(i), self.tiles[i].clone())).collect();
        let cut = |array: &Expr| nd::slide_nd(&windows, pad_each(&self.pads(), array.clone()).refresh());
        let others = self.stages.iter().flat_map(|stage| stage.step.others());
        let arrays: Vec<Expr> = [x].into_iter().chain(others).map(cut).collect();
        let positions: Vec<Option<Expr>> = (0..outer).map(|i| self.positions(i)).collect();
        let groups = |dim: usize, f, xs| Expr::map_in(Place::Group(outer - 1 - dim), f, xs);
        let blocks = over(TILES, &arrays, &positions, &groups, &|parts, at| self.block(parts, at));
        nd::take_nd(&self.lens()[..outer], nd::join_nd(outer, blocks))
    }

    /// The number of dimensions that are cut.
    fn outer(&self) -> usize {
        self.tiles.len()
    }

    /// The extents of the array, which all steps have in common.
    fn lens(&self) -> &[ArithExpr] {
        &self.stages[0].step.lens
    }

    /// How far the first so many steps reach in a dimension.
    fn done(&self, stages: usize, dim: usize) -> (i64, i64) {
        reach_of(self.stages[..stages].iter().map(|stage| stage.step), dim)
    }

    fn around(&self, dim: usize) -> (i64, i64) {
        self.done(self.stages.len(), dim)
    }

    /// The extent of a block, with what is around it.
    fn extent(&self, dim: usize) -> ArithExpr {
        let (before, after) = self.around(dim);
        &self.tiles[dim] + &(before + after).into()
    }

    /// What is added to the array.
    fn pads(&self) -> Vec<(ArithExpr, ArithExpr, Boundary)> {
        let pad = |dim: usize| {
            let ((before, after), len, tile) = (self.around(dim), &self.lens()[dim], &self.tiles[dim]);
            let rest = len.div_ceil(tile) * tile - len + ArithExpr::cst(after);
            (
                before.into(),
                self.facts.simplify(&rest),
                self.beyond(dim).unwrap_or(Boundary::Fold(Fold::Clamp)),
            )
        };
        (0..self.outer()).map(pad).collect()
    }

    /// What the first step finds beyond the array, if that needs nobody to look where it is: other rows. Rows that are made up have ends of
    /// their own.
    fn beyond(&self, dim: usize) -> Option<Boundary> {
        let wraps = self.stages.iter().map(|stage| stage.step.around(dim));
        let wrap = wraps.into_iter().find(|around| matches!(around, Boundary::Fold(Fold::Wrap)));
        let own = self.stages[0].step.boundary(dim);
        wrap.or(
            own.filter(|own| !matches!(own, Boundary::Constant(_) | Boundary::Value(_) | Boundary::Index(_)))
        )
    }

    /// The numbers of the rows of the padded array, if it matters how far they are from the edges.
    fn positions(&self, dim: usize) -> Option<Expr> {
        let (before, after, _) = self.pads().swap_remove(dim);
        let all = numbers(self.facts.simplify(&(before + &self.lens()[dim] + after)));
        let has_edges = self.stages.iter().any(|stage| stage.step.has_edges(dim));
        has_edges.then(|| Expr::slide(self.extent(dim), self.tiles[dim].clone(), all))
    }

    /// What is left in a dimension after so many steps of something that a block has.
    fn left(&self, stages: usize, dim: usize, xs: &Expr) -> Expr {
        let (before, _) = self.done(stages, dim);
        part_of(&[(before.into(), self.extent_after(stages, dim))], xs.clone())
    }

    fn extent_after(&self, stages: usize, dim: usize) -> ArithExpr {
        let ((l, r), (before, after)) = (self.around(dim), self.done(stages, dim));
        &self.tiles[dim] + &(l + r - before - after).into()
    }

    /// All steps on a block.
    fn block(&self, parts: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let mut others = &parts[1..];
        self.stages.iter().enumerate().fold(parts[0].clone(), |rows, (place, stage)| {
            let done = place + 1;
            let (l, r) = stage.step.reach[0];
            let args = [Arg::Size((l + r + 1).into()), Arg::Size(ArithExpr::one()), Arg::Data(rows)];
            let slide = if place == 0 { Prim::Slide } else { Prim::SlideSeq };
            let windows = Expr::prim(slide, args.to_vec());
            let (own, rest) = others.split_at(stage.step.others().len());
            others = rest;
            let beside = own.iter().chain(&positions[0]).map(|xs| self.left(done, 0, xs));
            let all: Vec<Expr> = beside.chain([windows]).collect();
            let next = |x: Expr| {
                let of = apart(&x, all.len());
                let at =
                    [vec![positions[0].as_ref().map(|_| of[own.len()].clone())], positions[1..].to_vec()];
                let row = self.rows(done, &of[all.len() - 1], &of[..own.len()], &at.concat());
                match done == self.stages.len() {
                    true => row,
                    false => Expr::store(Memory::Local, row),
                }
            };
            let all = together(&all);
            Expr::map_in(Place::Sequential, function("w", &all, &next), all)
        })
    }

    /// What a trip computes of the step with this number, counted from 1: a row, or the rows of a plane. Of the window of rows or planes, and what
    /// other parts have there.
    fn rows(&self, number: usize, w: &Expr, others: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let stage = &self.stages[number - 1];
        let reach = &stage.step.reach;
        if self.outer() == 1 {
            let rows: Vec<Expr> = stage.rows.keys().map(|at| nth(w.clone(), at[0] + reach[0].0)).collect();
            return self.row(number, &rows, others, positions);
        }
        let len = self.extent_after(number, 1);
        let line = |at: &Vec<i64>| {
            part_of(&[((at[1] + reach[1].0).into(), len.clone())], nth(w.clone(), at[0] + reach[0].0))
        };
        let lines = stage.rows.keys().map(line);
        let beside = others.iter().map(|plane| self.left(number, 1, plane));
        let arrays: Vec<Expr> = lines.chain(beside).collect();
        let own = positions[1].as_ref().map(|xs| self.left(number, 1, xs));
        let maps = |_: usize, f, xs| Expr::map_in(Place::Sequential, f, xs);
        over(ELEMENTS, &arrays, &[own], &maps, &|parts, own| {
            let (rows, others) = parts.split_at(stage.rows.len());
            self.row(number, rows, others, &[&positions[..1], own].concat())
        })
    }

    /// A row after one more step: of the rows that it reads, and rows of other parts.
    fn row(&self, number: usize, rows: &[Expr], others: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let stage = &self.stages[number - 1];
        let neighbours = rows.iter().zip(stage.rows.values()).map(|(row, reach)| match *reach {
            (0, 0) => row.clone(),
            (l, r) => {
                let padded = Expr::pad(l.into(), r.into(), stage.boundary.clone(), row.clone());
                Expr::slide((l + r + 1).into(), ArithExpr::one(), padded).refresh()
            }
        });
        let arrays: Vec<Expr> = neighbours.chain(others.iter().cloned()).collect();
        let all = together(&arrays);
        let element = |x: Expr| {
            let parts = apart(&x, arrays.len());
            let (near, others) = parts.split_at(rows.len());
            let at = |distances: &[i64]| {
                let (own, outer) = match distances.split_last() {
                    Some(all) => all,
                    None => crate::bug!("a step in no dimension"),
                };
                let found = stage.rows.iter().zip(near).find(|((at, _), _)| at.as_slice() == outer);
                match found {
                    Some(((_, (0, 0)), part)) => part.clone(),
                    Some(((_, (l, _)), part)) => nth(part.clone(), own + l),
                    None => crate::bug!("a row that is not read"),
                }
            };
            let is_at_edge = |dim: usize, edge: Edge, from: i64| {
                let own = positions.get(dim)?.clone()?;
                if number == 1 && self.beyond(dim).is_some() {
                    return None;
                }
                Some(is_near(own, self.around(dim).0, &self.lens()[dim], (edge, from)))
            };
            let other = |i: usize| others[i].clone();
            stage.step.applied(self.facts, &Point { at: &at, near: &is_at_edge, other: &other })
        };
        Expr::map(function("x", &all, &element), all)
    }
}
