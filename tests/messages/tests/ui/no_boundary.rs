use lift::prelude::*;

lift!(
    fn laplace(w: [[f32; 3]; 3]) -> f32 {
        w[0][1] + w[1][0] + w[1][2] + w[2][1] - 4.0 * w[1][1]
    }

    #[kernel]
    pub fn Heat<H, W>(u: [[f32; W]; H]) -> [[f32; W]; H] {
        u.slide2d(3, 1).map2d(laplace)
    }
);

fn main() {}
