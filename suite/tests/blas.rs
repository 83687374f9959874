//! Linear algebra and reductions on a device against their definitions.

mod common;

use common::{Volume, agree, oclgrind, unordered};
use lift_suite::blas::{self, Asum, Dot, Gemm, GemmNt, GemmTn, GemmTt, Gemv, Scal};
use lift_suite::check::Bound;
use lift_suite::input::{signed, uniform};
use lift_suite::reduce::{self, Largest, Sum, SumOfIntegers};
use ndarray::arr0;

const LINES: [usize; 2] = [1, 1021];
const MATRICES: [Volume; 2] = [(1, 1, 1), (13, 31, 47)];

const MILLION: usize = 1 << 20;

workloads! {
    scal: LINES, [16 * MILLION, 256 * MILLION];
    asum: LINES, [16 * MILLION, 256 * MILLION];
    dot: LINES, [16 * MILLION, 256 * MILLION];
    gemv: [(1, 1), (37, 101)], [(4096, 4096), (8192, 8192)];
    gemm: MATRICES, [(1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096)];
    sum: LINES, [256 * MILLION];
    sum_of_integers: LINES, [256 * MILLION];
    largest: LINES, [256 * MILLION];
    steps: [512, 2048], [16 * MILLION];
    by_hand: [1, 1021, 17_000], [16 * MILLION, 256 * MILLION];
}

const ALPHA: f32 = 1.25;
const BETA: f32 = -0.75;

fn scal(n: usize) {
    let x = signed(1, n);
    agree(|k: &Scal<f32>| k.run(ALPHA, &x), &blas::scal(f64::from(ALPHA), &x), Bound::new(1, 1.25));
}

fn asum(n: usize) {
    // All terms are positive: the result is the sum of their magnitudes.
    let x = signed(2, n);
    let expected = blas::asum(&x);
    agree(|k: &Asum<f32>| k.run(&x).map(arr0), &arr0(expected), Bound::new(unordered(n), expected));
}

fn dot(n: usize) {
    let (x, y) = (signed(3, n), signed(4, n));
    let expected = arr0(blas::dot_product(x.view(), y.view()));
    agree(|k: &Dot<f32>| k.run(&x, &y).map(arr0), &expected, Bound::new(unordered(n) + 1, n as f64));
}

fn gemv((n, m): (usize, usize)) {
    let (a, x, y) = (signed(5, (n, m)), signed(6, m), signed(7, n));
    let expected = blas::gemv(f64::from(ALPHA), &a, &x, f64::from(BETA), &y);
    let bound = Bound::new(m + 3, 1.25 * m as f64 + 0.75);
    agree(|k: &Gemv<f32>| k.run(ALPHA, &a, &x, BETA, &y), &expected, bound);
}

fn gemm((n, m, k): Volume) {
    let (a, b, c) = (signed(8, (n, k)), signed(9, (k, m)), signed(10, (n, m)));
    let (at, bt) = (a.t().as_standard_layout().into_owned(), b.t().as_standard_layout().into_owned());
    let expected = blas::gemm(f64::from(ALPHA), a.view(), b.view(), f64::from(BETA), &c);
    let bound = Bound::new(k + 3, 1.25 * k as f64 + 0.75);
    agree(|k: &Gemm<f32>| k.run(ALPHA, &a, &b, BETA, &c), &expected, bound);
    agree(|k: &GemmTn| k.run(ALPHA, &at, &b, BETA, &c), &expected, bound);
    agree(|k: &GemmNt| k.run(ALPHA, &a, &bt, BETA, &c), &expected, bound);
    agree(|k: &GemmTt| k.run(ALPHA, &at, &bt, BETA, &c), &expected, bound);
}

fn sum(n: usize) {
    let x = uniform(11, 0.0..1.0, n);
    let expected = reduce::sum(&x);
    agree(|k: &Sum<f32>| k.run(&x).map(arr0), &arr0(expected), Bound::new(unordered(n), expected));
}

fn sum_of_integers(n: usize) {
    let x = reduce::integers(n);
    let expected = arr0(f64::from(reduce::sum_of_integers(&x)));
    agree(|k: &SumOfIntegers| k.run(&x).map(arr0), &expected, Bound::EXACT);
}

fn largest(n: usize) {
    let x = signed(12, n);
    agree(|k: &Largest<f32>| k.run(&x).map(arr0), &arr0(reduce::largest(&x)), Bound::EXACT);
}

fn steps(n: usize) {
    use lift_suite::low::reductions::{FirstAdded, Halves, Interleaved, LastUnrolled, Neighbours, Unrolled};
    let x = uniform(9, 0.0..1.0, n);
    let sum = reduce::sum(&x);
    let bound = Bound::new(unordered(n), sum);
    let sum = arr0(sum);
    agree(|k: &Interleaved| k.run(&x).map(arr0), &sum, bound);
    agree(|k: &Neighbours| k.run(&x).map(arr0), &sum, bound);
    agree(|k: &Halves| k.run(&x).map(arr0), &sum, bound);
    agree(|k: &FirstAdded| k.run(&x).map(arr0), &sum, bound);
    agree(|k: &LastUnrolled| k.run(&x).map(arr0), &sum, bound);
    agree(|k: &Unrolled| k.run(&x).map(arr0), &sum, bound);
}

fn by_hand(n: usize) {
    use lift_suite::low::reductions;
    let (x, y) = (signed(2, n), signed(3, n));
    let magnitudes = blas::asum(&x);
    let bound = Bound::new(unordered(n) + 1, magnitudes.max(blas::asum(&y)));
    agree(|k: &reductions::Sum| k.run(&x).map(arr0), &arr0(reduce::sum(&x)), bound);
    agree(|k: &reductions::Asum| k.run(&x).map(arr0), &arr0(magnitudes), bound);
    agree(|k: &reductions::Dot| k.run(&x, &y).map(arr0), &arr0(blas::dot_product(x.view(), y.view())), bound);
    agree(|k: &reductions::Largest| k.run(&x).map(arr0), &arr0(reduce::largest(&x)), Bound::EXACT);
}

#[test]
fn oclgrind_finds_nothing() {
    oclgrind(&["small::dot", "small::gemm", "small::steps", "small::by_hand"]);
}
