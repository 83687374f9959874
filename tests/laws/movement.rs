//! The algebra of layout: how the primitives pass each other and `map`. Every rewrite rule that moves layout is one
//! of these equations read from left to right or from right to left.

use super::definitions::BOUNDARIES;
use super::harness::{law, law_with};

/// Pairs of compositions that mean the same on a matrix of `N` rows.
fn on_a_matrix(ty: &str, result: &str, left: &str, right: &str) {
    law(&format!("x: {ty}"), result, &format!("{left} << x"), &format!("{right} << x"));
}

#[test]
fn inverses_and_identities() {
    on_a_matrix("[i32; K * N]", "[i32; K * N]", "join . split(K)", "id");
    on_a_matrix("[[i32; M]; N]", "[[i32; M]; N]", "split(M) . join", "id");
    on_a_matrix("[[i32; M]; N]", "[[i32; M]; N]", "transpose . transpose", "id");
    on_a_matrix("[i32; N]", "[[i32; 1]; N]", "slide(1, 1)", "split(1)");
    on_a_matrix("[i32; N]", "[[i32; N]; 1]", "slide(N, K)", "split(N)");
    law("x: [i32; N]", "[i32; N]", "x.take(N).drop(0)", "x");
    law("x: [i32; N]", "[i32; N]", "pad(0, 0, mirror, x)", "x");
    law("x: [i32; N]", "[i32; N]", "array(N, |i| x[i])", "x");
    law("x: [i32; N]", "[i32; N]", "zip(x, x.map(g)).map(|(a, _)| a)", "x");
}

#[test]
fn split_join() {
    on_a_matrix("[i32; K * N]", "[i32; K * N]", "map(f)", "join . map(map(f)) . split(K)");
    on_a_matrix("[[i32; M]; N]", "[[i32; M]; N]", "map(map(f))", "split(M) . map(f) . join");
    // Any length: rounded up, and the surplus dropped.
    law(
        "x: [i32; N]",
        "[i32; N]",
        "map(f, x)",
        "x.pad(0, N.div_ceil(K) * K - N, clamp).split(K).map(map(f)).join().take(N)",
    );
    on_a_matrix("[[[i32; O]; M]; N]", "[i32; N * M * O]", "join . join", "join . map(join)");
    on_a_matrix(
        "[i32; K * W * N]",
        "[[[i32; W]; K]; N]",
        "split(K) . split(W)",
        "map(split(W)) . split(K * W)",
    );
}

#[test]
fn transpose_and_split() {
    on_a_matrix(
        "[[i32; M]; K * N]",
        "[[[i32; K]; N]; M]",
        "map(split(K)) . transpose",
        "transpose . map(transpose) . split(K)",
    );
    on_a_matrix(
        "[[[i32; M]; N]; K * O]",
        "[[[[i32; M]; K]; N]; O]",
        "map(transpose) . split(K)",
        "transpose . map(split(K)) . transpose",
    );
    on_a_matrix(
        "[[i32; K * M]; N]",
        "[[[i32; K]; N]; M]",
        "transpose . map(split(K))",
        "map(transpose) . split(K) . transpose",
    );
    on_a_matrix(
        "[[i32; K * M]; N]",
        "[[[i32; N]; K]; M]",
        "split(K) . transpose",
        "map(transpose) . transpose . map(split(K))",
    );
}

#[test]
fn transpose_and_join() {
    on_a_matrix(
        "[[[i32; O]; M]; N]",
        "[[i32; N * M]; O]",
        "transpose . join",
        "map(join) . transpose . map(transpose)",
    );
    on_a_matrix(
        "[[[i32; O]; M]; N]",
        "[[i32; M * O]; N]",
        "map(join)",
        "transpose . join . map(transpose) . transpose",
    );
    on_a_matrix(
        "[[[i32; O]; M]; N]",
        "[[i32; N * O]; M]",
        "map(join) . transpose",
        "transpose . join . map(transpose)",
    );
    on_a_matrix(
        "[[[i32; O]; M]; N]",
        "[[i32; M]; N * O]",
        "join . map(transpose)",
        "transpose . map(join) . transpose",
    );
    on_a_matrix(
        "[[[i32; O]; M]; N]",
        "[[i32; N]; M * O]",
        "transpose . map(join)",
        "join . map(transpose) . transpose",
    );
}

#[test]
fn transpose_and_slide() {
    let tall = "[[i32; M]; S * N - S + W]";
    let wide = "[[i32; S * M - S + W]; N]";
    on_a_matrix(
        tall,
        "[[[i32; W]; N]; M]",
        "map(slide(W, S)) . transpose",
        "transpose . map(transpose) . slide(W, S)",
    );
    on_a_matrix(
        wide,
        "[[[i32; N]; W]; M]",
        "slide(W, S) . transpose",
        "map(transpose) . transpose . map(slide(W, S))",
    );
    on_a_matrix(
        wide,
        "[[[i32; W]; N]; M]",
        "transpose . map(slide(W, S))",
        "map(transpose) . slide(W, S) . transpose",
    );
    on_a_matrix(
        tall,
        "[[[i32; M]; W]; N]",
        "slide(W, S)",
        "map(transpose) . transpose . map(slide(W, S)) . transpose",
    );
}

#[test]
fn transposes() {
    let cube = "[[[i32; O]; M]; N]";
    let turned = "[[[i32; N]; M]; O]";
    on_a_matrix(
        cube,
        turned,
        "map(transpose) . transpose . map(transpose)",
        "transpose . map(transpose) . transpose",
    );
    on_a_matrix(
        "[[[[i32; 2]; O]; M]; N]",
        "[[[[i32; O]; 2]; N]; M]",
        "map(map(transpose)) . transpose",
        "transpose . map(map(transpose))",
    );
    on_a_matrix("[[i32; M]; N]", "[[i32; N]; M]", "transpose . map(map(f))", "map(map(f)) . transpose");
    on_a_matrix("[[i32; M]; N]", "[[i32; M]; N]", "map(map(f))", "transpose . map(map(f)) . transpose");
}

#[test]
fn map_passes_layout() {
    on_a_matrix("[i32; S * N - S + W]", "[[i32; W]; N]", "map(map(f)) . slide(W, S)", "slide(W, S) . map(f)");
    on_a_matrix("[i32; K * N]", "[[i32; K]; N]", "map(map(f)) . split(K)", "split(K) . map(f)");
    on_a_matrix("[i32; N + K]", "[i32; K]", "map(f) . take(K)", "take(K) . map(f)");
    on_a_matrix("[i32; N + K]", "[i32; N]", "map(f) . drop(K)", "drop(K) . map(f)");
    for boundary in ["clamp", "mirror", "reflect", "wrap"] {
        let pad = format!("pad(L, R, {boundary})");
        on_a_matrix("[i32; N]", "[i32; L + N + R]", &format!("map(f) . {pad}"), &format!("{pad} . map(f)"));
    }
    // A constant goes through the function.
    on_a_matrix(
        "[i32; N]",
        "[i32; L + N + R]",
        "map(f) . pad(L, R, constant(5))",
        "pad(L, R, constant(f(5))) . map(f)",
    );
    law(
        "x: [i32; N], y: [i32; N]",
        "[i32; N]",
        "zip(map(f, x), map(g, y)).map(p)",
        "zip(x, y).map(|(a, b)| p(f(a), g(b)))",
    );
}

#[test]
fn slides_of_slides() {
    // The general form of a rule that is published for windows of pieces only.
    on_a_matrix(
        "[i32; K * S * N - S + W]",
        "[[[i32; W]; K]; N]",
        "split(K) . slide(W, S)",
        "map(slide(W, S)) . slide((K - 1) * S + W, K * S)",
    );
    on_a_matrix(
        "[i32; S * (S2 * N - S2 + W2 - 1) + W]",
        "[[[i32; W]; W2]; N]",
        "slide(W2, S2) . slide(W, S)",
        "map(slide(W, S)) . slide((W2 - 1) * S + W, S2 * S)",
    );
}

#[test]
fn parts_of_windows() {
    on_a_matrix(
        "[i32; S * (N + K - 1) + W]",
        "[[i32; W]; K]",
        "take(K) . slide(W, S)",
        "slide(W, S) . take(S * (K - 1) + W)",
    );
    on_a_matrix(
        "[i32; S * (N + K - 1) + W]",
        "[[i32; W]; N]",
        "drop(K) . slide(W, S)",
        "slide(W, S) . drop(K * S)",
    );
    on_a_matrix(
        "[i32; N + W + L - 1]",
        "[[i32; W]; N]",
        "slide(W, 1) . drop(L)",
        "map(drop(L)) . slide(W + L, 1)",
    );
    on_a_matrix(
        "[i32; N + W + R - 1]",
        "[[i32; W]; N]",
        "slide(W, 1) . take(N + W - 1)",
        "map(take(W)) . slide(W + R, 1)",
    );
    on_a_matrix("[[i32; M]; N + K]", "[i32; N * M]", "drop(K * M) . join", "join . drop(K)");
    on_a_matrix("[[i32; M]; N + K]", "[i32; K * M]", "take(K * M) . join", "join . take(K)");
    on_a_matrix("[i32; N + K + L]", "[i32; N]", "drop(K) . drop(L)", "drop(K + L)");
    on_a_matrix("[i32; N + K + L]", "[i32; K]", "take(K) . drop(L)", "drop(L) . take(K + L)");
    law(
        "x: [i32; N + K], y: [i32; N + K]",
        "[i32; N]",
        "zip(x, y).drop(K).map(p)",
        "zip(x.drop(K), y.drop(K)).map(p)",
    );
}

#[test]
fn pads() {
    for boundary in BOUNDARIES {
        on_a_matrix("[i32; N]", "[i32; N]", &format!("crop(L, R) . pad(L, R, {boundary})"), "id");
        on_a_matrix(
            "[[i32; M]; N]",
            "[[i32; L + N + R]; M]",
            &format!("transpose . pad(L, R, {boundary})"),
            &format!("map(pad(L, R, {boundary})) . transpose"),
        );
        // The rows and the columns do not mind which is first.
        on_a_matrix(
            "[[i32; M]; N]",
            "[[i32; L + M + R]; T + N + B]",
            &format!("pad(T, B, {boundary}) . map(pad(L, R, {boundary}))"),
            &format!("map(pad(L, R, {boundary})) . pad(T, B, {boundary})"),
        );
    }
    // In two steps: not so for boundaries that look further than the nearest element.
    for boundary in ["clamp", "constant(42)"] {
        on_a_matrix(
            "[i32; N]",
            "[i32; L + T + N + R + B]",
            &format!("pad(L, R, {boundary}) . pad(T, B, {boundary})"),
            &format!("pad(L + T, R + B, {boundary})"),
        );
    }
    // On one side after the other.
    for boundary in ["clamp", "constant(42)"] {
        on_a_matrix(
            "[i32; N]",
            "[i32; L + N + R]",
            &format!("pad(L, 0, {boundary}) . pad(0, R, {boundary})"),
            &format!("pad(L, R, {boundary})"),
        );
    }
    law(
        "x: [i32; N], y: [i32; N]",
        "[i32; L + N + R]",
        "zip(x, y).map(p).pad(L, R, reflect)",
        "zip(x.pad(L, R, reflect), y.pad(L, R, reflect)).map(p)",
    );
}

/// So that the laws that hold mean something.
#[test]
#[should_panic(expected = "left == right")]
fn not_a_law_wrap_in_two_steps() {
    on_a_matrix("[i32; N]", "[i32; T + N + L]", "pad(0, L, wrap) . pad(T, 0, wrap)", "pad(T, L, wrap)");
}

#[test]
fn interior_of_a_stencil_needs_no_boundary() {
    for boundary in BOUNDARIES {
        law(
            "x: [i32; N + L + R]",
            "[i32; N]",
            &format!("x.pad(L, R, {boundary}).slide(L + R + 1, 1).map(h).crop(L, R)"),
            "x.slide(L + R + 1, 1).map(h)",
        );
        // Its first element, from the boundary and the first elements of the array.
        law(
            "x: [i32; N + L + R]",
            "i32",
            &format!("x.pad(L, R, {boundary}).slide(L + R + 1, 1).map(h).at(0)"),
            &format!("h(x.pad(L, R, {boundary}).take(L + R + 1))"),
        );
    }
}

#[test]
fn zips() {
    law(
        "x: [[i32; M]; N], y: [[i32; M]; N]",
        "[i32; N * M]",
        "zip(join(x), join(y)).map(p)",
        "zip(x, y).map(zip).join().map(p)",
    );
    law(
        "x: [i32; K * N], y: [i32; K * N]",
        "[[i32; K]; N]",
        "zip(x, y).split(K).map(map(p))",
        "zip(x.split(K), y.split(K)).map(|(a, b)| zip(a, b).map(p))",
    );
    law(
        "x: [i32; S * N - S + W], y: [i32; S * N - S + W]",
        "[[i32; W]; N]",
        "zip(x, y).slide(W, S).map(map(p))",
        "zip(x.slide(W, S), y.slide(W, S)).map(|(a, b)| zip(a, b).map(p))",
    );
    law(
        "x: [[i32; M]; N], y: [[i32; M]; N]",
        "[[i32; N]; M]",
        "transpose(zip2d(x, y)).map2d(p)",
        "zip2d(transpose(x), transpose(y)).map2d(p)",
    );
    law("x: [i32; N], y: [i32; N]", "[i32; N]", "zip(x, y).map(p)", "zip(y, x).map(|(b, a)| p(a, b))");
    law("x: [i32; N]", "[i32; N]", "zip(x, x).map(p)", "x.map(|v| p(v, v))");
}

#[test]
fn interchange() {
    law(
        "x: [i32; N], y: [i32; M]",
        "[[i32; M]; N]",
        "map(|a| map(|b| p(a, b), y), x)",
        "transpose(map(|b| map(|a| p(a, b), x), y))",
    );
    // A reduction of rows is a reduction of columns, element by element.
    law(
        "x: [[i32; M]; N]",
        "[i32; N]",
        "map(reduce(add, 0), x)",
        "array(N, |i| reduce(add, 0, map(|column| column[i], transpose(x))))",
    );
}

#[test]
fn reductions() {
    law(
        "x: [i32; K * N]",
        "i32",
        "reduce(add, 0, x)",
        "reduce(add, 0) . map(reduce(add, 0)) . split(K) << x",
    );
    law(
        "x: [[i32; M]; N]",
        "i32",
        "reduce(max, -9999) . join << x",
        "reduce(max, -9999) . map(reduce(max, -9999)) << x",
    );
    // Each of K items takes every K-th element: the order does not matter.
    law(
        "x: [i32; K * N]",
        "i32",
        "reduce(add, 0, x)",
        "reduce(add, 0) . map(reduce(add, 0)) . transpose . split(K) << x",
    );
    law("x: [i32; N]", "i32", "x.map(f).reduce(add, 0)", "3 * x.reduce(add, 0) - 7 * (N as i32)");
    // A sum of two sums.
    law(
        "x: [i32; N], y: [i32; N]",
        "i32",
        "zip(x, y).map(add).reduce(add, 0)",
        "x.reduce(add, 0) + y.reduce(add, 0)",
    );
}

#[test]
fn reorders() {
    let stride = "reorder(|i, n| i / N + K * (i % N))";
    let back = "scatter(|i, n| i / N + K * (i % N))";
    let strided = |left: &str, right: &str| on_a_matrix("[i32; K * N]", "[i32; K * N]", left, right);
    strided(&format!("{back} . {stride}"), "id");
    strided(&format!("{stride} . {back}"), "id");
    strided(&format!("map(f) . {stride}"), &format!("{stride} . map(f)"));
    // The dual reads where the original writes: the inverse permutation.
    strided(back, "reorder(|i, n| i / K + N * (i % K))");
    law("x: [i32; K * N]", "i32", "reduce(add, 0, x)", &format!("reduce(add, 0) . {stride} << x"));
    law(
        "x: [[i32; M]; N]",
        "[[i32; N]; M]",
        "map(reorder(|i, n| n - 1 - i)) . transpose << x",
        "transpose . reorder(|i, n| n - 1 - i) << x",
    );
}

#[test]
fn concatenations() {
    law("x: [i32; N], y: [i32; M]", "[i32; N + M]", "map(f, concat(x, y))", "concat(map(f, x), map(f, y))");
    law("x: [i32; N], y: [i32; M]", "[i32; N]", "concat(x, y).take(N)", "{ let _z = y; x }");
    law("x: [i32; N + K]", "[i32; N + K]", "concat(x.take(K), x.drop(K))", "x");
    law(
        "x: [i32; N], y: [i32; M]",
        "i32",
        "concat(x, y).reduce(add, 0)",
        "x.reduce(add, 0) + y.reduce(add, 0)",
    );
    law(
        "x: [i32; N]",
        "[i32; L + N + R]",
        "pad(L, R, constant(42), x)",
        "concat(array(L, |_| 42), x, array(R, |_| 42))",
    );
    law(
        "x: [[i32; M]; N], y: [[i32; M]; O]",
        "[[i32; N + O]; M]",
        "transpose(concat(x, y))",
        "zip(transpose(x), transpose(y)).map(concat)",
    );
    // The interior of a stencil and its two borders.
    for boundary in BOUNDARIES {
        law(
            "x: [i32; N + L + R]",
            "[i32; L + N + R]",
            &format!("x.pad(L, R, {boundary}).slide(L + R + 1, 1).map(h)"),
            &format!(
                "{{ let y = x.pad(L, R, {boundary}).slide(L + R + 1, 1);
                concat(y.take(L).map(h), x.slide(L + R + 1, 1).map(h), y.drop(L + N).map(h)) }}"
            ),
        );
    }
}

#[test]
fn scans_folds_and_iterations() {
    law("x: [i32; N + 1]", "i32", "scan(add, 0, x)[N]", "reduce(add, 0, x)");
    law("x: [i32; N]", "i32", "fold(|s, v| p(s, f(v)), 3, x)", "fold(p, 3, map(f, x))");
    law("x: [i32; N]", "i32", "fold(add, 0, x)", "reduce(add, 0, x)");
    law("x: [[i32; M]; N]", "i32", "fold(p, 1, join(x))", "fold(|s, row| fold(p, s, row), 1, x)");
    // Prefixes by pieces: those within a piece, and the sum of the pieces before.
    law(
        "x: [i32; K * N]",
        "[i32; K * N]",
        "scan(add, 0, x)",
        "{ let rows = map(scan(add, 0), split(K, x));
        let before = scan(add, 0, map(|row| row[K - 1], rows)).pad(1, 0, constant(0)).take(N);
        zip(rows, before).map(|(row, s)| map(add(s), row)).join() }",
    );
    law("x: [i32; N]", "[i32; N]", "iterate(K + S, map(f), x)", "iterate(K, map(f), iterate(S, map(f), x))");
    law("x: [i32; N]", "[i32; N]", "iterate(0, map(f), x)", "x");
    law("x: [i32; N]", "[i32; N]", "iterate(1, map(f), x)", "map(f, x)");
    for until in [
        "iterate_until(K, |y| y.reduce(max, i32::MIN) > 60, map(f), x)",
        "x.iterate_until(K, |y| y.reduce(max, i32::MIN) > 60, map(f))",
        "iterate_until(K, |y| y.reduce(max, i32::MIN) > 60, map(f)) << x",
    ] {
        let all = "iterate(K, |y| if y.reduce(max, i32::MIN) > 60 { y } else { map(f, y) }, x)";
        law("x: [i32; N]", "[i32; N]", until, all);
    }
    law("x: [i32; N]", "[i32; N]", "iterate_until(K, |_| false, map(f), x)", "iterate(K, map(f), x)");
    law("x: [i32; N]", "[i32; N]", "iterate_until(K, |_| true, map(f), x)", "x");
    law(
        "x: [i32; N]",
        "[i32; N]",
        "x.map(|v| iterate_until(K, |w| w % 5 == 0, f, v))",
        "x.map(|v| iterate(K, |w| if w % 5 == 0 { w } else { f(w) }, v))",
    );
    // Several steps at once: a stencil of a stencil on a larger piece.
    law(
        "x: [i32; N + 2 * K]",
        "[i32; N]",
        "iterate(K, |y| y.pad(1, 1, clamp).slide(3, 1).map(h), x).crop(K, K)",
        "iterate(K, |y| y.pad(1, 1, constant(0)).slide(3, 1).map(h), x).crop(K, K)",
    );
}

#[test]
fn conditions_and_lets() {
    law(
        "x: [i32; N], c: i32",
        "[i32; N]",
        "map(f, if c > 0 { x } else { x.map(g) })",
        "if c > 0 { x.map(f) } else { x.map(f . g) }",
    );
    law(
        "x: [i32; N]",
        "[i32; N]",
        "{ let y = x.map(g); zip(y, y.map(f)).map(p) }",
        "x.map(|v| p(g(v), f(g(v))))",
    );
    law_with(
        "fn twice(k: fn(i32) -> i32, v: i32) -> i32 { k(k(v)) }",
        "x: [i32; N]",
        "[i32; N]",
        "x.map(twice(f))",
        "x.map(f).map(f)",
    );
}
