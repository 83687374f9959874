use lift::prelude::*;

lift!(
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Doubled<T, N>(x: [T; N]) -> [T; N] {
        x.map(|v| v + v)
    }
);

pub struct Pipeline {
    pub single: Doubled<f32>,
    pub whole: Doubled<i32>,
}

fn main() {}
