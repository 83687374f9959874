//! Several steps of a Jacobi iteration in one launch, for CPUs.
//!
//! A work-item goes through a block of rows, and more on either side. Each trip computes a row of every step, from the last three rows
//! of the step before, which lie in local memory. At the first and the last row of the grid, a point takes itself in the place of the
//! neighbour that it lacks.

use lift::prelude::*;

lift!(
    /// A row one step later, of a grid of so many rows. Positions count from 6 rows outside.
    fn later<M>(rows: Nat, row: usize, w: [[f32; M]; 3]) -> [f32; M] {
        let points = zip(w[0], w[2], w[1].pad(1, 1, clamp).slide(3, 1));
        let step = |north, south, x| {
            let above = if row == 6 { x[1] } else { north };
            let below = if row == rows + 5 { x[1] } else { south };
            0.45 * x[1] + 0.12 * above + 0.13 * below + 0.14 * x[0] + 0.16 * x[2]
        };
        concat(
            points.take(16).vectorize(16, step),
            points.crop(16, 16).vectorize(16, step),
            points.drop(M - 16).vectorize(16, step),
        )
    }

    /// All rows one step later, kept for the next step.
    fn step<K, M>(n: Nat, rows: [usize; K], before: [[f32; M]; K]) -> [[f32; M]; K - 2] {
        zip(rows.crop(1, 1), before.slide_seq(3, 1)).map_seq(|(row, w)| to_local(later(n, row, w)))
    }

    /// 6 steps of the cross of 5 points: 256 rows an item, and 6 more on either side.
    #[kernel]
    #[size(N % 256 == 0, M % 16 == 0, M >= 32)]
    #[work_group(1)]
    #[stores(streaming)]
    pub fn Jacobi2d5<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        zip(grid.pad(6, 6, clamp).slide(268, 256), array(N + 12, |i| i).slide(268, 256))
            .map_workgroup(0, |(block, rows)| {
                let first =
                    zip(rows.crop(1, 1), block.slide(3, 1)).map_seq(|(row, w)| to_local(later(N, row, w)));
                let second = step(N, rows.crop(1, 1), first);
                let third = step(N, rows.crop(2, 2), second);
                let fourth = step(N, rows.crop(3, 3), third);
                let fifth = step(N, rows.crop(4, 4), fourth);
                zip(rows.crop(6, 6), fifth.slide_seq(3, 1)).map_seq(|(row, w)| later(N, row, w))
            })
            .join()
    }
);
