//! Programs that are large, and a few lines that stand for a term or a type without end. Each either compiles, or there is one message,
//! which says what helps; it comes after a number of steps that does not depend on the machine. Ordinary programs stay far below that
//! number.

#[path = "common/codes.rs"]
mod codes;
#[path = "common/corpus.rs"]
mod corpus;

use lift_core::diag::Severity;
use lift_core::ir::Backends;
use lift_core::pipeline::{self, Checked, LIMITS};
use lift_laws::effort;
use proc_macro2::TokenStream;

/// `let` after `let`, each made from the one before.
fn chain(first: &str, count: usize, next: impl Fn(&str) -> String, last: impl Fn(&str) -> String) -> String {
    let names: Vec<String> =
        std::iter::once(first.to_string()).chain((1..=count).map(|i| format!("a{i}"))).collect();
    let lets = names.windows(2).map(|pair| format!("let {} = {};\n", pair[1], next(&pair[0])));
    let lets: String = lets.collect();
    format!("{lets} {}", last(&names[count]))
}

/// Functions, each of which calls the one before.
fn functions(ty: &str, first: &str, count: usize, next: impl Fn(&str) -> String) -> String {
    let body = |i: usize| if i == 0 { first.to_string() } else { next(&format!("f{}", i - 1)) };
    (0..=count).map(|i| format!("fn f{i}(x: {ty}) -> {ty} {{ {} }}\n", body(i))).collect()
}

fn on_arrays(body: &str) -> String {
    format!("#[kernel] fn K<N>(x: [f32; N]) -> [f32; N] {{ {body} }}")
}

fn on_scalars(body: &str) -> String {
    on_arrays(&format!("x.map(|x| {{ {body} }})"))
}

/// The same text so many times.
fn times(count: usize, text: &str) -> String {
    text.repeat(count)
}

/// Items of a list.
fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(", ")
}

/// What the compiler says of a program. With errors there are no kernels, and without errors none took too many steps.
fn said(program: &str) -> Vec<(&'static str, String)> {
    let found = pipeline::compile(program.parse().expect("tokens"));
    let errors: Vec<_> = found.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert_eq!(found.kernels.is_empty(), !errors.is_empty(), "{program:.1000}");
    for kernel in &found.kernels {
        assert!(kernel.steps.iter().zip(LIMITS).all(|(steps, limit)| *steps <= limit), "{program:.1000}");
    }
    errors.into_iter().map(|d| (d.code, d.text())).collect()
}

/// One message with this code and this in its text, and with advice.
fn refused(code: &str, part: &str, program: &str) {
    let said = said(program);
    let [(found, text)] = said.as_slice() else { panic!("{said:?}\n{program:.1000}") };
    assert_eq!(*found, code, "{text}\n{program:.1000}");
    assert!(text.contains(part) && text.contains("\nhelp: "), "{text}\n{program:.1000}");
}

fn accepted(program: &str) {
    let said = said(program);
    assert!(said.is_empty(), "{said:?}\n{program:.1000}");
}

/// Edges of edges, where it is done again and again.
const SMOOTH: &str = "r.pad(1, 1, clamp).slide(3, 1).map(|w| w.reduce(add, 0.0))";

fn same(name: &str) -> String {
    name.to_string()
}

#[test]
fn arrays_that_double_are_to_be_stored() {
    let sum = |x: &str| format!("zip({x}, {x}.reverse()).map(add)");
    refused("L0272", ".materialize()", &on_arrays(&chain("x", 25, sum, same)));
    // Layouts alone.
    let twice = |x: &str| format!("concat({x}, {x}).take(N)");
    refused("L0272", ".materialize()", &on_arrays(&chain("x", 25, twice, same)));
    // What is expensive is stored without being asked for.
    let costly = |x: &str| format!("zip({x}, {x}.reverse()).map(|(a, b)| a.max(b).sqrt())");
    accepted(&on_arrays(&chain("x", 25, costly, same)));
}

#[test]
fn functions_that_double_are_one_mistake() {
    let on_scalar = functions("f32", "x.sin()", 25, |f| format!("{f}(x) * {f}(x + 1.0)"));
    refused("L0272", "calls `f", &(on_scalar + &on_scalars("f25(x)")));
    let on_array = functions("[f32; N]", "x", 25, |f| format!("zip({f}(x), {f}(x.reverse())).map(add)"));
    refused("L0272", "calls `f", &(on_array + &on_arrays("f25(x)")));
    let fold = "fn fold(x: [f32; N]) -> [f32; N] { zip(x, x.reverse()).map(add) }";
    let folded = format!("{}x{}", times(25, "fold("), times(25, ")"));
    refused("L0272", ".materialize()", &(fold.to_string() + &on_arrays(&folded)));
}

#[test]
fn types_that_double_are_refused_where_they_are_too_large() {
    let parts = "has more than 1024 parts";
    refused("L0272", parts, &on_scalars(&chain("x", 40, |x| format!("({x}, {x})"), |_| "x".to_string())));
    let last = |x: &str| format!("{x}{}", times(40, ".0"));
    refused("L0272", parts, &on_scalars(&chain("x", 40, |x| format!("({x}, {x})"), last)));
    refused("L0272", parts, &on_arrays(&chain("x", 40, |x| format!("zip({x}, {x})"), |_| "x".to_string())));
    let doubled = times(40, ".map(|v| (v, v))");
    refused("L0272", parts, &on_arrays(&format!("x{doubled}.map(|v| v{})", times(40, ".0"))));
    let structs: String =
        (1..40).map(|i| format!("struct S{i} {{ a: S{}, b: S{} }}\n", i - 1, i - 1)).collect();
    let kernel = "#[kernel] fn K<N>(x: [S39; N]) -> [f32; N] { x.map(|_| 1.0) }";
    refused("L0272", parts, &format!("struct S0 {{ a: f32, b: f32 }}\n{structs}{kernel}"));
    let tuple = list(1000, |i| format!("v + {i}.0"));
    let ty = list(1000, |_| "f32".to_string());
    accepted(&format!("#[kernel] fn K<N>(x: [f32; N]) -> [({ty}); N] {{ x.map(|v| ({tuple})) }}"));
}

#[test]
fn what_is_nested_too_deeply_has_no_stack_to_overflow() {
    let deep = "nested too deeply";
    let around = |open: &str, close: &str| format!("{}x{}", times(10_000, open), times(10_000, close));
    for (open, close) in [("(", ")"), ("{", "}"), ("-", ""), ("sin(", ")"), ("", " + x"), ("", ".abs()")] {
        refused("L0107", deep, &on_scalars(&around(open, close)));
    }
    refused("L0107", deep, &on_scalars(&format!("x{}", times(1000, " + x"))));
    refused("L0107", deep, &on_arrays(&around("x.map(|y| ", ")")));
    refused(
        "L0107",
        deep,
        &on_arrays(&format!("{}x{}.map(|t| t.1)", times(200, "zip("), times(200, ", x)"))),
    );
    accepted(&on_arrays(&format!("{}x{}.map(|t| t.1)", times(30, "zip("), times(30, ", x)"))));
    refused("L0107", deep, &on_scalars(&chain("x", 10_000, |x| format!("{x} + 1.0"), same)));
    // Each text for itself is flat, but not what they stand for.
    let sum = |x: &str| format!("{}{x}{}", times(40, "("), times(40, " + 1.0)"));
    refused("L0272", "too large", &on_scalars(&chain("x", 250, sum, same)));
    let calls = functions("f32", "x", 200, |f| sum(&format!("{f}(x)")));
    refused("L0272", "too large", &(calls + &on_scalars("f200(x)")));
}

#[test]
fn large_numbers_are_no_large_programs() {
    refused("L0112", "cannot be a size", &on_arrays("x.pad(0, 1099511627776, clamp).take(N)"));
    let steps =
        "x.pad2d(1, 1, clamp).slide2d(3, 2147483647).map2d(|w| w[0][1] + w[1][0] + w[1][2] + w[2][1])";
    let kernel = format!("#[kernel] fn K<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {{ {steps} }}");
    refused("L0273", "beyond 64 bits", &kernel);
    let smooth = |count| {
        format!(
            "#[kernel] fn K<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {{ x.map(|row| iterate({count}, |r| {SMOOTH}, row)) }}"
        )
    };
    accepted(&smooth(16));
    refused("L0273", "edges of edges", &smooth(32));
    // What is known of a size is about the other one.
    let grid = "g.pad2d(1, 1, clamp).slide2d(3, N).map2d(|w| 0.25 * (w[0][1] + w[2][1] + w[1][0] + w[1][2]))";
    let kernel =
        format!("#[kernel] fn K<N, M>(g: [[f32; M]; N]) -> [[f32; M]; N] {{ iterate(3, |g| {grid}, g) }}");
    accepted(&kernel);
    accepted(&on_arrays("x.pad(0, 999999, clamp).slide(1000000, 1).map(|w| w.reduce(add, 0.0))"));
    let window = "x.pad(0, 999999, clamp).slide(1000000, 1).map(|w| w.reduce_seq_unroll(add, 0.0))";
    refused("L0282", "writes out every element", &on_arrays(window));
    accepted(&on_scalars("iterate(1000000, |x| x * 0.5, x)"));
    accepted(&on_arrays(
        "iterate(1000000, |x| x.pad(1, 1, clamp).slide(3, 1).map(|w| w.reduce(add, 0.0)), x)",
    ));
    accepted(&on_arrays("iterate(9223372036854775808, |x| x.map(|v| v * 0.5), x)"));
    accepted(&on_scalars("iterate(1000, |x| iterate(1000, |x| iterate(1000, |x| x * 0.5, x), x), x)"));
}

#[test]
fn long_programs_are_no_large_ones() {
    accepted(&on_scalars(&chain("x", 60, |x| format!("{x} * {x} + 1.0"), same)));
    let choice = |x: &str| format!("if {x} > 1.0 {{ {x} * 0.5 }} else {{ {x} + 1.0 }}");
    accepted(&on_scalars(&chain("x", 30, choice, same)));
    let params = list(1000, |i| format!("x{i}: [f32; N]"));
    accepted(&format!("#[kernel] fn K<N>({params}) -> [f32; N] {{ zip(x0, x999).map(add) }}"));
    let kernels: String = (0..50)
        .map(|i| on_arrays(&format!("x.map(|v| v + {i}.0)")).replace(" K<", &format!(" K{i}<")))
        .collect();
    accepted(&kernels);
    let calls = functions("f32", "x", 200, |f| format!("{f}(x) + 1.0"));
    accepted(&(calls + &on_scalars("f200(x)")));
    let numbers = |count| list(count, |i| format!("{i}.5"));
    let table =
        |count| format!("const T: [f32; {count}] = [{}];\n", numbers(count)) + &on_scalars("x + T[7]");
    accepted(&table(10_000));
    refused("L0272", "too large", &table(100_000));
    accepted(&on_scalars(&format!("x + [{}].reduce(add, 0.0)", numbers(1000))));
}

#[test]
fn ordinary_programs_are_far_from_the_limits() {
    let mut largest = [(0, String::new()), (0, String::new())];
    let programs: Vec<TokenStream> = corpus::of_folders(&["suite", "examples"]);
    assert!(programs.len() > 30, "{}", programs.len());
    // A part of them, and others when there are more.
    let (all, step) = (programs.len(), if effort::everything() { 3 } else { 9 });
    effort::report("programs whose steps are counted", all.div_ceil(step), all);
    for program in programs.into_iter().rev().step_by(step) {
        let mut checked = Checked::of(program);
        // No step is counted for the CPU.
        checked.restrict(Backends { host: false, ..Backends::default() });
        for kernel in checked.compile(|_| true).kernels {
            for (largest, steps) in largest.iter_mut().zip(kernel.steps) {
                if steps > largest.0 {
                    *largest = (steps, kernel.kernel.name.clone());
                }
            }
        }
    }
    println!("{largest:?} of {LIMITS:?}");
    for ((steps, name), limit) in largest.iter().zip(LIMITS) {
        // The most is attention: several launches, each with versions of products in all sizes.
        assert!(2 * steps < limit, "{name} takes {steps} steps of {limit}");
    }
}
