//! Linear algebra, from which kernels with work-groups are derived: rows that are reduced, and products.

use super::cases::Case;

/// Shorter than a piece for each item, whole pieces, and a bit more.
const ROWS: &[&[(&str, i64)]] = &[
    &[("N", 3), ("M", 70)],
    &[("N", 2), ("M", 516)],
    &[("N", 1), ("M", 1)],
    &[("N", 4), ("M", 1536)],
    &[("N", 5), ("M", 1027)],
];

const STACKS: &[&[(&str, i64)]] = &[
    &[("B", 2), ("N", 3), ("M", 70)],
    &[("B", 1), ("N", 1), ("M", 512)],
    &[("B", 3), ("N", 2), ("M", 1030)],
];

/// Less than a square and than a step, of which Oclgrind sees two, whole ones, and a bit more.
const MATRICES: &[&[(&str, i64)]] = &[
    &[("N", 3), ("M", 5), ("K", 19)],
    &[("N", 1), ("M", 1), ("K", 1)],
    &[("N", 130), ("M", 132), ("K", 36)],
    &[("N", 128), ("M", 128), ("K", 32)],
];

/// Chunks of what is reduced, and a bit more.
const LONG_PRODUCTS: &[&[(&str, i64)]] = &[
    &[("N", 5), ("M", 34), ("K", 131)],
    &[("N", 33), ("M", 3), ("K", 140)],
    &[("N", 1), ("M", 1), ("K", 256)],
    &[("N", 2), ("M", 3), ("K", 276)],
];

/// All of them.
pub fn algebra() -> Vec<Case> {
    vec![
        Case {
            name: "a matrix and a vector",
            text: "#[kernel]
                fn Gemv<N, M>(alpha: f32, a: [[f32; M]; N], x: [f32; M], beta: f32, y: [f32; N]) -> [f32; N] {
                    zip(a, y).map(|(row, y)| alpha * zip(row, x).map(mul).reduce(add, 0.0) + beta * y)
                }",
            sizes: ROWS,
        },
        Case {
            name: "reductions of rows",
            text: "#[kernel]
                fn Sums<N, M>(a: [[f32; M]; N]) -> [f32; N] { a.map(reduce(add, 0.0)) }
                #[kernel]
                fn Largest<N, M>(a: [[i32; M]; N]) -> [i32; N] { a.map(|row| row.map(|x| x * x - 3 * x).reduce(max, i32::MIN)) }
                #[kernel]
                fn Spread<N, M>(a: [[f32; M]; N]) -> [f32; N] {
                    a.map(|row| {
                        let mean = row.reduce(add, 0.0) / 64.0;
                        row.map(|x| (x - mean) * (x - mean)).reduce(add, 0.0)
                    })
                }",
            sizes: ROWS,
        },
        Case {
            name: "several values of a row, and columns",
            text: "#[kernel]
                fn Both<N, M>(a: [[f32; M]; N]) -> [(f32, f32); N] {
                    a.map(|row| (row.reduce(max, f32::NEG_INFINITY), row.reduce(min, f32::INFINITY)))
                }
                #[kernel]
                fn Columns<N, M>(a: [[f32; M]; N]) -> [f32; M] { a.transpose().map(reduce(add, 0.0)) }
                #[kernel]
                fn Nearest<N, M>(a: [[f64; M]; N]) -> [(f64, i32); N] {
                    a.map(|row| zip(row, array(M, |i| i as i32)).reduce(|p, q| if p.0 < q.0 { p } else { q }, (f64::INFINITY, 0)))
                }",
            sizes: ROWS,
        },
        Case {
            name: "rows of stacks",
            text: "#[kernel]
                fn Batched<B, N, M>(a: [[[f32; M]; N]; B], x: [[f32; M]; B]) -> [[f32; N]; B] {
                    zip(a, x).map(|(rows, x)| rows.map(|row| zip(row, x).map(mul).reduce(add, 0.0)))
                }",
            sizes: STACKS,
        },
        Case {
            name: "rows that say where to read",
            text: "#[kernel]
                fn Gathered<N, M>(near: [[u32; M]; N], x: [f32; M]) -> [f32; N] {
                    near.map(|row| x.gather(row.map(|i| (i as usize) % M)).map(|v| v * v).reduce(add, 0.0))
                }",
            sizes: ROWS,
        },
        Case {
            name: "long rows of known length",
            text: "#[kernel]
                fn Tall<N>(a: [[f32; 1030]; N], x: [f32; 1030]) -> [f32; N] { a.map(|row| zip(row, x).map(mul).reduce(add, 0.0)) }",
            sizes: &[&[("N", 1)], &[("N", 3)]],
        },
        Case {
            name: "a product of matrices",
            text: "#[kernel]
                fn Gemm<N, M, K>(alpha: f32, a: [[f32; K]; N], b: [[f32; M]; K], beta: f32, c: [[f32; M]; N]) -> [[f32; M]; N] {
                    let columns = b.transpose();
                    zip(a, c).map(|(row, c)| zip(columns, c).map(|(column, c)| alpha * zip(row, column).map(mul).reduce(add, 0.0) + beta * c))
                }",
            sizes: MATRICES,
        },
        Case {
            name: "a product that is added to a matrix in place",
            text: "#[kernel]
                fn Add<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K], c: &mut [[f32; M]; N]) {
                    let columns = b.transpose();
                    write_to(c, zip(a, c).map(|(row, c)| zip(columns, c).map(|(column, c)| zip(row, column).map(mul).reduce(add, 0.0) + c)));
                }",
            sizes: MATRICES,
        },
        Case {
            name: "products of turned matrices, and of a matrix with itself",
            text: "#[kernel]
                fn Turned<N, M, K>(alpha: f32, a: [[f32; N]; K], b: [[f32; K]; M], beta: f32, c: [[f32; M]; N]) -> [[f32; M]; N] {
                    zip(a.transpose(), c).map(|(row, c)| zip(b, c).map(|(column, c)| alpha * zip(row, column).map(mul).reduce(add, 0.0) + beta * c))
                }
                #[kernel]
                fn Square<N>(a: [[f32; N]; N]) -> [[f32; N]; N] {
                    a.map(|row| a.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
                }",
            sizes: MATRICES,
        },
        Case {
            name: "products of few results",
            text: "#[kernel]
                fn Both<N, M, K>(a: [[f32; N]; K], b: [[f32; M]; K], c: [[f32; M]; N]) -> [[f32; M]; N] {
                    zip(a.transpose(), c).map(|(row, c)| zip(b.transpose(), c).map(|(column, c)| 0.5 * zip(row, column).map(mul).reduce(add, 0.0) + c))
                }
                #[kernel]
                fn Rows<N, M, K>(a: [[f64; K]; N], b: [[f64; K]; M]) -> [[f64; M]; N] {
                    a.map(|row| b.map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
                }",
            sizes: LONG_PRODUCTS,
        },
        Case {
            name: "products of other types",
            text: "#[kernel]
                fn Plain<N, M, K>(a: [[f64; K]; N], b: [[f64; M]; K]) -> [[f64; M]; N] {
                    a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
                }
                #[kernel]
                fn Whole<N, K>(a: [[i32; K]; N], b: [[i32; K]; 200]) -> [[i32; 200]; N] {
                    a.map(|row| b.map(|column| zip(row, column).map(mul).reduce(add, 0)))
                }",
            sizes: MATRICES,
        },
        Case {
            name: "what is farthest, turned",
            text: "#[kernel]
                fn Farthest<N, M, K>(a: [[f32; K]; N], b: [[f32; K]; M], ra: [f32; N], rb: [f32; M]) -> [[f32; N]; M] {
                    zip(a, ra).map(|(p, r)| zip(b, rb).map(|(q, s)| {
                        let d = zip(q, p).map(|(y, x)| (x - y).abs()).reduce(max, 0.0);
                        if d > r { d } else { r + s }
                    })).transpose()
                }",
            sizes: MATRICES,
        },
        Case {
            name: "rows that become rows",
            text: "#[kernel]
                fn Softmax<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] { a.map(|row| { let m = row.reduce(max, f32::NEG_INFINITY); let s = row.map(|x| (x - m).exp()).reduce(add, 0.0); row.map(|x| (x - m).exp() / s) }) }
                #[kernel]
                fn Turned<N, M>(a: [[f32; M]; N]) -> [[f32; N]; M] { a.map(|row| { let s = row.map(abs).reduce(add, 0.0); row.map(|x| x / s) }).transpose() }
                #[kernel]
                fn Split<N, M>(a: [[f32; 4 * M]; N]) -> [[[f32; 4]; M]; N] { a.map(|row| { let s = row.reduce(max, f32::NEG_INFINITY); row.split(4).map(|r| r.map(|x| x - s)) }) }",
            sizes: ROWS,
        },
        Case {
            name: "rows and matrices in place",
            text: "#[kernel]
                fn Own<N, M>(a: &mut [[f32; M]; N]) { write_to(a, a.map(|row| { let s = row.reduce(max, f32::NEG_INFINITY); row.map(|x| x - s) })) }
                #[kernel]
                fn Accumulate<N, M>(a: [[f32; M]; N], x: [f32; M], y: &mut [f32; N]) {
                    write_to(y, zip(a, y).map(|(row, y)| zip(row, x).map(|(p, q)| p * q * y).reduce(add, 0.0) + 0.5 * y));
                }",
            sizes: ROWS,
        },
        Case {
            name: "other reductions of rows",
            text: "#[kernel]
                fn Any<N, M>(a: [[i32; M]; N]) -> [bool; N] { a.map(|row| row.map(|x| x > 3).reduce(|p, q| p || q, false)) }
                #[kernel]
                fn Bytes<N, M>(a: [[u8; M]; N]) -> [i32; N] { a.map(|row| row.map(|x| x as i32).reduce(add, 0)) }
                #[kernel]
                fn Wide<N, M>(a: [[i64; M]; N], b: [[i64; M]; N]) -> [i64; N] { zip(a, b).map(|(x, y)| zip(x, y).map(|(x, y)| x * y).reduce(add, 0)) }",
            sizes: ROWS,
        },
        Case {
            name: "a matrix in place, and rows that are chosen",
            text: "#[kernel]
                fn Update<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K], c: &mut [[f32; M]; N]) {
                    write_to(c, zip(a, c).map(|(row, c)| zip(b.transpose(), c).map(|(column, c)| zip(row, column).map(mul).reduce(add, 0.0) - c)));
                }
                #[kernel]
                fn Chosen<N, M, K>(a: [[f32; K]; N], which: [u32; M], b: [[f32; K]; M]) -> [[f32; M]; M] {
                    a.gather(which.map(|i| (i as usize) % N)).map(|x| b.map(|y| zip(x, y).map(|(x, y)| (x - y) * (x - y)).reduce(add, 0.0).sqrt()))
                }",
            sizes: MATRICES,
        },
        Case {
            name: "products under a condition, and of what is computed",
            text: "#[kernel]
                fn Masked<N, M, K>(a: [[f32; K]; N], b: [[f32; K]; M], on: [[i32; M]; N]) -> [[f32; M]; N] {
                    zip(a, on).map(|(row, on)| zip(b, on).map(|(column, on)| if on > 0 { zip(row, column).map(mul).reduce(add, 0.0) } else { 0.0 }))
                }
                #[kernel]
                fn Scaled<N, M, K>(a: [[f32; K]; N], s: [f32; N], b: [[f32; M]; K], t: [f32; M]) -> [[f32; M]; N] {
                    zip(a, s).map(|(row, s)| zip(b.transpose(), t).map(|(column, t)| s * t * zip(row.map(|x| x + 1.0), column).map(mul).reduce(add, 0.0)))
                }",
            sizes: MATRICES,
        },
    ]
}
