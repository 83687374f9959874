//! Small arrays become variables.
//!
//! Before: arrays of one work-item. After: those of these statements that are read and written at indices that are numbers, and
//! nowhere else, are a variable for each element. An element that is written once, in the block of its array,
//! is a constant from there on.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::ArithExpr;
use crate::imp::ast::{Expr, Local, Stmt};
use crate::memory::{Buffer, BufferId, Space};

/// More elements than a work-item has registers stay an array.
const MOST: i64 = 4096;

/// Runs the pass.
pub(in crate::imp) fn run(body: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    let mut here = BTreeSet::new();
    let mut declared = |s: &Stmt| {
        if let Stmt::Array(buffer) = s {
            here.insert(*buffer);
        }
    };
    body.iter().for_each(|s| s.visit(&mut declared));
    let extents = |(i, buffer): (usize, &Buffer)| {
        let extents: Vec<i64> = buffer.own_dims().iter().map(|n| n.as_const()).collect::<Option<_>>()?;
        let size = extents.iter().try_fold(1i64, |all, n| all.checked_mul(*n))?;
        // Others are those of statements around.
        let is_own = buffer.space == Space::Private && here.contains(&BufferId(i as u32));
        (is_own && size <= MOST).then_some(extents)
    };
    let mut found = Found {
        extents: buffers.iter().enumerate().map(extents).collect(),
        writes: BTreeMap::new(),
        reads: BTreeMap::new(),
        scoped: BTreeSet::new(),
    };
    body.iter().for_each(|s| found.stmt(s));
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

/// An element of an array, by its number.
type Element = (BufferId, i64);

struct Found {
    /// The extents of the arrays that become variables.
    extents: Vec<Option<Vec<i64>>>,
    /// How often an element is written.
    writes: BTreeMap<Element, usize>,
    /// How often it is read.
    reads: BTreeMap<Element, usize>,
    /// Those that are written once, and read only after that, in the same block.
    scoped: BTreeSet<Element>,
}

impl Found {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(e) = stmt.expr() {
            e.visit(&mut |e| match e {
                Expr::Load(buffer, _, index) => match self.element(*buffer, index) {
                    Some(element) => *self.reads.entry(element).or_default() += 1,
                    // At no number, or in an arm that is never taken: there is no such variable.
                    None => self.keep(*buffer),
                },
                Expr::Vector(buffer, ..) => self.keep(*buffer),
                _ => {}
            });
        }
        if let Stmt::Store(buffer, index, _) = stmt {
            match self.element(*buffer, index) {
                Some(element) => *self.writes.entry(element).or_default() += 1,
                None => self.keep(*buffer),
            }
        }
        stmt.blocks().flatten().for_each(|s| self.stmt(s));
    }

    /// The array stays what it is.
    fn keep(&mut self, id: BufferId) {
        self.extents[id.0 as usize] = None;
    }

    fn is_kept(&self, id: BufferId) -> bool {
        self.extents[id.0 as usize].is_none()
    }

    /// The element at an index, if the array becomes variables.
    fn element(&self, id: BufferId, index: &[ArithExpr]) -> Option<Element> {
        let extents = self.extents[id.0 as usize].as_ref()?;
        let number = extents.iter().zip(index).try_fold(0, |number, (extent, i)| {
            let i = i.as_const().filter(|i| (0..*extent).contains(i))?;
            Some(number * extent + i)
        });
        Some((id, number?))
    }

    /// The index of an element, as a part of a name.
    fn name(&self, (id, mut number): Element) -> String {
        let extents = self.extents[id.0 as usize].as_deref().unwrap_or_default();
        let mut index = Vec::new();
        for extent in extents.iter().rev() {
            index.push(number % extent);
            number /= extent;
        }
        index.iter().rev().map(|i| format!("_{i}")).collect()
    }

    /// The element that an expression reads, if it becomes a variable.
    fn read(&self, e: &Expr) -> Option<Element> {
        match e {
            Expr::Load(buffer, _, index) => self.element(*buffer, index),
            _ => None,
        }
    }

    /// Finds what is written once in a block, and read in the rest of it only.
    fn scopes(&mut self, stmts: &[Stmt]) {
        let mut reads: BTreeMap<Element, usize> = BTreeMap::new();
        for stmt in stmts.iter().rev() {
            if let Stmt::Store(buffer, index, _) = stmt
                && let Some(element) = self.element(*buffer, index)
            {
                let all = self.reads.get(&element).copied().unwrap_or(0);
                if self.writes.get(&element) == Some(&1) && reads.get(&element).copied().unwrap_or(0) == all {
                    self.scoped.insert(element);
                }
            }
            stmt.visit_exprs(&mut |e| {
                if let Some(element) = self.read(e) {
                    *reads.entry(element).or_default() += 1;
                }
            });
        }
        stmts.iter().flat_map(Stmt::blocks).for_each(|block| self.scopes(block));
    }

    /// The elements that are written in this block before anywhere else: nothing before it in the block has blocks of
    /// its own that write them.
    fn first_writes(&self, stmts: &[Stmt]) -> BTreeSet<Element> {
        let mut first = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for stmt in stmts {
            stmt.visit_exprs(&mut |e| seen.extend(self.read(e)));
            let own = matches!(stmt, Stmt::Store(..));
            stmt.visit(&mut |s| {
                if let Stmt::Store(buffer, index, _) = s
                    && let Some(element) = self.element(*buffer, index)
                    && seen.insert(element)
                    && own
                {
                    first.insert(element);
                }
            });
        }
        first
    }
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
        let first = self.found.first_writes(&stmts);
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Array(buffer) if !self.found.is_kept(buffer) => {
                    self.declare(buffer, &first, &mut out);
                }
                Stmt::Store(buffer, index, value) if !self.found.is_kept(buffer) => {
                    let value = self.expr(&value);
                    let element = self.found.element(buffer, &index);
                    let local = element.and_then(|element| self.variables.get(&element)).cloned();
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
            self.found.writes.range((id, 0)..(id, MOST)).map(|(element, _)| *element).collect();
        for element in elements {
            let name = format!("{}{}", buffer.name, self.found.name(element));
            let local = Local::new(&name, buffer.scalar);
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
        if let Some(local) = self.found.read(e).and_then(|element| self.variables.get(&element)) {
            return Expr::Local(local.clone());
        }
        e.map_operands(&mut |x| self.expr(x))
    }
}
