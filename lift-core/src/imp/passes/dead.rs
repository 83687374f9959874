//! Removes what nobody reads.
//!
//! Before: constants for values that turned out not to be needed. After: every constant is read somewhere,
//! every variable is read by more than its own assignments, and no block is empty.

use std::collections::BTreeSet;

use crate::imp::ast::{Expr, Stmt};

/// Runs the pass.
pub(super) fn run(mut body: Vec<Stmt>) -> Vec<Stmt> {
    loop {
        let before = count(&body);
        let mut read = Read::default();
        body.iter().for_each(|s| read.stmt(s));
        body = sweep(body, &read);
        if count(&body) == before {
            return body;
        }
    }
}

fn count(body: &[Stmt]) -> usize {
    let mut n = 0;
    body.iter().for_each(|s| s.visit(&mut |_| n += 1));
    n
}

/// Variables that are read.
#[derive(Default)]
struct Read {
    indices: BTreeSet<u32>,
    locals: BTreeSet<u32>,
}

impl Read {
    fn stmt(&mut self, stmt: &Stmt) {
        let own = match stmt {
            Stmt::Assign(local, _) => Some(local.id),
            _ => None,
        };
        for e in stmt.indices() {
            self.indices.extend(e.vars().iter().map(|v| v.id()));
        }
        for e in stmt.exprs() {
            e.visit(&mut |e| {
                match e {
                    Expr::Local(local) if Some(local.id) != own => {
                        self.locals.insert(local.id);
                    }
                    _ => {}
                }
                for e in e.indices() {
                    self.indices.extend(e.vars().iter().map(|v| v.id()));
                }
            });
        }
        stmt.blocks().into_iter().flatten().for_each(|s| self.stmt(s));
    }
}

fn sweep(body: Vec<Stmt>, read: &Read) -> Vec<Stmt> {
    let mut kept = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::Index(var, value) => {
                if read.indices.contains(&var.id()) {
                    kept.push(Stmt::Index(var, value));
                }
            }
            Stmt::Value { local, init, constant } => {
                if read.locals.contains(&local.id) {
                    kept.push(Stmt::Value { local, init, constant });
                }
            }
            Stmt::Assign(local, value) => {
                if read.locals.contains(&local.id) {
                    kept.push(Stmt::Assign(local, value));
                }
            }
            Stmt::For { var, start, bound, step, body } => {
                let body = sweep(body, read);
                if !body.is_empty() {
                    kept.push(Stmt::For { var, start, bound, step, body });
                }
            }
            Stmt::If(cond, then, otherwise) => {
                let (then, otherwise) = (sweep(then, read), sweep(otherwise, read));
                if !then.is_empty() || !otherwise.is_empty() {
                    kept.push(Stmt::If(cond, then, otherwise));
                }
            }
            Stmt::Store(..) | Stmt::Barrier => kept.push(stmt),
        }
    }
    kept
}
