//! Layout for readers.

use super::Names;
use crate::arith::Var;

/// Upper-case names are sizes.
#[track_caller]
fn form(n: &Names, text: &str, expected: &str) {
    let is_size = |v: &Var| v.name().starts_with(|c: char| c.is_uppercase());
    let simple = n.simple(text);
    assert_eq!(simple.form(&n.facts(), &is_size).to_string(), expected, "{text}");
}

#[test]
fn display() {
    let n = Names::new();
    let show = |text: &str| n.e(text).to_string();
    let _ = n.e("N + M + R + i");
    assert_eq!(show("N"), "N");
    assert_eq!(show("N + 2"), "N + 2");
    assert_eq!(show("1 + 2*R"), "2*R + 1");
    assert_eq!(show("(N - 2) / 4"), "(N - 2) / 4");
    assert_eq!(show("min(M, N)"), "min(N, M)");
    assert_eq!(show("N - 2"), "N - 2");
    assert_eq!(show("-N"), "-N");
    assert_eq!(show("2 - N"), "2 - N");
    assert_eq!(show("-N*M - 2"), "-N*M - 2");
    assert_eq!(show("0"), "0");
    assert_eq!(show("N*N*3"), "3*N*N");
    assert_eq!(show("2 * (N / 4) + N % 4"), "2*(N / 4) + N % 4");
    assert_eq!(show("max(min(i - 8, N - 1), 0)"), "max(min(N - 1, i - 8), 0)");
    assert_eq!(show("(N + 31) / 32 * 32"), "32*((N + 31) / 32)");
    assert_eq!(show("(N - i) / (M + 1)"), "(N - i) / (M + 1)");
    assert_eq!(show("M / (M + 2)"), "M / (M + 2)");
    assert_eq!(show("(3*i) / 4"), "3*i / 4");
}

#[test]
fn grouping_by_sizes() {
    let n = Names::new()
        .with("0 <= row, 0 <= i, 0 <= col, 0 <= j, 0 <= z, 0 <= y, 0 <= x, 1 <= M, 1 <= N, 1 <= O");
    form(&n, "M*row + M*i + col + j - 8*M - 8", "(row + i - 8)*M + col + j - 8");
    form(&n, "((z + 1)*M + y)*O + x", "((z + 1)*M + y)*O + x");
    form(&n, "M*row + col", "row*M + col");
    form(&n, "M*O*row + O*M*col + x", "(row + col)*M*O + x");
    form(&n, "4*M*row + 4*M*col + 8*M", "4*(row + col + 2)*M");
    form(&n, "x - M*row - M*col", "x - (row + col)*M");
    form(&n, "2*R + 1", "2*R + 1");
    form(&n, "3 - x", "3 - x");
    form(&n, "N*M - M", "(N - 1)*M");
}

#[test]
fn dividends_for_c() {
    let n = Names::new().with("1 <= M, 0 <= x, 1 <= N, 0 <= i <= N - 1, 0 <= R");
    form(&n, "(x - 8) % M", "(x + 8*M - 8) % M");
    form(&n, "(i - 1) % N", "(i + N - 1) % N");
    form(&n, "(x - 5) % 4", "(x + 3) % 4");
    form(&n, "(x - 5) / 4", "(x + 3) / 4 - 2");
    form(&n, "(x - 8) / M", "(x + 8*M - 8) / M - 8");
    form(&n, "(x + 8) / M", "(x + 8) / M");
    form(&n, "(N - 1) / 4", "(N - 1) / 4");
    form(&n, "(N - 3) / 4", "(N + 1) / 4 - 1");
    form(&n, "u % M", "(u % M + M) % M");
    form(&n, "u / M", "(u - (u % M + M) % M) / M");
    form(&n, "(0 - i) % 3", "2*i % 3");
    form(&n, "(x - R) % N", "((N - 1)*R + x) % N");
    form(&n, "(i + 1) % N", "(i + 1) % N");
}

#[test]
fn clamps() {
    let n = Names::new().with("0 <= x, 1 <= N, 1 <= M");
    form(&n, "max(min(x - 8, N - 1), 0)", "max(min(x - 8, N - 1), 0)");
    form(&n, "M*max(min(x - 8, N - 1), 0) + 3", "max(min(x - 8, N - 1), 0)*M + 3");
    form(&n, "min(N, M) + 2", "min(N, M) + 2");
    form(&n, "max(x, 3) - 3", "max(x - 3, 0)");
}
