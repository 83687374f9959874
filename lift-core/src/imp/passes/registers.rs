//! Small arrays become variables.
//!
//! Before: arrays of one work-item. After: those of these statements that are read and written at indices that are numbers, and
//! nowhere else, are a variable for each element. An element that is written once, in the block of its array,
//! is a constant from there on.

use std::collections::{BTreeMap, BTreeSet};

use crate::imp::ast::{Expr, Local, Stmt};
use crate::memory::{Buffer, BufferId, Space};

/// More elements than a work-item has registers stay an array.
const MOST: i64 = 1024;

/// Runs the pass.
pub(in crate::imp) fn run(body: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    let mut found = Found { writes: BTreeMap::new(), kept: BTreeSet::new() };
    for (i, buffer) in buffers.iter().enumerate() {
        let size = buffer.dims.iter().try_fold(1i64, |all, n| all.checked_mul(n.as_const()?));
        if buffer.space != Space::Private || size.is_none_or(|n| n > MOST) {
            found.kept.insert(BufferId(i as u32));
        }
    }
    let mut here = BTreeSet::new();
    let mut declared = |s: &Stmt| {
        if let Stmt::Array(buffer) = s {
            here.insert(*buffer);
        }
    };
    body.iter().for_each(|s| s.visit(&mut declared));
    // Those of statements around.
    let all = (0..buffers.len()).map(|i| BufferId(i as u32));
    found.kept.extend(all.filter(|id| !here.contains(id)));
    body.iter().for_each(|s| found.stmt(s));
    let mut scope = Scope { buffers, found, variables: BTreeMap::new(), constants: BTreeSet::new() };
    scope.block(body)
}

/// An element of an array.
type Element = (BufferId, Vec<i64>);

struct Found {
    /// How often an element is written.
    writes: BTreeMap<Element, usize>,
    /// What stays an array.
    kept: BTreeSet<BufferId>,
}

impl Found {
    fn stmt(&mut self, stmt: &Stmt) {
        for e in stmt.exprs() {
            e.visit(&mut |e| {
                if let Expr::Load(buffer, _, index) | Expr::Vector(buffer, _, _, index) = e
                    && (numbers(index).is_none() || matches!(e, Expr::Vector(..)))
                {
                    self.kept.insert(*buffer);
                }
            });
        }
        if let Stmt::Store(buffer, index, _) = stmt {
            match numbers(index) {
                Some(index) => *self.writes.entry((*buffer, index)).or_default() += 1,
                None => {
                    self.kept.insert(*buffer);
                }
            }
        }
        stmt.blocks().into_iter().flatten().for_each(|s| self.stmt(s));
    }
}

fn numbers(index: &[crate::arith::ArithExpr]) -> Option<Vec<i64>> {
    index.iter().map(crate::arith::ArithExpr::as_const).collect()
}

struct Scope<'a> {
    buffers: &'a [Buffer],
    found: Found,
    /// The variables of elements.
    variables: BTreeMap<Element, Local>,
    /// Those that are defined where they are written.
    constants: BTreeSet<u32>,
}

impl Scope<'_> {
    fn block(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        // Written once, and here.
        let here: BTreeSet<Element> = stmts
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::Store(buffer, index, _) => Some((*buffer, numbers(index)?)),
                _ => None,
            })
            .filter(|element| self.found.writes.get(element) == Some(&1))
            .collect();
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Array(buffer) if !self.found.kept.contains(&buffer) => {
                    self.declare(buffer, &here, &mut out);
                }
                Stmt::Store(buffer, index, value) if !self.found.kept.contains(&buffer) => {
                    let value = self.expr(&value);
                    let local =
                        numbers(&index).and_then(|index| self.variables.get(&(buffer, index))).cloned();
                    match local {
                        Some(local) if self.constants.contains(&local.id) => {
                            out.push(Stmt::Value { local, init: Some(value), constant: true });
                        }
                        Some(local) => out.push(Stmt::Assign(local, value)),
                        None => crate::bug!("a variable is written before it is there"),
                    }
                }
                stmt => {
                    let stmt = stmt.map_exprs(&mut |e| self.expr(e));
                    out.push(stmt.map_blocks(&mut |body| self.block(body)));
                }
            }
        }
        out
    }

    /// Variables for the elements of an array.
    fn declare(&mut self, id: BufferId, here: &BTreeSet<Element>, out: &mut Vec<Stmt>) {
        let buffer = &self.buffers[id.0 as usize];
        let elements: Vec<Element> =
            self.found.writes.keys().filter(|(buffer, _)| *buffer == id).cloned().collect();
        for element in elements {
            let name: String = element.1.iter().map(|i| format!("_{i}")).collect();
            let local = Local::new(&format!("{}{name}", buffer.name), buffer.scalar);
            if here.contains(&element) {
                self.constants.insert(local.id);
            } else {
                out.push(Stmt::Value { local: local.clone(), init: None, constant: false });
            }
            self.variables.insert(element, local);
        }
    }

    fn expr(&self, e: &Expr) -> Expr {
        if let Expr::Load(buffer, _, index) = e
            && !self.found.kept.contains(buffer)
            && let Some(local) = numbers(index).and_then(|index| self.variables.get(&(*buffer, index)))
        {
            return Expr::Local(local.clone());
        }
        e.map_operands(&mut |x| self.expr(x))
    }
}
