//! The equations of the papers, on random arrays of random sizes.
//!
//! Both sides of a law are written as a user writes them, type-checked, and interpreted. The names of the tests
//! are the numbers of definitions, examples, proofs and rules in Hagedorn's thesis unless they say otherwise.

#[path = "laws/harness.rs"]
mod harness;

#[path = "laws/definitions.rs"]
mod definitions;
#[path = "laws/dimensions.rs"]
mod dimensions;
#[path = "laws/examples.rs"]
mod examples;
#[path = "laws/movement.rs"]
mod movement;
#[path = "laws/rules.rs"]
mod rules;
