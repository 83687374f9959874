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
    ] {
        let [by_index, by_map] =
            [by_index, by_map].map(|body| versions(&format!("#[kernel] fn Same{ty} {{ {body} }}")));
        assert_eq!(by_index, by_map, "{ty}");
        assert!(by_map.len() > 1, "{ty}");
    }
}

#[test]
fn what_needs_its_index_is_reduced_by_all_items() {
    let text = "#[kernel] fn Sums<N, K>(x: [f32; N], label: [u32; N], c: [f32; K]) -> [f32; K] {
        array(K, |k| zip(x, label).map(|v, l| if l == k as u32 { v } else { 0.0 }).reduce(add, 0.0) + c[k])
    }";
    assert_eq!(versions(text)[0], "two_stage");
}
