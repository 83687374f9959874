//! The Poisson operator of 19 points: the centre, six faces and twelve edges of a cube (*Tiling optimizations for
//! stencil computations*, table 2).
//!
//! `out = 2.666·c - 0.166·Σ faces - 0.0833·Σ edges`, with the grid's nearest point outside.

use lift::prelude::*;
use ndarray::Array3;

use crate::oracle::{Real, clamped3, volume};

lift!(
    fn cross(w: [[f32; 3]; 3]) -> f32 {
        w[0][1] + w[1][0] + w[1][2] + w[2][1]
    }

    fn diagonals(w: [[f32; 3]; 3]) -> f32 {
        w[0][0] + w[0][2] + w[2][0] + w[2][2]
    }

    /// The operator applied to a grid.
    #[kernel]
    pub fn Poisson<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| {
            let faces = w[0][1][1] + cross(w[1]) + w[2][1][1];
            let edges = cross(w[0]) + diagonals(w[1]) + cross(w[2]);
            2.666 * w[1][1][1] - 0.166 * faces - 0.0833 * edges
        })
    }
);

/// The definition.
pub fn poisson<T: Real>(grid: &Array3<T>) -> Array3<f64> {
    let g = clamped3(grid);
    // By the number of axes along which a point differs from the centre.
    let weights = [2.666, -0.166, -0.0833, 0.0];
    volume(grid.dim(), |i, j, k| {
        let mut sum = 0.0;
        for p in -1..=1_isize {
            for q in -1..=1_isize {
                for r in -1..=1_isize {
                    sum += weights[(p.abs() + q.abs() + r.abs()) as usize] * g(i + p, j + q, k + r);
                }
            }
        }
        sum
    })
}
