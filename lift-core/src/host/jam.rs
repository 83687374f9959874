//! Several rows at once: unroll and jam.
//!
//! Before: a loop over rows, each a loop along it whose trips are independent, after names of what is the same for a row. After: the same for a few
//! rows that lie side by side, with one loop along all of them: what windows of neighbouring rows have in common is read once. No text
//! where they have little in common.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::{decided, without_names};
use crate::host::rows::{carries, is_plain};
use crate::host::strips::reads_results;
use crate::imp::ast::{IndexValue, Local, Stmt};
use crate::ir::build::fresh_id;
use crate::machine::host::{MOST_READS, MOST_STATEMENTS, ROWS};

/// A loop over rows, so many at once.
pub(super) struct Jammed {
    /// The first of the rows.
    pub(super) var: Var,
    /// What is known of it.
    pub(super) facts: Facts,
    /// What is done for all of them.
    pub(super) body: Vec<Stmt>,
}

/// The loop over rows in blocks.
pub(super) fn jammed(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    facts: &Facts,
) -> Option<Jammed> {
    let (inner, names) = body.split_last()?;
    let Stmt::For { var: along, start: first, bound: end, step, unroll, body: row } = inner else {
        return None;
    };
    let is_name = |stmt: &Stmt| matches!(stmt, Stmt::Index(_, IndexValue::Arith(_)));
    let same = |e: &ArithExpr| {
        !e.contains(var) && names.iter().all(|stmt| stmt.index().is_none_or(|v| !e.contains(v)))
    };
    let is_row =
        names.iter().all(is_name) && row.iter().all(|stmt| is_row(stmt, &same)) && step.as_const() == Some(1);
    if !is_row || !same(first) || !same(end) || carries(row) || reads_results(row) {
        return None;
    }
    let base = Var::new(fresh_id(), var.name());
    let mut known = facts.fork();
    known.declare(&base, Some(start.clone()), Some(bound - ROWS));
    let one = [names, row].concat();
    let rows: Vec<Vec<Stmt>> = (0..ROWS).map(|i| moved(&one, var, &(ArithExpr::var(&base) + i))).collect();
    let rows: Vec<Vec<Stmt>> = rows.into_iter().map(|row| decided(row, &known)).collect();
    let separate = reads(&rows[0]).len() * rows.len();
    let body: Vec<Stmt> = side_by_side(rows);
    // Enough is shared.
    let together = reads(&body).len();
    if 3 * together > 2 * separate || together > MOST_READS || body.len() > MOST_STATEMENTS {
        return None;
    }
    let (along, start, bound) = (along.clone(), first.clone(), end.clone());
    let body = vec![Stmt::For { var: along, start, bound, step: step.clone(), unroll: *unroll, body }];
    Some(Jammed { var: base, facts: known, body })
}

/// What can be done for several rows in turn: loops inside make as many trips for each.
fn is_row(stmt: &Stmt, same: &dyn Fn(&ArithExpr) -> bool) -> bool {
    match stmt {
        Stmt::For { start, bound, step, body, .. } => {
            [start, bound, step].into_iter().all(same) && body.iter().all(|stmt| is_row(stmt, same))
        }
        stmt => is_plain(stmt),
    }
}

/// Rows of the same statements, statement by statement; loops of all of them are one.
pub(super) fn side_by_side(rows: Vec<Vec<Stmt>>) -> Vec<Stmt> {
    let len = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != len) {
        return rows.concat();
    }
    let mut out = Vec::new();
    for i in 0..len {
        let column: Vec<&Stmt> = rows.iter().map(|row| &row[i]).collect();
        let bodies = column.iter().map(|stmt| match stmt {
            Stmt::For { body, .. } => Some(body.clone()),
            _ => None,
        });
        match (bodies.collect::<Option<Vec<_>>>(), column[0].clone()) {
            (Some(bodies), Stmt::For { var, start, bound, step, unroll, .. }) => {
                out.push(Stmt::For { var, start, bound, step, unroll, body: side_by_side(bodies) });
            }
            _ => out.extend(column.into_iter().cloned()),
        }
    }
    out
}

/// The elements that are read.
fn reads(body: &[Stmt]) -> BTreeSet<(u32, Vec<ArithExpr>)> {
    let mut found = BTreeSet::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |id, is_write, _, index| {
                if !is_write {
                    found.insert((id.0, index.to_vec()));
                }
            });
        });
    });
    found
}

/// What is done for another row, with variables of its own and without names.
pub(super) fn moved(body: &[Stmt], var: &Var, to: &ArithExpr) -> Vec<Stmt> {
    let body = without_names(body.to_vec(), &BTreeMap::new());
    let mut here = BTreeMap::from([(var.clone(), to.clone())]);
    let mut indices: BTreeMap<Var, Var> = BTreeMap::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            if let Some(var) = s.index() {
                let own = Var::new(fresh_id(), var.name());
                here.insert(var.clone(), ArithExpr::var(&own));
                indices.insert(var.clone(), own);
            }
        });
    });
    let mut locals: BTreeMap<u32, Local> = BTreeMap::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            if let Stmt::Value { local, .. } = s {
                locals.insert(local.id, Local { id: fresh_id(), ..local.clone() });
            }
        });
    });
    let own = |local: &Local| locals.get(&local.id).cloned();
    let renamed = |stmt: Stmt| {
        stmt.replace_locals(&|local| own(local).map(crate::imp::ast::Expr::Local))
            .map_indices(&mut |e| e.substitute(&here))
    };
    body.into_iter().map(renamed).map(|stmt| declared(stmt, &own, &indices)).collect()
}

/// The statement with other variables where they are declared and assigned.
fn declared(stmt: Stmt, own: &dyn Fn(&Local) -> Option<Local>, indices: &BTreeMap<Var, Var>) -> Stmt {
    let other = |local: Local| own(&local).unwrap_or(local);
    match stmt {
        Stmt::Value { local, init, constant } => Stmt::Value { local: other(local), init, constant },
        Stmt::Assign(local, e) => Stmt::Assign(other(local), e),
        Stmt::Index(var, value) => Stmt::Index(indices.get(&var).cloned().unwrap_or(var), value),
        stmt => {
            stmt.map_blocks(&mut |block| block.into_iter().map(|stmt| declared(stmt, own, indices)).collect())
        }
    }
}
