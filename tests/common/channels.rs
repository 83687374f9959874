//! Elements that are a few scalars side by side: channels of pictures, and rows of narrow matrices.

use super::cases::Case;

const SIZES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 6), ("M", 7)], &[("N", 33), ("M", 130)], &[("N", 64), ("M", 132)]];

const ROWS: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 36)], &[("N", 203)], &[("N", 0)]];

/// Convolutions over channels.
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "the blur of each channel",
            text: "#[kernel] fn Blur<N, M>(x: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
                x.pad2d(2, 2, clamp).slide2d(5, 1).map2d(|w| array(3, |c| array2d(5, 5, |i, j| w[i][j][c]).reduce2d(add, 0.0) / 25.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "the blur of each channel, by index",
            text: "#[kernel] fn ByIndex<N, M>(x: [[[f32; 3]; M + 2]; N + 2], y: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
                array3d(N, M, 3, |i, j, c| y[i][j][c] - array2d(3, 3, |a, b| x[i + a][j + b][c]).reduce2d(add, 0.0) / 9.0)
            }",
            sizes: SIZES,
        },
        Case {
            name: "bytes of four channels",
            text: "#[kernel] fn Bytes<N, M>(x: [[[u8; 4]; M]; N]) -> [[[u8; 4]; M]; N] {
                x.pad2d(1, 1, mirror).slide2d(3, 1).map2d(|w| array(4, |c| (array2d(3, 3, |i, j| w[i][j][c] as u32).reduce2d(add, 0) / 9) as u8))
            }",
            sizes: SIZES,
        },
        Case {
            name: "channels that are mixed",
            text: "#[kernel] fn Mixed<N, M>(x: [[[f32; 3]; M]; N]) -> [[[f32; 2]; M]; N] {
                x.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| {
                    let sums = array(3, |c| array2d(3, 3, |i, j| w[i][j][c]).reduce2d(add, 0.0));
                    [sums[0] - sums[2], sums[1] + w[1][1][0]]
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "one channel of several",
            text: "#[kernel] fn Gray<N, M>(x: [[[f32; 3]; M]; N]) -> [[f32; M]; N] {
                x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.map2d(|p| 0.3 * p[0] + 0.6 * p[1] + 0.1 * p[2]).reduce2d(add, 0.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "a choice of colours",
            text: "#[kernel] fn Chosen<N, M>(x: [[[f32; 3]; M]; N]) -> [[[f32; 3]; M]; N] {
                x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| {
                    let mean = array(3, |c| array2d(3, 3, |i, j| w[i][j][c]).reduce2d(add, 0.0) / 9.0);
                    if w[1][1][0] < w[1][1][1] { w[1][1] } else if mean[2] < 0.0 { [mean[2], mean[0], mean[1]] } else { mean }
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "pairs in four dimensions",
            text: "#[kernel] fn Pairs<N>(x: [[[[i32; 2]; 3]; 5]; N]) -> [[[[i32; 2]; 3]; 5]; N] {
                x.map3d(|pair| [pair[1], pair[0] - pair[1]])
            }",
            sizes: ROWS,
        },
        Case {
            name: "rows of a narrow matrix",
            text: "#[kernel] fn Narrow<N>(x: [[f32; N]; 4], k: [[f32; 4]; 4]) -> ([[f32; 4]; N], [[[f32; 2]; 2]; N]) {
                (x.transpose(), array(N, |i| array2d(2, 2, |a, b| k[a][b] * x[b][i] + k[b][a])))
            }",
            sizes: ROWS,
        },
        Case {
            name: "pixels that are blended",
            text: "#[kernel] fn Over<N, M>(a: [[[u8; 4]; M]; N], b: [[[u8; 4]; M]; N]) -> [[[u8; 4]; M]; N] {
                zip2d(a, b).map2d(|(a, b)| {
                    let alpha = a[3] as u32;
                    array(4, |c| ((a[c] as u32 * alpha + b[c] as u32 * (255 - alpha) + 127) / 255) as u8)
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "channels through a table",
            text: "#[kernel] fn Table<N, M>(t: [u8; 256], low: f32, x: [[[u8; 3]; M]; N], y: [[f32; M]; N]) -> ([[[u8; 3]; M]; N], [[f32; M]; N]) {
                (x.map3d(|v| t[v as usize]), y.map2d(|v| v.max(low)))
            }",
            sizes: SIZES,
        },
        Case {
            name: "rows from their ends",
            text: "#[kernel] fn Reversed<N, M>(x: [[[u8; 3]; M]; N], y: [[f64; M]; N]) -> ([[[u8; 3]; M]; N], [[f64; M]; N]) {
                (x.map(reverse), y.map(|row| zip(row, reverse(row)).map(|a, b| a - 2.0 * b)))
            }",
            sizes: SIZES,
        },
        Case {
            name: "sums of few columns",
            text: "#[kernel] fn Few<N, M>(x: [[f32; M]; N]) -> [f32; M] { x.transpose().map(reduce(add, 0.0)) }
                #[kernel] fn Places<N, M>(x: [[f64; M]; N]) -> [(usize, f64); M] { x.transpose().map(argmax) }
                #[kernel] fn Mean<N, M>(x: [[[u8; 3]; M]; N]) -> [f32; 3] {
                    array(3, |c| x.join().map(|p| p[c] as u32).reduce(add, 0) as f32 / (N * M) as f32)
                }",
            sizes: SIZES,
        },
        Case {
            name: "sums over planes of narrow rows",
            text: "#[kernel] fn Planes<N, M>(x: [[[f32; 3]; M]; N]) -> [[f32; 3]; M] { array2d(M, 3, |j, k| array(N, |i| x[i][j][k]).reduce(max, f32::NEG_INFINITY)) }",
            sizes: SIZES,
        },
        Case {
            name: "points and the two nearest to them",
            text: "#[kernel] fn Nearest<N, M>(q: [[f32; 3]; N], p: [[f32; 3]; M]) -> [(f32, f32); N] {
                q.map(|a| p.map(|b| (zip(a, b).map(|(x, y)| (x - y) * (x - y)).reduce(add, 0.0), f32::INFINITY))
                    .reduce(|a, b| (a.0.min(b.0), a.0.max(b.0).min(a.1.min(b.1))), (f32::INFINITY, f32::INFINITY)))
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 6), ("M", 2)], &[("N", 133), ("M", 30)], &[("N", 64), ("M", 132)]],
        },
    ]
}
