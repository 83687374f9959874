use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Double<N>(xs: [f32; N]) -> [f32; N] {
        mapGlobal(|x| 2.0 * x)(xs)
    }
);

fn main() {}
