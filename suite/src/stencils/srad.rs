//! Speckle-reducing anisotropic diffusion, which removes the grain of ultrasound images (Rodinia's `srad`; Yu and Acton,
//! *Speckle reducing anisotropic diffusion*; *Tiling optimizations for stencil computations*, table 2).
//!
//! With the differences `d` to the four neighbours, where the nearest pixel stands for what is outside:
//!
//! ```text
//! G²  = Σ d² / J²                 L   = Σ d / J
//! q²  = (½·G² - L²/16) / (1 + L/4)²
//! c   = 1 / (1 + (q² - q0²) / (q0²·(1 + q0²))), between 0 and 1
//! out = J + ¼·λ·(c·dN + c(south)·dS + c·dW + c(east)·dE)
//! ```
//!
//! `q0²` is the variance of a region of plain speckle divided by the square of its mean. The whole loop takes the whole
//! image as that region, as Rodinia does, anew in every step.

use lift::prelude::*;
use ndarray::Array2;

use crate::input;
use crate::oracle::{Real, clamped2, plane};

lift!(
    /// How freely a pixel may diffuse: little across edges, much within speckle.
    fn conductance(q0_squared: f32, w: [[f32; 3]; 3]) -> f32 {
        let centre = w[1][1];
        let (north, south) = (w[0][1] - centre, w[2][1] - centre);
        let (west, east) = (w[1][0] - centre, w[1][2] - centre);
        let gradient = (north * north + south * south + west * west + east * east) / (centre * centre);
        let laplacian = (north + south + west + east) / centre;
        let slope = 1.0 + 0.25 * laplacian;
        let q_squared = (0.5 * gradient - 0.0625 * laplacian * laplacian) / (slope * slope);
        let excess = (q_squared - q0_squared) / (q0_squared * (1.0 + q0_squared));
        (1.0 / (1.0 + excess)).clamp(0.0, 1.0)
    }

    /// The pixel after a step of diffusion.
    fn diffuse(lambda: f32, w: [[f32; 3]; 3], c: [[f32; 2]; 2]) -> f32 {
        let centre = w[1][1];
        let (north, south) = (c[0][0] * (w[0][1] - centre), c[1][0] * (w[2][1] - centre));
        let (west, east) = (c[0][0] * (w[1][0] - centre), c[0][1] * (w[1][2] - centre));
        centre + 0.25 * lambda * (north + south + west + east)
    }

    fn step1<n, m>(q0_squared: f32, image: [[f32; m]; n]) -> [[f32; m]; n] {
        image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(conductance(q0_squared))
    }

    fn step2<n, m>(lambda: f32, image: [[f32; m]; n], coefficients: [[f32; m]; n]) -> [[f32; m]; n] {
        let pixels = image.pad2d(1, 1, clamp).slide2d(3, 1);
        let ahead = coefficients.pad2d(0, 1, 0, 1, clamp, clamp).slide2d(2, 1);
        zip2d(pixels, ahead).map2d(diffuse(lambda))
    }

    fn mean<n, m>(image: [[f32; m]; n]) -> f32 {
        image.join().reduce(add, 0.0) / (n * m) as f32
    }

    fn despeckle<n, m>(lambda: f32, image: [[f32; m]; n]) -> [[f32; m]; n] {
        let level = mean(image);
        let variance = mean(image.map2d(|pixel| (pixel - level).powi(2)));
        let coefficients = step1(variance / level.powi(2), image);
        step2(lambda, image, coefficients.materialize())
    }

    /// The image after so many steps of diffusion.
    #[kernel]
    pub fn Srad<N, M>(steps: usize, lambda: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(steps, despeckle(lambda), image)
    }

    /// The diffusion coefficient of every pixel.
    #[kernel]
    pub fn Srad1<N, M>(q0_squared: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        step1(q0_squared, image)
    }

    /// The image after a step of diffusion with these coefficients.
    #[kernel]
    pub fn Srad2<N, M>(lambda: f32, image: [[f32; M]; N], coefficients: [[f32; M]; N]) -> [[f32; M]; N] {
        step2(lambda, image, coefficients)
    }
);

/// A speckled image: as in Rodinia, the exponential of a brightness, and so at least 1.
pub fn image(shape: (usize, usize)) -> Array2<f32> {
    input::uniform(5, 1.0..1.5, shape)
}

/// Diffusion coefficients.
pub fn coefficients(shape: (usize, usize)) -> Array2<f32> {
    input::uniform(6, 0.0..1.0, shape)
}

/// The definition of the coefficients.
pub fn srad1<T: Real>(q0_squared: f64, image: &Array2<T>) -> Array2<f64> {
    let image_at = clamped2(image);
    plane(image.dim(), |i, j| {
        let centre = image_at(i, j);
        let (mut sum, mut squares) = (0.0, 0.0);
        for (p, q) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let d = image_at(i + p, j + q) - centre;
            sum += d;
            squares += d * d;
        }
        let (g2, l) = (squares / centre.powi(2), sum / centre);
        let q2 = (0.5 * g2 - l * l / 16.0) / (1.0 + l / 4.0).powi(2);
        (1.0 / (1.0 + (q2 - q0_squared) / (q0_squared * (1.0 + q0_squared)))).clamp(0.0, 1.0)
    })
}

/// The definition of the diffusion step.
pub fn srad2<T: Real>(lambda: f64, image: &Array2<T>, coefficients: &Array2<T>) -> Array2<f64> {
    let (j_at, c_at) = (clamped2(image), clamped2(coefficients));
    plane(image.dim(), |i, j| {
        let centre = j_at(i, j);
        let north = c_at(i, j) * (j_at(i - 1, j) - centre);
        let south = c_at(i + 1, j) * (j_at(i + 1, j) - centre);
        let west = c_at(i, j) * (j_at(i, j - 1) - centre);
        let east = c_at(i, j + 1) * (j_at(i, j + 1) - centre);
        centre + 0.25 * lambda * (north + south + west + east)
    })
}

/// The definition of the whole loop.
pub fn srad<T: Real>(steps: usize, lambda: f64, image: &Array2<T>) -> Array2<f64> {
    (0..steps).fold(image.mapv(|x| x.into()), |image, _| {
        let mean = image.sum() / image.len() as f64;
        let variance = image.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / image.len() as f64;
        srad2(lambda, &image, &srad1(variance / mean.powi(2), &image))
    })
}
