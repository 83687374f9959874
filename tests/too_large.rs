//! A few lines that stand for a term without end: messages say where it helps to store something, and come after a number
//! of steps that does not depend on the machine. Ordinary programs stay far below that number.

#[path = "common/codes.rs"]
mod codes;
#[path = "common/corpus.rs"]
mod corpus;

use lift_core::pipeline::{self, LIMITS};
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

#[test]
fn what_has_no_end_is_abandoned_with_a_message() {
    let same = |name: &str| name.to_string();
    let programs = [
        on_arrays(&chain("x", 25, |x| format!("zip({x}, {x}.reverse()).map(add)"), same)),
        on_arrays(&chain(
            "x",
            25,
            |x| format!("zip({x}, {x}.reverse()).map(|(a, b)| a.max(b).sqrt())"),
            same,
        )),
        functions("[f32; N]", "x", 25, |f| format!("zip({f}(x), {f}(x.reverse())).map(add)"))
            + &on_arrays("f25(x)"),
        functions("f32", "x.sin()", 25, |f| format!("{f}(x) * {f}(x + 1.0)")) + &on_scalars("f25(x)"),
        "fn fold(x: [f32; N]) -> [f32; N] { zip(x, x.reverse()).map(add) }".to_string()
            + &on_arrays(&format!("{}x{}", "fold(".repeat(25), ")".repeat(25))),
    ];
    let mut abandoned = 0;
    for program in programs {
        let found = pipeline::compile(program.parse().expect("tokens"));
        // What is stored between launches does not grow.
        if found.diagnostics.is_empty() {
            continue;
        }
        abandoned += 1;
        assert!(found.kernels.is_empty());
        let codes: Vec<&str> = found.diagnostics.iter().map(|d| d.code).collect();
        assert!(!codes.is_empty() && codes.iter().all(|code| *code == "L0272"), "{codes:?}\n{program}");
        assert!(found.diagnostics.iter().all(|d| d.text().contains("\nhelp: ")), "{program}");
    }
    assert!(abandoned > 0);
}

#[test]
fn long_programs_are_no_large_ones() {
    let programs = [
        on_scalars(&chain("x", 60, |x| format!("{x} * {x} + 1.0"), str::to_string)),
        on_scalars(&chain(
            "x",
            30,
            |x| format!("if {x} > 1.0 {{ {x} * 0.5 }} else {{ {x} + 1.0 }}"),
            str::to_string,
        )),
        on_scalars("iterate(1000, |x| iterate(1000, |x| iterate(1000, |x| x * 0.5, x), x), x)"),
    ];
    for program in programs {
        let found = pipeline::compile(program.parse().expect("tokens"));
        assert!(found.diagnostics.is_empty(), "{program}\n{:?}", found.diagnostics);
    }
}

#[test]
fn ordinary_programs_are_far_from_the_limits() {
    let mut largest = [(0, String::new()), (0, String::new())];
    let programs: Vec<TokenStream> = corpus::of_folders(&["suite", "examples"]);
    assert!(programs.len() > 30, "{}", programs.len());
    for program in programs {
        for kernel in pipeline::compile(program).kernels {
            for (largest, steps) in largest.iter_mut().zip(kernel.steps) {
                if steps > largest.0 {
                    *largest = (steps, kernel.kernel.name.clone());
                }
            }
        }
    }
    println!("{largest:?} of {LIMITS:?}");
    for ((steps, name), limit) in largest.iter().zip(LIMITS) {
        assert!(4 * steps < limit, "{name} takes {steps} steps of {limit}");
    }
}
