//! Rules that were published, and are wrong: the smallest arrays for which they are, and what the rules here make of the same expression.
//!
//! `slideTiling` loses windows, `gatherToScatter` forgets to invert, `slideBeforeSplit` makes its windows too short, and
//! `mapSeqSlide2D` hands over windows that are transposed.

use std::collections::BTreeMap;

use lift_core::arith::Var;
use lift_core::ir::Kernel;
use lift_core::ir::walk::sizes;
use lift_core::rewrite::normal;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::{permute, stencil};
use lift_core::rewrite::strategy::{Derivation, Strategy};

use crate::interp::{self, Value};
use crate::testing::kernel;

/// What a kernel without sizes makes of 0, 1, 2 …
fn result(kernel: &Kernel, tiles: &BTreeMap<Var, i64>) -> Vec<i32> {
    let dims = |k: usize| -> Vec<usize> {
        let shape = kernel.params[k].ty.shape().0;
        shape.iter().map(|n| n.as_const().unwrap() as usize).collect()
    };
    let inputs: Vec<Value> = (0..kernel.params.len())
        .map(|k| {
            let count: usize = dims(k).iter().product();
            Value::from_flat(&(0..count as i32).collect::<Vec<_>>(), &dims(k))
        })
        .collect();
    interp::run(kernel, tiles, &inputs).unwrap().i32s()
}

fn of(text: &str) -> Vec<i32> {
    result(&kernel(text), &BTreeMap::new())
}

/// What the kernel computes after `rule`, which must apply, for tiles of 1 to 4; `None` if it does not apply.
fn after(text: &str, rule: &'static Rule) -> Option<Vec<Vec<i32>>> {
    let kernel = kernel(text);
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    if !Strategy::Rule(rule).once().apply(&mut d) {
        return None;
    }
    let (body, facts, _) = d.finish();
    // The kernel has no sizes of its own.
    let tiles = sizes(&body);
    let kernel = Kernel { body, facts, ..kernel };
    Some(
        (1..=4).map(|tile| result(&kernel, &tiles.iter().map(|var| (var.clone(), tile)).collect())).collect(),
    )
}

/// What the kernel computes in normal form, and the rules that led there.
fn normalised(text: &str) -> (Vec<i32>, Vec<&'static str>) {
    let kernel = kernel(text);
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    let (body, facts, trace) = d.finish();
    let rules = trace.steps.iter().map(|step| step.rule.name).collect();
    (result(&Kernel { body, facts, ..kernel }, &BTreeMap::new()), rules)
}

const WEIGHTED: &str = "fn f(w: [i32; 3]) -> i32 { w[0] + 10 * w[1] + 100 * w[2] }";

/// Where windows are lost, the type checker asks for the `take` that the published rules leave to the reader.
#[test]
fn tiles_of_windows_that_do_not_divide_lose_none() {
    for (windows, published) in [
        ("xs.slide(3, 2)", "xs.slide(4, 3).map(|t| t.take(3).slide(3, 2)).join()"),
        ("xs.slide(3, 1)", "xs.take(6).slide(6, 4).map(slide(3, 1)).join()"),
    ] {
        let text = |windows: &str, len: usize| {
            format!("{WEIGHTED} #[kernel] fn Windows(xs: [i32; 7]) -> [i32; {len}] {{ {windows}.map(f) }}")
        };
        let expected = of(&text(windows, if windows.ends_with("2)") { 3 } else { 5 }));
        assert_ne!(of(&text(published, if windows.ends_with("2)") { 2 } else { 4 })), expected);
        let ours = after(&text(windows, expected.len()), &stencil::OVERLAPPED_TILING).unwrap();
        assert_eq!(ours, vec![expected; 4]);
    }
}

#[test]
fn what_is_read_in_an_order_is_not_written_in_it() {
    let permuted = |prim: &str, len: usize, p: &str| {
        format!(
            "#[kernel] fn Permuted(xs: [i32; {len}]) -> [i32; {len}] {{ xs.{prim}(|i, n| {p}).map(|x| x + 1) }}"
        )
    };
    for (len, p) in [(8, "if i < 4 { 2 * i } else { 2 * i - 7 }"), (4, "(i + 1) % n"), (5, "n - 1 - i")] {
        let (read, written) = (of(&permuted("reorder", len, p)), of(&permuted("scatter", len, p)));
        // Only of a reversal it does not matter.
        assert_eq!(read == written, p.starts_with('n'));
        // An order that nobody understands is taken as it is.
        let (ours, applied) = normalised(&permuted("scatter", len, p));
        assert_eq!((ours, applied.contains(&permute::SCATTER_REORDER.name)), (written, !p.starts_with("if")));
    }
}

#[test]
fn groups_of_windows_need_all_that_their_windows_reach() {
    let text = |e: &str| {
        format!("{WEIGHTED} #[kernel] fn Pairs(xs: [i32; 9]) -> [[i32; 2]; 2] {{ {e}.map(map(f)) }}")
    };
    let expected = of(&text("xs.slide(3, 2).split(2)"));
    // k - 1 steps more than a window, not k more elements.
    assert_eq!(of(&text("xs.slide((2 - 1) * 2 + 3, 2 * 2).map(slide(3, 2))")), expected);
    let one =
        format!("{WEIGHTED} #[kernel] fn Windows(xs: [i32; 9]) -> [i32; 4] {{ xs.slide(3, 2).map(f) }}");
    assert_eq!(after(&one, &stencil::OVERLAPPED_TILING).unwrap(), vec![expected; 4]);
}

#[test]
fn windows_arrive_upright_when_a_loop_goes_through_the_rows() {
    let text = |windows: &str| {
        format!(
            "fn f(w: [[i32; 3]; 3]) -> i32 {{ w[0][1] - 2 * w[1][0] + 3 * w[1][2] - 5 * w[2][1] }}
            #[kernel] fn Points(xs: [[i32; 6]; 5]) -> [[i32; 4]; 3] {{ xs.slide2d(3, 1).map2d({windows}) }}"
        )
    };
    let upright = of(&text("f"));
    assert_ne!(of(&text("|w| f(w.transpose())")), upright);
    assert_eq!(after(&text("f"), &stencil::MARCH).unwrap(), vec![upright; 4]);
}
