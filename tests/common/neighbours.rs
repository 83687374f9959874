//! Kernels that read neighbours: by their indices, in tuples, and through values that are computed from windows.

use super::cases::Case;

/// Single elements, fewer than windows have, whole vectors, and more than a tile.
const SIZES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 3)], &[("N", 9), ("M", 64)], &[("N", 19), ("M", 70)]];

/// Halves of rows may be shorter and longer than strips.
const HALVES: &[&[(&str, i64)]] = &[&[("N", 1), ("M", 1)], &[("N", 9), ("M", 5)], &[("N", 3), ("M", 203)]];

const LINES: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 3)], &[("N", 64)], &[("N", 2051)]];

/// What reads neighbours.
pub fn neighbours() -> Vec<Case> {
    [by_index(), tuples(), values()].concat()
}

fn by_index() -> Vec<Case> {
    vec![
        Case {
            name: "edges keep what they hold, by index",
            text: "#[kernel] fn Plate<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
                array2d(N, M, |i, j| if i == 0 || i + 1 == N || j == 0 || j + 1 == M { u[i][j] }
                    else { 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) })
            }",
            sizes: SIZES,
        },
        Case {
            name: "several steps, by index",
            text: "#[kernel] fn Steps<N, M>(u: [[i32; M]; N]) -> [[i32; M]; N] {
                iterate(4, |u| array2d(N, M, |i, j| {
                    let (up, left) = (max(i, 1) - 1, max(j, 1) - 1);
                    3 * u[i][j] - u[up][j] - u[i][left] - u[min(i + 1, N - 1)][min(j + 2, M - 1)]
                }), u)
            }",
            sizes: SIZES,
        },
        Case {
            name: "a neighbourhood in another period, by index",
            text: "#[kernel] fn Life<N, M>(u: [[u8; M]; N]) -> [[u8; M]; N] {
                array2d(N, M, |i, j| {
                    let (up, down) = ((i + N - 1) % N, (i + 1) % N);
                    let (left, right) = ((j + M - 1) % M, (j + 1) % M);
                    let n = u[up][left] % 2 + u[up][j] % 2 + u[up][right] % 2 + u[i][left] % 2 + u[i][right] % 2
                        + u[down][left] % 2 + u[down][j] % 2 + u[down][right] % 2;
                    if n == 3u8 || n == 2u8 && u[i][j] % 2 == 1u8 { 1u8 } else { 0u8 }
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "neighbours that conditions choose",
            text: "#[kernel] fn Chosen<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
                array2d(N, M, |i, j| {
                    let (up, down) = (if i == 0 { N - 1 } else { i - 1 }, if i + 1 == N { 0 } else { i + 1 });
                    let right = if j + 1 < M { j + 1 } else { j };
                    u[up][j] - u[down][j] * u[i][right] + u[i][if j > 0 { j - 1 } else { 0 }]
                })
            }",
            sizes: SIZES,
        },
        Case {
            name: "seven arrays that are read by index",
            text: "#[kernel] fn Many<N>(a: [i32; N], b: [i32; N], c: [i32; N], d: [i32; N], e: [i32; N], f: [i32; N], g: [[i32; 2]; N]) -> [i32; N] {
                array(N, |i| a[i] * a[(i + 1) % N] - b[min(i + 1, N - 1)] + c[i] * d[max(i, 1) - 1] - e[i] + f[i] * g[i][1])
            }",
            sizes: LINES,
        },
        Case {
            name: "results of two sizes, by index",
            text: "#[kernel] fn Sizes<N, M>(u: [[i32; M]; N], v: [i32; M]) -> ([[i32; M]; N], [i32; M]) {
                (array2d(N, M, |i, j| u[i][j] - u[min(i + 1, N - 1)][j]), array(M, |j| v[j] + v[(j + 1) % M]))
            }",
            sizes: SIZES,
        },
        Case {
            name: "weights over a neighbourhood, by index",
            text: "#[kernel] fn Weighted<N, M>(u: [[i32; M]; N], c: [[i32; 5]; 3], own: [[i32; M]; N]) -> [[i32; M]; N] {
                array2d(N, M, |i, j| own[i][j] - array2d(3, 5, |a, b| c[a][b] * u[(i as i64 + a as i64 - 1).clamp(0, N as i64 - 1) as usize]
                    [(j as i64 + b as i64 - 2).clamp(0, M as i64 - 1) as usize]).reduce2d(add, 0))
            }",
            sizes: SIZES,
        },
        Case {
            name: "every other element of pixels, by index",
            text: "#[kernel] fn Smaller<N, M>(u: [[[u8; 3]; 2 * M]; 2 * N + 1]) -> [[[u8; 3]; M]; N] {
                array3d(N, M, 3, |i, j, c| max(max(u[2 * i][2 * j][c], u[2 * i + 1][2 * j][c]), max(u[2 * i + 2][2 * j + 1][c], u[2 * i][2 * j + 1][c])))
            }",
            sizes: SIZES,
        },
        Case {
            name: "two results, by index",
            text: "#[kernel] fn Gradient<N, M>(u: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
                (array2d(N, M, |i, j| u[min(i + 1, N - 1)][j] - u[i][j]), array2d(N, M, |i, j| u[i][min(j + 1, M - 1)] - u[i][j]))
            }",
            sizes: SIZES,
        },
        Case {
            name: "arrays that are read by index one after the other",
            text: "#[kernel] fn Divergence<N, M>(u: [[i32; M]; N], v: [[i32; M]; N]) -> [[i32; M]; N] {
                let a = array2d(N, M, |i, j| u[i][min(j + 1, M - 1)] - u[i][max(j, 1) - 1]);
                let b = array2d(N, M, |i, j| v[min(i + 1, N - 1)][j] - v[max(i, 1) - 1][j]);
                array2d(N, M, |i, j| a[i][min(j + 1, M - 1)] * b[i][j] + b[min(i + 1, N - 1)][j])
            }",
            sizes: SIZES,
        },
    ]
}

fn tuples() -> Vec<Case> {
    vec![
        Case {
            name: "windows of tuples, and tuples beside them",
            text: "#[kernel] fn Pairs<N, M>(u: [[(f32, i32); M]; N], v: [[(f32, f32); M]; N]) -> [[(f32, i32); M]; N] {
                zip2d(u.pad2d(1, 1, clamp).slide2d(3, 1), v).map2d(|(w, (a, b))| (w[0][1].0 * a - w[1][2].0 * b, w[2][1].1 - w[1][0].1))
            }",
            sizes: SIZES,
        },
        Case {
            name: "windows of three colours, which are large",
            text: "#[kernel] fn Colours<N, M>(u: [[(i32, i32, i32); M]; N], c: [[i32; 7]; 7]) -> [[(i32, i32, i32); M]; N] {
                u.pad2d(3, 3, mirror).slide2d(7, 1).map2d(|w| zip2d(c, w).map2d(|c, (r, g, b)| (c * r, c * g, c * b))
                    .reduce2d(|(a, b, c), (d, e, f)| (a + d, b + e, c + f), (0, 0, 0)))
            }",
            sizes: SIZES,
        },
        Case {
            name: "windows of pairs in three dimensions",
            text: "#[kernel] fn Deep<N, M>(u: [[[(f32, f32); M]; N]; 5]) -> [[[f32; M]; N]; 5] {
                u.pad3d(1, 1, 1, wrap).slide3d(3, 1).map3d(|w| w[0][1][1].0 + w[2][1][1].1 - w[1][1][0].0 * w[1][0][1].1)
            }",
            sizes: SIZES,
        },
        Case {
            name: "a state of two fields, several steps",
            text: "#[kernel] fn Wave<N, M>(u: [[(i32, i32); M]; N]) -> [[(i32, i32); M]; N] {
                iterate(3, |u| u.pad2d(1, 1, constant((0, 1))).slide2d(3, 1)
                    .map2d(|w| (2 * w[1][1].0 - w[1][1].1 + w[0][1].0 + w[2][1].0 - 2 * w[1][0].0, w[1][1].0)), u)
            }",
            sizes: SIZES,
        },
    ]
}

fn values() -> Vec<Case> {
    vec![
        Case {
            name: "two values of one window, and a third one that is padded in another way",
            text: "#[kernel] fn Edges<N, M>(u: [[f32; M]; N], v: [[f32; M]; N]) -> [[f32; M]; N] {
                let w = u.pad2d(1, 1, clamp).slide2d(3, 1);
                let x = w.map2d(|w| w[1][2] - w[1][0]);
                let y = w.map2d(|w| w[2][1] - w[0][1]);
                let z = u.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| w[0][0]);
                zip2d(x, v, y, z).map2d(|x, v, y, z| x * x + y * y - v * z)
            }",
            sizes: SIZES,
        },
        Case {
            name: "two results of one value, which only they read",
            text: "#[kernel] fn Polar<N, M>(u: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
                let g = u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| (w[0][2] - w[0][0], w[2][1] - w[0][1]));
                (g.map2d(|x, y| x * x + y * y), g.map2d(|x, y| if x > 0.0 { y } else { x }))
            }",
            sizes: SIZES,
        },
        Case {
            name: "a stencil of each of several matrices, and of windows beside it",
            text: "#[kernel] fn Batch<N, M>(u: [[[i32; M]; N]; 3], c: [[i32; M]; N]) -> ([[[i32; M]; N]; 3], [[[i32; M]; N]; 3]) {
                (u.map(|p| p.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] - 2 * w[2][2] + w[1][0])),
                    u.map(|p| zip2d(p.pad2d(1, 1, wrap).slide2d(3, 1), c).map2d(|w, c| w.join().reduce(max, i32::MIN) - c)))
            }",
            sizes: SIZES,
        },
        Case {
            name: "conditions that turn in the middle of a row",
            text: "#[kernel] fn Halves<N, M>(u: [[i32; M]; N], v: [[i32; M]; N]) -> ([[i32; M]; N], [[i32; M]; N]) {
                (array2d(N, M, |i, j| if j > M / 2 { u[i][j - 1] - 2 } else { 3 * v[i][j] }),
                    array2d(N, M, |i, j| if i + j < M { u[i][j] } else { v[i][j] - u[i][j] }))
            }",
            sizes: HALVES,
        },
        Case {
            name: "a condition that turns in the middle of all elements",
            text: "#[kernel] fn Ends<N>(u: [i32; N], v: [i32; N]) -> [i32; N] {
                array(N, |i| if i < N / 2 { u[i] - v[i] } else { u[i / 2] })
            }",
            sizes: LINES,
        },
        Case {
            name: "windows of two sizes of one array",
            text: "#[kernel] fn Sizes<N, M>(u: [[i32; M]; N]) -> [[i32; M]; N] {
                zip2d(u.pad2d(2, 2, mirror).slide2d(5, 1), u.pad2d(1, 1, mirror).slide2d(3, 1))
                    .map2d(|a, b| a[0][2] - a[4][1] + 2 * b.join().reduce(max, i32::MIN))
            }",
            sizes: SIZES,
        },
    ]
}
