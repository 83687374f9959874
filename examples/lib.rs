//! The examples of Lift for Rust: `cargo run --release --example blur -- --help`.
//!
//! Here is what they share: pictures, colours, options. The kernels are in the examples themselves.

#![forbid(unsafe_code)]

pub mod check;
pub mod colours;
pub mod options;
pub mod picture;
pub mod random;
