//! Removes what nobody reads.
//!
//! Before: constants for values that turned out not to be needed. After: every constant is read somewhere,
//! every variable is read by more than its own assignments, and no block is empty.

use std::collections::BTreeSet;

use crate::imp::ast::{Expr, Stmt};
use crate::memory::{Buffer, BufferId, Space};

/// Runs the pass.
pub(super) fn run(mut body: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    loop {
        let before = count(&body);
        let mut read = Read { own: own(buffers), ..Read::default() };
        body.iter().for_each(|s| read.stmt(s));
        body = sweep(body, &read);
        if count(&body) == before {
            return body;
        }
    }
}

/// What the items of a group share, and no other kernel sees.
fn own(buffers: &[Buffer]) -> BTreeSet<BufferId> {
    let own = |(_, buffer): &(usize, &Buffer)| matches!(buffer.space, Space::Local | Space::Global);
    buffers.iter().enumerate().filter(own).map(|(i, _)| BufferId(i as u32)).collect()
}

fn count(body: &[Stmt]) -> usize {
    let mut n = 0;
    body.iter().for_each(|s| s.visit(&mut |_| n += 1));
    n
}

/// Variables that are read.
#[derive(Default)]
struct Read {
    indices: BTreeSet<u32>,
    locals: BTreeSet<u32>,
    /// Buffers that are read by more than stores to themselves.
    buffers: BTreeSet<BufferId>,
    /// Arrays of one work-item, or of a group.
    own: BTreeSet<BufferId>,
}

impl Read {
    fn stmt(&mut self, stmt: &Stmt) {
        let own = match stmt {
            Stmt::Assign(local, _) => Some(local.id),
            _ => None,
        };
        let own_buffer = match stmt {
            Stmt::Store(buffer, ..) => Some(*buffer),
            _ => None,
        };
        if let Stmt::Array(buffer) = stmt {
            self.own.insert(*buffer);
        }
        for e in stmt.indices() {
            self.indices.extend(e.vars().iter().map(|v| v.id()));
        }
        if let Some(e) = stmt.expr() {
            e.visit(&mut |e| {
                match e {
                    Expr::Local(local) if Some(local.id) != own => {
                        self.locals.insert(local.id);
                    }
                    Expr::Load(buffer, ..) | Expr::Vector(buffer, ..) if Some(*buffer) != own_buffer => {
                        self.buffers.insert(*buffer);
                    }
                    _ => {}
                }
                for e in e.indices() {
                    self.indices.extend(e.vars().iter().map(|v| v.id()));
                }
            });
        }
        stmt.blocks().flatten().for_each(|s| self.stmt(s));
    }
}

fn sweep(body: Vec<Stmt>, read: &Read) -> Vec<Stmt> {
    let swept = body.into_iter().map(|stmt| stmt.map_blocks(&mut |block| sweep(block, read)));
    let is_needed = |stmt: &Stmt| match stmt {
        Stmt::Index(var, _) => read.indices.contains(&var.id()),
        Stmt::Value { local, .. } | Stmt::Assign(local, _) => read.locals.contains(&local.id),
        Stmt::For { body, .. } | Stmt::Repeat { body, .. } => !body.is_empty(),
        Stmt::If(_, then, otherwise) => !then.is_empty() || !otherwise.is_empty(),
        Stmt::Array(buffer) => read.buffers.contains(buffer),
        Stmt::Store(buffer, ..) => read.buffers.contains(buffer) || !read.own.contains(buffer),
        Stmt::Atomic(..) | Stmt::Leave(_) | Stmt::Claim(_) | Stmt::Barrier => true,
    };
    swept.filter(is_needed).collect()
}
