#![deny(warnings)]

use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Copy<N>(xs: [f32; N], scale: f32) -> [f32; N] {
        xs
    }
);

fn main() {}
