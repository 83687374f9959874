//! How a function of the host uses its arguments.
//!
//! Before: the statements of a work-item. After: for each argument, whether it is only read, whether each work-item has elements for itself,
//! which lie side by side, or whether any of them may read and write any element.

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::alignment::Definitions;
use crate::imp::ast::{Kernel, Param, Stmt};
use crate::ir::Scalar;
use crate::memory::{BufferId, Space};

/// How an argument is used.
#[derive(Debug, Clone, PartialEq)]
pub enum Use {
    /// A scalar, by value.
    Scalar(Scalar),
    /// An array that is only read.
    Read(Scalar),
    /// Each work-item has so many elements for itself.
    Own(Scalar, ArithExpr),
    /// Any work-item reads and writes any element.
    Shared(Scalar),
    /// The record of wrong indices.
    Status,
    /// Claims of elements.
    Claims,
}

/// The uses of all parameters, given the variable of the work-item and what is known.
pub(super) fn uses(kernel: &Kernel, item: &Var, body: &[Stmt], facts: &Facts) -> Vec<Use> {
    let definitions = Definitions::of(body, &kernel.strides);
    let of = |param: &Param| match param {
        Param::Scalar(local) => Use::Scalar(local.scalar),
        Param::Status => Use::Status,
        Param::Claims(_) => Use::Claims,
        Param::Buffer(id) => {
            let buffer = kernel.buffer(*id);
            if !is_written(body, *id) {
                let read_only = !matches!(buffer.space, Space::Output | Space::Global);
                return if read_only { Use::Read(buffer.scalar) } else { Use::Shared(buffer.scalar) };
            }
            match own(*id, item, body, (facts, &definitions)) {
                Some(each) => Use::Own(buffer.scalar, each),
                None => Use::Shared(buffer.scalar),
            }
        }
    };
    kernel.params.iter().map(of).collect()
}

fn is_written(body: &[Stmt], id: BufferId) -> bool {
    body.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Store(to, ..) if *to == id)))
}

/// How many elements each item has for itself: all that it reads and writes there.
fn own(
    id: BufferId,
    item: &Var,
    body: &[Stmt],
    (facts, definitions): (&Facts, &Definitions),
) -> Option<ArithExpr> {
    let mut indices: Vec<ArithExpr> = Vec::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |of, _, _, index| {
                if of == id {
                    indices.extend(index.iter().map(|e| definitions.resolve(e)));
                }
            });
        });
    });
    let mut each: Option<ArithExpr> = None;
    for index in indices {
        let (by, rest) = facts.simplify(&index).linear_in(item)?;
        if each.get_or_insert_with(|| by.clone()) != &by {
            return None;
        }
        let within = facts.nonneg(&rest).is_yes() && facts.nonneg(&(&by - &rest - 1)).is_yes();
        if !within {
            return None;
        }
    }
    each.filter(|by| by.as_const() != Some(0))
}
