//! Comparisons, equality, divisibility, bounds, solving.

use super::Names;
use crate::arith::Truth::{self, No, Unknown, Yes};
use crate::arith::{ArithExpr, Facts};

#[track_caller]
fn le(n: &Names, a: &str, b: &str, expected: Truth) {
    assert_eq!(n.facts().le(&n.e(a), &n.e(b)), expected, "{a} <= {b}");
}

#[test]
fn comparisons() {
    let n = Names::new().with("1 <= N, 1 <= M, 0 <= i <= N - 1, 0 <= j <= i, 0 <= a, 0 <= R");
    le(&n, "i", "N - 1", Yes);
    le(&n, "j", "N - 1", Yes);
    le(&n, "N", "i", No);
    le(&n, "i + 1", "j", No);
    le(&n, "i", "j", Unknown);
    le(&n, "i*M + M - 1", "N*M - 1", Yes);
    le(&n, "N", "N*M", Yes);
    le(&n, "N + M - 1", "N*M", Yes);
    le(&n, "2*N - 1", "N*N", Yes);
    le(&n, "i / 4", "i", Yes);
    le(&n, "i / 4", "(N - 1) / 4", Yes);
    le(&n, "4*(i/4) + 3", "4*((N + 3)/4) - 1", Yes);
    le(&n, "i % M", "M - 1", Yes);
    le(&n, "i % M", "i", Yes);
    le(&n, "max(i, j)", "N - 1", Yes);
    le(&n, "max(min(a - 8, N - 1), 0)", "N - 1", Yes);
    le(&n, "0", "max(min(a - R, N - 1), 0)", Yes);
    le(&n, "N/2", "N", Yes);
    le(&n, "min(a, N)", "max(a, N)", Yes);
    le(&n, "min(a, N) + max(a, N)", "a + N", Yes);
    le(&n, "a", "u", Unknown);
    le(&n, "v/2", "0", Unknown);
    le(&n, "1", "2", Yes);
    le(&n, "2", "1", No);
    le(&n, "2", "2", Yes);
    // A negative number may be greater than something unknown.
    le(&n, "-a + 1", "u", Unknown);
    // 1/a is 1 for a = 1, and 0 otherwise.
    assert_eq!(n.facts().lt(&n.e("1"), &n.e("(1/N)*(1/M)")), No);
    assert_eq!(n.facts().lt(&n.e("v/2"), &n.e("1")), Unknown);
    assert_eq!(n.facts().lt(&n.e("N/2"), &n.e("N")), Yes);
    assert_eq!(n.facts().lt(&n.e("N"), &n.e("N")), No);
}

#[test]
fn equality() {
    let n = Names::new().with("1 <= N, 0 <= i <= N - 1, 0 <= a");
    let eq = |a: &str, b: &str| n.facts().eq(&n.e(a), &n.e(b));
    assert_eq!(eq("1", "1"), Yes);
    assert_eq!(eq("1", "2"), No);
    assert_eq!(eq("i % N", "i"), Yes);
    assert_eq!(eq("i", "N"), No);
    assert_eq!(eq("2*a", "2*u + 1"), No);
    assert_eq!(eq("i", "a"), Unknown);
    assert_eq!(eq("min(a, N) + max(a, N)", "a + N"), Yes);
    assert_eq!(eq("a / 2 * 2 + a % 2", "a"), Yes);
}

#[test]
fn divisibility() {
    let n = Names::new().with("1 <= N, 1 <= M, 1 <= K");
    let multiple = |e: &str, k: &str| n.facts().multiple_of(&n.e(e), &n.e(k));
    assert_eq!(multiple("N*M*K", "N*K"), Yes);
    assert_eq!(multiple("4*N + 8", "4"), Yes);
    assert_eq!(multiple("4*N + 2", "4"), No);
    assert_eq!(multiple("N", "4"), Unknown);
    let (e, k) = (n.e("N - 2"), n.e("4"));
    n.facts().assume_multiple(e, k);
    assert_eq!(n.facts().multiple_of(&n.e("N"), &n.e("2")), Yes);
    assert_eq!(n.facts().multiple_of(&n.e("N"), &n.e("4")), No);
    let (e, k) = (n.e("6*M"), n.e("4"));
    n.facts().assume_multiple(e, k);
    assert_eq!(n.facts().multiple_of(&n.e("M"), &n.e("2")), Yes);
}

#[test]
fn assumptions() {
    let n = Names::new().with("0 <= N, 0 <= R, 0 <= i <= N - 1");
    le(&n, "2*R", "N", Unknown);
    let fact = n.e("N - 2*R - 1");
    n.facts().assume_nonneg(fact);
    le(&n, "2*R + 1", "N", Yes);
    le(&n, "N", "R", No);
    le(&n, "4*R", "2*N", Yes);
    let n = Names::new().with("1 <= N, 1 <= M, 1 <= K");
    let fact = n.e("K - N*M");
    n.facts().assume_nonneg(fact);
    let n = n.with("0 <= i <= N - 1, 0 <= j <= M - 1");
    le(&n, "i*M + j", "K - 1", Yes);
}

#[test]
fn bounds() {
    let n = Names::new().with("1 <= N, 1 <= M, 0 <= i <= N - 1, 0 <= j <= M - 1");
    let bounds = |e: &str| {
        let lo = n.facts().lower_bound(&n.e(e));
        let hi = n.facts().upper_bound(&n.e(e));
        let text = |e: Option<ArithExpr>| e.map_or("none".to_owned(), |e| e.to_string());
        format!("{} .. {}", text(lo), text(hi))
    };
    assert_eq!(bounds("i*M + j"), "0 .. N*M - 1");
    assert_eq!(bounds("i - j + 3"), "4 - M .. N + 2");
    assert_eq!(bounds("i / 4"), "0 .. (N - 1) / 4");
    assert_eq!(bounds("(i + j) % 4"), "0 .. 3");
    assert_eq!(bounds("max(min(i - 8, N - 1), 0)"), "0 .. max(N - 9, 0)");
    assert_eq!(bounds("u + i"), "u .. N + u - 1");
    // A dividend of unknown sign by a divisor that is not a size.
    assert_eq!(bounds("(2*N + u) / (j + 1)"), "min(2*N + u, 0) .. max(2*N + u, 0)");
}

#[test]
fn solving() {
    let n = Names::new();
    let solve = |e: &str, value: &str| n.e(e).solve(&n.var("x"), &n.e(value)).map(|e| e.to_string());
    assert_eq!(solve("4*x + 2", "42").as_deref(), Some("10"));
    assert_eq!(solve("4*x + 2", "41"), None);
    assert_eq!(solve("x*M + 2*x", "M*j + 2*j").as_deref(), Some("j"));
    assert_eq!(solve("i + 64*g - x", "0").as_deref(), Some("i + 64*g"));
    assert_eq!(solve("5 - x", "2*x - 25").as_deref(), Some("10"));
    assert_eq!(solve("3*(x - 60) + 10", "x + 30").as_deref(), Some("100"));
    assert_eq!(solve("x*N", "90*N").as_deref(), Some("90"));
    assert_eq!(solve("(x - 8)*(x + 8)", "x*x - 4*x").as_deref(), Some("16"));
    assert_eq!(solve("N - 3 + 1", "x").as_deref(), Some("N - 2"));
    assert_eq!(solve("2*x", "N"), None);
    assert_eq!(solve("x*x", "4"), None);
    assert_eq!(solve("x % 4", "3"), None);
    assert_eq!(solve("y", "3"), None);
    let (coefficient, rest) = n.e("x*M + 2*x + y").linear_in(&n.var("x")).unwrap();
    assert_eq!((coefficient, rest), (n.e("M + 2"), n.e("y")));
}

#[test]
fn contradictions_and_odd_declarations_do_no_harm() {
    let n = Names::new().with("5 <= a <= 3, 0 <= b <= b, b <= c <= d, 0 <= d <= c");
    let _ = n.facts().le(&n.e("a"), &n.e("b + c"));
    let (x, zero) = (n.e("d"), n.e("0"));
    n.facts().assume_multiple(x.clone(), zero.clone());
    n.facts().assume_eq(x.clone(), x.clone() + 1);
    n.facts().assume_nonneg(-x);
    let _ = n.simple("(a + b) / (c + d)");
    assert!(!Names::new().with("0 <= a <= 5, 1 <= b").facts().contradict());
    let n = Names::new().with("5 <= a <= -5, 0 <= b, -2 <= c <= 2");
    assert!(n.facts().contradict());
    for e in ["a*b", "a*c", "c*a", "a*a", "a*(b - 3)", "(a*c) / (b + 1)", "(a*c) % (b + 1)", "min(a, c)*a"] {
        let _ = n.facts().nonneg(&n.e(e));
        let _ = n.simple(e);
    }
}

#[test]
fn answers_follow_what_is_known() {
    let n = Names::new().with("1 <= N");
    let (size, x) = (n.e("N"), n.var("x"));
    let (quotient, at_least_3) = (n.e("x / (N + 1)"), &size - 3);
    let facts = n.facts().clone();
    let before = |facts: &Facts| {
        assert_eq!(facts.nonneg(&at_least_3), Unknown);
        assert_eq!(facts.eq(&quotient, &ArithExpr::zero()), Unknown);
        assert_eq!(facts.simplify(&quotient), quotient);
    };
    before(&facts);
    let (mut small, mut large) = (facts.clone(), facts.clone());
    small.declare(&x, Some(ArithExpr::zero()), Some(size.clone()));
    large.declare(&x, Some(&size + 1), Some(&size * 2));
    large.assume_nonneg(at_least_3.clone());
    for (facts, known, value) in [(&small, Unknown, 0), (&large, Yes, 1)] {
        assert_eq!(facts.nonneg(&at_least_3), known);
        assert_eq!(facts.eq(&quotient, &value.into()), Yes);
        assert_eq!(facts.simplify(&quotient), value.into());
    }
    before(&facts);
    // What was found is still true when there is one more variable, and new questions are answered with it.
    let y = n.var("y");
    small.declare(&y, Some(ArithExpr::one()), Some(n.e("x")));
    assert_eq!(small.eq(&quotient, &ArithExpr::zero()), Yes);
    assert_eq!(small.simplify(&n.e("y / (N + 1)")), ArithExpr::zero());
}
