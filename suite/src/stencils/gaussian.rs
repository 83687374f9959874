//! A Gaussian blur with 5×5 weights (*Tiling optimizations for stencil computations*, table 2).
//!
//! `out[i, j] = Σ w[p]·w[q]·image[i + p - 2, j + q - 2]`, with the image's nearest pixel outside. The weights are the
//! binomial coefficients 1 4 6 4 1 of a row times those of a column, divided by 256.

use lift::prelude::*;
use ndarray::Array2;

use crate::oracle::{Real, clamped2, plane};

lift!(
    const BELL: [[f32; 5]; 5] = [
        [1.0, 4.0, 6.0, 4.0, 1.0],
        [4.0, 16.0, 24.0, 16.0, 4.0],
        [6.0, 24.0, 36.0, 24.0, 6.0],
        [4.0, 16.0, 24.0, 16.0, 4.0],
        [1.0, 4.0, 6.0, 4.0, 1.0],
    ];

    /// The blurred image.
    #[kernel]
    pub fn Gaussian<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image
            .pad2d(2, 2, clamp)
            .slide2d(5, 1)
            .map2d(|w| zip(BELL.join(), w.join()).map(mul).reduce(add, 0.0) / 256.0)
    }
);

/// The definition.
pub fn gaussian<T: Real>(image: &Array2<T>) -> Array2<f64> {
    const BINOMIAL: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
    let pixel = clamped2(image);
    plane(image.dim(), |i, j| {
        let mut sum = 0.0;
        for (p, row) in (-2..).zip(BINOMIAL) {
            for (q, column) in (-2..).zip(BINOMIAL) {
                sum += row * column / 256.0 * pixel(i + p, j + q);
            }
        }
        sum
    })
}
