use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Weigh<H, W>(img: [[u8; W]; H], w: [[f32; W]; H]) -> [[f32; W]; H] {
        zip2d(img, w).map2d(|(p, q)| p * q)
    }
);

fn main() {}
