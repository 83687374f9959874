//! Random programs: chains of all primitives, in every variant, against the interpreter.
//!
//! A program is a list of steps, each of which turns one array into another; proptest shortens the list when
//! something goes wrong.

mod common;

use common::{Comparison, compile, device};
use proptest::prelude::*;

/// A step on a one-dimensional array.
#[derive(Debug, Clone)]
enum Step {
    Map(&'static str),
    /// Pad, then windows of just the size that gives the old length again.
    Stencil {
        left: u8,
        right: u8,
        boundary: &'static str,
        function: usize,
    },
    Pad {
        left: u8,
        right: u8,
        boundary: &'static str,
    },
    /// `zip` of the array with a shifted copy of itself.
    Shifted,
    Chunks {
        chunk: u8,
        function: usize,
    },
    Reversed,
    Generated,
    Conditional(&'static str),
}

const SCALARS: &[&str] = &[
    "v * 0.5 + 1.0",
    "-v",
    "v.abs().sqrt()",
    "if v > 0.0 { v } else { 2.0 * v }",
    "v.min(0.5) - v.max(-0.5)",
];
const WINDOWS: &[&str] = &[
    "w.reduce(add, 0.0)",
    "w[0] - 0.5 * w[LAST]",
    "w.map(|v| v * 0.25).reduce(add, 0.0) + w[MIDDLE]",
    "{ let a = w[0]; let b = w.reduce(max, -1000.0); if a < b { a - b } else { a * b } }",
    "zip(w, array(SIZE, |i| i as f32)).map(|(v, i)| v * i).reduce(add, 0.0)",
];
const CHUNKS: &[&str] =
    &["c.map(|v| v - c[0])", "c.map(|v| v + c.reduce(add, 0.0))", "array(SIZE, |i| c[SIZE - 1 - i])"];
const BOUNDARIES: &[&str] = &["clamp", "mirror", "reflect", "wrap", "constant(0.75)"];

fn step() -> impl Strategy<Value = Step> {
    let boundary = prop::sample::select(BOUNDARIES);
    prop_oneof![
        prop::sample::select(SCALARS).prop_map(Step::Map),
        (0_u8..4, 0_u8..4, boundary.clone(), 0..WINDOWS.len())
            .prop_map(|(left, right, boundary, function)| Step::Stencil { left, right, boundary, function }),
        (0_u8..3, 0_u8..3, boundary).prop_map(|(left, right, boundary)| Step::Pad { left, right, boundary }),
        Just(Step::Shifted),
        (1_u8..5, 0..CHUNKS.len()).prop_map(|(chunk, function)| Step::Chunks { chunk, function }),
        Just(Step::Reversed),
        Just(Step::Generated),
        prop::sample::select(SCALARS).prop_map(Step::Conditional),
    ]
}

/// The program's text; `$` in a step stands for the array before it. The input has 12·N elements, so that chunks
/// can be cut as long as the length is a multiple of 12.
fn program(steps: &[Step]) -> String {
    let mut text = String::new();
    let mut extra = 0_i64;
    let mut array = "x".to_string();
    for (i, step) in steps.iter().enumerate() {
        let len = length(extra);
        let line = match step {
            Step::Map(f) => format!("$.map(|v| {f})"),
            Step::Conditional(f) => format!("$.map(|v| if v < 0.25 {{ {f} }} else {{ v - 1.0 }})"),
            Step::Stencil { left, right, boundary, function } => {
                let size = left + right + 1;
                let f = WINDOWS[*function]
                    .replace("LAST", &(size - 1).to_string())
                    .replace("MIDDLE", &left.to_string())
                    .replace("SIZE", &size.to_string());
                format!("$.pad({left}, {right}, {boundary}).slide({size}, 1).map(|w| {f})")
            }
            Step::Pad { left, right, boundary } => {
                extra += i64::from(left + right);
                format!("$.pad({left}, {right}, {boundary})")
            }
            Step::Shifted => {
                extra -= 1;
                format!("zip($.take({len} - 1), $.drop(1)).map(|(a, b)| a - 0.5 * b)")
            }
            Step::Chunks { chunk, function } if extra % 12 == 0 && 12 % chunk == 0 => {
                let f = CHUNKS[*function].replace("SIZE", &chunk.to_string());
                format!("$.split({chunk}).map(|c| {f}).join()")
            }
            Step::Chunks { .. } => "$".into(),
            Step::Reversed => format!("array({len}, |i| $[{len} - 1 - i])"),
            Step::Generated => format!("zip($, array({len}, |i| (i % 7) as f32)).map(|(a, b)| a * 0.5 + b)"),
        };
        text.push_str(&format!("let x{i} = {};\n", line.replace('$', &array)));
        array = format!("x{i}");
    }
    format!("#[kernel] fn Random<N>(x: [f32; 12 * N]) -> [f32; {}] {{\n{text}{array}\n}}", length(extra))
}

fn length(extra: i64) -> String {
    if extra < 0 { format!("12 * N - {}", -extra) } else { format!("12 * N + {extra}") }
}

/// A step on a two-dimensional array that keeps its shape, or transposes it.
#[derive(Debug, Clone)]
enum Step2 {
    Map(&'static str),
    Stencil { top: u8, bottom: u8, left: u8, right: u8, by: &'static str, bx: &'static str, function: usize },
    Transpose,
    RowMean,
}

const WINDOWS_2D: &[&str] = &[
    "w.join().reduce(add, 0.0)",
    "w[0][0] - 0.5 * w[BOTTOM][RIGHT]",
    "w.map(|row| row[0] * row.reduce(max, -1000.0)).reduce(add, 0.0)",
    "w.transpose().map(reduce(add, 0.0)).reduce(max, -1000.0)",
];

fn step2() -> impl Strategy<Value = Step2> {
    let boundary = prop::sample::select(BOUNDARIES);
    let amounts = (0_u8..3, 0_u8..3, 0_u8..3, 0_u8..3);
    prop_oneof![
        prop::sample::select(SCALARS).prop_map(Step2::Map),
        (amounts, boundary.clone(), boundary, 0..WINDOWS_2D.len()).prop_map(
            |((top, bottom, left, right), by, bx, function)| Step2::Stencil {
                top,
                bottom,
                left,
                right,
                by,
                bx,
                function
            }
        ),
        Just(Step2::Transpose),
        Just(Step2::RowMean),
    ]
}

fn program2(steps: &[Step2]) -> String {
    let mut text = "x".to_string();
    let mut shape = ("N", "M");
    for step in steps {
        match step {
            Step2::Map(f) => text.push_str(&format!(".map2d(|v| {f})")),
            Step2::Stencil { top, bottom, left, right, by, bx, function } => {
                let (height, width) = (top + bottom + 1, left + right + 1);
                let f = WINDOWS_2D[*function]
                    .replace("BOTTOM", &(height - 1).to_string())
                    .replace("RIGHT", &(width - 1).to_string());
                text.push_str(&format!(
                    ".pad2d({top}, {bottom}, {left}, {right}, {by}, {bx}).slide2d({height}, 1, {width}, 1).map2d(|w| {f})"
                ));
            }
            Step2::Transpose => {
                text.push_str(".transpose()");
                shape = (shape.1, shape.0);
            }
            Step2::RowMean => {
                text.push_str(&format!(
                    ".map(|r| {{ let m = r.reduce(add, 0.0) / {} as f32; r.map(|v| v - m) }})",
                    shape.1
                ));
            }
        }
    }
    format!("#[kernel] fn Random<N, M>(x: [[f32; M]; N]) -> [[f32; {}]; {}] {{ {text} }}", shape.1, shape.0)
}

fn check(text: &str, sizes: &[&[(&str, i64)]], seed: u64) {
    let device = device();
    for compiled in compile(text) {
        for sizes in sizes {
            let tunables = &[("TILE_X", 1 + (seed % 9) as i64), ("TILE_Y", 1 + (seed % 4) as i64)];
            Comparison { compiled: &compiled, sizes, tunables, seed }.run(&device);
        }
    }
}

fn config() -> ProptestConfig {
    // More on request: LIFT_RANDOM_CASES=1000 cargo test --test random
    let cases = std::env::var("LIFT_RANDOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    ProptestConfig { cases, max_shrink_iters: 60, failure_persistence: None, ..Default::default() }
}

/// A random expression of integers of one type, over `a` and `b`.
fn integer(ty: &'static str) -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![Just("a".to_string()), Just("b".to_string()), (0..100_u8).prop_map(|n| n.to_string())];
    leaf.prop_recursive(4, 24, 2, move |inner| {
        let pair = (inner.clone(), inner.clone());
        let infix = prop::sample::select(&["+", "-", "*", "/", "%", "&", "|", "^"]);
        let method = prop::sample::select(&[
            "min",
            "max",
            "rem_euclid",
            "div_euclid",
            "wrapping_mul",
            "saturating_add",
            "saturating_sub",
        ]);
        let counted =
            prop::sample::select(&["wrapping_shl", "wrapping_shr", "rotate_left", "rotate_right", "pow"]);
        let counts = prop::sample::select(&["count_ones", "leading_zeros", "trailing_zeros"]);
        let types = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "f32", "f64"];
        let through = prop::sample::select(types);
        prop_oneof![
            4 => (pair.clone(), infix).prop_map(|((x, y), op)| format!("({x} {op} {y})")),
            2 => (pair.clone(), method).prop_map(|((x, y), f)| format!("(({x}) as T).{f}({y})")),
            1 => (inner.clone(), counted, 0..70_u8).prop_map(|(x, f, n)| format!("(({x}) as T).{f}({n})")),
            1 => (inner.clone(), counts).prop_map(|(x, f)| format!("((({x}) as T).{f}() as T)")),
            1 => (inner.clone(), through).prop_map(|(x, by)| format!("((({x}) as T) as {by} as T)")),
            1 => (pair, inner).prop_map(|((x, y), z)| format!("(if {x} < {y} {{ !{z} }} else {{ {x} }})")),
        ]
    })
    .prop_map(move |e| e.replace('T', ty))
}

const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"];

fn integers() -> impl Strategy<Value = (&'static str, String)> {
    prop::sample::select(INTEGERS).prop_flat_map(|ty| (Just(ty), integer(ty)))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn in_one_dimension(steps in prop::collection::vec(step(), 1..4), seed in 1_u64..1_000_000) {
        check(&program(&steps), &[&[("N", 1)], &[("N", 5)]], seed);
    }

    #[test]
    fn in_two_dimensions(steps in prop::collection::vec(step2(), 1..3), seed in 1_u64..1_000_000) {
        check(&program2(&steps), &[&[("N", 1), ("M", 2)], &[("N", 7), ("M", 11)]], seed);
    }

    #[test]
    fn with_integers_of_all_widths((ty, e) in integers(), seed in 1_u64..1_000_000) {
        let text = format!(
            "#[kernel] fn Random<N>(a: [{ty}; N], b: [{ty}; N]) -> [{ty}; N] {{ zip(a, b).map(|(a, b)| {e}) }}"
        );
        check(&text, &[&[("N", 67)]], seed);
    }
}
