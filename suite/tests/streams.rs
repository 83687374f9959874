//! Stencils that stream, on a device against their definitions.

mod common;

use common::{Plane, Volume, agree, oclgrind};
use lift_suite::check::Bound;
use lift_suite::input::signed;
use lift_suite::low::{marching, time};
use lift_suite::stencils::{convolution, jacobi};
use ndarray::{Array2, Array3};

/// Less than a strip, and more than one on either axis.
const PLANES: [Plane; 2] = [(1, 4), (101, 524)];
/// Less than a block, and more than one on two axes.
const VOLUMES: [Volume; 2] = [(1, 1, 4), (7, 30, 64)];
/// Whole blocks.
const BLOCKS: [Volume; 1] = [(64, 8, 128)];

workloads! {
    blur: PLANES, [(4096, 4096)];
    steps2d: PLANES, [(8192, 8192)];
    steps3d: VOLUMES, [(512, 512, 512)];
    marching3d: BLOCKS, [(256, 256, 256)];
}

fn blur(shape: Plane) {
    // Exact weights that add up to 1; 17 products and their sum, twice.
    let image = signed(1, shape);
    let expected = convolution::separable(&convolution::binomial(), &image);
    agree(|k: &marching::Blur| k.run(&image), &expected, Bound::new(36, 1.0));
    agree(|k: &convolution::Blur| k.run(&image), &expected, Bound::new(36, 1.0));
}

fn steps2d(shape: Plane) {
    let grid = signed(2, shape);
    let steps = (0..6).fold(grid.mapv(f64::from), |grid: Array2<f64>, _| jacobi::jacobi2d_5(&grid));
    // For every step, one rounding for a weight, one for its product, and the sum. The weights add up to 1.
    agree(|k: &time::Jacobi2d5| k.run(&grid), &steps, Bound::new(42, 1.0));
    agree(|k: &jacobi::SixSteps2d| k.run(&grid), &steps, Bound::new(42, 1.0));
}

fn steps3d(shape: Volume) {
    let grid = signed(3, shape);
    let steps = (0..3).fold(grid.mapv(f64::from), |grid: Array3<f64>, _| jacobi::jacobi3d_7(&grid));
    agree(|k: &time::Jacobi3d7| k.run(&grid), &steps, Bound::new(27, 1.0));
    agree(|k: &jacobi::ThreeSteps3d| k.run(&grid), &steps, Bound::new(27, 1.0));
}

fn marching3d(shape: Volume) {
    let grid = signed(3, shape);
    agree(|k: &marching::Jacobi3d7| k.run(&grid), &jacobi::jacobi3d_7(&grid), Bound::new(9, 1.0));
}

#[test]
fn oclgrind_finds_nothing() {
    oclgrind(&["small::marching3d"]);
}
