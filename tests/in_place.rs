//! Kernels that update parameters in place: what is written, what it means, what is refused.

use std::collections::BTreeMap;

use lift_core::diag::{Diagnostic, Diagnostics};
use lift_core::ir::{Kernel, Output};
use lift_core::span::SpanTable;
use lift_core::{pipeline, syntax, typecheck};
use lift_laws::interp::{self, Value};

/// The typed kernel of a text without mistakes.
fn kernel(text: &str) -> Kernel {
    let (mut spans, mut diags) = (SpanTable::new(), Diagnostics::new());
    let block = syntax::parse(text.parse().expect("tokens"), &mut spans, &mut diags);
    let program = syntax::resolve(&block, &mut diags);
    let mut kernels = typecheck::check(&program, &mut diags).kernels;
    let list: Vec<String> = diags.finish(&spans).iter().map(Diagnostic::text).collect();
    assert!(list.is_empty(), "{text}\n{}", list.join("\n"));
    kernels.remove(0)
}

fn run(kernel: &Kernel, n: i64, inputs: &[Value]) -> String {
    let sizes = kernel.sizes.iter().map(|size| (size.clone(), n)).collect::<BTreeMap<_, _>>();
    interp::run(kernel, &sizes, inputs).map_or_else(|e| e, |v| v.to_string())
}

fn ints(xs: &[i32]) -> Value {
    Value::from_flat(xs, &[xs.len()])
}

#[test]
fn an_update_reads_what_was_there() {
    let k = kernel("#[kernel] fn K<N>(x: &mut [i32; N]) { write_to(x, x.pad(1, 0, wrap).take(N)); }");
    assert_eq!(k.outputs, [Output::Update(0)]);
    assert_eq!(k.type_text(), "&mut [i32; N] -> ()");
    assert_eq!(run(&k, 4, &[ints(&[1, 2, 3, 4])]), "[4, 1, 2, 3]");
}

#[test]
fn several_updates_and_results_are_independent() {
    let k = kernel(
        "#[kernel] fn K<N>(a: &mut [i32; N], k: i32, b: &mut [i32; N]) -> (i32, [i32; N]) {
            let sum = zip(a, b).map(|(x, y)| x + k * y);
            write_to(b, a);
            let sum = sum.map(|x| x + 1);
            sum.write_to(a);
            let (p, q) = (a.reduce(add, 0), sum);
            (p, q)
        }"
        .replace("sum.write_to(a)", "a.write_to(sum)")
        .as_str(),
    );
    assert_eq!(k.outputs, [Output::Update(2), Output::Update(0), Output::Result, Output::Result]);
    assert_eq!(k.type_text(), "(&mut [i32; N], i32, &mut [i32; N]) -> (i32, [i32; N])");
    let inputs = [ints(&[1, 2]), Value::from(10), ints(&[3, 4])];
    assert_eq!(run(&k, 2, &inputs), "([1, 2], [32, 43], 3, [32, 43])");
}

#[test]
fn updates_in_the_notation_of_the_papers() {
    let text = "#[kernel] fn K<N>(x: &mut [i32; N], y: &mut [i32; 3], at: [usize; 2]) {
        write_to(x) << x.map(|v| v + 1);
        scatter_to(y, at) << [70, 80]
    }";
    let plain = text.replace("(x) << x.map(|v| v + 1)", "(x, x.map(|v| v + 1))");
    let plain = plain.replace("(y, at) << [70, 80]", "(y, at, [70, 80]);");
    for text in [text, &plain] {
        let at = Value::Array([Value::from(2_usize), Value::from(0_usize)].into());
        assert_eq!(run(&kernel(text), 2, &[ints(&[1, 2]), ints(&[5, 6, 7]), at]), "([2, 3], [80, 6, 70])");
    }
}

#[test]
fn a_tuple_that_is_not_written_out_becomes_several_results() {
    let k = kernel(
        "fn both(x: i32) -> (i32, i32) { (x, 2 * x) }
        #[kernel] fn K<N>(a: &mut [i32; N], k: i32) -> (i32, i32) { write_to(a, a); both(k) }",
    );
    assert_eq!(k.outputs, [Output::Update(0), Output::Result, Output::Result]);
    assert_eq!(run(&k, 1, &[ints(&[7]), Value::from(3)]), "([7], 3, 6)");
}

#[test]
fn only_some_elements_can_be_updated() {
    for text in [
        "#[kernel] fn K<N>(x: &mut [i32; N], at: [i32; 2], v: [i32; 2]) { scatter_to(x, at, v) }",
        "#[kernel] fn K<N>(x: &mut [i32; N], at: [i32; 2], v: [i32; 2]) -> () { x.scatter_to(at, v); }",
        "#[kernel] fn K<N>(x: &mut [i32; N], at: [i32; 2], v: [i32; 2]) { write_to(x, scatter_to(x, at, v)); }",
    ] {
        let k = kernel(text);
        assert_eq!(k.outputs, [Output::Update(0)]);
        let inputs = |at: &[i32]| [ints(&[1, 2, 3, 4]), ints(at), ints(&[10, 20])];
        assert_eq!(run(&k, 4, &inputs(&[3, 1])), "[1, 20, 3, 10]");
        assert_eq!(run(&k, 4, &inputs(&[3, 3])), "index 3 is written twice");
        assert!(run(&k, 4, &inputs(&[3, -1])).ends_with("of 4 elements"));
    }
}

#[test]
fn mistakes_have_names() {
    for (text, code) in [
        (
            "fn f<N>(x: &mut [f32; N]) -> [f32; N] { x } #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { f(x) }",
            "L0180",
        ),
        ("#[kernel] fn K<N>(x: &mut f32, y: [f32; N]) { write_to(x, y.reduce(add, 0.0)); }", "L0180"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N]) { write_to(y, x); }", "L0181"),
        ("#[kernel] fn K<N>(x: [f32; N], y: [f32; N]) -> [f32; N] { write_to(y, x); x }", "L0181"),
        ("#[kernel] fn K<N>(x: &mut [f32; N]) { let x = x.map(|v| v + 1.0); write_to(x, x); }", "L0181"),
        ("#[kernel] fn K<N>(x: &mut [[f32; 4]; N]) { write_to(x[0], x[0]); }", "L0181"),
        ("#[kernel] fn K<N>(x: &mut [f32; N]) { write_to(x, x); write_to(x, x); }", "L0181"),
        ("#[kernel] fn K<N>(x: &mut [f32; N]) -> [f32; N] { x }", "L0182"),
        ("#[kernel] fn K<N>(x: &mut [f32; N]) { write_to(x, { write_to(x, x); x }); }", "L0183"),
        ("#[kernel] fn K<N>(x: &mut [f32; N]) { write_to(x, x.map(|v| { write_to(x, x); v })); }", "L0183"),
        (
            "fn f<N>(x: [f32; N]) -> [f32; N] { write_to(x, x); x } #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { f(x) }",
            "L0183",
        ),
        ("#[kernel] fn K<N>(x: &mut [f32; N]) { let y = write_to(x, x); write_to(x, y); }", "L0183"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N]) { write_to(x, y); y }", "L0184"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N]) -> [f32; N] { write_to(x, y); }", "L0184"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N]) { write_to(x); }", "L0110"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N], i: [i32; N]) { scatter_to(x, y); }", "L0110"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [i32; N]) { write_to(x, y); }", "L0243"),
        ("#[kernel] fn K<N, M>(x: &mut [f32; N], y: [f32; M]) { write_to(x, y); }", "L0243"),
        (
            "#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N]) { write_to(x, y.slide(3, 1).map(|w| w[0])); }",
            "L0243",
        ),
        ("#[kernel] fn K<N>(x: &[f32; N]) -> [f32; N] { x }", "L0133"),
        ("#[kernel] fn K<N>(x: [f32; N]) { x }", "L0141"),
        ("#[kernel] fn K<N>(x: &mut [f32; N], y: [f32; N]) { x = y; }", "L0131"),
    ] {
        let found = pipeline::compile(text.parse().expect("tokens")).diagnostics;
        let texts: Vec<String> = found.iter().map(Diagnostic::text).collect();
        assert!(found.iter().any(|d| d.code == code), "{text}: {code}, not {texts:?}");
        assert_eq!(found.len(), 1, "{text}: one mistake, one message, not {texts:?}");
    }
}
