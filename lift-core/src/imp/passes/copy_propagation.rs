//! Constants that are copies of constants go.
//!
//! Before: `const float own_0 = row_w_0;`. After: what reads the copy reads the original, also where that is a lane of a
//! vector. The copies are dead, and the next pass removes them.

use std::collections::{BTreeMap, BTreeSet};

use crate::imp::ast::{Expr, Local, Stmt};

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
                let original = init.replace_locals(&|local| originals.get(&local.id).cloned());
                originals.insert(local.id, original);
            }
        });
    });
    let original = |local: &Local| originals.get(&local.id).cloned();
    match originals.is_empty() {
        true => body,
        false => body.into_iter().map(|stmt| stmt.replace_locals(&original)).collect(),
    }
}
