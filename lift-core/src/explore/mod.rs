//! Exploration: one expression to several equivalent low-level ones.
//!
//! Before: a kernel as the type checker leaves it. After: variants, each with its tunables and its
//! derivation. All parallelism and all memory decisions are explicit in a variant's term.

pub mod variant;

// The families of variants.
mod blocked;
mod chunks;
mod marching;
mod naive;
mod panels;
mod placed;
mod registers;
mod row_sums;
mod rows;
mod separated;
pub(crate) mod shrinking;
pub(crate) mod streamed;
pub(crate) mod swept;
mod tile;
mod vectors;
mod window_lanes;
mod window_rows;

// Versions that the user asks for, step by step.
pub mod strategies;

// What there is on the way to some of them.
mod approximated;
mod factored;
mod lanes;
pub mod products;
pub mod reductions;

// Which of them make sense where, and which to try first.
pub mod targets;

#[cfg(test)]
mod tests;

use crate::ir::{Kernel, Output, parallel};
use crate::rewrite::normal;
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::rules::{control, place};
use crate::rewrite::strategy::{Derivation, Strategy};

pub use approximated::approximated;
pub(crate) use factored::factored;
pub(crate) use tile::stencil;
pub use variant::{Tunable, Variant};

/// Fewer points of a window fit into registers together with those of its neighbours.
const FEW_POINTS: i64 = 33;

/// Whether windows are too large for registers.
pub(crate) fn is_large(stencil: &Stencil) -> bool {
    stencil.reads().as_const().is_some_and(|n| n >= FEW_POINTS)
}

/// Whether the root is a function of such windows.
fn has_large_windows(derivation: &Derivation) -> bool {
    stencil(derivation.expr()).is_some_and(|(_, stencil)| is_large(&stencil))
}

/// All variants of a kernel; `naive` is always there, and first.
pub fn explore(kernel: &Kernel) -> Vec<Variant> {
    let mut derivation = start(kernel);
    if let Some(variant) = placed::variant(kernel, &derivation) {
        return vec![variant];
    }
    if let Some(variants) = chunks::variants(&derivation) {
        return variants;
    }
    unplaced(&mut derivation);
    let mut families: Vec<Family> = vec![|d| Some(naive::variant(d))];
    if gives_results_only(kernel) {
        families.push(|d| blocked::variant(d.clone()).or_else(|| rows::variant(d)));
    }
    families.extend([tile::variant, registers::variant] as [Family; 2]);
    families.push(|d| separated::variant(d.clone()).or_else(|| window_rows::variant(d)));
    families.push(marching::deep);
    // Every stencil in three dimensions has a loop through its planes.
    families.push(|d| streamed::variant(d.clone()).or_else(|| marching::shallow(d)));
    let variants = parallel::map(families, |family| family(derivation.apart()));
    let mut variants: Vec<Variant> = variants.into_iter().flatten().collect();
    // What takes two passes takes a core of a CPU two passes as well, and many more operations at once, unless windows are small.
    let in_passes = |variant: &Variant| variant.name == separated::NAME && has_large_windows(&derivation);
    if !variants.iter().any(in_passes) {
        match panels::variants(&derivation) {
            Some(panels) => variants.extend(panels),
            None => variants.extend(in_vectors(derivation)),
        }
    }
    variants
}

/// One of the families in wide vectors.
fn in_vectors(d: Derivation) -> Option<Variant> {
    let large = || window_lanes::variant(d.clone());
    row_sums::variant(d.clone()).or_else(large).or_else(|| vectors::variant(d.clone()))
}

/// What a family of variants makes of a normalised expression.
type Family = fn(Derivation) -> Option<Variant>;

/// The normal form from which all variants start.
fn start(kernel: &Kernel) -> Derivation {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    // What is left of repetition belongs to one work-item, or is written out.
    if Strategy::Rule(&control::ITERATE_UNROLL).all().apply(&mut derivation) {
        normal::strategy(Strategy::once).apply(&mut derivation);
    }
    derivation
}

/// Without a place, a scan is a loop where it is stored, and nowhere else.
fn unplaced(derivation: &mut Derivation) {
    Strategy::Rule(&place::SCAN).all().apply(derivation);
}

/// Several items of a group read what one of them would replace: only what is new is computed by all of them.
fn gives_results_only(kernel: &Kernel) -> bool {
    kernel.outputs.iter().all(|output| *output == Output::Result)
}
