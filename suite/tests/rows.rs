//! Stencils in vectors, row by row, on a device against their definitions.

mod common;

use common::{Plane, Volume, agree, oclgrind};
use lift_suite::check::Bound;
use lift_suite::input::{signed, uniform_f64};
use lift_suite::low::rows::{Gaussian, Jacobi2d5, Jacobi2d5Double, Jacobi2d9, Jacobi3d7, Jacobi3d27};
use lift_suite::stencils::{gaussian, jacobi};

/// Two vectors to a row, with and without a rest, and several.
const PLANES: [Plane; 4] = [(1, 32), (3, 47), (5, 64), (4, 83)];
/// The same for kernels that take 4 rows together.
const FOUR_ROWS: [Plane; 3] = [(4, 32), (8, 47), (12, 83)];
const VOLUMES: [Volume; 3] = [(1, 1, 32), (2, 3, 33), (3, 5, 96)];

workloads! {
    planes: PLANES, [(4096, 4096), (1000, 1000)];
    four_rows: FOUR_ROWS, [(4096, 4096), (1000, 1000)];
    volumes: VOLUMES, [(256, 256, 256), (100, 101, 102)];
}

fn planes(shape: Plane) {
    let grid = signed(2, shape);
    // One rounding for a weight, one for its product, and the sum. The weights add up to 1.
    agree(|k: &Jacobi2d5| k.run(&grid), &jacobi::jacobi2d_5(&grid), Bound::new(7, 1.0));
    // The definition rounds as often.
    let doubles = uniform_f64(2, -1.0..1.0, shape);
    agree(|k: &Jacobi2d5Double| k.run(&doubles), &jacobi::jacobi2d_5(&doubles), Bound::new(14, 1.0));
}

fn four_rows(shape: Plane) {
    let grid = signed(2, shape);
    agree(|k: &Jacobi2d9| k.run(&grid), &jacobi::jacobi2d_9(&grid), Bound::new(11, 1.0));
    // Exact weights.
    agree(|k: &Gaussian| k.run(&grid), &gaussian::gaussian(&grid), Bound::new(26, 1.0));
}

fn volumes(shape: Volume) {
    let grid = signed(3, shape);
    agree(|k: &Jacobi3d7| k.run(&grid), &jacobi::jacobi3d_7(&grid), Bound::new(9, 1.0));
    agree(|k: &Jacobi3d27| k.run(&grid), &jacobi::jacobi3d_27(&grid), Bound::new(29, 1.0));
}

#[test]
fn oclgrind_finds_nothing() {
    oclgrind(&["small::planes", "small::four_rows", "small::volumes"]);
}
