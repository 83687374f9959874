use lift::prelude::*;

const GAIN: f32 = 2.0;

lift!(
    #[kernel]
    pub fn Loud<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| x * GAIN)
    }
);

fn main() {
    println!("{GAIN}");
}
