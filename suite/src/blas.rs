//! Basic linear algebra (BLAS levels 1 to 3; *Lift: a functional data-parallel IR*, section on linear algebra).
//!
//! ```text
//! scal  α·x               gemv  α·A·x + β·y
//! asum  Σ |xᵢ|            gemm  α·A·B + β·C, also with A or B transposed
//! dot   Σ xᵢ·yᵢ
//! ```

use lift::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use crate::oracle::Real;

lift!(
    fn dot<T, n>(x: [T; n], y: [T; n]) -> T {
        zip(x, y).map(mul).reduce(add, 0.0)
    }

    fn gemm<T, n, m, k>(alpha: T, a: [[T; k]; n], b: [[T; m]; k], beta: T, c: [[T; m]; n]) -> [[T; m]; n] {
        let columns = b.transpose();
        zip(a, c).map(|(row, c)| zip(columns, c).map(|(column, c)| alpha * dot(row, column) + beta * c))
    }

    /// `α·x`.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Scal<T, N>(alpha: T, x: [T; N]) -> [T; N] {
        x.map(mul(alpha))
    }

    /// `Σ |xᵢ|`.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Asum<T, N>(x: [T; N]) -> T {
        x.map(abs).reduce(add, 0.0)
    }

    /// `Σ xᵢ·yᵢ`.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Dot<T, N>(x: [T; N], y: [T; N]) -> T {
        dot(x, y)
    }

    /// `α·A·x + β·y`.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Gemv<T, N, M>(alpha: T, a: [[T; M]; N], x: [T; M], beta: T, y: [T; N]) -> [T; N] {
        zip(a, y).map(|(row, y)| alpha * dot(row, x) + beta * y)
    }

    /// `α·A·B + β·C`.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Gemm<T, N, M, K>(
        alpha: T,
        a: [[T; K]; N],
        b: [[T; M]; K],
        beta: T,
        c: [[T; M]; N],
    ) -> [[T; M]; N] {
        gemm(alpha, a, b, beta, c)
    }

    /// `α·Aᵀ·B + β·C`.
    #[kernel]
    pub fn GemmTn<N, M, K>(
        alpha: f32,
        a: [[f32; N]; K],
        b: [[f32; M]; K],
        beta: f32,
        c: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        gemm(alpha, a.transpose(), b, beta, c)
    }

    /// `α·A·Bᵀ + β·C`.
    #[kernel]
    pub fn GemmNt<N, M, K>(
        alpha: f32,
        a: [[f32; K]; N],
        b: [[f32; K]; M],
        beta: f32,
        c: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        gemm(alpha, a, b.transpose(), beta, c)
    }

    /// `α·Aᵀ·Bᵀ + β·C`.
    #[kernel]
    pub fn GemmTt<N, M, K>(
        alpha: f32,
        a: [[f32; N]; K],
        b: [[f32; K]; M],
        beta: f32,
        c: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        gemm(alpha, a.transpose(), b.transpose(), beta, c)
    }
);

/// The definition of `scal`.
pub fn scal<T: Real>(alpha: f64, x: &Array1<T>) -> Array1<f64> {
    x.mapv(|x| alpha * x.into())
}

/// The definition of `asum`.
pub fn asum<T: Real>(x: &Array1<T>) -> f64 {
    x.iter().map(|&x| x.into().abs()).sum()
}

/// The definition of `dot`.
pub fn dot_product<T: Real>(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> f64 {
    let mut sum = 0.0;
    for (&x, &y) in x.iter().zip(y) {
        sum += x.into() * y.into();
    }
    sum
}

/// The definition of `gemv`.
pub fn gemv<T: Real>(alpha: f64, a: &Array2<T>, x: &Array1<T>, beta: f64, y: &Array1<T>) -> Array1<f64> {
    Array1::from_shape_fn(y.dim(), |i| alpha * dot_product(a.row(i), x.view()) + beta * y[i].into())
}

/// The definition of `gemm`; transposed matrices are views with their axes swapped.
pub fn gemm<T: Real>(
    alpha: f64,
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
    beta: f64,
    c: &Array2<T>,
) -> Array2<f64> {
    Array2::from_shape_fn(c.dim(), |(i, j)| {
        alpha * dot_product(a.row(i), b.column(j)) + beta * c[[i, j]].into()
    })
}
