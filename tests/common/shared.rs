//! Functions whose values several elements of the result share: they are computed once, and stored.

use super::cases::Case;

const SIZES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 5), ("M", 7)], &[("N", 33), ("M", 70)], &[("N", 64), ("M", 130)]];

/// The one whose work is cubic in the sizes as it is written.
pub const ALL_PAIRS: &str = "rows that are compared";

/// As users write them.
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "an integral image",
            text: "#[kernel] fn Integral<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                x.map(|row| row.scan(add, 0)).transpose().map(|column| column.scan(add, 0)).transpose()
            }",
            sizes: SIZES,
        },
        Case {
            name: "means from an integral image",
            text: "#[kernel] fn Means<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                let sums = x.map(|row| row.scan(add, 0)).transpose().map(|column| column.scan(add, 0)).transpose();
                array2d(N, M, |i, j| {
                    let corner = if i > 3 && j > 2 { sums[(i - 4).min(N - 1)][(j - 3).min(M - 1)] } else { 7 };
                    sums[(i + 2).min(N - 1)][(j + 1).min(M - 1)] - corner
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "blocks that are transformed from both sides",
            text: "#[kernel] fn Blocks<N, M>(b: [[i32; 8]; 8], x: [[i32; 8 * M]; 8 * N]) -> [[i32; 8 * M]; 8 * N] {
                let times = |a, b| a.map(|row| b.map(|other| zip(row, other).map(mul).reduce(add, 0)));
                let blocks = x.split(8).map(|rows| rows.map(split(8)).transpose());
                let done = blocks.map2d(|block| { let half = times(block, b); times(b, half.transpose()) });
                done.map(|rows| rows.transpose().map(join)).join()
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 3)], &[("N", 3), ("M", 5)]],
        },
        Case {
            name: "tensors in another frame",
            text: "fn times(a: [[f32; K]; I], b: [[f32; J]; K]) -> [[f32; J]; I] {
                a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
            }
            #[kernel] fn Frame<N>(f: [[f32; 5]; 5], x: [[[f32; 5]; 5]; N]) -> [[[f32; 5]; 5]; N] {
                x.map(|t| times(times(f, t), f.transpose()))
            }",
            sizes: &[&[("N", 1)], &[("N", 7)]],
        },
        Case {
            name: "forwards and backwards",
            text: "#[kernel] fn Both<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| row.scan_seq(|a, x| 0.5 * a + x, 0.0).reverse().scan_seq(|a, x| 0.25 * a + x, 0.0).reverse())
            }",
            sizes: SIZES,
        },
        Case {
            name: "a table for all frames",
            text: "#[kernel] fn Spectrum<N, M>(x: [[f32; 80]; N], y: [[f32; 80]; M]) -> ([[f32; 9]; N], [[[f32; 80]; M]; N]) {
                let spectra = x.map(|frame| array(9, |k| {
                    zip(frame, array(80, |i| (0.1 * (i * k % 80) as f32).cos())).map(mul).reduce(add, 0.0)
                }));
                let faded = x.map(|frame| y.map(|other| {
                    zip(frame, other, array(80, |i| exp(-0.1 * i as f32 * frame[3].abs()))).map(|a, b, c| a + b * c)
                }));
                (spectra, faded)
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 5)]],
        },
        Case {
            name: "reductions of rows and columns that are reduced",
            text: "#[kernel] fn Norms<N, M>(a: [[f32; M]; N]) -> (f32, f32, f32) {
                let one = a.transpose().map(|c| c.map(abs).reduce(add, 0.0)).reduce(max, 0.0);
                let most = a.map(|r| r.map(abs).reduce(add, 0.0)).reduce(max, 0.0);
                (one, most, a.join().map(|v| v * v).reduce(add, 0.0).sqrt())
            }
            #[kernel] fn Entropy<N, M>(x: [[f32; M]; N], at: [u32; N]) -> f32 {
                zip(x, at).map(|row, at| {
                    let top = row.reduce(max, f32::NEG_INFINITY);
                    top + row.map(|v| (v - top).exp()).reduce(add, 0.0).ln() - row.gather([at % M as u32])[0]
                }).reduce(add, 0.0)
            }
            #[kernel] fn Nearest<N, M>(x: [[f32; M]; N], y: [f32; M]) -> (usize, f32) {
                x.map(|row| zip(row, y).map(|a, b| (a - b) * (a - b)).reduce(add, 0.0)).argmin()
            }",
            sizes: SIZES,
        },
        Case {
            name: "rows with their prefixes",
            text: "#[kernel] fn Prefixes<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                x.map(|row| zip(row, row.scan_seq(add, 0)).map(|x, sum| 3 * x - sum))
            }",
            sizes: SIZES,
        },
        Case {
            name: "attention, row by row",
            text: "fn dot(a: [f32; K], b: [f32; K]) -> f32 { zip(a, b).map(mul).reduce(add, 0.0) }
            #[kernel] fn Attention<N, M>(q: [[f32; 6]; N], k: [[f32; 6]; M], v: [[f32; 6]; M]) -> [[f32; 6]; N] {
                q.map(|a| {
                    let p = k.map(|b| dot(a, b));
                    v.transpose().map(|column| dot(column, p))
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "counts of rows",
            text: "#[kernel] fn Counts<N, M>(x: [[i32; M]; N]) -> [i32; 8] {
                let counted = x.map(|row| {
                    let none = array(8, |i| 0);
                    row.fold(|counts, x| zip(counts, array(8, |i| i as i32)).map(|n, i| if x & 7 == i { n + 1 } else { n }), none)
                });
                counted.transpose().map(|counts| counts.reduce(add, 0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "by the sum of the row",
            text: "#[kernel] fn Shares<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| row.map(|x| x / (1.0 + row.map(|y| y * y).reduce(add, 0.0))))
            }",
            sizes: SIZES,
        },
        Case {
            name: ALL_PAIRS,
            text: "#[kernel] fn Pairs<N, M>(x: [[f32; M]; N]) -> [[f32; N]; N] {
                x.map(|a| x.map(|b| {
                    let (s, t) = (a.reduce(add, 0.0), b.reduce(max, -100.0));
                    zip(a, b).map(|p, q| (p - s) * (q - t)).reduce(add, 0.0)
                }))
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 5), ("M", 7)], &[("N", 20), ("M", 33)]],
        },
        Case {
            name: "what is defined goes along",
            text: "#[kernel] fn Centred<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| {
                    let highest = row.reduce(max, -100.0);
                    let sums = row.map(|x| x - highest).scan_seq(add, 0.0);
                    zip(sums, sums.reverse()).map(|a, b| a - 0.5 * b * highest)
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "planes of rows",
            text: "#[kernel] fn Planes<N, M>(x: [[[i32; 3]; M]; N]) -> [[[i32; M]; 3]; N] {
                x.map(|plane| plane.transpose().map(|row| zip(row, row.reverse().scan_seq(max, -100)).map(sub)))
            }",
            sizes: SIZES,
        },
        Case {
            name: "cells, or walls",
            text: "#[kernel] fn Relax<N, M>(x: [[[f32; 5]; M]; N]) -> [[[f32; 5]; M]; N] {
                x.map2d(|g| if g[0] > 0.5 {
                    let sum = g.reduce(add, 0.0);
                    g.map(|x| x - 0.6 * (x - 0.2 * sum))
                } else {
                    g
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "cells of several kinds",
            text: "#[kernel] fn Kinds<N, M>(x: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
                x.map2d(|g| if g[0] > 0.5 {
                    let sum = g.reduce(add, 0.0);
                    [sum, 2.0 * sum, g[1]]
                } else if g[1] > 0.5 {
                    let largest = g.reduce(max, 0.25);
                    g.map(|x| x * largest)
                } else {
                    g.reverse()
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "prefixes at positions",
            text: "#[kernel] fn At<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                x.map(|row| array(M, |j| row.scan_seq(add, 0)[j] - row.scan_seq(max, -100)[j / 2]))
            }
            #[kernel] fn AtAny<N, M>(x: [i32; N], y: [i32; M]) -> [i32; N] {
                array(N, |i| x.scan_seq(add, 0)[i / 2] - y.reverse().scan_seq(add, 0)[i % M])
            }",
            sizes: SIZES,
        },
        Case {
            name: "one element of what is scanned",
            text: "#[kernel] fn Ends<N, M>(x: [[i32; M]; N]) -> [i32; N] {
                x.map(|row| row.scan_seq(max, -100)[M - 1] - row.reverse().scan_seq(add, 0)[0])
            }",
            sizes: SIZES,
        },
    ]
}
