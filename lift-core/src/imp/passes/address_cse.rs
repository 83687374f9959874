//! What indices into global arrays have in common gets a name: the start of the row.
//!
//! Before: `grid[(2 * row + 1) * M + 4 * col]`, once for each element. After: where several accesses lie in one row, its
//! start is computed once, in the innermost block that they share, and outside of loops in which it stays the same.

use std::collections::BTreeSet;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{IndexValue, Stmt};
use crate::ir::build::fresh_id;
use crate::memory::{Buffer, BufferId, Space};

/// Runs the pass. Indices are grouped by the variables that are sizes.
pub(super) fn run(body: Vec<Stmt>, buffers: &[Buffer], is_size: &dyn Fn(&Var) -> bool) -> Vec<Stmt> {
    Pass { buffers, is_size }.block(body)
}

/// Starts of rows and what they are called.
type Names = Vec<(ArithExpr, ArithExpr)>;

struct Pass<'a> {
    buffers: &'a [Buffer],
    is_size: &'a dyn Fn(&Var) -> bool,
}

/// How a statement uses the start of a row.
struct Use {
    line: ArithExpr,
    /// In how many accesses.
    count: usize,
    /// Whether it does so in every trip of a loop.
    repeated: bool,
}

impl Pass<'_> {
    fn block(&self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let shared = self.shared(&stmts);
        let mut names: Names = Vec::new();
        let mut out = Vec::new();
        for (i, stmt) in stmts.into_iter().enumerate() {
            for (_, line) in shared.iter().filter(|(first, _)| *first == i) {
                let var = Var::new(fresh_id(), "line");
                names.push((line.clone(), ArithExpr::var(&var)));
                out.push(Stmt::Index(var, IndexValue::Arith(line.clone())));
            }
            let stmt = if names.is_empty() { stmt } else { self.named(stmt, &names) };
            out.push(stmt.map_blocks(&mut |block| self.block(block)));
        }
        out
    }

    /// The starts of rows that are worth a name in this block, each with the statement that uses it first.
    fn shared(&self, stmts: &[Stmt]) -> Vec<(usize, ArithExpr)> {
        let uses: Vec<Vec<Use>> = stmts.iter().map(|stmt| self.uses(stmt)).collect();
        let mut found: Vec<(usize, ArithExpr)> = Vec::new();
        let mut once: Vec<(usize, &ArithExpr)> = Vec::new();
        for (i, own) in uses.iter().enumerate() {
            let simple = stmts[i].blocks().next().is_none();
            for Use { line, count, repeated } in own {
                if found.iter().any(|(_, known)| known == line) {
                    continue;
                }
                let earlier = once.iter().find(|(_, known)| *known == line).map(|(first, _)| *first);
                match earlier {
                    Some(first) => found.push((first, line.clone())),
                    None if *repeated || (simple && *count > 1) => found.push((i, line.clone())),
                    None => once.push((i, line)),
                }
            }
        }
        found
    }

    /// The starts of rows in a statement that do not depend on what is declared inside.
    fn uses(&self, stmt: &Stmt) -> Vec<Use> {
        let mut uses = Vec::new();
        self.collect(stmt, false, true, &mut uses);
        let mut inside: BTreeSet<Var> = BTreeSet::new();
        let mut declared = |stmt: &Stmt| match stmt {
            Stmt::Index(var, _) | Stmt::For { var, .. } => {
                inside.insert(var.clone());
            }
            _ => {}
        };
        stmt.visit(&mut declared);
        uses.retain(|it| it.line.vars().iter().all(|v| !inside.contains(v)));
        uses
    }

    fn collect(&self, stmt: &Stmt, in_loop: bool, always: bool, uses: &mut Vec<Use>) {
        stmt.accesses(&mut |id, _, _, index| self.note(id, index, in_loop && always, uses));
        let is_loop = matches!(stmt, Stmt::For { .. } | Stmt::Repeat { .. });
        let always = always && !matches!(stmt, Stmt::If(..));
        for inner in stmt.blocks().flatten() {
            self.collect(inner, in_loop || is_loop, always, uses);
        }
    }

    fn note(&self, id: BufferId, index: &[ArithExpr], repeated: bool, uses: &mut Vec<Use>) {
        let Some(line) = self.line(id, index) else { return };
        match uses.iter_mut().find(|it| it.line == line) {
            Some(known) => {
                known.count += 1;
                known.repeated |= repeated;
            }
            None => uses.push(Use { line, count: 1, repeated }),
        }
    }

    /// The part of an index that says which row: a row has a size as its length.
    fn line(&self, id: BufferId, index: &[ArithExpr]) -> Option<ArithExpr> {
        let ([index], Space::Input | Space::Output) = (index, self.buffers[id.0 as usize].space) else {
            return None;
        };
        let line = index.terms_with(self.is_size);
        let computed = line.as_var().is_none() && line.vars().iter().any(|v| !(self.is_size)(v));
        computed.then_some(line)
    }

    /// The statement with the names of starts of rows.
    fn named(&self, stmt: Stmt, names: &Names) -> Stmt {
        stmt.map_accesses(&|id, index| {
            let name = self.line(id, index).and_then(|own| names.iter().find(|(line, _)| *line == own));
            match (name, index) {
                (Some((line, name)), [index]) => (id, vec![index - line + name]),
                _ => (id, index.to_vec()),
            }
        })
    }
}
