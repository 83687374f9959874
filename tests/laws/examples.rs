//! The examples and figures of chapter 2, with their letters and numbers.

use lift_laws::interp::Value;

use super::harness::{letters, mistake, value, words};

#[test]
fn example_2_1_convolution_of_17_points() {
    let stencil = "map(|nbh| zip(w, nbh).map(mul).reduce(add, 0)) . slide(17, 1) . pad(8, 8, clamp) << x";
    let weights: Vec<i32> = (1..=17).collect();
    let x = [5, -3, 11, 2];
    let at = |i: i32| x[i.clamp(0, 3) as usize];
    let expected: Vec<i32> = (0..4).map(|i| (0..17).map(|j| (j + 1) * at(i + j - 8)).sum()).collect();
    let inputs = [Value::from_flat(&weights, &[17]), Value::from_flat(&x, &[4])];
    let found = value("w: [i32; 17], x: [i32; 4]", "[i32; 4]", stencil, &inputs);
    assert_eq!(found, Value::from_flat(&expected, &[4]));
}

#[test]
fn example_2_2_convolution_of_17_by_17_points() {
    let stencil = "map2d(|nbh| zip(w, join(nbh)).map(mul).reduce(add, 0)) . slide2d(17, 1) . pad2d(8, 8, 8, 8, wrap, wrap) << x";
    let weights: Vec<i32> = (0..289).map(|i| i % 23 - 7).collect();
    let x: Vec<i32> = (0..12).map(|i| i * i - 40).collect();
    let at = |i: i32, j: i32| x[(i.rem_euclid(3) * 4 + j.rem_euclid(4)) as usize];
    let sum = |i: i32, j: i32| -> i32 {
        (0..289).map(|k| weights[k as usize] * at(i + k / 17 - 8, j + k % 17 - 8)).sum()
    };
    let expected: Vec<i32> = (0..12).map(|k| sum(k / 4, k % 4)).collect();
    let inputs = [Value::from_flat(&weights, &[289]), Value::from_flat(&x, &[3, 4])];
    let found = value("w: [i32; 289], x: [[i32; 4]; 3]", "[[i32; 4]; 3]", stencil, &inputs);
    assert_eq!(found, Value::from_flat(&expected, &[3, 4]));
}

#[test]
fn example_2_3_windows_of_three() {
    let found = value("x: [u8; 7]", "[[u8; 3]; 5]", "slide(3, 1, x)", &[letters("abcdefg")]);
    assert_eq!(found, words("abc bcd cde def efg"));
}

#[test]
fn after_example_2_3_slide_as_split() {
    for e in ["slide(2, 2, x)", "split(2, x)"] {
        let found = value("x: [u8; 6]", "[[u8; 2]; 3]", e, &[letters("abcdef")]);
        assert_eq!(found, words("ab cd ef"));
    }
    // Seven elements leave one over: not defined.
    let text = mistake("x: [u8; 7]", "[[u8; 2]; 3]", "slide(2, 2, x)");
    assert!(text.contains("slide(2, 2)"), "{text}");
    let text = mistake("x: [u8; 7]", "[[u8; 2]; 3]", "split(2, x)");
    assert!(text.contains("7 is not a multiple of 2"), "{text}");
}

#[test]
fn example_2_4_gaps_and_overlaps() {
    let found = value("x: [u8; 7]", "[[u8; 1]; 4]", "slide(1, 2, x)", &[letters("abcdefg")]);
    assert_eq!(found, words("a c e g"));
    let found = value("x: [u8; 6]", "[[u8; 4]; 2]", "slide(4, 2, x)", &[letters("abcdef")]);
    assert_eq!(found, words("abcd cdef"));
}

#[test]
fn example_2_5_boundaries() {
    for (boundary, expected) in [
        ("clamp", "aabcdefggg"),
        ("mirror", "aabcdefggf"),
        ("wrap", "gabcdefgab"),
        // Not in the thesis.
        ("reflect", "babcdefgfe"),
        ("constant(b'_')", "_abcdefg__"),
    ] {
        let found =
            value("x: [u8; 7]", "[u8; 10]", &format!("pad(1, 2, {boundary}, x)"), &[letters("abcdefg")]);
        assert_eq!(found, letters(expected), "{boundary}");
    }
}

#[test]
fn example_2_6_jacobi_of_three_points() {
    let x = Value::from_flat(&[1, 2, 3, 4, 5], &[5]);
    let found = value("x: [i32; 5]", "[i32; 7]", "pad(1, 1, clamp) << x", std::slice::from_ref(&x));
    assert_eq!(found, Value::from_flat(&[1, 1, 2, 3, 4, 5, 5], &[7]));
    let found = value(
        "x: [i32; 5]",
        "[[i32; 3]; 5]",
        "slide(3, 1) . pad(1, 1, clamp) << x",
        std::slice::from_ref(&x),
    );
    assert_eq!(found.to_string(), "[[1, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 5]]");
    let jacobi = "map(reduce(add, 0)) . slide(3, 1) . pad(1, 1, clamp) << x";
    let found = value("x: [i32; 5]", "[i32; 5]", jacobi, &[x]);
    assert_eq!(found, Value::from_flat(&[4, 6, 9, 12, 14], &[5]));
}

#[test]
fn figure_6_padding_a_matrix() {
    let matrix = words("abcd efgh ijkl mnop");
    let steps = [
        ("pad(1, 2, clamp) << x", "[[u8; 4]; 7]", "abcd abcd efgh ijkl mnop mnop mnop"),
        ("transpose . pad(1, 2, clamp) << x", "[[u8; 7]; 4]", "aaeimmm bbfjnnn ccgkooo ddhlppp"),
        (
            "pad(1, 2, wrap) . transpose . pad(1, 2, clamp) << x",
            "[[u8; 7]; 7]",
            "ddhlppp aaeimmm bbfjnnn ccgkooo ddhlppp aaeimmm bbfjnnn",
        ),
        (
            "transpose . pad(1, 2, wrap) . transpose . pad(1, 2, clamp) << x",
            "[[u8; 7]; 7]",
            "dabcdab dabcdab hefghef lijklij pmnopmn pmnopmn pmnopmn",
        ),
        (
            "pad2d(1, 2, 1, 2, clamp, wrap, x)",
            "[[u8; 7]; 7]",
            "dabcdab dabcdab hefghef lijklij pmnopmn pmnopmn pmnopmn",
        ),
    ];
    for (e, ty, expected) in steps {
        assert_eq!(value("x: [[u8; 4]; 4]", ty, e, std::slice::from_ref(&matrix)), words(expected), "{e}");
    }
}

#[test]
fn figure_7_neighbourhoods_of_a_matrix() {
    let matrix = words("abc def ghi");
    let found =
        value("x: [[u8; 3]; 3]", "[[[u8; 3]; 2]; 2]", "slide(2, 1) << x", std::slice::from_ref(&matrix));
    assert_eq!(found, Value::Array([words("abc def"), words("def ghi")].into()));
    let two_by_two = "map(map(transpose) . slide(2, 1) . transpose) . slide(2, 1) << x";
    for e in [two_by_two, "slide2d(2, 1) << x"] {
        let found = value("x: [[u8; 3]; 3]", "[[[[u8; 2]; 2]; 2]; 2]", e, std::slice::from_ref(&matrix));
        let row = |a: &str, b: &str| Value::Array([words(a), words(b)].into());
        assert_eq!(found, Value::Array([row("ab de", "bc ef"), row("de gh", "ef hi")].into()));
    }
}

#[test]
fn example_2_10_sum_of_a_neighbourhood() {
    let nine = Value::from_flat(&[1, 20, 300, 4000, 5, 60, 700, 8000, 9], &[3, 3]);
    for e in ["(reduce(add, 0) . join)(x)", "reduce(add, 0) . map(reduce(add, 0)) << x"] {
        assert_eq!(value("x: [[i32; 3]; 3]", "i32", e, std::slice::from_ref(&nine)), Value::from(13095));
    }
}

#[test]
fn example_2_11_evolution_of_a_cell() {
    // A cell of the thesis's automaton lives if two or three of the nine cells around and including it do.
    let survive = "(if x > 1 && x < 4 { 1 } else { 0 })";
    let expected = [0, 0, 1, 1, 0, 0, 0, 0, 0, 0];
    for (alive, expected) in (0..).zip(expected) {
        assert_eq!(value("x: i32", "i32", survive, &[Value::from(alive)]), Value::from(expected));
    }
}

#[test]
fn definition_2_19_weights_of_the_gaussian_blur() {
    // Radius 1, deviation 1; all weights together are 1.
    let normalised = |k: &str| {
        format!(
            "{{ let k = map(|b| map(mul(b), {k}), {k}); let sum = reduce2d(add, 0.0, k); map2d(|w| w / sum, k) }}"
        )
    };
    let close = |e: &str, expected: [f32; 9]| {
        let found = value("deviation: f32", "[[f32; 3]; 3]", e, &[Value::from(1.0_f32)]).f32s();
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-6, "{found} is not {expected}");
        }
    };
    let at = "|x| (-(x * x) / (2.0 * deviation * deviation)).exp()";
    let formula = normalised(&format!("array(3, |i| i as f32 - 1.0).map({at})"));
    let (corner, edge, centre) = (0.075_113_6, 0.123_841_4, 0.204_179_9);
    close(&formula, [corner, edge, corner, edge, centre, edge, corner, edge, corner]);
    // What the thesis prints are not the formula's values, but its means over the area of each pixel.
    let mean = normalised(&format!(
        "array(3, |i| array(100, |s| i as f32 - 1.5 + (s as f32 + 0.5) / 100.0).map({at}).reduce(add, 0.0))"
    ));
    let (corner, edge, centre) = (0.077847, 0.123317, 0.195346);
    close(&mean, [corner, edge, corner, edge, centre, edge, corner, edge, corner]);
}

#[test]
fn example_3_2_a_kernel_of_the_sobel_filter_is_separable() {
    let inputs = [Value::from_flat(&[1, 2, 1], &[3]), Value::from_flat(&[-1, 0, 1], &[3])];
    let outer = "map(|b| map(mul(b), row), column)";
    let found = value("column: [i32; 3], row: [i32; 3]", "[[i32; 3]; 3]", outer, &inputs);
    assert_eq!(found, Value::from_flat(&[-1, 0, 1, -2, 0, 2, -1, 0, 1], &[3, 3]));
}

#[test]
fn tiling_paper_padding_and_sliding_over_a_matrix() {
    let found = value("x: [[u8; 2]; 2]", "[[u8; 4]; 4]", "pad2d(1, 1, clamp, x)", &[words("ab cd")]);
    assert_eq!(found, words("aabb aabb ccdd ccdd"));
    let found = value("x: [[u8; 3]; 3]", "[[[u8; 2]; 2]; 3]", "map(slide(2, 1), x)", &[words("abc def ghi")]);
    assert_eq!(found, Value::Array([words("ab bc"), words("de ef"), words("gh hi")].into()));
}
