use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Double<N>(xs: [f32; N]) -> [f32; N] {
        map(|x| 2.0 * x, xs, 3)
    }
);

fn main() {}
