use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Product<N>(xs: [f32; N]) -> f32 {
        xs.reduce(mul, 0.0)
    }
);

fn main() {}
