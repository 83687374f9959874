use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Last(xs: [f32; 17]) -> f32 {
        xs[17]
    }
);

fn main() {}
