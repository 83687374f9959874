//! The examples of Lift for Rust: `cargo run --release --example blur -- --help`.
