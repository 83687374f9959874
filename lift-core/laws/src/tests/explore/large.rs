//! Windows that are too large for registers.

use lift_core::explore::Variant;
use lift_core::explore::targets::{self, Class};
use lift_core::ir::{Memory, Order, Prim};

use super::{check_variants, names};
use crate::testing::kernel;

/// The variants of a kernel in two dimensions, each interpreted at awkward sizes.
fn checked(text: &str, expected: &[&str]) -> Vec<Variant> {
    let kernel = kernel(text);
    let variants = check_variants(&kernel, &[&[1, 1], &[5, 7], &[18, 3]]);
    assert_eq!(names(&variants), expected, "{text}");
    let order = targets::order(Class::Gpu, std::slice::from_ref(&kernel), &names(&variants));
    assert_eq!(order.first(), expected.iter().rfind(|name| **name != "vectors"));
    variants
}

fn count(variant: &Variant, prim: Prim) -> usize {
    let mut found = 0;
    variant.body.visit(&mut |e| found += usize::from(matches!(e.as_prim(), Some((p, _)) if p == prim)));
    found
}

/// The parameters of which the name occurs in a function.
fn used(function: &str, params: &[(&str, &str)]) -> String {
    let used = params.iter().filter(|(name, _)| function.contains(name));
    used.map(|(name, ty)| format!("{name}: {ty}, ")).collect()
}

/// Order matters to the functions of these reductions, and every sum is the same bit by bit.
#[test]
fn rows_are_met_in_their_order() {
    let f = "fn f(a: f32, x: f32) -> f32 { 2.0 * a - x }";
    for (pad, size, function) in [
        ("pad2d(3, 3, clamp)", "7, 1", "w.join().fold(f, 1.0)"),
        ("pad2d(3, 3, wrap)", "7, 1", "zip(weights.join(), w.join()).map(mul).fold(f, 0.0)"),
        (
            "pad2d(6, 0, 2, 4, constant(5.0), constant(3.0))",
            "7, 1",
            "zip(w.join(), flat).map(mul).fold(f, 0.0) / 9.0",
        ),
        (
            "pad2d(3, 3, mirror)",
            "7, 1",
            "-zip(weights, w).fold(|a, (v, row)| zip(v, row).map(mul).fold(f, a), 0.5)",
        ),
        (
            "pad2d(2, 2, 5, 5, clamp, clamp)",
            "5, 1, 11, 1",
            "w.transpose().join().fold(f, 0.0) + w.join().fold(f, 0.0)",
        ),
    ] {
        let params = used(function, &[("weights", "[[f32; 7]; 7]"), ("flat", "[f32; 49]")]);
        let text = format!(
            "{f} #[kernel] fn Large<N, M>({params}x: [[f32; M]; N]) -> [[f32; M]; N] {{
                x.{pad}.slide2d({size}).map2d(|w| {function})
            }}"
        );
        let by_rows = !function.contains("transpose");
        let variants = checked(
            &text,
            if by_rows {
                &["naive", "tiled", "window_rows", "vectors"]
            } else {
                &["naive", "tiled", "vectors"]
            },
        );
        if by_rows {
            // One loop over the rows of a block's window, and in it one over a window's row.
            assert_eq!(count(&variants[2], Prim::Reduce(Order::Unrolled)), 2, "{}", variants[2].body);
            assert_eq!(count(&variants[2], Prim::Store(Memory::Local)), 1);
            // The results of lanes are kept as well.
            assert_eq!(count(&variants[3], Prim::Reduce(Order::Unrolled)), 2, "{}", variants[3].body);
            assert_eq!(count(&variants[3], Prim::Store(Memory::Local)), 2);
        }
    }
}

#[test]
fn a_function_of_rows_is_computed_once_for_each_row() {
    for function in [
        "w.map(|row| row.fold(f, 0.5)).fold(f, 1.0)",
        "zip(weights, w.map(|row| zip(weights, row).map(mul).fold(f, 0.0))).map(mul).fold(f, 0.0) * 0.5",
        "w.map(|row| row[0] - row[6])[3]",
        "w.join().reduce(max, f32::NEG_INFINITY)",
        "w.join().map(|x| 2.0 * x).reduce(min, f32::INFINITY)",
    ] {
        let params = used(function, &[("weights", "[f32; 7]")]);
        let f = if function.contains("fold(f") { "fn f(a: f32, x: f32) -> f32 { 2.0 * a - x }" } else { "" };
        let text = format!(
            "{f}
            #[kernel] fn Apart<N, M>({params}x: [[f32; M]; N]) -> [[f32; M]; N] {{
                x.pad2d(3, 3, reflect).slide2d(7, 1).map2d(|w| {function})
            }}"
        );
        let variants = checked(&text, &["naive", "tiled", "separated"]);
        assert_eq!(count(&variants[2], Prim::Store(Memory::Local)), 2, "{}", variants[2].body);
    }
}

#[test]
fn what_is_too_large_or_too_small_stays_as_it_is() {
    for (size, others) in [
        ("5", &["naive", "tiled", "registers", "vectors"]),
        ("7", &["naive", "tiled", "window_rows", "vectors"]),
    ] {
        let text = format!(
            "fn f(a: f32, x: f32) -> f32 {{ 2.0 * a - x }}
            #[kernel] fn Sized<N, M>(x: [[f32; M + {size}]; N + {size}]) -> [[f32; M + 1]; N + 1] {{
                x.slide2d({size}, 1).map2d(|w| w.join().fold(f, 0.0))
            }}"
        );
        checked(&text, others);
    }
    // The text would be long, the steps are not 1, and the tile does not fit into local memory.
    for (n, m, step) in [(40, 40, 1), (8, 8, 2), (300, 2, 1)] {
        let text = format!(
            "fn f(a: f64, x: f64) -> f64 {{ 2.0 * a - x }}
            #[kernel] fn Sized<N, M>(x: [[f64; {step} * M + {m}]; {step} * N + {n}]) -> [[f64; M + 1]; N + 1] {{
                x.slide2d({n}, {step}, {m}, {step}).map2d(|w| w.join().fold(f, 0.0))
            }}"
        );
        let kernel = kernel(&text);
        let variants = lift_core::explore::explore(&kernel).variants;
        assert_eq!(names(&variants)[..2], ["naive", "tiled"]);
        assert!(variants[2..].iter().all(|variant| variant.name == "vectors"));
    }
}
