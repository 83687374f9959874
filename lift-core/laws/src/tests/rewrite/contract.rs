//! Which products are not rounded.

use lift_core::rewrite::normalise;
use lift_core::rewrite::rules::contract::contracted;

use crate::testing::kernel;

/// What becomes of a function of `a`, `b`, `c` and `d`.
fn of(value: &str) -> String {
    let text = format!(
        "#[kernel] fn F<N>(x: [(f32, f32, f32, f32); N]) -> [f32; N] {{ x.map(|(a, b, c, d)| {value}) }}"
    );
    let body = contracted(&normalise(&kernel(&text))).to_string();
    let (name, value) = body.strip_prefix("x.map(|").unwrap().split_once("| ").unwrap();
    let value = value.strip_suffix(')').unwrap();
    ["a", "b", "c", "d"]
        .iter()
        .enumerate()
        .fold(value.to_string(), |value, (i, letter)| value.replace(&format!("{name}.{i}"), letter))
}

#[test]
fn of_two_products_the_right_one_is_not_rounded() {
    for (written, contracted) in [
        ("a * b + c", "a.mul_add(b, c)"),
        ("c + a * b", "a.mul_add(b, c)"),
        ("a * b + c * d", "c.mul_add(d, a * b)"),
        ("a * b - c", "a.mul_add(b, -c)"),
        ("a * b - 2.0", "a.mul_add(b, -2.0)"),
        ("c - a * b", "(-a).mul_add(b, c)"),
        ("c - 0.5 * b", "-0.5.mul_add(b, c)"),
        ("c - -a * b", "a.mul_add(b, c)"),
        ("a * b - c * d", "(-c).mul_add(d, a * b)"),
        ("a * b + c * d + a * d", "a.mul_add(d, c.mul_add(d, a * b))"),
        ("(a + b) * c + d", "(a + b).mul_add(c, d)"),
        ("a + b - c", "a + b - c"),
        ("a * b / c + d", "a * b / c + d"),
        ("-(a * b) + c", "-(a * b) + c"),
        ("{ let p = a * b; p + c }", "a.mul_add(b, c)"),
    ] {
        assert_eq!(of(written), contracted, "{written}");
    }
    // What has a name and is used twice is rounded, and integers are never.
    let twice = of("{ let p = a * b; (p + c) * p }");
    assert!(twice.contains("(p + c) * p"), "{twice}");
    let integers = kernel("#[kernel] fn F<N>(x: [i32; N]) -> [i32; N] { x.map(|a| a * a + a) }");
    assert_eq!(contracted(&integers.body), integers.body);
}

#[test]
fn sums_of_products_add_them_as_they_are() {
    for (written, contracted) in [
        ("zip(x, y).map(mul).reduce(add, 0.0)", ".0 · x_y.1"),
        ("zip(x, y).map(mul).fold(add, 1.0)", ".0 · x_y.1"),
        ("zip(x, y).map(|(a, b)| { let c = a + b; c * c }).reduce(add, 0.0)", "c · c"),
        ("zip(x.split(2), y.split(2)).map(|(r, s)| zip(r, s).map(mul)).join().reduce(add, 0.0)", " · "),
        ("zip(x, y).map(|(a, b)| (a * b, a)).fold(|s, t| s + t.0 * t.1, 0.0)", ".mul_add("),
        ("zip(x, y).fold(|s, (a, b)| s + a * b, 0.0)", ".mul_add("),
        ("zip(x, y).map(mul).reduce(max, f32::NEG_INFINITY)", ".0 * x_y.1"),
    ] {
        let text =
            format!("#[size(N % 2 == 0)] #[kernel] fn F<N>(x: [f32; N], y: [f32; N]) -> f32 {{ {written} }}");
        let body = contracted_text(&text);
        assert!(body.contains(contracted), "{written}: {body}");
    }
    let pairs = contracted_text(
        "#[kernel] fn F<N>(x: [f32; N]) -> (f32, f32) { x.map(|a| (a * a, a)).reduce(|(a, b), (c, d)| (a + c, b + d), (0.0, 0.0)) }",
    );
    assert!(pairs.contains(" · "), "{pairs}");
}

fn contracted_text(text: &str) -> String {
    contracted(&normalise(&kernel(text))).to_string()
}
