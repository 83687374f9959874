//! The Mandelbrot set (slides *Lift: a layered language*).
//!
//! Of every point `c` of the complex plane, how many of the numbers `z₀ = 0`, `zₙ₊₁ = zₙ² + c` stay within a distance of 2,
//! up to a limit.

use lift::prelude::*;
use ndarray::{Array1, Array2};

use crate::oracle::Real;

lift!(
    /// A number of the sequence, and how many there were before it.
    struct Orbit {
        re: f32,
        im: f32,
        length: i32,
    }

    fn step(re: f32, im: f32, z: Orbit) -> Orbit {
        let (a, b) = (z.re * z.re, z.im * z.im);
        if a + b <= 4.0 {
            Orbit { re: a - b + re, im: 2.0 * z.re * z.im + im, length: z.length + 1 }
        } else {
            z
        }
    }

    /// How long every point stays near, for all combinations of real and imaginary parts.
    #[kernel]
    pub fn Mandelbrot<N, M>(limit: usize, im: [f32; N], re: [f32; M]) -> [[i32; M]; N] {
        let start = Orbit { re: 0.0, im: 0.0, length: 0 };
        im.map(|im| re.map(|re| iterate(limit, step(re, im), start).length))
    }
);

/// Imaginary parts, between -1.5 and 1.5.
pub fn imaginary(n: usize) -> Array1<f32> {
    Array1::from_shape_fn(n, |i| -1.5 + 3.0 * (i as f32 + 0.5) / n as f32)
}

/// Real parts, between -2 and 1.
pub fn real(m: usize) -> Array1<f32> {
    Array1::from_shape_fn(m, |j| -2.0 + 3.0 * (j as f32 + 0.5) / m as f32)
}

/// The definition: the least and the greatest count that computing with this unit roundoff may give. They differ where
/// the sequence passes so close to the distance of 2 that rounding decides, which is rare.
pub fn mandelbrot<T: Real>(
    limit: usize,
    im: &Array1<T>,
    re: &Array1<T>,
    unit_roundoff: f64,
) -> Array2<(i32, i32)> {
    Array2::from_shape_fn((im.len(), re.len()), |(i, j)| {
        let (im, re): (f64, f64) = (im[i].into(), re[j].into());
        let (mut x, mut y, mut error) = (0.0_f64, 0.0_f64, 0.0_f64);
        let mut least = None;
        for count in 0..limit as i32 {
            let size = x * x + y * y;
            // Twice |z|·error for the square, and three roundings of it.
            let doubt = 2.0 * size.sqrt() * error + error * error + 4.0 * unit_roundoff * size;
            if size - doubt > 4.0 {
                return (least.unwrap_or(count), count);
            }
            if size + doubt > 4.0 {
                least = least.or(Some(count));
            }
            // The square's error, and four roundings of its terms and the sum.
            error = 2.0 * size.sqrt() * error
                + error * error
                + 4.0 * unit_roundoff * (2.0 * size + im.abs() + re.abs());
            (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        }
        (least.unwrap_or(limit as i32), limit as i32)
    })
}
