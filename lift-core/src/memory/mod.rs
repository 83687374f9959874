//! Which results are stored, and where.
//!
//! Before: a [`crate::low::Kernel`], whose `to_local` nodes ask for storage. After: a table of buffers - the inputs,
//! the results, one or more for every `to_local` (one for each part of a tuple) - with their address spaces
//! and symbolic extents. All local buffers are declared once, at the top of the kernel.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Facts};
use crate::bug;
use crate::ir::{Scalar, Type};
use crate::low::{Kernel, Kind, Memory, NodeId};

/// A buffer of a [`Plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// The same in global memory: an element for each group comes first.
    Global,
    /// Part of the program.
    Constant,
    /// Of one work-item alone.
    Private,
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
    /// How many dimensions come before those that are shared.
    pub slots: usize,
    /// The dimensions of which every work-item has one element only, each given by its index there.
    pub shared: Vec<ArithExpr>,
    /// How many elements nobody uses come first in each dimension; nothing for dimensions at the end.
    pub before: Vec<ArithExpr>,
    /// Whether it is written as a whole before it is read, each time that the block runs in which it is written.
    pub ends: bool,
    /// The array in whose place it lies, if it has none of its own.
    pub within: Option<BufferId>,
}

impl Buffer {
    /// A buffer that is all there.
    pub fn new(name: String, space: Space, scalar: Scalar, dims: Vec<ArithExpr>) -> Buffer {
        Buffer {
            name,
            space,
            scalar,
            dims,
            slots: 0,
            shared: Vec::new(),
            before: Vec::new(),
            ends: false,
            within: None,
        }
    }

    /// The same so many times, one after the other: the first index says which.
    pub fn repeated(&self, times: i64) -> Buffer {
        let dims = [&[times.into()], self.dims.as_slice()].concat();
        let before = [&[ArithExpr::zero()], self.before.as_slice()].concat();
        // What is in one of them lasts while others are written.
        Buffer { dims, before, ends: false, ..self.clone() }
    }

    /// The extents of what is declared.
    pub fn own_dims(&self) -> Vec<&ArithExpr> {
        let shared = self.slots..self.slots + self.shared.len();
        self.dims.iter().enumerate().filter(|(d, _)| !shared.contains(d)).map(|(_, n)| n).collect()
    }
}

/// A scalar in the type of a parameter, with the dimensions around it.
#[derive(Debug, Clone, PartialEq)]
pub enum Leaf {
    /// Without dimensions: passed by value, under this name.
    Value(String, Scalar),
    /// In a buffer.
    Buffer(BufferId),
}

/// All buffers.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// The leaves of the parameters, by the parameters' identities: buffers, or scalars that are passed by value.
    pub params: BTreeMap<u32, Vec<Leaf>>,
    /// The result, one buffer for every scalar in its type, in the order of [`Type::leaves`].
    pub out: Vec<BufferId>,
    /// The buffers of stored results, one for every scalar of the element.
    pub stored: BTreeMap<NodeId, Vec<BufferId>>,
    /// Those of them in global memory.
    pub scratch: Vec<BufferId>,
    /// How much local memory all of them take.
    pub local_bytes: ArithExpr,
}

/// Plans the memory of a kernel.
pub fn plan(kernel: &Kernel) -> Plan {
    let mut plan = Plan {
        buffers: Vec::new(),
        params: BTreeMap::new(),
        out: Vec::new(),
        stored: BTreeMap::new(),
        scratch: Vec::new(),
        local_bytes: ArithExpr::zero(),
    };
    for param in &kernel.params {
        let names = leaf_names(&param.name, &param.ty);
        let leaves = names.into_iter().zip(param.ty.leaves()).map(|(name, (dims, scalar))| {
            if dims.is_empty() {
                return Leaf::Value(name, scalar);
            }
            Leaf::Buffer(plan.add(Buffer::new(name, Space::Input, scalar, dims)))
        });
        let leaves = leaves.collect();
        plan.params.insert(param.id, leaves);
    }
    plan.outputs(kernel);
    let nodes = (0..kernel.nodes.len() as u32).map(NodeId);
    let replaced: BTreeSet<NodeId> = nodes.filter_map(|id| kernel.shared_rounds(id)?.replaced).collect();
    for (index, node) in kernel.nodes.iter().enumerate() {
        if let Kind::Store { memory: Memory::Global, .. } = &node.kind {
            let groups = kernel.geometry.groups();
            let leaves = node.ty.leaves().into_iter().map(|(dims, scalar)| {
                let dims = std::iter::once(&groups).chain(&dims).map(|n| kernel.facts.simplify(n)).collect();
                plan.add(Buffer::new("stored".into(), Space::Global, scalar, dims))
            });
            let leaves: Vec<BufferId> = leaves.collect();
            plan.scratch.extend(&leaves);
            plan.stored.insert(NodeId(index as u32), leaves);
        }
        if let Kind::Store { memory: Memory::Local, room, .. } = &node.kind
            && !replaced.contains(&NodeId(index as u32))
        {
            let mut leaves = Vec::new();
            plan.local(&node.ty, (&[], room), &mut leaves, &kernel.facts);
            leaves.iter().for_each(|id| plan.buffers[id.0 as usize].ends = true);
            plan.stored.insert(NodeId(index as u32), leaves);
        }
    }
    plan.local_bytes = kernel.facts.simplify(&plan.local_bytes);
    plan
}

impl Plan {
    /// The buffers of the result: those of the parameters that it replaces, and new ones.
    fn outputs(&mut self, kernel: &Kernel) {
        let ty = kernel.ty(kernel.root);
        let leaves = kernel.output_leaves();
        for ((name, (dims, scalar)), output) in leaf_names("out", ty).into_iter().zip(ty.leaves()).zip(leaves)
        {
            let id = match output {
                None => self.add(Buffer::new(name, Space::Output, scalar, dims)),
                Some((param, leaf)) => {
                    let leaves = self.params.get(&kernel.params[param].id);
                    let Some(Leaf::Buffer(id)) = leaves.and_then(|leaves| leaves.get(leaf)) else {
                        bug!("a scalar is updated")
                    };
                    self.buffers[id.0 as usize].space = Space::Output;
                    *id
                }
            };
            self.out.push(id);
        }
    }

    fn add(&mut self, buffer: Buffer) -> BufferId {
        self.buffers.push(buffer);
        BufferId(self.buffers.len() as u32 - 1)
    }

    /// One buffer for every scalar in a type, inside arrays of some lengths, with room for more in the first of all
    /// dimensions.
    fn local(
        &mut self,
        ty: &Type,
        (outer, room): (&[ArithExpr], &[(ArithExpr, ArithExpr)]),
        leaves: &mut Vec<BufferId>,
        facts: &Facts,
    ) {
        match ty {
            Type::Scalar(scalar) => {
                let dims = if outer.is_empty() { vec![ArithExpr::one()] } else { outer.to_vec() };
                let elements: ArithExpr = dims.iter().cloned().product();
                self.local_bytes = &self.local_bytes + elements * scalar.bytes();
                let name = "tile".to_string();
                let before = room.iter().map(|(before, _)| facts.simplify(before)).collect();
                leaves.push(self.add(Buffer { before, ..Buffer::new(name, Space::Local, *scalar, dims) }));
            }
            Type::Array(element, len) => {
                let len = match room.get(outer.len()) {
                    Some((before, after)) => before + len + after,
                    None => len.clone(),
                };
                let dims = [outer, &[facts.simplify(&len)]].concat();
                self.local(element, (&dims, room), leaves, facts);
            }
            Type::Tuple(parts) => {
                parts.iter().for_each(|part| self.local(part, (outer, room), leaves, facts))
            }
        }
    }
}

/// Names for the leaves of a type: `name` if there is one, otherwise `name_0`, `name_1_0` and so on.
fn leaf_names(name: &str, ty: &Type) -> Vec<String> {
    match ty {
        Type::Scalar(_) => vec![name.to_string()],
        Type::Array(element, _) => leaf_names(name, element),
        Type::Tuple(parts) => {
            let parts = parts.iter().enumerate();
            parts.flat_map(|(i, part)| leaf_names(&format!("{name}_{i}"), part)).collect()
        }
    }
}
