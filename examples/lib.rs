//! The examples of Lift for Rust: `cargo run --release --example blur -- --help`.
//!
//! Here is what they share: pictures, colours, animations, options. The kernels are in the examples themselves.

#![forbid(unsafe_code)]

pub mod animation;
pub mod check;
pub mod colours;
pub mod options;
pub mod picture;
pub mod random;
