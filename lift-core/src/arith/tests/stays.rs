//! What must not be simplified, because it would be wrong.

use super::Names;

/// Checks on all values of `vars` in `0..=max` that simplification keeps the value, and that the result is
/// none of the `wrong` ones.
#[track_caller]
fn stays(n: &Names, text: &str, wrong: &[&str]) {
    let simple = n.simple(text);
    for w in wrong {
        assert_ne!(simple, n.e(w), "{text}");
        assert_ne!(simple, n.simple(w), "{text}");
    }
}

#[test]
fn remainders_of_negative_dividends_stay_floor() {
    let n = Names::new().with("0 <= i <= 2");
    // In floor arithmetic (3 - i) % 3 is (-i) % 3; neither is -i.
    n.agree("(3 - i) % 3", "(0 - i) % 3");
    stays(&n, "(3 - i) % 3", &["-i", "3 - i", "i", "0"]);
    stays(&n, "(3 - 2*i) % 3", &["-2*i", "3 - 2*i", "0"]);
    n.agree("(3 + ((-3 + i) % 3)) % 3", "i");
    let n = Names::new();
    stays(&n, "(3 + ((-3 + i) % 3)) % 3", &["i", "i - 3"]);
}

#[test]
fn ranges_that_do_not_fit() {
    let n = Names::new().with("0 <= i <= 1, 0 <= id <= 4, 0 <= a, 0 <= b");
    stays(&n, "(id + 4*i) / 8", &["0"]);
    stays(&n, "(4*a + b) % 8", &["b % 8", "b"]);
    stays(&n, "(id + 4*i) % 8", &["id + 4*i"]);
    stays(&n, "id / 4", &["0"]);
    stays(&n, "id % 4", &["id"]);
}

#[test]
fn dividend_just_too_large() {
    let n = Names::new().with("1 <= w, 0 <= x <= w - 1");
    stays(&n, "(1 + x + w) / (2 + w)", &["1", "0"]);
    stays(&n, "(1 + x + w) % (2 + w)", &["1 + x + w", "x - 1"]);
    let n = Names::new().with("1 <= M, 0 <= i <= M, 0 <= j");
    stays(&n, "(M*j + i) / M", &["j", "j + 1"]);
    stays(&n, "(M*j + i) % M", &["i", "0"]);
}

#[test]
fn dividend_may_be_negative() {
    let n = Names::new().with("1 <= N");
    stays(&n, "v / N", &["0"]);
    stays(&n, "v % N", &["v"]);
    let n = n.with("-1 <= u <= N - 1");
    stays(&n, "u / N", &["0"]);
    stays(&n, "u % N", &["u"]);
}

#[test]
fn coefficients_are_not_added_over_different_terms() {
    let n = Names::new();
    assert_ne!(n.e("a*b*6 + a*5"), n.e("a*b*11"));
    assert_ne!(n.e("x / y"), n.e("1"));
    assert_ne!(n.e("f0 - g0"), n.e("0"));
    assert_eq!(n.e("2*(a + b)"), n.e("2*b + 2*a"));
    assert_eq!(n.e("2*a*b + a*a"), n.e("a*(2*b + a)"));
}

#[test]
fn inexact_sizes_stay_inexact() {
    let n = Names::new().with("1 <= n, 0 <= i");
    stays(&n, "(4 + n/2) % (2 + n/4)", &["0"]);
    stays(&n, "(5 + n/2) / (2 + n/4)", &["2"]);
    stays(&n, "1/5*5", &["1"]);
    stays(&n, "n/4*4", &["n"]);
    assert!(!n.facts().multiple_of(&n.e("n/4"), &n.e("n/8")).is_yes());
}

#[test]
fn clamps_that_matter() {
    let n = Names::new().with("1 <= N, 0 <= i <= N, 0 <= x");
    stays(&n, "min(i, N - 1)", &["i", "N - 1"]);
    stays(&n, "max(i - 1, 0)", &["i - 1", "0"]);
    stays(&n, "min(N, 2*N - 5)", &["N", "2*N - 5"]);
    // The limits cross for N < 8: this is not the clamp between them.
    stays(&n, "min(max(x, 8), N)", &["max(min(x, N), 8)"]);
}
