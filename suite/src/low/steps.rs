//! Several steps of a Jacobi iteration in one launch, for CPUs.
//!
//! A work-item goes through a block of rows or planes, and more on either side. Each trip computes one of every step, from the last three
//! of the step before, which lie in local memory. At the first and the last row or plane of the grid, a point takes itself in the place of the
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

    /// The centre and the 6 faces, of which x has three.
    fn faces(below: f32, above: f32, north: f32, south: f32, x: [f32; 3]) -> f32 {
        0.19 * x[1] + 0.11 * below + 0.12 * above + 0.13 * north + 0.14 * south + 0.15 * x[0] + 0.16 * x[2]
    }

    /// A row in vectors, of which the first and the last look at its ends.
    fn in_vectors<T, M>(f: fn(T) -> f32, points: [T; M]) -> [f32; M] {
        concat(
            points.take(16).vectorize(16, f),
            points.crop(16, 16).vectorize(16, f),
            points.drop(M - 16).vectorize(16, f),
        )
    }

    /// What a row of a plane needs of three planes: the ones below and above, and three of its own.
    fn around<K, M>(w: [[[f32; M]; K]; 3]) -> [([f32; M], [f32; M], [[f32; M]; 3]); K - 2] {
        zip(w[0].crop(1, 1), w[2].crop(1, 1), w[1].slide(3, 1))
    }

    /// The points of a row, each with its neighbours.
    fn neighbours<M>(
        below: [f32; M],
        above: [f32; M],
        w: [[f32; M]; 3],
    ) -> [(f32, f32, f32, f32, [f32; 3]); M] {
        zip(below, above, w[0], w[2], w[1].pad(1, 1, clamp).slide(3, 1))
    }

    /// The rows of a plane after the first step.
    fn first_plane<K, M>(w: [[[f32; M]; K]; 3]) -> [[f32; M]; K - 2] {
        around(w).map_seq(|(below, above, w)| in_vectors(faces, neighbours(below, above, w)))
    }

    /// The rows of a plane one step later, of a grid of so many planes and rows. Positions count from 3 planes or rows outside.
    fn later_plane<K, M>(
        planes: Nat,
        rows: Nat,
        z: usize,
        ys: [usize; K],
        w: [[[f32; M]; K]; 3],
    ) -> [[f32; M]; K - 2] {
        zip(ys.crop(1, 1), around(w)).map_seq(|(y, (below, above, w))| {
            let step = |below, above, north, south, x| {
                let below = if z == 3 { x[1] } else { below };
                let above = if z == planes + 2 { x[1] } else { above };
                let north = if y == 3 { x[1] } else { north };
                let south = if y == rows + 2 { x[1] } else { south };
                faces(below, above, north, south, x)
            };
            in_vectors(step, neighbours(below, above, w))
        })
    }

    /// 3 steps of the centre and the 6 faces: 64 planes of 16 rows an item, and 3 more of both on either side.
    #[kernel]
    #[size(N % 64 == 0, M % 16 == 0, O % 16 == 0, O >= 32)]
    #[work_group(1)]
    pub fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        let ys = array(M + 6, |i| i).slide(22, 16);
        zip(grid.pad2d(3, 3, clamp).slide2d(70, 64, 22, 16), array(N + 6, |i| i).slide(70, 64))
            .map_workgroup(1, |(blocks, zs)| {
                zip(blocks, ys).map_workgroup(0, |(block, ys)| {
                    let first = block.slide(3, 1).map_seq(|w| to_local(first_plane(w)));
                    let second = zip(zs.crop(2, 2), first.slide_seq(3, 1))
                        .map_seq(|(z, w)| to_local(later_plane(N, M, z, ys.crop(1, 1), w)));
                    zip(zs.crop(3, 3), second.slide_seq(3, 1))
                        .map_seq(|(z, w)| later_plane(N, M, z, ys.crop(2, 2), w))
                })
            })
            .join2d()
    }
);
