//! Kernels with windows that are too large for registers.

use super::cases::Case;

const SIZES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 6), ("M", 7)], &[("N", 33), ("M", 130)], &[("N", 64), ("M", 132)]];

/// Odd sizes, rows that are whole vectors of two elements and of four, and blocks that are whole.
const SPACES: &[&[(&str, i64)]] = &[
    &[("N", 1), ("M", 1), ("O", 1)],
    &[("N", 3), ("M", 5), ("O", 7)],
    &[("N", 5), ("M", 3), ("O", 10)],
    &[("N", 8), ("M", 10), ("O", 12)],
];

/// Blocks that are whole, and some that are not.
const LINES: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 36)], &[("N", 203)], &[("N", 4099)]];

/// A kernel with more than 32 KB of it.
pub const MUCH_LOCAL_MEMORY: &str = "rows and columns";

/// Kernels of which a version goes through windows row by row, or in two passes.
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "weights of a large window",
            text: "#[kernel] fn Weights<N, M>(weights: [[f32; 7]; 7], x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad2d(3, 3, wrap).slide2d(7, 1).map2d(|w| zip(weights.join(), w.join()).map(mul).reduce(add, 0.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "a large window of each matrix",
            text: "#[kernel] fn Batch<N, M>(weights: [[f32; 7]; 7], x: [[[f32; M]; N]; 3]) -> [[[f32; M]; N]; 3] {
                x.map(|x| x.pad2d(3, 3, mirror).slide2d(7, 1)
                    .map2d(|w| zip(weights.join(), w.join()).map(mul).reduce(add, 0.0)))
            }",
            sizes: SIZES,
        },
        Case {
            name: "a large window of each matrix, by index",
            text: "#[kernel] fn ByIndex<N, M>(weights: [[f32; 6]; 6], x: [[[f32; M + 5]; N + 5]; 2]) -> [[[f32; M]; N]; 2] {
                array3d(2, N, M, |b, i, j| array2d(6, 6, |r, c| weights[r][c] * x[b][i + r][j + c]).reduce2d(add, 0.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "rows and columns of each matrix",
            text: "const BELL: [f32; 7] = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];
            fn dot(a: [f32; K], x: [f32; K]) -> f32 { zip(a, x).map(mul).reduce(add, 0.0) }
            #[kernel] fn Bells<N, M>(x: [[[f32; M]; N]; 3]) -> [[[f32; M]; N]; 3] {
                x.map(|x| x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| dot(BELL, w.map(dot(BELL))) / 4096.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "deviations in a large window",
            text: "#[kernel] fn Deviations<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| {
                    let mean = w.reduce2d(add, 0.0) / 49.0;
                    w.map2d(|v| if v > mean { v - mean } else { 0.0 }).reduce2d(add, 0.0)
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "long windows in one dimension",
            text: "#[kernel] fn Filter<N>(x: [f32; N], h: [f32; 70]) -> [f32; N] {
                x.pad(35, 34, wrap).slide(70, 1).map(|w| w.zip(h).map(mul).reduce(add, 0.0))
            }",
            sizes: LINES,
        },
        Case {
            name: "constant weights of a large window",
            text: "const WEIGHTS: [[f64; 9]; 5] = array(5, |i| array(9, |j| 0.01 * (i * j + 1) as f64));
            #[kernel] fn Constants<N, M>(x: [[f64; M + 8]; N + 4]) -> [[f64; M]; N] {
                x.slide2d(5, 1, 9, 1).map2d(|w| (zip(WEIGHTS.join(), w.join()).map(mul).reduce(add, 0.0) - 1.0) * 0.5)
            }",
            sizes: SIZES,
        },
        Case {
            name: "numbers of a large window",
            text: "fn f(a: i32, x: i32) -> i32 { 3 * a + x }
            #[kernel] fn Numbers<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                x.pad2d(4, 2, 6, 0, constant(7), mirror).slide2d(7, 1).map2d(|w| w.join().fold(f, 1))
            }",
            sizes: SIZES,
        },
        Case {
            name: MUCH_LOCAL_MEMORY,
            text: "const ROW: [f32; 8] = [0.1, 0.2, 0.15, 0.05, 0.1, 0.2, 0.15, 0.05];
            fn dot(a: [f32; K], x: [f32; K]) -> f32 { zip(a, x).map(mul).reduce(add, 0.0) }
            #[kernel] fn Passes<N, M>(column: [f32; 6], x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad2d(3, 2, 4, 3, clamp, reflect).slide2d(6, 1, 8, 1).map2d(|w| dot(column, w.map(dot(ROW))).abs())
            }",
            sizes: SIZES,
        },
        Case {
            name: "the largest of a window",
            text: "#[kernel] fn Dilated<N, M>(x: [[i16; M]; N]) -> [[i16; M]; N] {
                x.pad2d(4, 4, constant(0)).slide2d(9, 1).map2d(|w| w.join().reduce(max, i16::MIN))
            }",
            sizes: SIZES,
        },
        Case {
            name: "every other window, too large",
            text: "#[kernel] fn Strided<N, M>(x: [[f32; 2 * M + 5]; 2 * N + 5]) -> [[f32; M]; N] {
                x.slide2d(7, 2).map2d(|w| w.map(|row| row.reduce(add, 0.0)).reduce(add, 0.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "two results of points in a plane, and of an array beside them",
            text: "#[kernel] fn Two<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
                zip2d(x.pad2d(2, 2, clamp).slide2d(5, 1), y).map2d(|w, y| (
                    y * (0.37 * w[0][2] + 0.74 * w[1][2] + 0.11 * w[2][0] + 0.48 * w[2][1] + 0.85 * w[2][2] + 0.22 * w[2][3]
                        + 0.59 * w[2][4] + 0.96 * w[3][2] + 0.33 * w[4][2]),
                    w[2][2] - y,
                )).unzip2d()
            }",
            sizes: SIZES,
        },
        Case {
            name: "points far away in space",
            text: "#[kernel] fn Space<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                x.pad3d(4, 4, 4, constant(0.5)).slide3d(9, 1).map3d(|w|
                    0.37 * w[0][4][4] + 0.74 * w[1][4][4] + 0.11 * w[2][4][4] + 0.48 * w[3][4][4] + 0.85 * w[4][0][4]
                    + 0.22 * w[4][1][4] + 0.59 * w[4][2][4] + 0.96 * w[4][3][4] + 0.33 * w[4][4][0] + 0.70 * w[4][4][1]
                    + 0.07 * w[4][4][2] + 0.44 * w[4][4][3] + 0.81 * w[4][4][4] + 0.18 * w[4][4][5] + 0.55 * w[4][4][6]
                    + 0.92 * w[4][4][7] + 0.29 * w[4][4][8] + 0.66 * w[4][5][4] + 0.03 * w[4][6][4] + 0.40 * w[4][7][4]
                    + 0.77 * w[4][8][4] + 0.14 * w[5][4][4] + 0.51 * w[6][4][4] + 0.88 * w[7][4][4] + 0.25 * w[8][4][4])
            }",
            sizes: SPACES,
        },
        Case {
            name: "points far away in a plane, twice as long",
            text: "#[kernel] fn Plane<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] {
                x.pad2d(7, 7, wrap).slide2d(15, 1).map2d(|w|
                    0.48 * w[0][7] + 0.85 * w[1][7] + 0.22 * w[2][7] + 0.59 * w[3][7] + 0.96 * w[4][7] + 0.33 * w[5][7]
                    + 0.70 * w[6][7] + 0.07 * w[7][0] + 0.44 * w[7][1] + 0.81 * w[7][2] + 0.18 * w[7][3] + 0.55 * w[7][4]
                    + 0.92 * w[7][5] + 0.29 * w[7][6] + 0.66 * w[7][7] + 0.03 * w[7][8] + 0.40 * w[7][9] + 0.77 * w[7][10]
                    + 0.14 * w[7][11] + 0.51 * w[7][12] + 0.88 * w[7][13] + 0.25 * w[7][14] + 0.62 * w[8][7] + 0.99 * w[9][7]
                    + 0.36 * w[10][7] + 0.73 * w[11][7] + 0.10 * w[12][7] + 0.47 * w[13][7] + 0.84 * w[14][7])
            }",
            sizes: SIZES,
        },
        Case {
            name: "two results of different types in space",
            text: "#[kernel] fn Types<N, M, O>(x: [[[f32; O]; M]; N]) -> ([[[f32; O]; M]; N], [[[f64; O]; M]; N]) {
                x.pad3d(2, 2, 2, clamp).slide3d(5, 1).map3d(|w| (
                    0.37 * w[0][2][2] + 0.74 * w[1][2][2] + 0.11 * w[2][0][2] + 0.48 * w[2][1][2] + 0.85 * w[2][2][0]
                        + 0.22 * w[2][2][1] + 0.59 * w[2][2][2] + 0.96 * w[2][2][3] + 0.33 * w[2][2][4] + 0.70 * w[2][3][2]
                        + 0.07 * w[2][4][2] + 0.44 * w[3][2][2] + 0.81 * w[4][2][2],
                    (w[2][2][2] - w[0][2][2]) as f64,
                )).unzip3d()
            }",
            sizes: SPACES,
        },
    ]
}
