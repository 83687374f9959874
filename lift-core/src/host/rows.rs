//! The loop along a row, taken apart: where no index is folded back into its array, and where one is.
//!
//! Before: the innermost loop of a work-item, whose trips do not depend on each other. After: the range of trips in which all choices are
//! made, with statements that make none, and the stretches of arrays that these read and write element by element. Of a stretch as long as
//! the range, a compiler knows that no index is out of range, so that nothing is checked in the loop.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, MOST_STEPS, Var};
use crate::host::decide::{compared, decided, without_names};
use crate::host::stretches::{Stretch, stretches};
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::ir::build::fresh_id;
use crate::machine::host::STRIP;
use crate::memory::BufferId;

/// The interior of a loop.
pub(super) struct Interior {
    /// The index in it.
    pub(super) var: Var,
    /// Its first value.
    pub(super) first: ArithExpr,
    /// The end of its values; before the first one if there are none.
    pub(super) end: ArithExpr,
    /// What is repeated.
    pub(super) body: Vec<Stmt>,
    /// What is known there.
    pub(super) facts: Facts,
    /// The stretches that are read.
    pub(super) reads: Vec<Stretch>,
    /// Those that are written, and perhaps read: by their arrays.
    pub(super) writes: Vec<(BufferId, Vec<Stretch>)>,
}

impl Interior {
    /// How many trips there are, if that is known, and less than a strip: then all of them are one.
    pub(super) fn trips(&self) -> Option<usize> {
        let trips = (&self.end - &self.first).as_const()?;
        usize::try_from(trips).ok().filter(|trips| (1..STRIP).contains(trips))
    }
}

/// The interior of the loop, if its trips do not depend on each other, and it is worth the text. `is_array` says which buffers are
/// slices.
pub(super) fn interior(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    facts: &Facts,
    is_array: &dyn Fn(BufferId) -> bool,
) -> Option<Interior> {
    if !body.iter().all(is_plain) || carries(body) {
        return None;
    }
    let body = without_names(body.to_vec(), &BTreeMap::new());
    let Ends { least, most, holds } = ends((var, start, bound), &body, facts)?;
    let first = least.iter().fold(start.clone(), |a, b| ArithExpr::max(&a, b));
    let end = most.iter().fold(bound.clone(), |a, b| ArithExpr::min(&a, b));
    let inner = Var::new(fresh_id(), var.name());
    let i = ArithExpr::var(&inner);
    let mut known = facts.fork();
    known.declare(&inner, Some(start.clone()), Some(bound - 1));
    assume_inside((&i, bound), &least, &most, &mut known);
    let here = BTreeMap::from([(var.clone(), i)]);
    holds.iter().for_each(|e| known.assume_nonneg(e.substitute(&here)));
    let body: Vec<Stmt> =
        body.into_iter().map(|stmt| stmt.map_indices(&mut |e| e.substitute(&here))).collect();
    let body = decided(body, &known);
    let (reads, writes) = stretches(&body, &inner, is_array);
    let (first, end) = (facts.simplify(&first), facts.simplify(&end));
    Some(Interior { var: inner, first, end, body, facts: known, reads, writes })
}

/// What is known of a trip between these ends, and of the ends: there is one.
pub(super) fn assume_inside(
    (i, bound): (&ArithExpr, &ArithExpr),
    least: &[ArithExpr],
    most: &[ArithExpr],
    known: &mut Facts,
) {
    least.iter().for_each(|e| known.assume_nonneg(i - e));
    most.iter().for_each(|e| known.assume_nonneg(e - i - 1));
    for first in least {
        for end in most.iter().chain([bound]) {
            known.assume_nonneg(end - first - 1);
        }
    }
}

/// Where choices turn.
pub(super) struct Ends {
    /// The index is at least each of these.
    pub(super) least: Vec<ArithExpr>,
    /// It is less than each of these.
    pub(super) most: Vec<ArithExpr>,
    /// What is not negative there, where steps are longer than one element.
    pub(super) holds: Vec<ArithExpr>,
}

/// The ends of the trips in which all choices are made, on the side on which there are more of them.
pub(super) fn ends(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    facts: &Facts,
) -> Option<Ends> {
    let mut inside = Vec::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| match s {
            Stmt::For { var, .. } | Stmt::Index(var, _) => inside.push(var.clone()),
            _ => {}
        });
    });
    // For all trips of loops inside of this one.
    let free = |e: &ArithExpr| inside.iter().all(|var| !e.contains(var));
    let (mut least, mut most, mut holds) = (Vec::new(), Vec::new(), Vec::new());
    for margin in margins(body, var) {
        let Some((by, rest)) = margin.linear_in(var) else { continue };
        if let Some(by) = by.as_const().filter(|by| by.abs() > 1) {
            // A quotient of a negative number may be rounded either way: then no trip is inside.
            if free(&rest) && facts.nonneg(start).is_yes() {
                let is_above = by < 0;
                let (by, near) = (ArithExpr::cst(by.abs()), if is_above { start } else { bound });
                let turn = if is_above { (&rest + &by).div(&by) } else { (&by - &rest - 1).div(&by) };
                let at_end = margin.substitute(&BTreeMap::from([(var.clone(), near.clone())]));
                let is_turned = at_end.as_const().is_some();
                if is_above == is_turned { &mut least } else { &mut most }.push(turn);
                holds.push(if is_turned { -margin - 1 } else { margin });
            }
            continue;
        }
        let end = match by.as_const() {
            Some(1) if free(&rest) => -&rest,
            Some(1) => facts.upper_bound(&-&rest).filter(free)?,
            _ if free(&rest) => rest,
            _ => facts.lower_bound(&rest).filter(free)?,
        };
        match by.as_const() {
            Some(1) if (bound - &end).as_const().is_some() => most.push(end),
            Some(1) => least.push(end),
            _ if (&end - start).as_const().is_some() => least.push(end + 1),
            _ => most.push(end + 1),
        }
    }
    // What the program itself compares: where that turns somewhere in the middle, neither side is the interior.
    for (first, after) in turns(body, var).into_iter().filter(|(first, _)| free(first)) {
        let from_start = (&after - start).as_const().filter(|n| *n >= 0);
        let from_bound = (bound - &first).as_const().filter(|n| *n >= 0);
        match (from_start, from_bound) {
            (Some(before), behind) if behind.is_none_or(|behind| before <= behind) => least.push(after),
            (_, Some(_)) => most.push(first),
            _ => {}
        }
    }
    Some(Ends { least, most, holds })
}

/// Where the program compares the index with something: the comparison gives the same for all indices below the first number, and the
/// same for all from the second one on.
fn turns(body: &[Stmt], var: &Var) -> Vec<(ArithExpr, ArithExpr)> {
    let mut found = Vec::new();
    let mut add = |e: &Expr| {
        let comparison = compared(e)?;
        let (by, rest) = comparison.difference().linear_in(var)?;
        let by = by.as_const().filter(|by| by.abs() == 1)?;
        // Where both are the same.
        let same = -rest * ArithExpr::cst(by);
        found.push((same.clone(), same + 1));
        Some(())
    };
    for stmt in body {
        stmt.visit_exprs(&mut |e| {
            add(e);
        });
    }
    found
}

/// Whether a loop is along a row: nothing in it is a loop.
pub(super) fn is_plain(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Value { .. } | Stmt::Index(_, IndexValue::Arith(_) | IndexValue::Value(_)) => true,
        Stmt::Assign(..) | Stmt::Store(..) => true,
        Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).all(is_plain),
        _ => false,
    }
}

/// Whether a trip may see what another one has done: it changes a variable from outside, or reads elsewhere in an array that it writes.
pub(super) fn carries(body: &[Stmt]) -> bool {
    let (mut own, mut assigned): (Vec<Local>, Vec<Local>) = (Vec::new(), Vec::new());
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            match s {
                Stmt::Value { local, .. } => own.push(local.clone()),
                Stmt::Assign(local, _) => assigned.push(local.clone()),
                _ => {}
            }
            s.accesses(&mut |id, is_write, _, index| {
                let list = if is_write { &mut stores } else { &mut loads };
                list.push((id, index.to_vec()));
            });
        });
    });
    let elsewhere = |load: &(BufferId, Vec<ArithExpr>)| {
        stores.iter().any(|(id, _)| *id == load.0) && !stores.contains(load)
    };
    assigned.iter().any(|local| !own.contains(local)) || loads.iter().any(elsewhere)
}

/// What decides the choices in statements.
fn margins(body: &[Stmt], var: &Var) -> Vec<ArithExpr> {
    let mut found: Vec<ArithExpr> = Vec::new();
    let mut add = |margin: ArithExpr| {
        let is_linear = margin
            .linear_in(var)
            .is_some_and(|(by, _)| by.as_const().is_some_and(|by| by != 0 && by.abs() <= MOST_STEPS));
        if is_linear && !found.contains(&margin) {
            found.push(margin);
        }
    };
    for stmt in body {
        stmt.visit_indices(&mut |e| e.turns(var).into_iter().for_each(&mut add));
        stmt.visit_exprs(&mut |e| {
            if let Expr::Cond(cond) = e {
                add(cond.margin());
            }
        });
    }
    found
}
