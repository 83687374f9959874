use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Convolve<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        map2d(|w| w[1][1]).slide2d(3, 1).pad2d(1, 1, clamp)
    }
);

fn main() {}
