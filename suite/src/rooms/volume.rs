//! The air of a room, which absorbs a part of the sound (Stoltzfus's thesis, listing 6.1).
//!
//! With the Courant number λ, the air's absorption τ, and `n` neighbours inside the room:
//!
//! ```text
//! next = (2 - (λ² + τ)·n)·current + (τ·n - 1)·previous + (λ² + τ)·Σ current neighbours - τ·Σ previous neighbours
//! ```
//!
//! Points outside the room stay silent.

use lift::prelude::*;
use ndarray::Array3;

use crate::oracle::{Real, volume, zero_outside3};

lift!(
    fn around(w: [[[f32; 3]; 3]; 3]) -> f32 {
        w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2]
    }

    fn pressure(
        courant_squared: f32,
        absorption: f32,
        previous: [[[f32; 3]; 3]; 3],
        current: [[[f32; 3]; 3]; 3],
        neighbours: i32,
    ) -> f32 {
        let n = neighbours as f32;
        let spread = courant_squared + absorption;
        let now = (2.0 - spread * n) * current[1][1][1] + spread * around(current);
        let before = (absorption * n - 1.0) * previous[1][1][1] - absorption * around(previous);
        if neighbours > 0 { now + before } else { 0.0 }
    }

    /// The pressure one step later, as if walls reflected everything.
    #[kernel]
    pub fn Volume<N, M, O>(
        courant_squared: f32,
        absorption: f32,
        previous: [[[f32; O]; M]; N],
        current: [[[f32; O]; M]; N],
        neighbours: [[[i32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        let before = previous.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1);
        let now = current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1);
        zip3d(before, now, neighbours).map3d(pressure(courant_squared, absorption))
    }
);

/// The definition.
pub fn air<T: Real>(
    courant_squared: f64,
    absorption: f64,
    previous: &Array3<T>,
    current: &Array3<T>,
    neighbours: &Array3<i32>,
) -> Array3<f64> {
    let (before, now) = (zero_outside3(previous), zero_outside3(current));
    let (l2, tau) = (courant_squared, absorption);
    volume(current.dim(), |i, j, k| {
        let n = f64::from(neighbours[[i as usize, j as usize, k as usize]]);
        if n == 0.0 {
            return 0.0;
        }
        let (mut sum_now, mut sum_before) = (0.0, 0.0);
        for (p, q, r) in [(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)] {
            sum_now += now(i + p, j + q, k + r);
            sum_before += before(i + p, j + q, k + r);
        }
        (2.0 - (l2 + tau) * n) * now(i, j, k) + (tau * n - 1.0) * before(i, j, k) + (l2 + tau) * sum_now
            - tau * sum_before
    })
}
