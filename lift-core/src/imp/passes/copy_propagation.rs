//! Constants that are copies of constants go.
//!
//! Before: `const float own_0 = row_w_0;`. After: what reads the copy reads the original, also where that is a lane of a
//! vector. The copies are dead, and the next pass removes them.

use std::collections::{BTreeMap, BTreeSet};

use crate::imp::ast::{Expr, Stmt};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut constants = BTreeSet::new();
    let mut originals: BTreeMap<u32, Expr> = BTreeMap::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            let Stmt::Value { local, init: Some(init), constant: true } = s else { return };
            constants.insert(local.id);
            let original = match init {
                Expr::Local(of) => Some(of),
                Expr::Lane(x, _) => match &**x {
                    Expr::Local(of) => Some(of),
                    _ => None,
                },
                _ => None,
            };
            if original.is_some_and(|of| constants.contains(&of.id)) {
                // What is copied may be a copy itself.
                originals.insert(local.id, replaced(init, &originals));
            }
        });
    });
    if originals.is_empty() { body } else { body.into_iter().map(|stmt| in_stmt(stmt, &originals)).collect() }
}

fn in_stmt(stmt: Stmt, originals: &BTreeMap<u32, Expr>) -> Stmt {
    let stmt = stmt.map_exprs(&mut |e| replaced(e, originals));
    stmt.map_blocks(&mut |block| block.into_iter().map(|s| in_stmt(s, originals)).collect())
}

fn replaced(e: &Expr, originals: &BTreeMap<u32, Expr>) -> Expr {
    match e {
        Expr::Local(local) => originals.get(&local.id).cloned().unwrap_or_else(|| e.clone()),
        e => e.map_operands(&mut |x| replaced(x, originals)),
    }
}
