//! Several steps of a Jacobi iteration in one launch, streamed.
//!
//! A group goes through a strip of the grid, row by row or plane by plane. Each trip reads one, and computes one of every
//! step from the last three of the step before. Those stay in the registers of the work-items that computed them; what
//! neighbours need goes through local memory. All strips overlap by as much as the steps reach, and what is not right at
//! their edges any more is not stored. At the edges of the grid, where the nearest point lies outside, a point takes
//! itself in the place of the neighbour that it lacks.

use lift::prelude::*;

lift!(
    /// A row in registers, and the outermost columns of its fours for the neighbours.
    fn kept<P>(row: [[f32; 4]; P]) -> ([[f32; 4]; P], [f32; P], [f32; P]) {
        let own = to_private(row.map_local(0, |four| four.map_seq_unroll(id)));
        (own, to_local(own.map_local(0, |four| four[0])), to_local(own.map_local(0, |four| four[3])))
    }

    fn cross(four: [f32; 4], north: [f32; 4], south: [f32; 4], west: f32, east: f32) -> [f32; 4] {
        zip(concat([west], four, [east]).slide(3, 1), north, south)
            .map_seq_unroll(|(w, n, s)| 0.45 * w[1] + 0.12 * n + 0.13 * s + 0.14 * w[0] + 0.16 * w[2])
    }

    /// A row one step later: the row in the middle of three, of a grid of so many rows and columns of fours. Positions count
    /// from 6 rows and 2 fours outside.
    fn later<P>(
        rows: Nat,
        fours: Nat,
        row: usize,
        columns: [usize; P],
        w: [([[f32; 4]; P], [f32; P], [f32; P]); 3],
    ) -> [[f32; 4]; P] {
        let wests = w[1].2.pad(1, 0, clamp).take(P);
        let easts = w[1].1.drop(1).pad(0, 1, clamp);
        zip(columns, w[0].0, w[1].0, w[2].0, wests, easts).map_local(
            0,
            |(column, north, four, south, west, east)| {
                cross(
                    four,
                    if row == 6 { four } else { north },
                    if row == rows + 5 { four } else { south },
                    if column == 2 { four[0] } else { west },
                    if column == fours + 1 { four[3] } else { east },
                )
            },
        )
    }

    /// All rows one step later, kept for the next step.
    fn step<K, P>(
        n: Nat,
        m: Nat,
        rows: [usize; K],
        columns: [usize; P],
        before: [([[f32; 4]; P], [f32; P], [f32; P]); K],
    ) -> [([[f32; 4]; P], [f32; P], [f32; P]); K - 2] {
        zip(rows.crop(1, 1), before.slide_seq(3, 1))
            .map_seq(|(row, w)| kept(to_private(later(n, m, row, columns, w))))
    }

    /// 6 steps of the cross of 5 points: 64 rows of 124 fours a group, 6 more rows and 2 more fours on either side.
    #[kernel]
    #[size(M % 4 == 0)]
    #[work_group(128)]
    pub fn Jacobi2d5<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        let rows = array(12 + (N + 63) / 64 * 64, |i| i).slide(76, 64);
        let columns = array(4 + (M / 4 + 123) / 124 * 124, |i| i).slide(128, 124);
        let strips = grid
            .map(split(4))
            .pad2d(6, 6 + (N + 63) / 64 * 64 - N, 2, 2 + (M / 4 + 123) / 124 * 124 - M / 4, clamp, clamp)
            .slide2d(76, 64, 128, 124);
        zip(strips, rows)
            .map_workgroup(1, |(strips, rows)| {
                zip(strips, columns).map_workgroup(0, |(strip, columns)| {
                    let first = step(N, M / 4, rows, columns, strip.map_seq(kept));
                    let second = step(N, M / 4, rows.crop(1, 1), columns, first);
                    let third = step(N, M / 4, rows.crop(2, 2), columns, second);
                    let fourth = step(N, M / 4, rows.crop(3, 3), columns, third);
                    let fifth = step(N, M / 4, rows.crop(4, 4), columns, fourth);
                    zip(rows.crop(6, 6), fifth.slide_seq(3, 1))
                        .map_seq(|(row, w)| later(N, M / 4, row, columns, w))
                        .map(|row| row.drop(2).take(124))
                })
            })
            .join2d()
            .take(N)
            .map(|row| row.take(M / 4).join())
    }

    /// A plane in registers, and all of it for the neighbours.
    fn shared<P, Q>(plane: [[[f32; 4]; P]; Q]) -> ([[[f32; 4]; P]; Q], [[[f32; 4]; P]; Q]) {
        let own = to_private(plane.map_local(1, map_local(0, |four| four.map_seq_unroll(id))));
        (own, to_local(own.map_local(1, map_local(0, |four| four.map_seq_unroll(id)))))
    }

    fn faces(
        four: [f32; 4],
        below: [f32; 4],
        above: [f32; 4],
        north: [f32; 4],
        south: [f32; 4],
        west: f32,
        east: f32,
    ) -> [f32; 4] {
        zip(concat([west], four, [east]).slide(3, 1), below, above, north, south).map_seq_unroll(
            |(w, below, above, north, south)| {
                0.19 * w[1]
                    + 0.11 * below
                    + 0.12 * above
                    + 0.13 * north
                    + 0.14 * south
                    + 0.15 * w[0]
                    + 0.16 * w[2]
            },
        )
    }

    /// A plane one step later: the plane in the middle of three, of a grid of so many planes, rows and columns of fours. Positions
    /// count from 3 planes, 3 rows and a four outside.
    fn risen<P, Q>(
        planes: Nat,
        rows: Nat,
        fours: Nat,
        at: (usize, [usize; Q], [usize; P]),
        w: [([[[f32; 4]; P]; Q], [[[f32; 4]; P]; Q]); 3],
    ) -> [[[f32; 4]; P]; Q] {
        let (plane, lines, columns) = at;
        let norths = w[1].1.pad(1, 0, clamp).take(Q);
        let souths = w[1].1.drop(1).pad(0, 1, clamp);
        let wests = w[1].1.map(|row| row.pad(1, 0, clamp).take(P));
        let easts = w[1].1.map(|row| row.drop(1).pad(0, 1, clamp));
        zip(lines, w[0].0, w[1].0, w[2].0, norths, souths, wests, easts).map_local(
            1,
            |(row, below, fours_here, above, norths, souths, wests, easts)| {
                zip(columns, below, fours_here, above, norths, souths, wests, easts).map_local(
                    0,
                    |(column, below, four, above, north_four, south_four, west, east)| {
                        let north = to_private(north_four);
                        let south = to_private(south_four);
                        faces(
                            four,
                            if plane == 3 { four } else { below },
                            if plane == planes + 2 { four } else { above },
                            if row == 3 { four } else { north },
                            if row == rows + 2 { four } else { south },
                            if column == 1 { four[0] } else { west[3] },
                            if column == fours { four[3] } else { east[0] },
                        )
                    },
                )
            },
        )
    }

    /// All planes one step later, kept for the next step.
    fn rise<K, P, Q>(
        n: Nat,
        m: Nat,
        o: Nat,
        at: ([usize; K], [usize; Q], [usize; P]),
        before: [([[[f32; 4]; P]; Q], [[[f32; 4]; P]; Q]); K],
    ) -> [([[[f32; 4]; P]; Q], [[[f32; 4]; P]; Q]); K - 2] {
        let (planes, lines, columns) = at;
        zip(planes.crop(1, 1), before.slide_seq(3, 1))
            .map_seq(|(plane, w)| shared(to_private(risen(n, m, o, (plane, lines, columns), w))))
    }

    /// 3 steps of the centre and the 6 faces: 104 planes of 26 rows of 14 fours a group, and more on all sides.
    #[kernel]
    #[size(O % 4 == 0)]
    #[work_group(16, 32)]
    pub fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        let planes = array(6 + (N + 103) / 104 * 104, |i| i).slide(110, 104);
        let lines = array(6 + (M + 25) / 26 * 26, |i| i).slide(32, 26);
        let columns = array(2 + (O / 4 + 13) / 14 * 14, |i| i).slide(16, 14);
        let blocks = grid
            .map(map(split(4)))
            .pad(3, 3 + (N + 103) / 104 * 104 - N, clamp)
            .map(pad2d(3, 3 + (M + 25) / 26 * 26 - M, 1, 1 + (O / 4 + 13) / 14 * 14 - O / 4, clamp, clamp))
            .slide3d(110, 104, 32, 26, 16, 14);
        zip(blocks, planes)
            .map_workgroup(2, |(blocks, planes)| {
                zip(blocks, lines).map_workgroup(1, |(blocks, lines)| {
                    zip(blocks, columns).map_workgroup(0, |(block, columns)| {
                        let first = rise(N, M, O / 4, (planes, lines, columns), block.map_seq(shared));
                        let second = rise(N, M, O / 4, (planes.crop(1, 1), lines, columns), first);
                        zip(planes.crop(3, 3), second.slide_seq(3, 1))
                            .map_seq(|(plane, w)| risen(N, M, O / 4, (plane, lines, columns), w))
                            .map(|plane| plane.drop(3).take(26).map(|row| row.drop(1).take(14)))
                    })
                })
            })
            .join3d()
            .take(N)
            .map(|plane| plane.take(M).map(|row| row.take(O / 4).join()))
    }
);
