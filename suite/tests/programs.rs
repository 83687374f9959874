//! Programs of several kernels, kernels with several results, and kernels that update in place, on a device against
//! their definitions.

mod common;

use common::{Plane, Volume, agree, oclgrind, runs};
use lift_suite::check::{Bound, compare, device};
use lift_suite::finance::{self, BlackScholes};
use lift_suite::fractal::{self, Mandelbrot};
use lift_suite::input::{signed, uniform};
use lift_suite::physics::{self, MolecularDynamics, NBody};
use lift_suite::rooms::geometry::Room;
use lift_suite::rooms::impulse::{self, Hall};
use lift_suite::rooms::walls::{self, FdMm, FiMm, Materials};
use lift_suite::stencils::convolution::{self, SeparableConvolution};
use lift_suite::stencils::hotspot::{self, Chip, IteratedHotspot2d};
use lift_suite::stencils::jacobi::{self, IteratedJacobi2d, IteratedJacobi3d};
use lift_suite::stencils::srad::{self, Srad};
use ndarray::{Array1, Axis};

const ROOMS: [Volume; 1] = [(7, 11, 17)];
const LARGE_ROOMS: [Volume; 3] = [(152, 202, 302), (336, 336, 336), (302, 402, 602)];

workloads! {
    separable: [(1, 3), (41, 67)], [(4096, 4096)];
    iterated_jacobi2d: [((1, 3), 0), ((41, 67), 5)], [((8192, 8192), 10)];
    iterated_jacobi3d: [((5, 11, 37), 4)], [((512, 512, 512), 4)];
    iterated_hotspot2d: [((41, 67), 5)], [((8192, 8192), 10)];
    srad_loop: [((16, 19), 3)], [((504, 458), 3)];
    fi_mm: ROOMS, LARGE_ROOMS;
    fd_mm: ROOMS, LARGE_ROOMS;
    room_impulse_response: [((9, 13, 17), 12)], [((152, 202, 302), 120)];
    mandelbrot: [((5, 7), 0), ((31, 45), 60)], [((4096, 4096), 256)];
    black_scholes: [1, 1021], [4 << 20];
    n_body: [1, 331], [16 << 10];
    molecular_dynamics: [(2, 3), (331, 17)], [(12 << 10, 128), (72 << 10, 128)];
}

fn separable(shape: Plane) {
    // Twice 17 products and their sum; the magnitudes of the weights add up to at most 1, and so do their products.
    let (weights, image) = (convolution::line_weights(), signed(1, shape));
    let expected = convolution::separable(&weights, &image);
    agree(|k: &SeparableConvolution| k.run(&weights, &image), &expected, Bound::new(36, 1.0));
}

// Steps that are convex combinations only pass the errors of earlier steps on.

fn iterated_jacobi2d((shape, steps): (Plane, usize)) {
    let grid = uniform(2, 0.0..1.0, shape);
    let expected = jacobi::iterated_jacobi2d(steps, &grid);
    agree(|k: &IteratedJacobi2d<f32>| k.run(steps, &grid), &expected, Bound::new(7 * steps, 1.0));
}

fn iterated_jacobi3d((shape, steps): (Volume, usize)) {
    let grid = uniform(3, 0.0..1.0, shape);
    let expected = jacobi::iterated_jacobi3d(steps, &grid);
    agree(|k: &IteratedJacobi3d| k.run(steps, &grid), &expected, Bound::new(9 * steps, 1.0));
}

fn iterated_hotspot2d((shape, steps): (Plane, usize)) {
    let chip = Chip::new(1);
    let Chip { step, rx, ry, rz } = chip;
    let (power, temperature) = (hotspot::power(shape), hotspot::temperature(shape));
    // The temperature rises by less than half a degree in each step.
    let weights: f64 = [4.0 / ry, 4.0 / rx, 2.0 / rz].iter().map(|&w| f64::from(step * w)).sum();
    let magnitude = (345.0 + 0.5 * steps as f64) * (1.0 + weights) + f64::from(step);
    agree(
        |k: &IteratedHotspot2d| k.run(steps, step, rx, ry, rz, &power, &temperature),
        &hotspot::iterated_hotspot2d(steps, chip, &power, &temperature),
        Bound::new(12 * steps, magnitude),
    );
}

fn srad_loop((shape, steps): (Plane, usize)) {
    // Errors of a step may grow in the next. So each state is compared with one step from the device's own state before:
    // 8 roundings of 1.75, and ¼·λ·Σ|d| ≤ ¼ times the error of a coefficient. That is 30 roundings of 60, as for one
    // kernel, and twice the relative error of q0², a quotient of sums of n pixels.
    const LAMBDA: f32 = 0.5;
    let image = srad::image(shape);
    let bound = Bound::new(320 + (shape.0 * shape.1).min(2048), 1.5);
    for (name, states) in
        runs(|k: &Srad| (0..=steps).map(|n| k.run(n, LAMBDA, &image)).collect::<Result<Vec<_>, _>>())
    {
        assert_eq!(states[0], image, "{name}: no step");
        for (n, pair) in states.windows(2).enumerate() {
            let expected = srad::srad(1, f64::from(LAMBDA), &pair[0]);
            compare(&pair[1], &expected, bound).unwrap_or_else(|e| panic!("{name}, step {n}: {e}"));
        }
    }
}

const COURANT: f32 = 0.57;

fn fi_mm(shape: Volume) {
    // A coefficient with 4 roundings, a sum, a division.
    for room in [Room::cuboid(shape), Room::dome(shape)] {
        let walls = &room.walls;
        let materials = Materials::new(1);
        let points = room.neighbours.len();
        let (previous, next): (Array1<f32>, Array1<f32>) = (signed(1, points), signed(2, points));
        let expected = walls::fi_mm(f64::from(COURANT), &materials.beta, walls, &previous, &next);
        let found = runs(|k: &FiMm| {
            let mut next = next.clone();
            k.run(
                COURANT,
                &materials.beta,
                &walls.index,
                &walls.neighbours,
                &walls.material,
                &previous,
                &mut next,
            )?;
            Ok(next)
        });
        for (name, next) in found {
            compare(&next, &expected, Bound::new(12, 2.0)).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

fn fd_mm(shape: Volume) {
    let room = Room::dome(shape);
    let walls = &room.walls;
    let points = room.neighbours.len();
    let (previous, next): (Array1<f32>, Array1<f32>) = (signed(1, points), signed(2, points));
    for branches in [1, 3, 10] {
        let m = Materials::new(branches);
        let (g, v) = (walls::state(3, branches, walls), walls::state(4, branches, walls));
        let expected = walls::fd_mm(f64::from(COURANT), &m, walls, &previous, (&next, &g, &v));
        let found = runs(|k: &FdMm| {
            let (mut next, mut g, mut v) = (next.clone(), g.clone(), v.clone());
            k.run(
                COURANT,
                &m.beta,
                &m.b,
                &m.d,
                &m.i,
                &m.f,
                &walls.index,
                &walls.neighbours,
                &walls.material,
                &previous,
                &mut next,
                &mut g,
                &mut v,
            )?;
            Ok((next, g, v))
        });
        // A branch takes at most 0.1·(2·0.1 + 0.1·0.1) of at most 3·λ; the velocity follows from the pressure.
        let bound = Bound::new(16 + branches, 2.0 + 0.1 * branches as f64);
        for (name, (next, g, v)) in found {
            let equal = compare(&next, &expected.0, bound)
                .and_then(|()| compare(&g, &expected.1, bound))
                .and_then(|()| compare(&v, &expected.2, bound));
            equal.unwrap_or_else(|e| panic!("{name} with {branches} branches: {e}"));
        }
    }
}

fn room_impulse_response((shape, steps): (Volume, usize)) {
    // Each step adds 30 roundings of terms that are at most 7 times the click. In a wave equation an error grows with the
    // number of steps that it lives: in all, half of the square of the steps.
    let device = device().expect("a device");
    let hall = Hall::dome(shape, 2);
    let found = impulse::impulse_response(&device, &hall, steps).expect("a response");
    let expected = impulse::response(&hall, steps);
    assert!(expected.iter().any(|x| x.abs() > 1e-3), "nothing is heard");
    compare(&found, &expected, Bound::new(15 * steps * steps, 7.0)).unwrap_or_else(|e| panic!("{e}"));
}

fn mandelbrot((shape, limit): (Plane, usize)) {
    let (im, re) = (fractal::imaginary(shape.0), fractal::real(shape.1));
    let expected = fractal::mandelbrot(limit, &im, &re, f64::from(f32::EPSILON) / 2.0);
    let certain = expected.iter().filter(|(least, greatest)| least == greatest).count();
    assert!(certain * 10 >= expected.len() * 9, "only {certain} points of {} are certain", expected.len());
    for (name, found) in runs(|k: &Mandelbrot| k.run(limit, &im, &re)) {
        for ((place, &(least, greatest)), &count) in expected.indexed_iter().zip(&found) {
            assert!(
                (least..=greatest).contains(&count),
                "{name}: {count} at {place:?}, expected {least} to {greatest}"
            );
        }
    }
}

fn black_scholes(n: usize) {
    // A price is at most 30 or 100 times a difference of probabilities. Those change by φ(d)·δd, and an error of 20
    // roundings of d's terms, at most |d| + 1.4 where they cancel, changes them by less than 20·u·0.8. The terms of the
    // series add up to at most 5.7·0.4 = 2.3, with as many roundings.
    let bound = Bound::new(30, 130.0 * (0.8 + 2.3));
    let (shares, strikes, years) = (finance::shares(n), finance::strikes(n), finance::years(n));
    let expected = finance::black_scholes(&shares, &strikes, &years);
    for (name, (calls, puts)) in runs(|k: &BlackScholes<f32>| k.run(&shares, &strikes, &years)) {
        compare(&calls, &expected.0, bound).unwrap_or_else(|e| panic!("{name}, calls: {e}"));
        compare(&puts, &expected.1, bound).unwrap_or_else(|e| panic!("{name}, puts: {e}"));
    }
}

fn n_body(n: usize) {
    // 3 of a difference's square and sum, half as much again for the power 3/2, a root, a division: 20. Then n.
    let bodies = physics::bodies(n);
    let part = |i: usize| bodies.column(i).to_owned();
    let (expected, magnitude) = physics::n_body(&bodies);
    for (name, (x, y, z)) in runs(|k: &NBody| k.run(&part(0), &part(1), &part(2), &part(3))) {
        let found = ndarray::stack![Axis(1), x, y, z];
        compare(&found, &expected, Bound::new(20 + n, magnitude)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

fn molecular_dynamics((n, k): (usize, usize)) {
    // s has 6 roundings, its seventh power 7·6 + 6; then the sum.
    let (positions, neighbours) = (physics::positions(n), physics::neighbours(n, k));
    let part = |i: usize| positions.column(i).to_owned();
    let (expected, magnitude) = physics::molecular_dynamics(&positions, &neighbours);
    for (name, (x, y, z)) in runs(|k: &MolecularDynamics| k.run(&part(0), &part(1), &part(2), &neighbours)) {
        let found = ndarray::stack![Axis(1), x, y, z];
        compare(&found, &expected, Bound::new(51 + k, magnitude)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn oclgrind_finds_nothing() {
    oclgrind(&[
        "small::fi_mm",
        "small::fd_mm",
        "small::srad_loop",
        "small::separable",
        "small::mandelbrot",
        "small::molecular_dynamics",
        "small::room_impulse_response",
    ]);
}
