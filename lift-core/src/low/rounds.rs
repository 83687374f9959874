//! Iterations whose rounds store for the group.

use crate::low::{Kernel, Kind, Memory, NodeId};

/// `iterate(k, |x| to_local(..), start)`
#[derive(Debug, Clone, Copy)]
pub struct SharedRounds {
    /// The node that stores what a round computes.
    pub stored: NodeId,
    /// What the state starts as.
    pub start: NodeId,
    /// The node that would store that: it is stored where the rounds store.
    pub replaced: Option<NodeId>,
}

impl Kernel {
    /// What an iteration is, if each of several rounds stores an array for the group.
    pub fn shared_rounds(&self, id: NodeId) -> Option<SharedRounds> {
        let Kind::Iterate { count, ends: false, f, init } = self.kind(id) else { return None };
        let few = match self.kind(*count) {
            Kind::Literal(n) => n.as_int().is_some_and(|n| n <= 1),
            Kind::Size(n) => self.facts.simplify(n).as_const().is_some_and(|n| n <= 1),
            _ => false,
        };
        let stored = self.stored_last(f.body).filter(|_| !few)?;
        let (start, replaced) = match self.kind(*init) {
            Kind::Store { of, memory: Memory::Local, .. } => (*of, Some(*init)),
            _ => (*init, None),
        };
        Some(SharedRounds { stored, start, replaced })
    }

    /// The node whose array is stored for the group, if that is the value.
    fn stored_last(&self, value: NodeId) -> Option<NodeId> {
        match self.kind(value) {
            Kind::Let(_, _, value) => self.stored_last(*value),
            Kind::Store { memory: Memory::Local, .. } => self.ty(value).as_array().map(|_| value),
            _ => None,
        }
    }
}
