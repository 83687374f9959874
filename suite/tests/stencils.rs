//! Stencils on a device against their definitions.

mod common;

use common::{PLANES, Plane, VOLUMES, Volume, agree_in_bits as agree, oclgrind};
use lift_suite::check::Bound;
use lift_suite::input::signed;
use lift_suite::stencils::{
    acoustic::{self, Acoustic},
    convolution::{self, Convolution, ConvolveColumns, ConvolveRows},
    gaussian::{self, Gaussian},
    gradient::{self, Gradient},
    heat::{self, Heat},
    hotspot::{self, Chip, Hotspot2d, Hotspot3d},
    jacobi::{
        self, Jacobi2d5, Jacobi2d9, Jacobi3d7, Jacobi3d13, Jacobi3d19Dense, Jacobi3d19Leggy, Jacobi3d27,
    },
    life::{self, Life},
    poisson::{self, Poisson},
    shoc::{self, Stencil2d},
    srad::{self, Srad1, Srad2},
};

workloads! {
    convolution: PLANES, [(4096, 4096)];
    stencil2d: PLANES, [(4096, 4096)];
    srad1: PLANES, [(504, 458)];
    srad2: PLANES, [(504, 458)];
    hotspot2d: PLANES, [(8192, 8192)];
    hotspot3d: VOLUMES, [(8, 512, 512)];
    gaussian: PLANES, [(4096, 4096), (8192, 8192)];
    gradient: PLANES, [(4096, 4096), (8192, 8192)];
    jacobi2d: PLANES, [(4096, 4096), (8192, 8192)];
    jacobi3d: VOLUMES, [(256, 256, 256), (512, 512, 512)];
    poisson: VOLUMES, [(256, 256, 256), (512, 512, 512)];
    heat: VOLUMES, [(256, 256, 256), (512, 512, 512)];
    acoustic: VOLUMES, [(202, 256, 256), (404, 512, 512), (152, 202, 302), (336, 336, 336), (302, 402, 602)];
    life: PLANES, [(4096, 4096)];
}

fn convolution(shape: Plane) {
    // 289 or 17 products and their sum; the magnitudes of the weights add up to at most 1.
    let (weights, line, image) = (convolution::weights(), convolution::line_weights(), signed(1, shape));
    let expected = convolution::convolution(&weights, &image);
    agree(|k: &Convolution| k.run(&weights, &image), &expected, Bound::new(290, 1.0));
    let expected = convolution::columns(&line, &image);
    agree(|k: &ConvolveColumns| k.run(&line, &image), &expected, Bound::new(18, 1.0));
    let expected = convolution::rows(&line, &image);
    agree(|k: &ConvolveRows| k.run(&line, &image), &expected, Bound::new(18, 1.0));
}

fn stencil2d((n, m): Plane) {
    // Weights that add up to 1; 8 additions, and two roundings for a weight and its product.
    let grid = signed(4, (n + 2, m + 2));
    agree(|k: &Stencil2d| k.run(&grid), &shoc::stencil2d(&grid), Bound::new(10, 1.0));
}

fn srad1(shape: Plane) {
    // Differences are below 0.5, so G² ≤ 1, |L| ≤ 2 and 1 + L/4 ≥ 0.5: the terms of q² are at most
    // (0.5 + 0.25)/0.25 = 3, with 30 roundings (a difference's error counts twice in its square, that of the
    // divisor twice as well). Where c < 1 its derivative by q² is below 1/(q0²·(1 + q0²)) < 20.
    const Q0_SQUARED: f32 = 0.05;
    let image = srad::image(shape);
    let expected = srad::srad1(f64::from(Q0_SQUARED), &image);
    agree(|k: &Srad1| k.run(Q0_SQUARED, &image), &expected, Bound::new(30, 60.0));
}

fn srad2(shape: Plane) {
    // A pixel below 1.5, and ¼·λ times four differences.
    const LAMBDA: f32 = 0.5;
    let (image, c) = (srad::image(shape), srad::coefficients(shape));
    let expected = srad::srad2(f64::from(LAMBDA), &image, &c);
    agree(|k: &Srad2| k.run(LAMBDA, &image, &c), &expected, Bound::new(8, 1.5 + 0.5 * 0.5));
}

fn hotspot2d(shape: Plane) {
    let chip = Chip::new(1);
    let Chip { step, rx, ry, rz } = chip;
    let (power, temperature) = (hotspot::power(shape), hotspot::temperature(shape));
    // The terms: a point, its neighbours with the weights step/R, and the power.
    let weights: f64 = [4.0 / ry, 4.0 / rx, 2.0 / rz].iter().map(|&w| f64::from(step * w)).sum();
    agree(
        |k: &Hotspot2d| k.run(step, rx, ry, rz, &power, &temperature),
        &hotspot::hotspot2d(chip, &power, &temperature),
        Bound::new(12, 345.0 * (1.0 + weights) + f64::from(step)),
    );
}

fn hotspot3d(shape: Volume) {
    let chip = Chip::new(shape.0);
    let (c, step) = (chip.coefficients(), chip.step);
    let (power, temperature) = (hotspot::power(shape), hotspot::temperature(shape));
    // The terms: the points, one of them with the surroundings' temperature, and the power.
    let weights: f64 = c.iter().map(|x| f64::from(x.abs())).sum();
    agree(
        |k: &Hotspot3d| k.run(&c, step, &power, &temperature),
        &hotspot::hotspot3d(c, step, &power, &temperature),
        Bound::new(10, 425.0 * weights + f64::from(step)),
    );
}

fn gaussian(shape: Plane) {
    // Exact weights that add up to 256, then an exact division.
    let image = signed(5, shape);
    agree(|k: &Gaussian| k.run(&image), &gaussian::gaussian(&image), Bound::new(26, 1.0));
}

fn gradient(shape: Plane) {
    // The sum under the root is positive: no cancellation, 8 roundings at most (a difference's error counts twice in
    // its square), of which the root halves the effect; then 6 of the root, 5 of the division, 1 of the sum.
    // The result is at most 1 + 1/√0.01.
    let grid = signed(6, shape);
    agree(|k: &Gradient| k.run(&grid), &gradient::gradient(&grid), Bound::new(16, 11.0));
}

/// One rounding for a weight, one for its product, n for the sum. The weights add up to 1 at most.
fn weighted(points: usize) -> Bound {
    Bound::new(points + 2, 1.0)
}

fn jacobi2d(shape: Plane) {
    let grid = signed(2, shape);
    agree(|k: &Jacobi2d5<f32>| k.run(&grid), &jacobi::jacobi2d_5(&grid), weighted(5));
    agree(|k: &Jacobi2d9| k.run(&grid), &jacobi::jacobi2d_9(&grid), weighted(9));
}

fn jacobi3d(shape: Volume) {
    let grid = signed(3, shape);
    agree(|k: &Jacobi3d7<f32>| k.run(&grid), &jacobi::jacobi3d_7(&grid), weighted(7));
    agree(|k: &Jacobi3d13| k.run(&grid), &jacobi::jacobi3d_13(&grid), weighted(13));
    agree(|k: &Jacobi3d19Leggy| k.run(&grid), &jacobi::jacobi3d_19_leggy(&grid), weighted(19));
    agree(|k: &Jacobi3d19Dense| k.run(&grid), &jacobi::jacobi3d_19_dense(&grid), weighted(19));
    agree(|k: &Jacobi3d27| k.run(&grid), &jacobi::jacobi3d_27(&grid), weighted(27));
}

fn poisson(shape: Volume) {
    // 2.666 + 6·0.166 + 12·0.0833 < 4.7.
    let grid = signed(10, shape);
    agree(|k: &Poisson| k.run(&grid), &poisson::poisson(&grid), Bound::new(15, 4.7));
}

fn heat(shape: Volume) {
    // 1 + 0.125·12 = 2.5.
    let grid = signed(10, shape);
    agree(|k: &Heat| k.run(&grid), &heat::heat(&grid), Bound::new(7, 2.5));
}

fn acoustic(shape: Volume) {
    // At most 2 + 2·6·0.333 + 1.
    let (previous, current) = (signed(11, shape), signed(12, shape));
    let expected = acoustic::acoustic(&previous, &current);
    agree(|k: &Acoustic<f32>| k.run(&previous, &current), &expected, Bound::new(11, 7.0));
}

fn life(shape: Plane) {
    let cells = life::cells(shape);
    agree(|k: &Life| k.run(&cells), &life::life(&cells), Bound::EXACT);
}

#[test]
fn oclgrind_finds_nothing() {
    oclgrind(&["small::gaussian", "small::acoustic", "small::heat", "small::life"]);
}
