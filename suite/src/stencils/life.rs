//! The game of life in its version B2S23: a cell is born with exactly two living neighbours, and survives with two or
//! three (Hagedorn's thesis, example 2.11). The grid is mirrored at its edges.
//!
//! The thesis' expression counts the cell itself among its neighbours, which is another rule than its text; this is
//! the text's.

use lift::prelude::*;
use ndarray::Array2;

use crate::input::Random;

lift!(
    fn evolve(w: [[i32; 3]; 3]) -> i32 {
        let alive = w[1][1] == 1;
        let neighbours = w.join().reduce(add, 0) - w[1][1];
        if neighbours == 2 || alive && neighbours == 3 { 1 } else { 0 }
    }

    /// The next generation; living cells are 1, all others 0.
    #[kernel]
    pub fn Life<N, M>(cells: [[i32; M]; N]) -> [[i32; M]; N] {
        cells.pad2d(1, 1, mirror).slide2d(3, 1).map2d(evolve)
    }
);

/// Cells of which about a third is alive.
pub fn cells(shape: (usize, usize)) -> Array2<i32> {
    let mut random = Random::new(9);
    Array2::from_shape_simple_fn(shape, || i32::from(random.below(3) == 0))
}

/// The definition.
pub fn life(cells: &Array2<i32>) -> Array2<f64> {
    let (n, m) = cells.dim();
    // The cell next to the edge's outside is the edge itself.
    let alive = |i: usize, j: usize| cells[[i.clamp(1, n) - 1, j.clamp(1, m) - 1]] == 1;
    Array2::from_shape_fn((n, m), |(i, j)| {
        let mut neighbours = 0;
        for p in 0..3 {
            for q in 0..3 {
                if (p, q) != (1, 1) && alive(i + p, j + q) {
                    neighbours += 1;
                }
            }
        }
        match (neighbours, cells[[i, j]] == 1) {
            (2, _) | (3, true) => 1.0,
            _ => 0.0,
        }
    })
}
