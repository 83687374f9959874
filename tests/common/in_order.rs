//! Kernels that go through rows in order: recursive filters, tridiagonal systems, dynamic programming.

use super::cases::Case;

const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 5), ("M", 17)], &[("N", 33), ("M", 9)], &[("N", 3), ("M", 70)]];

const VOLUMES: &[&[(&str, i64)]] =
    &[&[("P", 1), ("N", 1), ("M", 1)], &[("P", 3), ("N", 17), ("M", 9)], &[("P", 2), ("N", 33), ("M", 12)]];

/// Loops in order.
pub fn in_order() -> Vec<Case> {
    vec![
        Case {
            name: "tridiagonal systems of rows and of columns",
            text: "fn solve<M>(a: f32, row: [f32; M]) -> [f32; M] {
                let forward = row.scan_with(|(c, p), d| {
                    let m = 1.0 / (2.0 + a - c);
                    let s = (m, (d + p) * m);
                    (s, s)
                }, (0.0, 0.0));
                forward.scan_right_with(|x, (c, p)| { let y = p + c * x; (y, y) }, 0.0)
            }
            #[kernel] fn Rows<N, M>(a: f32, d: [[f32; M]; N]) -> [[f32; M]; N] { d.map(solve(a.abs())) }
            #[kernel] fn Columns<N, M>(a: f32, d: [[f32; M]; N]) -> [[f32; M]; N] {
                d.transpose().map(solve(a.abs())).transpose()
            }
            #[kernel] fn Alternating<N, M>(a: f32, d: [[f32; M]; N]) -> [[f32; M]; N] {
                d.map(solve(a.abs())).transpose().map(solve(a.abs())).transpose()
            }",
            sizes: ROWS,
        },
        Case {
            name: "coefficients of each row, and of each element",
            text: "#[kernel] fn Varying<N, M>(a: [f32; N], b: [[f32; M]; N], x: [[f32; M]; N]) -> ([[f32; M]; N], [f32; N]) {
                let filtered = zip(a, b, x).map(|a, b, x| zip(b, x).scan_with(|s, (b, x)| {
                    let t = a.min(0.5).max(-0.5) * s + (x - b);
                    (t, t + b)
                }, 0.0));
                (filtered, zip(filtered, b).map(|f, b| zip(f, b).fold(|s, (f, b)| 0.5 * s - f * b, 1.0)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "a state of several values, and what was at its best",
            text: "#[kernel] fn Best<N, M>(x: [[i16; M]; N]) -> [(i32, i32); N] {
                x.map(|row| row.fold(|(top, worst), v| {
                    let t = max(top, v as i32);
                    (t, max(worst, (t - v as i32) / 2))
                }, (0, 0)))
            }
            #[kernel] fn Paths<N, M>(x: [[[i32; 3]; M]; N]) -> [[i32; M]; N] {
                x.map(|row| row.scan_with(|(a, b), c| {
                    let next = (min(a, b) + c[0] % 7, max(a, b) - c[1] % 5 + c[2] % 3);
                    (next, next.1 - next.0)
                }, (0, 1)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "rows of planes, and rows of windows",
            text: "#[kernel] fn Planes<N, M>(x: [[[f32; M]; N]; 3]) -> [[[f32; M]; N]; 3] {
                x.map(|plane| plane.map(|row| row.scan_with(|s, v| { let t = 0.75 * s + v; (t, t) }, 0.0)))
            }
            #[kernel] fn Windows<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad(1, 1, clamp).slide(3, 1).map(|w| {
                    zip(w[0], w[1], w[2]).scan_with(|s, (a, b, c)| { let t = min(a, min(b, c)) + 0.5 * s; (t, t) }, 0.0)
                })
            }",
            sizes: ROWS,
        },
        Case {
            name: "an array that is filtered in place, forward and back",
            text: "#[kernel] fn Replaced<N, M>(x: &mut [[f32; M]; N], y: [[f32; M]; N]) {
                let forward = zip(x, y).map(|row, other| zip(row, other).scan_with(|s, (v, o)| { let t = 0.5 * s + v - 0.25 * o; (t, t) }, 0.0));
                write_to(x, forward.map(|row| row.scan_right_with(|s, v| { let t = 0.5 * s + v; (t, t) }, 0.0)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "lines of a volume along its first and last axis",
            text: "#[kernel] fn Volume<P, N, M>(a: f32, x: [[[f32; M]; N]; P]) -> ([[[f32; M]; N]; P], [[[f32; M]; N]; P]) {
                let decay = a.min(0.9).max(-0.9);
                let filter = |row| row.scan_with(|s, v| { let t = decay * s + v; (t, t) }, 0.0).scan_right_with(|s, v| { let t = decay * s + v; (t, t) }, 0.0);
                (x.map(|plane| plane.map(filter)),
                 x.transpose().map(|plane| plane.transpose().map(filter).transpose()).transpose())
            }",
            sizes: VOLUMES,
        },
    ]
}
