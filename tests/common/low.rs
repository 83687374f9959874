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
            name: "local memory for what is copied to local memory",
            text: "#[kernel] #[work_group(7, 2)] fn Twice<N>(x: [[i32; 4]; N]) -> [[i32; 4]; N] {
                    x.map_workgroup(0, |row| to_local(row.map(|v| { let c = to_local(row[2]); 2 * c + v })).map_local(0, |v| 3 * v))
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "one map, several layouts",
            text: "#[kernel] fn Both<N>(x: [i32; N]) -> ([i32; N], [[i32; N]; 2]) {
                    let (a, b) = x.map_global(0, |v| (v + 1, [v, 2 * v])).unzip();
                    (a.scatter(|i, n| if 2 * i < n { 2 * i } else { 2 * i - (n - 1) / 2 * 2 - 1 }), b.transpose())
                }
                #[kernel] fn Rows<N>(x: [[f32; 4]; N]) -> ([[f32; N]; 4], [f32; 4 * N], [f32; N]) {
                    let (a, rest) = x.map_global(0, |row| (row.map_seq(|v| v + 1.0), (row.map_seq_unroll(|v| 2.0 * v), row[3]))).unzip();
                    let (b, c) = rest.unzip();
                    (a.transpose(), b.join(), c)
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "one launch for all that is updated",
            text: "#[kernel] fn Walls<N, M>(b: [f32; M], force: [f32; N], x: &mut [f32; N], g: &mut [[f32; N]; M], v: &mut [[f32; N]; M]) {
                    let after = zip(g.transpose(), v.transpose(), x, force).map(|(g, v, x, f)|
                        x + f * zip(b, g, v).map(|(b, g, v)| b * g - 0.5 * v).reduce(add, 0.0));
                    let faster = zip(g.transpose(), v.transpose(), x, after).map(|(g, v, x, after)|
                        zip(b, g, v).map(|(b, g, v)| b * (after - x) + v - 0.25 * g));
                    write_to(x, after);
                    write_to(g, zip(g.transpose(), faster).map(|(g, v)| zip(g, v).map(add)).transpose());
                    write_to(v, faster.transpose());
                }
                #[kernel] fn Views<N, M>(g: &mut [[i32; N]; M], v: &mut [[i32; N]; M]) {
                    let both = |(g, v)| zip(g, v).map(|(g, v)| (g + v, g - v)).unzip();
                    let (a, b) = zip(g.transpose(), v.transpose()).map_global(0, both).unzip();
                    write_to(g, a.transpose());
                    write_to(v, b.transpose());
                }
                #[kernel] fn Loops<N, M>(g: &mut [[i32; N]; M], v: &mut [[i32; N]; M]) {
                    let both = |(g, v)| zip(g, v).map_seq(|(g, v)| (g + v, g - v)).unzip();
                    let (a, b) = zip(g.transpose(), v.transpose()).map_global(0, both).unzip();
                    write_to(g, a.transpose());
                    write_to(v, b.transpose());
                }
                #[kernel] fn Moved<N, M>(b: [i32; M], x: &mut [i32; N], v: &mut [[i32; N]; M]) {
                    write_to(x, zip(x, v.transpose()).map(|(x, v)| x + v.reduce(add, 0)));
                    write_to(v, zip(x, v.transpose()).map(|(x, v)| zip(b, v.reverse()).map(|(b, v)| b * x - v)).transpose());
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "three stores of an item, and three elsewhere",
            text: "#[kernel] #[work_group(64)]
                fn Threes<N>(p0: &mut [u8; 3 * N], p1: &mut [[u8; 1]; N], p2: &mut [u8; N], p3: &mut [[f32; N]; 3]) {
                    let (r0, r1, r2, r3) = zip(p0.split(3).reverse(), p1, p2, p3.transpose()).map_global(0, |(e0, e1, e2, e3)|
                        (e0.map_seq_unroll(|v| v), e1.map_seq_unroll(|v| 0), 4 * e0[0], e3.map_seq_unroll(|v| 4.0 * e3[0]))).unzip();
                    write_to(p0, r0.join());
                    write_to(p1, r1);
                    write_to(p2, r2);
                    write_to(p3, r3.transpose());
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "maps of several lengths that divide",
            text: "#[kernel] fn Halves<N>(x: [i32; N]) -> [i32; 4 * N] {
                    let both = concat(x, array(N, |i| x[i])).stride(2);
                    concat(both, both.reverse())
                }",
            sizes: ONE_DIM,
        },
        Case {
            name: "what divides by nothing stays where it may",
            text: "#[kernel] fn Folded<N, M>(k: i32, x: [[[u8; M]; 4]; N]) -> [[[u8; M]; 4]; N] {
                    x.map_seq(|rows| rows.map_workgroup(0, |row| {
                        let kept = iterate(2, |row| to_local(if k % 2 == 0 && M > 1 {
                            row.pad(4, 0, reflect).map_seq(|x| to_local(x + x)).slide_seq(3, 1).map_seq(|w| w[0] + w[2]).slide_seq(3, 1).map_seq(|w| w[0] + w[1])
                        } else {
                            row.map_local(0, |x| 3 * x)
                        }), row);
                        kept.map_local(0, |x| x + x)
                    }))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a block of which little is stored",
            text: "#[kernel] fn Last<N, M>(x: [[[u8; M]; 4]; N]) -> [[[u8; 4]; 1]; N] {
                    x.map_global(1, |v1| {
                        let v3 = v1.map(|v2| v2.reduce_seq(max, 0));
                        let v7 = to_private(v3.reverse().pad(1, 3, clamp).slide(5, 3)
                            .map_seq_unroll(|v5| to_private(v5).slide(3, 1).map_seq(|v6| v6[0] + v6[0] + (v6[0] + v6[0])))
                            .join().take(4));
                        v7.split(4).map_global(0, map_global(2, |v| v + v + (v + v)))
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "parts in local memory that nobody reads",
            text: "#[kernel] fn Unread<N, M>(k: i32, x: [[[f32; 4]; M]; N]) -> [[i32; M]; N] {
                    x.map_workgroup(0, |rows| {
                        let kept = to_local(rows);
                        let pairs = to_local(kept.pad(0, 1, clamp).slide_seq(2, 1).map_seq(|w| (w[0][2], w[0][0] + w[0][0])));
                        pairs.map(|p| k + k).map_local(0, |v| v + v)
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rounds in local memory",
            text: "#[kernel] fn Known<N>(x: [f32; 24 * N]) -> [f32; 24 * N] {
                    x.split(24).map_workgroup(0, |tile| {
                        let three = |w| w[0] - 2.0 * w[1] + w[2];
                        let last = iterate(5, |s| to_local(s.pad(1, 1, clamp).slide(3, 1).map_local(0, three)), to_local(tile));
                        last.map_local(0, |v| v + 1.0)
                    }).join()
                }
                #[kernel] fn Given<N>(k: usize, m: usize, x: [f32; 24 * N]) -> [f32; 24 * N] {
                    x.split(24).map_workgroup(0, |tile| {
                        let own = to_local(tile.map_local(0, |v| 2.0 * v));
                        let next = |s| to_local(zip(s.pad(1, 1, wrap).slide(3, 1), own)
                            .map_local(0, |(w, v)| v + w[0] - w[2]));
                        let some = iterate(k % 4, next, own);
                        iterate(m % 3, next, some).reverse().map_local(0, |v| v + 1.0)
                    }).join()
                }
                #[kernel] fn Sized<N, M>(x: [[i32; 12]; N], _y: [i32; M]) -> [[i32; 12]; N] {
                    x.map_workgroup(0, |row| iterate(M, |s| to_local(zip(s.reverse(), s.slide(1, 1)).map_local(0, |(a, b)|
                        2 * a - b[0])), row).map_local(0, |v| v))
                }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 4)], &[("N", 5), ("M", 7)]],
        },
        Case {
            name: "rounds that choose by what others stored",
            text: "#[kernel] #[work_group(3)] fn Chosen<N>(x: [[i32; 4]; N]) -> [[i32; 4]; N] {
                    x.map_workgroup(0, |row| {
                        let last = iterate(2, |s| to_local(if s[0] < s[3] { s.map_local(0, |v| v + v) } else {
                            s.reverse().map_local(0, |v| v + 1) }), row);
                        last.map_local(0, |v| v)
                    })
                }
                #[kernel] #[work_group(5, 1, 2)] fn Pieces<N>(x: [[f32; 8]; N]) -> [[f32; 8]; N] {
                    x.map_workgroup(0, |row| {
                        let last = iterate(2, |s| to_local(s.split(4).map_seq(|four| {
                            let own = to_private(four.pad(1, 1, wrap));
                            own.take(4).map_local(0, |v| v + v)
                        }).join()), row);
                        to_local(last.map_local(0, |v| v + 1.0)).reverse().map_local(0, id)
                    })
                }",
            sizes: &[&[("N", 1)], &[("N", 5)]],
        },
        Case {
            name: "rounds and rings with room beside them",
            text: "#[kernel] fn Rounds<N>(x: [[f32; 24]; N]) -> [[f32; 24]; N] {
                    x.map_workgroup(0, |row| {
                        let three = |w| w[0] - 2.0 * w[1] + w[2];
                        let round = |s| to_local(s.pad(1, 1, clamp).slide(3, 1).map_local(0, three)).increase(2, 3);
                        iterate(3, round, row).map_local(0, |v| v + 1.0)
                    })
                }
                #[kernel] fn Rows<N>(x: [[f32; 24]; N + 1]) -> [[f32; 24]; N] {
                    x.split(N + 1).map_workgroup(0, |rows|
                        rows.map_seq(|row| to_local(row.map_local(0, |v| 2.0 * v)).increase(2, 3)).slide_seq(2, 1).map_seq(|w|
                            zip(w[0], w[1].reverse()).map_local(0, |(a, b)| a - b))).join()
                }
                #[kernel] fn Columns<N, M>(x: [[f32; M]; N + 1]) -> [[f32; M]; N] {
                    x.split(N + 1).map_workgroup(0, |rows|
                        rows.map_seq(|row| to_local(row.map_local(0, |v| 2.0 * v)).increase(2, 3)).slide_seq(2, 1).map_seq(|w|
                            zip(w[0], w[1].reverse()).map_local(0, |(a, b)| a - b))).join()
                }
                #[kernel] fn Pairs<N>(x: [[[i32; 4]; 3]; 2 * N + 1]) -> [[[i32; 4]; 3]; N] {
                    x.split(2 * N + 1).map_workgroup(0, |planes|
                        planes.map_seq(|plane| to_local(plane.map_local(0, map(|v| v + 1))).increase2d(1, 0, 2, 3))
                            .slide_seq(3, 2).map_seq(|w|
                                zip(w[0].reverse(), w[2]).map_local(0, |(a, b)| zip(a, b.reverse()).map_seq(|(a, b)| 3 * a - b)))).join()
                }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 5)], &[("N", 6), ("M", 130)]],
        },
        Case {
            name: "scalars in rings",
            text: "#[kernel] fn Shared<N, M>(x: [[i32; M + 1]; N]) -> [[[i32; 2]; M]; N] {
                    x.map_workgroup(0, |row|
                        row.map_seq(|v| to_local(v + v)).slide_seq(2, 1).map_seq(|w| w.map_local(0, |v| v + 1)))
                }
                #[kernel] fn Pairs<N, M>(x: [[(i32, f32); 2 * M + 1]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| row.map_seq(|(a, b)| to_local((a + a, b))).slide_seq(3, 2)
                        .map_seq(|w| w.reverse().map(|(a, b)| (a as f32) + b).reduce_seq(|a, b| 0.5 * a + b, 0.0)))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rounds of no known number",
            text: "#[kernel] #[size(M >= 1)] fn Some<N, M>(x: [[i32; 12]; N], _y: [i32; M]) -> [[i32; 12]; N] {
                    x.map_workgroup(0, |row| iterate(M - 1, |s| to_local(s.map_local(0, |v| v + v)), row).map_local(0, |v| v + 1))
                }
                #[kernel] #[size(M >= 1)] fn Read<N, M>(x: [[i32; 12]; N], _y: [i32; M]) -> [[i32; 12]; N] {
                    x.map_workgroup(0, |row| {
                        let own = to_local(row.reverse().map_local(0, |v| v + 1));
                        iterate(M - 1, |s| to_local(s.reverse().map_local(0, |v| v + v)), own).map_local(0, |v| v + 1)
                    })
                }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 1)], &[("N", 3), ("M", 2)], &[("N", 2), ("M", 3)]],
        },
        Case {
            name: "the only element kept is the boundary's",
            text: "#[kernel] fn Boundary<N, M>(x: [[i32; M]; N]) -> [[i32; 1]; N] {
                    x.map_global(0, |row| {
                        let last = row.reduce_seq(|kept, v| kept.map_seq(|k| max(k, v)), repeat(1, 1));
                        let padded = to_private(last.pad(1, 2, constant(7)).slide(2, 1).map_seq(|w| w[0]).take(1));
                        array(1, |i| padded[0 - i] + last[0])
                    })
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "groups of other dimensions in each branch",
            text: "#[kernel] fn Sides<N, M>(k: i32, x: [[i32; M]; N]) -> [i32; M] {
                    let side = materialize(if k % 2 == 0 && M > 1 {
                        x[0].map_workgroup(1, |v| v + 1)
                    } else {
                        x[N - 1].map_workgroup(2, |v| v + 2)
                    });
                    side.map_global(0, |v| v + v)
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "groups that wait in branches",
            text: "#[kernel] #[work_group(7, 2)]
                fn Either<N, M>(k: i32, x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| if k > 3 {
                        let twice = to_local(row.map_local(0, |v| v + v));
                        twice.map_local(0, |v| v + v)
                    } else {
                        row.map_local(0, |v| v + 1.0)
                    })
                }
                #[kernel] #[work_group(7, 2)]
                fn Both<N, M>(k: i32, x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| if k > 3 {
                        let twice = to_local(row.map_local(0, |v| v + v));
                        let sum = twice.reduce_seq(add, 0.0);
                        iterate(2, |xs| to_local(xs.map_local(0, |v| v + sum)), twice).map_local(0, |v| v * sum)
                    } else {
                        to_local(row.map_local(0, |v| v - 1.0)).reverse().map_local(0, |v| v + 1.0)
                    })
                }
                #[kernel]
                fn Nested<N, M>(k: i32, x: [[[f32; M]; 4]; N]) -> [[[f32; M]; 4]; N] {
                    let ys = x.reverse();
                    if k > 3 {
                        ys.map_workgroup(1, |rows|
                            iterate(2, |rows| to_local(rows.map_seq(|row| row.map_local(0, |v| v + v))), rows)
                                .map_local(0, |row| row.map_local(1, |v| v + v)))
                    } else {
                        ys.map_workgroup(0, |rows| rows.map_local(0, |row| row.map_local(1, |v| v + v)))
                    }
                }",
            sizes: TWO_DIM,
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
            name: "register tiles of rows with a halo",
            text: "#[kernel] #[size(N % 2 == 0)] #[work_group(4, 2)]
                fn Tiles<N, M>(x: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] {
                    x.map(|row| row.pad(0, (M + 1) / 2 * 2 - M, clamp)).slide2d(4, 2, 4, 2)
                        .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(|w|
                            zip(w.join(), [0.5, 1.5, -2.0, 3.0, 4.5, 0.25, -1.0, 2.0, 0.75]).map(mul).reduce_seq_unroll(add, 0.0)))
                        .join2d().map(take(M))
                }",
            sizes: &[&[("N", 2), ("M", 1)], &[("N", 4), ("M", 7)], &[("N", 6), ("M", 8)], &[("N", 22), ("M", 66)]],
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
            name: "tiles that the group copies, with room around them",
            text: "#[kernel] #[work_group(4, 2)]
                fn Tiles<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.pad2d(1, 1 + (N + 7) / 8 * 8 - N, 1, 1 + (M + 7) / 8 * 8 - M, clamp, clamp).slide2d(10, 8)
                        .map_workgroup2d(|tile| to_local(tile).increase2d(1, 0, 2, 3).slide2d(3, 1)
                            .map_local2d(|w| w[0][0] + 2.0 * w[1][2] - 3.0 * w[2][1]))
                        .join2d().take(N).map(take(M))
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "vectors that the group copies, and halves of rows apart",
            text: "#[kernel] #[size(N % 2 == 0, M % 16 == 0)] #[work_group(4, 2)]
                fn Tiles<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.split2d(2, 16).map_workgroup2d(|tile| to_local(tile).increase2d(0, 0, 0, 4).reverse().map_local2d(id))
                        .join2d()
                }
                #[kernel] #[size(N % 2 == 0, M % 16 == 0)] #[work_group(4, 2)]
                fn Halves<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] {
                    x.split2d(2, 16).map_workgroup2d(|tile|
                        to_local(tile.map(|row| row.split(4).split(2).transpose())).map(|row| row.transpose().join().join())
                            .map_local2d(|x| 2.0 * x))
                        .join2d()
                }",
            sizes: &[&[("N", 2), ("M", 16)], &[("N", 4), ("M", 48)]],
        },
        Case {
            name: "rows that the group copies, of pairs, by half of the group, of any length",
            text: "#[kernel] #[work_group(8)] fn Pairs<N>(x: [[f32; 5]; N], k: [[i32; 5]; N]) -> [[f32; 5]; N] {
                    zip2d(x, k).map_workgroup(0, |row| to_local(row).increase(1, 2).reverse().map_local(0, |(x, k)| x + (k as f32)))
                }
                #[kernel] #[work_group(4, 2)] fn Rows<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| to_local(row.pad(1, 1, clamp)).slide(3, 1).map_local(0, |w| w[0] - w[2]))
                }
                #[kernel] #[work_group(4, 2)] fn Half<N, M>(x: [[[f32; M]; 3]; N]) -> [[[f32; M]; 3]; N] {
                    x.map_workgroup(0, |rows| to_local(rows.map_local(1, |row| row.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[2])))
                        .reverse().map_local2d(id))
                }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 7)], &[("N", 2), ("M", 37)]],
        },
        Case {
            name: "accumulators of more elements than items, and of fewer",
            text: "#[kernel] #[work_group(4)] fn More<N>(x: [[[f32; 8]; 3]; N]) -> [[f32; 8]; N] {
                    x.map_workgroup(0, |rows| rows.reduce_seq(|acc, row| zip(acc, row).map_local(0, add), repeat(8, 0.0))
                        .map_local(0, id))
                }
                #[kernel] #[work_group(4)] fn Fewer<N>(x: [[[f32; 3]; 3]; N], y: [f32; 3]) -> [[f32; 3]; N] {
                    x.map_workgroup(0, |rows| rows.reduce_seq(|acc, row| zip(acc, row).map_local(0, add), y).map_local(0, id))
                }
                #[kernel] #[work_group(4, 4)] fn Square<N>(x: [[[[f32; 8]; 4]; 3]; N]) -> [[[f32; 8]; 4]; N] {
                    x.map_workgroup(0, |rows| rows
                        .reduce_seq(|acc, row| zip2d(acc, row).map_local2d(add), repeat(4, repeat(8, 0.0))).map_local2d(id))
                }
                #[kernel] #[work_group(4)] fn Turned<N>(x: [[f32; 3]; N]) -> [[f32; 4]; N] {
                    x.map_workgroup(0, |row| row.reduce_seq(|acc, x| {
                        let all = to_local(acc.map_local(0, id));
                        all.reverse().map_local(0, |y| 0.5 * y + x)
                    }, array(4, |i| i as f32)).map_local(0, id))
                }",
            sizes: &[&[("N", 1)], &[("N", 3)]],
        },
        Case {
            name: "warps and lanes",
            text: "#[kernel] #[size(M % 32 == 0)] #[work_group(128)] fn Rows<N, M>(x: [[f32; M]; 4 * N]) -> [f32; 4 * N] {
                    x.split(4).map_workgroup(0, |rows| {
                        let sums = to_local(rows.map_warp(|row| row.split(32).transpose().map_lane(reduce_seq(add, 0.0))));
                        sums.map_local(0, reduce_seq(add, 0.0))
                    }).join()
                }
                #[kernel] fn Any<N, M>(x: [[f32; M]; 5 * N]) -> [[f32; M]; 5 * N] {
                    x.split(5).map_workgroup(0, |rows| {
                        let own = to_local(rows.map_warp(map_lane(|x| 2.0 * x)));
                        own.reverse().map_warp(|row| row.map_lane(|x| x + 1.0))
                    }).join()
                }
                #[kernel] #[work_group(64, 2)] fn Alone<N, M>(x: [[[f32; M]; 3]; N]) -> [[f32; 3]; N] {
                    x.map_workgroup(0, |rows| {
                        let own = to_local(rows.map_warp(|row| row.reduce_seq(add, 0.0)));
                        own.reverse().map_warp(|x| x + 1.0)
                    })
                }
                #[kernel] #[work_group(64)] fn View<N>(x: [[[f32; 37]; 3]; N]) -> [[[f32; 37]; 3]; N] {
                    x.map_workgroup(0, |rows| {
                        let own = to_local(rows.map_warp(|row| row.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[2])));
                        own.reverse().map_warp(map_lane(id))
                    })
                }
                #[kernel] #[work_group(64)] fn Acc<N>(x: [[[[f32; 32]; 2]; 3]; N]) -> [[[f32; 32]; 2]; N] {
                    x.map_workgroup(0, |rows| rows.reduce_seq(|acc, r| zip(acc, r).map_warp(|(a, r)| zip(a, r).map_lane(add)), repeat(2, repeat(32, 0.0))).map_warp(map_lane(id)))
                }",
            sizes: &[&[("N", 1), ("M", 32)], &[("N", 3), ("M", 96)]],
        },
        Case {
            name: "global memory of groups",
            text: "#[kernel] fn Roots<N>(x: [f32; N]) -> [f32; N] { to_global(map_global(0, |x| x + 1.0)) << x }
                #[kernel] #[work_group(16)] fn Turn<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                    x.map_workgroup(0, |row| {
                        let all = to_global(row.map_local(0, |x| 2.0 * x));
                        to_global(all.reverse().map_local(0, |x| x + 1.0))
                    })
                }
                #[kernel] #[size(N % 4 == 0, M % 8 == 0)] #[work_group(4, 2)] fn Tiles<N, M>(x: [[f32; M]; N], k: [[i32; M]; N]) -> [[f32; M]; N] {
                    zip2d(x, k).split2d(4, 8).map_workgroup2d(|tile| {
                        let all = to_global(tile);
                        let sum = to_global(tile[0][0].0 + 1.0);
                        all.reverse().map(reverse).map_local2d(|(x, k)| sum + x * (k as f32))
                    }).join2d()
                }
                #[kernel] #[size(N % 32 == 0)] #[work_group(8)] fn Vectors<N>(x: [f32; N]) -> [f32; N] {
                    let y = materialize(x.split(32).map_workgroup(0, |piece| {
                        let all = to_global(piece);
                        all.split(4).reverse().map_local(0, |four| to_private(four).map_seq_unroll(|x| x + 1.0)).join()
                    }).join());
                    y.split(32).map_workgroup(0, |piece| {
                        let all = to_global(piece.map_local(0, |x| 3.0 * x));
                        let near = to_local(all.reverse().map_local(0, id));
                        near.pad(1, 1, wrap).slide(3, 1).map_local(0, |w| w[0] - w[2])
                    }).join()
                }",
            sizes: &[&[("N", 32), ("M", 8)], &[("N", 64), ("M", 24)]],
        },
        Case {
            name: "a bound whose parts are wider than the bound",
            text: "#[kernel] fn Rest<N>(x: [i32; N]) -> [i32; 64] {
                    concat(x.take(N / 16384), x.drop(N / 16384 * 16384))
                        .pad(0, (N / 16384 + N - N / 16384 * 16384 + 63) / 64 * 64 - (N / 16384 + N - N / 16384 * 16384), constant(0))
                        .split(64).transpose().map_global(0, reduce_seq(add, 0))
                }",
            sizes: &[&[("N", 200)], &[("N", 262_144)]],
        },
        Case {
            name: "vectors that other items read",
            text: "#[kernel] #[work_group(16)] fn Turn<N>(x: [[f32; 64]; N]) -> [[f32; 64]; N] {
                    x.map_workgroup(0, |row| {
                        let own = to_local(row.split(4).map_local(0, |four| to_private(four).map_seq_unroll(id)).join());
                        own.split(4).reverse().map_local(0, |four| to_private(four).map_seq_unroll(id)).join()
                    })
                }",
            sizes: &[&[("N", 1)], &[("N", 3)]],
        },
        Case {
            name: "arrays of a group that take each other's place",
            text: "#[kernel] #[work_group(16)] fn Stages<N>(x: [[f32; 2048]; N]) -> [[f32; 2048]; N] {
                    x.map_workgroup(0, |row| {
                        let a = to_local(row.map_local(0, |x| 2.0 * x));
                        let b = to_local(a.reverse().map_local(0, |x| x + 1.0));
                        let c = to_local(b.pad(1,1,clamp).slide(3,1).map_local(0, |w| w[0] + w[1]-w[2]));
                        let d = to_local(c.reverse().map_local(0, |x| x * 0.5));
                        d.pad(1,1,wrap).slide(3,1).map_local(0, |w| w[0] - w[2])
                    })
                }
                #[kernel] #[work_group(4, 4)] fn Rounds<N>(x: [[[f32; 64]; 64]; N]) -> [[[f32; 64]; 64]; N] {
                    x.map_workgroup(0, |square| {
                        square.split(32).map_seq(|rows| {
                            let a = to_local(rows);
                            let b = to_local(a.reverse().transpose().map_local2d(|x| x + 1.0));
                            let c = to_local(b.take(20).reverse().map_local2d(|x| 2.0 * x));
                            let d = to_local(concat(c, c, c.take(10), c.drop(6)).map_local2d(id));
                            d.transpose().map(reverse).map_local2d(|x| x - 1.0)
                        }).join()
                    })
                }",
            sizes: &[&[("N", 1)], &[("N", 2)]],
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
            name: "an accumulator through loops in a loop",
            text: "#[kernel] fn Nested<N, M>(x: [[f32; 4 * M]; N], w: [f32; 4]) -> [[f32; 4]; N] {
                    x.map_global(0, |row| row.split(4).reduce_seq(|acc, four| four.reduce_seq_unroll(
                        |acc, x| zip(acc, w).map_seq_unroll(|(a, w)| 0.5 * a + w * x), acc), repeat(4, 0.0)).map_seq_unroll(id))
                }",
            sizes: TWO_DIM,
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
            name: "scans that are asked for where nothing is stored",
            text: "#[kernel] fn Either<N, M>(k: i32, x: [[f32; M]; N]) -> [[f32; M]; N] {
                    if k > 3 { x.map(|row| row.scan_seq(add, 0.0)) } else { x }
                }
                #[kernel] fn Sums<N, M>(k: i32, x: [[f32; M]; N]) -> [[f32; M]; N] {
                    if k > 3 { x.map(|row| row.scan_seq(add, 0.0)) } else { x.map(scan_seq(max, 0.0)) }
                }
                #[kernel] fn Last<N, M>(x: [[f32; M]; N]) -> [f32; N] {
                    x.map(|row| row.scan_seq(add, 0.0)[M - 1] + 1.0)
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
