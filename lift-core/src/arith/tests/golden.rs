//! Simplifications that must work.

use super::Names;

/// `j` runs over `N`, `i` over `M + 2`.
fn pad_and_transpose() -> Names {
    Names::new().with("1 <= M, 1 <= N, 0 <= j <= N - 1, 0 <= i <= M + 1")
}

fn p(x: &str) -> String {
    format!("((({x}) % N) + N) % N")
}

fn q(x: &str) -> String {
    format!("((({x}) % M) + M) % M")
}

#[test]
fn case_1_to_5_pad_and_transpose() {
    let n = pad_and_transpose();
    let flat = "(M*j + 2*j + i)";
    n.gives(&format!("{flat} % (2 + M)"), "i");
    n.gives(&format!("{flat} / (2 + M)"), "j");
    let a = format!("(({flat} % (2+M)) + ({flat} / (2+M))*2 + ({flat} / (2+M))*M)");
    n.gives(&a, "M*j + 2*j + i");
    n.gives(&format!("({a} / (2+M)) % N"), "j");
    let five = format!("(({a}/(2+M)) % N) + {}*N", q(&format!("({a} % (2+M)) + {a}/(N*M + 2*N) - 1")));
    n.gives(&five, "((i - 1) % M)*N + j");
    n.agree(&five, &format!("{}*N + j", q("i - 1")));
}

#[test]
fn case_7_to_17_pad_and_transpose_twice() {
    let n = Names::new().with("1 <= M, 1 <= N, 0 <= j <= N + 1, 0 <= i <= M + 1");
    let flat = "(2*i + i*N + j)";
    let b = format!("(({flat}/(2+N)) + ({flat} % (2+N))*2 + ({flat} % (2+N))*M)");
    n.gives(&format!("{b} % (2+M)"), "i");
    let k = "((N*M + 2*N)/(2+M))";
    n.gives(k, "N");
    let r = format!("(((({b}/(2+M) - 1) % {k}) + {k}) % {k})");
    n.gives(&r, "(j - 1) % N");
    n.agree(&r, &p("j - 1"));
    let pj = p("j - 1");
    n.gives(&format!("({pj} + (({pj}*2 + {pj}*M + i) % (2+M))*N) % N"), "(j - 1) % N");
    n.gives(&format!("({pj} + i*N) % N"), "(j - 1) % N");
    n.gives(&format!("({pj}*M + {pj}*2 + i) / (M*N + 2*N)"), "0");
    let x = format!("(({b} % (2+M)) + {r}*M + {r}*2)");
    let seventeen = format!(
        "((({x}/(2+M)) + ({x} % (2+M))*N) % N) + {}*N",
        q(&format!("({x} % (2+M)) + {x}/(N*M + 2*N) - 1"))
    );
    n.gives(&seventeen, "((j - 1) % N) + ((i - 1) % M)*N");
}

#[test]
fn case_19_slide_after_pad() {
    let n = Names::new().with("1 <= M, 1 <= N, 0 <= j <= N + 1, 0 <= i <= M - 1, 0 <= k <= 2");
    n.gives("(2*j + j*M + k + i) % (2+M)", "i + k");
    n.gives("(2*j + j*M + k + i) / (2+M)", "j");
    let pj = p("j - 1");
    n.gives(&format!("({pj} + N*i + N*k) % N"), "(j - 1) % N");
}

#[test]
fn case_23_to_27_slide_of_slide() {
    let n = Names::new().with("1 <= M, 1 <= N, 0 <= j <= N - 1, 0 <= i <= M - 1");
    n.gives("(2 + M*j + 2*j + M + i) % (2+M)", "i");
    n.gives("(2 + M*j + 2*j + M + i) / (2+M)", "j + 1");
    n.gives("(5 + i + 2*M + 2*j + M*j) % (2+M)", "i + 1");
    n.gives("(5 + i + 2*M + 2*j + M*j) / (2+M)", "j + 2");
    let e = "(1 + ((-1+N+j)%N)*2 + ((-1+N+j)%N)*M + i)";
    n.gives(&format!("{e} % (2+M)"), "i + 1");
    n.gives(&format!("{e} / (2+M)"), "(-1+N+j) % N");
}

#[test]
fn case_29_binomial_divisor() {
    for order in ["0 <= k, 0 <= w, 0 <= x <= w - 1", "0 <= w, 0 <= k, 0 <= x <= w - 1"] {
        let n = Names::new().with(order);
        n.gives("(k + x + w) % (k + w)", "x");
        n.gives("(k + x + w) / (k + w)", "1");
    }
}

#[test]
fn case_31_exact_quarter() {
    let n = Names::new().with("1 <= n");
    let (e, k) = (n.e("n"), n.e("4"));
    n.facts().assume_multiple(e, k);
    let n = n.with("0 <= i <= n/4 - 1");
    n.gives("(6 + i + n/2) % (2 + n/4)", "i + 2");
    n.gives("(6 + i + n/2) / (2 + n/4)", "2");
    n.gives("(4 + n/2) % (2 + n/4)", "0");
    n.gives("4*(n/4)", "n");
    n.gives("n/2 + 2*(n/4)", "n");
    n.gives("n % 4", "0");
    n.gives("n + n/2", "3*(n/2)");
    assert!(n.facts().multiple_of(&n.e("n/2"), &n.e("2")).is_yes());
}

#[test]
fn case_33_remainder_as_digit() {
    let n = Names::new().with("1 <= n1, 0 <= g1, 0 <= g2");
    n.gives("((g1 % (2+n1)) + 2*g2 + g2*n1) % (2+n1)", "g1 % (2+n1)");
    n.gives("((g1 % (2+n1)) + 2*g2 + g2*n1) / (2+n1)", "g2");
}

#[test]
fn case_35_half_modulo_quarter() {
    let n = Names::new().with("1 <= h, 1 <= w");
    let (w, k) = (n.e("w"), n.e("4"));
    n.facts().assume_multiple(w, k);
    let n = n.with("0 <= x <= w/4 - 1");
    n.gives("2*h*w + 4*((x + w/2) % (w/4))", "2*h*w + 4*x");
}

#[test]
fn case_39_vectors_of_a_row() {
    let n = Names::new().with("1 <= N, 0 <= w, 0 <= l <= 1");
    let (size, k) = (n.e("N"), n.e("8"));
    n.facts().assume_multiple(size, k);
    n.gives("(2 + 4*l + 8*w)/8 + ((2 + 4*l + 8*w) % 8)*(N/8)", "N/4 + l*(N/2) + w");
}

#[test]
fn split_and_join() {
    let n = Names::new().with("1 <= N, 1 <= M, 1 <= n, 0 <= i <= N - 1, 0 <= j <= n - 1, 0 <= k <= M - 1");
    n.gives("i / N", "0");
    n.gives("i % N", "i");
    n.gives("(i*n + j) / n", "i");
    n.gives("(i*n + j) % n", "j");
    n.gives("((i*n + j)*M + k) / (n*M)", "i");
    n.gives("((i*n + j)*M + k) % (n*M)", "j*M + k");
    n.gives("(((i*n + j)*M + k) / M) % n", "j");
    n.gives("((i*n + j)*M + k) / (N*n*M)", "0");
    n.gives("(i*M + k) / (N*M)", "0");
}

#[test]
fn numbers() {
    let n = Names::new().with("0 <= i <= 15, 0 <= j <= 3, 0 <= x");
    n.gives("-11 % 5", "4");
    n.gives("-11 / 5", "-3");
    n.gives("11 % -5", "-4");
    n.gives("(i % 10) / 20", "0");
    n.gives("(16*x + i) / 16", "x");
    n.gives("(16*x + i) % 16", "i");
    n.gives("(16*x + 4*j + 3) % 16", "4*j + 3");
    n.gives("(64*x + 4*i + j) / 4", "16*x + i");
    n.gives("(8*x + 2*j) / 4 - 2*x", "j/2");
    n.gives("(i + 32) / 16", "2");
    n.gives("(i - 16) / 16", "-1");
    n.gives("(i - 16) % 16", "i");
    n.gives("3*j / 12", "0");
}

#[test]
fn divisions_of_divisions() {
    let n = Names::new().with("0 <= x, 1 <= M");
    n.gives("x / 4 / 3", "x / 12");
    n.gives("(x / 4 + 5) / 3", "(x + 20) / 12");
    n.gives("x % 12 % 4", "x % 4");
    n.gives("(x % 12) / 4", "(x / 4) % 3");
    n.gives("(x % (3*M)) % M", "x % M");
    n.gives("(6*x) / (4*M)", "3*x / (2*M)");
    n.gives("(6*x) % (4*M)", "2*((3*x) % (2*M))");
    n.gives("(4*x + 3) / 8", "x / 2");
    n.gives("(4*x + 3) % 8", "4*(x % 2) + 3");
}

#[test]
fn recombination() {
    let n = Names::new().with("0 <= a, 0 <= b, 1 <= d, 1 <= s");
    n.gives("(a/d)*d + a%d", "a");
    n.gives("8*((a+b)/2)*2 + 8*((a+b)%2)", "8*(a+b)");
    n.gives("s*(a%d) + (a/d)*d*s + b", "s*a + b");
    n.gives("a - 4*(a/4)", "a % 4");
    n.gives("2*(a/8) + (a/4)%2", "a/4");
    n.gives("((a/4) % 2)*4 + a%4", "a % 8");
    n.gives("((a/d) % s)*d + a%d", "a % (d*s)");
}

#[test]
fn minima_and_maxima() {
    let n = Names::new().with("1 <= N, 0 <= i <= N - 1, 0 <= o <= N + 15, 0 <= x");
    n.gives("max(min(i, N-1), 0)", "i");
    n.gives("min(N + 5, N + 10)", "N + 5");
    n.gives("max(min(min(o, N+15) - 8, N-1), 0)", "max(min(o - 8, N - 1), 0)");
    n.gives("max(min(o - 8, N-1), 0)", "max(min(o - 8, N-1), 0)");
    n.gives("max(min(max(min(o - 8, N+15), 0) - 8, N-1), 0)", "max(o - 16, 0)");
    n.gives("max(min(max(min(x - 8, N+15), 0) - 8, N-1), 0)", "max(min(x - 16, N - 1), 0)");
    n.gives("min(max(x - 8, 0), N - 1)", "max(min(x - 8, N - 1), 0)");
    n.gives("min(max(max(min(x - 8, N - 1), 0), 0), N - 1)", "max(min(x - 8, N - 1), 0)");
    n.gives("x + min(i, N)", "x + i");
    n.gives("min(x, max(x, N))", "x");
    n.gives("max(min(x - 8, N - 1), 0) / N", "0");
    n.gives("max(min(x - 8, N - 1), 0) % N", "max(min(x - 8, N - 1), 0)");
    n.gives("min(x, o) + max(x, o) - min(o, x) - max(o, x)", "0");
}

#[test]
fn shared_terms_of_minima_are_canonical() {
    let n = Names::new();
    assert_eq!(n.e("a + min(b, c)"), n.e("min(a + b, a + c)"));
    assert_eq!(n.e("2*min(b, c) - a"), n.e("min(2*b - a, 2*c - a)"));
    assert_eq!(n.e("min(min(a, b), c)"), n.e("min(c, b, a, b)"));
    assert_eq!(n.e("max(a - 8, b)"), n.e("max(a, b + 8) - 8"));
}

#[test]
fn slide_counts() {
    let n = Names::new().with("1 <= N, 0 <= R");
    n.gives("(N - 3 + 1) / 1", "N - 2");
    n.gives("(N + 2*R - (2*R + 1) + 1) / 1", "N");
    let ceil = n.e("N").div_ceil(&n.e("32"));
    assert_eq!(ceil, n.e("(N + 31) / 32"));
    assert_eq!(n.e("32*N").div_ceil(&n.e("32")), n.e("N"));
}

#[test]
fn equations_are_used() {
    let n = Names::new().with("1 <= N, 1 <= K");
    let (a, b) = (n.e("K"), n.e("2*N + 2"));
    n.facts().assume_eq(a, b);
    n.gives("K - 2*N", "2");
    n.gives("K / 2", "N + 1");
    let n = n.with("0 <= i <= K - 1");
    n.gives("i / (2*N + 2)", "0");
}

#[test]
fn symbolic_multiples() {
    let n = Names::new().with("1 <= N, 1 <= M");
    let (e, of) = (n.e("N"), n.e("M"));
    n.facts().assume_multiple(e, of);
    n.gives("(N / M) * M", "N");
    n.gives("N % M", "0");
    let n = n.with("0 <= i <= N/M - 1, 0 <= j <= M - 1");
    n.gives("(i*M + j) / M", "i");
    n.gives("(i*M + j) / N", "0");
    assert!(n.facts().le(&n.e("i*M + j"), &n.e("N - 1")).is_yes());
    assert!(n.facts().le(&n.e("1"), &n.e("N / M")).is_yes());
}

#[test]
fn case_37_factors_cancel() {
    let n = Names::new().with("1 <= n3, 1 <= n4");
    n.gives("n3*n4*128 / (2*n4*64)", "n3");
    n.gives("n3*n4*128 % (2*n4*64)", "0");
    n.gives("(n3*n4*128 / (2*n4)) / 64", "n3");
    n.gives("n3*n4*128 / 64 / (2*n4)", "n3");
}

/// What holds of sizes only if they can be divided: true with the fact, and not without it (`stays`).
#[test]
fn exact_sizes_of_a_matrix_of_tiles() {
    let n = Names::new().with("1 <= N, 0 <= f");
    let (size, k) = (n.e("N"), n.e("64"));
    n.facts().assume_multiple(size, k);
    let n = n.with("0 <= w <= N/64 - 1");
    n.gives("((w + N*f/8 + 7*N/64) % (N/64))*64", "64*w");
    n.gives("(w + N*f/8 + 7*N/64) / (N/64)", "8*f + 7");
    assert!(n.facts().multiple_of(&n.e("N/4"), &n.e("N/8")).is_yes());
}

#[test]
fn common_factors() {
    let n = Names::new().with("1 <= a, 1 <= b, 1 <= c, 1 <= d");
    n.gives("4*a*b / (6*a*b*c)", "2 / (3*c)");
    n.gives("6*a*b*c / (4*a*b)", "3*c / 2");
    n.gives("6*a*b*c % (4*a*b)", "2*a*b*((3*c) % 2)");
    n.gives("(a*c + b*c) / (a*d + b*d)", "c / d");
    n.gives("(a*c + b*c) % (a*d + b*d)", "(a + b)*(c % d)");
    n.gives("(a + a*b + a*c) / (a*d)", "(1 + b + c) / d");
    n.gives("(a*a + 2*a*b + b*b) / (a + b)", "a + b");
    n.gives("(a + a*b + a*c) % a", "0");
}

#[test]
fn sums_and_products_expand() {
    let n = Names::new();
    for (left, right) in [
        ("a*c + b*c", "c*(a + b)"),
        ("2*a*b + a*a", "a*(2*b + a)"),
        ("(a + b + c)*(a + b + c)", "a*a + b*b + c*c + 2*a*b + 2*a*c + 2*b*c"),
        ("(a - b)*(a + b)", "a*a - b*b"),
        ("(a + b)*(a + b)*(a + b)", "a*a*a + 3*a*a*b + 3*a*b*b + b*b*b"),
        ("a + (b + (c + d))", "((d + c) + b) + a"),
        ("a*(b*(c*d))", "d*c*(b*a)"),
        ("a - a", "0"),
        ("3*a - 2*a - a", "0"),
        ("0*a + 1*b", "b"),
        ("(0 + 1)*(10 + 2) + 10/2", "17"),
        ("1/5*5", "0"),
        ("5/5", "1"),
    ] {
        assert_eq!(n.e(left), n.e(right), "{left}");
    }
}

/// How often a loop runs: one that starts at an item's number and steps by the number of items.
#[test]
fn trip_counts() {
    let n = Names::new().with("1 <= M, 1 <= p, 0 <= i <= 15");
    let (m, p) = (n.e("M"), n.e("p"));
    n.facts().assume_multiple(m, p);
    let n = n.with("0 <= g <= M/p - 1, 0 <= l <= 63");
    n.gives("(M/p - g + M/p - 1) / (M/p)", "1");
    n.gives("(64 - l + 63) / 64", "1");
    n.gives("(256 - l + 63) / 64", "4");
    let ceil = n.e("i").div_ceil(&n.e("16"));
    assert!(n.facts().nonneg(&ceil).is_yes());
    assert!(n.facts().le(&ceil, &n.e("1")).is_yes());
    assert_eq!(n.facts().simplify(&n.e("i + 1").div_ceil(&n.e("16"))), n.e("1"));
}
