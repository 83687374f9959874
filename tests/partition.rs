//! Steps in time, computed in parts: which rows a part needs of the others, and that those are enough.
//!
//! The interpreter computes a step of random programs as a whole, and in parts: each on its rows and as many around them as the compiler
//! says. The rows of all parts are those of the whole.

#[path = "random/choices.rs"]
#[allow(dead_code, reason = "each test file uses a part of this")]
mod choices;
#[path = "random/stencils.rs"]
#[allow(dead_code, reason = "each test file uses a part of this")]
mod stencils;

use std::collections::BTreeMap;

use common::values::{Data, random};
use lift_core::arith::Var;
use lift_core::ir::{Kernel, Type};
use lift_core::partition::{Cut, Cuts};
use lift_core::pipeline::{Checked, Compiled};
use lift_laws::effort;
use lift_laws::interp::{self, Value};
use proptest::prelude::*;

/// The kernel of a text, and how it is cut.
fn cut(text: &str) -> (Kernel, Result<Cuts, String>) {
    let mut checked = Checked::of(text.parse().expect("tokens"));
    checked.only_strategies();
    let compilation = checked.compile(|_| true);
    let diagnostics = &compilation.diagnostics;
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
    let Compiled { kernel, cuts, .. } = compilation.kernels.into_iter().next_back().expect("a kernel");
    (kernel, cuts.expect("a step"))
}

/// Rows of an array: of all in a dimension, or around the last one and the first.
fn rows(value: &Value, dimension: usize, numbers: &[usize]) -> Value {
    let elements = value.as_array().expect("an array");
    Value::Array(match dimension {
        0 => numbers.iter().map(|i| elements[*i].clone()).collect(),
        _ => elements.iter().map(|inner| rows(inner, dimension - 1, numbers)).collect(),
    })
}

/// So many rows from one on: of an array that has a few more of them than others, so many more.
fn numbers(from: i64, count: i64, n: i64, cut: Cut) -> Vec<usize> {
    let more = cut.extra as i64;
    (from..from + count + more).map(|i| if more > 0 { i } else { i.rem_euclid(n) } as usize).collect()
}

/// The leaves of a value, one after the other, with what becomes of them.
fn leaves(value: &Value, ty: &Type, next: &mut usize, change: &dyn Fn(usize, &Value) -> Value) -> Value {
    match (value, ty) {
        (Value::Tuple(values), Type::Tuple(types)) => Value::Tuple(
            values.iter().zip(types.iter()).map(|(value, ty)| leaves(value, ty, next, change)).collect(),
        ),
        (value, ty) => {
            let first = *next;
            *next += ty.leaves().len();
            change(first, value)
        }
    }
}

/// Compares the step of a program as a whole with that in so many parts.
fn compare(text: &str, kernel: &Kernel, cuts: &Cuts, extents: &BTreeMap<Var, i64>, parts: i64, seed: u64) {
    let size = &kernel.sizes[cuts.size];
    let n = extents[size];
    let least = (cuts.before + cuts.after).max(1) as i64;
    if n < least * parts {
        return;
    }
    let mut data = Data::new(seed);
    let inputs: Vec<Value> =
        kernel.params.iter().map(|param| random(&param.ty, extents, &mut data)).collect();
    let whole = interp::run(kernel, extents, &inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (before, after) = (cuts.before as i64, cuts.after as i64);
    for part in 0..parts {
        // The last one has what is left.
        let (from, to) = (part * least, if part + 1 == parts { n } else { (part + 1) * least });
        let (start, end) = match cuts.periodic {
            true => (from - before, to + after),
            false => ((from - before).max(0), (to + after).min(n)),
        };
        let count = to - from;
        let mut next = 0;
        let own: Vec<Value> = kernel
            .params
            .iter()
            .zip(&inputs)
            .map(|(param, input)| {
                leaves(input, &param.ty, &mut next, &|leaf, value| match cuts.params[leaf] {
                    Some(cut) => rows(value, cut.dimension, &numbers(start, end - start, n, cut)),
                    None => value.clone(),
                })
            })
            .collect();
        let mut local = extents.clone();
        local.insert(size.clone(), end - start);
        let found = interp::run(kernel, &local, &own).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let wanted = |value: &Value, from: i64, last: bool| {
            let mut next = 0;
            leaves(value, kernel.body.ty(), &mut next, &|leaf, value| match cuts.results[leaf] {
                Some(cut) => {
                    let extra = if last { cut } else { Cut { extra: 0, ..cut } };
                    let all: Vec<usize> =
                        (from..from + count + extra.extra as i64).map(|i| i as usize).collect();
                    rows(value, cut.dimension, &all)
                }
                None => value.clone(),
            })
        };
        let is_last = part + 1 == parts;
        let (expected, found) = (wanted(&whole, from, is_last), wanted(&found, from - start, is_last));
        let texts = [format!("{:?}", expected.flat()), format!("{:?}", found.flat())];
        assert!(
            texts[0] == texts[1],
            "part {part} of {parts}, rows {from} to {to} of {start} to {end}, {cuts:?}\n{text}\n{}\n{}",
            texts[0],
            texts[1]
        );
    }
}

/// A random stencil as a step.
fn step(numbers: &[u16]) -> String {
    stencils::program(numbers).replace("#[kernel]", "#[kernel] #[step(grid)]")
}

fn check(text: &str, seed: u64) -> bool {
    let (kernel, cuts) = cut(text);
    let Ok(cuts) = cuts else { return false };
    for (rows, parts) in [(5, 2), (9, 3), (13, 2), (24, 3)] {
        let others = [3, 5, 2];
        let extents = kernel.sizes.iter().enumerate().map(|(i, size)| {
            (size.clone(), if i == cuts.size { rows } else { others[(i + seed as usize) % 3] })
        });
        compare(text, &kernel, &cuts, &extents.collect(), parts, seed);
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: effort::count(150, "LIFT_PARTITION_CASES"), failure_persistence: None, ..Default::default()
    })]

    #[test]
    fn parts_of_random_stencils_need_no_other_rows(numbers in prop::collection::vec(any::<u16>(), 0..48), seed in 0..99_u64) {
        check(&step(&numbers), seed);
    }
}

/// Most random stencils are cut, so that the law says something.
#[test]
fn most_stencils_are_cut() {
    let mut numbers = (0_u64..).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 41) as u16);
    let is_cut = |_: &i32| {
        let numbers: Vec<u16> = numbers.by_ref().take(40).collect();
        cut(&step(&numbers)).1.is_ok()
    };
    let found = (0..60).filter(is_cut).count();
    assert!(found >= 35, "{found} of 60");
}

/// The size that is cut, and the rows that are read before and after; or why nothing is cut.
fn told(text: &str) -> String {
    let (kernel, cuts) = cut(text);
    match cuts {
        Ok(Cuts { size, before, after, periodic, .. }) => {
            let periodic = if periodic { ", periodic" } else { "" };
            format!("{}: {before} before, {after} after{periodic}", kernel.sizes[size].name())
        }
        Err(reason) => reason,
    }
}

#[test]
fn halos_are_as_wide_as_what_is_read() {
    let step =
        |rest: &str| told(&format!("#[kernel] #[step(u)] #[size(N >= 2)] fn F<N, M>(u: [[f32; M]; N]{rest}"));
    let programs = [
        (") -> [[f32; M]; N] { u.map2d(|x| 2.0 * x) }", "N: 0 before, 0 after"),
        (
            ") -> [[f32; M]; N] { u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] + w[2][1]) }",
            "N: 1 before, 1 after",
        ),
        // Upwind, with a window that is not centred.
        (
            ") -> [[f32; M]; N] { u.pad(2, 0, clamp).slide(3, 1).map(|w| zip(w[0], w[2]).map(|(a, b)| b - a)) }",
            "N: 2 before, 0 after",
        ),
        // What is beyond an edge lies inside of it.
        (
            ") -> [[f32; M]; N] { u.pad(2, 0, mirror).slide(3, 1).map(|w| zip(w[0], w[2]).map(|(a, b)| b - a)) }",
            "N: 2 before, 2 after",
        ),
        (
            ") -> [[f32; M]; N] { u.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| w[0][1] + w[2][1]) }",
            "N: 1 before, 1 after, periodic",
        ),
        // Other arrays, scalars, and sizes that are not cut.
        (
            ", c: [[f32; M]; N], k: [f32; M], dt: f32) -> [[f32; M]; N] { \
             zip2d(u.pad2d(1, 1, constant(0.0)).slide2d(3, 1), c) \
             .map(|row| zip(row, k).map(|((w, c), k)| w[1][1] + dt * c * k * w[2][1] / (M as f32))) }",
            "N: 1 before, 1 after",
        ),
        // Rows at the edges stay what they are.
        (
            ") -> [[f32; M]; N] { concat(u.take(1), u.slide(3, 1).map(|w| zip(w[0], w[2]).map(|(a, b)| a + b)), u.drop(N - 1)) }",
            "N: 1 before, 1 after",
        ),
        (
            ") -> [[f32; M]; N] { array2d(N, M, |i, j| if i > 0 && i + 1 < N && j > 0 { u[i - 1][j] + u[i + 1][j - 1] } else { u[i][j] }) }",
            "N: 1 before, 1 after",
        ),
        // Several rounds, and stages.
        (
            ") -> [[f32; M]; N] { iterate(3, |u| u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] + w[2][1]), u) }",
            "N: 3 before, 3 after",
        ),
        // The rows depend on each other, the columns do not.
        (
            ") -> [[f32; M]; N] { u.transpose().map(|row| row.scan(add, 0.0)).transpose() }",
            "M: 0 before, 0 after",
        ),
        (
            ") -> [[f32; M]; N] { let total = u.join().reduce(add, 0.0); u.map2d(|x| x / total) }",
            "a row along `N` depends on all rows of `u`",
        ),
        (
            ") -> [[f32; M]; N] { array2d(N, M, |i, j| u[i][j] + i as f32) }",
            "it computes with positions along `N`, or with `N` itself",
        ),
        // So it is if rows change places.
        (") -> [[f32; M]; N] { reverse(u) }", "M: 0 before, 0 after"),
        (
            ") -> [[f32; M]; N] { reverse(u.map(reverse)) }",
            "rows along `N` of the result are no rows of its arrays",
        ),
        (
            ", k: usize) -> [[f32; M]; N] { iterate(k, |u| u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[2][1]), u) }",
            "every round of an `iterate` reads more rows, and how many rounds there are is not known",
        ),
    ];
    for (rest, expected) in programs {
        assert_eq!(step(rest), expected, "{rest}");
    }
    let squares = "#[kernel] #[step(u)] fn F<N>(u: [[f32; N]; N]) -> [[f32; N]; N] { u.map2d(|x| 2.0 * x) }";
    assert_eq!(told(squares), "`u` has the length `N` in two dimensions");
}

/// Grids that are one longer than others, dimensions that are not the first, and results that all parts compute.
#[test]
fn arrays_are_cut_where_the_size_is() {
    let (kernel, cuts) = cut(
        "#[kernel] #[step(e; h; clock)] fn F<N>(e: [[f32; N + 1]; 5], h: [[f32; N]; 5], clock: u32) \
         -> ([[f32; N + 1]; 5], [[f32; N]; 5], u32) { \
         let new = zip(e, h).map(|(e, h)| zip(e, h.pad(1, 1, constant(0.0)).slide(2, 1)).map(|(e, w)| e + w[1] - w[0])); \
         (new, zip(h, new).map(|(h, e)| zip(h, e.slide(2, 1)).map(|(h, w)| h + w[1] - w[0])), clock + 1) }",
    );
    let cuts = cuts.unwrap();
    let cut = |extra| Some(Cut { dimension: 1, extra });
    assert_eq!((kernel.sizes[cuts.size].name(), cuts.before, cuts.after), ("N", 1, 1));
    assert_eq!(cuts.params, [cut(1), cut(0), None]);
    assert_eq!(cuts.results, [cut(1), cut(0), None]);
}
