//! Definitions 2.15 to 2.18 and 3.5, and those of the paper on tiling (section 3.4): more dimensions from one.

use super::definitions::BOUNDARIES;
use super::harness::{law, law_with};

#[test]
fn definition_2_15_pad2d() {
    for by in BOUNDARIES {
        for bx in BOUNDARIES {
            law(
                "x: [[i32; M]; N]",
                "[[i32; L + M + R]; T + N + B]",
                &format!("pad2d(T, B, L, R, {by}, {bx}, x)"),
                &format!("transpose . pad(L, R, {bx}) . transpose . pad(T, B, {by}) << x"),
            );
        }
        law(
            "x: [[i32; M]; N]",
            "[[i32; L + M + L]; T + N + T]",
            &format!("pad2d(T, L, {by}, x)"),
            &format!("pad2d(T, T, L, L, {by}, {by}, x)"),
        );
    }
}

#[test]
fn definition_2_16_slide2d() {
    law(
        "x: [[i32; S2 * M - S2 + W2]; S * N - S + W]",
        "[[[[i32; W2]; W]; M]; N]",
        "slide2d(W, S, W2, S2, x)",
        "map(map(transpose) . slide(W2, S2) . transpose) . slide(W, S) << x",
    );
    law(
        "x: [[i32; S * M - S + W]; S * N - S + W]",
        "[[[[i32; W]; W]; M]; N]",
        "slide2d(W, S, x)",
        "slide2d(W, S, W, S, x)",
    );
    law(
        "x: [[i32; S2 * M - S2 + W2]; S * N - S + W]",
        "[[[[i32; W2]; W]; M]; N]",
        "slide2d(W, S, W2, S2, x)",
        "array2d(N, M, |i, j| array2d(W, W2, |a, b| x[i * S + a][j * S2 + b]))",
    );
}

/// `f K nbh`, and the convolution operator: the thesis flattens the weights, row by row.
const CONVOLUTION: &str = "
    fn weigh(k: [i32; a * b], nbh: [[i32; b]; a]) -> i32 { reduce(add, 0) . map(mul) . zip(k) << join(nbh) }
";

#[test]
fn definition_2_17_and_2_18_convolution2d() {
    // Rows by T, columns by L.
    let clamped = "omega[(y + j).max(T).min(T + N - 1) - T][(x + i).max(L).min(L + M - 1) - L]";
    let wrapped = "omega[(y + j + T * N - T) % N][(x + i + L * M - L) % M]";
    for (boundary, element) in [("clamp", clamped), ("wrap", wrapped)] {
        law_with(
            CONVOLUTION,
            "k: [i32; (2 * T + 1) * (2 * L + 1)], omega: [[i32; M]; N]",
            "[[i32; M]; N]",
            &format!(
                "map(map(weigh(k))) . slide2d(2 * T + 1, 1, 2 * L + 1, 1) . pad2d(T, L, {boundary}) << omega"
            ),
            &format!(
                "array2d(N, M, |y, x| array2d(2 * T + 1, 2 * L + 1, |j, i|
                    {element} * k[i + j * (2 * L + 1)]).reduce2d(add, 0))"
            ),
        );
    }
}

#[test]
fn definition_3_5_and_proof_3_2_1_separable_convolution() {
    for boundary in ["clamp", "mirror", "reflect", "wrap"] {
        law_with(
            CONVOLUTION,
            "kx: [i32; 2 * L + 1], ky: [i32; 2 * T + 1], omega: [[i32; M]; N]",
            "[[i32; M]; N]",
            // The weights of both directions at once: Kx times Ky.
            &format!(
                "{{ let k = join(map(|b| map(mul(b), kx), ky));
                map(map(weigh(k))) . slide2d(2 * T + 1, 1, 2 * L + 1, 1) . pad2d(T, L, {boundary}) << omega }}"
            ),
            &format!(
                "map(map(weigh(ky))) . slide2d(2 * T + 1, 1, 1, 1) . pad2d(T, T, 0, 0, {boundary}, {boundary})
                . map(map(weigh(kx))) . slide2d(1, 1, 2 * L + 1, 1) . pad2d(0, 0, L, L, {boundary}, {boundary})
                << omega"
            ),
        );
    }
}

#[test]
fn tiling_paper_map_n() {
    law("x: [[i32; M]; N]", "[[i32; M]; N]", "map2d(f, x)", "map(map(f), x)");
    law("x: [[[i32; O]; M]; N]", "[[[i32; O]; M]; N]", "map3d(f, x)", "map2d(map(f), x)");
    law("x: [[[i32; O]; M]; N]", "[[i32; M]; N]", "map2d(h, x)", "array2d(N, M, |i, j| h(x[i][j]))");
}

#[test]
fn tiling_paper_pad_n() {
    for boundary in BOUNDARIES {
        law(
            "x: [[i32; M]; N]",
            "[[i32; L + M + R]; L + N + R]",
            &format!("pad2d(L, R, L, R, {boundary}, {boundary}, x)"),
            &format!("map(pad(L, R, {boundary}), pad(L, R, {boundary}, x))"),
        );
        law(
            "x: [[[i32; O]; M]; N]",
            "[[[i32; L + O + L]; L + M + L]; L + N + L]",
            &format!("pad3d(L, L, L, {boundary}, x)"),
            &format!("map2d(pad(L, L, {boundary}), pad2d(L, L, L, L, {boundary}, {boundary}, x))"),
        );
        // Another amount in each dimension.
        law(
            "x: [[[i32; O]; M]; N]",
            "[[[i32; L + O + L]; R + M + R]; T + N + T]",
            &format!("pad3d(T, R, L, {boundary}, x)"),
            &format!(
                "map2d(pad(L, L, {boundary})) . map(pad(R, R, {boundary})) . pad(T, T, {boundary}) << x"
            ),
        );
    }
}

#[test]
fn tiling_paper_slide_n() {
    law(
        "x: [[i32; S * M - S + W]; S * N - S + W]",
        "[[[[i32; W]; W]; M]; N]",
        "slide2d(W, S, x)",
        "map(transpose, slide(W, S, map(slide(W, S), x)))",
    );
    let cube = "x: [[[i32; S * O - S + W]; S * M - S + W]; S * N - S + W]";
    law(
        cube,
        "[[[[[[i32; W]; W]; W]; O]; M]; N]",
        "slide3d(W, S, x)",
        "array3d(N, M, O, |i, j, k| array3d(W, W, W, |a, b, c| x[i * S + a][j * S + b][k * S + c]))",
    );
    // The dimensions of the windows go inside by transpositions.
    law(
        cube,
        "[[[[[[i32; W]; W]; W]; O]; M]; N]",
        "slide3d(W, S, x)",
        "map(map(transpose) . transpose) . slide(W, S) . map(slide2d(W, S)) << x",
    );
    law(
        "x: [[[i32; S2 * O - S2 + W2]; M + W - 1]; S * N]",
        "[[[[[[i32; W2]; W]; S]; O]; M]; N]",
        "slide3d(S, S, W, 1, W2, S2, x)",
        "array3d(N, M, O, |i, j, k| array3d(S, W, W2, |a, b, c| x[i * S + a][j + b][k * S2 + c]))",
    );
}

#[test]
fn zips_arrays_and_pieces() {
    law(
        "x: [[i32; M]; N], y: [[i32; M]; N]",
        "[[i32; M]; N]",
        "zip2d(x, y).map2d(p)",
        "array2d(N, M, |i, j| p(x[i][j], y[i][j]))",
    );
    law(
        "x: [[[i32; O]; M]; N], y: [[[i32; O]; M]; N], z: [[[i32; O]; M]; N]",
        "[[[i32; O]; M]; N]",
        "zip3d(x, y, z).map3d(|(a, b, c)| p(p(a, b), c))",
        "array3d(N, M, O, |i, j, k| p(p(x[i][j][k], y[i][j][k]), z[i][j][k]))",
    );
    law(
        "x: [[[i32; O]; M]; N], y: [[[i32; O]; M]; N], z: [[[i32; O]; M]; N]",
        "[[[i32; O]; M]; N]",
        "zip3d(x, y, z, map3d(f, x)).map3d(|(a, b, c, d)| p(p(a, b), p(c, d)))",
        "array3d(N, M, O, |i, j, k| p(p(x[i][j][k], y[i][j][k]), p(z[i][j][k], f(x[i][j][k]))))",
    );
    law(
        "x: [[i32; M]; N], y: [[i32; M]; N]",
        "[[i32; M]; N]",
        "zip2d(x, y, map2d(f, y), map2d(g, x)).map2d(|(a, b, c, d)| p(p(a, b), p(c, d)))",
        "array2d(N, M, |i, j| p(p(x[i][j], y[i][j]), p(f(y[i][j]), g(x[i][j]))))",
    );
    law(
        "x: [[i32; M]; N], y: [[i32; M]; N]",
        "[[i32; M]; N]",
        "zip2d(x, y, x, y, x, y, x, y, map2d(f, x), y).map2d(|(a, b, c, d, e, f, g, h, i, j)| p(p(a, b), p(i, j)))",
        "array2d(N, M, |i, j| p(p(x[i][j], y[i][j]), p(f(x[i][j]), y[i][j])))",
    );
    law(
        "x: [[[i32; O]; M]; N], y: [[[i32; O]; M]; N]",
        "[[[i32; O]; M]; N]",
        "x.zip3d(y, map3d(f, x), map3d(g, y), y).unzip3d().3",
        "array3d(N, M, O, |i, j, k| { let _x = x[i][j][k]; g(y[i][j][k]) })",
    );
    law("x: [[i32; M]; N]", "[[i32; M]; N]", "x", "array2d(N, M, |i, j| x[i][j])");
    law("x: [[[i32; O]; M]; N]", "[[[i32; O]; M]; N]", "x", "array3d(N, M, O, |i, j, k| x[i][j][k])");
    law("x: [[i32; M]; N]", "i32", "reduce2d(add, 0, x)", "reduce(add, 0, join(x))");
    law("x: [[[i32; O]; M]; N]", "i32", "reduce3d(max, -10000, x)", "x.join().join().reduce(max, -10000)");
    law(
        "x: [[i32; W * M]; K * N]",
        "[[[[i32; W]; K]; M]; N]",
        "split2d(K, W, x)",
        "array2d(N, M, |i, j| array2d(K, W, |a, b| x[i * K + a][j * W + b]))",
    );
    law("x: [[i32; W * M]; K * N]", "[[i32; M * W]; N * K]", "join2d(split2d(K, W, x))", "x");
    law(
        "x: [[[[[[i32; 3]; 2]; K]; O]; M]; N]",
        "[[[i32; O * 3]; M * 2]; N * K]",
        "join3d(x)",
        "array3d(N * K, M * 2, O * 3, |i, j, k| x[i / K][j / 2][k / 3][i % K][j % 2][k % 3])",
    );
}
