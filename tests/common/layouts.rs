//! Layout in unusual places: as the last step, in the middle of the way out, inside functions; and elements at
//! indices that are permuted, or data.

use super::cases::Case;

const ONE_DIM: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 3)], &[("N", 17)], &[("N", 257)]];

const TWO_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 3)], &[("N", 7), ("M", 61)], &[("N", 32), ("M", 33)]];

const THREE_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1), ("O", 1)], &[("N", 2), ("M", 3), ("O", 5)], &[("N", 5), ("M", 9), ("O", 35)]];

/// Layout on the way to the result.
pub fn layouts() -> Vec<Case> {
    vec![
        Case {
            name: "pad as the last step",
            text: "#[kernel] fn Last<N>(x: [i32; N]) -> [i32; N + 5] { x.map(|v| 2 * v).pad(3, 2, mirror) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a constant pad as the last step",
            text: "#[kernel] fn Last<N>(x: [i32; N]) -> [i32; N + 5] { x.map(|v| 2 * v).pad(3, 2, constant(7)) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "pad outside of a padding map",
            text: "#[kernel] fn Frame<N, M>(x: [[i32; M]; N]) -> [[i32; M + 2]; N + 2] {
                x.map(|row| row.map(|v| v + 1).pad(1, 1, clamp)).pad(1, 1, wrap)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "pad inside of a padding map",
            text: "#[kernel] fn Frame<N, M>(x: [[i32; M]; N]) -> [[i32; M + 2]; N + 2] {
                x.pad(1, 1, reflect).map(|row| row.map(|v| v + 1).pad(1, 1, mirror))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "three pads, planes last",
            text: "#[kernel] fn Block<N, M, O>(x: [[[i32; O]; M]; N]) -> [[[i32; O + 2]; M + 2]; N + 2] {
                x.map(|p| p.map(pad(1, 1, clamp)).pad(1, 1, wrap)).pad(1, 1, constant(3))
            }",
            sizes: THREE_DIM,
        },
        Case {
            name: "three pads, planes first",
            text: "#[kernel] fn Block<N, M, O>(x: [[[i32; O]; M]; N]) -> [[[i32; O + 2]; M + 2]; N + 2] {
                x.pad(1, 1, constant(3)).map(|p| p.pad(1, 1, wrap).map(pad(1, 1, clamp)))
            }",
            sizes: THREE_DIM,
        },
        Case {
            name: "padded pieces strung together",
            text: "#[kernel] fn Pieces<N>(x: [i32; 4 * N]) -> [i32; 6 * N] {
                x.split(4).map(|p| p.map(|v| v - p[0]).pad(1, 1, wrap)).join()
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "the pieces of something padded",
            text: "#[kernel] fn Pieces<N>(x: [i32; 4 * N]) -> [[i32; 4]; N + 1] {
                x.map(|v| v + 1).pad(1, 3, clamp).split(4)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "pieces padded and cut again",
            text: "#[kernel] fn Pieces<N>(x: [i32; 4 * N]) -> [[i32; 3]; 2 * N] {
                x.split(4).map(|p| p.pad(1, 1, clamp).split(3)).join()
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "windows as the result",
            text: "#[kernel] fn Windows<N>(x: [i32; N + 2]) -> [[i32; 3]; N] { x.map(|v| v * v).slide(3, 1) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "windows of windows",
            text: "#[kernel] fn Windows<N>(x: [i32; N + 4]) -> [[[i32; 3]; 3]; N] { x.slide(3, 1).slide(3, 1) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "tiles of windows, four dimensions",
            text: "#[kernel] fn Tiles<N, M>(x: [[i32; 2 * M + 2]; 2 * N + 2]) -> [[i32; 2 * M]; 2 * N] {
                x.slide2d(4, 2).map2d(|tile| tile.slide2d(3, 1).map2d(|w| w.reduce2d(add, 0) - w[1][1])).join2d()
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "the end of what is computed",
            text: "#[kernel] fn Tail<N>(x: [i32; N + 2]) -> [i32; N + 1] { x.map(|v| v + 1).drop(1) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "the end of pieces",
            text: "#[kernel] fn Tail<N>(x: [i32; 4 * N]) -> [i32; 4 * N - 3] {
                x.split(4).map(|p| p.map(|v| v - p[3])).join().drop(3)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "pieces without ends",
            text: "#[kernel] fn Inner<N>(x: [i32; 4 * N]) -> [i32; 2 * N] {
                x.split(4).map(|p| p.map(|v| v - p[0]).crop(1, 1)).join()
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "ends between maps",
            text: "#[kernel] fn Ends<N>(x: [[i32; 8]; N + 1]) -> [[i32; 6]; N] {
                x.map(|r| r.map(|v| v + 1)).drop(1).map(|r| r.drop(1).map(|v| 2 * v).take(6))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "tuples in windows",
            text: "#[kernel] fn Pairs<N>(x: [i32; N], y: [f32; N]) -> [f32; N] {
                zip(x, y).pad(1, 1, clamp).slide(3, 1).map(|w| w[0].0 as f32 * w[2].1 - w[1].1)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "tuples in windows, two dimensions",
            text: "#[kernel] fn Pairs<N, M>(x: [[i32; M]; N], y: [[i32; M]; N], z: [[i32; M]; N]) -> [[i32; M]; N] {
                zip2d(x, y, z).pad2d(1, 1, mirror).slide2d(3, 1).map2d(|w| w[0][0].0 - w[1][2].1 + w[2][1].2)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "an array beside its windows",
            text: "#[kernel] fn Beside<N>(x: [i32; N]) -> [i32; N] {
                zip(x, x.pad(1, 1, wrap).slide(3, 1)).map(|(v, w)| v * w[0] - w[2])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "the other way round",
            text: "#[kernel] fn Back<N>(x: [i32; N]) -> [i32; N] { x.map(|v| v + 1).reverse() }",
            sizes: ONE_DIM,
        },
        Case {
            name: "columns the other way round",
            text: "#[kernel] fn Back<N, M>(x: [[i32; M]; N]) -> [[i32; N]; M] {
                x.map(reverse).transpose().reverse().map(|column| column.map(|v| 2 * v))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "there and back",
            text: "#[kernel] fn Same<N>(x: [i32; N]) -> [i32; N] { x.reverse().reverse().map(|v| v + 1) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "windows in reverse",
            text: "#[kernel] fn Convolved<N>(x: [i32; N], w: [i32; 3]) -> [i32; N] {
                x.pad(1, 1, clamp).slide(3, 1).map(|v| zip(v.reverse(), w).map(mul).reduce(add, 0))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "strides",
            text: "#[kernel] fn Strided<N>(x: [i32; 6 * N]) -> [i32; 6 * N] { x.map(|v| v - 1).stride(3) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "rotations",
            text: "#[kernel] fn Rotated<N>(x: [i32; N]) -> [i32; N] {
                zip(x.reorder(|i, n| (i + 1) % n), x.scatter(|i, n| (i + 1) % n)).map(|(a, b)| a - 2 * b)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "pairs swapped",
            text: "#[kernel] fn Swapped<N>(x: [i32; 2 * N], y: [i32; 2 * N]) -> [i32; 2 * N] {
                zip(x.reorder(|i, n| if i % 2 == 0 { (i + 1).min(n - 1) } else { i.max(1) - 1 }), y).map(sub)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "the odd, then the even",
            text: "#[kernel] fn Parted<N>(x: [i32; 2 * N]) -> [i32; 2 * N] {
                x.map(|v| v + 1).reorder(|i, n| if i < n / 2 { 2 * i } else { 2 * (i - n / 2) + 1 })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "through a table of bytes",
            text: "#[kernel] fn Lookup<N>(x: [u8; N], table: [f32; 256]) -> [f32; N] { gather(x, table) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "bounded indices",
            text: "#[kernel] fn Bounded<N, M>(idx: [usize; M], x: [i32; N]) -> [i32; M] {
                zip(gather(idx.map(|i| i.min(N - 1)), x), gather(idx.map(|i| i % N), x)).map(|(a, b)| a - 2 * b)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rows at indices",
            text: "#[kernel] fn Rows<N, M>(idx: [i32; N], x: [[i32; M]; 8]) -> [[i32; M]; N] {
                gather(idx.map(|i| i.clamp(0, 7)), x).map(|row| row.map(|v| v - row[0]))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "windows at indices",
            text: "#[kernel] fn Smooth<N>(idx: [u8; N], x: [i32; 300]) -> [i32; N] {
                gather(idx, x).pad(1, 1, clamp).slide(3, 1).map(reduce(add, 0))
            }",
            sizes: ONE_DIM,
        },
    ]
}

/// Elements at indices that are in range, which only the data tell.
pub fn gathers() -> Vec<Case> {
    vec![
        Case {
            name: "elements at indices",
            text: "#[kernel] fn Pick<N, M>(idx: [i32; M], x: [f32; N]) -> [f32; M] {
                gather(idx.map(|i| (i % N as i32).abs()), x)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rows at checked indices",
            text: "#[kernel] fn Rows<N, M>(idx: [i32; N], x: [[i32; M]; 8]) -> [[i32; M]; N] {
                gather(idx.map(|i| (i % 8).abs()), x)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "sparse matrix times vector",
            text: "#[kernel] fn Ellpack<N, M>(columns: [[i32; M]; N], values: [[f32; M]; N], x: [f32; N]) -> [f32; N] {
                zip(columns, values).map(|(c, v)|
                    zip(gather(c.map(|i| (i % N as i32).abs()), x), v).map(mul).reduce(add, 0.0))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "indices of indices",
            text: "#[kernel] fn Twice<N>(a: [i32; N], b: [i32; N], x: [i32; N]) -> [i32; N] {
                gather(gather(a.map(|i| (i % N as i32).abs()), b).map(|i| (i % N as i32).abs()), x)
            }",
            sizes: ONE_DIM,
        },
    ]
}

/// Elements that are written at computed places.
pub fn scatters() -> Vec<Case> {
    vec![
        Case {
            name: "a butterfly, last",
            text: "#[kernel] fn Last<N>(x: [i32; 2 * N]) -> [i32; 2 * N] {
                x.map(|v| 3 * v).scatter(|i, n| if i % 2 == 0 { i / 2 } else { i / 2 + n / 2 })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a butterfly of what is there",
            text: "#[kernel] fn Copied<N>(x: [i32; 2 * N]) -> [i32; 2 * N] {
                x.scatter(|i, n| if i % 2 == 0 { i / 2 } else { i / 2 + n / 2 })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a butterfly in the middle",
            text: "#[kernel] fn Middle<N>(x: [i32; 2 * N]) -> [i32; 2 * N] {
                let y = x.map(|v| 3 * v).scatter(|i, n| if i % 2 == 0 { i / 2 } else { i / 2 + n / 2 });
                zip(y, y.reverse()).map(sub)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "rows that are scattered, and their ends",
            text: "#[kernel] fn Cut<N, M>(x: [[i32; M]; 2 * N]) -> [[i32; M]; 2 * N - 1] {
                x.map(|row| row.map(|v| v + 1)).scatter(|i, n| if i % 2 == 0 { i / 2 } else { i / 2 + n / 2 }).drop(1)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "within rows",
            text: "#[kernel] fn Inner<N, M>(x: [[i32; 2 * M]; N]) -> [[i32; 2 * M]; N] {
                x.map(|row| row.map(|v| v + 1).scatter(|i, n| if i % 2 == 0 { i / 2 } else { i / 2 + n / 2 }))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "within rows that are read",
            text: "#[kernel] fn Searched<N, M>(x: [[i32; 2 * M]; N]) -> [i32; N] {
                x.map(|row| zip(row, row.scatter(|i, n| if i % 2 == 0 { i / 2 } else { i / 2 + n / 2 }))
                    .map(|(a, b)| a * 3 - b).reduce(add, 0))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "some elements replaced",
            text: "#[kernel] fn Some<N>(x: [i32; 3 * N], v: [i32; N]) -> [i32; 3 * N] {
                scatter_to(x.map(|v| v + 1), array(N, |i| 3 * i + 1), v.map(|v| -v))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "some elements replaced, and more done",
            text: "#[kernel] fn More<N>(x: [i32; 3 * N], v: [i32; N]) -> [i32; 3 * N] {
                scatter_to(x, array(N, |i| 3 * i + 1), v).pad(1, 1, clamp).slide(3, 1).map(reduce(add, 0))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "some elements of rows replaced",
            text: "#[kernel] fn Rows<N, M>(x: [[i32; 3 * M]; N], v: [[i32; M]; N]) -> [[i32; 3 * M]; N] {
                zip(x, v).map(|(row, new)| scatter_to(row, array(M, |i| 3 * i + 1), new))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rows replaced",
            text: "#[kernel] fn Whole<N, M>(x: [[i32; M]; 2 * N], v: [[i32; M]; N]) -> [[i32; M]; 2 * N] {
                scatter_to(x, array(N, |i| 2 * i), v.map(reverse))
            }",
            sizes: TWO_DIM,
        },
    ]
}
