//! Mistakes in `lift!` as rustc shows them. The texts depend on the compiler's layout of messages, so they are
//! compared on the toolchain they were written with.

#[test]
fn mistakes() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
