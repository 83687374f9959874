//! Workloads in double precision on a device against their definitions, which round as often as the devices do.

mod common;

use common::{PLANES, Plane, VOLUMES, Volume, agree, oclgrind, runs, unordered};
use lift_suite::blas::{self, Asum, Dot, Gemm, Gemv, Scal};
use lift_suite::check::{Bound, compare};
use lift_suite::finance::{self, BlackScholes};
use lift_suite::input::uniform_f64;
use lift_suite::reduce::{self, Largest, Sum};
use lift_suite::stencils::acoustic::{self, Acoustic};
use lift_suite::stencils::jacobi::{self, IteratedJacobi2d, Jacobi2d5, Jacobi3d7};
use ndarray::{Array, ShapeBuilder, arr0};

workloads! {
    linear_algebra: [(1, 1, 1), (13, 31, 47)], [(1024, 1024, 1024)];
    reductions: [1, 1021], [128 << 20];
    black_scholes: [1, 1021], [4 << 20];
    acoustic: VOLUMES, [(302, 402, 602)];
    jacobi2d: PLANES, [(8192, 8192)];
    jacobi3d: VOLUMES, [(512, 512, 512)];
}

fn signed<S: ShapeBuilder>(seed: u64, shape: S) -> Array<f64, S::Dim> {
    uniform_f64(seed, -1.0..1.0, shape)
}

/// So many roundings on the device, and as many in the definition.
fn both(roundings: usize, magnitude: f64) -> Bound {
    Bound::new(2 * roundings, magnitude)
}

// The bounds are those of single precision.

fn linear_algebra((n, m, k): Volume) {
    const ALPHA: f64 = 1.1;
    const BETA: f64 = -0.7;
    let (a, b, c) = (signed(8, (n, k)), signed(9, (k, m)), signed(10, (n, m)));
    let expected = blas::gemm(ALPHA, a.view(), b.view(), BETA, &c);
    let bound = both(k + 3, 1.1 * k as f64 + 0.7);
    agree(|kernel: &Gemm<f64>| kernel.run(ALPHA, &a, &b, BETA, &c), &expected, bound);

    let (x, y) = (signed(6, k), signed(7, n));
    let expected = blas::gemv(ALPHA, &a, &x, BETA, &y);
    agree(|kernel: &Gemv<f64>| kernel.run(ALPHA, &a, &x, BETA, &y), &expected, bound);
    agree(|kernel: &Scal<f64>| kernel.run(ALPHA, &x), &blas::scal(ALPHA, &x), both(1, 1.1));
}

fn reductions(n: usize) {
    let (x, y) = (signed(3, n), signed(4, n));
    let (sum, bound) = (unordered(n), n as f64);
    let dot = arr0(blas::dot_product(x.view(), y.view()));
    agree(|k: &Dot<f64>| k.run(&x, &y).map(arr0), &dot, both(sum + 1, bound));
    agree(|k: &Asum<f64>| k.run(&x).map(arr0), &arr0(blas::asum(&x)), both(sum, bound));
    agree(|k: &Sum<f64>| k.run(&x).map(arr0), &arr0(reduce::sum(&x)), both(sum, bound));
    agree(|k: &Largest<f64>| k.run(&x).map(arr0), &arr0(reduce::largest(&x)), Bound::EXACT);
}

fn black_scholes(n: usize) {
    let (shares, strikes) = (uniform_f64(31, 5.0..30.0, n), uniform_f64(32, 1.0..100.0, n));
    let years = uniform_f64(33, 0.25..10.0, n);
    let expected = finance::black_scholes(&shares, &strikes, &years);
    let bound = both(30, 130.0 * (0.8 + 2.3));
    for (name, (calls, puts)) in runs(|k: &BlackScholes<f64>| k.run(&shares, &strikes, &years)) {
        compare(&calls, &expected.0, bound).unwrap_or_else(|e| panic!("{name}, calls: {e}"));
        compare(&puts, &expected.1, bound).unwrap_or_else(|e| panic!("{name}, puts: {e}"));
    }
}

fn acoustic(shape: Volume) {
    let (previous, current) = (signed(11, shape), signed(12, shape));
    let expected = acoustic::acoustic(&previous, &current);
    agree(|k: &Acoustic<f64>| k.run(&previous, &current), &expected, both(11, 7.0));
}

fn jacobi2d(shape: Plane) {
    const STEPS: usize = 5;
    let grid = signed(2, shape);
    agree(|k: &Jacobi2d5<f64>| k.run(&grid), &jacobi::jacobi2d_5(&grid), both(7, 1.0));
    let expected = jacobi::iterated_jacobi2d(STEPS, &grid);
    agree(|k: &IteratedJacobi2d<f64>| k.run(STEPS, &grid), &expected, both(7 * STEPS, 1.0));
}

fn jacobi3d(shape: Volume) {
    let grid = signed(3, shape);
    agree(|k: &Jacobi3d7<f64>| k.run(&grid), &jacobi::jacobi3d_7(&grid), both(9, 1.0));
}

#[test]
fn oclgrind_finds_nothing() {
    oclgrind(&["small::reductions"]);
}
