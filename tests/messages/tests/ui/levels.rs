#![deny(warnings)]

use lift::prelude::*;

lift!(
    /// The levels that users give warnings hold for those of kernels and functions.
    #[kernel]
    #[allow(unused_variables)]
    pub fn Allowed<N>(xs: [f32; N], scale: f32) -> [f32; N] {
        xs
    }

    #[kernel]
    #[expect(unused_variables, reason = "to be used")]
    pub fn Expected<N, M>(xs: [f32; N], scale: f32) -> [f32; N] {
        xs
    }

    #[kernel]
    #[allow(lift::L0170)]
    pub fn ByCode<N>(xs: [f32; N], scale: f32) -> [f32; N] {
        xs
    }

    #[kernel]
    pub fn Named<N, _M>(xs: [f32; N], _scale: f32) -> [f32; N] {
        xs
    }

    #[allow(lift::L0170)]
    fn first(x: f32, y: f32) -> f32 {
        x
    }

    #[expect(unused_variables)]
    fn same<N>(xs: [f32; N], y: f32) -> [f32; N] {
        xs
    }

    #[kernel]
    pub fn Uses<N>(xs: [f32; N]) -> [f32; N] {
        same(xs, 1.0).map(|x| first(x, 2.0))
    }

    #[kernel]
    #[allow(lift::L0332)]
    pub fn Wraps<N>(bytes: [[u8; 8]; N]) -> [u8; N] {
        bytes.map(|row| row.reduce(add, 0))
    }

    // From here on, rustc has something to say.

    #[kernel]
    pub fn Black<N>(bytes: [[u8; 8]; N]) -> [u8; N] {
        bytes.map(|row| row.reduce(add, 0))
    }

    #[kernel]
    #[warn(unused_variables)]
    pub fn Warned<N>(xs: [f32; N], scale: f32) -> [f32; N] {
        xs
    }

    #[kernel]
    #[expect(unused_variables)]
    pub fn Unfulfilled<N>(xs: [f32; N]) -> [f32; N] {
        xs
    }

    #[kernel]
    #[expect(lift::L0171, reason = "it is M that has no use")]
    pub fn Other<N>(xs: [f32; N], scale: f32) -> [f32; N] {
        xs
    }
);

#[allow(unused_variables)]
fn allowed() {
    let _ = lift!(|x: [f32; 3], y: f32| x);
}

fn main() {
    allowed();
    let _ = lift!(|x: [f32; 3], y: f32| x);
}
