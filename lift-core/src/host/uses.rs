//! How a function of the host uses its arguments.
//!
//! Before: the statements of a work-item. After: for each argument, whether it is only read, whether each work-item has elements for itself,
//! which lie side by side, or whether any of them may read and write any element.

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::alignment::Definitions;
use crate::imp::ast::{Expr, Kernel, Param, Stmt};
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
    /// Each work-item has so many elements for itself in each row of so many.
    Columns(Scalar, ArithExpr, ArithExpr),
    /// Any work-item reads and writes any element.
    Shared(Scalar),
    /// The record of wrong indices.
    Status,
    /// Claims of elements.
    Claims,
}

/// The uses of all parameters, given the variable of the work-item and what is known; nothing if vectors of shared elements are accessed.
pub(super) fn uses(kernel: &Kernel, item: &Var, body: &[Stmt], facts: &Facts) -> Option<Vec<Use>> {
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
            let known = (facts, &definitions);
            if let Some(each) = own(*id, item, body, known, &|index, _| Some(index)) {
                return Use::Own(buffer.scalar, each);
            }
            // The shortest rows that hold: those that hold others are cut into longer pieces.
            let mut widths = buffer.dims.iter().skip(1).rev().scan(ArithExpr::one(), |width, extent| {
                *width = &*width * extent;
                Some(definitions.resolve(width))
            });
            let columns = widths.find_map(|width| {
                let in_row = |index: ArithExpr, facts: &Facts| {
                    let index = facts.simplify(&index.modulo(&width));
                    (!index.has_division()).then_some(index)
                };
                Some((own(*id, item, body, known, &in_row)?, width))
            });
            match columns {
                Some((each, width)) => Use::Columns(buffer.scalar, each, width),
                None => Use::Shared(buffer.scalar),
            }
        }
    };
    let uses: Vec<Use> = kernel.params.iter().map(of).collect();
    // Vectors of what is shared are no atomic accesses.
    let shared = |id: BufferId| {
        let position =
            kernel.params.iter().position(|param| matches!(param, Param::Buffer(own) if *own == id));
        position.is_some_and(|i| matches!(uses[i], Use::Shared(_)))
    };
    let mut in_vectors = false;
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| s.accesses(&mut |id, _, lanes, _| in_vectors |= lanes > 1 && shared(id)));
    });
    (!in_vectors).then_some(uses)
}

fn is_written(body: &[Stmt], id: BufferId) -> bool {
    body.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Store(to, ..) if *to == id)))
}

/// How many elements each item has for itself: all that it reads and writes there, by what `place` makes of their indices.
fn own(
    id: BufferId,
    item: &Var,
    body: &[Stmt],
    (facts, definitions): (&Facts, &Definitions),
    place: &dyn Fn(ArithExpr, &Facts) -> Option<ArithExpr>,
) -> Option<ArithExpr> {
    let mut each: Option<ArithExpr> = None;
    let mut is_own = true;
    accesses(id, body, facts, &mut |index, facts| {
        is_own = is_own && {
            let index = place(facts.simplify(&definitions.resolve(index)), facts);
            let within = |(by, rest): (ArithExpr, ArithExpr)| {
                let by = each.get_or_insert(by.clone()) == &by && by.as_const() != Some(0);
                let by_each = each.clone().unwrap_or_else(ArithExpr::zero);
                by && facts.nonneg(&rest).is_yes() && facts.nonneg(&(by_each - &rest - 1)).is_yes()
            };
            index.and_then(|index| index.linear_in(item)).is_some_and(within)
        };
    });
    each.filter(|_| is_own)
}

/// Calls `f` with the index of every element of a buffer that is accessed, the first and the last of a vector, and with what is known there.
fn accesses(id: BufferId, body: &[Stmt], facts: &Facts, f: &mut dyn FnMut(&ArithExpr, &Facts)) {
    for stmt in body {
        stmt.accesses(&mut |of, _, lanes, index| {
            if let (true, [index]) = (of == id, index) {
                f(index, facts);
                if lanes > 1 {
                    f(&(index + (i64::from(lanes) - 1)), facts);
                }
            }
        });
        match stmt {
            Stmt::If(cond, then, otherwise) => {
                let known = cond.conjuncts();
                let margin = |e: &&Expr| match e {
                    Expr::Cond(cond) => Some(cond.margin()),
                    _ => None,
                };
                let mut holds = facts.fork();
                known.iter().filter_map(margin).for_each(|margin| holds.assume_nonneg(margin));
                accesses(id, then, &holds, f);
                let mut fails = facts.fork();
                if let [Expr::Cond(cond)] = known.as_slice() {
                    fails.assume_nonneg(-cond.margin() - 1);
                }
                accesses(id, otherwise, &fails, f);
            }
            stmt => stmt.blocks().for_each(|block| accesses(id, block, facts, f)),
        }
    }
}
