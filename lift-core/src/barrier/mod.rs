//! Work-items of a group wait for each other where one reads what another wrote.
//!
//! Before: statements that write and read local memory, or a group's part of global memory, in the order of the program. After: between two
//! accesses to one buffer of which one writes, made by different work-items, there is a barrier on every
//! path - also from one trip of a loop to the next. An access at the same index by the same work-item needs
//! none, nor do accesses to different slots of a ring, whose index is a number of trips modulo the number of slots. Barriers stand as late as possible, but not inside a loop if before it will do, and only where all
//! items of the group come by; if one is needed where they may not, the term was illegal and this is a bug.

#[cfg(test)]
mod tests;
mod varying;

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts, Var};
use crate::barrier::varying::Varying;
use crate::bug;
use crate::imp::ast::{Expr, IndexValue, Kernel, Stmt, WorkItem};
use crate::imp::ring_slots::in_other_slots;
use crate::ir::BinaryOp;
use crate::ir::build::fresh_id;
use crate::low::Geometry;
use crate::memory::{BufferId, Space};

/// Inserts the barriers that a kernel needs.
pub fn insert(mut kernel: Kernel) -> Kernel {
    let several = several(&kernel);
    // Nothing is shared, or nobody is there to share it with.
    if several.is_empty() || kernel.local_buffers().next().is_none() && kernel.scratch().next().is_none() {
        return kernel;
    }
    let body = std::mem::take(&mut kernel.body);
    let mut inserter = Inserter {
        facts: &kernel.facts,
        shared: kernel.buffers.iter().map(|b| matches!(b.space, Space::Local | Space::Global)).collect(),
        holds_several: kernel.buffers.iter().map(|b| b.space == Space::Local && !b.ends).collect(),
        within: kernel.buffers.iter().map(|b| b.within).collect(),
        varying: Varying::of(&body, &kernel.buffers),
        several,
        items: BTreeMap::new(),
        turns: Vec::new(),
        slots: BTreeMap::new(),
    };
    kernel.body = inserter.block(body, &mut Vec::new());
    kernel
}

struct Inserter<'a> {
    /// What is known of sizes: whether a loop has a trip.
    facts: &'a Facts,
    /// Which buffers are shared by the items of a group.
    shared: Vec<bool>,
    /// Which hold one value after the other.
    holds_several: Vec<bool>,
    /// In whose place they lie.
    within: Vec<Option<BufferId>>,
    /// What differs between the items of a group.
    varying: Varying,
    /// The dimensions in which a group has more than one item.
    several: BTreeSet<usize>,
    /// Indices that no two items have in common that differ in this dimension.
    items: BTreeMap<Var, usize>,
    /// The loops in which the items of a group take turns: loops of one kind give an item the same indices.
    turns: Vec<(ArithExpr, ArithExpr, ArithExpr, Var)>,
    /// Indices that are remainders.
    slots: BTreeMap<Var, ArithExpr>,
}

/// An access to local memory.
#[derive(Clone, PartialEq)]
struct Access {
    buffer: BufferId,
    write: bool,
    /// The index, of the first element if there are several.
    index: Vec<ArithExpr>,
    /// How many neighbours it is.
    lanes: u8,
    /// Whether only some items make it.
    guarded: bool,
    /// Whether it was in an earlier round of a loop.
    earlier: bool,
}

/// The indices that statements read from data, or compute from such, each with another name.
fn read_in(stmts: &[Stmt]) -> BTreeMap<Var, ArithExpr> {
    let mut found = BTreeMap::new();
    for stmt in stmts {
        stmt.visit(&mut |s| {
            let Stmt::Index(var, value) = s else { return };
            let is_read = match value {
                IndexValue::Value(_) | IndexValue::Checked { .. } => true,
                IndexValue::Arith(e) => e.vars().iter().any(|v| found.contains_key(v)),
                IndexValue::Id(..) => false,
            };
            if is_read {
                found.insert(var.clone(), ArithExpr::var(&Var::new(fresh_id(), var.name())));
            }
        });
    }
    found
}

impl Access {
    /// The dimensions in which the index is that of all elements.
    fn rows(&self) -> &[ArithExpr] {
        let inner = usize::from(self.lanes > 1);
        &self.index[..self.index.len().saturating_sub(inner)]
    }
}

/// The dimensions in which a group may have more than one item.
fn several(kernel: &Kernel) -> BTreeSet<usize> {
    match &kernel.geometry {
        Geometry::Items(_) => BTreeSet::new(),
        Geometry::Groups { local, .. } | Geometry::Shaped { local, .. } => {
            let extents = local.iter().enumerate().filter(|(_, n)| n.as_const() != Some(1));
            extents.map(|(d, _)| d).collect()
        }
    }
}

impl Inserter<'_> {
    /// Whether different items may access one element, one of them to write it, the other to read it. A buffer usually holds one
    /// value, of which each element is written by one item: then writes never meet.
    fn conflict(&self, a: &Access, b: &Access) -> bool {
        // One array takes the place of another.
        let place = |id: BufferId| self.within[id.0 as usize].unwrap_or(id);
        if a.buffer != b.buffer && place(a.buffer) == place(b.buffer) {
            return a.write || b.write;
        }
        let several = a.buffer == b.buffer && self.holds_several[a.buffer.0 as usize];
        if a.buffer != b.buffer || (a.write == b.write && !(several && a.write)) {
            return false;
        }
        // Several items may compute the same. Then one may be a value ahead of the others.
        let ahead = several || a.earlier != b.earlier;
        let own = !ahead && a.index == b.index && a.lanes == b.lanes && !a.guarded && !b.guarded;
        // Of neighbours it is only known that they are somewhere in their row.
        let pairs = || a.rows().iter().zip(b.rows());
        let apart = pairs().any(|(i, j)| match (i.as_const(), j.as_const()) {
            (Some(i), Some(j)) => i != j,
            // Each item has its own idea of what varies.
            _ => !self.varying.index(i) && !self.varying.index(j) && in_other_slots(i, j),
        });
        // Each item stays within its own part.
        let common = pairs().filter(|(i, j)| i == j).filter_map(|(i, _)| self.dimension(i));
        let covered: BTreeSet<usize> = common.collect();
        !own && !apart && !self.several.is_subset(&covered)
    }

    /// A block that all items of the group run through; `pending` are the accesses since the last barrier.
    fn block(&mut self, stmts: Vec<Stmt>, pending: &mut Vec<Access>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Barrier => {
                    pending.clear();
                    out.push(Stmt::Barrier);
                }
                stmt if self.varying.is_uniform(&stmt) && stmt.blocks().next().is_some() => {
                    let (stmt, left) = self.inside(stmt);
                    let mut exposed = Vec::new();
                    let waits = self.exposed(std::slice::from_ref(&stmt), &mut exposed);
                    let late = exposed.iter().any(|a| pending.iter().any(|b| self.conflict(a, b)));
                    if late {
                        out.push(Stmt::Barrier);
                    }
                    if late || waits {
                        pending.clear();
                    }
                    pending.extend(left);
                    out.push(stmt);
                }
                stmt => {
                    self.learn(&stmt);
                    let mut accesses = Vec::new();
                    self.accesses(&stmt, &BTreeMap::new(), false, &mut accesses);
                    // An element that one statement writes, it writes once.
                    let both_write = |a: &Access, b: &Access| a.buffer == b.buffer && a.write && b.write;
                    let meets = |a: &Access, b: &Access| !both_write(a, b) && self.conflict(a, b);
                    if !self.is_of_one(&stmt) && accesses.iter().any(|a| accesses.iter().any(|b| meets(a, b)))
                    {
                        bug!("a barrier would be needed where not all work-items of a group come by");
                    }
                    if accesses.iter().any(|a| pending.iter().any(|b| self.conflict(a, b))) {
                        pending.clear();
                        out.push(Stmt::Barrier);
                    }
                    pending.extend(accesses);
                    out.push(stmt);
                }
            }
        }
        out
    }

    /// Whether one item of a group runs through a statement, and no other.
    fn is_of_one(&self, stmt: &Stmt) -> bool {
        let Stmt::If(cond, _, otherwise) = stmt else { return false };
        let dimension = |e: &Expr| match e {
            Expr::Binary(BinaryOp::Eq, _, a, b) => match (&**a, &**b) {
                (Expr::Index(id), Expr::Index(number)) => number.as_const().and_then(|_| self.dimension(id)),
                _ => None,
            },
            _ => None,
        };
        let own: BTreeSet<usize> = cond.conjuncts().into_iter().filter_map(dimension).collect();
        otherwise.is_empty() && self.several.is_subset(&own)
    }

    /// A loop or branch with the barriers that it needs for itself, and the accesses that it leaves behind.
    fn inside(&mut self, stmt: Stmt) -> (Stmt, Vec<Access>) {
        let mut left = Vec::new();
        let stmt = match stmt {
            Stmt::For { var, start, bound, step, unroll, body } => {
                // The second round meets what the first one left behind: in the trip before, if all wait in every trip.
                let body = self.block(body, &mut left);
                let before = match body.iter().any(|s| matches!(s, Stmt::Barrier)) {
                    true => ArithExpr::var(&var) - &step,
                    false => ArithExpr::var(&Var::new(fresh_id(), var.name())),
                };
                let before = BTreeMap::from([(var.clone(), before)]);
                for access in &mut left {
                    access.earlier = true;
                    // Few trips have slots that are no remainders.
                    let several = self.holds_several[access.buffer.0 as usize];
                    for index in
                        access.index.iter_mut().filter(|index| several || index.as_modulo().is_some())
                    {
                        *index = index.substitute(&before);
                    }
                }
                let body = self.block(body, &mut left);
                Stmt::For { var, start, bound, step, unroll, body }
            }
            Stmt::Repeat { counter, count, body } => {
                let body = self.block(body, &mut left);
                // What was read from data may be something else in the next round.
                let before = read_in(&body);
                left.iter_mut().for_each(|access| access.earlier = true);
                for index in left.iter_mut().flat_map(|access| &mut access.index) {
                    *index = index.substitute(&before);
                }
                let body = self.block(body, &mut left);
                Stmt::Repeat { counter, count, body }
            }
            Stmt::If(cond, then, otherwise) => {
                let then = self.block(then, &mut left);
                let mut other = Vec::new();
                let otherwise = self.block(otherwise, &mut other);
                left.extend(other);
                Stmt::If(cond, then, otherwise)
            }
            other => other,
        };
        left.iter_mut().for_each(|access| access.earlier = false);
        (stmt, left)
    }

    /// The accesses before the first barrier; the result is whether every item comes to one.
    fn exposed(&mut self, stmts: &[Stmt], out: &mut Vec<Access>) -> bool {
        for stmt in stmts {
            let waits = match stmt {
                Stmt::Barrier => true,
                // It may be repeated no time at all.
                Stmt::For { start, bound, body, .. } if self.varying.is_uniform(stmt) => {
                    self.exposed(body, out) && self.facts.lt(start, bound).is_yes()
                }
                Stmt::Repeat { body, .. } if self.varying.is_uniform(stmt) => {
                    self.exposed(body, out);
                    false
                }
                Stmt::If(_, then, otherwise) if self.varying.is_uniform(stmt) => {
                    let then = self.exposed(then, out);
                    self.exposed(otherwise, out) && then
                }
                stmt => {
                    self.accesses(stmt, &BTreeMap::new(), false, out);
                    false
                }
            };
            if waits {
                return true;
            }
        }
        false
    }

    /// Notes what indices are.
    fn learn(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Index(var, IndexValue::Id(WorkItem::Local, d)) => {
                self.items.insert(var.clone(), *d);
            }
            Stmt::Index(var, IndexValue::Arith(e)) => {
                if e.as_modulo().is_some() {
                    self.slots.insert(var.clone(), e.clone());
                }
                if let Some(d) = self.dimension(e) {
                    self.items.insert(var.clone(), d);
                }
            }
            _ => {}
        }
    }

    /// The dimension in which no two items have this index in common: it is one of their own, times a number and moved by one.
    fn dimension(&self, e: &ArithExpr) -> Option<usize> {
        let own = |v: &Var| {
            let (times, rest) = e.linear_in(v)?;
            let apart = times.as_const()? != 0 && rest.as_const().is_some();
            self.items.get(v).copied().filter(|_| apart)
        };
        e.vars().iter().find_map(own)
    }

    /// All accesses in a statement, with loop variables replaced by what they have in common.
    fn accesses(
        &mut self,
        stmt: &Stmt,
        names: &BTreeMap<Var, ArithExpr>,
        guarded: bool,
        out: &mut Vec<Access>,
    ) {
        let (shared, slots) = (self.shared.clone(), self.slots.clone());
        let mut add = |buffer: BufferId, write: bool, lanes: u8, index: &[ArithExpr]| {
            if shared[buffer.0 as usize] {
                let index = index.iter().map(|i| i.substitute(&slots).substitute(names)).collect();
                out.push(Access { buffer, write, index, lanes, guarded, earlier: false });
            }
        };
        if let Some(e) = stmt.expr() {
            e.visit(&mut |e| match e {
                Expr::Load(buffer, _, index) => add(*buffer, false, 1, index),
                Expr::Vector(buffer, _, lanes, index) => add(*buffer, false, *lanes, index),
                _ => {}
            });
        }
        if let Stmt::Store(buffer, index, value) = stmt {
            add(*buffer, true, value.lanes(), index);
        }
        // Those of all items come in some order, and are over before anybody reads or writes otherwise.
        if let Stmt::Atomic(_, buffer, index, _) = stmt {
            add(*buffer, true, 1, index);
        }
        match stmt {
            Stmt::For { var, start, bound, step, body, .. } => {
                let mut names = names.clone();
                names.insert(var.clone(), ArithExpr::var(&self.turn(var, start, bound, step)));
                body.iter().for_each(|s| self.accesses(s, &names, guarded, out));
            }
            Stmt::If(_, a, b) => a.iter().chain(b).for_each(|s| self.accesses(s, names, true, out)),
            Stmt::Repeat { body, .. } => body.iter().for_each(|s| self.accesses(s, names, guarded, out)),
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Atomic(..)
            | Stmt::Leave(_)
            | Stmt::Claim(_)
            | Stmt::Barrier => {}
        }
    }

    /// The common name of all loops with these turns; a loop that every item runs alone is its own.
    fn turn(&mut self, var: &Var, start: &ArithExpr, bound: &ArithExpr, step: &ArithExpr) -> Var {
        if !self.varying.index(start) {
            return var.clone();
        }
        let same = |(s, b, t, _): &&(ArithExpr, ArithExpr, ArithExpr, Var)| (s, b, t) == (start, bound, step);
        if let Some((.., common)) = self.turns.iter().find(same) {
            return common.clone();
        }
        let common = Var::new(fresh_id(), var.name());
        self.varying.add(&common);
        // Turns that begin with the item's number go on in steps of the number of items.
        if let Some(d) = start.as_var().and_then(|id| self.items.get(id)).copied() {
            self.items.insert(common.clone(), d);
        }
        self.turns.push((start.clone(), bound.clone(), step.clone(), common.clone()));
        common
    }
}
