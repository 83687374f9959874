//! Linear algebra: vectors of 4 an item, a work-group a row, and products from blocks in registers that share tiles in local
//! memory.

use lift::prelude::*;

lift!(
    fn blocks<T>(row: [T; 128]) -> [[T; 8]; 16] {
        row.split(64).map(split(4)).transpose().map(join)
    }
    fn unblock<T>(blocks: [[T; 8]; 16]) -> [T; 128] {
        blocks.map(split(4)).transpose().map(join).join()
    }

    /// A tile is copied in two rounds, four numbers by each of 16 × 16 items.
    fn copied(tile: [[[f32; 4]; 16]; 32]) -> [[[f32; 4]; 16]; 32] {
        tile.map_local2d(|four| to_private(four).map_seq_unroll(id))
    }

    /// `α·x`: 4 numbers an item.
    #[kernel]
    #[size(N % 4 == 0)]
    #[work_group(256)]
    pub fn Scal<N>(alpha: f32, x: [f32; N]) -> [f32; N] {
        x.split(4).map_global(0, |four| to_private(four).map_seq_unroll(mul(alpha))).join()
    }

    /// `α·A·x + β·y`: 128 items a row, of which each reads every 128th group of 4.
    #[kernel]
    #[size(M % 512 == 0)]
    pub fn Gemv<N, M>(alpha: f32, a: [[f32; M]; N], x: [f32; M], beta: f32, y: [f32; N]) -> [f32; N] {
        zip(a, y).map_workgroup(0, |(row, y)| {
            let sums = to_local(zip(row, x).split(4).split(128).transpose().map_local(0, |fours| {
                fours.reduce_seq(|sum, four| sum + to_private(four).map(mul).reduce_seq_unroll(add, 0.0), 0.0)
            }));
            let sums = to_local(sums.split(16).map_local(0, reduce_seq(add, 0.0)));
            alpha * sums.reduce_seq(add, 0.0) + beta * y
        })
    }

    /// `α·A·B + β·C`: 128 × 128 a group, 8 × 8 an item, of which 4 lie in either half. The rows of A's tile, which is
    /// turned, are longer by 4, so that what is written together lies in different banks.
    #[kernel]
    #[size(N % 128 == 0, M % 128 == 0, K % 16 == 0)]
    #[work_group(16, 16)]
    pub fn Gemm<N, M, K>(
        alpha: f32,
        a: [[f32; K]; N],
        b: [[f32; M]; K],
        beta: f32,
        c: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        let rows = a.split(128).map(|rows| rows.map(split(16)).transpose());
        let columns = b.map(split(128)).transpose().map(split(16));
        zip(rows, c.split2d(128, 128))
            .map_workgroup(1, |(rows, c)| {
                zip(columns, c).map_workgroup(0, |(columns, c)| {
                    let product = zip(rows, columns).reduce_seq(
                        |acc, (a, b)| {
                            let a = to_local(
                                a.map(split(4))
                                    .join()
                                    .split(16)
                                    .copied()
                                    .join()
                                    .split(4)
                                    .map(join)
                                    .transpose(),
                            )
                            .increase2d(0, 0, 0, 4);
                            let b = to_local(
                                b.map(split(4)).join().split(16).copied().join().split(32).map(join),
                            );
                            zip(acc, a.map(blocks).transpose()).map_local(1, |(acc, a)| {
                                zip(acc, b.map(blocks).transpose()).map_local(0, |(acc, b)| {
                                    zip(a, b).reduce_seq_unroll(
                                        |acc, (a, b)| {
                                            let a = to_private(a);
                                            let b = to_private(b);
                                            zip(acc, a).map_seq_unroll(|(acc, a)| {
                                                zip(acc, b).map_seq_unroll(|(acc, b)| acc + a * b)
                                            })
                                        },
                                        acc,
                                    )
                                })
                            })
                        },
                        repeat(16, repeat(16, repeat(8, repeat(8, 0.0)))),
                    );
                    let c = c.map(blocks).blocks().map(|rows| rows.transpose());
                    zip2d(product, c)
                        .map_local2d(|(product, c)| {
                            zip2d(product, c).map_seq_unroll2d(|(p, c)| alpha * p + beta * c)
                        })
                        .map(|rows| rows.transpose().map(unblock))
                        .unblock_rows()
                })
            })
            .join2d()
    }

    fn unblock_rows<T, n>(rows: [[[T; n]; 8]; 16]) -> [[T; n]; 128] {
        rows.map(split(4)).transpose().map(join).join()
    }
);
