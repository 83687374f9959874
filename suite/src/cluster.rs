//! The step of k-means that is expensive: which centre is nearest to each point (Rodinia's `kmeans`).
//!
//! `out[i] = argmin over k of Σ (point[i, d] - centre[k, d])²`, the first of several that are equally near.

use lift::prelude::*;
use ndarray::Array2;

use crate::oracle::Real;

lift!(
    fn square(x: f32) -> f32 {
        x * x
    }

    fn distance<d>(p: [f32; d], q: [f32; d]) -> f32 {
        zip(p, q).map(|(a, b)| square(a - b)).reduce(add, 0.0)
    }

    /// Of two candidates, a distance and a number each, the nearer; of equally near ones, the first.
    fn nearer(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
        if b.0 < a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }
    }

    /// The number of the nearest centre.
    #[kernel]
    pub fn NearestCentre<N, K, D>(points: [[f32; D]; N], centres: [[f32; D]; K]) -> [i32; N] {
        points.map(|point| {
            let distances = centres.map(distance(point));
            zip(distances, array(K, |k| k as i32)).reduce(nearer, (f32::INFINITY, i32::MAX)).1
        })
    }
);

/// The definition of all distances, squared: of each point, in a row, to each centre.
pub fn distances<T: Real>(points: &Array2<T>, centres: &Array2<T>) -> Array2<f64> {
    Array2::from_shape_fn((points.nrows(), centres.nrows()), |(i, k)| {
        let mut sum = 0.0;
        for (&p, &q) in points.row(i).iter().zip(centres.row(k)) {
            sum += (p.into() - q.into()).powi(2);
        }
        sum
    })
}
