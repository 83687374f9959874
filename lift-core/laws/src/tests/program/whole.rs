//! Whole arrays are reduced by all work-items, wherever a program says so: in a sum, a tuple, an arm, a function that is called, before or after other
//! definitions. What a single item would reduce takes a GPU thousands of times as long.

use std::collections::BTreeSet;

use lift_core::ir::{Expr, Kernel, Kind};
use lift_core::program::cut;
use lift_core::rewrite::demand::{is_large_reduction, is_large_scan};
use lift_core::rewrite::position::outside;

use super::check_launches;
use crate::effort;
use crate::testing::{Random, kernel};

/// Functions as users write them, with definitions of their own.
const HELPERS: &str = "
fn first<N, M>(k: i32, x: [i32; N], y: [i32; N], m: [[i32; M]; N]) -> i32 { k + x[0] + y[0] + m[0][0] }
fn twice(a: i32) -> i32 { let b = a + a; b - 1 }
fn both(a: i32, b: i32) -> (i32, i32) { let c = a - b; (c, c + b) }
fn total<N>(x: [i32; N]) -> i32 { x.reduce(add, 0) }
fn spread<N>(x: [i32; N], k: i32) -> i32 { let s = 2 * k; x.map(|v| v * s + k).reduce(add, 0) }
fn variance<N>(x: [i32; N]) -> i32 { let mean = x.reduce(add, 0) / 3; x.map(|v| (v - mean) * (v - mean)).reduce(add, 0) }
fn centred<N>(x: [i32; N]) -> [i32; N] { let mean = x.reduce(add, 0) / 5; x.map(|v| v - mean) }
fn running<N>(x: [i32; N], k: i32) -> [i32; N] { let s = x.scan(add, 0); s.map(|v| v - k) }
fn largest<N, M>(m: [[i32; M]; N], k: i32) -> i32 { let least = -k; m.map2d(|v| v.max(least)).reduce2d(max, i32::MIN) }
";

/// A number that is computed from whole arrays.
fn number(random: &mut Random, depth: u64) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return random
            .pick(&["k", "7", "-3", "total(x)", "x.reduce(max, -9)", "m.reduce2d(add, 0)"])
            .to_string();
    };
    let number = |random: &mut Random| number(random, depth);
    let array = |random: &mut Random| array(random, depth);
    match random.below(17) {
        0 => format!("({} + {})", number(random), number(random)),
        1 => format!("({} - 3 * {})", number(random), number(random)),
        2 => format!("({}).max({})", number(random), number(random)),
        3 => format!("(if k > {} {{ {} }} else {{ {} }})", number(random), number(random), number(random)),
        4 => format!("{{ let t = {}; t * t + {} }}", number(random), number(random)),
        5 => format!("{{ let p = ({}, {}); p.0 - p.1 }}", number(random), number(random)),
        6 => format!("{{ let (a, b) = both({}, {}); a + b }}", number(random), number(random)),
        7 => format!("twice({})", number(random)),
        8 => format!("spread({}, {})", array(random), number(random)),
        9 => format!("variance({})", array(random)),
        10 => format!("largest(m, {})", number(random)),
        11 => format!("zip({}, {}).map(mul).reduce(add, 0)", array(random), array(random)),
        12 => format!("{{ let s = {}; x.map(|v| v - s).reduce(min, i32::MAX) }}", number(random)),
        13 => {
            let other = random.pick(&["k", "total(x)"]);
            format!("m.map(|row| row.reduce(add, 0) + {other}).reduce(max, i32::MIN)")
        }
        14 => format!("({})[N - 1]", array(random)),
        15 => format!("{{ let a = {}; a.reduce(max, i32::MIN) - a.reduce(min, i32::MAX) }}", array(random)),
        _ => format!("total({})", array(random)),
    }
}

/// As many numbers as `x` has.
fn array(random: &mut Random, depth: u64) -> String {
    let Some(depth) = depth.checked_sub(1) else { return random.pick(&["x", "y"]).to_string() };
    let number = |random: &mut Random| number(random, depth);
    let array = |random: &mut Random| array(random, depth);
    match random.below(13) {
        0 => format!("({}).map(|v| v + {})", array(random), number(random)),
        1 => format!("({}).scan(add, 0)", array(random)),
        2 => format!("({}).reverse()", array(random)),
        3 => format!("zip({}, {}).map(|a, b| 2 * a - b)", array(random), array(random)),
        4 => format!("({}).pad(1, 1, clamp).slide(3, 1).map(|w| w[0] - w[1] + w[2])", array(random)),
        5 => format!("{{ let t = {}; ({}).map(|v| v * t) }}", number(random), array(random)),
        6 => format!("(if k > {} {{ {} }} else {{ {} }})", number(random), array(random), array(random)),
        7 => format!("centred({})", array(random)),
        8 => format!("running({}, {})", array(random), number(random)),
        9 => {
            format!("iterate(2, |x| ({}).map(|v| v - {}), {})", array(random), number(random), array(random))
        }
        10 => format!("array(N, |i| x[i] * {} - y[i])", number(random)),
        11 => format!("array(N, |i| m[i].reduce(add, 0) + {})", number(random)),
        _ => "m.map(|row| row.reduce(max, k))".to_string(),
    }
}

/// A kernel with such numbers.
fn program(random: &mut Random) -> String {
    // All parameters are used.
    let one = format!("({}) + first(k, x, y, m)", number(random, 3));
    let (result, body) = match random.below(4) {
        0 => ("i32", one),
        1 => ("(i32, i32)", format!("({one}, {})", number(random, 2))),
        2 => ("[i32; N]", format!("{{ let n = {one}; ({}).map(|v| v - n) }}", array(random, 2))),
        _ => ("[i32; N]", format!("zip(x, y).map(|a, b| a * b + {one})")),
    };
    format!(
        "{HELPERS} #[kernel] fn Any<N, M>(k: i32, x: [i32; N], y: [i32; N], m: [[i32; M]; N]) -> {result} {{ {body} }}"
    )
}

/// Whether something long is reduced that is the same for all elements which a launch computes.
fn is_alone(e: &Expr, own: &BTreeSet<u32>) -> bool {
    let depends =
        |e: &Expr, own: &BTreeSet<u32>| e.any(&|x| matches!(x.kind(), Kind::Param(p) if own.contains(&p.id)));
    if (is_large_reduction(e) || is_large_scan(e)) && !depends(e, own) {
        return true;
    }
    let mut own = own.clone();
    if let Kind::Let(x, v, _) = e.kind()
        && depends(v, &own)
    {
        own.insert(x.id);
    }
    let functions = e.as_prim().into_iter().flat_map(|(_, args)| args).filter_map(|arg| arg.function());
    own.extend(functions.flat_map(|f| f.params.iter().map(|p| p.id)));
    outside(e).into_iter().any(|(_, x)| is_alone(x, &own))
        || e.children().into_iter().any(|x| is_alone(x, &own))
}

fn stages_alone(kernel: &Kernel) -> Vec<String> {
    let stages = cut(kernel).stages;
    stages
        .iter()
        .filter(|stage| is_alone(&stage.body, &BTreeSet::new()))
        .map(|stage| stage.body.to_string())
        .collect()
}

#[test]
fn what_may_fail_is_computed_in_its_arm() {
    let arm = "let t = x.gather(i).map(|v| v * k); t.reduce(add, 0) - t.reduce(max, i32::MIN)";
    let text = format!(
        "#[kernel] fn Arm<N>(k: i32, x: [i32; N], i: [usize; N]) -> i32 {{ if k > 3 {{ {arm} }} else {{ k }} }}"
    );
    assert_eq!(cut(&kernel(&text)).stages.len(), 1);
    let text = text.replace("x.gather(i)", "zip(x, i).map(|a, b| a - b as i32)");
    assert!(cut(&kernel(&text)).stages.len() > 1);
}

#[test]
fn cores_reduce_blocks_of_rows_that_are_computed_from_neighbours() {
    let of = |body: &str| {
        let text = format!("#[kernel] fn Whole<N, M>(u: [[u8; M]; N]) -> u32 {{ {body} }}");
        let kernels = lift_core::pipeline::compile(text.parse().unwrap()).kernels;
        let host = &kernels[0].host[0];
        let has_blocks = host.derivation.0.iter().any(|step| step.rule == "reduce_blocks");
        (has_blocks, host.generated.host.iter().map(|function| function.text.clone()).collect::<String>())
    };
    let alike = "w[1][1] == w[0][1] && w[1][1] == w[1][0]";
    let (has_blocks, text) = of(&format!(
        "u.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| if {alike} {{ 1u32 }} else {{ 0u32 }}).reduce2d(add, 0)"
    ));
    assert!(has_blocks && text.contains(") & ("), "{text}");
    let (has_blocks, text) =
        of("u.pad2d(2, 2, clamp).slide2d(5, 1).map2d(|w| w.join().reduce(max, 0) as u32).reduce2d(add, 0)");
    assert!(has_blocks && text.contains("simd::V::<u8, 16>::load"), "{text}");
    // Elements in their order are in vectors already.
    assert!(!of("u.map2d(|v| v as u32).reduce2d(add, 0)").0);
}

#[test]
fn no_item_reduces_a_whole_array_alone() {
    for seed in 0..u64::from(effort::count(60, "LIFT_WHOLE_CASES")) {
        let text = program(&mut Random::new(seed));
        let kernel = kernel(&text);
        let alone = stages_alone(&kernel);
        assert!(alone.is_empty(), "{seed}: {text}\n{}", alone.join("\n"));
        if seed % 6 == 0 {
            check_launches(&kernel, &cut(&kernel), &[&[1, 1], &[3, 2], &[300, 2]], &Default::default());
        }
    }
}
