//! Finance, physics and clustering on a device against their definitions.

mod common;

use common::{agree, runs};
use lift_suite::check::Bound;
use lift_suite::cluster::{self, NearestCentre};
use lift_suite::finance::{self, BlackScholes};
use lift_suite::input::signed;
use lift_suite::physics::{self, MolecularDynamics, NBody};

workloads! {
    black_scholes: [1, 1021], [4 << 20];
    n_body: [1, 331], [16 << 10];
    molecular_dynamics: [(2, 3), (331, 17)], [(12 << 10, 128), (72 << 10, 128)];
    nearest_centre: [(1, 1, 1), (257, 5, 3)], [(1 << 20, 5, 34)];
}

fn black_scholes(n: usize) {
    // A price is at most 30 or 100 times a difference of probabilities. Those change by φ(d)·δd, and an error of 20
    // roundings of d's terms, at most |d| + 1.4 where they cancel, changes them by less than 20·u·0.8. The terms of the
    // series add up to at most 5.7·0.4 = 2.3, with as many roundings.
    let (shares, strikes, years) = (finance::shares(n), finance::strikes(n), finance::years(n));
    agree(
        |k: &BlackScholes| k.run(&shares, &strikes, &years),
        &finance::black_scholes(&shares, &strikes, &years),
        Bound::new(30, 130.0 * (0.8 + 2.3)),
    );
}

fn n_body(n: usize) {
    // 3 of a difference's square and sum, half as much again for the power 3/2, a root, a division: 20. Then n.
    let bodies = physics::bodies(n);
    let (expected, magnitude) = physics::n_body(&bodies);
    agree(|k: &NBody| k.run(&bodies), &expected, Bound::new(20 + n, magnitude));
}

fn molecular_dynamics((n, k): (usize, usize)) {
    // s has 6 roundings, its seventh power 7·6 + 6; then the sum.
    let (positions, neighbours) = (physics::positions(n), physics::neighbours(n, k));
    let (expected, magnitude) = physics::molecular_dynamics(&positions, &neighbours);
    agree(|k: &MolecularDynamics| k.run(&positions, &neighbours), &expected, Bound::new(51 + k, magnitude));
}

fn nearest_centre((n, k, d): (usize, usize, usize)) {
    let (points, centres) = (signed(1, (n, d)), signed(2, (k, d)));
    let distances = cluster::distances(&points, &centres);
    // Squares of at most 2², with 3 roundings each, and their sum: two distances that differ by less than both
    // errors may change places.
    let unit_roundoff = f64::from(f32::EPSILON) / 2.0;
    let allowed = 2.0 * (d + 3) as f64 * unit_roundoff * 4.0 * d as f64;
    for (name, found) in runs(|k: &NearestCentre| k.run(&points, &centres)) {
        for (i, (&centre, row)) in found.iter().zip(distances.rows()).enumerate() {
            let least = row.iter().copied().fold(f64::INFINITY, f64::min);
            let distance = row.get(centre as usize).copied().unwrap_or(f64::INFINITY);
            assert!(distance - least <= allowed, "{name}: centre {centre} of point {i} is not the nearest");
        }
    }
}
