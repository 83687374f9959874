use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Roots<N>(x: [f32; N]) -> [f32; N] {
        x.map2d(|v| v.sqrt())
    }
);

fn main() {}
