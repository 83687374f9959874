//! The heat equation on a grid in three dimensions (*Tiling optimizations for stencil computations*, table 2).
//!
//! `out = c + 0.125·Σ (before - 2·c + after)` over the three axes, with the grid's nearest point outside.

use lift::prelude::*;
use ndarray::Array3;

use crate::oracle::{Real, clamped3, volume};

lift!(
    /// The second difference along an axis.
    fn bend(w: [f32; 3]) -> f32 {
        w[0] - 2.0 * w[1] + w[2]
    }

    /// One time step.
    #[kernel]
    pub fn Heat<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| {
            let depth = w.map(|plane| plane[1][1]);
            let column = w[1].map(|row| row[1]);
            let row = w[1][1];
            w[1][1][1] + 0.125 * (bend(depth) + bend(column) + bend(row))
        })
    }
);

/// The definition.
pub fn heat<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    let g = clamped3(grid);
    volume(grid.dim(), |i, j, k| {
        let z = g(i - 1, j, k) - 2.0 * g(i, j, k) + g(i + 1, j, k);
        let y = g(i, j - 1, k) - 2.0 * g(i, j, k) + g(i, j + 1, k);
        let x = g(i, j, k - 1) - 2.0 * g(i, j, k) + g(i, j, k + 1);
        g(i, j, k) + 0.125 * (z + y + x)
    })
}
