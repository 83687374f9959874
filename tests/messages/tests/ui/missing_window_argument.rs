use lift::prelude::*;

lift!(
    fn mean(nbh: [[f32; 17]; 17]) -> f32 {
        nbh.join().reduce(add, 0.0) / 289.0
    }

    #[kernel]
    pub fn Blur<H, W>(img: [[f32; W]; H]) -> [[f32; W]; H] {
        img.pad2d(8, 8, clamp).slide2d(17).map2d(mean)
    }
);

fn main() {}
