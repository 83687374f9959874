use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Sum<N>(xs: [i32; N]) -> i32 {
        xs.reduce(add, 0.0)
    }
);

fn main() {}
