//! The workloads that Lift for Rust is measured on.
//!
//! Each file has one family: where it comes from, its formula, its kernels as an application would write them, its
//! inputs, and the same formula on the host in double precision. The tests compare the two; benchmarks run the kernels.

pub mod blas;
pub mod check;
pub mod cluster;
pub mod finance;
pub mod fractal;
pub mod input;
pub mod low;
pub mod measure;
pub mod natural;
pub mod oracle;
pub mod physics;
pub mod reduce;
pub mod rooms;
pub mod stencils;
