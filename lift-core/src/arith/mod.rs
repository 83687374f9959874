//! Symbolic integer arithmetic: sizes and index expressions.
//!
//! Before: other stages have sums, products, divisions and clamps of sizes and loop variables. After: every
//! such term is an [`ArithExpr`] in canonical form - two terms that are equal as polynomials over the same
//! atoms are equal as values - and [`Facts`] (ranges of variables, known equations and divisibility) answers
//! questions about them, removes the divisions, remainders, minima and maxima that the ranges make
//! superfluous, and lays an expression out for a reader ([`Form`]).
//!
//! # Meaning
//!
//! * Values are mathematical integers. Division rounds towards minus infinity and the remainder has the sign
//!   of the divisor (`-1 / 4 = -1`, `-1 % 4 = 3`). [`Form`] is where C's truncating operators come in.
//! * A divisor is taken to be positive: an expression which divides by zero or less has no promised meaning.
//! * Nothing depends on a variable's name. Order, and with it the choice among equal forms, goes by
//!   [`Var::id`].
//!
//! # Limits
//!
//! Every function returns, and none panics. Coefficients are `i128` with checked operations. A result that
//! would need more - or more terms, nesting or degree than `limits.rs` allows - is the *too large* expression
//! ([`ArithExpr::is_too_large`]): it absorbs whatever it meets, has no value, and nothing is known of it.
//! Searches for proofs and rewrites count their steps; when the count is used up, the answer is
//! [`Truth::Unknown`] or the term as it stood.

// The values, from the ground up.
mod limits;
mod monomial;
mod poly;
mod summary;
mod var;

mod ops;

// Smart constructors: what is true for all values of the variables.
mod divide;
mod lattice;

// Reading a term.
mod query;
mod turns;

// What is known, and what follows from it.
mod facts;
mod learn;
mod range;

mod bounds;
mod majorant;
mod prove;

mod rewrite;
mod simplify;

// For readers, people and C compilers.
mod form;
mod layout;
mod print;

#[cfg(test)]
mod tests;

pub use facts::{Facts, Truth};
pub use form::Form;
pub use lattice::Unclamped;
pub use poly::ArithExpr;
pub use turns::MOST_STEPS;
pub use var::Var;
