use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Difference<N>(xs: [f32; N]) -> [f32; N] {
        zip(xs, xs.slide(3, 1).map(|w| w[1])).map(sub)
    }
);

fn main() {}
