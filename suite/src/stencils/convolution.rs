//! Convolution of an image with 17×17 weights, as a whole and separated into a pass along the columns and one along
//! the rows (Hagedorn's thesis, sections 2.3 and 6.2; *High performance stencil code generation with Lift*, table 2).
//!
//! `out[i, j] = Σ w[p, q] · image[i + p - 8, j + q - 8]`, with the image's nearest pixel outside.

use lift::prelude::*;
use ndarray::{Array1, Array2};

use crate::input;
use crate::oracle::{Real, clamped2, plane};

lift!(
    /// The binomial weights of 17 points.
    const BINOMIAL: [f32; 17] = [
        0.0000152587890625,
        0.000244140625,
        0.0018310546875,
        0.008544921875,
        0.02777099609375,
        0.066650390625,
        0.1221923828125,
        0.174560546875,
        0.196380615234375,
        0.174560546875,
        0.1221923828125,
        0.066650390625,
        0.02777099609375,
        0.008544921875,
        0.0018310546875,
        0.000244140625,
        0.0000152587890625,
    ];

    fn dot(weights: [f32; K], pixels: [f32; K]) -> f32 {
        zip(weights, pixels).map(mul).reduce(add, 0.0)
    }

    /// The weighted sum of every pixel's neighbourhood.
    #[kernel]
    pub fn Convolution<N, M>(weights: [[f32; 17]; 17], image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(|nbh| dot(weights.join(), nbh.join()))
    }

    fn columns<n, m>(weights: [f32; 17], image: [[f32; m]; n]) -> [[f32; m]; n] {
        image.pad2d(8, 0, clamp).slide2d(17, 1, 1, 1).map2d(|nbh| dot(weights, nbh.join()))
    }

    fn rows<n, m>(weights: [f32; 17], image: [[f32; m]; n]) -> [[f32; m]; n] {
        image.pad2d(0, 8, clamp).slide2d(1, 1, 17, 1).map2d(|nbh| dot(weights, nbh.join()))
    }

    /// The weighted sum along the columns.
    #[kernel]
    pub fn ConvolveColumns<N, M>(weights: [f32; 17], image: [[f32; M]; N]) -> [[f32; M]; N] {
        columns(weights, image)
    }

    /// The weighted sum along the rows.
    #[kernel]
    pub fn ConvolveRows<N, M>(weights: [f32; 17], image: [[f32; M]; N]) -> [[f32; M]; N] {
        rows(weights, image)
    }

    /// Both, one after the other: the weight of a point is that of its row times that of its column.
    #[kernel]
    pub fn SeparableConvolution<N, M>(weights: [f32; 17], image: [[f32; M]; N]) -> [[f32; M]; N] {
        rows(weights, columns(weights, image).materialize())
    }

    /// Both with binomial weights, which blurs. Nothing says how often the weighted sum of a row is computed, and where it is kept.
    #[kernel]
    pub fn Blur<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(|nbh| dot(BINOMIAL, nbh.map(dot(BINOMIAL))))
    }
);

/// The binomial weights of 17 points.
pub fn binomial() -> Array1<f32> {
    let mut weight = 1.0 / 65536.0;
    let next = |k: u16| {
        let this = weight;
        weight *= f32::from(16 - k) / f32::from(k + 1);
        this
    };
    (0..17).map(next).collect()
}

/// 17×17 weights whose magnitudes add up to less than 1.
pub fn weights() -> Array2<f32> {
    input::uniform(17, -1.0 / 289.0..1.0 / 289.0, (17, 17))
}

/// 17 weights whose magnitudes add up to less than 1.
pub fn line_weights() -> Array1<f32> {
    input::uniform(18, -1.0 / 17.0..1.0 / 17.0, 17)
}

/// The definition.
pub fn convolution<T: Real>(weights: &Array2<T>, image: &Array2<T>) -> Array2<f64> {
    let pixel = clamped2(image);
    plane(image.dim(), |i, j| {
        let mut sum = 0.0;
        for ((p, q), &weight) in weights.indexed_iter() {
            let weight: f64 = weight.into();
            sum += weight * pixel(i + p as isize - 8, j + q as isize - 8);
        }
        sum
    })
}

/// The definition of the pass along the columns.
pub fn columns<T: Real>(weights: &Array1<T>, image: &Array2<T>) -> Array2<f64> {
    let pixel = clamped2(image);
    plane(image.dim(), |i, j| {
        let mut sum = 0.0;
        for (p, &weight) in weights.iter().enumerate() {
            let weight: f64 = weight.into();
            sum += weight * pixel(i + p as isize - 8, j);
        }
        sum
    })
}

/// The definition of the pass along the rows.
pub fn rows<T: Real>(weights: &Array1<T>, image: &Array2<T>) -> Array2<f64> {
    let pixel = clamped2(image);
    plane(image.dim(), |i, j| {
        let mut sum = 0.0;
        for (q, &weight) in weights.iter().enumerate() {
            let weight: f64 = weight.into();
            sum += weight * pixel(i, j + q as isize - 8);
        }
        sum
    })
}

/// The definition of both passes.
pub fn separable<T: Real>(weights: &Array1<T>, image: &Array2<T>) -> Array2<f64> {
    rows(&weights.mapv(|w| w.into()), &columns(weights, image))
}
