//! Rust: the second target language. The functions are safe, and run on the host without a driver.
//!
//! Before: imperative kernels without groups. After: for each function the text of a type that implements the runtime's `host::Function`, and
//! how it uses its arguments. Work-items are the trips of the outermost loop; along a row there are loops without choices
//! and without checks, of which compilers make vectors.

mod decide;
mod divide;
mod divisors;
mod elements;
mod expr;
mod flatten;
mod gathered;
mod hoist;
mod index;
mod interchange;
mod interior;
mod jam;
mod loops;
mod names;
mod nest;
mod pieces;
mod print;
mod residues;
mod rows;
mod steady;
mod stretches;
mod strips;
#[cfg(test)]
mod testing;
mod uses;
mod vectors;
mod written_out;

pub use print::{Function, print};
pub use uses::Use;
