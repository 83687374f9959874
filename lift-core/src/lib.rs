//! The compiler behind `lift!`. Users do not depend on this crate directly: they use `lift-kernels`.
//!
//! The modules stand in the order in which a kernel passes through them; `docs/architecture.md` is the map.

#![forbid(unsafe_code)]
#![warn(clippy::too_many_lines)]

// The ground floor knows nothing of the language.
pub mod budget;
pub mod diag;
pub mod machine;
pub mod span;
pub mod text;

// Symbolic integers: sizes and indices.
pub mod arith;

// The typed expression. From `ir` on, a term that exists is well typed.
pub mod ir;

// Tokens to resolved terms, and resolved terms to `ir`. After `typecheck` every size fact is proved or
// recorded as a launch check.
pub mod syntax;
pub mod typecheck;

// One expression to several equivalent low-level ones. After `explore` all parallelism and memory
// decisions are explicit in the term.
pub mod rewrite;
// Which low-level primitives may stand where.
pub mod places;
// Which rows of its arrays a step in time needs for some of its rows.
pub mod partition;

pub mod explore;

// One expression to several launches.
pub mod program;

// One low-level expression to one kernel. No user errors from here on.
pub mod low;

pub mod lower;

pub mod memory;

pub mod view;

pub mod imp;

pub mod barrier;

// The only place that prints a target language.
pub mod opencl;

// Rust, for the host.
pub mod host;

// A version of a program to its text.
pub mod generate;

// The driver.
pub mod pipeline;

// What came out of it, as plain data.
pub mod describe;
