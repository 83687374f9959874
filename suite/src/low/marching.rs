//! Stencils that a group computes marching along one dimension, with a ring of rows or planes in local memory.

use lift::prelude::*;

lift!(
    /// The binomial weights of 17 points.
    const BINOMIAL: [f32; 17] = [
        0.0000152587890625,
        0.000244140625,
        0.0018310546875,
        0.008544921875,
        0.02777099609375,
        0.066650390625,
        0.1221923828125,
        0.174560546875,
        0.196380615234375,
        0.174560546875,
        0.1221923828125,
        0.066650390625,
        0.02777099609375,
        0.008544921875,
        0.0018310546875,
        0.000244140625,
        0.0000152587890625,
    ];

    fn weigh(w: [f32; 17]) -> f32 {
        zip(BINOMIAL, w).map(mul).reduce_seq_unroll(add, 0.0)
    }

    /// Four pixels of a row, `i` of so many fours and two more on either side: beyond the edge, the nearest pixel.
    fn four(fours: Nat, i: usize, pixels: [f32; 4]) -> [f32; 4] {
        let own = to_private(pixels);
        let east = to_private(if i < fours + 2 { own } else { repeat(4, own[3]) });
        (if i < 2 { repeat(4, own[0]) } else { east }).map_seq_unroll(id)
    }

    /// 17 × 17 points of which the weights are a product: 17 rows of 124 fours a group. The last 17 rows stay in registers;
    /// their weighted sum is a row in local memory, of which the weighted sums follow. All trips are written out, so that
    /// nothing moves in the window.
    #[kernel]
    #[size(M % 4 == 0)]
    #[work_group(128)]
    pub fn Blur<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        let columns = array(4 + (M / 4 + 123) / 124 * 124, |i| i).slide(128, 124);
        image
            .map(split(4))
            .pad2d(8, 8 + (N + 16) / 17 * 17 - N, 2, 2 + (M / 4 + 123) / 124 * 124 - M / 4, clamp, clamp)
            .slide2d(33, 17, 128, 124)
            .map_workgroup(1, |strips| {
                zip(strips, columns).map_workgroup(0, |(strip, columns)| {
                    strip
                        .map_seq(|row| zip(columns, row).map_local(0, four(M / 4)))
                        .slide_seq(17, 1)
                        .map_seq(|w| {
                            to_local(
                                w.transpose().map_local(0, |rows| rows.transpose().map_seq_unroll(weigh)),
                            )
                        })
                        .slide_seq(1, 1)
                        .map_seq_unroll(|w| {
                            w[0].slide(5, 1).map_local(0, |fours| {
                                to_private(fours).join().slide(17, 1).map_seq_unroll(weigh)
                            })
                        })
                })
            })
            .join2d()
            .take(N)
            .map(|row| row.take(M / 4).join())
    }

    /// The weighted sum of the pixels of the same distance from the middle, which have one weight.
    fn mirrored(w: [f32; 17]) -> f32 {
        let pairs = zip(BINOMIAL, w, w.reverse()).take(8);
        pairs.map(|(weight, west, east)| weight * (west + east)).reduce_seq_unroll(add, BINOMIAL[8] * w[8])
    }

    /// The same on a CPU: 64 rows an item. The weighted sums along the last 17 rows stay in local memory, in vectors.
    #[kernel]
    #[size(N % 64 == 0, M % 16 == 0, M >= 32)]
    #[work_group(1)]
    #[stores(streaming)]
    pub fn RowBlur<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image
            .pad(8, 8, clamp)
            .slide(80, 64)
            .map_workgroup(0, |rows| {
                rows.map_seq(|row| {
                    let windows = row.pad(8, 8, clamp).slide(17, 1);
                    let inside = windows.crop(8, 8).vectorize(16, mirrored);
                    to_local(concat(
                        windows.take(8).map_seq(mirrored),
                        inside,
                        windows.drop(M - 8).map_seq(mirrored),
                    ))
                })
                .slide_seq(17, 1)
                .map_seq(|w| w.transpose().vectorize(16, mirrored))
            })
            .join()
    }

    /// The centre and the 6 faces: 32 planes of 8 rows of 128 a group. The last 3 planes stay in registers, and the
    /// last in local memory, too, with its neighbourhood.
    #[kernel]
    #[size(N % 32 == 0, M % 8 == 0, O % 128 == 0)]
    #[work_group(32, 8)]
    pub fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        grid.pad3d(1, 1, 1, clamp)
            .slide3d(34, 32, 10, 8, 130, 128)
            .map_workgroup3d(|block| {
                block
                    .map_seq(|plane| {
                        let inside = plane.crop(1, 1).map(|row| row.crop(1, 1).split(4));
                        (
                            to_private(inside.map_local(1, map_local(0, |four| four.map_seq_unroll(id)))),
                            to_local(plane.map_local(1, map_local(0, id))),
                        )
                    })
                    .slide_seq(3, 1)
                    .map_seq(|w| {
                        let tile = w[1].1.slide(3, 1).map(|rows| rows.transpose().slide(6, 4));
                        zip2d(w[0].0, w[1].0, w[2].0, tile)
                            .map_local(
                                1,
                                map_local(0, |(below, four, above, columns)| {
                                    zip(below, four, above, columns.slide(3, 1)).map_seq_unroll(
                                        |(below, point, above, w)| {
                                            let z = 0.11 * below + 0.12 * above;
                                            let y = 0.13 * w[1][0] + 0.14 * w[1][2];
                                            0.19 * point + z + y + 0.15 * w[0][1] + 0.16 * w[2][1]
                                        },
                                    )
                                }),
                            )
                            .map(join)
                    })
            })
            .join3d()
    }
);
