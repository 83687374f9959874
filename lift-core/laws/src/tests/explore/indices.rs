//! Programs that name their indices have the versions of those that map.

use lift_core::pipeline;

/// The names of a program's versions for OpenCL, in the order in which a GPU tries them.
fn versions(text: &str) -> Vec<&'static str> {
    let compilation = pipeline::compile(text.parse().unwrap());
    let messages: Vec<String> = compilation.diagnostics.iter().map(|d| d.text()).collect();
    assert!(messages.is_empty(), "{text}\n{}", messages.join("\n"));
    compilation.kernels[0].gpu_order.clone()
}

#[test]
fn indices_or_maps_make_no_difference() {
    for (ty, by_index, by_map) in [
        (
            "<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]",
            "array2d(N, M, |i, j| array(K, |k| a[i][k] * b[k][j]).reduce(add, 0.0))",
            "a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))",
        ),
        (
            "<N, M>(a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N]",
            "array(N, |i| y[i] + array(M, |j| a[i][j] * x[j]).reduce(add, 0.0))",
            "zip(a, y).map(|row, y| y + zip(row, x).map(mul).reduce(add, 0.0))",
        ),
        (
            "<N, M>(a: [[f32; M]; N]) -> [f32; M]",
            "array(M, |j| array(N, |i| a[i][j]).reduce(max, f32::NEG_INFINITY))",
            "a.transpose().map(|column| column.reduce(max, f32::NEG_INFINITY))",
        ),
        (
            "<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N]",
            "array(N, |i| { let s = a[i].reduce(add, 0.0); array(M, |j| a[i][j] / s) })",
            "a.map(|row| { let s = row.reduce(add, 0.0); row.map(|v| v / s) })",
        ),
        (
            "<N, M>(x: [f32; N], y: [f32; M]) -> [f32; N]",
            "array(N, |i| array(M, |j| (x[i] - y[j]).abs()).reduce(min, f32::INFINITY))",
            "x.map(|a| y.map(|b| (a - b).abs()).reduce(min, f32::INFINITY))",
        ),
        (
            "<N>(x: [f32; N], y: [f32; N]) -> f32",
            "array(N, |i| x[i] * y[i]).reduce(add, 0.0)",
            "zip(x, y).map(mul).reduce(add, 0.0)",
        ),
        (
            "<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N]",
            "array(N, |i| a[i].scan(add, 0.0))",
            "a.map(scan(add, 0.0))",
        ),
        (
            "<N, M>(u: [[f32; M + 2]; N + 2]) -> [[f32; M]; N]",
            "array2d(N, M, |i, j| u[i][j + 1] + u[i + 2][j + 1] - u[i + 1][j] - u[i + 1][j + 2])",
            "u.slide2d(3, 1).map2d(|w| w[0][1] + w[2][1] - w[1][0] - w[1][2])",
        ),
        (
            "<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N]",
            "array2d(N, M, |i, j| { let up = max(i, 1) - 1; u[up][min(j + 1, M - 1)] - u[min(i + 1, N - 1)][max(j, 1) - 1] })",
            "u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][2] - w[2][0])",
        ),
        (
            "<N>(u: [f32; N], v: [f32; N]) -> [f32; N]",
            "array(N, |i| v[i] * (u[(i + 1) % N] - u[(i + N - 1) % N]))",
            "zip(u.pad(1, 1, wrap).slide(3, 1), v).map(|w, v| v * (w[2] - w[0]))",
        ),
        (
            "<N, M>(u: [[f32; M + 16]; N + 16], c: [[f32; 17]; 17]) -> [[f32; M]; N]",
            "array2d(N, M, |i, j| array2d(17, 17, |a, b| c[a][b] * u[i + a][j + b]).reduce2d(add, 0.0))",
            "u.slide2d(17, 1).map2d(|w| zip2d(c, w).map2d(mul).reduce2d(add, 0.0))",
        ),
        (
            "<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N]",
            "iterate(9, |u| array2d(N, M, |i, j| 0.5 * u[i][(j + 1) % M] + 0.5 * u[(i + N - 1) % N][j]), u)",
            "iterate(9, |u| u.pad2d(1, 0, 0, 1, wrap, wrap).slide2d(2, 1).map2d(|w| 0.5 * w[1][1] + 0.5 * w[0][0]), u)",
        ),
        (
            "<N, M>(u: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N])",
            "(array2d(N, M, |i, j| u[min(i + 1, N - 1)][j]), array2d(N, M, |i, j| u[i][min(j + 1, M - 1)] - u[i][j]))",
            "u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| (w[2][1], w[1][2] - w[1][1])).unzip2d()",
        ),
    ] {
        let [by_index, by_map] =
            [by_index, by_map].map(|body| versions(&format!("#[kernel] fn Same{ty} {{ {body} }}")));
        assert_eq!(by_index, by_map, "{ty}");
        assert!(by_map.len() > 1, "{ty}");
    }
}

#[test]
fn tuples_and_values_of_windows_have_the_versions_of_scalars() {
    let scalars = versions(
        "#[kernel] fn Plain<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
            u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] - w[2][2])
        }",
    );
    for body in [
        "u.map2d(|x| (x, x * x)).pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1].0 - w[2][2].1)",
        "{ let w = u.pad2d(1, 1, clamp).slide2d(3, 1);
            zip2d(w.map2d(|w| w[0][1] - w[1][1]), w.map2d(|w| w[2][2])).map2d(|x, y| x * x - y * y) }",
        "{ let x = array2d(N, M, |i, j| u[i][min(j + 1, M - 1)] - u[i][j]); let y = array2d(N, M, |i, j| u[max(i, 1) - 1][j] - u[i][j]);
            array2d(N, M, |i, j| x[i][j] * x[i][j] - y[i][j]) }",
    ] {
        let text = format!("#[kernel] fn Same<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {{ {body} }}");
        assert_eq!(versions(&text), scalars, "{body}");
    }
    let apart = "#[kernel] fn Apart<N, M>(u: [[f32; M]; N], v: [f32; M]) -> ([[f32; M]; N], [f32; M]) {
        (array2d(N, M, |i, j| u[i][j] - u[min(i + 1, N - 1)][j]), array(M, |j| v[j] + v[(j + 1) % M]))
    }";
    assert_eq!(versions(apart)[0], "registers");
    let pairs = "#[kernel] fn Pairs<N, M>(u: [[(f32, f32); M]; N]) -> [[f32; M]; N] {
        u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1].0 - w[2][2].1)
    }";
    assert_eq!(versions(pairs), scalars);
}

/// Differences of sums over rectangles, or a window as long as an array.
#[test]
fn what_lies_far_apart_is_no_window() {
    let far = "#[kernel] fn Boxes<N, M>(s: [[f32; M + 64]; N + 64]) -> [[f32; M]; N] {
        array2d(N, M, |i, j| s[i + 64][j + 64] - s[i][j + 64] - s[i + 64][j] + s[i][j])
    }";
    assert_eq!(versions(far)[0], "strided");
    let lags = "#[kernel] fn Lags<N>(x: [f32; N + 255]) -> [f32; 256] {
        array(256, |lag| array(N, |i| x[i] * x[i + lag]).reduce(add, 0.0))
    }";
    assert_eq!(versions(lags)[0], "two_stage");
}

#[test]
fn what_needs_its_index_is_reduced_by_all_items() {
    let text = "#[kernel] fn Sums<N, K>(x: [f32; N], label: [u32; N], c: [f32; K]) -> [f32; K] {
        array(K, |k| zip(x, label).map(|v, l| if l == k as u32 { v } else { 0.0 }).reduce(add, 0.0) + c[k])
    }";
    assert_eq!(versions(text)[0], "two_stage");
}
