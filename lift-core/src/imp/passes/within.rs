//! What is stored under a guard is computed under it.
//!
//! Before: a long computation, and after it an `if` around what stores the results. After: the `if` around both. A work-item
//! without results computes nothing; and a compiler that moves the last operations of each result into the `if`, but leaves outside
//! what they read, has to keep all of that in registers.

use crate::imp::ast::{IndexValue, Kernel, Stmt};
use crate::imp::passes::guards::is_guard;
use crate::memory::{Buffer, Space};

/// Shorter computations stay where they are.
const LONG: usize = 64;

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = block(body, &kernel.buffers);
    kernel
}

fn block(stmts: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    let mut before: Vec<Stmt> =
        stmts.into_iter().map(|stmt| stmt.map_blocks(&mut |body| block(body, buffers))).collect();
    let computed = before.iter().rev().skip(1).take_while(|stmt| is_own(stmt, buffers)).count();
    let guarded = |stmt: &Stmt| matches!(stmt, Stmt::If(cond, _, none) if none.is_empty() && is_guard(cond));
    if computed < LONG || !before.last().is_some_and(guarded) {
        return before;
    }
    let computation = before.split_off(before.len() - 1 - computed);
    let (mut inside, mut guard) = (Vec::new(), None);
    for stmt in computation {
        match stmt {
            // Guards are about indices.
            Stmt::Index(..) => before.push(stmt),
            Stmt::If(cond, then, _) => {
                inside.extend(then);
                guard = Some(cond);
            }
            stmt => inside.push(stmt),
        }
    }
    before.extend(guard.map(|cond| Stmt::If(cond, inside, Vec::new())));
    before
}

/// Whether it does nothing that another work-item sees, or waits for.
fn is_own(stmt: &Stmt, buffers: &[Buffer]) -> bool {
    let is_private = |id: &crate::memory::BufferId| buffers[id.0 as usize].space == Space::Private;
    match stmt {
        Stmt::Index(_, IndexValue::Arith(_)) | Stmt::Value { .. } | Stmt::Assign(..) => true,
        Stmt::Array(id) | Stmt::Store(id, ..) => is_private(id),
        Stmt::Index(_, IndexValue::Id(..) | IndexValue::Value(_) | IndexValue::Checked { .. })
        | Stmt::For { .. }
        | Stmt::Repeat { .. }
        | Stmt::If(..)
        | Stmt::Claim(_)
        | Stmt::Barrier => false,
    }
}
