use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Remaining<N>(xs: [f32; N]) -> f32 {
        xs.reduce(sub, 0.0)
    }
);

fn main() {}
