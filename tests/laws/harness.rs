//! How a law is stated and tried, and an example computed.

use std::collections::BTreeMap;

use lift_core::arith::ArithExpr;
use lift_core::diag::Diagnostics;
use lift_core::ir::{Kernel, Type, build};
use lift_core::span::SpanTable;
use lift_core::{syntax, typecheck};
use lift_laws::interp::{self, Value};

use common::Data;

/// Functions without any symmetry that the laws may use.
const FUNCTIONS: &str = "
    fn f(x: i32) -> i32 { 3 * x - 7 }
    fn g(x: i32) -> i32 { x * x + x }
    fn p(x: i32, y: i32) -> i32 { 2 * x - 3 * y + x * y }
    fn h(xs: [i32; n]) -> i32 { zip(xs, array(n, |i| 2 * (i as i32) + 1)).map(mul).reduce(add, 0) }
    fn h2(xs: [[i32; m]; n]) -> i32 { h(map(h, xs)) - 5 * xs[0][0] }
    fn h3(xs: [[[i32; o]; m]; n]) -> i32 { h(map(h2, xs)) + 11 * xs[0][0][0] }
";

/// Names of numbers in a law: each is replaced by a random one. The first may be 0.
const MAYBE_ZERO: &[&str] = &["L", "R", "T", "B"];
const POSITIVE: &[&str] = &["K", "S", "W", "S2", "W2"];

/// Numbers that a law is tried with, and sizes for each.
const ROUNDS: u64 = 8;
const SIZES: u64 = 3;

/// `left == right` for these parameters. Size variables are what is written in types and is not one of the numbers
/// above.
#[track_caller]
pub fn law(params: &str, result: &str, left: &str, right: &str) {
    law_with("", params, result, left, right);
}

/// The same with functions of its own.
#[track_caller]
pub fn law_with(functions: &str, params: &str, result: &str, left: &str, right: &str) {
    let seed = left.bytes().chain(right.bytes()).fold(7, |h: u64, b| h.wrapping_mul(31) + u64::from(b));
    let mut data = Data::new(seed);
    let written = format!("{functions} {params} {result} {left} {right}");
    let mut any_elements = false;
    for round in 0..ROUNDS {
        let mut consts = String::new();
        for name in MAYBE_ZERO.iter().chain(POSITIVE).filter(|name| mentions(&written, name)) {
            let least = u64::from(POSITIVE.contains(name));
            // All the least first, for the corner cases.
            let value = if round == 0 { least } else { least + data.next() % 4 };
            consts.push_str(&format!("const {name}: usize = {value};\n"));
        }
        let kernels = format!(
            "#[kernel] fn Left({params}) -> {result} {{ {left} }}
            #[kernel] fn Right({params}) -> {result} {{ {right} }}"
        );
        let text = format!("{consts}{}{functions}{kernels}", used_functions(&written));
        let [left, right] = &check(&text)[..] else { panic!("two kernels in {text}") };
        for draw in 0..SIZES {
            let sizes = Sizes::random(left, &mut data, draw == 0);
            let inputs = sizes.inputs(left, &mut data);
            let (found, expected) = (sizes.run(left, &inputs), sizes.run(right, &inputs));
            assert_eq!(found, expected, "{text}\nwith {:?}", sizes.0);
            any_elements |= !expected.flat().is_empty();
        }
    }
    assert!(any_elements, "{written} is only about empty arrays");
}

/// What an expression gives for these inputs.
#[track_caller]
pub fn value(params: &str, result: &str, e: &str, inputs: &[Value]) -> Value {
    let text = format!("{}#[kernel] fn Example({params}) -> {result} {{ {e} }}", used_functions(e));
    let kernels = check(&text);
    Sizes(BTreeMap::new()).run(&kernels[0], inputs)
}

/// The error that an expression of one parameter gives.
pub fn mistake(params: &str, result: &str, e: &str) -> String {
    let text = format!("#[kernel] fn Example({params}) -> {result} {{ {e} }}");
    let (kernels, mistakes) = checked(&text);
    assert!(kernels.is_empty() && mistakes.len() == 1, "{mistakes:?}");
    mistakes.into_iter().next().unwrap_or_default()
}

/// The letters that stand for the elements of the papers' arrays.
pub fn letters(text: &str) -> Value {
    Value::from_flat(text.as_bytes(), &[text.len()])
}

/// Rows of letters, separated by blanks.
pub fn words(text: &str) -> Value {
    Value::Array(text.split_whitespace().map(letters).collect())
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

/// Those of [`FUNCTIONS`] that a text needs.
fn used_functions(text: &str) -> String {
    let mut out = String::new();
    let mut needed = text.to_string();
    for line in FUNCTIONS.lines().rev().filter(|line| !line.trim().is_empty()) {
        let name = line.trim().trim_start_matches("fn ").split('(').next().unwrap_or_default();
        if mentions(&needed, name) {
            needed.push_str(line);
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn checked(text: &str) -> (Vec<Kernel>, Vec<String>) {
    build::reset_ids();
    let tokens = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let (mut spans, mut diags) = (SpanTable::new(), Diagnostics::new());
    let block = syntax::parse(tokens, &mut spans, &mut diags);
    let program = syntax::resolve(&block, &mut diags);
    let kernels = typecheck::check(&program, &mut diags).kernels;
    (kernels, diags.finish(&spans).iter().map(|d| d.text()).collect())
}

#[track_caller]
fn check(text: &str) -> Vec<Kernel> {
    let (kernels, mistakes) = checked(text);
    assert!(mistakes.is_empty(), "{text}\n{}", mistakes.join("\n"));
    kernels
}

/// Size variables by name.
struct Sizes(BTreeMap<String, i64>);

impl Sizes {
    fn random(kernel: &Kernel, data: &mut Data, least: bool) -> Sizes {
        let size = |data: &mut Data| if least { 1 } else { 1 + (data.next() % 6) as i64 };
        Sizes(kernel.sizes.iter().map(|v| (v.name().to_string(), size(data))).collect())
    }

    fn extent(&self, size: &ArithExpr) -> usize {
        let value = size.eval(&|v| self.0.get(v.name()).map(|n| i128::from(*n)));
        value.and_then(|n| usize::try_from(n).ok()).unwrap_or_else(|| panic!("the size {size} is {value:?}"))
    }

    fn inputs(&self, kernel: &Kernel, data: &mut Data) -> Vec<Value> {
        kernel.params.iter().map(|p| self.input(&p.ty, data)).collect()
    }

    fn input(&self, ty: &Type, data: &mut Data) -> Value {
        match ty {
            Type::Array(element, n) => {
                Value::Array((0..self.extent(n)).map(|_| self.input(element, data)).collect())
            }
            Type::Scalar(_) | Type::Tuple(_) => {
                assert_eq!(ty.to_string(), "i32", "laws are about integers");
                Value::from((data.next() >> 33) as i32 % 1000)
            }
        }
    }

    #[track_caller]
    fn run(&self, kernel: &Kernel, inputs: &[Value]) -> Value {
        let sizes = kernel.sizes.iter().map(|v| (v.clone(), self.0[v.name()])).collect();
        interp::run(kernel, &sizes, inputs)
            .unwrap_or_else(|e| panic!("{}: {e} with {:?}", kernel.name, self.0))
    }
}
