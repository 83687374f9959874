//! Windows with constant weights.

use std::collections::BTreeMap;

use lift_core::arith::Var;
use lift_core::explore::approximated;
use lift_core::explore::targets::{self, Class};
use lift_core::ir::Literal;
use lift_core::program::rows_first::{self, Which};

use super::{check_variants, names, value};
use crate::interp::{self, Value};
use crate::testing::kernel;

/// The names of all versions but those that every large window has.
fn versions(text: &str) -> Vec<&'static str> {
    let kernel = kernel(text);
    let variants = check_variants(&kernel, &[&[1, 1], &[5, 7], &[18, 3]]);
    let mut names: Vec<&str> =
        names(&variants)[2..].iter().copied().filter(|name| *name != "vectors").collect();
    if let Ok(apart) = rows_first::cut(&kernel, Which::All) {
        crate::tests::program::check_launches(&kernel, &apart.program, &[&[1, 1], &[5, 7]], &BTreeMap::new());
        names.push(rows_first::NAME);
    }
    let all = [&["naive", "tiled"], names.as_slice()].concat();
    assert_eq!(targets::order(Class::Gpu, std::slice::from_ref(&kernel), &all)[0], names[0]);
    names
}

/// The weights of two bells, one less `more` of the other; sums of whole numbers are exact.
fn weights(more: i32) -> String {
    let row = |a: i32, c: i32| {
        let weight = |(b, d): (i32, i32)| (a * b - more * c * d).to_string();
        let bells = [1, 6, 15, 20, 15, 6, 1].into_iter().zip([0, 0, 1, 2, 1, 0, 0]);
        format!("[{}]", bells.map(weight).collect::<Vec<_>>().join(", "))
    };
    let bells = [1, 6, 15, 20, 15, 6, 1].into_iter().zip([0, 0, 1, 2, 1, 0, 0]);
    format!("[{}]", bells.map(|(a, c)| row(a, c)).collect::<Vec<_>>().join(", "))
}

#[test]
fn weights_that_are_products_make_two_passes() {
    for (i, function) in [
        "zip(W.join(), w.join()).map(mul).reduce(add, 0)",
        "zip(w.join(), W.join()).map(mul).reduce(add, 0) / 5",
        "zip(W, w).map(|u, row| zip(row, u).map(mul).reduce(add, 0)).reduce(add, 0)",
        "3 - zip2d(w, W).map2d(mul).join().reduce(add, 0)",
        "zip2d(w, W).map2d(|x, k| 2 * k * (x * x)).reduce2d(add, 0)",
        "zip(FLAT, w.join()).map(mul).reduce(add, 0)",
        "zip(COMPUTED.join(), w.join()).map(mul).reduce(add, 0)",
    ]
    .into_iter()
    .enumerate()
    {
        // A product, and a sum of two of them, in turn.
        let both = [0, 2];
        for &more in if i == 0 { &both[..] } else { std::slice::from_ref(&both[i % 2]) } {
            let (table, flat) =
                (weights(more), weights(more).replace("], [", ", ").replace("[[", "[").replace("]]", "]"));
            let text = format!(
                "const W: [[i32; 7]; 7] = {table};
                const FLAT: [i32; 49] = {flat};
                const COMPUTED: [[i32; 7]; 7] = array(7, |i| array(7, |j| (i * j) as i32 + {more}));
                #[kernel] fn Weighted<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {{
                    x.pad2d(3, 3, mirror).slide2d(7, 1).map2d(|w| {function})
                }}"
            );
            assert_eq!(versions(&text), ["separated", "rows_first"], "{text}");
        }
    }
}

#[test]
fn small_windows_have_two_passes_beside_what_they_had() {
    let few = ["naive", "tiled", "registers", "vectors"];
    let more = ["naive", "tiled", "registers", "separated", "vectors"];
    // Products, a sum of two of them, and windows of which two passes take nearly as many operations.
    for (rows, columns, last, expected) in
        [(5, 5, 2, &more[..]), (4, 6, 2, &more), (5, 5, 3, &few), (4, 4, 2, &few), (3, 6, 2, &few)]
    {
        let row = |i: i32| {
            let weight = |j: i32| if (i, j) == (rows - 1, 1) { last * (i + 1) } else { (i + 1) * (j + 1) };
            format!("{:?}", (0..columns).map(weight).collect::<Vec<_>>())
        };
        let text = format!(
            "const W: [[i32; {columns}]; {rows}] = [{}];
            #[kernel] fn Small<N, M>(x: [[i32; M + {columns}]; N + {rows}]) -> [[i32; M + 1]; N + 1] {{
                x.slide2d({rows}, 1, {columns}, 1).map2d(|w| zip(W.join(), w.join()).map(mul).reduce(add, 0) / 3)
            }}",
            (0..rows).map(row).collect::<Vec<_>>().join(", ")
        );
        let kernel = kernel(&text);
        let names = names(&check_variants(&kernel, &[&[1, 1], &[5, 7], &[18, 3]]));
        assert_eq!(names, expected, "{text}");
        assert!(rows_first::cut(&kernel, Which::All).is_err(), "{text}");
        let first = |class| targets::order(class, std::slice::from_ref(&kernel), &names)[0];
        assert_eq!([first(Class::Gpu), first(Class::Cpu)], ["registers", "vectors"], "{text}");
    }
}

#[test]
fn floats_are_factored_exactly() {
    for (last, expected) in [("1.0", &["separated", "rows_first"][..]), ("1.0000001", &["window_rows"])] {
        let text = format!(
            "const BELL: [f32; 6] = [0.25, 1.5, 3.75, 5.0, 3.75, 1.5];
            const W: [[f32; 6]; 6] = [
                BELL, BELL, BELL, [0.25, 1.5 * {last}, 3.75, 5.0, 3.75, 1.5], [0.25, 1.5, 3.75, 5.0 * {last}, 3.75, 1.5],
                [0.0625, 0.375, 0.9375, 1.25, 0.9375, 0.375 * {last}],
            ];
            #[kernel] fn Weighted<N, M>(x: [[i16; M + 5]; N + 5]) -> [[f32; M]; N] {{
                x.slide2d(6, 1).map2d(|w| zip(W.join(), w.join()).map(|k, x| k * x as f32).reduce(add, 0.0))
            }}"
        );
        assert_eq!(versions(&text), expected, "{text}");
    }
}

#[test]
fn what_is_no_weighted_sum_stays_as_it_is() {
    for function in [
        // Not a sum, weights that are used in another way, weights of full rank.
        "zip(W.join(), w.join()).map(mul).reduce(max, i32::MIN)",
        "zip(W.join(), w.join()).map(|k, x| k + x).reduce(add, 0)",
        "zip(W.join(), w.join()).map(|k, x| k * x * k).reduce(add, 0)",
        "zip(ODD.join(), w.join()).map(mul).reduce(add, 0)",
    ] {
        let text = format!(
            "const W: [[i32; 7]; 7] = {};
            const ODD: [[i32; 7]; 7] = array(7, |i| array(7, |j| (i * j * 7919 + i * i * j * j * j) as i32 % 23));
            #[kernel] fn Weighted<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {{
                x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| {function})
            }}",
            weights(0)
        );
        let is_max = function.contains("max");
        let found = versions(&text);
        assert!(found == ["window_rows"] || is_max && found[0] != "naive", "{found:?} {text}");
    }
}

#[test]
fn weights_that_may_differ_are_nearly_products() {
    let text = |attribute: &str| {
        format!(
            "const BELL: [f32; 9] = [0.01, 0.04, 0.11, 0.21, 0.26, 0.21, 0.11, 0.04, 0.01];
            const W: [[f32; 9]; 9] = array(9, |i| array(9, |j| BELL[i] * BELL[j]));
            #[kernel] {attribute} fn Soft<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {{
                x.pad2d(4, 4, mirror).slide2d(9, 1).map2d(|w| zip(W.join(), w.join()).map(mul).reduce(add, 0.0))
            }}"
        )
    };
    assert_eq!(versions(&text("")), ["window_rows"]);
    assert!(approximated(&kernel(&text(""))).is_none());
    assert!(approximated(&kernel(&text("#[approximate(1e-9)]"))).is_none());
    let exact = kernel(&text("#[approximate(1e-6)]"));
    let (nearly, trace) = approximated(&exact).unwrap();
    assert!(trace.rules().contains(&"approximate"), "{trace}");
    assert_eq!(names(&check_variants(&nearly, &[&[1, 1], &[5, 7]])), ["naive", "tiled", "separated"]);
    let sizes: BTreeMap<Var, i64> = exact.sizes.iter().cloned().zip([5, 7]).collect();
    let inputs = [value(&exact.params[0].ty, &sizes, &mut 0.0)];
    let numbers = |kernel| {
        fn flat(value: &Value, out: &mut Vec<f64>) {
            match value {
                Value::Array(xs) => xs.iter().for_each(|x| flat(x, out)),
                x => out.push(x.as_scalar().and_then(Literal::as_float).unwrap()),
            }
        }
        let mut found = Vec::new();
        flat(&interp::run(kernel, &sizes, &inputs).unwrap(), &mut found);
        found
    };
    for (a, b) in numbers(&exact).into_iter().zip(numbers(&nearly)) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}
