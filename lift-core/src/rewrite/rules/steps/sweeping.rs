//! Steps in whole rows: a work-item goes through a block of the array, row by row or plane by plane.
//!
//! Each trip of a loop computes one row, or plane, of a step from the last ones of the step before, which lie in local memory: a ring for each step,
//! small enough for the caches of a core. Blocks overlap by as much as the steps reach, and shrink from step to step. Rows are whole, so that
//! what lies beyond their ends is what the boundary says, and nothing is computed twice along them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::arith::{ArithExpr, Facts};
use crate::bug;
use crate::ir::{Boundary, Expr, Fold, Memory, Place, Scalar, Type};
use crate::machine::streamed::{MOST_OF_PLANES, MOST_OF_ROWS};
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::steps::Schedule;
use crate::rewrite::rules::steps::arrays::{ELEMENTS, map_together, nth, over};
use crate::rewrite::rules::steps::boundary::Edge;
use crate::rewrite::rules::steps::reach::Reach;
use crate::rewrite::rules::steps::step::{Point, Step};
use crate::rewrite::rules::steps::wavefront::Wavefront;

/// In blocks of whole rows that single work-items go through.
pub static SWEEPING: Schedule = Schedule { farthest, launch: swept };

pub static SWEEP_STEPS: Rule = Rule {
    name: "sweep_steps",
    about: "Several steps.",
    equation: "iterate(t, map^d(f) . slide^d(n, 1) . pad^d(l, r, b)) = take^(d-1)(len) . join^(d-1) . map_workgroup^(d-1)(t times map_seq(to_local . \
               map^(d-1)(f . b)) . slide_seq(n, 1)) . slide^(d-1)(T + t * (n - 1), T) . pad^(d-1)(t * l, e, clamp)",
    when: "where the first step reads windows of the block, and the last one is not kept, and f . b is as in time_tiling",
    apply: |e, cx| SWEEPING.repeated(e, cx),
};

pub static SWEEP_STAGES: Rule = Rule {
    name: "sweep_stages",
    about: "Several stages, in whole rows.",
    equation: "map^d(g) . slide^d(m, 1) . pad^d(u, v, c) . map^d(f) . slide^d(n, 1) . pad^d(l, r, b) = take^(d-1)(len) . join^(d-1) . \
               map_workgroup^(d-1)( map_seq(map^(d-1)(g . c)) . slide_seq(m, 1) . map_seq(to_local . map^(d-1)(f . b)) . slide(n, 1)) . slide^(d-1)(T + \
               (n - 1) + (m - 1), T) . pad^(d-1)(l + u, e, clamp)",
    when: "as in sweep_steps, for any number of steps, also with materialize between",
    apply: |e, cx| SWEEPING.staged(e, cx),
};

fn farthest(step: &Step) -> Option<i64> {
    let most = if step.dims() == 2 { MOST_OF_ROWS } else { MOST_OF_PLANES };
    boundary(step).map(|_| most)
}

/// What lies beyond the ends of rows, if a step can be swept.
fn boundary(step: &Step) -> Option<Boundary> {
    let is_number = matches!(step.element(), Type::Scalar(scalar) if *scalar != Scalar::Bool);
    step.boundary(step.dims() - 1).filter(|_| is_number && step.is_flat())
}

fn swept(steps: Vec<Rc<Step>>, x: &Expr, cx: &Context) -> Option<Expr> {
    let reads: Option<Vec<Reads>> = steps.iter().map(|step| Reads::of(step, cx.facts)).collect();
    let outer = steps[0].dims() - 1;
    Some(Sweep { reads: reads?, front: Wavefront::new(steps, outer, cx) }.all(x))
}

/// What a step reads of a window.
struct Reads {
    /// How far away each row is that is read, and how far along it.
    rows: BTreeMap<Vec<i64>, Reach>,
    /// What lies beyond the ends of rows.
    boundary: Boundary,
}

impl Reads {
    fn of(step: &Step, facts: &Facts) -> Option<Reads> {
        let boundary = boundary(step)?;
        let mut rows = BTreeMap::new();
        for mut distances in step.distances(step.dims() - 1, facts) {
            let own = distances.pop()?;
            let reach: &mut Reach = rows.entry(distances).or_default();
            *reach = reach.max(Reach { before: -own, after: own });
        }
        // What reads nothing has no rows to keep.
        (!rows.is_empty()).then_some(Reads { rows, boundary })
    }
}

struct Sweep<'a> {
    /// Blocks of rows, or of planes and rows.
    front: Wavefront<'a>,
    /// One for each step.
    reads: Vec<Reads>,
}

impl Sweep<'_> {
    fn all(&self, x: &Expr) -> Expr {
        let boundary = |dim: usize| self.beyond(dim).unwrap_or(Boundary::Fold(Fold::Clamp));
        let padded = |array: &Expr| self.front.padded(self.front.tiles.len(), array, &boundary).refresh();
        self.front.blocks(x, &padded, Place::Group, &|parts, at| {
            self.front.loops(parts[0].clone(), &parts[1..], at, &|number, w, others, at| {
                let rows = self.rows(number, w, others, at);
                match number == self.reads.len() {
                    true => rows,
                    false => Expr::store(Memory::Local, rows),
                }
            })
        })
    }

    /// What the first step finds beyond the array, if that needs nobody to look where it is: other rows. Rows that are made up have ends of
    /// their own.
    fn beyond(&self, dim: usize) -> Option<Boundary> {
        let wrap =
            Some(self.front.boundary(dim)).filter(|around| matches!(around, Boundary::Fold(Fold::Wrap)));
        let own = self.front.steps[0].boundary(dim);
        wrap.or(
            own.filter(|own| !matches!(own, Boundary::Constant(_) | Boundary::Value(_) | Boundary::Index(_)))
        )
    }

    /// What a trip computes of the step with this number, counted from 1: a row, or the rows of a plane. Of the window of rows or planes, and what
    /// other parts have there.
    fn rows(&self, number: usize, w: &Expr, others: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let front = &self.front;
        let (reach, rows) = (&front.steps[number - 1].reach, &self.reads[number - 1].rows);
        let read = |at: &Vec<i64>| nth(w.clone(), at[0] + reach[0].before);
        if front.tiles.len() == 1 {
            return self.row(number, &rows.keys().map(read).collect::<Vec<_>>(), others, positions);
        }
        let len = front.extent(number, 1);
        let line = |at: &Vec<i64>| nd::part_of(&[((at[1] + reach[1].before).into(), len.clone())], read(at));
        let beside = others.iter().map(|plane| front.left(number, 1..2, plane));
        let arrays: Vec<Expr> = rows.keys().map(line).chain(beside).collect();
        let own = positions[1].as_ref().map(|xs| front.left(number, 1..2, xs));
        over(ELEMENTS, |_| Place::Sequential, &arrays, &[own], &|parts, own| {
            let (rows, others) = parts.split_at(rows.len());
            self.row(number, rows, others, &[&positions[..1], own].concat())
        })
    }

    /// A row after so many steps: of the rows that the last one reads, and rows of other parts.
    fn row(&self, number: usize, rows: &[Expr], others: &[Expr], positions: &[Option<Expr>]) -> Expr {
        let (step, reads) = (&self.front.steps[number - 1], &self.reads[number - 1]);
        let neighbours = rows.iter().zip(reads.rows.values()).map(|(row, reach)| match reach.both() {
            0 => row.clone(),
            both => {
                let (before, after) = (reach.before.into(), reach.after.into());
                let padded = Expr::pad(before, after, reads.boundary.clone(), row.clone());
                Expr::slide((both + 1).into(), ArithExpr::one(), padded).refresh()
            }
        });
        let arrays: Vec<Expr> = neighbours.chain(others.iter().cloned()).collect();
        map_together(Place::View, "x", &arrays, &|parts| {
            let (near, others) = parts.split_at(rows.len());
            let at = |distances: &[i64]| {
                let Some((own, outer)) = distances.split_last() else { bug!("a step in no dimension") };
                let found = reads.rows.iter().zip(near).find(|((at, _), _)| at.as_slice() == outer);
                let Some(((_, reach), part)) = found else { bug!("a row that is not read") };
                if reach.both() == 0 { part.clone() } else { nth(part.clone(), own + reach.before) }
            };
            let is_at_edge = |dim: usize, edge: Edge, from: i64| {
                let own = positions.get(dim)?.clone()?;
                let is_there = number == 1 && self.beyond(dim).is_some();
                (!is_there).then(|| self.front.is_near(dim, own, edge, from))
            };
            let other = |i: usize| others[i].clone();
            step.applied(&Point { facts: self.front.facts, at: &at, near: &is_at_edge, other: &other })
        })
    }
}
