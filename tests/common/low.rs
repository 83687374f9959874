//! Kernels that say themselves where and how things are computed.

use super::cases::Case;

const ONE_DIM: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 17)], &[("N", 257)]];

const FOURS: &[&[(&str, i64)]] = &[&[("N", 4)], &[("N", 12)], &[("N", 256)]];

const TWO_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 3)], &[("N", 7), ("M", 61)], &[("N", 33), ("M", 32)]];

const TILES: &[&[(&str, i64)]] =
    &[&[("N", 2), ("M", 4)], &[("N", 6), ("M", 8)], &[("N", 22), ("M", 68)], &[("N", 64), ("M", 32)]];

const SPACE: &[&[(&str, i64)]] =
    &[&[("N", 2), ("M", 1), ("O", 4)], &[("N", 4), ("M", 3), ("O", 8)], &[("N", 6), ("M", 5), ("O", 36)]];

/// All of them.
pub fn low() -> Vec<Case> {
    vec![
        Case {
            name: "register tiles",
            text: "#[kernel] #[size(N % 2 == 0, M % 4 == 0)] #[work_group(8, 2)]
                fn Tiles<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.pad2d(1, 1, clamp).slide2d(4, 2, 6, 4)
                        .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(|w|
                            w[1][1] + 0.5 * w[0][1] - 0.25 * w[2][1] + 2.0 * w[1][0] - 4.0 * w[1][2]))
                        .join2d()
                }",
            sizes: TILES,
        },
        Case {
            name: "register tiles of doubles, mirrored",
            text: "#[kernel] #[size(N % 2 == 0, M % 4 == 0)]
                fn Tiles<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] {
                    x.pad2d(2, 2, mirror).slide2d(6, 2, 8, 4)
                        .map_global2d(|tile| to_private(tile).slide2d(5, 1).map_seq_unroll2d(|w|
                            w.map(reduce_seq_unroll(add, 0.0)).reduce_seq_unroll(add, 0.0)))
                        .join2d()
                }",
            sizes: TILES,
        },
        Case {
            name: "register tiles at any size",
            text: "#[kernel] #[work_group(4, 2)]
                fn Tiles<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.pad2d(1, 2 + (N + 1) / 2 * 2 - N - 1, 1, 4 + (M + 3) / 4 * 4 - M - 3, clamp, clamp)
                        .slide2d(4, 2, 6, 4)
                        .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(|w|
                            w[1][1] + 0.5 * w[0][0] - 0.25 * w[2][2]))
                        .join2d().take(N).map(take(M))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "register tiles in space",
            text: "#[kernel] #[size(N % 2 == 0, O % 4 == 0)] #[work_group(4, 2, 2)]
                fn Tiles<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                    x.pad3d(1, 1, 1, clamp).slide3d(4, 2, 3, 1, 6, 4)
                        .map_global3d(|tile| to_private(tile).slide3d(3, 1).map_seq_unroll3d(|w|
                            w[1][1][1] + 0.5 * w[0][1][1] - 0.25 * w[2][1][1] + 2.0 * w[1][0][1]
                                - 4.0 * w[1][2][1] + 8.0 * w[1][1][0] - 16.0 * w[1][1][2]))
                        .join3d()
                }",
            sizes: SPACE,
        },
        Case {
            name: "marching through space",
            text: "#[kernel] #[size(O % 4 == 0)]
                fn March<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                    x.pad3d(1, 1, 1, clamp).slide3d(N + 2, N, 3, 1, 6, 4)
                        .map(map_global(1, map_global(0, |block|
                            block.slide_seq(3, 1).map_seq(|w| w.slide3d(3, 1).map_seq_unroll3d(|w|
                                w[1][1][1] + 0.5 * w[0][1][1] - 0.25 * w[2][1][1] + 2.0 * w[1][0][1]
                                    - 4.0 * w[1][2][1] + 8.0 * w[1][1][0] - 16.0 * w[1][1][2])).join())))
                        .join3d()
                }",
            sizes: SPACE,
        },
        Case {
            name: "a window that moves",
            text: "#[kernel] fn Window<N>(x: [f32; N]) -> [f32; N] {
                    x.pad(2, 1, mirror).slide_seq(4, 1).map_seq(|w| w[0] + 2.0 * w[1] - 3.0 * w[3])
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a window that moves in steps, beside data",
            text: "#[kernel] #[size(N % 4 == 0)] fn Window<N>(x: [f32; N], y: [f32; N / 2]) -> [f32; N / 2] {
                    zip(y, x.pad(1, 2, wrap).slide_seq(5, 2)).map_seq(|(y, w)|
                        y * w[0] + w.reduce_seq_unroll(add, 0.0))
                }",
            sizes: FOURS,
        },
        Case {
            name: "a window of pairs in every row",
            text: "#[kernel] fn Rows<N, M>(x: [[f32; M]; N], y: [[i32; M]; N]) -> [[f32; M]; N] {
                    zip2d(x, y).map_global(0, |row|
                        row.pad(1, 1, clamp).slide_seq(3, 1).map_seq_unroll_rows())
                }
                fn map_seq_unroll_rows<m>(rows: [[(f32, i32); 3]; m]) -> [f32; m] {
                    rows.map_seq(|w| w[0].0 + w[2].0 * (w[1].1 as f32))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rows by groups, through local memory",
            text: "#[kernel] #[work_group(16)] fn Turn<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| {
                        let own = to_local(row.map_local(0, |x| 2.0 * x));
                        own.reverse().map_local(0, |x| x + 1.0)
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "sums of rows by groups",
            text: "#[kernel] #[size(M % 64 == 0)] fn Sums<N, M>(x: [[f32; M]; N]) -> [f32; N] {
                    x.map_workgroup(0, |row| {
                        let parts = to_local(row.split(64).transpose().map_local(0, reduce_seq(add, 0.0)));
                        parts.reduce_seq(add, 0.0)
                    })
                }",
            sizes: &[&[("N", 1), ("M", 64)], &[("N", 5), ("M", 192)]],
        },
        Case {
            name: "vectors",
            text: "#[kernel] #[size(N % 4 == 0)] fn Axpy<N>(a: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
                    zip(x, y).split(4).map_global(0, map_vec(|(x, y)| a * x + y)).join()
                }
                #[kernel] #[size(N % 4 == 0)] fn Halves<N>(x: [f64; N]) -> [f64; N] {
                    x.vectorize(2, |x| 0.5 * x)
                }
                #[kernel] #[size(N % 4 == 0)] fn Bytes<N>(x: [u8; N]) -> [i32; N] {
                    x.as_vector(4).map_global(0, map_seq_unroll(|x| x as i32 + 1)).as_scalar()
                }",
            sizes: FOURS,
        },
        Case {
            name: "registers of pairs",
            text: "#[kernel] #[size(N % 4 == 0)] fn Pairs<N>(x: [f32; N], y: [f32; N]) -> [f32; N] {
                    zip(x, y).split(4).map_global(0, |four| {
                        let own = to_private(four.map(|(x, y)| (x + y, x * y)));
                        own.reverse().map_seq_unroll(|(sum, product)| sum - product)
                    }).join()
                }",
            sizes: FOURS,
        },
        Case {
            name: "registers and local memory in the notation of the papers",
            text: "#[kernel] #[size(N % 4 == 0)] fn Paper<N>(x: [f32; N]) -> [f32; N / 4] {
                    map_global(0, reduce_seq(add, 0.0) . to_private(map_seq(|x| x * x))) . split(4) << x
                }
                #[kernel] #[size(N % 4 == 0)] fn Turn<N>(x: [f32; N]) -> [f32; N] {
                    join . map_workgroup(0, map_local(0, id) . reverse . to_local(map_local(0, sqrt))) . split(4) << x
                }",
            sizes: FOURS,
        },
        Case {
            name: "groups that share rows of any length",
            text: "#[kernel] fn Turn<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| to_local(row.map_local(0, |x| 2.0 * x)).reverse().map_local(0, id))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "groups of more elements than work-items",
            text: "#[kernel] fn Turn<N>(x: [f32; 2048 * N]) -> [f32; 2048 * N] {
                    x.split(2048).map_workgroup(0, |row| to_local(row.map_local(0, |x| 2.0 * x)).reverse().map_local(0, id)).join()
                }",
            sizes: &[&[("N", 1)], &[("N", 2)]],
        },
        Case {
            name: "rounds of a placed kernel",
            text: "#[kernel] #[size(N % 4 == 0)] fn Rounds<N>(k: usize, x: [f32; N]) -> [f32; N] {
                    iterate(k, |x| x.pad(1, 1, clamp).slide(6, 4)
                        .map_global(0, |t| to_private(t).slide(3, 1).map_seq_unroll(|w| 0.5 * w[0] + 0.25 * w[1] + 0.25 * w[2]))
                        .join(), x)
                }",
            sizes: FOURS,
        },
        Case {
            name: "groups of a shape without places",
            text: "#[kernel] #[work_group(8, 2)] fn Twice<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map2d(|x| x + x)
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "registers without a parallel map",
            text: "#[kernel] fn Smooth<N>(x: [f32; N]) -> [f32; N] {
                    x.pad(1, 1, clamp).slide(3, 1).map(|w| {
                        let own = to_private(w.map(|x| x * x));
                        own.reduce_seq_unroll(add, 0.0) - own[1]
                    })
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "registers with a row that is not known",
            text: "#[kernel] fn Pick<N>(i: [u32; N], x: [f32; 8]) -> [f32; N] {
                    i.map_global(0, |i| {
                        let own = to_private(x.map(|x| x + 1.0));
                        own[((i % 8) as usize).min(7)]
                    })
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "blocks of a product",
            text: "#[kernel] #[size(N % 8 == 0, M % 8 == 0, K % 4 == 0)] #[work_group(4, 4)]
                fn Product<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
                    let rows = a.split(8).map(|rows| rows.transpose().split(4));
                    let columns = b.map(split(8)).transpose().map(split(4));
                    rows.map_workgroup(1, |rows| columns.map_workgroup(0, |columns| {
                        zip(rows, columns).reduce_seq(|acc, (a, b)| {
                            let a = to_local(a.map(split(2)).map_local2d(map_seq_unroll(id)));
                            let b = to_local(b.map(split(2)).map_local2d(map_seq_unroll(id)));
                            zip(acc, a.transpose()).map_local(1, |(acc, a)| zip(acc, b.transpose()).map_local(0, |(acc, b)|
                                zip(a, b).reduce_seq(|acc, (a, b)| {
                                    let a = to_private(a);
                                    let b = to_private(b);
                                    zip(acc, a).map_seq_unroll(|(acc, a)| zip(acc, b).map_seq_unroll(|(acc, b)| acc + a * b))
                                }, acc)))
                        }, repeat(4, repeat(4, repeat(2, repeat(2, 0.0)))))
                            .map_local2d(map_seq_unroll2d(id))
                    })).map(map(join2d)).join2d()
                }",
            sizes: &[&[("N", 8), ("M", 8), ("K", 4)], &[("N", 16), ("M", 24), ("K", 12)]],
        },
        Case {
            name: "an accumulator of which every element is read for the next",
            text: "#[kernel] fn Turned<N>(x: [f32; N]) -> [f32; 4] {
                    x.reduce_seq(|acc, x| acc.reverse().map_seq_unroll(|y| 0.5 * y + x), repeat(4, 1.0)).map_seq_unroll(id)
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "parts of a reduction",
            text: "#[kernel] #[size(N % 4 == 0)] fn Parts<N>(x: [f32; N]) -> [f32; 4] {
                    x.reduce_part(add, 0.0, 4)
                }",
            sizes: FOURS,
        },
        Case {
            name: "an accumulator that a group hands over",
            text: "#[kernel] #[work_group(8)] fn Direct<N>(x: [[[f32; 8]; 5]; N]) -> [[f32; 8]; N] {
                    x.map_workgroup(0, reduce_seq(|acc, row| zip(acc, row).map_local(0, add), repeat(8, 0.0)))
                }
                #[kernel] #[work_group(8)] fn Stored<N>(x: [[[f32; 8]; 5]; N]) -> [[f32; 8]; N] {
                    x.map_workgroup(0, |rows| {
                        let sums = to_local(rows.reduce_seq(|acc, row| zip(acc, row).map_local(0, add), repeat(8, 0.0)));
                        sums.reverse().map_local(0, id)
                    })
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "an accumulator of more elements than work-items, and of fewer",
            text: "#[kernel] #[work_group(3)] fn More<N>(x: [[[f32; 8]; 5]; N], y: [[f32; 8]; N]) -> [[f32; 8]; N] {
                    zip(x, y).map_workgroup(0, |(rows, y)| {
                        rows.reduce_seq(|acc, row| zip(acc, row).map_local(0, add), y).map_local(0, id)
                    })
                }
                #[kernel] #[work_group(16)] fn Fewer<N>(x: [[[f32; 8]; 5]; N], y: [[f32; 8]; N]) -> [[f32; 8]; N] {
                    zip(x, y).map_workgroup(0, |(rows, y)| {
                        rows.reduce_seq(|acc, row| zip(acc, row).map_local(0, add), y).map_local(0, id)
                    })
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "local memory that is stored before data decides",
            text: "#[kernel] fn Chosen<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| {
                        let own = to_local(row.map_local(0, |x| 2.0 * x));
                        if row[0] > 0.0 { own.reverse().map_local(0, id) } else { row }
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "registers that are filled from local memory",
            text: "#[kernel] fn Kept<N, M>(x: [[[f32; M]; 4]; N]) -> [[f32; 4]; N] {
                    x.map_workgroup(0, |rows| {
                        let sums = to_private(to_local(rows.map_local(0, reduce_seq(add, 0.0))));
                        sums.reverse().map_local(0, id)
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "copies of parallel maps",
            text: "#[kernel] fn Unrolled<N>(x: [[[f32; N]; 4]; 3]) -> [[[f32; N]; 4]; 3] {
                    x.map_seq_unroll(|rows| rows.map_global(1, map_global(0, |x| x + x)))
                }
                #[kernel] fn Rows<N>(x: [[f32; N]; 3]) -> [[f32; N]; 3] {
                    x.map_seq_unroll(|row| row.map_global(0, |x| x + x))
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "groups with dimensions that no map uses",
            text: "#[kernel] #[work_group(3, 2)] fn Columns<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_global(1, map_seq(|x| x + 1.0))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "arms over other dimensions",
            text: "#[kernel] fn Items<N, M>(k: i32, x: [[f32; M]; N]) -> [[f32; M]; N] {
                    if k > 0 { x.map_global(1, map_seq(|x| x + 1.0)) } else { x.map_global2d(|x| x + x) }
                }
                #[kernel] fn Groups<N, M>(k: i32, x: [[f32; M]; N]) -> [[f32; M]; N] {
                    if k > 0 { x.map_workgroup(1, map_local(0, |x| x + 1.0)) } else { x.map_workgroup(0, map_local(0, |x| x + x)) }
                }
                #[kernel] fn Never<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    if false { x.map_global(1, map_seq(|x| x + 1.0)) } else { x.map_global(0, map_seq(|x| x + x)) }
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a choice of what every work-item keeps",
            text: "#[kernel] fn Kept<N>(k: i32, x: [[f32; 4]; N]) -> [f32; 4] {
                    let sums = x.reduce_seq(|acc, row| zip(acc, row).map_seq_unroll(|(a, x)| 0.5 * a + x), repeat(4, 0.5));
                    let own = to_private(if k > 0 { sums.map_seq(|x| x + x) } else { sums.map_seq(|x| x - 1.0) });
                    own.reverse().map_global(0, id)
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "the first window of one element, after a constant",
            text: "#[kernel] fn One<N, M>(x: [[f32; M]; N]) -> [[f32; 1]; N] {
                    x.map_global(0, |row| {
                        let sum = row.reduce_seq(|acc, x| acc.map_seq(|a| 0.5 * a + x), repeat(1, 0.5));
                        sum.pad(1, 0, constant(0.5)).slide_seq(2, 1).map_seq(|w| w[0] + w[1])
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "what work-items store, in another order",
            text: "#[kernel] fn Turn<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| {
                        let own = to_local(row.map_local(0, |x| 2.0 * x).reverse());
                        own.map_local(0, |x| x + 1.0).scatter(|i, n| (i + 1) % n)
                    }).reverse()
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "groups, and then items",
            text: "#[kernel] fn Then<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    let sums = materialize(x.map_workgroup(0, scan_seq(add, 0.0)));
                    sums.map(map_global(0, |x| x + x))
                }
                #[kernel] fn Last<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    materialize(x.map_global2d(|x| x + x))
                }
                #[kernel] fn Total<N>(x: [f32; N]) -> f32 {
                    let roots = materialize(x.map_global(0, |x| x + x));
                    let sum = to_private(roots.reduce_seq(add, 0.0));
                    sum * sum
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a launch after another, both by hand",
            text: "#[kernel] #[size(N % 4 == 0)] fn Twice<N>(x: [f32; N]) -> [f32; N] {
                    let squares = materialize(x.split(4).map_global(0, map_seq_unroll(|x| x * x)).join());
                    squares.pad(1, 1, wrap).slide(3, 1).map_global(0, |w| to_private(w).reduce_seq_unroll(add, 0.0))
                }",
            sizes: FOURS,
        },
    ]
}
