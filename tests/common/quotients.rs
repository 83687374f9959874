//! Indices that are divided by numbers which are known when the program runs: along rows, quotients stay the same for a while, or change with
//! every element.

use super::cases::Case;

/// No strip of a row, one, and several with something left over.
const LINE: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 17)], &[("N", 130)], &[("N", 1031)]];

const DOUBLED: &[&[(&str, i64)]] = &[&[("N", 1), ("M", 1)], &[("N", 5), ("M", 70)], &[("N", 3), ("M", 331)]];

/// Some of the numbers are 0.
pub fn quotients() -> Vec<Case> {
    vec![
        Case {
            name: "a flat picture",
            text: "#[kernel] fn Flat<N>(width: usize, x: [f32; N]) -> [f32; N] {
                array(N, |i| x[i] * (i % width) as f32 - (i / width) as f32)
            }",
            sizes: LINE,
        },
        Case {
            name: "a flat picture with long rows",
            text: "#[kernel] fn Flat<N>(w: usize, x: [f32; N]) -> [f32; N] {
                array(N, |i| x[i] * (i % (90 + 11 * w)) as f32 - (i / (90 + 11 * w)) as f32)
            }",
            sizes: LINE,
        },
        Case {
            name: "sums and differences",
            text: "#[kernel] fn Stage<N>(s: usize, x: [i32; N]) -> [i32; N] {
                let h = 64 + 9 * s;
                array(N, |i| if i / h % 2 == 0 { x[i] + 3 * x[(i + h) % N] } else { x[(i + N - h % N) % N] - x[i] })
            }",
            sizes: LINE,
        },
        Case {
            name: "transforms in stages",
            text: "#[kernel] fn Stages<N>(x: [i32; N], y: [i32; N]) -> ([i32; N], [i32; N]) {
                let stage = |a, b, s| {
                    let (next_a, next_b) = array(N, |i| {
                        let (p, r) = (i / (2 * s), i % (2 * s));
                        let k = (p * s + r % s) % N;
                        let other = (k + s) % N;
                        if r < s { (a[k] + b[other], b[k] - a[other]) } else { (a[other] + b[p * s % N], 2 * b[k]) }
                    })
                    .unzip();
                    (next_a, next_b, 5 * s)
                };
                let (a, b, _) = iterate(4, stage, (x, y, 1));
                (a, b)
            }",
            sizes: LINE,
        },
        Case {
            name: "repeated beside a table",
            text: "#[kernel] fn Table<N>(s: usize, t: [f32; 12], x: [f32; N]) -> [f32; N] {
                array(N, |i| {
                    let p = i / (80 + s);
                    let from = if p < s { x[(i + 5) % N] } else { x[i % (70 + s) % N] };
                    from * t[p % 12]
                })
            }",
            sizes: LINE,
        },
        Case {
            name: "quotients of large numbers",
            text: "#[kernel] fn Large<N>(s: usize, x: [u32; N]) -> [u32; N] {
                array(N, |i| {
                    let far = (i + 1) * 2147483647;
                    x[i] ^ (far % (100 + s)) as u32 ^ (far / (4000000000 + s)) as u32 ^ (i / (far + s)) as u32
                })
            }",
            sizes: LINE,
        },
        Case {
            name: "rows that come round",
            text: "#[kernel] fn Rows<N, M>(s: usize, x: [[i32; M]; N]) -> [[i32; M]; N] {
                array2d(N, M, |i, j| x[(i + s) % N][(j + 3 * s) % M] - x[i][j] * (j % (66 + s)) as i32)
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 5), ("M", 70)], &[("N", 3), ("M", 331)]],
        },
        Case {
            name: "every element twice",
            text: "#[kernel] fn Twice<N, M>(x: [[u8; M]; N]) -> [[u8; 2 * M]; 2 * N] {
                array2d(2 * N, 2 * M, |i, j| x[i / 2][j / 2])
            }",
            sizes: DOUBLED,
        },
        Case {
            name: "elements between elements",
            text: "#[kernel] fn Between<N, M>(x: [[f32; M]; N]) -> [[f32; 2 * M]; 2 * N] {
                array2d(2 * N, 2 * M, |i, j| {
                    let up = if i % 2 == 0 { (i / 2).max(1) - 1 } else { i / 2 };
                    let left = if j % 2 == 0 { (j / 2).max(1) - 1 } else { j / 2 };
                    let right = if j % 2 == 0 { j / 2 } else { (j / 2 + 1).min(M - 1) };
                    let weight = if j % 2 == 0 { 0.75 } else { 0.25 };
                    x[up][left] * (1.0 - weight) + x[i / 2][right] * weight
                })
            }",
            sizes: DOUBLED,
        },
        Case {
            name: "quotients by several numbers",
            text: "#[kernel] fn Several<N>(x: [i32; N + 1], y: [i32; N]) -> ([i32; N], [i32; N]) {
                (array(N, |i| x[i / 4] - y[i] * (i % 3) as i32), array(N, |i| x[(i + 2) / 3] * (((i + 1) % 3) as i32) - y[i]))
            }",
            sizes: LINE,
        },
    ]
}
