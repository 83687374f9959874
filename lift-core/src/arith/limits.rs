//! Bounds on the size of terms and on the length of searches.
//!
//! All of them are counts, so that the same input gives the same output on every machine. Index expressions
//! of real kernels stay far below them.

/// Most terms of one sum; a product that would expand to more is too large.
pub(super) const MAX_TERMS: usize = 2048;

/// Deepest nesting of divisions, remainders, minima and maxima.
pub(super) const MAX_DEPTH: u32 = 40;

/// Most nodes of one expression, counted as a tree.
pub(super) const MAX_SIZE: u32 = 1 << 14;

/// Highest degree of one term.
pub(super) const MAX_DEGREE: u32 = 24;

/// Most steps of one proof.
pub(super) const PROOF_STEPS: u32 = 300;

/// Deepest recursion of one proof.
pub(super) const PROOF_DEPTH: u32 = 40;

/// Most proof steps of one simplification, over all of its proofs.
pub(super) const SIMPLIFY_STEPS: u32 = 4000;

/// How often a rewritten term is simplified again.
pub(super) const SIMPLIFY_ROUNDS: u32 = 12;

/// Most proof steps for one symbolic bound.
pub(super) const BOUND_STEPS: u32 = 1000;

/// Most proof steps for the layout of one expression.
pub(super) const LAYOUT_STEPS: u32 = 4000;
