//! Exploration: one expression to several equivalent low-level ones.
//!
//! Before: a kernel as the type checker leaves it. After: variants, each with its tunables and its
//! derivation. All parallelism and all memory decisions are explicit in a variant's term.

pub mod variant;

// The families of variants.
mod blocked;
mod marching;
mod naive;
mod placed;
mod registers;
mod rows;
mod tile;

// What there is on the way to one of them.
pub mod reductions;

// Which of them to try first.
pub mod cost;

#[cfg(test)]
mod tests;

use crate::ir::{Kernel, Output};
use crate::rewrite::normal;
use crate::rewrite::rules::{control, place};
use crate::rewrite::strategy::{Derivation, Strategy};

pub use variant::{Tunable, Variant};

/// All variants of a kernel; `naive` is always there, and first.
pub fn explore(kernel: &Kernel) -> Vec<Variant> {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    // What is left of repetition belongs to one work-item, or is written out.
    if Strategy::Rule(&control::ITERATE_UNROLL).all().apply(&mut derivation) {
        normal::strategy(Strategy::once).apply(&mut derivation);
    }
    if let Some(variant) = placed::variant(kernel, &derivation) {
        return vec![variant];
    }
    // Without a place, a scan is a loop where it is stored, and nowhere else.
    Strategy::Rule(&place::SCAN).all().apply(&mut derivation);
    let mut variants = vec![naive::variant(derivation.clone())];
    // Several items of a group read what one of them would replace: only what is new is computed by all of them.
    if kernel.outputs.iter().all(|output| *output == Output::Result) {
        let reduced = blocked::variant(derivation.clone()).or_else(|| rows::variant(derivation.clone()));
        variants.extend(reduced);
    }
    variants.extend(tile::variant(derivation.clone()));
    variants.extend(registers::variant(derivation.clone()));
    variants.extend(marching::variant(derivation));
    variants
}
