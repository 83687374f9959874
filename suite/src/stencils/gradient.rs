//! The inverse length of the gradient, as in the denoising of images by total variation (*Tiling optimizations for
//! stencil computations*, table 2).
//!
//! `out = c + 1/√(ε + Σ (c - n)²)` over the four neighbours, with the grid's nearest point outside.

use lift::prelude::*;
use ndarray::Array2;

use crate::oracle::{Real, clamped2, plane};

lift!(
    const EPSILON: f32 = 0.01;

    fn square(x: f32) -> f32 {
        x * x
    }

    fn flatness(w: [[f32; 3]; 3]) -> f32 {
        let centre = w[1][1];
        let vertical = square(centre - w[0][1]) + square(centre - w[2][1]);
        let horizontal = square(centre - w[1][0]) + square(centre - w[1][2]);
        centre + 1.0 / (EPSILON + vertical + horizontal).sqrt()
    }

    /// The inverse length of the gradient, added to every point.
    #[kernel]
    pub fn Gradient<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(flatness)
    }
);

/// The definition.
pub fn gradient<T: Real>(grid: &Array2<T>) -> Array2<f64> {
    let g = clamped2(grid);
    plane(grid.dim(), |i, j| {
        let mut sum = 0.01;
        for (p, q) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            sum += (g(i, j) - g(i + p, j + q)).powi(2);
        }
        g(i, j) + 1.0 / sum.sqrt()
    })
}
