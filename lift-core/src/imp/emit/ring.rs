//! Where the elements of a computed window live: what is stored with `to_local` in a ring of slots in local memory, all else
//! in registers.
//!
//! An element that the items of a group share out between them, row by row of a `map_local`, is kept in parts: each
//! item has its own. In a ring, the slot of an element is its number modulo the number of slots, and
//! there are as many as there are elements that somebody still reads; and as many more as a trip adds if those are read in their own
//! trip, so that items which are ahead do not overwrite what others still read.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::bug;
use crate::imp::ast::{Expr, Stmt};
use crate::imp::emit::array_accumulators::local_dimensions;
use crate::imp::emit::stream::Window;
use crate::imp::emit::{Emitter, Env, Value};
use crate::ir::build::fresh_id;
use crate::ir::{Literal, Scalar, Type};
use crate::low::{Kind, Memory, NodeId};
use crate::memory::{BufferId, Space};
use crate::view::leaves;
use crate::view::write::WriteView;

/// Longer arrays are cleared in a loop.
const MOST_WRITTEN_OUT: i64 = 16;

/// Where a scalar of an element lives.
pub(super) enum Home {
    /// With the work-item, or shared out in these dimensions between the items of a group.
    Registers(Vec<usize>),
    /// In local memory.
    Ring(BufferId),
}

/// Slots in local memory.
pub(super) struct Ring {
    /// How many.
    pub(super) slots: i64,
    /// How many elements a trip adds.
    step: i64,
    /// The trip, while the loop is emitted.
    trip: Option<ArithExpr>,
}

impl Emitter<'_> {
    /// Where the scalars of an element live that a node computes.
    pub(super) fn homes(&self, id: NodeId) -> Vec<Home> {
        let mut homes = Vec::new();
        self.homes_in(id, &mut BTreeMap::new(), &mut homes);
        homes
    }

    fn homes_in(&self, id: NodeId, kept: &mut BTreeMap<u32, Vec<usize>>, homes: &mut Vec<Home>) {
        let low = self.low;
        let dimensions = match low.kind(id) {
            Kind::Let(binder, value, body) => {
                if let Kind::Store { memory: Memory::Private, of, .. } = low.kind(*value) {
                    kept.insert(binder.id, local_dimensions(*of, low));
                }
                return self.homes_in(*body, kept, homes);
            }
            Kind::Tuple(parts) => return parts.iter().for_each(|x| self.homes_in(*x, kept, homes)),
            Kind::Store { memory: Memory::Local, .. } => {
                let Some(buffers) = self.plan.stored.get(&id) else { bug!("no memory for {id:?}") };
                return homes.extend(buffers.iter().map(|buffer| Home::Ring(*buffer)));
            }
            Kind::Param(param) => kept.get(param).cloned().unwrap_or_default(),
            Kind::Store { memory: Memory::Private, of, .. } => local_dimensions(*of, low),
            _ => local_dimensions(id, low),
        };
        homes.extend((0..leaves(low.ty(id))).map(|_| Home::Registers(dimensions.clone())));
    }

    /// Stores an element, each part of it where it lives.
    pub(super) fn store_parts(&mut self, id: NodeId, env: &Env, to: &WriteView) {
        let low = self.low;
        match low.kind(id) {
            Kind::Let(binder, value, body) => {
                let env = self.let_(binder, *value, *body, env);
                self.store_parts(*body, &env, to);
            }
            Kind::Tuple(parts) if low.ty(id).contains_array() => {
                for (part, to) in parts.iter().zip(to.of_tuple(low.ty(id))) {
                    self.store_parts(*part, env, &to);
                }
            }
            Kind::Store { of: x, memory: Memory::Local, .. } => {
                let written_out = std::mem::replace(&mut self.copies_written_out, false);
                self.store(*x, env, to);
                self.copies_written_out = written_out;
            }
            Kind::Store { memory: Memory::Private, .. } | Kind::Param(_) => {
                let value = self.eval(id, env);
                let (buffers, at) = to.place();
                let there = (buffers.to_vec(), at.to_vec());
                self.fill_own(&there, low.ty(id), value);
            }
            _ => self.store(id, env, to),
        }
    }

    /// Stores zeros in the parts of an element that are in local memory, by those who will store there.
    pub(super) fn clear_rings(&mut self, id: NodeId, to: &WriteView) {
        let low = self.low;
        match low.kind(id) {
            Kind::Let(_, _, body) => self.clear_rings(*body, to),
            Kind::Tuple(parts) => {
                for (part, to) in parts.iter().zip(to.of_tuple(low.ty(id))) {
                    self.clear_rings(*part, &to);
                }
            }
            Kind::Store { of: x, memory: Memory::Local, .. } => {
                self.clear(*x, to);
            }
            _ => {}
        }
    }

    fn clear(&mut self, id: NodeId, to: &WriteView) {
        let low = self.low;
        match low.kind(id) {
            Kind::Let(_, _, body) => self.clear(*body, to),
            Kind::Map { place, f, xs, .. } if place.is_shared_by_group() => {
                let (var, len) = (Var::new(fresh_id(), "i"), low.ty(*xs).length());
                self.each(*place, &var, &len, &mut |e, i| {
                    let to = e.accept(to, i);
                    e.clear(f.body, &to);
                });
            }
            _ => self.zeros(low.ty(id), to),
        }
    }

    fn zeros(&mut self, ty: &Type, to: &WriteView) {
        match ty {
            Type::Scalar(scalar) => self.write(to, Value::Scalar(Expr::Literal(zero(*scalar)))),
            Type::Tuple(parts) => {
                for (part, to) in parts.iter().zip(to.of_tuple(ty)) {
                    self.zeros(part, &to);
                }
            }
            Type::Array(element, len) => match self.facts.simplify(len).as_const() {
                Some(n) if n <= MOST_WRITTEN_OUT => (0..n).for_each(|i| {
                    let to = self.accept(to, &i.into());
                    self.zeros(element, &to);
                }),
                _ => self.count("i", len, |e, i| {
                    let to = e.accept(to, i);
                    e.zeros(element, &to);
                }),
            },
        }
    }

    /// Finds out how many slots rings need, from the statements of a trip in which slots are numbers.
    pub(super) fn learn_rings(&mut self, windows: &[Window], stmts: &[Stmt]) {
        for window in windows {
            for id in &window.buffers {
                if self.buffers[id.0 as usize].space != Space::Local {
                    continue;
                }
                let (mut oldest, mut newest) = (window.size, -1);
                let mut note = |e: &Expr| {
                    if let Expr::Load(buffer, _, index) | Expr::Vector(buffer, _, _, index) = e
                        && buffer == id
                    {
                        let slot = index.first().and_then(ArithExpr::as_const);
                        oldest = oldest.min(slot.unwrap_or(0));
                        newest = newest.max(slot.unwrap_or(window.size - 1));
                    }
                };
                stmts.iter().for_each(|stmt| stmt.visit_exprs(&mut note));
                let fresh = if newest >= window.known() { window.step } else { 0 };
                let slots = (window.size - oldest + fresh).max(1);
                let ring = self.rings.entry(*id).or_insert(Ring { slots, step: window.step, trip: None });
                ring.slots = ring.slots.max(slots);
                self.buffers[id.0 as usize] = self.plan.buffers[id.0 as usize].repeated(ring.slots);
            }
        }
    }

    /// Makes arrays of the group pairs: each round of an iteration reads one array and writes the other, first and second of
    /// the pair in even rounds.
    pub(super) fn pair_up(&mut self, ids: &[BufferId]) {
        for id in ids {
            self.rings.entry(*id).or_insert(Ring { slots: 2, step: 1, trip: None });
            self.buffers[id.0 as usize] = self.plan.buffers[id.0 as usize].repeated(2);
        }
    }

    /// The trip that the rings are in: none between loops.
    pub(super) fn set_trip(&mut self, ids: &[BufferId], t: Option<&ArithExpr>) {
        for id in ids {
            if let Some(ring) = self.rings.get_mut(id) {
                ring.trip = t.cloned();
            }
        }
    }

    /// The same for the rings of windows.
    pub(super) fn turn_rings(&mut self, windows: &[Window], t: Option<&ArithExpr>) {
        windows.iter().for_each(|window| self.set_trip(&window.buffers, t));
    }

    /// The slot of a position in a window.
    pub(super) fn slot_of(&self, id: BufferId, position: &ArithExpr) -> Option<ArithExpr> {
        let ring = self.rings.get(&id)?;
        let trip = ring.trip.as_ref()?;
        Some(self.facts.simplify(&(trip * ring.step + position).modulo(&ring.slots.into())))
    }

    /// The bytes of local memory for the slots after the first of each ring.
    pub(super) fn ring_bytes(&self) -> ArithExpr {
        let more = self.rings.iter().map(|(id, ring)| {
            let buffer = &self.plan.buffers[id.0 as usize];
            let elements: ArithExpr = buffer.dims.iter().cloned().product();
            elements * buffer.scalar.bytes() * (ring.slots - 1)
        });
        more.fold(ArithExpr::zero(), |sum, bytes| sum + bytes)
    }
}

/// The zero of a type.
pub(super) fn zero(scalar: Scalar) -> Literal {
    match scalar {
        Scalar::Bool => Literal::Bool(false),
        scalar => Literal::number(0, scalar),
    }
}
