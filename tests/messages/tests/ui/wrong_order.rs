use lift::prelude::*;

lift!(
    fn mean3(w: [f32; 3]) -> f32 {
        (w[0] + w[1] + w[2]) / 3.0
    }

    #[kernel]
    pub fn Smooth<N>(x: [f32; N]) -> [f32; N] {
        slide(3, 1).pad(1, 1, clamp).map(mean3) << x
    }
);

fn main() {}
