use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Chunks(xs: [f32; 16]) -> [[f32; 7]; 2] {
        xs.split(7)
    }
);

fn main() {}
