//! Reductions over several axes of pairs of what some axes of the result need and what the others do, such as convolutions with channels.

use super::cases::Case;

/// More than a square of results and less than one, and results without elements.
const PICTURES: &[&[(&str, i64)]] = &[
    &[("C", 1), ("O", 1), ("N", 3), ("M", 3)],
    &[("C", 5), ("O", 40), ("N", 9), ("M", 12)],
    &[("C", 3), ("O", 7), ("N", 11), ("M", 6)],
    &[("C", 4), ("O", 3), ("N", 2), ("M", 5)],
    // Rows of several vectors, whose last window ends where the array ends.
    &[("C", 2), ("O", 3), ("N", 4), ("M", 83)],
];

const SMALL: &[&[(&str, i64)]] =
    &[&[("C", 1), ("O", 1), ("N", 1), ("M", 1)], &[("C", 2), ("O", 5), ("N", 7), ("M", 6)]];

const BATCHES: &[&[(&str, i64)]] = &[
    &[("B", 1), ("H", 1), ("N", 1), ("M", 1), ("K", 1)],
    &[("B", 2), ("H", 3), ("N", 35), ("M", 33), ("K", 19)],
    &[("B", 1), ("H", 2), ("N", 40), ("M", 64), ("K", 32)],
];

const PAIRS: &[&[(&str, i64)]] = &[
    &[("N", 1), ("M", 1), ("K", 1)],
    &[("N", 35), ("M", 33), ("K", 19)],
    &[("N", 40), ("M", 64), ("K", 32)],
    &[("N", 3), ("M", 70), ("K", 5)],
];

const MATRICES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 1030), ("M", 5)], &[("N", 530), ("M", 34)], &[("N", 3), ("M", 70)]];

/// Enough rows together for several chunks.
const PLANES: &[&[(&str, i64)]] = &[&[("N", 1), ("M", 1)], &[("N", 13), ("M", 23)]];

/// Contractions, as products and in other spellings.
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "a convolution with channels",
            text: "#[kernel] fn Channels<C, O, N, M>(x: [[[f32; M]; N]; C], h: [[[[f32; 3]; 3]; C]; O], bias: [f32; O])
                -> [[[f32; M - 2]; N - 2]; O] {
                array3d(O, N - 2, M - 2, |o, i, j| {
                    let sum = array3d(C, 3, 3, |c, a, b| h[o][c][a][b] * x[c][i + a][j + b]).reduce3d(add, 0.0);
                    max(0.0, sum + bias[o])
                })
            }",
            sizes: PICTURES,
        },
        Case {
            name: "a convolution with channels, padded, of each picture",
            text: "#[kernel] fn Padded<C, O, N, M>(x: [[[[i32; M]; N]; C]; 2], h: [[[[i32; 3]; 3]; C]; O])
                -> [[[[i32; M]; N]; O]; 2] {
                x.map(|picture| h.map(|h| {
                    let padded = picture.map(|channel| channel.pad2d(1, 1, constant(0)));
                    array2d(N, M, |i, j| array3d(C, 3, 3, |c, a, b| padded[c][i + a][j + b] * h[c][a][b]).reduce3d(add, 0))
                }))
            }",
            sizes: SMALL,
        },
        Case {
            name: "a convolution of every second window, channels last",
            text: "#[kernel] fn Strided<C, O, N, M>(x: [[[f32; C]; 2 * M + 1]; 2 * N + 1], h: [[[[f32; O]; C]; 3]; 3]) -> [[[f32; O]; M]; N] {
                array3d(N, M, O, |i, j, o| {
                    array3d(3, 3, C, |a, b, c| h[a][b][c][o] * x[2 * i + a][2 * j + b][c]).reduce3d(add, 0.0)
                })
            }",
            sizes: PICTURES,
        },
        Case {
            name: "products of a batch along two axes",
            text: "#[kernel] fn Heads<B, H, N, M, K>(q: [[[[f32; K]; N]; H]; B], k: [[[[f32; K]; M]; H]; B]) -> [[[[f32; M]; N]; H]; B] {
                array2d(B, H, |b, h| array2d(N, M, |i, j| array(K, |d| q[b][h][i][d] * k[b][h][j][d]).reduce(add, 0.0) / 8.0))
            }",
            sizes: BATCHES,
        },
        Case {
            name: "covariances",
            text: "#[kernel] fn Covariances<N, M>(x: [[f32; M]; N], m: [f32; M]) -> [[f32; M]; M] {
                array2d(M, M, |i, j| array(N, |k| (x[k][i] - m[i]) * (x[k][j] - m[j])).reduce(add, 0.0) / (N as f32))
            }",
            sizes: MATRICES,
        },
        Case {
            name: "gradients of the weights of a convolution",
            text: "#[kernel] fn Gradients<N, M>(x: [[[[f32; M + 2]; N + 2]; 3]; 2], dy: [[[[f32; M]; N]; 5]; 2]) -> [[[[f32; 3]; 3]; 3]; 5] {
                array2d(5, 3, |o, c| array2d(3, 3, |u, v| {
                    array3d(2, N, M, |b, i, j| dy[b][o][i][j] * x[b][c][i + u][j + v]).reduce3d(add, 0.0)
                }))
            }",
            sizes: PLANES,
        },
        Case {
            name: "a bank of filters",
            text: "#[kernel] fn Bank<N, M>(x: [f32; N + 20], w: [[f32; 21]; M]) -> [[f32; N]; M] {
                w.map(|h| x.slide(21, 1).map(|s| s.zip(h).map(mul).reduce(add, 0.0)))
            }",
            sizes: MATRICES,
        },
        Case {
            name: "products of several scalars, and several sums of each pair",
            text: "#[kernel] fn Complex<N, M, K>(a: [[(f32, f32); K]; N], b: [[(f32, f32); M]; K]) -> [[(f32, f32); M]; N] {
                a.map(|r| b.transpose().map(|c| zip(r, c)
                    .map(|(x, y)| (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0))
                    .reduce(|p, q| (p.0 + q.0, p.1 + q.1), (0.0, 0.0))))
            }
            #[kernel] fn Power<N, M, K>(window: [f32; K], re: [[f32; K]; M], im: [[f32; K]; M], x: [[f32; K]; N]) -> [[f32; M]; N] {
                x.map(|row| {
                    let w = zip(row, window).map(mul);
                    zip(re, im).map(|c, s| {
                        let a = zip(w, c).map(mul).reduce(add, 0.0);
                        let b = zip(w, s).map(mul).reduce(add, 0.0);
                        a * a + b * b
                    })
                })
            }
            #[kernel] fn Weighted<N, M, K>(w: [i32; K], a: [[i32; K]; N], b: [[i32; K]; M]) -> ([[i32; M]; N], [[i32; N]; N]) {
                (a.map(|r| b.map(|c| zip(r, c, w).map(|x, y, w| w * (x - y) % 7).reduce(add, 0) + 1)),
                 a.map(|r| a.map(|c| zip(r, c, w).map(|x, y, w| x * y * w).reduce(add, 0))))
            }
            #[kernel] fn Masked<N, M, K>(a: [[f64; K]; N], mask: [[u8; K]; N], b: [[f32; K]; M]) -> [[f64; M]; N] {
                zip(a, mask).map(|r, m| b.map(|c| zip(r, m, c).map(|x, m, y| if m % 2 == 1 { x * y as f64 } else { 0.0 }).reduce(add, 0.0)))
            }",
            sizes: PAIRS,
        },
    ]
}
