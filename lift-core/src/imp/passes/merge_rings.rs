//! Rings of one shape are one array.
//!
//! Before: an array with slots for each step of a pipeline. After: one array for all that have the same type and extents, with one more
//! index in front. Their addresses differ by numbers, so that a work-item needs one register for all of them; of arrays
//! that are declared one by one a compiler does not know where they lie, and keeps an address for each.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::imp::ast::Kernel;
use crate::memory::{Buffer, BufferId};

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let mut shapes: Vec<Vec<BufferId>> = Vec::new();
    for id in kernel.local_buffers().filter(|id| is_ring(&kernel, *id)) {
        let ring = kernel.buffer(id);
        let alike = |others: &&mut Vec<BufferId>| {
            let first = kernel.buffer(others[0]);
            (first.scalar, &first.dims) == (ring.scalar, &ring.dims)
        };
        match shapes.iter_mut().find(alike) {
            Some(others) => others.push(id),
            None => shapes.push(vec![id]),
        }
    }
    let mut parts = Parts::default();
    for rings in shapes.iter().filter(|rings| rings.len() > 1) {
        let first = rings[0];
        for (part, id) in (0..).zip(rings) {
            parts.0.insert(*id, (first, ArithExpr::cst(part)));
            kernel.buffers[id.0 as usize].within = Some(first).filter(|first| first != id);
        }
        let all = kernel.buffer(first).repeated(rings.len() as i64);
        kernel.buffers[first.0 as usize] = all;
    }
    if !parts.0.is_empty() {
        let body = std::mem::take(&mut kernel.body);
        let place = |id, index: &[ArithExpr]| parts.place(id, index);
        kernel.body = body.into_iter().map(|stmt| stmt.map_accesses(&place)).collect();
    }
    kernel
}

/// Whether it has slots, and a place of its own. What is in a ring lasts while a part of it is written.
fn is_ring(kernel: &Kernel, id: BufferId) -> bool {
    let Buffer { ends, within, dims, .. } = kernel.buffer(id);
    let hosts = kernel.buffers.iter().any(|other| other.within == Some(id));
    !ends && within.is_none() && !hosts && dims.iter().all(|n| n.as_const().is_some())
}

/// The arrays that rings are parts of, and which part.
#[derive(Default)]
struct Parts(BTreeMap<BufferId, (BufferId, ArithExpr)>);

impl Parts {
    /// Where an element is now.
    fn place(&self, id: BufferId, index: &[ArithExpr]) -> (BufferId, Vec<ArithExpr>) {
        match self.0.get(&id) {
            Some((all, part)) => (*all, [std::slice::from_ref(part), index].concat()),
            None => (id, index.to_vec()),
        }
    }
}
