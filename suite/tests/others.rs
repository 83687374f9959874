//! Clustering on a device against its definition.

mod common;

use common::runs;
use lift_suite::cluster::{self, NearestCentre};
use lift_suite::input::signed;

workloads! {
    nearest_centre: [(1, 1, 1), (257, 5, 3)], [(1 << 20, 5, 34)];
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
