//! Kernels that are compiled and tuned by a program: what `cargo lift` is made of, and what measures generated programs.

pub mod chain_compiler;
pub mod chains;
pub mod data;

/// What these functions return. An error's text says what is wrong; lines of help may follow.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
