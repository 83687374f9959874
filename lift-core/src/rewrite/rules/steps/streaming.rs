//! Steps that are streamed: a group goes through a strip of the array, row by row or plane by plane.
//!
//! Each trip of its loop reads one row, and computes one of every step from the last rows of the step before. Rows stay in the
//! registers of the work-items that computed them, a vector in each; what neighbours need goes through local memory. Strips
//! overlap by as much as the steps reach. Along the loop a strip shrinks from step to step; in the other dimensions it does
//! not, and what is not right at its edges any more is dropped in the end. One step alone is what is known as 2.5-D.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{BinaryOp, Boundary, Expr, Fold, Memory, Param, Place, Type};
use crate::machine::streamed::{MOST_OF_PLANES, MOST_OF_ROWS, VECTOR_BYTES};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::steps::Schedule;
use crate::rewrite::rules::steps::arrays::{Body, ELEMENTS, map_in, nth, over};
use crate::rewrite::rules::steps::boundary::Edge;
use crate::rewrite::rules::steps::reach::Reach;
use crate::rewrite::rules::steps::step::{Point, Step};
use crate::rewrite::rules::steps::wavefront::{Wavefront, is_near};

/// In strips that groups go through.
pub static STREAMING: Schedule = Schedule { farthest, launch: streamed };

pub static STREAM_STEPS: Rule = Rule {
    name: "stream_steps",
    about: "Several steps.",
    equation: "iterate(t, map^d(f) . slide^d(n, 1) . pad^d(l, r, b)) = take^d(len) . join^d . map_workgroup^d(t times map_seq(kept . map^(d-1)(f . b)) . \
               slide_seq(n, 1) . map_seq(kept)) . slide^d(T + t * (n - 1), T) . pad^d(t * l, e, clamp)",
    when: "with rows in vectors, where kept is |x| (to_private(x), to_local(x)) and f . b as in time_tiling",
    apply: |e, cx| STREAMING.repeated(e, cx),
};

pub static STREAM: Rule = Rule {
    name: "stream",
    about: "One step.",
    equation: "map^d(f) . slide^d(n, 1) . pad^d(l, r, b) = take^d(len) . join^d . map_workgroup^d(map_seq(map^(d-1)(f . b)) . slide_seq(n, 1) . \
               map_seq(kept)) . slide^d(T + n - 1, T) . pad^d(l, e, clamp)",
    when: "as in stream_steps",
    apply: |e, cx| {
        let (step, x) = Step::at_root(e, cx.facts)?;
        streamed(vec![Rc::new(step)], &x, cx)
    },
};

pub static STREAM_STAGES: Rule = Rule {
    name: "stream_stages",
    about: "Several stages.",
    equation: "map^d(g) . slide^d(m, 1) . pad^d(u, v, c) . map^d(f) . slide^d(n, 1) . pad^d(l, r, b) = take^d(len) . join^d . map_workgroup^d(map_seq( \
               map^(d-1)(g . c)) . slide_seq(m, 1) . map_seq(kept . map^(d-1)(f . b)) . slide_seq(n, 1) . map_seq(kept)) . slide^d(T + (n - 1) + (m - 1), \
               T) . pad^d(l + u, e, clamp)",
    when: "as in stream_steps, for any number of steps, also with materialize between",
    apply: |e, cx| STREAMING.staged(e, cx),
};

/// A strip reaches not much farther than it is wide.
fn farthest(step: &Step) -> Option<i64> {
    let most = if step.dims() == 2 { MOST_OF_ROWS } else { MOST_OF_PLANES };
    vector(step).map(|_| most)
}

/// The elements of a vector, if such a step can be streamed.
fn vector(step: &Step) -> Option<i64> {
    let Type::Scalar(scalar) = step.element() else { return None };
    let vector = (VECTOR_BYTES / scalar.bytes()).clamp(1, 4);
    (step.is_flat() && step.reach.last()?.farthest() <= vector).then_some(vector)
}

fn streamed(steps: Vec<Rc<Step>>, x: &Expr, cx: &Context) -> Option<Expr> {
    let vector = vector(&steps[0])?;
    let reads = steps.iter().map(|step| Reads::of(step, vector, cx.facts)).collect();
    let last = steps[0].dims() - 1;
    let mut front = Wavefront::new(steps, last + 1, cx);
    let blocks = |n: i64| (n + vector - 1) / vector;
    let Reach { before, after } = front.around[last];
    front.around[last] = Reach { before: blocks(before), after: blocks(after) };
    front.lens[last] = cx.facts.simplify(&front.lens[last].div_ceil(&vector.into()));
    Some(Stream { front, reads, vector }.all(x))
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

/// What a step reads of the rows that the one before has left.
struct Reads(BTreeSet<Read>);

impl Reads {
    fn of(step: &Step, vector: i64, facts: &Facts) -> Reads {
        let distances = step.distances(step.dims(), facts);
        let all = (0..vector).flat_map(|i| distances.iter().map(move |distances| (distances, i)));
        Reads(all.map(|(distances, i)| read(step, vector, distances, i).0).collect())
    }

    /// Whether no item reads what another one has.
    fn is_own(&self) -> bool {
        self.0.iter().all(Read::is_own)
    }

    /// The elements of vectors that neighbours read, if rows are lines.
    fn columns(&self) -> Vec<i64> {
        let columns: BTreeSet<i64> = self.0.iter().filter_map(|read| read.element).collect();
        columns.into_iter().collect()
    }
}

struct Stream<'a> {
    /// Strips: in the last dimension, of vectors.
    front: Wavefront<'a>,
    /// One for each step.
    reads: Vec<Reads>,
    /// The elements of a vector.
    vector: i64,
}

impl Stream<'_> {
    fn all(&self, x: &Expr) -> Expr {
        let padded = |array: &Expr| self.padded(array);
        let vectors = self.front.blocks(x, &padded, Place::Group, &|parts, at| self.strip(parts, at));
        each_row(self.last(), vectors, &|row| Expr::take(self.row_len().clone(), Expr::join(row)))
    }

    fn last(&self) -> usize {
        self.front.tiles.len() - 1
    }

    fn row_len(&self) -> &ArithExpr {
        &self.front.steps[0].lens[self.last()]
    }

    /// An array in vectors, with what strips need around it.
    fn padded(&self, array: &Expr) -> Expr {
        let (front, last) = (&self.front, self.last());
        let vector = ArithExpr::cst(self.vector);
        let (before, after) = front.added(last);
        // What is periodic is so element by element, all else may be repeated in vectors.
        let periodic = matches!(front.boundary(last), Boundary::Fold(Fold::Wrap));
        let rest = &front.lens[last] * &vector - self.row_len();
        let (left, right) = match periodic {
            true => (before.clone() * &vector, after.clone() * &vector + rest),
            false => (ArithExpr::zero(), rest),
        };
        let right = front.facts.simplify(&right);
        let vectors = each_row(last, array.clone(), &|row| {
            Expr::split(vector.clone(), Expr::pad(left.clone(), right.clone(), front.boundary(last), row))
        });
        let dims = if periodic { last } else { last + 1 };
        front.padded(dims, &vectors, &|dim| front.boundary(dim))
    }

    /// All steps on a strip. Along the loop it shrinks, in the other dimensions it does not.
    fn strip(&self, parts: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let read = |row: Expr| self.kept(self.by_items(row, &unrolled), 0);
        let first = map_in(Place::Sequential, "row", parts[0].clone(), &read);
        let rows = self.front.loops(first, &parts[1..], positions, &|number, w, others, at| {
            let row = self.row(number, w, others, at);
            if number < self.reads.len() { self.kept(row, number) } else { row }
        });
        let yields = |i: usize| (self.front.around[i].before.into(), self.front.tiles[i].clone());
        let inner: Vec<_> = (1..=self.last()).map(yields).collect();
        Expr::map_with("row", rows, |row| nd::part_of(&inner, row))
    }

    /// A function of everything that a row has.
    fn by_items(&self, row: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
        self.over_items(&[row], &vec![None; self.last()], &|parts, _| f(parts[0].clone()))
    }

    fn over_items(&self, rows: &[Expr], positions: &[Option<Expr>], body: Body) -> Expr {
        over(ELEMENTS, Place::Local, rows, positions, body)
    }

    /// A row after so many steps in registers, and what neighbours need of it in local memory for the next step.
    fn kept(&self, row: Expr, done: usize) -> Expr {
        let next = &self.reads[done];
        let own = Expr::store(Memory::Private, row);
        if next.is_own() {
            return own;
        }
        let param = Param::new("own", own.ty().clone());
        let local = |f: &dyn Fn(Expr) -> Expr| {
            let shared = self.by_items(Expr::param(&param), f);
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
    fn seen(&self, all: &Reads, w: &Expr, read: &Read) -> Expr {
        let row = nth(w.clone(), read.row);
        if all.is_own() {
            return row;
        }
        let column = |i: i64| all.columns().iter().position(|column| *column == i).unwrap_or(0);
        let source = match read.element {
            _ if read.is_own() => 0,
            Some(i) => 1 + column(i),
            None => 1,
        };
        let shared = Expr::field(row, source);
        let (line, vectors) = read.at;
        let moves = if self.last() == 2 { vec![line, vectors] } else { vec![vectors] };
        moved(&moves, &(1..=self.last()).map(|i| self.front.extent(0, i)).collect::<Vec<_>>(), shared)
    }

    /// A row after so many steps: of the window of rows, and rows of other parts.
    fn row(&self, done: usize, w: &Expr, others: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let (step, all) = (&self.front.steps[done - 1], &self.reads[done - 1]);
        let reads: Vec<&Read> = all.0.iter().collect();
        let seen = reads.iter().map(|read| self.seen(all, w, read));
        let arrays: Vec<Expr> = seen.chain(others.iter().cloned()).collect();
        self.over_items(&arrays, &positions[1..], &|parts, inner| {
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
            let elements = (0..self.vector).map(|i| self.one(step, i, (&reads, own, others), &at));
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
        step.applied(&Point { facts: self.front.facts, at: &at, near: &near, other: &other })
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
        if dim != self.last() {
            return Some(self.front.is_near(dim, own, edge, from));
        }
        let (facts, before) = (self.front.facts, self.front.around[dim].before);
        let vector = ArithExpr::cst(self.vector);
        let index = match edge {
            Edge::First => ArithExpr::cst(from - element),
            Edge::Last => self.row_len() - ArithExpr::cst(1 + from + element),
        };
        let whole = facts.multiple_of(&index, &vector);
        if whole.is_no() {
            None
        } else if whole.is_yes() {
            let at = facts.simplify(&(ArithExpr::cst(before) + index.div(&vector)));
            let exists = at.as_const().is_none_or(|n| n >= 0);
            exists.then(|| Expr::binary(BinaryOp::Eq, own, Expr::size(at)))
        } else {
            let all = Expr::binary(BinaryOp::Mul, own, Expr::size(vector));
            let all = Expr::binary(BinaryOp::Add, all, Expr::size(element.into()));
            Some(is_near(all, before * self.vector, self.row_len(), (edge, from)))
        }
    }
}

/// A function of every row of an array with so many dimensions more.
fn each_row(dims: usize, xs: Expr, f: &dyn Fn(Expr) -> Expr) -> Expr {
    match dims {
        0 => f(xs),
        _ => Expr::map_with("row", xs, |row| each_row(dims - 1, row, f)),
    }
}

/// What a step reads at some distances for the element of a vector with this number, and which element of it that is.
fn read(step: &Step, vector: i64, distances: &[i64], element: i64) -> (Read, i64) {
    let last = step.dims() - 1;
    let line = if last == 2 { distances[1] } else { 0 };
    let i = element + distances[last];
    let (vectors, i) = (i.div_euclid(vector), i.rem_euclid(vector));
    let row = distances[0] + step.reach[0].before;
    let alone = last == 1 && vectors != 0;
    (Read { row, at: (line, vectors), element: alone.then_some(i) }, i)
}

/// The elements of a vector, one by one.
fn unrolled(vector: Expr) -> Expr {
    map_in(Place::Unrolled, "x", vector, &|x| x)
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
        1.. => Expr::pad(ArithExpr::zero(), n.clone(), Boundary::Fold(Fold::Clamp), Expr::drop(n, rows)),
        _ => Expr::take(len.clone(), Expr::pad(n, ArithExpr::zero(), Boundary::Fold(Fold::Clamp), rows)),
    }
}
