//! Types and sizes: what is inferred, what is proved, what is left to the launch, and what is refused.

use common::compile;
use lift_core::diag::Diagnostic;
use lift_core::pipeline;

fn type_of(text: &str) -> String {
    compile(text).remove(0).kernel.type_text()
}

fn checks(text: &str) -> Vec<String> {
    compile(text).remove(0).kernel.checks.into_iter().map(|c| c.message).collect()
}

fn mistakes(text: &str) -> Vec<Diagnostic> {
    pipeline::compile(text.parse().expect("tokens")).diagnostics
}

fn mistake(text: &str) -> String {
    let list = mistakes(text);
    assert_eq!(list.len(), 1, "{:?}", list.iter().map(Diagnostic::text).collect::<Vec<_>>());
    list[0].text()
}

#[test]
fn expressions_are_inferred() {
    assert_eq!(type_of("map(|x| x * 2.0)"), "[f32; N] -> [f32; N]");
    assert_eq!(type_of("map(map(|x| x + 1)) . transpose"), "[[i32; M]; N] -> [[i32; N]; M]");
    assert_eq!(type_of("map(|w| w[0] / 2.0) . slide(3, 1)"), "[f32; N] -> [f32; N - 2]");
    assert!(mistake("slide(3, 1)").contains("cannot be inferred"));
    assert_eq!(
        type_of("{ fn f(w: [[u8; 5]; 3]) -> i32 { w[0][4] as i32 } map2d(f) . slide2d(3, 1, 5, 1) }"),
        "[[u8; M]; N] -> [[i32; M - 4]; N - 2]"
    );
    assert_eq!(
        type_of("|x: [f32; W], y| zip(x, y).map(|(a, b)| if b { a } else { 0.0 })"),
        "([f32; W], [bool; W]) -> [f32; W]"
    );
    assert_eq!(type_of("|x: [usize; N]| x.map(|i| i + 1).reduce(add, 0)"), "[usize; N] -> usize");
}

#[test]
fn lengths_are_compared_as_polynomials() {
    let same = "#[kernel] fn K<N>(x: [f32; 1 + N], y: [f32; N + 1]) -> [f32; 2 * N + 2 - N - 1] { zip(x, y).map(add) }";
    assert_eq!(checks(same), [""; 0]);
    let product = "#[kernel] fn K<N, M>(x: [[f32; M]; N], y: [f32; M * N]) -> [f32; N * M] { zip(x.join(), y).map(mul) }";
    assert_eq!(checks(product), [""; 0]);
}

#[test]
fn what_cannot_be_proved_is_checked_at_launch() {
    let split = "#[kernel] fn K<N>(x: [f32; N]) -> [[f32; 128]; N / 128] { x.split(128) }";
    assert_eq!(
        checks(split),
        ["`split(128)` needs a length that 128 divides, but N leaves a remainder of {left}{sizes}"]
    );
    let step = "#[kernel] fn K<N>(x: [f32; N]) -> [f32; (N - 1) / 2] { x.slide(3, 2).map(|w| w[1]) }";
    assert_eq!(checks(step), ["`slide(3, 2)` over N elements would leave {left} of them out{sizes}"]);
    let window = "#[kernel] fn K<N>(x: [f32; N]) -> [[f32; N - 4]; N] { x.map_global(0, |v| x.slide_seq(5, 1).map_seq(|w| w[2] + v)) }";
    assert_eq!(
        checks(window),
        ["a window of {left} does not fit into an array of N = {right} elements{sizes}"]
    );
}

/// What is shorter than a window has none. Where all outputs are empty then, nothing is computed, so that lengths stay as they are; else
/// they are at least 0.
#[test]
fn windows_may_lack() {
    let alone = "#[kernel] fn K<N>(x: [f32; N]) -> [f32; N - 4] { x.slide(5, 1).map(|w| w[2]) }";
    assert_eq!(checks(alone), [""; 0]);
    assert_eq!(type_of("|x: [f32; N]| x.slide(3, 1).map(|w| w[2])"), "[f32; N] -> [f32; N - 2]");
    let two = "|x: [f32; N], y: [f32; M]| (x.slide(3, 1).map(|w| w[2]), y.slide(2, 1).map(|w| w[1]))";
    assert!(type_of(two).ends_with("-> ([f32; max(N - 2, 0)], [f32; M - 1])"), "{}", type_of(two));
    let again = "|x: [f32; N]| x.slide(3, 1).map(|w| w[2]).slide(3, 1).map(|w| w[2])";
    assert_eq!(type_of(again), "[f32; N] -> [f32; N - 4]");
    // Mistakes are those of windows that are there.
    assert!(
        mistake(
            "#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { zip(x, x.slide(3, 1).map(|w| w[1])).map(add) }"
        )
        .contains("N - 2")
    );
}

#[test]
fn elements_that_are_repeated_or_gathered_are_there() {
    let of = |ty: &str, body: &str| checks(&format!("#[kernel] fn K<N>(x: [f32; N]) -> {ty} {{ {body} }}"));
    let repeated = "`pad` needs an element to repeat, but its array has N - 1 = {right}";
    for boundary in ["clamp", "mirror", "reflect", "wrap", "|i, n| if i < n { 0 } else { n - 1 }"] {
        assert_eq!(of("[f32; N]", &format!("x.drop(1).pad(1, 0, {boundary})")), [repeated], "{boundary}");
        assert_eq!(of("[f32; N - 1]", &format!("x.drop(1).pad(0, 0, {boundary})")), [""; 0], "{boundary}");
        assert_eq!(of("[f32; N + 1]", &format!("x.pad(1, 0, {boundary})")), [""; 0], "{boundary}");
    }
    for boundary in ["constant(0.5)", "value(|i, n| if i < n { 0.5 } else { 1.5 })"] {
        assert_eq!(of("[f32; N]", &format!("x.drop(1).pad(1, 0, {boundary})")), [""; 0], "{boundary}");
    }
    let read = "`gather` needs an element to read, but its array has N - 1 = {right}";
    assert_eq!(of("[f32; 3]", "gather([0, 0, 0], x.drop(1))"), [read]);
    assert_eq!(of("[f32; N - 1]", "gather(array(N - 1, |i| i), x.drop(1))"), [""; 0]);
    assert_eq!(of("[f32; N]", "gather(array(N, |i| i), x)"), [""; 0]);
    let parts = "#[kernel] fn K<N, M>(x: [f32; N], y: [f32; M]) -> ([f32; N / (M - 1)], [f32; M]) { (x.take(N / (M - 1)), y) }";
    assert!(
        checks(parts).contains(&"a size is divided by M - 1 = {right}".to_string()),
        "{:?}",
        checks(parts)
    );
}

#[test]
fn promises_are_known_and_checked() {
    let text = "#[kernel] #[size(N % 128 == 0, N >= 256)]
        fn K<N>(x: [f32; N]) -> [[f32; 64]; N / 64] { x.take(N).split(64) }";
    assert_eq!(
        checks(text),
        [
            "`#[size(N % 128 == 0)]` does not hold: N % 128 is {left}{sizes}",
            "`#[size(N >= 256)]` does not hold: N is {right}{sizes}"
        ]
    );
    let text = "#[kernel] #[size(N < M, 3 < M)] fn K<N, M>(x: [f32; N], _y: [f32; M]) -> [f32; N] { x }";
    assert_eq!(
        checks(text),
        [
            "`#[size(N < M)]` does not hold: N is {left} and M - 1 is {right}{sizes}",
            "`#[size(M > 3)]` does not hold: M is {right}{sizes}"
        ]
    );
    let text = "#[size(4 * P <= Q)] fn f<P, Q>(x: [f32; P], _y: [f32; Q]) -> [f32; P] { x }
        #[kernel] fn K<N, M>(x: [f32; N], y: [f32; M]) -> [f32; N] { f(x, y) }";
    assert_eq!(checks(text), ["`f` needs 4 * N <= M, but 4 * N is {left} and M is {right}{sizes}"]);
    assert!(
        mistake("#[kernel] #[size(N + 1 == N)] fn K<N>(x: [f32; N]) -> [f32; N] { x }")
            .contains("never holds")
    );
}

/// What conditions say of an index, also that it is another one than that at an end of its range.
#[test]
fn conditions_bound_indices() {
    let of = |body: &str| {
        let text = format!("#[kernel] fn K<N>(x: [f32; N], t: [f32; 8]) -> [f32; N] {{ {body} }}");
        pipeline::check(text.parse().unwrap()).iter().map(|d| d.text()).collect::<Vec<_>>().join("\n")
    };
    for body in [
        "array(N, |i| if i == 0 { t[0] } else { x[i - 1] })",
        "array(N, |i| if i != 0 { x[i - 1] } else { t[0] })",
        "array(N, |i| if i == 0 || i == N - 1 { t[0] } else { x[i - 1] + x[i + 1] })",
        "array(N, |i| if !(i > 0 && i < N - 1) { t[0] } else { t[1] })",
        "array(N, |i| if !(i < 1) { x[i - 1] } else { t[0] })",
        "x.map(|v| zip(t, array(8, |j| j)).map(|a, j| a * t[7 - j]).reduce(add, v))",
        "array(N, |i| x[if i == 0 { N - 1 } else { i - 1 }])",
        "array(N, |i| { let next = if i + 1 < N { i + 1 } else { 0 }; x[next] })",
    ] {
        let found = of(body);
        assert!(!found.contains("L023"), "{body}\n{found}");
    }
    for body in [
        "array(N, |i| if i == 0 { t[0] } else { x[i + 1] })",
        "array(N, |i| if i == 1 { t[0] } else { x[i - 1] })",
        "array(N, |i| if i == 0 && i == N - 1 { t[0] } else { x[i - 1] })",
        "array(N, |i| if i != 0 || i < 3 { x[i - 1] } else { t[0] })",
        "x.map(|v| zip(t, array(8, |j| j + 1)).map(|a, j| a * t[j]).reduce(add, v))",
        "array(N, |i| x[if i == 1 { 0 } else { i - 1 }])",
        "array(N, |i| { let next = if i < N { i + 1 } else { 0 }; x[next] })",
    ] {
        assert!(of(body).contains("L0234"), "{body}\n{}", of(body));
    }
    let table = "x.map(|v| { let i = (v as usize).min(N - 2); x[i + 1] - x[i] })";
    assert!(of(table).contains("`#[size(N >= 2)]`"), "{}", of(table));
}

#[test]
fn what_is_refuted_is_an_error() {
    for (text, code) in [
        ("#[kernel] fn K(x: [f32; 16]) -> [[f32; 7]; 2] { x.split(7) }", "L0220"),
        ("#[kernel] fn K<N>(x: [f32; 2 * N]) -> [f32; N] { x }", "L0240"),
        ("#[kernel] fn K<N>(x: [f32; N], y: [f32; N + 1]) -> [f32; N] { zip(x, y).map(add) }", "L0210"),
        ("#[kernel] fn K(x: [f32; 3]) -> [f32; 1] { x.slide(5, 1).map(|w| w[0]) }", "L0231"),
        ("#[kernel] fn K(x: [f32; 6]) -> [f32; 2] { x.slide(3, 2).map(|w| w[0]) }", "L0232"),
        ("#[kernel] fn K(x: [f32; 6]) -> [f32; 1] { x.take(0).pad(1, 0, clamp) }", "L0230"),
        ("#[kernel] fn K<N>(x: [f32; N], i: [u8; N]) -> [f32; N] { gather(i, x.take(0)) }", "L0230"),
        ("#[kernel] fn K(x: [f32; 17]) -> f32 { x[17] }", "L0233"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { x[1] }", "L0234"),
        ("#[kernel] fn K<N>(i: usize, x: [f32; N]) -> f32 { x[i] }", "L0234"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { array(N, |i| x[i + 1]) }", "L0234"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { array(N, |i| x[i - 1]) }", "L0234"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { x[0] + x[0.5] }", "L0209"),
        ("#[kernel] fn K<N>(x: [f32; N], i: [f32; 3]) -> [f32; 3] { gather(i, x) }", "L0209"),
        ("#[kernel] fn K<N>(x: [f32; N], i: [bool; 3]) -> [f32; 3] { gather(i, x) }", "L0209"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.reorder(|i, n| i + 1) }", "L0235"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.reorder(|i, n| n - i) }", "L0235"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.scatter(|i, n| 2 * i) }", "L0235"),
        ("#[kernel] fn K<N>(x: [f32; N], k: usize) -> [f32; N] { x.reorder(|i, n| (i + k) / 2) }", "L0235"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.scatter(|i, n| 0) }", "L0236"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.reorder(|_, n| n / 2) }", "L0236"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { x.reduce(|a, b| a / b, 1.0) }", "L0330"),
        ("#[kernel] fn K<N>(x: [i32; N]) -> i32 { x.reduce(add, 1) }", "L0331"),
        ("#[kernel] fn K<N>(x: [i32; N]) -> i32 { x.reduce(add, 0.0) }", "L0204"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| v + 1) }", "L0250"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x + x }", "L0251"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| if v { 1.0 } else { 0.0 }) }", "L0253"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| if v > 0.0 { 1.0 } else { 0 }) }", "L0254"),
        ("#[kernel] fn K<N>(x: [bool; N]) -> [f32; N] { x.map(|v| v as f32) }", "L0255"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| v.1) }", "L0257"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|(a, b)| a + b) }", "L0258"),
        ("#[kernel] fn K<N>(x: [[f32; 2]; N]) -> [f32; N] { x.map(|[a, b, c]| a + b * c) }", "L0258"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { let [a, b] = x; a + b }", "L0258"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { x.reduce(|(a, b)| a + b, 0.0) }", "L0206"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { x.reduce(|a, b| a + b > 0.0, 0.0) }", "L0207"),
        ("#[kernel] fn K<N>(x: [u8; N]) -> [u8; N + 2] { x.pad(1, 1, constant(0.5)) }", "L0208"),
        (
            "#[kernel] fn K<N>(x: [[f32; 300]; N]) -> [f32; 300] { x.reduce(|a, b| if a[0] > b[0] { a } else { b }, repeat(300, 0.0)) }",
            "L0216",
        ),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map2d(|v| v) }", "L0203"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x[0].map(|v| v) }", "L0203"),
        ("#[kernel] fn K<N, M>(x: [f32; N]) -> [f32; N] { array(N, |i| x[i] + M as f32) }", "L0106"),
        ("#[kernel] fn K<N>(x: [f32; N * N]) -> [f32; N * N] { x }", "L0213"),
        (
            "#[kernel] fn K<N, M>(x: [[f32; M]; N]) -> [f32; N] { x.map(|r| r.map(|v| v.sqrt()).materialize().reduce(add, 0.0)) }",
            "L0270",
        ),
        (
            "#[kernel] fn K<N>(k: [usize; 4], x: [f32; N]) -> [f32; N] { iterate(k[0], |x| x.map(|v| v * 0.5), x) }",
            "L0271",
        ),
        ("#[kernel] fn K<N>(x: [f128; N]) -> [f32; N] { x.map(|v| v as f32) }", "L0105"),
        ("#[kernel] fn K(x: [f32; 3]) -> [f32; P] { x }", "L0106"),
        ("#[kernel] #[types(T = f32, i32)] fn K<T, N>(x: [T; N]) -> [T; N] { x.map(|v| v.sqrt()) }", "L0251"),
        (
            "#[kernel] #[types(T = i32, f32, f64)] fn K<T, N>(x: [T; N]) -> [T; N] { x.map(|v| v + 1) }",
            "L0250",
        ),
        ("#[kernel] #[types(T = i32, i64)] fn K<T, N>(x: [T; N]) -> [T; N] { x.map(|v| v as i32) }", "L0240"),
        ("#[kernel] #[types(T = i32; U = i64)] fn K<T, N>(x: [T; N]) -> [T; N] { x }", "L0147"),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             fn f(p: Point) -> f32 { p.x } #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| f(Other { x: v })) }",
            "L0200",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| Other { x: v }.y) }",
            "L0121",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| v.x) }",
            "L0121",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| Other { x: 1i32 }.x) }",
            "L0123",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| { let Point { x, .. } = Other { x: v }; x }) }",
            "L0258",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| (Other { x: v } + Other { x: v }).x) }",
            "L0251",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| if v > 0.0 { Other { x: v } } else { Point { x: v, y: v } }.x) }",
            "L0254",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| { let (a, b) = Point { x: v, y: v }; a + b }) }",
            "L0258",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Size { x: f32, y: f32 } \
             #[kernel] fn K<N>(p: [Point; N]) -> [Size; N] { p }",
            "L0240",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(|v| Point { x: v }.x) }",
            "L0122",
        ),
        (
            "struct Point { x: f32, y: f32 } struct Other { x: f32 } \
             struct S { x: [Other; 3] } #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x }",
            "L0124",
        ),
        ("#[kernel] fn K<N>(x: [u8; N]) -> [u8; N] { x.map(|v| v + 300) }", "L0219"),
        ("#[kernel] fn K<N>(x: [i8; N]) -> [i8; N] { x.map(|v| v + 128) }", "L0219"),
        ("#[kernel] fn K<N>(x: [i8; N]) -> [i8; N] { x.map(|v| v + -129) }", "L0219"),
        ("#[kernel] fn K<N>(x: [u16; N]) -> [u16; N] { x.map(|v| v + 65536) }", "L0219"),
        ("#[kernel] fn K<N>(x: [u32; N]) -> [u32; N] { x.map(|v| v + 4294967296) }", "L0219"),
        ("#[kernel] fn K<N>(x: [i64; N]) -> [i64; N] { x.map(|v| v + 9223372036854775808) }", "L0219"),
        ("#[kernel] fn K<N>(x: [f64; N], y: [f32; N]) -> [f64; N] { zip(x, y).map(add) }", "L0250"),
        ("#[kernel] fn K<N>(x: [f64; N]) -> [u32; N] { x.map(|v| v.count_ones()) }", "L0251"),
        ("#[kernel] fn K<N>(x: [i64; N]) -> [i64; N] { x.map(|v| v.sqrt()) }", "L0251"),
        ("#[kernel] fn K<N>(x: [u64; N]) -> [u64; N] { x.map(|v| v.abs()) }", "L0251"),
        ("#[kernel] fn K<N>(x: [i16; N]) -> [i16; N] { x.map(|v| v.pow(-1)) }", "L0251"),
        ("#[kernel] fn K<N>(x: [i32; N]) -> [i32; N] { x.map(|v| v + 3000000000) }", "L0219"),
        ("#[kernel] fn K(x: [f32; 3]) -> [f32; 3] { x.crop(2, 2) }", "L0230"),
        ("#[kernel] fn K(x: [f32; 3 - 4]) -> f32 { x.reduce(add, 0.0) }", "L0218"),
        ("#[kernel] fn K<N>(x: [f32; N % 0]) -> f32 { x.reduce(add, 0.0) }", "L0217"),
        ("const A: f32 = 2.0; #[kernel] fn K(x: [f32; A]) -> f32 { x.reduce(add, 0.0) }", "L0106"),
        ("#[kernel] fn K<N>(x: [[f32; N]; N]) -> f32 { x.reduce2d(sub, 0.0) }", "L0330"),
        ("#[kernel] fn K<N>(x: [f32; N]) -> f32 { x.reduce(add, -1.0) }", "L0331"),
        ("#[kernel] fn K<T, N>(x: [T; N]) -> [T; N] { x }", "L0105"),
        ("#[kernel] fn K<N>(g: fn(f32) -> f32, x: [f32; N]) -> [f32; N] { x.map(g) }", "L0105"),
        (
            "#[kernel] fn K<N>(x: [f32; N * 2147483647 * 2147483647 * 2147483647 * 2147483647 * 2147483647]) -> f32 { x[0] }",
            "L0215",
        ),
        ("fn f(x: f32) -> f32 { x + true } #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(f) }", "L0250"),
        (
            "fn f(x: [f32; 3]) -> f32 { x[0] } #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(f) }",
            "L0200",
        ),
    ] {
        let found = mistakes(text);
        assert!(
            found.iter().any(|d| d.code == code),
            "{text}: {code}, not {:?}",
            found.iter().map(Diagnostic::text).collect::<Vec<_>>()
        );
        assert_eq!(
            found.len(),
            1,
            "{text}: one mistake, one message, not {:?}",
            found.iter().map(Diagnostic::text).collect::<Vec<_>>()
        );
    }
}

#[test]
fn warnings_do_not_push_errors_out() {
    let params: String = (0..9).map(|i| format!("a{i}: f32, ")).collect();
    let list =
        mistakes(&format!("#[kernel] fn K<N>({params} x: [f32; N]) -> [f32; N] {{ x.map(|v| v + true) }}"));
    assert!(list.iter().any(|d| d.code == "L0250"), "{list:?}");
}

#[test]
fn indices_are_proved() {
    for text in [
        "#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { array(N, |i| x[N - 1 - i]) }",
        "#[kernel] fn K<N>(x: [f32; N]) -> [f32; 2 * N] { array(2 * N, |i| if i < N { x[i] } else { x[i - N] }) }",
        "#[kernel] fn K<N>(k: usize, x: [f32; N]) -> f32 { x[k.min(N - 1)] + x[k % N] }",
        "#[kernel] fn K<N>(k: i32, x: [f32; N]) -> f32 { let i = (k as usize) % N; x[i] + x[N - 1 - i] }",
        "#[kernel] fn K<N>(x: [f32; 2 * N]) -> [f32; N] { array(N, |i| x[2 * i] - x[2 * i + 1]) }",
        "#[kernel] fn K<N>(x: [f32; N + 1]) -> f32 { x[0] + x[N] }",
        "#[kernel] fn K<N>(k: usize, x: [f32; N]) -> f32 { if k < N { x[k] } else { 0.0 } }",
    ] {
        assert_eq!(checks(text), [""; 0], "{text}");
    }
}

/// What a message about a bad index needs to know of the operation.
#[test]
fn checked_indices_know_where_they_come_from() {
    let sites = |text: &str| -> Vec<(String, Option<usize>)> {
        let sites = &compile(text)[0].versions[0].generated.sites;
        sites.iter().map(|site| (site.written.clone(), site.source)).collect()
    };
    assert_eq!(
        sites("#[kernel] fn K<N, M>(xs: [f32; N], at: [i32; M]) -> [f32; M] { gather(at, xs) }"),
        [("gather(at, xs)".to_string(), Some(1))]
    );
    let computed =
        "#[kernel] fn K<N, M>(xs: [f32; N], at: [i32; M]) -> [f32; M] { xs.gather(at.map(|k| k + 1)) }";
    assert_eq!(sites(computed), [("xs.gather(at.map(|k| k + 1))".to_string(), None)]);
    let narrowed =
        "#[kernel] fn K<N, M>(xs: [f32; N], at: [i32; M]) -> [f32; M] { xs.gather(at.map(|k| k as u16)) }";
    assert_eq!(sites(narrowed)[0].1, None);
}
