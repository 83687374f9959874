use lift::prelude::*;

fn lut_lookup(p: f32) -> f32 {
    p
}

lift!(
    #[kernel]
    pub fn Tone<H, W>(img: [[f32; W]; H]) -> [[f32; W]; H] {
        img.map2d(|p| lut_lookup(p))
    }
);

fn main() {
    lut_lookup(0.0);
}
