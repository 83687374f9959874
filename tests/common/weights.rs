//! Kernels with constant weights that are products of those of a row and a column, sums of such, or not.

use super::cases::Case;

const SIZES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 6), ("M", 7)], &[("N", 33), ("M", 130)], &[("N", 64), ("M", 132)]];

/// The weighted sum of seven by seven numbers of this type.
macro_rules! weighted {
    ($name:literal, $ty:literal, $boundary:literal, $weights:literal, $function:literal) => {
        Case {
            name: $name,
            text: concat!(
                "const W: [[",
                $ty,
                "; 7]; 7] = ",
                $weights,
                ";
                #[kernel] fn Weighted<N, M>(x: [[",
                $ty,
                "; M]; N]) -> [[",
                $ty,
                "; M]; N] {
                    x.pad2d(3, 3, ",
                $boundary,
                ").slide2d(7, 1).map2d(|w| ",
                $function,
                ")
                }"
            ),
            sizes: SIZES,
        }
    };
}

/// Kernels of which some have versions in two passes.
pub fn cases() -> Vec<Case> {
    vec![
        weighted!(
            "a bell",
            "f32",
            "clamp",
            "[
                [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0], [6.0, 36.0, 90.0, 120.0, 90.0, 36.0, 6.0],
                [15.0, 90.0, 225.0, 300.0, 225.0, 90.0, 15.0], [20.0, 120.0, 300.0, 400.0, 300.0, 120.0, 20.0],
                [15.0, 90.0, 225.0, 300.0, 225.0, 90.0, 15.0], [6.0, 36.0, 90.0, 120.0, 90.0, 36.0, 6.0],
                [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0],
            ]",
            "zip(W.join(), w.join()).map(mul).reduce(add, 0.0) / 4096.0"
        ),
        weighted!(
            "a slope of numbers that wrap",
            "i32",
            "mirror",
            "array(7, |i| array(7, |j| (i as i32 - 3) * 65537 * (j as i32 + 1)))",
            "zip(w, W).map(|row, k| zip(row, k).map(mul).reduce(add, 0)).reduce(add, 0)"
        ),
        weighted!(
            "a point and what is around it",
            "f32",
            "constant(2.0)",
            "[
                [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
                [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, 97.0, -1.0, -1.0, -1.0],
                [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
                [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
            ]",
            "zip2d(W, w).map2d(mul).reduce2d(add, 0.0) / 49.0"
        ),
        weighted!(
            "a sum of two products",
            "i32",
            "wrap",
            "array(7, |i| array(7, |j| (i * j) as i32 - 9))",
            "zip(W.join(), w.join()).map(|k, x| k * (x - 1)).reduce(add, 0)"
        ),
        weighted!(
            "no sum of few products",
            "f32",
            "reflect",
            "array(7, |i| array(7, |j| 1.0 / (i + j + 1) as f32))",
            "zip(W.join(), w.join()).map(mul).reduce(add, 0.0)"
        ),
        Case {
            name: "three products of wide windows",
            text: "const W: [[i64; 12]; 9] = array(9, |i| array(12, |j| (i * j + i * i * j * j) as i64 - 5));
            #[kernel] fn Wide<N, M>(x: [[i64; M]; N]) -> [[i64; M]; N] {
                x.pad2d(4, 4, 6, 5, clamp, constant(3)).slide2d(9, 1, 12, 1)
                    .map2d(|w| zip(W.join(), w.join()).map(mul).reduce(add, 0).abs())
            }",
            sizes: SIZES,
        },
        Case {
            name: "a bell with another image",
            text: "const ROW: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 4.0, 2.0, 1.0, 0.5];
            const W: [[f64; 8]; 5] = [ROW, ROW, ROW, ROW, ROW];
            #[kernel] fn Both<N, M>(x: [[f64; M]; N], y: [[f64; M]; N]) -> [[f64; M]; N] {
                let blurred = x.pad2d(2, 2, 4, 3, wrap, clamp).slide2d(5, 1, 8, 1)
                    .map2d(|w| zip(W.join(), w.join()).map(mul).reduce(add, 0.0) / 75.0);
                zip2d(blurred, y).map2d(|b, v| v - b)
            }",
            sizes: SIZES,
        },
        Case {
            name: "a small bell",
            text: "const ROW: [f32; 5] = [0.25, 1.5, -3.0, 1.5, 0.5];
            const W: [[f32; 5]; 6] = array(6, |i| array(5, |j| ROW[j] * (i + 1) as f32));
            #[kernel] fn Small<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad2d(3, 2, 1, 3, mirror, constant(0.5)).slide2d(6, 1, 5, 1)
                    .map2d(|w| zip(W.join(), w.join()).map(mul).reduce(add, 0.0) / 4.0)
            }",
            sizes: SIZES,
        },
        Case {
            name: "a bell that is rounded",
            text: "const BELL: [f32; 9] = [0.01, 0.04, 0.11, 0.21, 0.26, 0.21, 0.11, 0.04, 0.01];
            const W: [[f32; 9]; 9] = array(9, |i| array(9, |j| BELL[i] * BELL[j]));
            #[kernel] #[approximate(1e-6)] fn Soft<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad2d(4, 4, mirror).slide2d(9, 1).map2d(|w| zip(W.join(), w.join()).map(mul).reduce(add, 0.0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "two bells of one window",
            text: "const ROW: [i32; 6] = [1, 5, 10, 10, 5, 1];
            const W: [[i32; 6]; 6] = [ROW, ROW, ROW, ROW, ROW, ROW];
            fn of(k: [[i32; 6]; 6], w: [[i32; 6]; 6]) -> i32 { zip(k.join(), w.join()).map(mul).reduce(add, 0) }
            #[kernel] fn Two<N, M>(x: [[i32; M + 5]; N + 5]) -> [[i32; M]; N] {
                x.slide2d(6, 1).map2d(|w| of(W, w) - of(W.transpose(), w))
            }",
            sizes: SIZES,
        },
    ]
}
