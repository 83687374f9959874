//! Kernels with forms of the language that go together badly with others, if at all: arrays in structs, states of scans, boundaries
//! that change what they repeat.

use super::cases::Case;

/// Less than a vector, and several with something left over.
const LINES: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 5)], &[("N", 37)], &[("N", 130)]];

const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 5)], &[("N", 7), ("M", 36)], &[("N", 3), ("M", 70)]];

/// The forms of the language.
pub fn forms() -> Vec<Case> {
    [cells(), scans(), negated(), batches(), starts(), rows()].concat()
}

/// Arrays in structs.
fn cells() -> Vec<Case> {
    vec![
        Case {
            name: "a gas in cells",
            text: "const Q: usize = 5;
            struct Cell { f: [f32; Q], wall: bool }
            fn relaxed(cell: Cell) -> Cell {
                let mean = cell.f.reduce(add, 0.0) / 5.0;
                Cell { f: cell.f.map(|x| x + 0.5 * (mean - x)), wall: cell.wall }
            }
            #[kernel] fn Gas<N, M>(x: [[f32; M]; N], wall: [[u8; M]; N]) -> ([[[f32; Q]; M]; N], [[bool; M]; N]) {
                let cells = zip2d(x, wall).map2d(|x, wall| Cell { f: array(Q, |i| x + i as f32), wall: wall % 3 == 0 });
                let outside = Cell { f: [0.5, 0.25, 1.0, 2.0, 4.0], wall: true };
                cells.pad2d(1, 1, constant(outside)).slide2d(3, 1).map2d(|w| {
                    let moved = [w[1][1].f[0], w[0][1].f[1], w[2][1].f[2], w[1][0].f[3], w[1][2].f[4]];
                    let cell = Cell { f: moved, wall: w[1][1].wall };
                    let Cell { f, wall } = if cell.wall { cell } else { relaxed(cell) };
                    (if wall { f.reverse() } else { f }, wall)
                }).unzip2d()
            }",
            sizes: ROWS,
        },
        Case {
            name: "cells as arguments and results",
            text: "struct Cell { f: [[i32; 2]; 3], tag: (u8, [bool; 2]) }
            #[kernel] fn Moved<N>(by: Cell, cells: [Cell; N]) -> ([Cell; N], Cell) {
                let next = cells.map(|c| Cell { f: zip2d(c.f, by.f).map2d(add), tag: (c.tag.0, [by.tag.1[0], c.tag.1[0]]) });
                let last = next.fold(|a, b| if b.f[0][0] > a.f[0][0] { b } else { a }, by);
                (next.reverse(), last)
            }",
            sizes: LINES,
        },
        Case {
            name: "cells stored between launches",
            text: "struct Held { values: [i32; 4], n: u8 }
            fn held(v: i32) -> Held { Held { values: [v, v * v, 3 - v, 1], n: v as u8 } }
            #[kernel] fn Stored<N>(x: [i32; N]) -> ([i32; N], [Held; N]) {
                let all = x.map(held).materialize();
                let sums = all.pad(2, 1, wrap).slide(4, 1).map(|w| w.map(|h| h.values[1] - h.values[2]).reduce(add, 0) + w[3].n as i32);
                let next = iterate(3, |a| a.map(|h| Held { values: h.values.reverse(), n: h.n + 1 }), all);
                (sums, next)
            }",
            sizes: LINES,
        },
        Case {
            name: "cells in place",
            text: "struct Cell { f: [f32; 3], wall: bool }
            #[kernel] fn Still<N>(cells: &mut [Cell; N], k: i32) -> i32 {
                write_to(cells, cells.map(|c| if c.wall { c } else { Cell { f: c.f.map(|x| x * 0.5).reverse(), wall: !c.wall } }));
                2 * k
            }",
            sizes: LINES,
        },
        Case {
            name: "cells that are scanned and reduced",
            text: "struct Sum { of: [i32; 3], n: i32 }
            fn both(a: Sum, b: Sum) -> Sum { Sum { of: zip(a.of, b.of).map(add), n: a.n + b.n } }
            #[kernel] fn Sums<N, M>(x: [[i32; M]; N]) -> ([[i32; M]; N], [i32; 3]) {
                let none = Sum { of: [0, 0, 0], n: 0 };
                let each = |v| Sum { of: [v, 2 * v, v * v], n: 1 };
                let rows = x.map(|row| row.map(each).scan(both, none).map(|s| s.of[2] - s.n));
                (rows, x.join().map(each).reduce(both, none).of)
            }",
            sizes: ROWS,
        },
    ]
}

/// Scans with a state of another type than what comes out.
fn scans() -> Vec<Case> {
    vec![
        Case {
            name: "a filter with two states, in rows",
            text: "#[kernel] fn Filter<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| row.scan_with(|(a, b), v| {
                    let y = 0.5 * v + 0.25 * a - 0.125 * b;
                    ((y, a), y + b)
                }, (0.0, 1.0)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "there and back again",
            text: "#[kernel] fn Back<N, M>(x: [[f64; M]; N]) -> [[f64; M]; N] {
                x.map(|row| {
                    let there = row.scan_with(|c, v| (0.5 / (2.0 + v * v - 0.25 * c), (v, c)), 0.0);
                    there.scan_right_with(|s, (v, c)| { let y = v - c * s; (y, y) }, 0.5)
                })
            }",
            sizes: ROWS,
        },
        Case {
            name: "whole arrays with a counter",
            text: "#[kernel] fn Runs<N>(x: [i32; N]) -> ([u16; N], [(bool, i64); N]) {
                let runs = x.scan_with(|s, v| {
                    let same = v % 2 == s.0;
                    let n = if same { s.1 + 1 } else { 1u16 };
                    ((v % 2, n), n)
                }, (0, 0u16));
                let last = x.map(|v| v as i64).scan_right_with(|most, v| (most.max(v), (v > most, v - most)), -3i64);
                (runs, last)
            }",
            sizes: LINES,
        },
        Case {
            name: "a state that is an array, and one that comes out",
            text: "struct Taps { of: [i32; 3], n: u8 }
            #[kernel] fn Delay<N>(x: [i32; N]) -> [[i32; 3]; N] {
                let start = Taps { of: [1, 2, 3], n: 0 };
                x.scan_with(|t, v| {
                    let next = [v, t.of[0], t.of[1]];
                    (Taps { of: next, n: t.n + 1 }, zip(next, t.of).map(|a, b| a * b - t.n as i32))
                }, start)
            }",
            sizes: LINES,
        },
        Case {
            name: "what comes out is read by others",
            text: "#[kernel] fn Read<N, M>(x: [[i32; M]; N]) -> ([[i32; M]; N], [i32; N]) {
                let rows = x.map(|row| row.scan_with(|s, v| (s + v, s * v - 1), 2));
                let smooth = rows.map(|row| row.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] - 2 * w[1] + w[2]));
                (smooth, x.map(|row| row.scan_with(|(i, s), v| ((i + 1, s + v), i as i32 * s), (0u8, 0)).reduce(max, 0)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "folds on the way, placed",
            text: "#[kernel] fn Placed<N, M>(x: [[u8; M]; N]) -> ([[i32; M]; N], [[i32; M]; N]) {
                (
                    x.map_global(0, scan_seq(|s, v| 3 * s + v as i32, 1)),
                    x.map_global(0, |row| row.scan_with(|s, v| (s + v as i32, s - v as i32), 7)),
                )
            }",
            sizes: ROWS,
        },
    ]
}

/// Boundaries whose elements are negated.
fn negated() -> Vec<Case> {
    vec![
        Case {
            name: "all boundaries, wider than the array",
            text: "fn ends<n>(b: Boundary<i32>, x: [i32; n]) -> [i32; n] {
                x.pad(5, 7, b).slide(13, 1).map(|w| w[0] + 2 * w[3] - w[4] + 3 * w[5] + w[6] - 5 * w[12])
            }
            #[kernel] fn Wide<N>(x: [i32; N]) -> [[i32; 4]; N] {
                let (a, b) = (x.ends(negated(mirror)), x.ends(negated(reflect)));
                zip(a, b, x.ends(negated(wrap)), x.ends(negated(clamp))).map(|a, b, c, d| [a, b, c, d])
            }",
            sizes: LINES,
        },
        Case {
            name: "a wave in a box",
            text: "#[kernel] fn Wave<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
                u.pad2d(1, 1, negated(mirror)).slide2d(3, 1).map2d(|w| {
                    0.5 * w[1][1] + 0.125 * (w[0][1] + w[2][1] + w[1][0] + w[1][2])
                })
            }",
            sizes: ROWS,
        },
        Case {
            name: "each side another",
            text: "#[kernel] fn Sides<N, M>(u: [[f64; M]; N]) -> [[f64; M]; N] {
                u.pad2d(1, 0, 2, 1, negated(reflect), wrap).slide2d(2, 1, 4, 1).map2d(|w| w[0][1] - w[1][0] + w[1][3] * w[0][2])
            }",
            sizes: ROWS,
        },
        Case {
            name: "in three dimensions",
            text: "#[kernel] fn Room<N, M>(u: [[[f32; 5]; M]; N]) -> [[[f32; 5]; M]; N] {
                u.pad3d(1, 1, 1, 1, 1, 1, negated(mirror), clamp, negated(wrap)).slide3d(3, 1).map3d(|w| {
                    w[0][1][1] + w[2][1][1] - w[1][0][1] + w[1][2][1] + 2.0 * w[1][1][0] - w[1][1][2]
                })
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 6)]],
        },
        Case {
            name: "several steps",
            text: "#[kernel] fn Steps<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(4, |u| u.pad2d(1, 1, negated(mirror)).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[2][1] + w[1][0] + w[1][2])), u)
            }",
            sizes: ROWS,
        },
    ]
}

/// Products of matrices for each element of an array.
fn batches() -> Vec<Case> {
    const SIZES: &[&[(&str, i64)]] = &[
        &[("B", 1), ("M", 1), ("K", 1), ("N", 1)],
        &[("B", 3), ("M", 4), ("K", 7), ("N", 5)],
        &[("B", 2), ("M", 17), ("K", 9), ("N", 33)],
    ];
    vec![Case {
        name: "products in batches",
        text: "fn dot<K>(a: [i32; K], b: [i32; K]) -> i32 { zip(a, b).map(mul).reduce(add, 0) }
        fn product<M, K, N>(a: [[i32; K]; M], b: [[i32; N]; K]) -> [[i32; N]; M] { a.map(|row| b.transpose().map(dot(row))) }
        #[kernel] fn Batched<B, M, K, N>(a: [[[i32; K]; M]; B], b: [[[i32; N]; K]; B]) -> [[[i32; N]; M]; B] { zip(a, b).map(product) }",
        sizes: SIZES,
    }]
}

/// Start values that are not neutral, and not known: they count once.
fn starts() -> Vec<Case> {
    vec![
        Case {
            name: "a start value for each result",
            text: "#[kernel] fn Layer<N, M, K>(x: [[i32; K]; N], w: [[i32; K]; M], bias: [i32; M]) -> [[i32; M]; N] {
                x.map(|row| zip(w, bias).map(|(c, b)| zip(row, c).map(mul).reduce(add, b)))
            }",
            sizes: &[
                &[("N", 1), ("M", 1), ("K", 1)],
                &[("N", 5), ("M", 7), ("K", 3)],
                &[("N", 9), ("M", 33), ("K", 70)],
            ],
        },
        Case {
            name: "start values of whole arrays and of scans",
            text: "#[kernel] fn Starts<N>(z: i32, x: [i32; N]) -> (i32, i32, [i32; N], [i32; N], i32) {
                let (sum, most) = x.map(|v| (v, v)).reduce(|a, b| (a.0 + b.0, a.1.max(b.1)), (z + 1, z - 100));
                let product = x.map(|v| v % 3 + 1).reduce(|a, b| b.wrapping_mul(a), z);
                let bits = x.reduce(|a, b| a ^ b, z);
                (sum + most, product, x.scan(add, z), x.scan_right(add, 2 * z), bits)
            }",
            sizes: LINES,
        },
        Case {
            name: "a start value for each row, and for bins",
            text: "#[kernel] fn Rows<N, M>(z: i32, x: [[i32; M]; N]) -> ([i32; N], [[i32; M]; N], [i32; 5]) {
                let first = x.map(|row| row[0]);
                let sums = zip(x, first).map(|row, f| row.reduce(add, f + x.reduce2d(add, z)));
                let prefixes = zip(x, sums).map(|row, s| row.scan(add, s));
                (sums, prefixes, reduce_by_key(5, add, z, first.map(|f| (f % 5 + 5) as usize % 5), sums))
            }",
            sizes: ROWS,
        },
        Case {
            name: "start values that are arrays, and structs of them",
            text: "const SHIFT: [i32; 3] = [2; 3];
            struct Sum { of: [i32; 3], n: i32 }
            fn both(a: Sum, b: Sum) -> Sum { Sum { of: zip(a.of, b.of).map(add), n: a.n + b.n } }
            #[kernel] fn Sums<N>(z: [i32; 3], n: i32, x: [[i32; 3]; N]) -> ([i32; 3], i32, [i32; 3], [[i32; N]; 2]) {
                let sum = x.map(|of| Sum { of: zip(of, SHIFT).map(add), n: 1 }).reduce(both, Sum { of: z, n });
                (sum.of, sum.n, x.reduce(|a, b| zip(a, b).map(max), z), [[n; N]; 2])
            }",
            sizes: LINES,
        },
        Case {
            name: "windows of what two results share",
            text: "fn mean<H, W>(x: [[f32; W]; H]) -> [[f32; W]; H] {
                x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0) / 9.0)
            }
            #[kernel] fn Guided<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                let both = zip2d(x, mean(x)).map2d(|v, m| { let a = v / (m * m + 1.0); (a, m - a * v) });
                zip2d(mean(both.map2d(|(a, _)| a)), mean(both.map2d(|(_, b)| b)), x).map2d(|a, b, v| a * v + b)
            }",
            sizes: ROWS,
        },
    ]
}

/// Rows that are combined element by element, of lengths that only launches know.
fn rows() -> Vec<Case> {
    vec![
        Case {
            name: "sums, products and prefixes of rows",
            text: "#[kernel] fn Rows<N, M>(z: [i32; M], w: [i32; M], x: [[i32; M]; N]) -> ([i32; M], [i32; M], [i32; M], [[i32; M]; N]) {
                let sum = x.reduce(|a, b| zip(a, b).map(add), [0; M]);
                let largest = x.map(|row| row.map(|v| 3 * v)).reduce(|a, b| zip(b, a).map(max), z);
                let product = x.fold(|a, b| zip(a, b, w).map(|(a, b, w)| (a * w + b) % 1000), z);
                (sum, largest, product, x.scan(|a, b| zip(a, b).map(add), z))
            }",
            sizes: ROWS,
        },
        Case {
            name: "sums of rows that are computed as a whole",
            text: "#[kernel] fn Whole<N, M>(x: [[i32; M]; N]) -> ([i32; M], [[i32; M]; N], [[i32; M]; 3]) {
                let apart = x.map(|row| { let sum = row.reduce(add, 0); row.map(|v| v - sum) });
                let table = x.map(scan(add, 0)).scan(|a, b| zip(a, b).map(add), [0; M]);
                let batches = array(3, |i| x.map(|row| { let first = row[0] * i as i32; row.map(|v| v * first) })
                    .reduce(|a, b| zip(a, b).map(add), [0; M]));
                (apart.reduce(|a, b| zip(a, b).map(add), [0; M]), table, batches)
            }",
            sizes: ROWS,
        },
        Case {
            name: "weighted sums of rows, and by key",
            text: "#[kernel] fn Weighted<N, M>(z: [i32; M], w: [i32; N], x: [[i32; M]; N]) -> ([i32; M], [i32; M], [[i32; M]; 4]) {
                let sum = zip(x, w).fold(|a, (row, w)| zip(a, row).map(|(a, v)| a + w * v), z);
                let counts = w.fold(|a, w| a.map(|a| (a + w) % 999), z);
                let keys = w.map(|w| (w % 4 + 4) as usize % 4);
                (sum, counts, x.reduce_by_key(4, |a, b| zip(a, b).map(add), z, keys))
            }",
            sizes: ROWS,
        },
        Case {
            name: "counters, integer sums and extrema in order",
            text: "#[kernel] fn Folds<N>(z: i32, y: [f32; N], x: [i32; N]) -> (i32, i32, i32, f32, bool) {
                let positive = x.fold(|n, v| if v > 0 { n + 1 } else { n }, 0);
                let sum = zip(x, y).fold(|n, (v, w)| { let k = v * 3; if w > 0.5 { k + n } else if w < 0.1 { n } else { n + 2 * k } }, z);
                let bits = x.fold(|b, v| b ^ v.wrapping_shl(1), 5);
                (positive, sum, bits, y.fold(max, f32::NEG_INFINITY), x.fold(|all, v| all && v != 1000, true))
            }",
            sizes: LINES,
        },
        Case {
            name: "loops in order that wait for quotients and roots",
            text: "fn thomas<W>(a: f32, row: [f32; W]) -> [f32; W] {
                let forward = row.scan_with(|(c, p), d| { let m = 1.0 / (1.0 + 2.0 * a - a * c); let s = (a * m, (d + a * p) * m); (s, s) }, (0.0, 0.0));
                forward.scan_right_with(|x, (c, p)| { let y = (p + c * x) / (1.5 + x * x); (y, y) }, 0.0)
            }
            #[kernel] fn Waits<N, M>(a: f32, x: [[f32; M]; N], k: [[i32; M]; N]) -> ([[f32; M]; N], [[f32; N]; M], [f32; N], [[i32; M]; N]) {
                let a = 1.0 / (1.0 + a.abs());
                let norms = zip(x, k).map(|(row, k)| zip(row, k).fold(|s, (v, k)| if k > 0 { (s * s + v * v).sqrt() } else { 0.5 * s }, 1.0));
                let digits = k.map(|row| row.scan_with(|s, v| { let q = (s + v % 1000) / (1 + v % 7 * (v % 7)); (q, q + v % 3) }, 5));
                (x.map(thomas(a)), x.transpose().map(thomas(0.5 * a)), norms, digits)
            }",
            sizes: ROWS,
        },
        Case {
            name: "what keys have in common: sums, counts and the largest",
            text: "struct Cluster { sum: [i32; 3], count: i32 }
            fn both(a: Cluster, b: Cluster) -> Cluster { Cluster { sum: zip(a.sum, b.sum).map(add), count: a.count + b.count } }
            #[kernel] fn Clusters<N>(x: [[i32; 3]; N]) -> ([[i32; 3]; 5], [[i32; 3]; 5], [[[i32; 2]; 3]; 5]) {
                let keys = x.map(|p| (p[0] % 5 + 5) as usize % 5);
                let all = x.map(|p| Cluster { sum: p, count: 1 }).reduce_by_key(5, both, Cluster { sum: [0; 3], count: 0 }, keys);
                let largest = x.reduce_by_key(5, |a, b| if b[1] > a[1] { b } else { a }, [-9999; 3], keys);
                let pairs = x.map(|p| p.map(|v| [v, 3 - v])).reduce_by_key(5, |a, b| zip(a, b).map(|(a, b)| zip(a, b).map(max)), [[-9999; 2]; 3], keys);
                (all.map(|c| c.sum.map(|s| s / c.count.max(1))), largest, pairs)
            }",
            sizes: LINES,
        },
        Case {
            name: "moments of points",
            text: "#[kernel] fn Moments<N, M>(w: [f32; N], x: [[[f32; 3]; M]; N]) -> ([[f32; 3]; N], [[f32; 3]; 3], [[[f32; 3]; M]; N]) {
                let means = x.map(|row| row.reduce(|a, b| zip(a, b).map(add), [0.0; 3]).map(|s| s / M as f32));
                let pairs = x.join().map(|p| p.map(|a| p.map(|b| a * b)));
                let moments = pairs.reduce(|a, b| zip(a, b).map(|(r, s)| zip(r, s).map(add)), [[0.0; 3]; 3]);
                let paths = zip(x, w).map(|row, w| row.map(|p| p.map(|v| w * v)).scan(|a, b| zip(a, b).map(add), [0.5; 3]));
                (means, moments, paths)
            }",
            sizes: ROWS,
        },
        Case {
            name: "steps in a function, of a state of any length",
            text: "#[kernel] fn Last<N, M>(x: [f32; M], dt: [[f32; M]; N]) -> [[f32; M]; N] {
                dt.map(|row| row.fold(|state, dt| state.map(|v| v + 0.25 * dt * v), x))
            }",
            sizes: ROWS,
        },
        Case {
            name: "halves of rows that a definition is for",
            text: "#[kernel] fn Butterfly<N, M>(c: [f32; M], x: [[f32; 2 * M]; N]) -> [[f32; 2 * M]; N] {
                x.map(|row| {
                    let (low, high) = (row.take(M), row.drop(M));
                    let turned = zip(high, c).map(mul);
                    concat(zip(low, turned).map(add), zip(low, turned).map(sub))
                })
            }",
            sizes: ROWS,
        },
        Case {
            name: "definitions in indices, and arrays of windows of several arrays",
            text: "#[kernel] fn Found<N>(k: [i32; N], x: [f32; N]) -> [f32; N] {
                let at = |i| (max(i, 0) as usize).min(N - 1);
                k.map(|k| 0.25 * x[at(k)] + 0.75 * x[at(k + 1)])
            }
            #[kernel] fn Moved<N, M>(f: [[[f32; M]; N]; 3]) -> [[[f32; M]; N]; 3] {
                let g = array(3, |q| f[q].pad2d(1, 1, wrap).slide2d(3, 1));
                let moved = zip2d(g[0].map2d(|w| w[1][0]), g[1].map2d(|w| w[0][1]), g[2].map2d(|w| w[1][1]));
                moved.map2d(|a, b, c| { let sum = a + b + c; [a - 0.5 * sum, b + 0.25 * sum, c * sum] }).map(transpose).transpose()
            }
            #[kernel] fn Normalised<N, M>(x: [[[[f32; M]; N]; 2]; 3]) -> ([[[[f32; M]; N]; 2]; 3], [[[[f32; M]; N]; 2]; 3]) {
                let n = (N * M) as f32;
                let each = x.map(|image| image.map(|c| {
                    let mean = c.join().reduce(add, 0.0) / n;
                    c.map2d(|v| v - mean)
                }));
                let over = x.transpose().map(|c| {
                    let mean = c.join().join().reduce(add, 0.0) / (3.0 * n);
                    c.map3d(|v| v - mean)
                });
                (each, over.transpose())
            }",
            sizes: ROWS,
        },
    ]
}
