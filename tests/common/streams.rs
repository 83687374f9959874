//! Kernels in which one loop goes through streams of windows: in registers, shared out between work-items, and in local memory.

use super::cases::Case;

const ONE_DIM: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 5)], &[("N", 67)]];

const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 4)], &[("N", 6), ("M", 28)], &[("N", 5), ("M", 12)], &[("N", 17), ("M", 52)]];

const TILES: &[&[(&str, i64)]] = &[&[("N", 8), ("M", 24)], &[("N", 16), ("M", 48)]];

const SPACE: &[&[(&str, i64)]] = &[&[("N", 1), ("M", 4), ("O", 16)], &[("N", 5), ("M", 8), ("O", 32)]];

/// All of them.
pub fn streams() -> Vec<Case> {
    vec![
        Case {
            name: "a window over what a window computes",
            text: "#[kernel] fn Twice<N>(x: [f32; N]) -> [f32; N] {
                    x.pad(2, 2, clamp).slide_seq(3, 1).map_seq(|w| w[0] + 2.0 * w[1] - 3.0 * w[2])
                        .slide_seq(3, 1).map_seq(|w| w[0] - w[1] + 0.5 * w[2])
                }
                #[kernel] fn Thrice<N>(x: [i32; N]) -> [i32; N] {
                    x.pad(2, 3, wrap).slide_seq(2, 1).map_seq(|w| w[1] - 2 * w[0])
                        .slide_seq(4, 1).map_seq(|w| w[0] + 3 * w[3])
                        .slide_seq(2, 1).map_seq(|w| w[0] - w[1])
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "streams beside arrays and each other",
            text: "#[kernel] fn Beside<N>(x: [f32; N], y: [f32; N + 2]) -> [f32; N] {
                    let first = x.pad(3, 3, clamp).slide_seq(3, 1).map_seq(|w| w[0] + 2.0 * w[1] - 3.0 * w[2]);
                    let second = zip(first.slide_seq(3, 1), y, array(N + 2, |i| i))
                        .map_seq(|(w, y, i)| if i == 0 { y } else { y * w[0] + w[1] - w[2] });
                    zip(second.slide_seq(3, 1), y.slide_seq(3, 1), x)
                        .map_seq(|(w, y, x)| x + w[0] - w[1] + y[1] - 0.5 * w[2])
                }
                #[kernel] fn Steps<N>(x: [f32; 2 * N]) -> [f32; N] {
                    x.pad(3, 4, mirror).slide_seq(3, 2).map_seq(|w| w[0] + w[2]).slide_seq(4, 1)
                        .map_seq(|w| w[0] - w[3])
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "windows that move by several elements of what windows compute",
            text: "#[kernel] fn Halves<N, M>(x: [[f32; 4 * M + 5]; N]) -> [[f32; 2 * M + 1]; N] {
                    x.map_global(0, |x| x.slide_seq(3, 1).map_seq(|w| w[0] + 2.0 * w[1] + w[2]).slide_seq(3, 2)
                        .map_seq(|w| w[0] * w[2] - w[1]))
                }
                #[kernel] fn Quarters<N, M>(x: [[f32; 4 * M + 7]; N], y: [f32; 4 * M + 5]) -> [[f32; M + 1]; N] {
                    x.map_global(0, |x| zip(x.slide_seq(3, 1), y).map_seq(|(w, y)| w[0] + 2.0 * w[1] * y + w[2])
                        .slide_seq(3, 2).map_seq(|w| w[0] * w[2] - w[1])
                        .slide_seq(2, 2).map_seq(|w| w[0] - 3.0 * w[1]))
                }
                #[kernel] fn Apart<N, M>(x: [[i32; 15 * M + 22]; N]) -> [[i32; M + 2]; N] {
                    x.map_global(0, |x| x.slide_seq(4, 3).map_seq(|w| w[0] + 2 * w[1] + w[3])
                        .slide_seq(2, 5).map_seq(|w| w[0] - 4 * w[1]))
                }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 2)], &[("N", 5), ("M", 13)]],
        },
        Case {
            name: "rings that turn by several rows",
            text: "#[kernel] fn Blocks<N>(x: [[f32; 48]; 4 * N + 7]) -> [[f32; 48]; N] {
                    [x].map_workgroup(0, |x| x.map_seq(|r| to_local(r.map_local(0, |v| 2.0 * v)))
                        .slide_seq(3, 1).map_seq(|w| to_local(w.transpose().map_local(0, |c| c[0] + 2.0 * c[1] + c[2])))
                        .slide_seq(2, 1).map_seq(|w| to_local(w.transpose().map_local(0, |c| c[0] - 3.0 * c[1])))
                        .slide_seq(8, 4).map_seq(|w| w.map(reverse).transpose()
                            .map_local(0, |c| c[0] * c[2] - c[1] + c[7])))
                        .join()
                }",
            sizes: &[&[("N", 1)], &[("N", 2)], &[("N", 7)]],
        },
        Case {
            name: "a window over what is computed from an array",
            text: "#[kernel] fn Roots<N>(x: [f32; N]) -> [f32; N] {
                    x.pad(2, 2, clamp).map_seq(|x| (x * x + 1.0).sqrt()).slide_seq(5, 1)
                        .map_seq(|w| w[0] + w[1] - w[4])
                }
                #[kernel] fn Pairs<N>(x: [f32; N], y: [i32; N]) -> ([f32; N], [i32; N]) {
                    zip(x, y).pad(1, 1, wrap).map_seq(|(x, y)| (x * 2.0, y + 1)).slide_seq(3, 1)
                        .map_seq(|w| (w[0].0 - w[2].0, w[1].1 + w[2].1)).unzip()
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "windows that tell where to read",
            text: "#[kernel] fn Follow<N>(x: [f32; N], table: [f32; 16]) -> [f32; N] {
                    x.pad(2, 2, clamp).map_seq(|x| (x.abs() * 100.0) as usize % 16)
                        .slide_seq(3, 1).map_seq(|w| (w[0] + table[w[1] % 16].abs() as usize + w[2]) % 16)
                        .slide_seq(3, 1).map_seq(|w| table[w[0] % 16] + table[w[2] % 16])
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a window of rows that each work-item computes",
            text: "#[kernel] #[size(M % 4 == 0)] fn Fours<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map(split(4)).pad(2, 2, clamp).transpose().map_global(0, |column| {
                        column.map_seq(map_seq_unroll(|x| 2.0 * x)).slide_seq(3, 1)
                            .map_seq(|w| zip(w[0], w[1], w[2]).map_seq_unroll(|(a, b, c)| a - b + c))
                            .slide_seq(3, 1)
                            .map_seq(|w| zip(w[0], w[2]).map_seq_unroll(|(a, b)| a + 0.5 * b))
                    }).transpose().map(join)
                }",
            sizes: ROWS,
        },
        Case {
            name: "registers shared out between work-items",
            text: "#[kernel] #[work_group(8)] #[size(M % 8 == 0)]
                fn Sums<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| row.split(8).map_seq(|part| {
                        let squares = to_private(part.map_local(0, |x| x * x));
                        let turned = to_local(squares.map_local(0, |x| x + 1.0));
                        zip(squares, turned.reverse()).map_local(0, |(a, b)| a - 0.5 * b)
                    }).join())
                }",
            sizes: &[&[("N", 1), ("M", 8)], &[("N", 3), ("M", 40)]],
        },
        Case {
            name: "rows in a ring in local memory",
            text: "#[kernel] #[work_group(8)] #[size(N % 8 == 0, M % 24 == 0)]
                fn Blur<N, M>(g: [f32; 5], x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map(split(4)).pad2d(2, 2, 1, 1, clamp, clamp).slide2d(12, 8, 8, 6)
                        .map_workgroup2d(|tile| {
                            tile.map_seq(map_local(0, |four| four.map_seq_unroll(id))).slide_seq(5, 1)
                                .map_seq(|w| to_local(w.transpose().map_local(0, |rows|
                                    rows.transpose().map_seq_unroll(|w|
                                        zip(g, w).map(mul).reduce_seq_unroll(add, 0.0)))))
                                .slide_seq(1, 1)
                                .map_seq(|w| w[0].slide(3, 1).map_local(0, |fours|
                                    to_private(fours).join().crop(2, 2).slide(5, 1).map_seq_unroll(|w|
                                        zip(g, w).map(mul).reduce_seq_unroll(add, 0.0))))
                        })
                        .join2d().map(join)
                }
                #[kernel] #[work_group(8)] #[size(N % 8 == 0, M % 6 == 0)]
                fn Squares<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.pad2d(1, 1, mirror).slide2d(10, 8, 8, 6).map_workgroup2d(|tile|
                        tile.map_seq(|row| to_local(row.map_local(0, |x| x * x))).slide_seq(3, 1)
                            .map_seq(|w| w.transpose().slide(3, 1).map_local(0, |w|
                                w[0][0] + 2.0 * w[1][1] - 3.0 * w[2][2] + w[0][2] - w[2][0])))
                        .join2d()
                }",
            sizes: TILES,
        },
        Case {
            name: "three steps in time",
            text: "fn cross(four: [f32; 4], n: [f32; 4], s: [f32; 4], w: f32, e: f32) -> [f32; 4] {
                    zip(n, concat([w], four, [e]).slide(3, 1), s)
                        .map_seq_unroll(|(n, x, s)| 0.5 * x[1] + 0.125 * (x[0] + x[2] + n + s))
                }
                fn kept<P>(row: [[f32; 4]; P]) -> ([[f32; 4]; P], [f32; P], [f32; P]) {
                    let own = to_private(row.map_local(0, |four| four.map_seq_unroll(id)));
                    (own, to_local(own.map_local(0, |c| c[0])), to_local(own.map_local(0, |c| c[3])))
                }
                fn later<P>(n: Nat, m: Nat, r: usize, columns: [usize; P],
                    w: [([[f32; 4]; P], [f32; P], [f32; P]); 3]) -> [[f32; 4]; P] {
                    zip(columns, w[0].0, w[1].0, w[2].0, w[1].2.pad(1, 0, clamp).take(P), w[1].1.drop(1).pad(0, 1, clamp))
                        .map_local(0, |(c, north, four, south, west, east)| cross(four,
                            if r == 0 { four } else { north }, if r == n - 1 { four } else { south },
                            if c == 0 { four[0] } else { west }, if c == m - 1 { four[3] } else { east }))
                }
                #[kernel] #[size(M % 4 == 0)] #[work_group(8)]
                fn Time<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    let r = array(N, |i| i).pad(3, 3 + (N + 3) / 4 * 4 - N, clamp).slide(10, 4);
                    let c = array(M / 4, |i| i).pad(1, 1 + (M / 4 + 5) / 6 * 6 - M / 4, clamp).slide(8, 6);
                    let tiles = x.map(split(4))
                        .pad2d(3, 3 + (N + 3) / 4 * 4 - N, 1, 1 + (M / 4 + 5) / 6 * 6 - M / 4, clamp, clamp)
                        .slide2d(10, 4, 8, 6);
                    zip(tiles, r).map_workgroup(1, |(tiles, r)| zip(tiles, c).map_workgroup(0, |(tile, c)| {
                        let zero = tile.map_seq(kept);
                        let one = zip(r.crop(1, 1), zero.slide_seq(3, 1))
                            .map_seq(|(r, w)| kept(to_private(later(N, M / 4, r, c, w))));
                        let two = zip(r.crop(2, 2), one.slide_seq(3, 1))
                            .map_seq(|(r, w)| kept(to_private(later(N, M / 4, r, c, w))));
                        zip(r.crop(3, 3), two.slide_seq(3, 1)).map_seq(|(r, w)| later(N, M / 4, r, c, w))
                            .map(|row| row.drop(1).take(6))
                    })).join2d().take(N).map(|row| row.take(M / 4).join())
                }",
            sizes: ROWS,
        },
        Case {
            name: "marching with a plane in local memory",
            text: "#[kernel] #[work_group(4, 4)] #[size(O % 16 == 0, M % 4 == 0)]
                fn March<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                    x.pad3d(1, 1, 1, clamp).slide3d(N + 2, N, 6, 4, 18, 16)
                        .map(map_workgroup(1, map_workgroup(0, |block| {
                            block.map_seq(|plane| {
                                    let inside = plane.crop(1, 1).map(|row| row.crop(1, 1).split(4));
                                    (to_private(inside.map_local(1, map_local(0, |c| c.map_seq_unroll(id)))),
                                        to_local(plane.map_local(1, map_local(0, id))))
                                })
                                .slide_seq(3, 1)
                                .map_seq(|w| {
                                    let tile = w[1].1.slide(3, 1).map(|rows| rows.transpose().slide(6, 4));
                                    zip2d(w[0].0, w[1].0, w[2].0, tile).map_local(1, map_local(0, |(a, c, b, w)|
                                        zip(a, c, b, w.slide(3, 1)).map_seq_unroll(|(a, c, b, w)|
                                            c + 0.5 * a - 0.25 * b + 2.0 * w[1][0] - 4.0 * w[1][2] + 8.0 * w[0][1]
                                                - 16.0 * w[2][1]))).map(join)
                                })
                        }))).join3d()
                }",
            sizes: SPACE,
        },
        Case {
            name: "an accumulator over a stream",
            text: "#[kernel] fn Sums<N>(x: [f32; N]) -> [f32; 4] {
                    x.pad(3, 3, clamp).slide_seq(3, 1).map_seq(|w| w[0] - w[2]).slide_seq(4, 1)
                        .reduce_seq(|acc, w| zip(acc, w).map_seq_unroll(|(a, x)| 0.5 * a + x), repeat(4, 1.0))
                        .map_seq_unroll(id)
                }",
            sizes: ONE_DIM,
        },
    ]
}
