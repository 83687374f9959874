//! The steps of strategies: one that nobody knows, one with a text for a number, and one that does not apply.

lift::lift! {
    #[kernel]
    #[strategy(tile2d(4, 4).to_privat().vectorize("4"))]
    pub fn Halves<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.map2d(|x| 0.5 * x)
    }
}

lift::lift! {
    #[kernel]
    #[strategy(blocks: tile2d(64, 64).to_private())]
    pub fn Doubles<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        grid.map2d(|x| 2.0 * x)
    }
}

fn main() {}
