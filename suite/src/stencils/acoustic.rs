//! Sound in a box whose walls absorb a part of it (Stoltzfus's thesis, listing 4.1).
//!
//! With `n` neighbours inside the box, 6 in its middle and 3 in a corner:
//!
//! ```text
//! out = f1·((2 - λ²·n)·current + λ²·Σ neighbours - f2·previous)
//! ```
//!
//! `f1` and `f2` are 1 in the middle, and lose energy where there is a wall. Outside is nothing. The listing stores a
//! halo of zeros around the box; here the box is the array, and `pad3d` is the halo.

use lift::prelude::*;
use ndarray::Array3;

use crate::oracle::{Real, volume, zero_outside3};

lift!(
    /// How many of an axis' two neighbours are inside.
    fn inside(i: usize, n: usize) -> i32 {
        (if i > 0 { 1 } else { 0 }) + (if i + 1 < n { 1 } else { 0 })
    }

    fn pressure<T>(previous: T, w: [[[T; 3]; 3]; 3], neighbours: i32) -> T {
        // For every step in time, how far the sound goes in space.
        let courant_squared = 0.333;
        let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
        let (loss_1, loss_2) = if neighbours < 6 { (0.98, 0.97) } else { (1.0, 1.0) };
        let kept = (2.0 - courant_squared * neighbours as T) * w[1][1][1];
        loss_1 * (kept + courant_squared * around - loss_2 * previous)
    }

    /// The pressure one step later.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Acoustic<T, N, M, O>(previous: [[[T; O]; M]; N], current: [[[T; O]; M]; N]) -> [[[T; O]; M]; N] {
        let neighbours = array3d(N, M, O, |i, j, k| inside(i, N) + inside(j, M) + inside(k, O));
        zip3d(previous, current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours).map3d(pressure)
    }
);

/// The definition.
pub fn acoustic<T: Real>(previous: &Array3<T>, current: &Array3<T>) -> Array3<f64> {
    let (before, now) = (zero_outside3(previous), zero_outside3(current));
    let (n, m, o) = current.dim();
    volume(current.dim(), |i, j, k| {
        let (mut sum, mut neighbours) = (0.0, 0);
        for (p, q, r) in [(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)] {
            let near = [i + p, j + q, k + r];
            if near.iter().zip([n, m, o]).all(|(&x, n)| (0..n as isize).contains(&x)) {
                neighbours += 1;
            }
            sum += now(near[0], near[1], near[2]);
        }
        let (f1, f2) = if neighbours < 6 { (0.98, 0.97) } else { (1.0, 1.0) };
        f1 * ((2.0 - 0.333 * f64::from(neighbours)) * now(i, j, k) + 0.333 * sum - f2 * before(i, j, k))
    })
}
