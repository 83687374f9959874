//! Reductions by key: alone, in functions, and in the middle of programs; few bins and many, few elements and many, one key and all.

use super::cases::Case;

/// Several chunks, of which the last is shorter. Where only the first are tried, one is of these.
const LONG: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 16_411)], &[("N", 130)]];

/// The same, for kernels that are cut into chunks like others.
const ALSO_LONG: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 130)], &[("N", 16_411)]];

const LINE: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 130)], &[("N", 257)]];

const BINS: &[&[(&str, i64)]] = &[
    &[("N", 1), ("B", 1)],
    &[("N", 3), ("B", 17)],
    &[("N", 16_411), ("B", 5)],
    &[("N", 100), ("B", 1)],
    &[("N", 1009), ("B", 600)],
];

const ROWS: &[&[(&str, i64)]] = &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 97)], &[("N", 40), ("M", 7)]];

/// A kernel with more bins than local memory holds.
pub const MANY_BINS: &str = "more bins than local memory holds";

/// Reductions by key.
pub fn keys() -> Vec<Case> {
    [whole(), inside(), found()].concat()
}

/// Loops that look for the elements of each key.
fn found() -> Vec<Case> {
    vec![
        Case {
            name: "bytes that are compared",
            text: "#[kernel] fn Compared<N>(x: [u8; N]) -> [i32; 256] {
                array(256, |k| x.map(|x| (x as usize == k) as i32).reduce(add, 0))
            }",
            sizes: ALSO_LONG,
        },
        Case {
            name: "classes that are compared",
            text: "#[kernel] fn Classes<N>(k: [i32; N], v: [f32; N]) -> ([f32; 19], [f32; 40]) {
                (
                    array(19, |i| zip(k, v).map(|k, v| if k % 23 == i as i32 { v } else { 0.0 }).reduce(add, 0.0)),
                    array(40, |i| zip(k, v).map(|k, v| if i as i32 + 3 == k & 63 { v } else { f32::NEG_INFINITY }).reduce(max, f32::NEG_INFINITY)),
                )
            }",
            sizes: ALSO_LONG,
        },
        Case {
            name: "some bins that are compared",
            text: "#[kernel] fn Some<N, B>(before: [i64; B], k: [u32; N]) -> [i64; B] {
                zip(before, array(B, |i| k.map(|k| (k as usize % (B + 2) == i) as i64).reduce(add, 0))).map(add)
            }",
            sizes: BINS,
        },
        Case {
            name: "counts that are changed",
            text: "#[kernel] fn Changed<N>(x: [u8; N]) -> [u32; 60] {
                x.fold(|n, x| zip(n, array(60, |k| k as i32 + 97)).map(|n, k| if x as i32 == k { n + 1 } else { n }), repeat(60, 0))
            }",
            sizes: ALSO_LONG,
        },
        Case {
            name: "sums of coordinates that are changed",
            text: "#[kernel] fn Sums<N>(points: [[f32; 2]; N], centres: [[f32; 2]; 6]) -> [[f32; 3]; 6] {
                points.fold(
                    |sums, p| {
                        let near = |c| (c[0] - p[0]) * (c[0] - p[0]) + (c[1] - p[1]) * (c[1] - p[1]);
                        let (best, _) = centres.map(near).argmin();
                        array(6, |k| if best == k { [sums[k][0] + p[0], sums[k][1] + p[1], sums[k][2] + 1.0] } else { sums[k] })
                    },
                    repeat(6, repeat(3, 0.5)),
                )
            }",
            sizes: LINE,
        },
        Case {
            name: "pairs that are changed",
            text: "#[kernel] fn Pairs<N>(k: [u32; N], v: [f32; N]) -> [(f32, u32); 7] {
                zip(k, v).fold(
                    |s, (k, v)| zip(s, array(7, |i| i as u32)).map(|s, i| if i == k % 9 { (s.0.min(v), s.1 ^ k) } else { s }),
                    repeat(7, (100.0, 1)),
                )
            }",
            sizes: LINE,
        },
    ]
}

/// Of whole arrays.
fn whole() -> Vec<Case> {
    vec![
        Case {
            name: "bytes",
            text: "#[kernel] fn Bytes<N>(x: [u8; N]) -> [u32; 256] { x.histogram(256) }",
            sizes: LONG,
        },
        Case {
            name: "bytes of an image",
            text: "#[kernel] fn Image<N, M>(x: [[u8; M]; N]) -> [f32; 256] { x.join().histogram(256).map(|n| n as f32 / (N * M) as f32) }",
            sizes: ROWS,
        },
        Case {
            name: "one bin, one key",
            text: "#[kernel] fn One<N>(x: [i32; N]) -> ([i32; 1], [u32; 300]) {
                (reduce_by_key(1, add, 0, repeat(N, 0), x), histogram(300, array(N, |_| 299)))
            }",
            sizes: LINE,
        },
        Case {
            name: "weights",
            text: "#[kernel] fn Weights<N>(k: [u32; N], w: [f32; N]) -> [f32; 64] { w.reduce_by_key(64, add, 0.0, k.map(|k| k % 64)) }",
            sizes: ALSO_LONG,
        },
        Case {
            name: "pairs",
            text: "#[kernel] fn Mean<N>(k: [i32; N], w: [i32; N]) -> [(i32, u16); 21] {
                let parts = w.map(|w| (w, 1));
                parts.reduce_by_key(21, |a, b| (a.0 + b.0, a.1 + b.1), (0, 0), k.map(|k| k.rem_euclid(21)))
            }",
            sizes: ALSO_LONG,
        },
        Case {
            name: "what devices do atomically",
            text: "#[kernel] fn Atomic<N>(k: [u8; N], x: [i32; N], y: [u32; N]) -> ([i32; 16], [i32; 16], [u32; 16], [u32; 16], [u32; 16], [u32; 16]) {
                let k = k.map(|k| k & 15);
                (
                    x.reduce_by_key(16, min, i32::MAX, k),
                    x.reduce_by_key(16, max, i32::MIN, k),
                    y.reduce_by_key(16, |a, b| a & b, u32::MAX, k),
                    y.reduce_by_key(16, |a, b| b | a, 0, k),
                    y.reduce_by_key(16, |a, b| a ^ b, 0, k),
                    y.reduce_by_key(16, min, 77, k),
                )
            }",
            sizes: LINE,
        },
        Case {
            name: "what they do not",
            text: "#[kernel] fn Others<N>(k: [u16; N], x: [i32; N], y: [i64; N]) -> ([i32; 9], [i64; 9], [bool; 9], [u8; 300]) {
                let k = k.map(|k| k % 9);
                (
                    x.reduce_by_key(9, mul, 1, k),
                    y.reduce_by_key(9, |a, b| if a > b { a } else { b }, i64::MIN, k),
                    x.map(|x| x > 50).reduce_by_key(9, |a, b| a || b, false, k),
                    reduce_by_key(300, add, 0, k, repeat(N, 1)),
                )
            }",
            sizes: LINE,
        },
        Case {
            name: "as many bins as the user says",
            text: "#[kernel] fn Bins<N, B>(base: [i32; B], k: [i32; N], x: [i32; N]) -> ([i32; B], [f32; B]) {
                let k = k.map(|k| (k % B as i32).abs());
                (zip(base, x.reduce_by_key(B, add, 0, k)).map(add), x.map(|x| x as f32).reduce_by_key(B, max, f32::NEG_INFINITY, k))
            }",
            sizes: BINS,
        },
        Case {
            name: MANY_BINS,
            text: "#[kernel] fn Many<N>(k: [u32; N]) -> [u32; 10007] { k.map(|k| k % 10007).histogram(10007) }",
            sizes: &[&[("N", 1)], &[("N", 300)], &[("N", 16_411)]],
        },
    ]
}

/// In functions, and between other steps.
fn inside() -> Vec<Case> {
    vec![
        Case {
            name: "rows of any length",
            text: "#[kernel] fn Rows<N, D>(x: [[f32; D]; N], k: [u32; N]) -> [[f32; D]; 6] {
                x.reduce_by_key(6, |a, b| zip(a, b).map(add), [0.0; D], k.map(|k| (k % 6) as usize))
            }",
            sizes: &[&[("N", 1), ("D", 1)], &[("N", 70), ("D", 5)], &[("N", 16_391), ("D", 2)]],
        },
        Case {
            name: "bytes of rows",
            text: "#[kernel] fn Rows<N, M>(x: [[u8; M]; N]) -> [[u32; 256]; N] { x.map(histogram(256)) }",
            sizes: ROWS,
        },
        Case {
            name: "sums of what rows have",
            text: "#[kernel] fn Sums<N, M>(x: [[u8; M]; N]) -> [[u32; 256]; N] { x.map(|row| row.histogram(256).scan(add, 0)) }",
            sizes: ROWS,
        },
        Case {
            name: "few elements in a function",
            text: "#[kernel] fn Few<N, M>(x: [[i32; 5]; N], y: [[i32; M]; N]) -> [i32; N] {
                zip(x, y).map(|x, y| x.reduce_by_key(3, add, 0, x.map(|v| v.rem_euclid(3))).map(|n| n * n).reduce(add, 0)
                    + if y[0] > 50 { y.map(|v| v.rem_euclid(4)).histogram(4)[1] as i32 } else { 7 })
            }",
            sizes: ROWS,
        },
        Case {
            name: "equalised",
            text: "#[kernel] fn Equalised<N, M>(x: [[u8; M]; N]) -> [[f32; M]; N] {
                let table = x.join().histogram(256).scan(add, 0).map(|below| below as f32 / (N * M) as f32);
                x.map(|row| gather(row, table))
            }",
            sizes: ROWS,
        },
        Case {
            name: "counted in place",
            text: "#[kernel] fn Count<N>(counts: &mut [u32; 256], x: [u8; N]) { write_to(counts, zip(counts, x.histogram(256)).map(add)); }",
            sizes: LINE,
        },
        Case {
            name: "one after the other",
            text: "#[kernel] fn Again<N>(x: [u8; N]) -> [u32; 5] { x.histogram(256).map(|n| n % 5).histogram(5) }",
            sizes: LINE,
        },
        Case {
            name: "chosen",
            text: "#[kernel] fn Chosen<N>(twice: bool, x: [u8; N]) -> [u32; 256] { if twice { x.histogram(256).map(|n| 2 * n) } else { repeat(256, 1) } }",
            sizes: &[&[("N", 1)], &[("N", 300)]],
        },
        Case {
            name: "of the rows of several matrices, as parts of all",
            text: "#[kernel] fn Parts<N, M>(x: [[[u8; M]; 3]; N]) -> ([[[f32; 256]; 3]; N], [[[u32; 7]; 3]; N]) {
                let parts = x.map2d(|row| row.histogram(256).map(|n| n as f32 / M as f32));
                (parts, x.map2d(|row| row.map(|v| v % 7).histogram(7)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "of rows, twice and beside a sum",
            text: "#[kernel] fn Twice<N, M>(x: [[u8; M]; N]) -> ([[u32; 16]; N], [[u32; 16]; N]) {
                let sums = x.map(|row| {
                    let s = row.map(|v| v as u32).reduce(add, 0);
                    row.map(|v| v % 16).histogram(16).map(|n| n + s)
                });
                (x.map(|row| zip(row.map(|v| v % 16).histogram(16), row.map(|v| v / 16).histogram(16)).map(add)), sums)
            }",
            sizes: ROWS,
        },
        Case {
            name: "sums of rows by key",
            text: "#[kernel] fn RowSums<N, M>(k: [[u8; M]; N], v: [[f32; M]; N]) -> [[f32; 12]; N] {
                zip(k, v).map(|k, v| v.reduce_by_key(12, add, 0.0, k.map(|k| k as usize % 12)).map(|s| s / M as f32))
            }",
            sizes: ROWS,
        },
        Case {
            name: "placed",
            text: "#[kernel] fn Placed<N, M>(x: [[u8; M]; N]) -> ([[u32; 256]; N], [[u32; 16]; N]) {
                let whole = x.map_global(0, |row| row.histogram(256));
                (whole, x.map_global(0, |row| row.map(|v| v % 16).histogram(16).map_seq(|n| n + 1)))
            }",
            sizes: ROWS,
        },
        Case {
            name: "placed in groups",
            text: "#[kernel] fn Groups<N, M>(x: [[u8; M]; N]) -> [[u32; 16]; N] {
                x.map_workgroup(0, |row| to_local(row.map(|v| v % 16).histogram(16)).map_local(0, |n| n + 1))
            }",
            sizes: ROWS,
        },
    ]
}
