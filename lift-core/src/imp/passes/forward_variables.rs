//! Constants that hold what a variable is go where the variable still is that.
//!
//! Before: `const float p = acc; acc = p + x;`, as the function of a reduction reads what it replaces. After:
//! `acc = acc + x;`, which is printed `acc += x;`. Every read of such a constant comes before the next assignment to the variable, or is in
//! it. Assignments of variables to themselves are gone.

use std::collections::{BTreeMap, BTreeSet};

use crate::imp::ast::{Expr, Local, Stmt};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>) -> Vec<Stmt> {
    let body = body.into_iter().map(|stmt| stmt.map_blocks(&mut run)).collect();
    block(body)
}

fn block(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let copied = |stmt: &Stmt| match stmt {
        Stmt::Value { local, init: Some(Expr::Local(of)), constant: true } => Some((local.id, of.clone())),
        _ => None,
    };
    let copies: BTreeSet<u32> = stmts.iter().filter_map(|stmt| copied(stmt).map(|(id, _)| id)).collect();
    if copies.is_empty() {
        return stmts;
    }
    // Where each constant is read last, and where each variable is assigned.
    let mut last_read: BTreeMap<u32, usize> = BTreeMap::new();
    let mut assigned: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, stmt) in stmts.iter().enumerate() {
        stmt.visit_exprs(&mut |e| {
            if let Expr::Local(local) = e {
                last_read.insert(local.id, at);
            }
        });
        stmt.visit(&mut |s| {
            if let Stmt::Assign(local, _) = s {
                assigned.entry(local.id).or_default().push(at);
            }
        });
    }
    let is_former = |at: usize, constant: u32, of: &Local| {
        let until = last_read.get(&constant).copied().unwrap_or(at);
        let next = assigned.get(&of.id).and_then(|all| all.iter().find(|next| **next > at));
        next.is_none_or(|next| until < *next || until == *next && matches!(stmts[*next], Stmt::Assign(..)))
    };
    let former: BTreeMap<u32, Local> = (stmts.iter().enumerate())
        .filter_map(|(at, stmt)| copied(stmt).map(|(constant, of)| (at, constant, of)))
        .filter(|(at, constant, of)| !copies.contains(&of.id) && is_former(*at, *constant, of))
        .map(|(_, constant, of)| (constant, of))
        .collect();
    let is_dead = |stmt: &Stmt| match stmt {
        Stmt::Value { local, .. } => former.contains_key(&local.id),
        Stmt::Assign(local, Expr::Local(of)) => local == of,
        _ => false,
    };
    let variable = |local: &Local| former.get(&local.id).cloned().map(Expr::Local);
    let read = stmts.into_iter().map(|stmt| stmt.replace_locals(&variable));
    read.filter(|stmt| !is_dead(stmt)).collect()
}
