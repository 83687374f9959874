//! Columns of a block of rows that is read once: loop interchange.
//!
//! Before: a loop along a row whose trips reduce a column each, and store what they get. After: a loop that stores where columns start, and then one
//! over rows, with a loop along each of them: what is read lies side by side, and what is stored stays in the nearest cache. Strips, which keep it in
//! registers, would read a little of every row, and wait for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Var};
use crate::host::decide::without_names;
use crate::host::rows::is_plain;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::ir::Scalar;
use crate::memory::BufferId;

/// Shorter rows are not worth a loop of their own for each. Not measured.
const FEWEST_COLUMNS: i64 = 32;

/// Of more elements for a trip, computing them takes the time, and strips are faster: sums of the maxima of 5 × 5 windows, 2003 × 1999 floats on two cores of an AMD EPYC,
/// took 8.7 ms in this way, and 5.1 in strips. No number between 7 and 25 was tried.
const MOST_STREAMS: usize = 16;

/// Where a column is stored.
struct Column {
    acc: Local,
    init: Expr,
    to: (BufferId, Vec<ArithExpr>),
}

/// The loops, the one over rows outside; nothing if work-items, whose variable is `item`, read the same rows: then strips find them in a cache.
pub(super) fn interchanged(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    item: &Var,
) -> Option<Vec<Stmt>> {
    if (bound - start).as_const().is_some_and(|columns| columns < FEWEST_COLUMNS) {
        return None;
    }
    let body = without_names(body.to_vec(), &BTreeMap::new());
    let at = body.iter().position(|stmt| matches!(stmt, Stmt::For { .. }))?;
    let (before, rest) = body.split_at(at);
    let (Stmt::For { var: row, start: first, bound: end, step, unroll, body: trip }, after) =
        rest.split_first()?
    else {
        return None;
    };
    let is_same = [first, end, step].into_iter().all(|e| !e.contains(var));
    if !is_same || !trip.iter().all(is_plain) {
        return None;
    }
    let columns = columns(before, after, var)?;
    if !is_read_once(trip, var, item) || !is_apart(trip, &columns) {
        return None;
    }
    let along = |body| Stmt::For {
        var: var.clone(),
        start: start.clone(),
        bound: bound.clone(),
        step: ArithExpr::one(),
        unroll: *unroll,
        body,
    };
    let store = |column: &Column, value: Expr| Stmt::Store(column.to.0, column.to.1.clone(), value);
    let starts = columns.iter().map(|column| store(column, column.init.clone())).collect();
    let over_rows = Stmt::For {
        var: row.clone(),
        start: first.clone(),
        bound: end.clone(),
        step: step.clone(),
        unroll: *unroll,
        body: vec![along(in_memory(trip, &columns))],
    };
    Some(vec![along(starts), over_rows])
}

/// What each trip reduces: variables before the loop, stored after it, and nothing else.
fn columns(before: &[Stmt], after: &[Stmt], var: &Var) -> Option<Vec<Column>> {
    let mut found: Vec<Column> = Vec::new();
    for stmt in after {
        let Stmt::Store(id, index, Expr::Local(acc)) = stmt else { return None };
        let init = before.iter().find_map(|stmt| match stmt {
            Stmt::Value { local, init: Some(Expr::Literal(value)), .. } if local == acc => {
                Some(Expr::Literal(*value))
            }
            _ => None,
        })?;
        let [at] = index.as_slice() else { return None };
        let is_beside = at.linear_in(var).is_some_and(|(by, _)| by.as_const() == Some(1));
        let is_new = found.iter().all(|column| column.acc != *acc && column.to.0 != *id);
        if !is_beside || !is_new || acc.lanes != 1 || acc.scalar == Scalar::Bool {
            return None;
        }
        found.push(Column { acc: acc.clone(), init, to: (*id, index.clone()) });
    }
    (found.len() == before.len() && !found.is_empty()).then_some(found)
}

/// Whether all that is read along the row belongs to this work-item, and is so little that reading is what takes time.
fn is_read_once(trip: &[Stmt], var: &Var, item: &Var) -> bool {
    let (mut is_own, mut read) = (true, BTreeSet::new());
    trip.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |id, _, _, index| {
                is_own &= index.iter().all(|e| !e.contains(var) || e.contains(item));
                read.insert((id.0, index.to_vec()));
            });
        });
    });
    is_own && read.len() <= MOST_STREAMS
}

/// Whether a trip changes none but these variables, and reads and writes nothing where they are stored.
fn is_apart(trip: &[Stmt], columns: &[Column]) -> bool {
    let (mut own, mut is_apart) = (Vec::new(), true);
    trip.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            if let Stmt::Value { local, .. } = s {
                own.push(local.id);
            }
        });
    });
    trip.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            if let Stmt::Assign(local, _) = s {
                is_apart &= own.contains(&local.id) || columns.iter().any(|column| column.acc == *local);
            }
            s.accesses(&mut |id, is_write, _, _| {
                is_apart &= !is_write && columns.iter().all(|column| column.to.0 != id);
            });
        });
    });
    is_apart
}

/// The statements with these variables where they are stored.
fn in_memory(trip: &[Stmt], columns: &[Column]) -> Vec<Stmt> {
    let load = |local: &Local| {
        let column = columns.iter().find(|column| column.acc == *local)?;
        Some(Expr::Load(column.to.0, local.scalar, column.to.1.clone()))
    };
    let stored = |stmt: Stmt| match stmt {
        Stmt::Assign(local, value) => match columns.iter().find(|column| column.acc == local) {
            Some(column) => Stmt::Store(column.to.0, column.to.1.clone(), value),
            None => Stmt::Assign(local, value),
        },
        stmt => stmt,
    };
    trip.iter().map(|stmt| replaced(stmt.clone().replace_locals(&load), &stored)).collect()
}

/// The statement and those in its blocks, replaced.
fn replaced(stmt: Stmt, new: &dyn Fn(Stmt) -> Stmt) -> Stmt {
    new(stmt.map_blocks(&mut |block| block.into_iter().map(|stmt| replaced(stmt, new)).collect()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_of_a_matrix_that_is_read_once_are_summed_row_by_row() {
        let text = "#[kernel] fn Each<N, M>(u: [[[f32; M]; 100]; N]) -> [[f32; M]; N] {
            u.map(|rows| rows.transpose().map(|column| column.reduce(add, 0.0)))
        }
        #[kernel] fn Product<N, M>(a: [[f32; N]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
            a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
        }";
        let kernels = crate::pipeline::compile(text.parse().expect("tokens")).kernels;
        let [each, product] = [0, 1].map(|i| {
            let version =
                kernels.get(i).and_then(|kernel| kernel.host.first()).expect("a version for the host");
            version.generated.host.iter().map(|function| function.text.as_str()).collect::<String>()
        });
        assert!(each.contains("s1[trip] = (s1[trip] + s0[trip])"), "{each}");
        // Every row of a product reads all of the other matrix.
        assert!(product.contains("simd::V::<f32, 16>::splat(0f32)"), "{product}");
    }
}
