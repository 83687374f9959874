use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Median(row: [f32; 3]) -> [f32; 1] {
        row.slide(5, 1).map(|w| w[2])
    }
);

fn main() {}
