//! Kernels with windows that are too large for registers.

use super::cases::Case;

const SIZES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 6), ("M", 7)], &[("N", 33), ("M", 130)], &[("N", 64), ("M", 132)]];

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
    ]
}
