//! Stencils for CPUs, from wide vectors: a work-item computes a row, 16 points at a time. Only the first and the last
//! vector of a row look at its ends; what does not fill a vector is computed point by point.

use lift::prelude::*;

lift!(
    /// The binomial weights of one dimension.
    const BINOMIAL: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

    fn cross<T>(w: [[T; 3]; 3]) -> T {
        0.45 * w[1][1] + 0.12 * w[0][1] + 0.13 * w[2][1] + 0.14 * w[1][0] + 0.16 * w[1][2]
    }

    fn blur(w: [[f32; 5]; 5]) -> f32 {
        zip(BINOMIAL, w)
            .map(|(a, row)| zip(BINOMIAL, row).map(|(b, x)| a * b / 256.0 * x).reduce_seq_unroll(add, 0.0))
            .reduce_seq_unroll(add, 0.0)
    }

    fn faces<T>(w: [[[T; 3]; 3]; 3]) -> T {
        let z = 0.11 * w[0][1][1] + 0.12 * w[2][1][1];
        let y = 0.13 * w[1][0][1] + 0.14 * w[1][2][1];
        let x = 0.15 * w[1][1][0] + 0.16 * w[1][1][2];
        0.19 * w[1][1][1] + z + y + x
    }

    /// A function of the windows of a row, in vectors: the first, those in the middle, the last, and the rest.
    #[size(n >= 32)]
    fn in_vectors<T, U, n>(f: fn(T) -> U, row: [T; n]) -> [U; n] {
        concat(
            row.take(16).vectorize(16, f),
            row.drop(16).take((n / 16 - 2) * 16).vectorize(16, f),
            row.drop((n / 16 - 1) * 16).take(16).vectorize(16, f),
            row.drop(n / 16 * 16).map_seq(f),
        )
    }

    /// The cross of 5 points.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    pub fn Jacobi2d5<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, in_vectors(cross))
    }

    /// The cross of 5 points in double precision.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    pub fn Jacobi2d5Double<N, M>(grid: [[f64; M]; N]) -> [[f64; M]; N] {
        grid.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, in_vectors(cross))
    }

    /// The binomial 5 × 5 blur.
    #[kernel]
    #[size(M >= 32)]
    #[work_group(1)]
    pub fn Gaussian<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.pad2d(2, 2, clamp).slide2d(5, 1).map_global(0, in_vectors(blur))
    }

    /// The centre and the 6 faces.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map_global2d(in_vectors(faces))
    }
);
