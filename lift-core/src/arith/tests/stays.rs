//! What must not be simplified, because it would be wrong.

use super::Names;

/// The result is none of the `wrong` ones, also after they have been simplified. That the value stays the same
/// is the business of `fuzz`.
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
    // 64 for N = 136, f = 1 and w = 0.
    let n = Names::new().with("64 <= N, 0 <= f").with("0 <= w <= N/64 - 1");
    stays(&n, "((w + N*f/8 + 7*N/64) % (N/64))*64", &["64*w"]);
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

#[test]
fn factors_that_are_not_common() {
    let n = Names::new().with("1 <= a, 1 <= b, 1 <= c");
    stays(&n, "(a + a*b + a*c) / (a + b)", &["1", "a", "1 + b + c"]);
    stays(&n, "(a*c + b) / (a*b)", &["c / b", "c"]);
    stays(&n, "(2*a + 1) / (2*b + 2)", &["a / b"]);
}

#[test]
fn choices_that_depend_on_a_sign() {
    let n = Names::new();
    stays(&n, "min(n, 2*n)", &["n", "2*n"]);
    stays(&n, "max(n, 0)", &["n", "0"]);
    stays(&n, "min(n*n, n)", &["n"]);
    let n = Names::new().with("1 <= n");
    n.gives("min(n, 2*n)", "n");
    n.gives("min(n*n, n)", "n");
}

#[test]
fn differences_of_unknowns() {
    let n = Names::new();
    stays(&n, "f / 2 - g / 2", &["0"]);
    stays(&n, "f % 4 - g % 4", &["0"]);
    stays(&n, "min(f, h) - min(g, h)", &["0"]);
}
