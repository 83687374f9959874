//! Vectors that go past the caches have names.
//!
//! Before: the store of a vector that is computed in the statement. After: a constant, and the store of that: what stores it takes
//! its place, for a vector is no argument that every device can pass.

use crate::imp::ast::{Expr, Kernel, Local, Stmt};
use crate::memory::{Buffer, Space};

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    if kernel.streams {
        let body = std::mem::take(&mut kernel.body);
        kernel.body = block(body, &kernel.buffers);
    }
    kernel
}

fn block(stmts: Vec<Stmt>, buffers: &[Buffer]) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in stmts {
        match stmt.map_blocks(&mut |body| block(body, buffers)) {
            Stmt::Store(buffer, index, value)
                if value.lanes() > 1
                    && !matches!(value, Expr::Local(_))
                    && buffers[buffer.0 as usize].space == Space::Output =>
            {
                let local = Local { lanes: value.lanes(), ..Local::new("value", value.scalar()) };
                out.push(Stmt::Value { local: local.clone(), init: Some(value), constant: true });
                out.push(Stmt::Store(buffer, index, Expr::Local(local)));
            }
            stmt => out.push(stmt),
        }
    }
    out
}
