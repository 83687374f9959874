//! The imperative kernel: loops, loads and stores, still without a target language.
//!
//! Before: a `low` kernel and its memory plan. After [`emit`]: statements in which every index is an
//! [`crate::arith::ArithExpr`] over sizes, work-item ids, loop variables and named indices, and every conditional read is
//! guarded. The passes then tidy up, and [`barrier`](crate::barrier) makes the work-items of a group wait
//! for each other where they must.

pub mod alignment;
pub mod ast;
pub mod bounds;
pub mod check;
pub mod index_arithmetic;
pub mod leaving;
pub mod scaled_ids;
pub mod walk;

mod emit;
mod lanes;
pub mod passes;
pub mod ring_slots;

pub use ast::{Aligned, Expr, IndexValue, Kernel, Local, Param, Stmt, Table, WorkItem};
pub use emit::{emit, has_linear_form, is_linear};
