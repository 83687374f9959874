//! Kernels with loops that end early.

use super::cases::Case;

/// Strips of several vectors and something left over, and less than one.
const LINES: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 3)], &[("N", 131)], &[("N", 512)]];

const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 7)], &[("N", 7), ("M", 61)], &[("N", 2), ("M", 163)]];

const VECTORS: &[&[(&str, i64)]] = &[&[("N", 4)], &[("N", 36)]];

/// Of elements, of rows, and of whole arrays; at once, after some rounds, never, and without rounds.
pub fn cases() -> Vec<Case> {
    [elements(), rows(), lanes(), wholes()].concat()
}

fn elements() -> Vec<Case> {
    vec![
        Case {
            name: "how long points stay near",
            text: "#[kernel] fn Escape<N, M>(k: usize, im: [f32; N], re: [f32; M]) -> [[i32; M]; N] {
                im.map(|im| re.map(|re| iterate_until(
                    3 * k,
                    |x, y, _| x * x + y * y > 4.0,
                    |x, y, n| (x * x - y * y + 2.0 * re, 2.0 * x * y + im, n + 1),
                    (0.0, 0.0, 0),
                ).2))
            }",
            sizes: ROWS,
        },
        Case {
            name: "roots, as a struct",
            text: "struct Root { x: f64, rounds: u8 }
            fn better(a: f64, root: Root) -> Root {
                Root { x: 0.5 * (root.x + a / root.x), rounds: root.rounds + 1 }
            }
            #[kernel] fn Roots<N>(x: [f64; N]) -> [(f64, u8); N] {
                x.map(|v| {
                    let a = v * v + 0.5;
                    let root = Root { x: a, rounds: 0 }.iterate_until(20, |root| (root.x * root.x - a).abs() < 1e-6, better(a));
                    (root.x, root.rounds)
                })
            }",
            sizes: LINES,
        },
        Case {
            name: "at once, never, and no rounds",
            text: "#[kernel] fn Ends<N>(k: usize, x: [f32; N]) -> [f32; N] {
                x.map(|v| iterate_until(0, |s| s > v, |s| s * 3.0, 1.0)
                    + iterate_until(5, |s| s == s, |s| s * 3.0, v)
                    + iterate_until(N, |s| s != s, |s| 0.5 * s + v, 1.0)
                    + iterate_until(k % 2, |s| s > 4.0, |s| s + v, v)
                    + iterate_until(3, |_| false, |s| s * v, 2.0)
                    + iterate_until(4, |_| true, |s| s * v, 2.0))
            }",
            sizes: LINES,
        },
        Case {
            name: "a number of rounds in the data, of integers",
            text: "#[kernel] fn Collatz<N>(n: [u8; N]) -> [(i64, bool); N] {
                n.map(|n| iterate_until(
                    (n % 23) as usize,
                    |x, _| x == 1,
                    |x, odd| if x % 2 == 0 { (x / 2, odd) } else { (3 * x + 1, !odd) },
                    (n as i64 + 1, false),
                ))
            }",
            sizes: LINES,
        },
        Case {
            name: "a chain that is followed to its end",
            text: "#[kernel] fn Chain<N>(next: [u8; N], from: [u8; N]) -> [usize; N] {
                let next = next.map(|i| i as usize % (N + 3)).materialize();
                from.map(|i| iterate_until(N, |i| i >= N, |i| next.gather([i])[0], i as usize % N))
            }",
            sizes: LINES,
        },
        Case {
            name: "loops in loops",
            text: "#[kernel] fn Nested<N>(k: usize, x: [f32; N]) -> [f32; N] {
                x.map(|v| iterate_until(
                    k,
                    |s| iterate_until(5, |t| t > s, |t| t + 0.75, v) > 2.0,
                    |s| iterate_until(4, |t| t > 1.5, |t| t * 1.25 + v.abs(), s) + iterate(2, |t| 0.5 * t, s),
                    v,
                ))
            }",
            sizes: LINES,
        },
        Case {
            name: "a single value",
            text: "#[kernel] fn Single<N>(k: usize, x: [f32; N]) -> (f32, usize) {
                iterate_until(k, |s, n| s > 3.0, |s, n| (s + 0.25 * x.map(|v| v * v).reduce(add, 0.0), n + 1), (x[0], 0))
            }",
            sizes: &[&[("N", 1)], &[("N", 3)], &[("N", 17)]],
        },
    ]
}

fn rows() -> Vec<Case> {
    vec![
        Case {
            name: "rows until their sums are small",
            text: "#[kernel] fn Small<N>(k: usize, x: [[f32; 5]; N]) -> [[f32; 5]; N] {
                x.map(|row| iterate_until(k, |r| r.map(abs).reduce(add, 0.0) < 0.5, |r| r.map(|v| 0.75 * v), row))
            }",
            sizes: LINES,
        },
        Case {
            name: "rows whose elements see each other, with a count",
            text: "#[kernel] fn Smooth<N>(x: [[f32; 6]; N]) -> ([[f32; 6]; N], [i32; N]) {
                x.map(|row| iterate_until(
                    9,
                    |r, _| r.reduce(max, f32::NEG_INFINITY) - r.reduce(min, f32::INFINITY) < 0.5,
                    |r, n| (r.pad(1, 1, wrap).slide(3, 1).map(|w| 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2]), n + 1),
                    (row, 0),
                )).unzip()
            }",
            sizes: LINES,
        },
        Case {
            name: "one loop for each element of a row that has one",
            text: "#[kernel] fn Each<N>(k: usize, x: [[i32; 4]; N]) -> [[i32; 4]; N] {
                x.map(|row| iterate_until(
                    k,
                    |r| r[0] % 3 == 0,
                    |r| r.reverse().map(|v| iterate_until(3, |w| w % 2 == 0, |w| w / 2 + 5, v)),
                    row,
                ))
            }",
            sizes: LINES,
        },
        Case {
            name: "what is kept in registers",
            text: "#[kernel] fn Kept<N>(k: usize, x: [[f32; 3]; N]) -> [[f32; 3]; N] {
                x.map_global(0, |row| iterate_until(
                    k,
                    |r| r.reduce_seq_unroll(add, 0.0) > 1.0,
                    |r| to_private(r.map_seq_unroll(|v| v * v + 0.25)),
                    to_private(row),
                ).map_seq_unroll(id))
            }",
            sizes: LINES,
        },
    ]
}

fn lanes() -> Vec<Case> {
    vec![
        Case {
            name: "lanes that end when all have",
            text: "#[kernel] #[size(N % 4 == 0)] fn Lanes<N>(k: usize, x: [f64; N]) -> [(f64, i32); N] {
                x.split(4).map_global(0, map_vec(|x| iterate_until(
                    k,
                    |y, _| y > 2.0,
                    |y, n| (y * y + x + 0.5, n + 1),
                    (x, 0),
                ))).join()
            }",
            sizes: VECTORS,
        },
        Case {
            name: "lanes that end together, and lanes with truth values",
            text: "#[kernel] #[size(N % 4 == 0)] fn Together<N>(k: usize, x: [i32; N]) -> [i32; N] {
                x.split(4).map_global(0, map_vec(|x| {
                    let rounds = iterate_until(k, |n| n > 3, |n| n + 1, 0);
                    let (y, odd) = iterate_until(6, |y, _| y < 100, |y, odd| (y / 2, !odd), (x, x > 0));
                    if odd { y + rounds } else { y - rounds }
                })).join()
            }",
            sizes: VECTORS,
        },
        Case {
            name: "lanes that look something up",
            text: "#[kernel] #[size(N % 4 == 0)] fn LookedUp<N>(next: [u8; N], x: [f32; N]) -> [f32; N] {
                let next = next.map(|i| i as usize % (N + 2)).materialize();
                x.split(4).map_global(0, map_vec(|x| iterate_until(
                    5,
                    |_, i| i >= N,
                    |s, i| (s + x, next.gather([i])[0]),
                    (x, 0),
                ).0)).join()
            }",
            sizes: VECTORS,
        },
    ]
}

fn wholes() -> Vec<Case> {
    vec![
        Case {
            name: "a whole array until its sum is large",
            text: "#[kernel] fn Doubled<N>(k: usize, x: [f32; N]) -> [f32; N] {
                iterate_until(k, |x| x.map(abs).reduce(max, f32::NEG_INFINITY) > 3.0, |x| x.map(|v| 1.5 * v), x)
            }",
            sizes: LINES,
        },
        Case {
            name: "steps of a grid until they change little, with a count",
            text: "#[kernel] fn Settled<N, M>(grid: [[f32; M]; N]) -> ([[f32; M]; N], i32) {
                let step = |g, _, n| {
                    let next = g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[1][0] + w[1][2] + w[2][1]));
                    let change = zip2d(g, next).map2d(|a, b| (a - b).abs()).map(reduce(max, f32::NEG_INFINITY)).reduce(max, f32::NEG_INFINITY);
                    (next, change, n + 1)
                };
                let (g, _, n) = iterate_until(12, |_, change, _| change < 0.2, step, (grid, 1.0, 0));
                (g, n)
            }",
            sizes: ROWS,
        },
        Case {
            name: "a whole array at once, never, and after what is computed",
            text: "#[kernel] fn Whole<N>(x: [i32; N]) -> ([i32; N], [i32; N], [i32; 3]) {
                let y = x.map(|v| v % 100).scan(add, 0);
                let at_once = iterate_until(5, |x| x[0] == x[0], |x| x.map(|v| v + 1), y);
                let never = iterate_until(N, |x| x[0] != x[0], |x| x.map(|v| v + 1), y);
                (at_once, never, iterate_until(3, |s| s[1] > 2, |s| s.map(|v| v + 1), [0, 1, 2]))
            }",
            sizes: LINES,
        },
        Case {
            name: "a whole array until another repetition ends",
            text: "#[kernel] fn Inner<N>(k: usize, x: [f32; N]) -> [f32; N] {
                let y = iterate_until(
                    4,
                    |x| iterate_until(2, |x| x[0] > 1.0, |x| x.map(|v| v + 0.5), x).reduce(max, f32::NEG_INFINITY) > 3.0,
                    |x| iterate_until(k, |x| x[0] > 2.0, |x| iterate(2, |x| x.map(|v| v + 0.25), x), x),
                    x,
                );
                y.map(|v| v * y[0])
            }",
            sizes: LINES,
        },
    ]
}
