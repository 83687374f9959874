//! Tokens to resolved terms.
//!
//! [`parse`] takes the tokens of one macro call and gives an [`ast::Block`]: the shape is legal, nothing is
//! looked up. [`resolve`] takes the block and gives a [`term::Program`]: every name is bound, every call has
//! all its arguments, the notation of the papers (`.`, `<<`, partial application) is gone. Both report the
//! user's mistakes and go on, and neither panics, whatever the tokens.

pub mod ast;
pub mod term;

// Everything a user can be told about shape and names.
mod error;
mod error_grammar;
mod error_name;
mod error_rust;
mod error_struct;
mod error_update;

// Tokens to `ast`. The guard comes first: it refuses what would overflow the stack of the parser.
mod guard;
mod parser;

pub mod attributes;
mod instances;
mod parse_expr;
mod parse_fn;
mod parse_item;
mod parse_match;
mod parse_pattern;
mod parse_struct;
mod parse_type;

// Tokens by what they declare and name, and with more attributes.
pub mod annotate;
pub mod reach;

// `ast` to `term`.
mod resolve;

#[cfg(test)]
mod tests;

pub use parse_item::parse;
pub use resolve::{language, resolve};
