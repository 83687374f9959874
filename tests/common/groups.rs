//! Kernels whose rows, columns and tiles work-groups share: scans tile by tile, strips of columns, transposed matrices, and reductions in two launches.

use super::cases::Case;

/// Less than a tile, and several with something left over.
const LONG: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2047)], &[("N", 6150)]];

const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 2050)], &[("N", 2), ("M", 4096)], &[("N", 2), ("M", 0)]];

const PLANES: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 33), ("M", 70)], &[("N", 50), ("M", 32)], &[("N", 0), ("M", 5)]];

const FILLED: &[&[(&str, i64)]] = &[&[("N", 1), ("M", 1)], &[("N", 33), ("M", 70)], &[("N", 50), ("M", 32)]];

/// What the work-items of a group share.
pub fn groups() -> Vec<Case> {
    [
        scans(),
        columns(),
        one_dimension(),
        pairs(),
        transposed(),
        stages(),
        short_rows(),
        elements(),
        filled(),
        whole(),
    ]
    .concat()
}

/// Rows in several blocks and in one, of which some have nothing to do.
// Oclgrind sees no more than the first two, and takes a minute for each of the others.
const BLOCKS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 17), ("M", 40)], &[("N", 300), ("M", 3)], &[("N", 130), ("M", 150)]];

const ROWS_OF_SOME: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 5), ("M", 256)], &[("N", 9), ("M", 2050)]];

/// What is reduced is a whole array that is computed from neighbours, or is reduced in the middle of something else.
fn whole() -> Vec<Case> {
    vec![
        Case {
            name: "the sum of a stencil in two dimensions",
            text: "#[kernel] fn Energy<N, M>(u: [[i32; M]; N]) -> i32 {
                u.pad2d(1, 1, constant(0)).slide2d(3, 1).map2d(|w| 4 * w[1][1] - w[0][1] - w[1][0] - w[1][2] - w[2][1]).map2d(|r| r * r).reduce2d(add, 0)
            }",
            sizes: BLOCKS,
        },
        Case {
            name: "the largest value of a stencil in three dimensions",
            text: "#[kernel] fn Roughest<N, M>(u: [[[f32; M]; 6]; N]) -> f32 {
                u.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| 3.0 * w[1][1][1] - w[0][1][1] - w[1][0][1] - w[1][1][2]).map3d(abs).reduce3d(max, 0.0)
            }",
            sizes: BLOCKS,
        },
        Case {
            name: "two results of one stencil, and one of large windows",
            text: "#[kernel] fn Ends<N, M>(u: [[f64; M]; N]) -> (f64, f64, f64) {
                let g = u.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| w[1][1] * (w[0][1] - w[1][2]));
                let most = u.pad2d(2, 2, clamp).slide2d(5, 1).map2d(|w| w.join().reduce(max, f64::NEG_INFINITY));
                (g.reduce2d(max, f64::NEG_INFINITY), g.reduce2d(min, f64::INFINITY), most.reduce2d(add, 0.0))
            }",
            sizes: BLOCKS,
        },
        Case {
            name: "how many bytes are like their neighbours",
            text: "#[kernel] fn Alike<N, M>(u: [[u8; M]; N]) -> (u32, [[u32; M]; N]) {
                let alike = u.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| if w[1][1] / 64 == w[0][1] / 64 && w[1][1] / 64 == w[1][0] / 64 || w[1][1] < 9 { 1u32 } else { 0u32 });
                (alike.reduce2d(add, 0), alike)
            }",
            sizes: BLOCKS,
        },
        Case {
            name: "sums of columns, of many matrices",
            text: "#[kernel] fn Each<N, M>(u: [[[i32; M]; 100]; N]) -> [[i32; M]; N] {
                u.map(|rows| rows.transpose().map(|c| c.map(|v| v * v).reduce(add, 0)))
            }",
            sizes: BLOCKS,
        },
        Case {
            name: "rows that are reduced in arms, one way or the other",
            text: "fn variance<N>(x: [i32; N]) -> i32 { let mean = x.reduce(add, 0) / 7; x.map(|v| (v - mean) * (v - mean)).reduce(add, 0) }
            #[kernel] fn Arms<N, M>(x: [[i32; M]; N], y: [[i64; M]; N]) -> ([i32; N], [i64; N]) {
                (x.map(|row| if row[0] > 3 { variance(row) } else if row[0] > -3 { row.reduce(max, i32::MIN) - 1 } else { 5 }),
                    y.map(|row| { let all = row.reduce(add, 0); if all > 0 { row.map(|v| v * all).reduce(min, i64::MAX) } else { all } }))
            }",
            sizes: ROWS_OF_SOME,
        },
        Case {
            name: "products, sums of columns, rows and keys with indices",
            text: "#[kernel] fn Indexed<N, M>(a: [[i32; M]; N], b: [[i32; N]; M], x: [i32; M + 1], label: [u8; N]) -> ([[i32; N]; N], [i32; M], [i32; N], [f32; M]) {
                (array2d(N, N, |i, j| array(M, |k| a[i][k] * b[k][j]).reduce(add, 0)),
                    array(M, |j| array(N, |i| a[i][j] - 2).reduce(min, i32::MAX) + j as i32),
                    array(N, |i| { let most = a[i].reduce(max, i32::MIN); array(M, |k| (most - a[i][k]) * x[k]).reduce(add, 0) }),
                    array(M, |k| label.map(|l| if l == k as u8 { 1.0 } else { 0.0 }).reduce(add, 0.0)))
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 35), ("M", 70)], &[("N", 70), ("M", 3)]],
        },
        Case {
            name: "what is reduced in sums, tuples, arms and functions",
            text: "fn variance<N>(x: [i32; N]) -> i32 { let mean = x.reduce(add, 0) / 7; x.map(|v| (v - mean) * (v - mean)).reduce(add, 0) }
            fn scaled<N>(x: [i32; N], k: i32) -> i32 { let s = 2 * k; x.map(|v| v * s + k).reduce(max, i32::MIN) }
            #[kernel] fn Anywhere<N, M>(x: [i32; N], y: [i32; M]) -> (i32, i32, i32, [i32; N]) {
                let k = x[0];
                (variance(x) + variance(y), scaled(y, k) - k,
                    if k > 3 { scaled(x, y[0]) } else { variance(y.reverse()) }, x.map(|v| v * variance(y)))
            }",
            sizes: BLOCKS,
        },
    ]
}

fn scans() -> Vec<Case> {
    vec![
        Case {
            name: "prefix sums of a long array",
            text: "#[kernel] fn Prefixes<N>(x: [i32; N]) -> [i32; N] { x.map(|v| 2 * v).scan(add, 0) }",
            sizes: LONG,
        },
        Case {
            name: "the steps of a recurrence, which do not commute",
            text: "fn after(f: (i64, i64), g: (i64, i64)) -> (i64, i64) { (f.0 * g.0, f.1 * g.0 + g.1) }
            #[kernel] fn Recurrence<N>(a: [i64; N], b: [i64; N]) -> [i64; N] { zip(a, b).scan(after, (1, 0)).map(|f| f.0 + f.1) }",
            sizes: LONG,
        },
        Case {
            name: "prefix sums of long rows",
            text: "#[kernel] fn Rows<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] { x.map(scan(add, 0.0)) }",
            sizes: ROWS,
        },
        Case {
            name: "largest values so far, from both sides",
            text: "#[kernel] fn Sides<N, M>(x: [[i16; M]; N]) -> ([[i16; M]; N], [[i32; M]; N]) {
                (x.map(|row| row.scan(max, i16::MIN)), x.map(|row| row.reverse().scan(min, i16::MAX).reverse().map(|v| v as i32 + 1)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "prefixes of rows of planes",
            text: "#[kernel] fn Inner<N, M>(x: [[[u8; M]; N]; 2]) -> [[[u8; M]; N]; 2] { x.map(map(|row| row.scan(max, 0))) }",
            sizes: ROWS,
        },
    ]
}

fn columns() -> Vec<Case> {
    vec![
        Case {
            name: "sums of columns",
            text: "#[kernel] fn Sums<N, M>(x: [[i32; M]; N]) -> [i32; M] { x.transpose().map(reduce(add, 0)) }",
            sizes: FILLED,
        },
        Case {
            name: "a transposed matrix times a vector",
            text: "#[kernel] fn Times<N, M>(a: [[i64; M]; N], x: [i64; N], y: [i64; M]) -> [i64; M] {
                zip(a.transpose(), y).map(|(column, y)| { let sum = zip(column, x).map(mul).reduce(add, 0); sum + y * (sum - N as i64) })
            }",
            sizes: FILLED,
        },
        Case {
            name: "where columns are largest",
            text: "#[kernel] fn Largest<N, M>(x: [[f32; M]; N]) -> [f32; M] { x.transpose().map(|c| c.argmax().1) }",
            sizes: FILLED,
        },
        Case {
            name: "the columns of a matrix, normalised",
            text: "#[kernel] fn Normalised<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] {
                x.transpose().map(|c| {
                    let mean = c.reduce(add, 0.0) / N as f64;
                    let square = c.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0);
                    c.map(|v| (v - mean) / sqrt(square + 1.0))
                }).transpose()
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 300), ("M", 7)], &[("N", 130), ("M", 33)]],
        },
        Case {
            name: "reductions of which one needs what the other one gives",
            text: "#[kernel] fn Rows<N, M>(x: [[f32; M]; N]) -> ([f32; N], [f32; N]) {
                x.map(|row| {
                    let mean = row.map(|v| 0.5 * v).reduce(add, 0.0) / M as f32;
                    (mean, row.map(|v| (0.5 * v - mean) * (0.5 * v - mean)).reduce(add, 0.0))
                }).unzip()
            }
            #[kernel] fn Columns<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [f32; M] {
                zip(x.transpose(), y.transpose()).map(|x, y| {
                    let most = zip(x, y).map(|a, b| a - b).reduce(max, f32::NEG_INFINITY);
                    most + ln(zip(x, y).map(|a, b| exp(a - b - most)).reduce(add, 0.0))
                })
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 600), ("M", 2)], &[("N", 1), ("M", 4300)]],
        },
        Case {
            name: "columns that are reduced twice, in planes",
            text: "#[kernel] fn Moments<N, M>(x: [[[f64; M]; N]; 2]) -> [[(f64, f64); M]; 2] {
                x.map(|plane| plane.transpose().map(|c| {
                    let mean = c.reduce(add, 0.0) / N as f64;
                    (mean, c.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0))
                }))
            }
            #[kernel] fn Over<N, M>(x: [[i64; M]; N], w: [i64; N], s: [i64; M]) -> [[i64; M]; N] {
                zip(x.transpose(), s).map(|c, s| {
                    let (least, most) = (c.reduce(min, 1000), zip(c, w).map(mul).reduce(max, -1000));
                    c.map(|v| (v - least) * s + most)
                }).transpose()
            }",
            sizes: FILLED,
        },
        Case {
            name: "prefixes of columns, each with a number of its own, in planes, and of steps that do not commute",
            text: "#[kernel] fn Down<N, M>(x: [[[i32; M]; N]; 2], s: [i32; M]) -> [[[i32; M]; N]; 2] {
                x.map(|plane| zip(plane.transpose(), s).map(|c, s| c.map(|v| v - s).scan(add, 0).map(|v| v * s + 1)).transpose())
            }
            fn after(f: (i64, i64), g: (i64, i64)) -> (i64, i64) { (f.0 * g.0, f.1 * g.0 + g.1) }
            #[kernel] fn Recurrences<N, M>(a: [[i64; M]; N], b: [[i64; M]; N]) -> [[i64; M]; N] {
                zip(a.transpose(), b.transpose()).map(|a, b| zip(a, b).scan(after, (1, 0)).map(|f| f.0 + f.1)).transpose()
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 70), ("M", 33)], &[("N", 270), ("M", 9)], &[("N", 0), ("M", 5)]],
        },
        Case {
            name: "few columns of two matrices",
            text: "#[kernel] fn Both<N, M>(x: [[i32; M]; N], y: [[i32; M]; N], w: [i32; N]) -> [(i32, i32); M] {
                zip(x.transpose(), y.transpose()).map(|a, b| (zip(a, b, w).map(|a, b, w| a * b + w).reduce(add, 0), a[0]))
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 257), ("M", 9)], &[("N", 65), ("M", 8)]],
        },
        Case {
            name: "columns of several planes",
            text: "#[kernel] fn Planes<N, M>(x: [[[i32; M]; N]; 3]) -> [[i32; M]; 3] { x.map(|plane| plane.transpose().map(reduce(max, i32::MIN))) }",
            sizes: FILLED,
        },
    ]
}

/// Stencils along rows, and along columns.
fn one_dimension() -> Vec<Case> {
    vec![
        Case {
            name: "rows and then columns of a blur",
            text: "#[kernel] fn Blur<N, M>(x: [[f32; M]; N], k: [f32; 3]) -> [[f32; M]; N] {
                let blur = |line| line.pad(1, 1, mirror).slide(3, 1).map(|w| zip(w, k).map(mul).reduce(add, 0.0));
                x.map(blur).transpose().map(blur).transpose()
            }",
            sizes: FILLED,
        },
        Case {
            name: "rows and then columns, point by point",
            text: "#[kernel] fn Points<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                let blur = |line| line.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + 2.0 * w[1] + w[2]);
                x.map(blur).transpose().map(blur).transpose()
            }",
            sizes: FILLED,
        },
        Case {
            name: "every other row of a difference of columns",
            text: "#[kernel] fn Down<N, M>(x: [[i32; M]; 2 * N + 1]) -> [[i32; M]; N] {
                x.transpose().map(|c| c.slide(3, 2).map(|w| w[0] - 2 * w[1] + w[2])).transpose()
            }",
            sizes: FILLED,
        },
        Case {
            name: "windows of columns beside elements, and a number for each column and each row",
            text: "#[kernel] fn Beside<N, M>(x: [[f64; M]; N], y: [[f64; M]; N], s: [f64; M], t: [f64; N]) -> [[f64; M]; N] {
                zip(x.transpose(), y.transpose(), s).map(|x, y, s|
                    zip(x.pad(1, 0, clamp).slide(2, 1), y, t).map(|w, y, t| w[1] - w[0] + y * s + t)
                ).transpose()
            }",
            sizes: FILLED,
        },
        Case {
            name: "windows of rows beside elements",
            text: "#[kernel] fn Rows<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {
                zip(x, y).map(|x, y| zip(x.pad(2, 2, wrap).slide(5, 1), y).map(|w, y| w[0] - w[4] + y * w[2]))
            }",
            sizes: &[&[("N", 1), ("M", 2)], &[("N", 33), ("M", 70)], &[("N", 5), ("M", 132)]],
        },
    ]
}

/// Less than what a group computes, and several groups with something left over.
const PAIRS: &[&[(&str, i64)]] = &[
    &[("N", 1), ("M", 1)],
    &[("N", 131), ("M", 77)],
    &[("N", 515), ("M", 9)],
    &[("N", 1024), ("M", 8)],
    &[("N", 0), ("M", 3)],
];

fn pairs() -> Vec<Case> {
    vec![
        Case {
            name: "squared distances to the nearest points",
            text: "#[kernel] fn Distances<N, M>(x: [f64; N], y: [f64; N], p: [f64; M], q: [f64; M]) -> [f64; N] {
                zip(x, y).map(|x, y| zip(p, q).map(|p, q| (x - p) * (x - p) + (y - q) * (y - q)).reduce(min, f64::INFINITY))
            }",
            sizes: PAIRS,
        },
        Case {
            name: "a transposed matrix times the matrix, by index",
            text: "#[kernel] fn Gram<N, M>(x: [[i32; M]; N]) -> [[i32; M]; M] {
                array2d(M, M, |i, j| array(N, |k| x[k][i] * (x[k][j] - 3)).reduce(add, 0))
            }",
            sizes: &PAIRS[..3],
        },
        Case {
            name: "forces of all on all",
            text: "#[kernel] fn Forces<N, M>(x: [f64; N], y: [f64; N], p: [f64; M], q: [f64; M]) -> ([f64; N], [f64; N]) {
                zip(x, y).map(|x, y| zip(p, q).map(|p, q| {
                    let (dx, dy) = (p - x, q - y);
                    let f = 1.0 / (dx * dx + dy * dy + 0.5);
                    (f * dx, f * dy)
                }).reduce(|a, b| (a.0 + b.0, a.1 + b.1), (0.0, 0.0))).unzip()
            }",
            sizes: PAIRS,
        },
        Case {
            name: "how many are near, in rows of points",
            text: "#[kernel] fn Near<N, M>(x: [[i32; N]; 2], p: [i32; M]) -> [[i32; N]; 2] {
                x.map(map(|x| p.map(|p| if (x - p) * (x - p) < 5 { 1 } else { 0 }).reduce(add, 0)))
            }",
            sizes: PAIRS,
        },
        Case {
            name: "polynomials by Horner's rule, in the order of coefficients",
            text: "#[kernel] fn Values<N, M>(x: [i64; N], c: [i64; M]) -> [(i64, i64); N] { x.map(|x| (c.map(|c| c - x).fold(|a, c| a * 3 + c, 0), x)) }",
            sizes: PAIRS,
        },
    ]
}

/// Less than a chunk of any kind, and several with something left over.
const LONG_ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 263)], &[("N", 2), ("M", 4100)]];

fn stages() -> Vec<Case> {
    vec![
        Case {
            name: "few long rows",
            text: "#[kernel] fn Rows<N, M>(x: [[i32; M]; N], y: [i32; M]) -> [i32; N] { x.map(|row| 2 * zip(row, y).map(mul).reduce(add, 0) - M as i32) }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "few long rows that are read again",
            text: "#[kernel] fn Again<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                x.map(|row| { let top = row.reduce(max, -9); let sum = row.map(|v| top - v).reduce(add, 0); row.map(|v| sum - v) })
            }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "rows over their norms",
            text: "#[kernel] fn Norms<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] {
                x.map(|row| { let norm = sqrt(1.0 + row.map(|v| v * v).reduce(add, 0.0)); row.map(|v| v / norm) })
            }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "rows with a factor each",
            text: "#[kernel] fn Scaled<N, M>(x: [[i32; M]; N], s: [i32; N]) -> ([[i32; M]; N], [[i32; N]; M]) {
                let both = zip(x, s).map(|row, s| { let t = s * s - 3; let u = t + M as i32; (row.map(|v| v * t), row.map(|v| v - u)) }).unzip();
                (both.0, both.1.transpose())
            }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "where blocks of a picture have moved to",
            text: "#[kernel] fn Moved<H, W>(a: [[f32; 16 * W]; 16 * H], b: [[f32; 16 * W + 6]; 16 * H + 6]) -> [[(u64, f32); W]; H] {
                array2d(H, W, |i, j| {
                    let costs = array2d(7, 7, |y, x| {
                        array2d(16, 16, |r, c| abs(a[16 * i + r][16 * j + c] - b[16 * i + y + r][16 * j + x + c])).reduce2d(add, 0.0)
                    });
                    let (best, cost) = costs.join().argmin();
                    (best as u64, cost)
                })
            }",
            sizes: &[&[("H", 1), ("W", 1)], &[("H", 2), ("W", 3)]],
        },
        Case {
            name: "the best of many things that take long, and how good all are",
            text: "#[kernel] fn Best<N, K>(x: [f32; N], y: [[f32; 70]; K]) -> [(f32, [f32; K]); N] {
                x.map(|x| {
                    let good = y.map(|y| y.map(|v| abs(v - x) * v).reduce(max, f32::NEG_INFINITY));
                    let best = good.reduce(max, f32::NEG_INFINITY);
                    (best, good.map(|v| v - best))
                })
            }",
            sizes: &[&[("N", 1), ("K", 1)], &[("N", 3), ("K", 40)], &[("N", 2), ("K", 300)]],
        },
        Case {
            name: "the best of many things that take long",
            text: "#[kernel] fn Top<N, K>(x: [f32; N], y: [[f32; 70]; K]) -> [f32; N] {
                x.map(|x| y.map(|y| y.map(|v| abs(v - x) * v).reduce(max, f32::NEG_INFINITY)).reduce(max, f32::NEG_INFINITY))
            }",
            sizes: &[&[("N", 1), ("K", 1)], &[("N", 3), ("K", 40)], &[("N", 2), ("K", 300)]],
        },
        Case {
            name: "energies of frames that overlap",
            text: "#[kernel] fn Frames<N, T>(x: [[f32; 40 * T + 160]; N]) -> [[f32; T]; N] {
                x.map(|row| row.slide(200, 40).map(|w| w.map(|v| v * v).reduce(add, 0.0) / 200.0))
            }",
            sizes: &[&[("N", 1), ("T", 1)], &[("N", 3), ("T", 7)]],
        },
        Case {
            name: "rows in bytes, and what each was divided by",
            text: "#[kernel] fn Quantised<N, M>(x: [[f32; M]; N]) -> ([[i8; M]; N], [f32; N]) {
                x.map(|row| { let s = row.map(abs).reduce(max, 0.0) / 127.0; (row.map(|v| (v / s).round() as i8), s) }).unzip()
            }",
            sizes: ROWS_OF_SOME,
        },
        Case {
            name: "normalised rows of planes, their means, and their elements twice",
            text: "#[kernel] fn Saved<N, M>(x: [[[f32; M]; 3]; N]) -> [[([f32; M], f32, [[f32; 2]; M]); 3]; N] {
                x.map2d(|row| {
                    let mean = row.reduce(add, 0.0) / M as f32;
                    (row.map(|v| v - mean), mean, row.map(|v| [v, v * mean]))
                })
            }",
            sizes: ROWS_OF_SOME,
        },
        Case {
            name: "rows around their means",
            text: "#[kernel] fn Around<N, M>(x: [[f64; M]; N]) -> [f64; N] {
                x.map(|row| { let mean = row.reduce(add, 0.0) / M as f64; row.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0) + mean })
            }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "few long columns times a vector",
            text: "#[kernel] fn Times<N, M>(a: [[i64; N]; M], x: [i64; M]) -> [i64; N] { a.transpose().map(|c| zip(c, x).map(mul).reduce(add, 0)) }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "few long columns",
            text: "#[kernel] fn Columns<N, M>(x: [[i64; N]; M]) -> [i64; N] { x.transpose().map(reduce(min, 1000)) }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "sums of points",
            text: "#[kernel] fn Points<N, M>(x: [[f64; 3]; M], y: [[f64; 3]; N]) -> ([f64; 3], [f64; 3]) { (x.transpose().map(reduce(add, 0.0)), y.transpose().map(reduce(max, f64::NEG_INFINITY))) }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "a product of few long rows and columns",
            text: "#[kernel] fn Product<N, M>(a: [[i32; M]; N], b: [[i32; N]; M]) -> [[i32; N]; N] { a.map(|row| b.transpose().map(|c| zip(row, c).map(mul).reduce(add, 0))) }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "the nearest of many points",
            text: "#[kernel] fn Nearest<N, M>(q: [i32; N], p: [i32; M]) -> [(i32, i32); N] {
                q.map(|a| p.map(|b| ((a - b) * (a - b), b)).reduce(|s, t| if t.0 < s.0 || t.0 == s.0 && t.1 < s.1 { t } else { s }, (i32::MAX, i32::MAX)))
            }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "prefixes of few long columns",
            text: "#[kernel] fn Down<N, M>(x: [[i64; N]; M]) -> [[i64; N]; M] { x.transpose().map(|c| c.map(|v| 3 * v).scan(add, 0).map(|v| v + 1)).transpose() }",
            sizes: LONG_ROWS,
        },
        Case {
            name: "what is reduced between other launches",
            text: "#[kernel] fn Centred<N, M>(x: [[f64; N]; M]) -> [[f64; N]; M] {
                let means = x.transpose().map(|c| c.reduce(add, 0.0) / M as f64);
                x.map(|row| zip(row, means).map(sub))
            }",
            sizes: LONG_ROWS,
        },
    ]
}

/// A row of the last block, rows that are shorter than what its items read at once, and longer ones with something left over.
const SHORT_ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 37), ("M", 45)], &[("N", 65), ("M", 132)]];

fn short_rows() -> Vec<Case> {
    vec![
        Case {
            name: "short rows times a vector",
            text: "#[kernel] fn Times<N, M>(x: [[i32; M]; N], y: [i32; M]) -> [i64; N] { x.map(|row| zip(row, y).map(mul).reduce(add, 0) as i64 - M as i64) }",
            sizes: SHORT_ROWS,
        },
        Case {
            name: "rows of two arrays, of which one is made to have nothing of the other",
            text: "#[kernel] fn Apart<N, M>(x: [[f64; M]; N], y: [[f64; M]; N], s: [f64; N]) -> [[f64; M]; N] {
                zip(x, y, s).map(|x, y, s| { let d = s + zip(x, y).map(mul).reduce(add, 0.0); zip(x, y).map(|x, y| x - d * y) })
            }
            #[kernel] fn Wider<N, M>(x: [[i32; M]; N]) -> [[i32; M + 2]; N] {
                x.map(|row| { let all = row.reduce(add, 0); row.pad(1, 1, constant(5)).map(|v| v - all) })
            }
            #[kernel] fn Above<N, M>(x: [[i32; M]; N]) -> [i32; N] {
                x.map(|row| { let all = row.reduce(add, 0); row.map(|v| if v * 8 > all { 1 } else { 0 }).reduce(add, 0) })
            }",
            // Nothing can be computed from no elements.
            sizes: &ROWS[..3],
        },
        Case {
            name: "softmax of short rows of planes",
            text: "#[kernel] fn Softmax<N, M>(x: [[[f64; M]; N]; 2]) -> [[[f64; M]; N]; 2] {
                x.map(map(|row| { let top = row.reduce(max, f64::NEG_INFINITY); let e = row.map(|v| exp(v - top)); let sum = e.reduce(add, 0.0); e.map(|v| v / sum) }))
            }",
            sizes: SHORT_ROWS,
        },
        Case {
            name: "prefixes of short rows",
            text: "#[kernel] fn Prefixes<N, M>(x: [[i64; M]; N]) -> [[i64; M]; N] { x.map(|row| row.map(|v| 2 * v).scan(add, 0).map(|v| v - 1)) }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 65), ("M", 7)], &[("N", 130), ("M", 8)]],
        },
        Case {
            name: "prefixes of short rows of planes, of pairs",
            text: "#[kernel] fn Pairs<N>(x: [[[(f32, i32); 5]; N]; 3]) -> [[[f32; 5]; N]; 3] {
                x.map(map(|row| row.map(|p| p.0 + p.1 as f32).scan(max, f32::NEG_INFINITY)))
            }",
            sizes: &[&[("N", 1)], &[("N", 66)]],
        },
        Case {
            name: "where short rows are largest",
            text: "#[kernel] fn Largest<N>(x: [[f32; 24]; N]) -> [(i32, f32); N] { x.map(|row| { let (i, v) = row.argmax(); (i as i32, v) }) }",
            sizes: &[&[("N", 1)], &[("N", 70)]],
        },
    ]
}

fn transposed() -> Vec<Case> {
    vec![
        Case {
            name: "a transposed matrix",
            text: "#[kernel] fn Transposed<N, M>(x: [[u16; M]; N]) -> [[u16; N]; M] { x.transpose() }",
            sizes: PLANES,
        },
        Case {
            name: "a matrix and a transposed one",
            text: "#[kernel] fn Both<N, M>(x: [[f32; M]; N], y: [[f32; N]; M]) -> [[f32; M]; N] { zip2d(x, y.transpose()).map2d(|a, b| a - 2.0 * b) }",
            sizes: PLANES,
        },
    ]
}

/// Rows that are shorter than a vector, that are none, and that are longer than what a group computes.
const SHORT_AND_LONG: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 171), ("M", 3)], &[("N", 300), ("M", 4)], &[("N", 5), ("M", 515)]];

/// Functions of elements, which groups compute row after row.
fn elements() -> Vec<Case> {
    vec![
        Case {
            name: "a gain for each channel and an offset for each row",
            text: "#[kernel] fn Gains<N, M>(x: [[f32; M]; N], gains: [f32; M], offsets: [f32; N]) -> [[f32; M]; N] {
                zip(x, offsets).map(|row, offset| zip(row, gains).map(|v, gain| v * gain + offset))
            }",
            sizes: SHORT_AND_LONG,
        },
        Case {
            name: "two results of the elements of planes",
            text: "#[kernel] fn Planes<N, M>(x: [[[i32; M]; N]; 3], y: [[[i32; M]; N]; 3]) -> ([[[i32; M]; N]; 3], [[[i32; M]; N]; 3]) {
                zip3d(x, y).map3d(|a, b| (2 * a + b, a - b)).unzip3d()
            }",
            sizes: SHORT_AND_LONG,
        },
        Case {
            name: "the negative of an image",
            text: "#[kernel] fn Negative<N, M>(x: [[u8; M]; N]) -> [[u8; M]; N] { x.map2d(|v| 255 - v) }",
            sizes: SHORT_AND_LONG,
        },
        Case {
            name: "an outer product",
            text: "#[kernel] fn Outer<N, M>(x: [f64; N], y: [f64; M]) -> [[f64; M]; N] { x.map(|a| y.map(|b| a * b)) }",
            sizes: SHORT_AND_LONG,
        },
        Case {
            name: "rows from their ends",
            text: "#[kernel] fn Turned<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] { x.map(|row| row.reverse().map(|v| 3 * v)) }",
            sizes: SHORT_AND_LONG,
        },
    ]
}

/// Reductions of arrays that were filled up.
fn filled() -> Vec<Case> {
    vec![
        Case {
            name: "rows of which the last are nothing but filling",
            text: "#[kernel] fn Filled<N, M>(x: [[i32; M]; N]) -> [i32; N + 2] { x.join().pad(0, 2 * M, constant(0)).split(M).map(reduce(add, 0)) }",
            sizes: SHORT_AND_LONG,
        },
        Case {
            name: "filling that is not neutral",
            text: "#[kernel] fn Counted<N, M>(x: [[i32; M]; N]) -> [i32; N + 2] { x.join().pad(0, 2 * M, constant(0)).split(M).map(|row| row.fold(|n, v| 2 * n + v + 1, 0)) }",
            sizes: SHORT_AND_LONG,
        },
        Case {
            name: "pairs of which both parts are filled up",
            text: "#[kernel] fn Both<N, M>(x: [i32; N], y: [i32; M]) -> ([i32; N], [f32; N]) {
                x.map(|a| y.map(|b| (a * b, (a - b) as f32)).pad(0, 3, constant((1, f32::NEG_INFINITY))).reduce(|p, q| (p.0 * q.0, p.1.max(q.1)), (1, f32::NEG_INFINITY))).unzip()
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 131), ("M", 77)]],
        },
        Case {
            name: "pairs that are chosen together",
            text: "#[kernel] fn Chosen<N>(x: [i32; N], y: [i32; N]) -> ([i32; N + 3], [i32; N + 3]) {
                zip(x, y).map(|a, b| (a * b + 1, a - b)).pad(1, 2, constant((7, 9))).map(|p| (p.0 - p.1, p.0 * p.1)).unzip()
            }",
            sizes: &[&[("N", 1)], &[("N", 600)]],
        },
    ]
}
