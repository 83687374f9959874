//! Steps that are streamed: a group goes through a strip of the array, row by row or plane by plane.
//!
//! Each trip of its loop reads one row, and computes one of every step from the last rows of the step before. Rows stay in the
//! registers of the work-items that computed them, a vector in each; what neighbours need goes through local memory. Strips
//! overlap by as much as the steps reach. Along the loop a strip shrinks from step to step; in the other dimensions it does
//! not, and what is not right at its edges any more is dropped in the end. One step alone is what is known as 2.5-D.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, BinaryOp, Boundary, Expr, Fold, Lambda, Memory, Param, Place, Prim, Type};
use crate::machine::streamed::{MOST_OF_PLANES, MOST_OF_ROWS, VECTOR_BYTES};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::new_tiles;
use crate::rewrite::rules::step::{Edge, Point, Step};
use crate::rewrite::rules::time::{
    ELEMENTS, TILES, apart, is_near, iterated, nth, numbers, over, pad_each, part_of, together,
};

pub static STREAM_STEPS: Rule = Rule {
    name: "stream_steps",
    about: "Several steps.",
    equation: "iterate(t, map^d(f) . slide^d(n, 1) . pad^d(l, r, b)) = take^d(len) . join^d . map_workgroup^d(t times map_seq(kept . map^(d-1)(f . b)) . \
               slide_seq(n, 1) . map_seq(kept)) . slide^d(T + t * (n - 1), T) . pad^d(t * l, e, clamp)",
    when: "with rows in vectors, where kept is |x| (to_private(x), to_local(x)) and f . b as in time_tiling",
    apply: |e, cx| {
        let (times, f, x) = iterated(e)?;
        let step = Step::of(f, cx.facts)?;
        streamed(&vec![&step; times as usize], x, cx)
    },
};

pub static STREAM: Rule = Rule {
    name: "stream",
    about: "One step.",
    equation: "map^d(f) . slide^d(n, 1) . pad^d(l, r, b) = take^d(len) . join^d . map_workgroup^d(map_seq(map^(d-1)(f . b)) . slide_seq(n, 1) . \
               map_seq(kept)) . slide^d(T + n - 1, T) . pad^d(l, e, clamp)",
    when: "as in stream_steps",
    apply: |e, cx| {
        let (step, x) = Step::at_root(e, cx.facts)?;
        streamed(&[&step], &x, cx)
    },
};

/// How many steps at once pay, if the rule for several applies: a strip reaches not much farther than it is wide.
pub fn steps_at_once(e: &Expr, facts: &Facts) -> Option<i64> {
    let (Prim::Iterate, [_, Arg::Fun(f), _]) = e.as_prim()? else { return None };
    let step = Step::of(f, facts)?;
    let steps = most_at_once(&step);
    (steps >= 2 && vector(&step).is_some()).then_some(steps)
}

/// Whether it pays to do these steps at once, and all of them can be streamed.
pub(super) fn pays(steps: &[&Step]) -> bool {
    are_few(steps) && steps.iter().all(|step| vector(step).is_some())
}

/// Whether steps reach no farther than it pays.
pub(super) fn are_few(steps: &[&Step]) -> bool {
    let all: i64 = steps.iter().map(|step| farthest(step)).sum();
    steps.first().is_some_and(|step| all <= most(step))
}

/// How many such steps at once pay.
pub(super) fn most_at_once(step: &Step) -> i64 {
    most(step) / farthest(step)
}

/// Whether arrays are like that of a step, and of scalars.
pub(super) fn are_flat(arrays: &[&Expr], step: &Step) -> bool {
    arrays.iter().all(|array| {
        let (lens, element) = array.ty().shape();
        lens.len() == step.dims() && matches!(element, Type::Scalar(_))
    })
}

/// How far a step reaches, at least to the next element.
fn farthest(step: &Step) -> i64 {
    step.reach.iter().map(|(l, r)| *l.max(r)).fold(1, i64::max)
}

fn most(step: &Step) -> i64 {
    if step.dims() == 2 { MOST_OF_ROWS } else { MOST_OF_PLANES }
}

/// The elements of a vector, if such a step can be streamed.
fn vector(step: &Step) -> Option<i64> {
    let (dims, Type::Scalar(scalar)) = (step.dims(), step.element()) else { return None };
    let vector = (VECTOR_BYTES / scalar.bytes()).clamp(1, 4);
    let (west, east) = *step.reach.last()?;
    let near = west.max(east) <= vector;
    ((2..=3).contains(&dims) && near && step.is_named() && are_flat(&step.others(), step)).then_some(vector)
}

/// Steps one after the other, if all of them can be streamed. They go through arrays of the same shape, periodic in the same dimensions.
pub(super) fn streamed(steps: &[&Step], x: &Expr, cx: &Context) -> Option<Expr> {
    let vectors: Option<BTreeSet<i64>> = steps.iter().map(|step| vector(step)).collect();
    let vector = vectors.filter(|all| all.len() == 1)?.pop_first()?;
    let reach = |of: fn(&(i64, i64)) -> i64| steps.iter().filter_map(|step| step.reach.last()).map(of).sum();
    let blocks = |n: i64| (n + vector - 1) / vector;
    let sides = (blocks(reach(|(west, _)| *west)), blocks(reach(|(_, east)| *east)));
    let tiles = new_tiles(cx, steps[0].dims());
    let stages = steps.iter().map(|step| Stage::new(step, vector, cx.facts)).collect();
    Some(Stream { stages, facts: cx.facts, vector, sides, tiles }.all(x))
}

/// What a work-item reads of one row: what it keeps itself, or something of a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Read {
    /// Which row of the window.
    row: i64,
    /// How far away the neighbour is: lines, if rows are planes, and vectors.
    at: (i64, i64),
    /// Which element of its vector; none if it is all of it.
    element: Option<i64>,
}

impl Read {
    fn is_own(&self) -> bool {
        self.at == (0, 0)
    }
}

/// A step, and what it reads of the rows that the one before has left.
struct Stage<'a> {
    step: &'a Step,
    reads: BTreeSet<Read>,
}

impl<'a> Stage<'a> {
    fn new(step: &'a Step, vector: i64, facts: &Facts) -> Stage<'a> {
        let distances = step.distances(step.dims(), facts);
        let all = (0..vector).flat_map(|i| distances.iter().map(move |distances| (distances, i)));
        let reads = all.map(|(distances, i)| read(step, vector, distances, i).0).collect();
        Stage { step, reads }
    }

    /// Whether no item reads what another one has.
    fn is_own(&self) -> bool {
        self.reads.iter().all(Read::is_own)
    }

    /// The elements of vectors that neighbours read, if rows are lines.
    fn columns(&self) -> Vec<i64> {
        let columns: BTreeSet<i64> = self.reads.iter().filter_map(|read| read.element).collect();
        columns.into_iter().collect()
    }
}

struct Stream<'a> {
    /// One after the other.
    stages: Vec<Stage<'a>>,
    facts: &'a Facts,
    /// The elements of a vector.
    vector: i64,
    /// Vectors on either side of what a strip yields.
    sides: (i64, i64),
    /// New sizes: how many elements a strip yields in every dimension, vectors in the last.
    tiles: Vec<ArithExpr>,
}

impl Stream<'_> {
    fn all(&self, x: &Expr) -> Expr {
        let dims = self.dims();
        let windows: Vec<_> = (0..dims).map(|i| (self.extent(i), self.tiles[i].clone())).collect();
        let cut = |array: &Expr| nd::slide_nd(&windows, self.padded(array));
        let others = self.stages.iter().flat_map(|stage| stage.step.others());
        let arrays: Vec<Expr> = [x].into_iter().chain(others).map(cut).collect();
        let positions: Vec<Option<Expr>> = (0..dims)
            .map(|i| {
                let (before, after) = self.pads(i);
                let all = numbers(self.facts.simplify(&(before + self.len(i) + after)));
                let has_edges = self.stages.iter().any(|stage| stage.step.has_edges(i));
                has_edges.then(|| Expr::slide(self.extent(i), self.tiles[i].clone(), all))
            })
            .collect();
        let groups = |dim: usize, f, xs| Expr::map_in(Place::Group(dims - 1 - dim), f, xs);
        let strips = over(TILES, &arrays, &positions, &groups, &|parts, at| self.strip(parts, at));
        let mut lens = self.lens().to_vec();
        lens[dims - 1] = self.len(dims - 1);
        let vectors = nd::take_nd(&lens, nd::join_nd(dims, strips));
        self.rows(vectors, &|row| Expr::take(self.row_len().clone(), Expr::join(row)))
    }

    fn dims(&self) -> usize {
        self.lens().len()
    }

    /// The extents of the array, which all steps have in common.
    fn lens(&self) -> &[ArithExpr] {
        &self.stages[0].step.lens
    }

    /// A function of every row of an array.
    fn rows(&self, xs: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
        fn below(dims: usize, xs: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
            match dims {
                1 => f(xs),
                _ => Expr::map_with("row", xs, |row| below(dims - 1, row, f)),
            }
        }
        below(self.dims(), xs, f)
    }

    fn last(&self) -> usize {
        self.dims() - 1
    }

    fn row_len(&self) -> &ArithExpr {
        &self.lens()[self.last()]
    }

    /// The extent of the array, vectors in the last dimension.
    fn len(&self, dim: usize) -> ArithExpr {
        match dim == self.last() {
            true => self.facts.simplify(&self.row_len().div_ceil(&self.vector.into())),
            false => self.lens()[dim].clone(),
        }
    }

    /// How much a strip has more than it yields, before and after.
    fn around(&self, dim: usize) -> (i64, i64) {
        if dim == self.last() { self.sides } else { reach(&self.stages, dim) }
    }

    /// The extent of a strip.
    fn extent(&self, dim: usize) -> ArithExpr {
        let (before, after) = self.around(dim);
        &self.tiles[dim] + &(before + after).into()
    }

    /// What is added to the array.
    fn pads(&self, dim: usize) -> (ArithExpr, ArithExpr) {
        let (before, after) = self.around(dim);
        let len = self.len(dim);
        let whole = len.div_ceil(&self.tiles[dim]) * &self.tiles[dim];
        (before.into(), self.facts.simplify(&(whole - len + ArithExpr::cst(after))))
    }

    /// What lies around the array before the first step.
    fn boundary(&self, dim: usize) -> Boundary {
        let all = self.stages.iter().map(|stage| stage.step.around(dim));
        all.fold(Boundary::Fold(Fold::Clamp), |found, own| {
            if matches!(own, Boundary::Fold(Fold::Wrap)) { own } else { found }
        })
    }

    /// An array in vectors, with what strips need around it.
    fn padded(&self, array: &Expr) -> Expr {
        let last = self.last();
        let vector = ArithExpr::cst(self.vector);
        let (before, after) = self.pads(last);
        // What is periodic is so element by element, all else may be repeated in vectors.
        let periodic = matches!(self.boundary(last), Boundary::Fold(Fold::Wrap));
        let rest = self.len(last) * &vector - self.row_len();
        let pads = match periodic {
            true => (before.clone() * &vector, after.clone() * &vector + rest),
            false => (ArithExpr::zero(), rest),
        };
        let vectors = self.rows(array.clone(), &|row| {
            let right = self.facts.simplify(&pads.1);
            Expr::split(vector.clone(), Expr::pad(pads.0.clone(), right, self.boundary(last), row))
        });
        let mut amounts: Vec<_> = (0..last)
            .map(|i| {
                let (before, after) = self.pads(i);
                (before, after, self.boundary(i))
            })
            .collect();
        amounts.push(match periodic {
            true => (ArithExpr::zero(), ArithExpr::zero(), Boundary::Fold(Fold::Clamp)),
            false => (before, after, Boundary::Fold(Fold::Clamp)),
        });
        pad_each(&amounts, vectors)
    }

    /// All steps on a strip.
    fn strip(&self, parts: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let read = |row: Expr| self.kept(self.copied(row), &self.stages[0]);
        let first = Expr::map_in(Place::Sequential, function("row", &parts[0], &read), parts[0].clone());
        let mut others = &parts[1..];
        let rows = self.stages.iter().enumerate().fold(first, |rows, (place, stage)| {
            let (l, r) = stage.step.reach[0];
            let (done, to_do) = (reach(&self.stages[..=place], 0), reach(&self.stages[place + 1..], 0));
            let len = &self.tiles[0] + &(to_do.0 + to_do.1).into();
            let left = |xs: &Expr| part_of(&[(done.0.into(), len.clone())], xs.clone());
            let args = [Arg::Size((l + r + 1).into()), Arg::Size(ArithExpr::one()), Arg::Data(rows)];
            let windows = Expr::prim(Prim::SlideSeq, args.to_vec());
            let (own, rest) = others.split_at(stage.step.others().len());
            others = rest;
            let all: Vec<Expr> = own.iter().chain(&positions[0]).map(left).chain([windows]).collect();
            let next = |x: Expr| {
                let of = apart(&x, all.len());
                let (row, others) = (of[all.len() - 1].clone(), &of[..own.len()]);
                let at =
                    [vec![positions[0].as_ref().map(|_| of[own.len()].clone())], positions[1..].to_vec()];
                let row = self.row(stage, &row, others, &at.concat());
                match self.stages.get(place + 1) {
                    Some(next) => self.kept(row, next),
                    None => row,
                }
            };
            let all = together(&all);
            Expr::map_in(Place::Sequential, function("w", &all, &next), all)
        });
        let inner = (1..self.dims()).map(|i| (self.around(i).0.into(), self.tiles[i].clone()));
        let inner: Vec<_> = inner.collect();
        Expr::map_with("row", rows, |row| part_of(&inner, row))
    }

    /// A row in the registers of those who need it.
    fn copied(&self, row: Expr) -> Expr {
        self.by_items(&[row], &|parts| unrolled(parts[0].clone()))
    }

    /// A function of what several rows have in the same places.
    fn by_items(&self, rows: &[Expr], body: &dyn Fn(&[Expr]) -> Expr) -> Expr {
        let none = vec![None; self.last()];
        over(ELEMENTS, rows, &none, &|dim, f, xs| self.local(dim, f, xs), &|parts, _| body(parts))
    }

    fn local(&self, dim: usize, f: Lambda, xs: Expr) -> Expr {
        Expr::map_in(Place::Local(self.last() - 1 - dim), f, xs)
    }

    /// A row in registers, and what neighbours need of it in local memory for the next step.
    fn kept(&self, row: Expr, next: &Stage) -> Expr {
        let own = Expr::store(Memory::Private, row);
        if next.is_own() {
            return own;
        }
        let param = Param::new("own", own.ty().clone());
        let local = |f: &dyn Fn(Expr) -> Expr| {
            let shared = self.by_items(&[Expr::param(&param)], &|parts| f(parts[0].clone()));
            Expr::store(Memory::Local, shared)
        };
        let shared: Vec<Expr> = match self.last() {
            1 => next.columns().into_iter().map(|i| local(&|vector| nth(vector, i))).collect(),
            _ => vec![local(&unrolled)],
        };
        let all = [vec![Expr::param(&param)], shared].concat();
        Expr::let_(param, own, Expr::tuple(all))
    }

    /// What is read of the rows of a window, where those are who read it.
    fn seen(&self, stage: &Stage, w: &Expr, read: &Read) -> Expr {
        let row = nth(w.clone(), read.row);
        if stage.is_own() {
            return row;
        }
        let column = |i: i64| stage.columns().iter().position(|column| *column == i).unwrap_or(0);
        let source = match read.element {
            _ if read.is_own() => 0,
            Some(i) => 1 + column(i),
            None => 1,
        };
        let shared = Expr::field(row, source);
        let (line, vectors) = read.at;
        let moves = if self.last() == 2 { vec![line, vectors] } else { vec![vectors] };
        moved(&moves, &(1..self.dims()).map(|i| self.extent(i)).collect::<Vec<_>>(), shared)
    }

    /// A row after one more step: of the window of rows, and rows of other parts.
    fn row(&self, stage: &Stage, w: &Expr, others: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let reads: Vec<&Read> = stage.reads.iter().collect();
        let seen = reads.iter().map(|read| self.seen(stage, w, read));
        let arrays: Vec<Expr> = seen.chain(others.iter().cloned()).collect();
        let maps = |dim: usize, f: Lambda, xs: Expr| self.local(dim, f, xs);
        over(ELEMENTS, &arrays, &positions[1..], &maps, &|parts, inner| {
            // Vectors of neighbours, and those of other parts, are read at once.
            let whole = reads.iter().map(|read| !read.is_own() && read.at.1 == 0);
            let whole = whole.chain(others.iter().map(|_| true));
            let kept = whole.zip(parts).map(|(whole, part)| {
                let param = Param::new("beside", part.ty().clone());
                let value = Expr::store(Memory::Private, part.clone());
                if whole { (Expr::param(&param), Some((param, value))) } else { (part.clone(), None) }
            });
            let (values, kept): (Vec<Expr>, Vec<Option<(Param, Expr)>>) = kept.unzip();
            let (own, others) = values.split_at(reads.len());
            let at = [&positions[..1], inner].concat();
            let elements = (0..self.vector).map(|i| self.one(stage.step, i, (&reads, own, others), &at));
            let vector = unrolled(Expr::array_literal(elements.collect()));
            let kept = kept.into_iter().flatten().rev();
            kept.fold(vector, |body, (param, value)| Expr::let_(param, value, body))
        })
    }

    /// One element of a vector after one more step.
    fn one(
        &self,
        step: &Step,
        element: i64,
        (reads, values, others): (&[&Read], &[Expr], &[Expr]),
        positions: &[Option<Expr>],
    ) -> Expr {
        let at = |distances: &[i64]| {
            let (read, i) = read(step, self.vector, distances, element);
            let found = reads.iter().position(|other| **other == read).unwrap_or(0);
            let value = values[found].clone();
            if read.element.is_some() { value } else { nth(value, i) }
        };
        let near = |dim: usize, edge: Edge, from: i64| self.near(dim, edge, from, element, positions);
        let other = |i: usize| nth(others[i].clone(), element);
        step.applied(self.facts, &Point { at: &at, near: &near, other: &other })
    }

    /// Whether an element of a vector is so far from an edge.
    fn near(
        &self,
        dim: usize,
        edge: Edge,
        from: i64,
        element: i64,
        positions: &[Option<Expr>],
    ) -> Option<Expr> {
        let own = positions[dim].clone()?;
        let before = self.around(dim).0;
        if dim != self.last() {
            return Some(is_near(own, before, &self.lens()[dim], (edge, from)));
        }
        let vector = ArithExpr::cst(self.vector);
        let index = match edge {
            Edge::First => ArithExpr::cst(from - element),
            Edge::Last => self.row_len() - ArithExpr::cst(1 + from + element),
        };
        let whole = self.facts.multiple_of(&index, &vector);
        if whole.is_no() {
            None
        } else if whole.is_yes() {
            let at = self.facts.simplify(&(ArithExpr::cst(before) + index.div(&vector)));
            let exists = at.as_const().is_none_or(|n| n >= 0);
            exists.then(|| Expr::binary(BinaryOp::Eq, own, Expr::size(at)))
        } else {
            let all = Expr::binary(BinaryOp::Mul, own, Expr::size(vector));
            let all = Expr::binary(BinaryOp::Add, all, Expr::size(element.into()));
            Some(is_near(all, before * self.vector, self.row_len(), (edge, from)))
        }
    }
}

/// How far stages reach together, before and after.
fn reach(stages: &[Stage], dim: usize) -> (i64, i64) {
    reach_of(stages.iter().map(|stage| stage.step), dim)
}

/// How far steps reach together, before and after.
pub(super) fn reach_of<'a>(steps: impl Iterator<Item = &'a Step>, dim: usize) -> (i64, i64) {
    let all = steps.map(|step| step.reach[dim]);
    all.fold((0, 0), |(before, after), (l, r)| (before + l, after + r))
}

/// What a step reads at some distances for the element of a vector with this number, and which element of it that is.
fn read(step: &Step, vector: i64, distances: &[i64], element: i64) -> (Read, i64) {
    let last = step.dims() - 1;
    let line = if last == 2 { distances[1] } else { 0 };
    let i = element + distances[last];
    let (vectors, i) = (i.div_euclid(vector), i.rem_euclid(vector));
    let row = distances[0] + step.reach[0].0;
    let alone = last == 1 && vectors != 0;
    (Read { row, at: (line, vectors), element: alone.then_some(i) }, i)
}

/// The elements of a vector, one by one.
fn unrolled(vector: Expr) -> Expr {
    let same = function("x", &vector, &|x| x);
    Expr::map_in(Place::Unrolled, same, vector)
}

/// A function of the elements of an array.
pub(super) fn function(name: &str, xs: &Expr, body: &dyn Fn(Expr) -> Expr) -> Lambda {
    let element = xs.ty().as_array().map_or(xs.ty(), |(element, _)| element).clone();
    Lambda::unary(name, element, body)
}

/// Every element has the place of the one so far before it; those at the edge, where there is none, have the nearest.
fn moved(by: &[i64], lens: &[ArithExpr], xs: Expr) -> Expr {
    let (Some((by, inner)), Some((len, rest))) = (by.split_first(), lens.split_first()) else { return xs };
    let rows = match inner.iter().any(|n| *n != 0) {
        true => Expr::map_with("line", xs, |line| moved(inner, rest, line)),
        false => xs,
    };
    let n: ArithExpr = by.abs().into();
    match by {
        0 => rows,
        1.. => {
            let all = Expr::drop(n.clone(), rows);
            Expr::pad(ArithExpr::zero(), n, Boundary::Fold(Fold::Clamp), all)
        }
        _ => Expr::take(len.clone(), Expr::pad(n, ArithExpr::zero(), Boundary::Fold(Fold::Clamp), rows)),
    }
}
