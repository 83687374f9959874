//! The compiler against the meaning of its kernels.

mod explore;
mod program;
mod rewrite;
mod strategies;
