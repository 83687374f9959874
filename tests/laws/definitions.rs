//! Definitions 2.1 to 2.14: every primitive, and every function defined in terms of them, against its
//! equation, element by element.

use super::harness::{law, law_with};

pub const BOUNDARIES: &[&str] = &["clamp", "mirror", "reflect", "wrap", "constant(42)"];

/// Element `i - l` of the `n` elements of `xs`, where the boundary says which one is meant if there is none.
/// `outside` is the constant. Indices of a thesis's formula may be negative; here multiples of the period are added.
fn element(boundary: &str, xs: &str, i: &str, l: &str, n: &str, outside: &str) -> String {
    match boundary {
        "clamp" => format!("{xs}[({i}.max({l}) - {l}).min({n} - 1)]"),
        "mirror" => format!(
            "{{ let k = ({i} + 2 * {l} * {n} - {l}) % (2 * {n}); {xs}[k.min(2 * {n} - 1 - k).min({n} - 1)] }}"
        ),
        "reflect" => format!(
            "{{ let p = 2 * ({n} - 1).max(1); let k = ({i} + p * {l} - {l}) % p; {xs}[k.min(p - k).min({n} - 1)] }}"
        ),
        "wrap" => format!("{xs}[({i} + {l} * {n} - {l}) % {n}]"),
        _ => format!("if {l} <= {i} && {i} < {l} + {n} {{ {xs}[{i} - {l}] }} else {{ {outside} }}"),
    }
}

#[test]
fn definition_2_1_stencil() {
    for boundary in BOUNDARIES {
        let x = element(boundary, "x", "(y + j)", "L", "N", "42");
        law(
            "x: [i32; N]",
            "[i32; N]",
            &format!("map(h) . slide(L + R + 1, 1) . pad(L, R, {boundary}) << x"),
            &format!("array(N, |y| h(array(L + R + 1, |j| {x})))"),
        );
    }
}

#[test]
fn definition_2_2_stencil_of_a_matrix() {
    for boundary in BOUNDARIES {
        let row = element(boundary, "x", "(y + a)", "T", "N", "x[0].map(|_| 42)");
        let x = element(boundary, "row", "(z + b)", "L", "M", "42");
        law(
            "x: [[i32; M]; N]",
            "[[i32; M]; N]",
            &format!(
                "map2d(h2) . slide2d(T + B + 1, 1, L + R + 1, 1) . pad2d(T, B, L, R, {boundary}, {boundary}) << x"
            ),
            &format!(
                "array2d(N, M, |y, z| h2(array(T + B + 1, |a| {{
                    let row = {row};
                    array(L + R + 1, |b| {x})
                }})))"
            ),
        );
    }
}

#[test]
fn definition_2_3_map() {
    law("x: [i32; N]", "[i32; N]", "map(f, x)", "array(N, |i| f(x[i]))");
    law("x: [[i32; M]; N]", "[i32; N]", "map(h, x)", "array(N, |i| h(x[i]))");
}

/// `combine(… combine(combine(z, x[0]), x[1]) …, x[n - 1])`
fn chain(n: usize, z: &str, combine: impl Fn(&str, &str) -> String) -> String {
    (0..n).fold(format!("({z})"), |sum, i| combine(&sum, &format!("x[{i}]")))
}

#[test]
fn definition_2_4_reduce() {
    for n in 1..6 {
        let params = format!("x: [i32; {n}]");
        for (operator, z) in [("add", "0"), ("mul", "1"), ("max", "i32::MIN"), ("min", "i32::MAX")] {
            let right = chain(n, z, |a, b| format!("{operator}({a}, {b})"));
            law(&params, "i32", &format!("reduce({operator}, {z}, x)"), &right);
        }
    }
    law("x: [i32; N]", "i32", "x.take(0).reduce(add, 0)", "x[0] - x[0]");
}

#[test]
fn definition_2_5_zip() {
    law("x: [i32; N], y: [i32; N]", "[i32; N]", "zip(x, y).map(p)", "array(N, |i| p(x[i], y[i]))");
    law(
        "x: [i32; N], y: [[i32; M]; N], z: [i32; N]",
        "[i32; N]",
        "zip(x, y, z).map(|(a, b, c)| p(a, p(h(b), c)))",
        "array(N, |i| p(x[i], p(h(y[i]), z[i])))",
    );
    law(
        "x: [i32; N]",
        "[i32; N]",
        "zip(x, x, x, x, x, x, x, x).map(|(a, b, c, d, e, f, g, h)| a + b + c + d + e + f + g - h)",
        "x.map(|v| 6 * v)",
    );
}

#[test]
fn definition_2_6_split() {
    law("x: [i32; K * N]", "[[i32; K]; N]", "split(K, x)", "array2d(N, K, |i, j| x[i * K + j])");
    law("x: [i32; K * N]", "[[i32; N]; K]", "split(N, x)", "array2d(K, N, |i, j| x[i * N + j])");
}

#[test]
fn definition_2_7_join() {
    law("x: [[i32; M]; N]", "[i32; N * M]", "join(x)", "array(N * M, |i| x[i / M][i % M])");
}

#[test]
fn definition_2_8_reorder() {
    law("x: [i32; N]", "[i32; N]", "reorder(|i, n| n - 1 - i, x)", "array(N, |i| x[N - 1 - i])");
    law("x: [i32; N]", "[i32; N]", "reorder(|i, n| (i + K) % n, x)", "array(N, |i| x[(i + K) % N])");
    // The order of a matrix by columns, and its dual.
    let stride = "reorder(|i, n| i / N + K * (i % N), x)";
    law("x: [i32; K * N]", "[i32; K * N]", stride, "array(K * N, |i| x[i / N + K * (i % N)])");
    law("x: [i32; K * N]", "[i32; K * N]", stride, "join . transpose . split(K) << x");
}

#[test]
fn the_first_of_the_smallest_and_of_the_largest() {
    // Few values, so that several are the same.
    let first = |order: &str| {
        format!(
            "{{ let y = x.map(|v| v % 3); zip(y, array(N, |i| i)).fold(|best, (v, i)| if v {order} best.1 || best.0 == N \
             {{ (i, v) }} else {{ best }}, (N, 0)) }}"
        )
    };
    law("x: [i32; N]", "(usize, i32)", "x.map(|v| v % 3).argmin()", &first("<"));
    law("x: [i32; N]", "(usize, i32)", "argmax . map(|v| v % 3) << x", &first(">"));
    law("x: [[i32; M]; N]", "[i32; N]", "x.map(argmin).map(|i, v| v)", "x.map(reduce(min, i32::MAX))");
}

#[test]
fn cases() {
    law(
        "x: [i32; N]",
        "[i32; N]",
        "x.map(|v| match v % 7 { 0 => 10, 1 | -1 => v, 2..=3 => 2 * v, ..-4 => 3, n if n < 0 => 4 * n, _ => v - 1 })",
        "x.map(|v| { let k = v % 7; if k == 0 { 10 } else if k == 1 || k == -1 { v } else if k >= 2 && k <= 3 { 2 * v } \
         else if k < -4 { 3 } else if k < 0 { 4 * k } else { v - 1 } })",
    );
    law_with(
        "const TWO: u8 = 2;
        fn of(v: u8, c: bool) -> i32 { match v { b'a' => 1, TWO => 2, u8::MAX => 3, _ => match c { true => 4, false => 5 } } }",
        "x: [i32; N]",
        "[i32; N]",
        "x.map(|v| of((v % 4) as u8, v > 3))",
        "x.map(|v| if v % 4 == 2 { 2 } else if v % 4 == -1 { 3 } else if v > 3 { 4 } else { 5 })",
    );
}

#[test]
fn suffixes() {
    law(
        "x: [i32; N]",
        "[i32; N]",
        "x.map(|v| [v, 1]).scan_right(|a, b| [a[0] * b[1] + b[0], a[1] * b[1]], [0, 1]).map(|m| m[0])",
        "x.reverse().scan(add, 0).reverse()",
    );
    law(
        "x: [i32; N]",
        "[i32; N]",
        "scan_right(max, -5, x)",
        "array(N, |i| array(N, |j| x[j.max(i)]).reduce(max, -5))",
    );
}

#[test]
fn negated_boundaries() {
    // Where each element lies, and whether that is an odd number of edges away.
    let elements = |b: &str, outside: &str, odd: &str| {
        law(
            "x: [i32; N]",
            "[i32; N + 17]",
            &format!("x.pad(8, 9, negated({b}))"),
            &format!(
                "array(N + 17, |k| {{
                    let (i, n) = (k as i64 - 8, N as i64);
                    let outside = {outside};
                    if {odd} {{ -x.pad(8, 9, {b})[k] }} else {{ x.pad(8, 9, {b})[k] }}
                }})"
            ),
        );
    };
    let beyond = "i < 0 || i >= n";
    elements("clamp", beyond, "outside");
    elements("wrap", beyond, "outside && i.div_euclid(n) % 2 != 0");
    elements("mirror", beyond, "outside && i.div_euclid(n) % 2 != 0");
    elements("reflect", beyond, "outside && n > 1 && i.rem_euclid((2 * n - 2).max(1)) >= n");
}

#[test]
fn scans_with_a_state() {
    law("x: [i32; N]", "[i32; N]", "x.scan_with(|s, v| (s + v, s + v), 0)", "x.scan(add, 0)");
    law(
        "x: [i32; N]",
        "[i32; N]",
        "x.scan_with(|s, v| (v, v - s), 5)",
        "zip(x, x.pad(1, 0, constant(5)).take(N)).map(sub)",
    );
    law(
        "x: [i32; N]",
        "[i32; N]",
        "x.scan_right_with(|s, v| (v, v - s), 5)",
        "zip(x, x.pad(0, 1, constant(5)).drop(1)).map(sub)",
    );
    law(
        "x: [i32; N]",
        "[[i32; 2]; N]",
        "x.scan_with(|(s, n), v| ((3 * s + v, n + 1), [s, n as i32 - v]), (1, 2u8))",
        "array(N, |i| {
            let before = zip(array(N, |j| j), x);
            let (s, n) = before.fold(|(s, n), (j, v)| if j < i { (3 * s + v, n + 1) } else { (s, n) }, (1, 2u8));
            [s, n as i32 - x[i]]
        })",
    );
}

#[test]
fn definition_2_9_transpose_by_reorder() {
    law(
        "x: [[i32; M]; N]",
        "[[i32; N]; M]",
        "transpose(x)",
        "split(N) . reorder(|k, n| (k % N) * M + k / N) . join << x",
    );
}

#[test]
fn definition_2_9_transpose() {
    law(
        "x: [[i32; M]; N]",
        "[[i32; N]; M]",
        "transpose(x)",
        "{ let flat = join(x); split(N, array(N * M, |k| flat[(k % N) * M + k / N])) }",
    );
    law("x: [[i32; M]; N]", "[[i32; N]; M]", "transpose(x)", "array2d(M, N, |i, j| x[j][i])");
}

#[test]
fn definition_2_10_slide() {
    // Overlapping windows, pieces, and windows with gaps: whatever `W` and `S` are.
    law("x: [i32; S * N - S + W]", "[[i32; W]; N]", "slide(W, S, x)", "array2d(N, W, |i, j| x[i * S + j])");
    law("x: [i32; M * N]", "[[i32; M]; N]", "slide(M, M, x)", "split(M, x)");
}

#[test]
fn definition_2_11_and_2_12_pad() {
    // As in the thesis, where no more is added than there is.
    law(
        "x: [i32; L + R + N]",
        "[i32; 2 * L + 2 * R + N]",
        "pad(L, R, clamp, x)",
        "array(L + R + N + L + R, |i|
            if i < L { x[0] } else if i >= L + L + R + N { x[L + R + N - 1] } else { x[i - L] })",
    );
    law(
        "x: [i32; L + R + N]",
        "[i32; 2 * L + 2 * R + N]",
        "pad(L, R, mirror, x)",
        "array(L + R + N + L + R, |i|
            if i < L { x[L - 1 - i] }
            else if i >= L + L + R + N { x[2 * (L + R + N) - (i - L) - 1] }
            else { x[i - L] })",
    );
    law(
        "x: [i32; N]",
        "[i32; L + N + R]",
        "pad(L, R, wrap, x)",
        "array(L + N + R, |i| x[((i + L * N - L) % N + N) % N])",
    );
    // Any amount.
    for boundary in BOUNDARIES {
        let right = format!("array(L + N + R, |i| {})", element(boundary, "x", "i", "L", "N", "42"));
        law("x: [i32; N]", "[i32; L + N + R]", &format!("pad(L, R, {boundary}, x)"), &right);
    }
    // The elements may be arrays.
    for boundary in BOUNDARIES {
        let row = element(boundary, "x", "i", "L", "N", "x[0].map(|_| 42)");
        let left = format!("pad(L, R, {boundary}, x)");
        law("x: [[i32; M]; N]", "[[i32; M]; L + N + R]", &left, &format!("array(L + N + R, |i| {row})"));
    }
}

#[test]
fn definition_2_13_and_2_14_convolution() {
    for boundary in BOUNDARIES {
        let omega = element(boundary, "omega", "(x + i)", "R", "N", "42");
        law_with(
            "fn conv(k: [i32; n], nbh: [i32; n]) -> i32 { reduce(add, 0) . map(mul) . zip(k) << nbh }",
            "k: [i32; 2 * R + 1], omega: [i32; N]",
            "[i32; N]",
            &format!("map(conv(k)) . slide(2 * R + 1, 1) . pad(R, R, {boundary}) << omega"),
            &format!("array(N, |x| array(2 * R + 1, |i| ({omega}) * k[i]).reduce(add, 0))"),
        );
    }
}

#[test]
fn definition_3_1_sequential_reduction() {
    for n in 1..6 {
        let right = chain(n, "5", |a, b| format!("p({a}, {b})"));
        law(&format!("x: [i32; {n}]"), "i32", "fold(p, 5, x)", &right);
        let element = |i: usize| chain(i + 1, "0", |a, b| format!("add({a}, {b})"));
        let prefixes: Vec<String> = (0..n).map(element).collect();
        let right = format!("[{}]", prefixes.join(", "));
        law(&format!("x: [i32; {n}]"), &format!("[i32; {n}]"), "scan(add, 0, x)", &right);
    }
}

#[test]
fn selections() {
    law(
        "x: [i32; N], y: [i32; M]",
        "[i32; N + M]",
        "concat(x, y)",
        "array(N + M, |i| if i < N { x[i] } else { y[i - N] })",
    );
    law(
        "x: [i32; N], i: [i32; M]",
        "[i32; M]",
        "{ let idx = i.map(|v| v.abs() as usize % N); gather(idx, x) }",
        "i.map(|v| x[v.abs() as usize % N])",
    );
    law("x: [i32; N]", "[i32; N]", "scatter(|i, n| n - 1 - i, x)", "reorder(|i, n| n - 1 - i, x)");
    law(
        "x: [i32; N], y: [i32; N]",
        "[i32; N]",
        "{ let (a, b) = unzip(zip(x, y)); zip(a, b).map(p) }",
        "zip(x, y).map(p)",
    );
    law(
        "x: [i32; N + K], y: [i32; K]",
        "[i32; N + K]",
        "scatter_to(x, array(K, |i| N + K - 1 - i), y)",
        "array(N + K, |i| if i < N { x[i] } else { y[N + K - 1 - i] })",
    );
    law(
        "x: [i32; N]",
        "[i32; N]",
        "iterate(K, map(f), x)",
        "{ let y = x; iterate(K - 1, map(f), map(f, y)) }",
    );
}

#[test]
fn array_access() {
    law("x: [i32; N + 3]", "i32", "at(2, x) - at(N, x)", "x[2] - x[N]");
    law("x: [i32; N + K]", "[i32; K]", "take(K, x)", "array(K, |i| x[i])");
    law("x: [i32; N + K]", "[i32; N]", "drop(K, x)", "array(N, |i| x[K + i])");
    law("x: [i32; L + N + R]", "[i32; N]", "crop(L, R, x)", "array(N, |i| x[L + i])");
}
