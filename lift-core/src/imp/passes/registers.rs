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
    let mut found = Found {
        writes: BTreeMap::new(),
        reads: BTreeMap::new(),
        scoped: BTreeSet::new(),
        kept: BTreeSet::new(),
    };
    for (i, buffer) in buffers.iter().enumerate() {
        let size = buffer.own_dims().iter().try_fold(1i64, |all, n| all.checked_mul(n.as_const()?));
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
    // Read in an arm that is never taken: there is no such variable.
    let is_outside = |(id, index): &&Element| {
        let dims = buffers[id.0 as usize].own_dims();
        index.iter().zip(dims).any(|(i, n)| *i < 0 || n.as_const().is_some_and(|n| *i >= n))
    };
    found.kept.extend(found.reads.keys().filter(is_outside).map(|(id, _)| *id));
    found.scopes(&body);
    let mut scope = Scope {
        buffers,
        found,
        variables: BTreeMap::new(),
        constants: BTreeSet::new(),
        starting: BTreeSet::new(),
        same: BTreeMap::new(),
    };
    scope.block(body)
}

/// An element of an array.
type Element = (BufferId, Vec<i64>);

struct Found {
    /// How often an element is written.
    writes: BTreeMap<Element, usize>,
    /// How often it is read.
    reads: BTreeMap<Element, usize>,
    /// Those that are written once, and read only after that, in the same block.
    scoped: BTreeSet<Element>,
    /// What stays an array.
    kept: BTreeSet<BufferId>,
}

impl Found {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(e) = stmt.expr() {
            e.visit(&mut |e| {
                if let Expr::Load(buffer, _, index) | Expr::Vector(buffer, _, _, index) = e
                    && (numbers(index).is_none() || matches!(e, Expr::Vector(..)))
                {
                    self.kept.insert(*buffer);
                }
                if let Some(element) = read(e) {
                    *self.reads.entry(element).or_default() += 1;
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
        stmt.blocks().flatten().for_each(|s| self.stmt(s));
    }
}

impl Found {
    /// Finds what is written once in a block, and read in the rest of it only.
    fn scopes(&mut self, stmts: &[Stmt]) {
        let mut reads: BTreeMap<Element, usize> = BTreeMap::new();
        for stmt in stmts.iter().rev() {
            if let Stmt::Store(buffer, index, _) = stmt
                && let Some(index) = numbers(index)
            {
                let element = (*buffer, index);
                let all = self.reads.get(&element).copied().unwrap_or(0);
                if self.writes.get(&element) == Some(&1) && reads.get(&element).copied().unwrap_or(0) == all {
                    self.scoped.insert(element);
                }
            }
            stmt.visit_exprs(&mut |e| {
                if let Some(element) = read(e) {
                    *reads.entry(element).or_default() += 1;
                }
            });
        }
        stmts.iter().flat_map(Stmt::blocks).for_each(|block| self.scopes(block));
    }
}

/// The element that an expression reads, if it is known.
fn read(e: &Expr) -> Option<Element> {
    match e {
        Expr::Load(buffer, _, index) => Some((*buffer, numbers(index)?)),
        _ => None,
    }
}

fn numbers(index: &[crate::arith::ArithExpr]) -> Option<Vec<i64>> {
    index.iter().map(crate::arith::ArithExpr::as_const).collect()
}

/// The elements that are written in this block before anywhere else: nothing before it in the block has blocks of
/// its own that write them.
fn first_writes(stmts: &[Stmt]) -> BTreeSet<Element> {
    let mut first = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for stmt in stmts {
        stmt.visit_exprs(&mut |e| {
            if let Expr::Load(buffer, _, index) = e
                && let Some(index) = numbers(index)
            {
                seen.insert((*buffer, index));
            }
        });
        let own = matches!(stmt, Stmt::Store(..));
        stmt.visit(&mut |s| {
            if let Stmt::Store(buffer, index, _) = s
                && let Some(index) = numbers(index)
                && seen.insert((*buffer, index.clone()))
                && own
            {
                first.insert((*buffer, index));
            }
        });
    }
    first
}

struct Scope<'a> {
    buffers: &'a [Buffer],
    found: Found,
    /// The variables of elements.
    variables: BTreeMap<Element, Local>,
    /// Those that are defined where they are written.
    constants: BTreeSet<u32>,
    /// Those that are defined where they are written first.
    starting: BTreeSet<u32>,
    /// Constants that are other constants.
    same: BTreeMap<u32, Expr>,
}

impl Scope<'_> {
    fn block(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let first = first_writes(&stmts);
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Array(buffer) if !self.found.kept.contains(&buffer) => {
                    self.declare(buffer, &first, &mut out);
                }
                Stmt::Store(buffer, index, value) if !self.found.kept.contains(&buffer) => {
                    let value = self.expr(&value);
                    let local =
                        numbers(&index).and_then(|index| self.variables.get(&(buffer, index))).cloned();
                    match local {
                        Some(local) if self.constants.contains(&local.id) => {
                            out.push(Stmt::Value { local, init: Some(value), constant: true });
                        }
                        Some(local) if self.starting.remove(&local.id) => {
                            out.push(Stmt::Value { local, init: Some(value), constant: false });
                        }
                        Some(local) => out.push(Stmt::Assign(local, value)),
                        None => crate::bug!("a variable is written before it is there"),
                    }
                }
                Stmt::Value { local, init: Some(e), constant: true } => {
                    let e = self.expr(&e);
                    match &e {
                        Expr::Local(other) if self.constants.contains(&other.id) => {
                            self.same.insert(local.id, e);
                        }
                        _ => out.push(Stmt::Value { local, init: Some(e), constant: true }),
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
    fn declare(&mut self, id: BufferId, first: &BTreeSet<Element>, out: &mut Vec<Stmt>) {
        let buffer = &self.buffers[id.0 as usize];
        let elements: Vec<Element> =
            self.found.writes.keys().filter(|(buffer, _)| *buffer == id).cloned().collect();
        for element in elements {
            let name: String = element.1.iter().map(|i| format!("_{i}")).collect();
            let local = Local::new(&format!("{}{name}", buffer.name), buffer.scalar);
            if self.found.scoped.contains(&element) {
                self.constants.insert(local.id);
            } else if first.contains(&element) {
                self.starting.insert(local.id);
            } else {
                out.push(Stmt::Value { local: local.clone(), init: None, constant: false });
            }
            self.variables.insert(element, local);
        }
    }

    fn expr(&self, e: &Expr) -> Expr {
        if let Expr::Local(local) = e {
            return self.same.get(&local.id).unwrap_or(e).clone();
        }
        if let Expr::Load(buffer, _, index) = e
            && !self.found.kept.contains(buffer)
            && let Some(local) = numbers(index).and_then(|index| self.variables.get(&(*buffer, index)))
        {
            return Expr::Local(local.clone());
        }
        e.map_operands(&mut |x| self.expr(x))
    }
}
