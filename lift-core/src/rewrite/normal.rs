//! Normalisation: the form in which exploration expects expressions.
//!
//! Before: what the type checker leaves, with a `let` for every argument of an inlined function. After: data
//! flows directly, without names for mere layout; computations are fused where that duplicates nothing;
//! identities and inverse pairs are gone; sizes are as simple as the facts allow. The result does not depend
//! on the order in which the rules are applied.

use crate::ir::{Expr, Kernel};
use crate::rewrite::rules::{fusion, simplify};
use crate::rewrite::strategy::{Derivation, Strategy};

/// More steps than any kernel needs.
const LIMIT: usize = 10_000;

/// The kernel's body in normal form.
pub fn normalise(kernel: &Kernel) -> Expr {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    strategy(Strategy::once).apply(&mut derivation);
    derivation.expr().clone()
}

/// The strategy that normalises; `search` picks the next place, and which place it picks does not matter.
pub fn strategy(search: fn(Strategy) -> Strategy) -> Strategy {
    let simplify = unfused(search);
    let fuse = Strategy::Seq(vec![search(Strategy::Rule(&fusion::MAP_MAP)), simplify.clone()]).repeat(LIMIT);
    Strategy::Seq(vec![simplify, fuse, Strategy::Rule(&simplify::SIZES).try_()])
}

/// The same, but computations stand where they stood.
pub fn unfused(search: fn(Strategy) -> Strategy) -> Strategy {
    let one = |rule| search(Strategy::Rule(rule));
    let simplify = search(Strategy::any(simplify::EXHAUSTIVELY)).repeat(LIMIT);
    // Only what is simple shows how often it is used, and whether it is mere layout.
    let inline = Strategy::Seq(vec![one(&simplify::LET_ONCE), simplify.clone()]).repeat(LIMIT);
    let simplify = Strategy::Seq(vec![simplify, inline]);
    let parts = Strategy::Seq(vec![one(&simplify::LET_PARTS), simplify.clone()]).repeat(LIMIT);
    Strategy::Seq(vec![simplify, parts])
}
