//! Which results are stored, and where.
//!
//! Before: a [`crate::low::Kernel`], whose `to_local` nodes ask for storage. After: a table of buffers - the inputs,
//! the output, one or more for every `to_local` (one for each part of a tuple) - with their address spaces
//! and symbolic extents. All local buffers are declared once, at the top of the kernel.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::bug;
use crate::ir::{Scalar, Type};
use crate::low::{Kernel, Kind, NodeId};

/// A buffer of a [`Plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BufferId(pub u32);

/// An address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// Read-only, from the host.
    Input,
    /// Written for the host.
    Output,
    /// Shared by the items of a work-group.
    Local,
    /// Part of the program.
    Constant,
}

/// Storage for an array of scalars.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// What it should be called.
    pub name: String,
    /// Where it is.
    pub space: Space,
    /// The type of its elements.
    pub scalar: Scalar,
    /// Its extents, outermost first.
    pub dims: Vec<ArithExpr>,
}

/// All buffers.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// The buffers of the parameters that are arrays, by the parameters' identities.
    pub params: BTreeMap<u32, BufferId>,
    /// The result.
    pub out: BufferId,
    /// The buffers of stored results, one for every scalar of the element.
    pub stored: BTreeMap<NodeId, Vec<BufferId>>,
    /// How much local memory all of them take.
    pub local_bytes: ArithExpr,
}

/// Plans the memory of a kernel.
pub fn plan(kernel: &Kernel) -> Plan {
    let mut plan = Plan {
        buffers: Vec::new(),
        params: BTreeMap::new(),
        out: BufferId(0),
        stored: BTreeMap::new(),
        local_bytes: ArithExpr::zero(),
    };
    for param in &kernel.params {
        let (dims, element) = param.ty.shape();
        match element {
            Type::Scalar(scalar) if !dims.is_empty() => {
                let id = plan.add(Buffer {
                    name: param.name.to_string(),
                    space: Space::Input,
                    scalar: *scalar,
                    dims,
                });
                plan.params.insert(param.id, id);
            }
            Type::Scalar(_) => {}
            Type::Array(..) | Type::Tuple(_) => bug!("a parameter of type {}", param.ty),
        }
    }
    let (dims, element) = kernel.ty(kernel.root).shape();
    let Type::Scalar(scalar) = element else { bug!("a result of type {}", kernel.ty(kernel.root)) };
    plan.out = plan.add(Buffer { name: "out".to_string(), space: Space::Output, scalar: *scalar, dims });
    for (index, node) in kernel.nodes.iter().enumerate() {
        if matches!(node.kind, Kind::ToLocal(_)) {
            let mut leaves = Vec::new();
            plan.local(&node.ty, &[], &mut leaves, &kernel.facts);
            plan.stored.insert(NodeId(index as u32), leaves);
        }
    }
    plan.local_bytes = kernel.facts.simplify(&plan.local_bytes);
    plan
}

impl Plan {
    fn add(&mut self, buffer: Buffer) -> BufferId {
        self.buffers.push(buffer);
        BufferId(self.buffers.len() as u32 - 1)
    }

    /// One buffer for every scalar in a type.
    fn local(
        &mut self,
        ty: &Type,
        outer: &[ArithExpr],
        leaves: &mut Vec<BufferId>,
        facts: &crate::arith::Facts,
    ) {
        match ty {
            Type::Scalar(scalar) => {
                let dims = if outer.is_empty() { vec![ArithExpr::one()] } else { outer.to_vec() };
                let elements: ArithExpr = dims.iter().cloned().product();
                self.local_bytes = &self.local_bytes + elements * scalar.bytes();
                let name = "tile".to_string();
                leaves.push(self.add(Buffer { name, space: Space::Local, scalar: *scalar, dims }));
            }
            Type::Array(element, len) => {
                let dims = [outer, &[facts.simplify(len)]].concat();
                self.local(element, &dims, leaves, facts);
            }
            Type::Tuple(parts) => parts.iter().for_each(|part| self.local(part, outer, leaves, facts)),
        }
    }
}
