//! Kernels whose windows are computed in two passes, rows first: those of several arrays, of channels, in three dimensions, and in later launches.

use super::cases::Case;

const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 5)], &[("N", 7), ("M", 36)], &[("N", 3), ("M", 71)]];

/// Two passes.
pub fn passes() -> Vec<Case> {
    vec![
        Case {
            name: "means of several arrays, and of what they give",
            text: "fn mean<H, W>(x: [[f32; W]; H]) -> [[f32; W]; H] {
                x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(add, 0.0) / 49.0)
            }
            #[kernel] fn Several<N, M>(eps: f32, g: [[f32; M]; N], p: [[f32; M]; N]) -> [[f32; M]; N] {
                let ab = zip2d(mean(g), mean(p), mean(zip2d(g, p).map2d(mul)), mean(g.map2d(|v| v * v)))
                    .map2d(|(i, p, ip, ii)| { let a = (ip - i * p) / (ii - i * i + eps.abs() + 1.0); (a, p - a * i) });
                zip2d(mean(ab.map2d(|(a, _)| a)), mean(ab.map2d(|(_, b)| b)), g).map2d(|(a, b, i)| a * i + b)
            }",
            sizes: ROWS,
        },
        Case {
            name: "windows of several extents, and an element of one",
            text: "#[kernel] fn Extents<N, M>(x: [[i32; M]; N], y: [[i32; M]; N]) -> ([[i32; M]; N], [[i32; M]; N]) {
                let small = x.pad2d(2, 2, clamp).slide2d(5, 1);
                let large = x.pad2d(4, 4, clamp).slide2d(9, 1);
                let other = y.pad2d(4, 4, constant(3)).slide2d(9, 1);
                zip2d(small, large, other, y).map2d(|(s, l, o, v)| {
                    let pairs = zip(l.join(), o.join()).map(|a, b| a * b % 10).reduce(add, 0);
                    (s.join().reduce(add, v) + l[4][3] + pairs, l.join().reduce(max, i32::MIN) - o.join().reduce(min, i32::MAX) + pairs)
                }).unzip2d()
            }",
            sizes: ROWS,
        },
        Case {
            name: "sums of channels",
            text: "#[kernel] fn Channels<N, M>(x: [[[u8; 3]; M]; N], k: [[i32; M]; N]) -> ([[[u8; 3]; M]; N], [[[i32; 5]; M]; N]) {
                let w = x.pad2d(2, 2, clamp).slide2d(5, 1);
                let blurred = zip2d(x, w).map2d(|(p, w)| {
                    let sum = w.join().map(|q| q.map(|c| c as i32)).reduce(|a, b| zip(a, b).map(add), [0; 3]);
                    zip(p, sum).map(|c, s| ((c as i32 + s / 25) / 2) as u8)
                });
                let parts = zip2d(k, x).map2d(|(k, p)| { let v = p[0] as i32; [v, k % 100, v + k % 50, v * 2, 7 - v] });
                let moments = parts.pad2d(3, 3, constant(1)).slide2d(7, 1).map2d(|w| {
                    let s = w.join().reduce(|a, b| zip(a, b).map(add), [0; 5]);
                    [s[0] - s[1], s[1] + s[2], s[2] * 2, s[3], s[4] + s[0]]
                });
                (blurred, moments)
            }",
            sizes: ROWS,
        },
        Case {
            name: "windows in three dimensions",
            text: "#[kernel] fn Cubes<N, M>(x: [[[i32; M]; N]; 3], y: [[[i32; M]; N]; 3]) -> [[[i32; M]; N]; 3] {
                let near = x.pad3d(2, 2, 2, clamp).slide3d(5, 1);
                let largest = y.pad3d(1, 3, 3, clamp).slide3d(3, 1, 7, 1, 7, 1);
                zip3d(near, largest).map3d(|(w, l)| w.join().join().reduce(add, 0) - l.join().join().reduce(max, i32::MIN))
            }",
            sizes: ROWS,
        },
        Case {
            name: "windows whose extents only launches know",
            text: "#[kernel] fn Open<N, M>(x: [[f32; M + 7]; N + 5]) -> [[f32; M + 1]; N] {
                x.slide2d(6, 1, 7, 1).map2d(|w| w.join().map(|v| v * v).reduce(add, 0.0))
            }
            #[kernel] fn Wide<N, M>(k: [[i32; M]; N], x: [[i32; 2 * M]; 2 * N]) -> [[i32; M + 1]; N + 1] {
                x.slide2d(N, 1, M, 1).map2d(|w| w.join().reduce(add, 0) + k[0][0] * w[0][0])
            }",
            sizes: &[&[("N", 1), ("M", 1)], &[("N", 7), ("M", 6)], &[("N", 9), ("M", 17)]],
        },
        Case {
            name: "weights that are the user's, beside rows",
            text: "#[kernel] fn Weighted<N, M>(s: f32, x: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
                let g = array(7, |i| 1.0 / (1.0 + (i as f32 - 3.0) * (i as f32 - 3.0) * s.abs()));
                let known = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];
                let table = known.map(|a| known.map(|b| a * b / 4096.0));
                x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| {
                    let own = zip(g, w).map(|a, row| a * zip(g, row).map(mul).reduce(add, 0.0)).reduce(add, 0.0);
                    (own, zip(w.join(), table.join()).map(mul).reduce(add, 0.0))
                }).unzip2d()
            }",
            sizes: ROWS,
        },
        Case {
            name: "an array that its own means replace, and another one",
            text: "#[kernel] fn Replaced<N, M>(x: &mut [[i32; M]; N], y: [[i32; M]; N]) {
                let w = x.pad2d(3, 3, clamp).slide2d(7, 1);
                let largest = y.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(max, i32::MIN));
                write_to(x, zip2d(w, largest).map2d(|(w, v)| w.join().reduce(add, 0) / 49 + w[2][4] - v))
            }",
            sizes: ROWS,
        },
        Case {
            name: "a wide window, a few times, and of what is left",
            text: "#[kernel] fn Smooth<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                let smooth = iterate(N, |x| x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(add, 0) / 49), x);
                let sums = x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(max, i32::MIN));
                zip2d(smooth, sums).map2d(sub)
            }",
            sizes: ROWS,
        },
    ]
}
