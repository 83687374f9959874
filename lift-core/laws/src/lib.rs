//! What kernels mean, and what must hold of the compiler: a crate for tests. No macro links it.
//!
//! [`interp`] is the meaning of expressions, [`run`] what statements compute, [`rules`] the list of all rules with those that no version
//! needs, and [`replay`](mod@replay) does derivations again. The tests of this crate compare what the compiler makes of kernels with the meaning.

#![forbid(unsafe_code)]

// The meaning.
pub mod interp;

// What statements compute.
pub mod run;

// Rules, and strategies that derivations alone need.
pub mod products;
pub mod reductions;
pub mod rules;

pub mod replay;

// How much tests try.
pub mod effort;

// What tests look at.
pub mod check;
pub mod print;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
