//! Ids are read ahead of all branches.
//!
//! Before: the id of a work-item or group may be read in the branch that needs it. After: it is read once, at the outermost level of the
//! kernel, before the statement that needs it first. It costs nothing there, and a reader finds it where ids are expected; PoCL
//! 3.1 forgets to define the ids of groups that only one side of a branch reads.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{IndexValue, Kernel, Stmt, WorkItem};

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let mut ids = Ids::default();
    let mut out = Vec::new();
    for stmt in std::mem::take(&mut kernel.body) {
        let rest = ids.block(vec![stmt], &mut out);
        out.extend(rest.into_iter().map(|stmt| match ids.same.is_empty() {
            true => stmt,
            false => stmt.map_indices(&mut |e| e.substitute(&ids.same)),
        }));
    }
    kernel.body = out;
    kernel
}

/// The ids that are known so far.
#[derive(Default)]
struct Ids {
    known: Vec<(WorkItem, usize, Var)>,
    /// Other variables for one of them.
    same: BTreeMap<Var, ArithExpr>,
}

impl Ids {
    /// The statements without ids; those that were not known are declared in `out`.
    fn block(&mut self, stmts: Vec<Stmt>, out: &mut Vec<Stmt>) -> Vec<Stmt> {
        let mut rest = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Index(var, IndexValue::Id(item, dim)) => {
                    match self.known.iter().find(|(i, d, _)| (*i, *d) == (item, dim)) {
                        Some((.., known)) if *known == var => {}
                        Some((.., known)) => {
                            self.same.insert(var, ArithExpr::var(known));
                        }
                        None => {
                            self.known.push((item, dim, var.clone()));
                            out.push(Stmt::Index(var, IndexValue::Id(item, dim)));
                        }
                    }
                }
                stmt => rest.push(stmt.map_blocks(&mut |body| self.block(body, out))),
            }
        }
        rest
    }
}
