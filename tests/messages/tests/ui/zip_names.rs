use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Axpy<N, M>(x: [f32; N], y: [f32; M]) -> [f32; N] {
        zip(x, y).map(|(a, b)| 2.0 * a + b)
    }
);

fn main() {}
