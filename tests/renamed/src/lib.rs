//! Kernels of a crate that knows the facade as `gpu` only, and of another crate that exports it again.

use gpu::prelude::*;

lift! {
    /// A point.
    #[derive(Default)]
    pub struct Point {
        /// Its place.
        pub x: f32,
        /// How high it is.
        pub y: f32,
    }

    /// Moves points.
    #[kernel]
    pub fn Move<N>(points: [Point; N], by: Point) -> [Point; N] {
        points.map(|p| Point { x: p.x + by.x, y: p.y + by.y })
    }

    /// Halves what it is given.
    #[kernel]
    #[types(T = f32, f64, f16)]
    pub fn Half<T, N>(xs: [T; N]) -> [T; N] {
        xs.map(|x| x / 2.0)
    }

    /// A step in time.
    #[kernel]
    #[step(p, before)]
    pub fn Wave<N>(p: [f32; N], before: [f32; N]) -> [f32; N] {
        zip(p, before).map(|(p, q)| 2.0 * p - q)
    }
}

pub mod exported {
    //! The same macro from the crate that exports it again.

    lift_exports::lift!(
        /// Adds arrays.
        #[kernel]
        pub fn Sum<N>(xs: [f32; N], ys: [f32; N]) -> [f32; N] {
            zip(xs, ys).map(add)
        }
    );

    lift_exports::inner::kernels![
        /// Doubles what it is given.
        #[kernel]
        pub fn Twice<N>(xs: [i32; N]) -> [i32; N] {
            xs.map(|x| 2 * x)
        }
    ];
}
