//! What a trip keeps for the next one is stored when the trip has read everything.
//!
//! Before: a loop in which the items of a group wait for each other, and store to a slot of a ring what others read in the next trip,
//! each as soon as it is known. After: these stores stand at the end of the trip, or before the next barrier. A compiler that does
//! not know that slots differ leaves the reads of a trip behind the stores before them; now all of its reads may be on their way at
//! once. Nothing moves past a barrier, or past an access to what may be the same element.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{Expr, Stmt};
use crate::imp::ring_slots;
use crate::memory::{Buffer, BufferId, Space};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    Sinking { buffers, slots: ring_slots::named(&body) }.block(body)
}

struct Sinking<'a> {
    buffers: &'a [Buffer],
    /// Indices that are remainders.
    slots: BTreeMap<Var, ArithExpr>,
}

impl Sinking<'_> {
    fn block(&self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let inside = |stmt: Stmt| {
            let is_loop = matches!(stmt, Stmt::For { .. } | Stmt::Repeat { .. });
            stmt.map_blocks(&mut |body| {
                let body = self.block(body);
                if is_loop && body.iter().any(waits) { self.trip(body) } else { body }
            })
        };
        stmts.into_iter().map(inside).collect()
    }

    /// A trip; the stores keep their order.
    fn trip(&self, mut stmts: Vec<Stmt>) -> Vec<Stmt> {
        let moves = stmts.iter().rev().take_while(|stmt| matches!(stmt, Stmt::Assign(..))).count();
        let mut end = stmts.len() - moves;
        for at in (0..end).rev() {
            let Some(store) = self.movable(&stmts[at]) else { continue };
            let crossed = stmts[at + 1..end].iter().take_while(|stmt| !store.meets(stmt)).count();
            let past = &stmts[at + 1..][..crossed];
            if past.iter().any(|stmt| self.reads(stmt)) {
                let store = stmts.remove(at);
                stmts.insert(at + crossed, store);
                // What is moved to the same place later comes before it.
                if at + crossed + 1 == end {
                    end -= 1;
                }
            }
        }
        stmts
    }

    /// What a statement stores in local memory, if its value needs no memory.
    fn movable<'a>(&'a self, stmt: &'a Stmt) -> Option<Store<'a>> {
        let Stmt::Store(id, index, value) = stmt else { return None };
        let (mut locals, mut loads) = (BTreeSet::new(), false);
        value.visit(&mut |e| match e {
            Expr::Local(local) => {
                locals.insert(local.id);
            }
            Expr::Load(..) | Expr::Vector(..) => loads = true,
            _ => {}
        });
        let is_local = self.buffers[id.0 as usize].space == Space::Local;
        (is_local && !loads).then_some(Store { sinking: self, buffer: *id, index, locals })
    }

    /// Whether a statement reads local memory.
    fn reads(&self, stmt: &Stmt) -> bool {
        let is_local = |id: &BufferId| self.buffers[id.0 as usize].space == Space::Local;
        stmt.any_expr(&|e| matches!(e, Expr::Load(id, ..) | Expr::Vector(id, ..) if is_local(id)))
    }

    /// The array in which a buffer lies.
    fn place(&self, id: BufferId) -> BufferId {
        self.buffers[id.0 as usize].within.unwrap_or(id)
    }
}

/// A store that is to move.
struct Store<'a> {
    sinking: &'a Sinking<'a>,
    buffer: BufferId,
    index: &'a [ArithExpr],
    /// The variables in its value.
    locals: BTreeSet<u32>,
}

impl Store<'_> {
    /// Whether the store must stay before this statement.
    fn meets(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.visit(&mut |s| {
            found |= match s {
                Stmt::Barrier => true,
                Stmt::Assign(local, _) => self.locals.contains(&local.id),
                _ => false,
            };
            s.accesses(&mut |id, _, _, index| found |= self.is_same(id, index));
        });
        found
    }

    /// Whether this may be an element that is stored.
    fn is_same(&self, id: BufferId, index: &[ArithExpr]) -> bool {
        if id != self.buffer {
            return self.sinking.place(id) == self.sinking.place(self.buffer);
        }
        let slot = |i: &ArithExpr| i.substitute(&self.sinking.slots);
        // The last index may be that of several neighbours.
        let rows = self.index.len().saturating_sub(1);
        let mut pairs = self.index.iter().zip(index).take(rows);
        !pairs.any(|(i, j)| ring_slots::in_other_slots(&slot(i), &slot(j)))
    }
}

fn waits(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Barrier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::ast::{IndexValue, Local};
    use crate::ir::Scalar;
    use crate::ir::build::fresh_id;

    const RING: BufferId = BufferId(0);
    const OTHER: BufferId = BufferId(1);

    /// A trip of a loop that waits: what it does at `i`, given by the slot of this trip, that of the one before, and the item.
    fn trip(body: impl Fn(&ArithExpr, &ArithExpr, &ArithExpr) -> Vec<Stmt>) -> String {
        let [i, j, k, item] = ["i", "j", "k", "item"].map(|name| Var::new(fresh_id(), name));
        let at = |n: i64| IndexValue::Arith((ArithExpr::var(&i) + n).modulo(&2.into()));
        let [slot, last, item] = [&j, &k, &item].map(ArithExpr::var);
        let start = [Stmt::Barrier, Stmt::Index(j, at(0)), Stmt::Index(k, at(1))];
        let body = [start.to_vec(), body(&slot, &last, &item)].concat();
        let buffers = ["ring", "other"]
            .map(|name| Buffer::new(name.into(), Space::Local, Scalar::F32, vec![2.into(), 16.into()]));
        let stmts = vec![Stmt::For {
            var: i,
            start: 0.into(),
            bound: 9.into(),
            step: 1.into(),
            unroll: crate::imp::ast::Unroll::No,
            body,
        }];
        let slots = ring_slots::named(&stmts);
        let stmts = Sinking { buffers: &buffers, slots }.block(stmts);
        let [Stmt::For { body, .. }] = stmts.as_slice() else { return "no loop".into() };
        body[3..].iter().map(letter).collect()
    }

    /// S and T are stores to the two rings, r and s reads of them, w waits, a assigns.
    fn letter(stmt: &Stmt) -> char {
        match stmt {
            Stmt::Store(RING, ..) => 'S',
            Stmt::Store(..) => 'T',
            Stmt::Value { init: Some(Expr::Load(RING, ..)), .. } => 'r',
            Stmt::Value { init: Some(Expr::Load(..)), .. } => 's',
            Stmt::Barrier => 'w',
            Stmt::Assign(..) => 'a',
            _ => '?',
        }
    }

    fn store(id: BufferId, slot: &ArithExpr, item: &ArithExpr, value: &Local) -> Stmt {
        Stmt::Store(id, vec![slot.clone(), item.clone()], Expr::Local(value.clone()))
    }

    fn read(id: BufferId, slot: &ArithExpr, item: &ArithExpr) -> Stmt {
        let load = Expr::Load(id, Scalar::F32, vec![slot.clone(), item + 1]);
        Stmt::Value { local: Local::new("x", Scalar::F32), init: Some(load), constant: true }
    }

    fn assign(to: &Local) -> Stmt {
        Stmt::Assign(to.clone(), Expr::Literal(0.0_f32.into()))
    }

    #[test]
    fn stores_wait_for_reads_of_other_slots() {
        let [v, w] = ["v", "w"].map(|name| Local::new(name, Scalar::F32));
        let found = trip(|slot, last, item| {
            vec![
                store(RING, slot, item, &v),
                read(RING, last, item),
                store(OTHER, slot, item, &w),
                read(OTHER, last, item),
                assign(&Local::new("kept", Scalar::F32)),
            ]
        });
        assert_eq!(found, "rsSTa", "in their order, before what moves from trip to trip");
        // Without a read after it, a store stays.
        assert_eq!(trip(|slot, last, item| vec![read(RING, last, item), store(RING, slot, item, &v)]), "rS");
    }

    #[test]
    fn nothing_passes_what_it_may_meet() {
        let v = Local::new("v", Scalar::F32);
        let same = |slot: &ArithExpr, last: &ArithExpr, item: &ArithExpr| {
            vec![store(RING, slot, item, &v), read(RING, slot, item), read(RING, last, item)]
        };
        assert_eq!(trip(same), "Srr");
        let anywhere = |slot: &ArithExpr, _: &ArithExpr, item: &ArithExpr| {
            vec![store(RING, slot, item, &v), read(RING, item, item)]
        };
        assert_eq!(trip(anywhere), "Sr");
        let twice = |slot: &ArithExpr, last: &ArithExpr, item: &ArithExpr| {
            vec![store(RING, slot, item, &v), read(RING, last, item), store(RING, slot, item, &v)]
        };
        assert_eq!(trip(twice), "rSS");
    }

    #[test]
    fn nothing_passes_a_barrier_or_another_value() {
        let v = Local::new("v", Scalar::F32);
        let waits = |slot: &ArithExpr, last: &ArithExpr, item: &ArithExpr| {
            vec![store(RING, slot, item, &v), read(OTHER, last, item), Stmt::Barrier, read(RING, last, item)]
        };
        assert_eq!(trip(waits), "sSwr");
        let changed = |slot: &ArithExpr, last: &ArithExpr, item: &ArithExpr| {
            vec![store(RING, slot, item, &v), assign(&v), read(RING, last, item)]
        };
        assert_eq!(trip(changed), "Sar");
    }
}
