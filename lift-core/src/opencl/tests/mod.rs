//! The text of whole kernels.

mod build;
mod stencils;
