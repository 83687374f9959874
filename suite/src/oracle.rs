//! What the definitions in double precision have in common: reading a grid at positions that may lie outside.

use ndarray::{Array2, Array3};

/// What a definition reads: `f32` or `f64`.
pub trait Real: Copy + Into<f64> {}

impl Real for f32 {}
impl Real for f64 {}

fn nearest(i: isize, n: usize) -> usize {
    i.clamp(0, n as isize - 1) as usize
}

/// A plane that continues with its nearest point.
pub fn clamped2<T: Real>(grid: &Array2<T>) -> impl Fn(isize, isize) -> f64 {
    let (n, m) = grid.dim();
    move |i, j| grid[[nearest(i, n), nearest(j, m)]].into()
}

/// A volume that continues with its nearest point.
pub fn clamped3<T: Real>(grid: &Array3<T>) -> impl Fn(isize, isize, isize) -> f64 {
    let (n, m, o) = grid.dim();
    move |i, j, k| grid[[nearest(i, n), nearest(j, m), nearest(k, o)]].into()
}

/// A volume with nothing around it.
pub fn zero_outside3<T: Real>(grid: &Array3<T>) -> impl Fn(isize, isize, isize) -> f64 {
    move |i, j, k| {
        // A negative position becomes a very large one.
        let at = [i as usize, j as usize, k as usize];
        grid.get(at).map_or(0.0, |&x| x.into())
    }
}

/// A plane with a value for every position.
pub fn plane(shape: (usize, usize), f: impl Fn(isize, isize) -> f64) -> Array2<f64> {
    Array2::from_shape_fn(shape, |(i, j)| f(i as isize, j as isize))
}

/// A volume with a value for every position.
pub fn volume(shape: (usize, usize, usize), f: impl Fn(isize, isize, isize) -> f64) -> Array3<f64> {
    Array3::from_shape_fn(shape, |(i, j, k)| f(i as isize, j as isize, k as isize))
}
