//! Reductions to one value (slides *Performance portable code through rewriting*: the seven parallel reductions).
//!
//! `Σ xᵢ`.

use lift::prelude::*;
use ndarray::Array1;

use crate::input::Random;
use crate::oracle::Real;

lift!(
    /// The sum of all elements.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Sum<T, N>(x: [T; N]) -> T {
        x.reduce(add, 0.0)
    }

    /// The sum of all elements, which wraps.
    #[kernel]
    pub fn SumOfIntegers<N>(x: [i32; N]) -> i32 {
        x.reduce(add, 0)
    }

    /// The largest element.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Largest<T, N>(x: [T; N]) -> T {
        x.reduce(max, T::NEG_INFINITY)
    }
);

/// Integers of both signs.
pub fn integers(n: usize) -> Array1<i32> {
    let mut random = Random::new(21);
    Array1::from_shape_simple_fn(n, || random.bits() as i32)
}

/// The definition of the sum.
pub fn sum<T: Real>(x: &Array1<T>) -> f64 {
    let mut sum = 0.0;
    for &x in x {
        sum += x.into();
    }
    sum
}

/// The definition of the sum of integers.
pub fn sum_of_integers(x: &Array1<i32>) -> i32 {
    x.iter().fold(0, |sum, &x| sum.wrapping_add(x))
}

/// The definition of the largest element.
pub fn largest<T: Real>(x: &Array1<T>) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |largest, &x| largest.max(x.into()))
}
