//! Rewriting: rules, strategies that apply them, and the trace of what was applied.
//!
//! Before: a typed expression. After: a typed expression that means the same for all sizes and inputs. A rule
//! is correct alone, at any place and in any order; which rules to apply where is the business of strategies.

// What rules look at.
pub mod flow;
pub mod layout;
pub mod owners;
pub mod scope;
pub mod spread;

mod binder;
pub mod by_column;
mod joint;
pub mod reads;

pub mod demand;

// Numbers that are known.
pub mod approximate;
pub mod factor;
pub mod weights;

// Rules, and how they are applied.
pub mod rule;

pub mod trace;

mod normal_marks;

pub mod position;
pub mod strategy;

pub mod rules;

// After this point: no superfluous `let`, `map` or layout.
pub mod normal;

pub mod from_indices;

pub use normal::normalise;
pub use rule::{Context, Rewrite, Rule};
pub use strategy::{Derivation, Position, Strategy};
pub use trace::Trace;
