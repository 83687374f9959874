//! Linear algebra for CPUs, from wide vectors that are summed up side by side.

use lift::prelude::*;

lift!(
    /// What `f` makes of a stretch, summed up in 4 vectors of 16.
    fn accumulated<T>(f: fn(T) -> f32, chunk: [T; 4096]) -> f32 {
        let sums = chunk.split(64).map(split(16)).reduce_seq(
            |sums, fours| {
                zip(sums, fours).map_seq_unroll(|(sum, four)| zip(sum, four).map_vec(|(s, x)| s + f(x)))
            },
            repeat(4, repeat(16, 0.0)),
        );
        sums.join().reduce_seq_unroll(add, 0.0)
    }

    /// The sum, in stretches of 4096 numbers.
    #[kernel]
    #[size(N % 4096 == 0)]
    #[work_group(1)]
    pub fn Sum<N>(x: [f32; N]) -> f32 {
        x.split(4096).map_global(0, accumulated(id)).materialize().reduce_seq(add, 0.0)
    }

    /// The sum of magnitudes, in stretches of 4096 numbers.
    #[kernel]
    #[size(N % 4096 == 0)]
    #[work_group(1)]
    pub fn Asum<N>(x: [f32; N]) -> f32 {
        x.split(4096).map_global(0, accumulated(abs)).materialize().reduce_seq(add, 0.0)
    }

    /// The sum of products, in stretches of 4096 numbers.
    #[kernel]
    #[size(N % 4096 == 0)]
    #[work_group(1)]
    pub fn Dot<N>(x: [f32; N], y: [f32; N]) -> f32 {
        zip(x, y).split(4096).map_global(0, accumulated(mul)).materialize().reduce_seq(add, 0.0)
    }

    /// `α·x`: 16 numbers an item.
    #[kernel]
    #[size(N % 16 == 0)]
    #[work_group(256)]
    pub fn Scal<N>(alpha: f32, x: [f32; N]) -> [f32; N] {
        x.vectorize(16, mul(alpha))
    }

    /// `α·A·x + β·y`: 4 rows an item, of which each is summed up as a vector of 16.
    #[kernel]
    #[size(N % 4 == 0, M % 16 == 0)]
    #[work_group(1)]
    pub fn Gemv<N, M>(alpha: f32, a: [[f32; M]; N], x: [f32; M], beta: f32, y: [f32; N]) -> [f32; N] {
        zip(a, y)
            .split(4)
            .map_global(0, |four| {
                let (rows, y) = four.unzip();
                let sums = zip(rows.transpose(), x).split(16).reduce_seq(
                    |sums, part| {
                        let (columns, x) = part.unzip();
                        zip(sums, columns.transpose())
                            .map_seq_unroll(|(sum, row)| zip(sum, row, x).map_vec(|(s, a, x)| s + a * x))
                    },
                    repeat(4, repeat(16, 0.0)),
                );
                zip(sums, y).map_seq_unroll(|(sum, y)| alpha * sum.reduce_seq_unroll(add, 0.0) + beta * y)
            })
            .join()
    }

    /// `α·A·B + β·C`: the columns are put into panels of 32; an item computes 8 rows of one.
    #[kernel]
    #[size(N % 8 == 0, M % 32 == 0)]
    #[work_group(1)]
    pub fn Gemm<N, M, K>(
        alpha: f32,
        a: [[f32; K]; N],
        b: [[f32; M]; K],
        beta: f32,
        c: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        let panels =
            b.map(split(32)).transpose().map_global(1, map_global(0, vectorize(16, id))).materialize();
        zip(panels, c.map(split(32)).transpose().map(split(8)))
            .map_global(1, |(panel, c)| {
                zip(a.split(8), c).map_global(0, |(rows, c)| {
                    let sums = zip(rows.transpose(), panel).reduce_seq(
                        |sums, (column, row)| {
                            zip(sums, column).map_seq_unroll(|(sums, a)| {
                                zip(sums, row.split(16))
                                    .map_seq_unroll(|(sum, b)| zip(sum, b).map_vec(|(s, b)| s + a * b))
                            })
                        },
                        repeat(8, repeat(2, repeat(16, 0.0))),
                    );
                    zip(sums, c.map(split(16))).map_seq_unroll(|(sums, c)| {
                        zip(sums, c)
                            .map_seq_unroll(|(sum, c)| zip(sum, c).map_vec(|(s, c)| alpha * s + beta * c))
                            .join()
                    })
                })
            })
            .map(join)
            .transpose()
            .map(join)
    }
);
