//! Kernels with `map_vec`: what stands in the lanes of vectors, and what is written out because it cannot.

use super::cases::Case;

const ONE_DIM: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 17)], &[("N", 96)]];

const TWO_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 2)], &[("N", 3), ("M", 19)], &[("N", 7), ("M", 61)], &[("N", 2), ("M", 66)]];

/// Vectors of each length, of numbers of each type.
macro_rules! widths {
    ($($ty:literal $width:literal $seven:literal $name:literal;)*) => {
        [$(
            Case {
                name: concat!($width, " lanes of ", $ty),
                text: concat!(
                    "#[kernel] fn ", $name, "<N>(a: ", $ty, ", x: [", $ty, "; N], y: [", $ty, "; N]) -> [", $ty, "; N] {
                        let pairs = zip(x, y);
                        let f = |(x, y)| {
                            let sum = a * x + y - x * y / ", $seven, ";
                            if x < y && y != a || !(sum > x) { sum.max(a) - x } else { sum.min(y) * ", $seven, " }
                        };
                        pairs.take(N / ", $width, " * ", $width, ").split(", $width, ").map_global(0, map_vec(f)).join()
                            .concat(pairs.drop(N / ", $width, " * ", $width, ").map_global(0, f))
                    }"
                ),
                sizes: ONE_DIM,
            },
        )*]
    };
}

/// All of them.
pub fn lanes() -> Vec<Case> {
    let mut cases = widths! {
        "f32" "2" "7.0" "Floats2";
        "f32" "3" "7.0" "Floats3";
        "f32" "4" "7.0" "Floats4";
        "f32" "8" "7.0" "Floats8";
        "f32" "16" "7.0" "Floats16";
        "f64" "2" "7.0" "Doubles2";
        "f64" "3" "7.0" "Doubles3";
        "f64" "4" "7.0" "Doubles4";
        "f64" "8" "7.0" "Doubles8";
        "i32" "2" "7" "Ints2";
        "i32" "3" "7" "Ints3";
        "i32" "16" "7" "Ints16";
        "u32" "4" "7" "Unsigned4";
        "i64" "8" "7" "Longs8";
        "u64" "2" "7" "UnsignedLongs2";
        "i8" "16" "7" "Bytes16";
        "u8" "4" "7" "UnsignedBytes4";
        "i16" "8" "7" "Shorts8";
        "u16" "3" "7" "UnsignedShorts3";
        "usize" "4" "7" "Sizes4";
    }
    .to_vec();
    cases.extend([
        Case {
            name: "methods in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Methods<N>(x: [f32; N], y: [f32; N]) -> [f32; N] {
                zip(x, y).split(4).map_global(0, map_vec(|(a, b)| {
                    let c = a.abs().sqrt() + a.mul_add(b, 1.0) + a.mul_add(0.5, b) + b.powi(3) + a.recip() % 0.3;
                    let d = a.clamp(-0.25, 0.75) + b.floor() * a.exp() + (a + 2.0).powf(b) + a.hypot(3.0);
                    c + d.to_degrees() - a.copysign(b) + a.atan2(b)
                })).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "methods of integers in lanes",
            text: "#[kernel] #[size(N % 8 == 0)] fn Bits<N>(x: [i32; N], y: [i32; N]) -> [i32; N] {
                zip(x, y).split(8).map_global(0, map_vec(|(a, b)| {
                    (a & b | !a ^ b) - a.clamp(3, 100) * a.wrapping_mul(b) + -b.saturating_add(a) / 5 + b % 16
                })).join()
            }",
            sizes: &[&[("N", 8)], &[("N", 40)]],
        },
        Case {
            name: "methods that have no vectors",
            text: "#[kernel] #[size(N % 4 == 0)] fn Written<N>(x: [f32; N], y: [i32; N]) -> ([f32; N], [i32; N]) {
                zip(x, y).split(4).map_global(0, map_vec(|(a, b)| {
                    (if a.is_nan() { 0.0 } else { a.fract() + a.signum() }, b / (b % 3) + b.pow(3))
                })).join().unzip()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "conversions in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Convert<N>(x: [f32; N], y: [i32; N], z: [u8; N]) -> ([i32; N], [f64; N], [u8; N]) {
                zip(x, y, z).split(4).map_global(0, map_vec(|(a, b, c)| {
                    ((a * 100.0) as i32 + c as i32, b as f64 + a as f64 * (c > 3) as i32 as f64, b as u8 + (a * 1000.0) as u8)
                })).join().unzip()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "truth values in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Truth<N>(x: [f32; N], t: [bool; N], y: [f64; N]) -> ([bool; N], [f64; N]) {
                zip(x, t, y).split(4).map_global(0, map_vec(|(a, t, y)| {
                    let big = a > 0.25;
                    let both = big && t;
                    (both == (y < 0.5), if both || !big { y * 2.0 } else if t == big { a as f64 } else { -y })
                })).join().unzip()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "indices in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Positions<N>(x: [f32; N]) -> ([usize; N], [f32; N]) {
                array(N, |i| (i, x[i])).split(4).map_global(0, map_vec(|(i, x)| {
                    (i * i + N, if i < 3 || i == N - 1 { x } else { x * i as f32 })
                })).join().unzip()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "clamped windows in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Windows<N>(x: [f32; N]) -> [f32; N] {
                x.pad(2, 1, clamp).slide(4, 1).split(4)
                    .map_global(0, map_vec(|w| w[0] - 2.0 * w[1] + w[2] * w[3])).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "other boundaries in lanes",
            text: "#[kernel] #[size(N % 2 == 0)] fn Edges<N>(x: [f64; N]) -> [f64; N] {
                zip(x.pad(1, 1, wrap).slide(3, 1), x.pad(1, 2, constant(0.5)).slide(4, 1)).split(2)
                    .map_global(0, map_vec(|(v, w)| v[0] - v[2] + 2.0 * w[0] + w[1] * w[3])).join()
            }",
            sizes: &[&[("N", 2)], &[("N", 34)]],
        },
        Case {
            name: "reductions in lanes",
            text: "#[kernel] #[size(N % 8 == 0)] fn Columns<N, M>(x: [[f32; N]; M], y: [[f32; M]; N]) -> ([f32; N], [f32; N]) {
                zip(x.transpose(), y).split(8).map_global(0, map_vec(|(column, row)| {
                    let (sum, greatest) = column.reduce_seq(|(sum, greatest), x| (sum + x, greatest.max(x)), (0.0, -1.0));
                    (sum * greatest, row.reduce_seq(|sum, x| sum * 0.5 + x, sum))
                })).join().unzip()
            }",
            sizes: &[&[("N", 8), ("M", 1)], &[("N", 24), ("M", 13)]],
        },
        Case {
            name: "iterations in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Rounds<N>(n: usize, x: [f64; N]) -> [f64; N] {
                x.split(4).map_global(0, map_vec(|x| iterate(n % 5, |y| 0.5 * (y + x * x / (y + 2.0)), x))).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "rounds that differ between lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Uneven<N>(n: [usize; N], x: [f64; N]) -> [f64; N] {
                zip(n, x).split(4).map_global(0, map_vec(|(n, x)| iterate(n % 5, |y| 0.5 * (y + x), 1.0))).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "registers in lanes, and lanes of registers",
            text: "#[kernel] #[size(N % 4 == 0)] fn Registers<N>(x: [f32; N]) -> [f32; N] {
                x.pad(1, 1, clamp).slide(6, 4).map_global(0, |tile| {
                    let own = to_private(tile);
                    own.slide(3, 1).map_vec(|w| {
                        let mine = to_private(w.map_seq_unroll(|x| x * x));
                        mine[0] + mine[1] * mine[2] - mine.reduce_seq_unroll(max, mine[0])
                    })
                }).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "vectors kept in registers",
            text: "#[kernel] #[size(N % 4 == 0)] fn Kept<N>(x: [f32; N]) -> [f32; N] {
                x.split(4).map_global(0, |v| {
                    let squares = to_private(v.map_vec(|x| x * x));
                    zip(squares, squares.reverse()).map_vec(|(a, b)| a - 0.5 * b)
                }).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "gathers in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Gathers<N>(k: [usize; N], x: [f32; N]) -> ([f32; N], [f32; N]) {
                let far = k.split(4).map_global(0, map_vec(|k| x[k.min(N - 1)] * 2.0)).join();
                let near = gather(k.map(|k| k % N), x).split(4).map_global(0, map_vec(|y| y * 0.5)).join();
                (far, near)
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "lanes that are written apart",
            text: "#[kernel] #[size(N % 4 == 0)] fn Scatters<N>(x: [f32; N], y: [f32; N]) -> ([f32; N], [f32; N]) {
                let f = map_vec(|(x, y)| (x + y, 3.0));
                zip(x, y).split(4).map_global(0, f).transpose().join().unzip()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "elements that are apart",
            text: "#[kernel] #[size(N % 4 == 0)] fn Apart<N, M>(x: [[f32; M]; N]) -> [[f32; N]; M] {
                x.split(4).map_global(1, |rows| rows.transpose().map_global(0, map_vec(|x| x + 1.0)).transpose()).join().transpose()
            }",
            sizes: &[&[("N", 4), ("M", 3)], &[("N", 36), ("M", 5)]],
        },
        Case {
            name: "tables in lanes",
            text: "const WEIGHTS: [f32; 4] = [0.5, 0.25, -1.0, 2.0];
            #[kernel] #[size(N % 4 == 0)] fn Tables<N>(x: [f32; N]) -> [f32; N] {
                x.split(4).map_global(0, |v| zip(WEIGHTS, v).map_vec(|(w, x)| w * x)).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "arms with statements in lanes",
            text: "#[kernel] #[size(N % 4 == 0)] fn Arms<N>(flip: bool, x: [f32; N]) -> [f32; N] {
                x.pad(1, 1, clamp).slide(3, 1).split(4).map_global(0, map_vec(|w| {
                    let near = if flip { w.reduce_seq(add, 0.0) } else { w[1] };
                    if w[0] > w[1] { let y = w[2] * near; y * y } else { w[0] }
                })).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "lanes of local memory",
            text: "#[kernel] #[size(N % 16 == 0)] fn Locals<N>(x: [f32; N]) -> [f32; N] {
                x.split(16).map_workgroup(0, |chunk| {
                    let own = to_local(chunk.map_local(0, |x| x * 2.0));
                    own.reverse().split(4).map_local(0, map_vec(|x| x + 1.0)).join()
                }).join()
            }",
            sizes: &[&[("N", 16)], &[("N", 48)]],
        },
        Case {
            name: "vectors in vectors",
            text: "#[kernel] #[size(N % 4 == 0)] fn Nested<N>(x: [[f32; 2]; N]) -> [[f32; 2]; N] {
                x.split(4).map_global(0, map_vec(map_vec(|x| x + 1.0))).join()
            }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "vectors without a place",
            text: "#[kernel] #[size(N % 4 == 0)] fn Anywhere<N>(x: [f32; N]) -> [f32; N] { x.vectorize(4, |x| x * x + 1.0) }",
            sizes: &[&[("N", 4)], &[("N", 36)]],
        },
        Case {
            name: "rows of vectors with a rest",
            text: "#[kernel] #[size(M >= 2)] fn Rows<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                let f = |w| 0.5 * w[1][1] + 0.25 * w[0][1] - 0.125 * w[2][1] + w[1][0] * w[1][2];
                grid.pad2d(1, 1, clamp).slide2d(3, 1).map_global(0, |row| {
                    row.take(1).map_seq(f)
                        .concat(row.drop(1).take((M - 2) / 16 * 16).vectorize(16, f))
                        .concat(row.drop(1 + (M - 2) / 16 * 16).map_seq(f))
                })
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "vectors past the caches",
            text: "#[kernel] #[size(N % 16 == 0)] #[stores(streaming)]
                fn Scaled<N>(a: f32, x: [f32; N]) -> [f32; N] { x.vectorize(16, |x| a * x + 1.0) }
                #[kernel] #[size(N % 16 == 0)] #[work_group(1)] #[stores(streaming)]
                fn Split<N>(x: [f64; N]) -> ([f64; N], [f32; N]) {
                    x.split(8).map_global(0, |part| part.map_vec(|x| (x + x, (x * x) as f32)).map_vec(id)).join().unzip()
                }
                #[kernel] #[size(N % 16 == 0)] #[stores(streaming)]
                fn Twice<N>(x: [f32; N]) -> [f32; N] {
                    let more = materialize(x.vectorize(8, |x| x + 1.0));
                    more.pad(1, 1, clamp).slide(3, 1).vectorize(16, |w| w[0] * w[1] + w[2])
                }",
            sizes: &[&[("N", 16)], &[("N", 144)]],
        },
        Case {
            name: "rows of any length past the caches",
            text: "#[kernel] #[stores(streaming)] fn Rows<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                grid.map_global(0, |row| {
                    row.take(M / 16 * 16).vectorize(16, |x| x + 0.5).concat(row.drop(M / 16 * 16).map_seq(|x| x + 0.5))
                })
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rows in a ring, in vectors, with ends of their own",
            text: "#[kernel] #[size(M % 8 == 0, M >= 16, N % 4 == 0)] #[work_group(1)]
                fn Ends<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
                    image.pad(3, 3, clamp).slide(10, 4).map_workgroup(0, |rows| {
                        rows
                            .map_seq(|row| {
                                let windows = row.pad(4, 4, clamp).slide(9, 1);
                                let f = |w| w[0] - 0.5 * w[2] + w[4] + 0.25 * w[6] - w[8];
                                let ends = (windows.take(4).map_seq(f), windows.drop(M - 4).map_seq(f));
                                to_local(concat(ends.0, windows.crop(4, 4).vectorize(8, f), ends.1))
                            })
                            .slide_seq(7, 1)
                            .map_seq(|w| w.transpose().vectorize(8, |w| w[0] + 0.5 * w[3] - w[6]))
                    }).join()
                }",
            sizes: &[&[("N", 4), ("M", 16)], &[("N", 16), ("M", 40)]],
        },
        Case {
            name: "sums of vectors from a tile in local memory",
            text: "#[kernel] #[size(N % 4 == 0, M % 16 == 0)] #[work_group(1)]
                fn Tile<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
                    image.pad2d(1, 1, clamp).slide2d(6, 4, 18, 16).map_workgroup2d(|tile| {
                        to_local(tile).slide2d(4, 2, 10, 8).map_seq(map_seq(|w| {
                            zip(array(12, |i| i), w.map(slide(8, 1)).join())
                                .reduce_seq_unroll(|sums, (i, points)| {
                                    zip(array(2, |y| y), sums).map_seq_unroll(|(y, sum)| {
                                        zip(sum, points).map_vec(|(sum, x)| {
                                            if i / 3 >= y && i / 3 < y + 3 { sum + (1 + i % 3) as f32 * x } else { sum }
                                        })
                                    })
                                }, repeat(2, repeat(8, 0.0)))
                                .map_seq_unroll(map_vec(id))
                        })).join2d()
                    }).join2d()
                }",
            sizes: &[&[("N", 4), ("M", 16)], &[("N", 8), ("M", 48)]],
        },
    ]);
    cases
}
