//! Ids are read ahead of all branches.
//!
//! Before: the id of a work-item or group may be read in the branch that needs it. After: it is read once, at the outermost level of the
//! kernel, before the statement that needs it first, and by one name; where maps count it up to different ends, the greatest
//! of them is known of it. It costs nothing there, and a reader finds it where ids are expected; PoCL 3.1 forgets to define
//! the ids of groups that only one side of a branch reads.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{IndexValue, Kernel, Stmt, WorkItem};
use crate::ir::build::fresh_id;

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let mut ids = Ids { widest: widest(&mut kernel), ..Ids::default() };
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
    /// What stands for ids that count up to different ends.
    widest: Vec<(WorkItem, usize, Var)>,
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
                    let is_same = |(i, d, _): &&(WorkItem, usize, Var)| (*i, *d) == (item, dim);
                    if let Some((.., widest)) = self.widest.iter().find(is_same) {
                        self.same.insert(var.clone(), ArithExpr::var(widest));
                    }
                    match self.known.iter().find(is_same) {
                        Some((.., known)) if *known == var => {}
                        Some((.., known)) => {
                            self.same.entry(var).or_insert_with(|| ArithExpr::var(known));
                        }
                        None => {
                            self.known.push((item, dim, var.clone()));
                            let widest = self.widest.iter().find(is_same).map(|(.., widest)| widest.clone());
                            out.push(Stmt::Index(widest.unwrap_or(var), IndexValue::Id(item, dim)));
                        }
                    }
                }
                stmt => rest.push(stmt.map_blocks(&mut |body| self.block(body, out))),
            }
        }
        rest
    }
}

/// New variables for ids that several maps count up to different ends: of a variable, one end is known everywhere.
fn widest(kernel: &mut Kernel) -> Vec<(WorkItem, usize, Var)> {
    let mut ids: Vec<(WorkItem, usize, Vec<Var>)> = Vec::new();
    for stmt in &kernel.body {
        stmt.visit(&mut |s| {
            let Stmt::Index(var, IndexValue::Id(item, dim)) = s else { return };
            match ids.iter_mut().find(|(i, d, _)| i == item && d == dim) {
                Some((.., vars)) => vars.push(var.clone()),
                None => ids.push((*item, *dim, vec![var.clone()])),
            }
        });
    }
    let mut found = Vec::new();
    for (item, dim, vars) in ids {
        let ends: Vec<_> = vars.iter().map(|var| kernel.facts.upper_bound(&ArithExpr::var(var))).collect();
        if ends.iter().all(|end| *end == ends[0]) {
            continue;
        }
        let widest = Var::new(fresh_id(), vars[0].name());
        let end = ends.into_iter().reduce(|a, b| Some(ArithExpr::max(&a?, &b?))).flatten();
        let end = end.map(|end| kernel.facts.simplify(&end));
        kernel.facts.declare(&widest, Some(ArithExpr::zero()), end);
        found.push((item, dim, widest));
    }
    found
}
