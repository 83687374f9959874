//! SHOC's `stencil2d`: nine points, weighted by how far they are from the centre (Danalis et al., *The Scalable
//! Heterogeneous Computing benchmark suite*; *Tiling optimizations for stencil computations*, table 2).
//!
//! `out[i, j] = 0.25·c + 0.15·(n + s + e + w) + 0.05·(nw + ne + sw + se)`. The grid comes with a halo of one point, so
//! the result is smaller.

use lift::prelude::*;
use ndarray::Array2;

use crate::oracle::{Real, plane};

lift!(
    fn weigh(w: [[f32; 3]; 3]) -> f32 {
        let cardinal = w[0][1] + w[1][0] + w[1][2] + w[2][1];
        let diagonal = w[0][0] + w[0][2] + w[2][0] + w[2][2];
        0.25 * w[1][1] + 0.15 * cardinal + 0.05 * diagonal
    }

    /// One step of `stencil2d`.
    #[kernel]
    pub fn Stencil2d<N, M>(grid: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] {
        grid.slide2d(3, 1).map2d(weigh)
    }
);

/// The definition.
pub fn stencil2d<T: Real>(grid: &Array2<T>) -> Array2<f64> {
    let (n, m) = grid.dim();
    let at = |i: isize, j: isize| -> f64 { grid[[(i + 1) as usize, (j + 1) as usize]].into() };
    plane((n - 2, m - 2), |i, j| {
        0.25 * at(i, j)
            + 0.15 * (at(i - 1, j) + at(i + 1, j) + at(i, j + 1) + at(i, j - 1))
            + 0.05 * (at(i - 1, j - 1) + at(i - 1, j + 1) + at(i + 1, j - 1) + at(i + 1, j + 1))
    })
}
