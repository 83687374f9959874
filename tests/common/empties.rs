//! Arrays without elements: as arguments, in the middle of programs, and beside results that have some.

use super::cases::Case;

/// With `N` = 1, what is left of `N - 1` elements is nothing.
const LINE: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 6)]];

const PLANE: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 3), ("M", 1)], &[("N", 1), ("M", 4)], &[("N", 5), ("M", 3)]];

/// A one-dimensional program of `x`, `y` and `k`, which has this type and body.
macro_rules! line {
    ($name:literal, $ty:literal, $body:literal) => {
        Case {
            name: $name,
            text: concat!(
                "#[kernel] fn Line<N>(_x: [i32; N], _y: [i32; N - 1], _k: [u32; N - 1]) -> ",
                $ty,
                " { let (x, y, k) = (_x, _y, _k); let none = x.drop(1); ",
                $body,
                " }"
            ),
            sizes: LINE,
        }
    };
}

/// A two-dimensional program of `x`, which has this type and body.
macro_rules! plane {
    ($name:literal, $ty:literal, $body:literal) => {
        Case {
            name: $name,
            text: concat!(
                "#[kernel] fn Plane<N, M>(x: [[i32; M]; N]) -> ",
                $ty,
                " { let short = x.map(|r| r.drop(1)); let few = x.take(N - 1); ",
                $body,
                " }"
            ),
            sizes: PLANE,
        }
    };
}

/// Every primitive of arrays without elements.
pub fn empties() -> Vec<Case> {
    vec![
        // Arrays and values of each primitive.
        line!("reduce", "i32", "none.reduce(add, 0)"),
        line!("reduce of an argument", "i32", "y.reduce(add, 0)"),
        line!("reduce from any start", "i32", "none.map(|v| v * 3).reduce(max, 7)"),
        line!("reversal of nothing", "i32", "repeat(1, x[0]).drop(1).reverse().reduce(add, 0)"),
        line!("reduce beside a map", "([i32; N], i32)", "(x.map(|v| v + 1), none.reduce(add, 0))"),
        line!("two reductions", "(i32, i32)", "(none.reduce(add, 0), none.map(|v| v * v).reduce(add, 0))"),
        line!("fold", "i32", "none.fold(|s, v| 3 * s + v, 5)"),
        line!("scan", "[i32; N - 1]", "none.scan(add, 0)"),
        line!("scan_with", "[i32; N - 1]", "none.scan_with(|s, v| (s + v, s - v), 3)"),
        line!("scan_right_with", "[i32; N - 1]", "none.scan_right_with(|s, v| ((v, s.0), s.1 - v), (3, 4))"),
        line!("argmin", "(usize, i32)", "none.argmin()"),
        line!("argmax beside a sum", "((usize, i32), i32)", "(none.argmax(), none.reduce(add, 0))"),
        line!("scan_right", "[i32; N - 1]", "none.scan_right(add, 0)"),
        line!("scan before an end", "[i32; N]", "concat([4], none.scan(add, 0))"),
        line!(
            "scan of what is computed",
            "[i32; N]",
            "none.map(|v| v * v).scan(add, 0).pad(1, 0, constant(9))"
        ),
        line!("stored scan", "i32", "none.scan(add, 0).reduce(add, 0)"),
        line!("map", "[i32; N - 1]", "none.map(|v| v + 1)"),
        line!(
            "nothing beside something",
            "([i32; N - 1], [i32; N])",
            "(none.map(|v| v + 1), x.map(|v| v - 1))"
        ),
        line!("zip with an argument", "[i32; N - 1]", "zip(none, y).map(|a, b| a - b)"),
        line!("unzip", "([i32; N - 1], [i32; N - 1])", "zip(none, y).map(|a, b| (a + b, a * b)).unzip()"),
        line!("concat", "[i32; 3 * N - 2]", "concat(y, x, none).map(|v| v + 1)"),
        line!(
            "concat of stored parts",
            "[i32; 2 * N - 1]",
            "concat(none.map(|v| v * v).materialize(), x.map(|v| v * 2).materialize()).map(|v| v + 1)"
        ),
        line!(
            "concat read by its neighbours",
            "[i32; 3 * N]",
            "concat(none, x, y).pad(1, 1, clamp).pad(1, 1, wrap).slide(3, 1).map(|w| w[0] + 2 * w[1] - w[2])"
        ),
        line!("constant boundary", "[i32; N + 2]", "none.pad(1, 2, constant(7))"),
        line!("value boundary", "[i32; N + 2]", "none.pad(1, 2, value(|i, n| if i < n { 1 } else { 2 }))"),
        line!(
            "value windows",
            "[i32; N]",
            "none.map(|v| v * v).pad(1, 1, value(|i, n| if i < 0 { 1 } else { 2 })).slide(2, 1).map(|w| w[0] + 2 * w[1])"
        ),
        line!(
            "boundaries that add nothing",
            "[i32; N - 1]",
            "none.pad(0, 0, clamp).pad(0, 0, wrap).pad(0, 0, mirror).pad(0, 0, reflect).map(|v| v + 1)"
        ),
        line!("windows that just fit", "[i32; N]", "concat([1], none).slide(1, 1).map(|w| w[0])"),
        line!("windows that may lack", "[i32; max(N - 3, 0)]", "x.slide(4, 1).map(|w| w[0] + 2 * w[3])"),
        line!(
            "windows beside their sum",
            "([i32; max(N - 3, 0)], i32)",
            "let w = none.slide(3, 1).map(|w| w[0] * w[1] - w[2]); (w, w.reduce(add, 0))"
        ),
        line!(
            "windows of pairs and rows",
            "(i32, [i32; N])",
            "let w = zip(none, y, repeat(N - 1, [3, 4])).slide(3, 1); (w.map(|w| w[0].0 + w[1].1 * w[2].2[1]).scan(add, 0).reduce(max, 2), x)"
        ),
        line!(
            "windows in a frame",
            "[i32; max(N - 4, 0) + 3]",
            "none.map(|v| v * v).slide(4, 1).map(|w| w[3] - w[1]).pad(1, 2, constant(5))"
        ),
        line!("blocks that may lack", "i32", "x.slide(2, 2).map(|w| w[0] * w[1]).fold(|s, v| 3 * s + v, 5)"),
        line!(
            "windows of windows",
            "(i32, [i32; N])",
            "let w = x.slide(3, 1).map(reduce(add, 0)).slide(2, 1).map(|w| w[1] - w[0]); (w.reduce(max, 4), x.map(|v| w.fold(|s, u| 2 * s + u, v)))"
        ),
        line!("split", "[i32; N - 1]", "concat(none, y).split(2).map(|p| p[0] - p[1])"),
        line!("join", "[i32; 2 * N - 2]", "none.map(|v| [v, v + 1]).join()"),
        line!(
            "join read backwards",
            "[i32; 2 * N - 2]",
            "none.map(|v| [v, v + 1]).join().reverse().map(|v| v + 1)"
        ),
        line!("repeat", "[i32; 3 * N - 3]", "repeat(3, none).join().map(|v| v + 1)"),
        line!("pieces of nothing", "[i32; N * N - N]", "repeat(N, none).join().map(|v| v + 1)"),
        line!("nothing in pieces", "[i32; N * N - N]", "repeat(N - 1, x).join().map(|v| v + 1)"),
        line!("sums of nothing", "[i32; N]", "x.map(|v| none.map(|u| u * v).reduce(add, 0))"),
        line!("sums of prefixes", "[i32; N]", "x.map(|v| none.map(|u| u * v).scan(add, 0).reduce(max, 3))"),
        line!("folds of nothing", "[i32; N]", "x.map(|v| none.fold(|s, u| 2 * s + u, v))"),
        line!("modulo the length", "[i32; N - 1]", "array(N - 1, |i| none[(i * 2 + 1) % (N - 1)] + y[i])"),
        line!(
            "division by the length",
            "[usize; N]",
            "x.map(|v| none.map(|_| N % (N - 1) + N / (N - 1)).reduce(add, 0))"
        ),
        line!("fixed element", "[i32; N - 1]", "array(N - 1, |i| none[0] + y[i])"),
        line!(
            "fixed element in a loop",
            "[i32; N]",
            "x.map(|v| array(N - 1, |i| none[0] * y[N - 2] + y[i]).reduce(add, 0) + v)"
        ),
        line!("array", "i32", "array(N - 1, |i| i as i32 + 1).reduce(add, 0)"),
        line!("reverse", "[i32; N - 1]", "none.reverse().map(|v| v + 1)"),
        line!("reorder", "[i32; N - 1]", "none.reorder(|i, n| (i + 1) % n).map(|v| v + 1)"),
        line!("scatter", "[i32; N - 1]", "none.map(|v| v + 1).scatter(|i, n| (i + 1) % n)"),
        line!("gather nothing", "[i32; N - 1]", "gather(k.map(|i| i % 1), x)"),
        line!("nothing by key", "[i32; 3]", "reduce_by_key(3, max, 4, k.map(|k| k % 3), y)"),
        line!("no bins", "[i32; N - 1]", "reduce_by_key(N - 1, max, 2, k.map(|_| N - 2), y)"),
        line!("scatter nothing", "[i32; N]", "scatter_to(x, array(N - 1, |i| i + 1), y)"),
        line!("iterate", "[i32; N - 1]", "iterate(2, |a| a.map(|v| 2 * v + 1), none)"),
        line!(
            "iterate_until",
            "[i32; N - 1]",
            "iterate_until(2, |a| a.reduce(add, 0) > 3, |a| a.map(|v| 2 * v + 1), none)"
        ),
        line!(
            "stored nothing",
            "[i32; N + 1]",
            "none.map(|v| v * v).materialize().pad(1, 1, constant(2)).map(|v| v + 1)"
        ),
        line!("stored sums", "[i32; N]", "let sum = none.reduce(add, 0); x.map(|v| v + sum)"),
        line!("choice", "[i32; N]", "if x[0] > 0 { concat([1], none) } else { concat(y, [2]) }"),
        line!("choice of an element", "[i32; N]", "x.map(|v| if N > 1 { v + 1 } else { v })"),
        line!("map_seq", "[i32; N]", "x.map_global(0, |v| none.map_seq(|u| u * v).reduce_seq(add, 3))"),
        line!(
            "scan_seq",
            "[i32; N * N - N]",
            "x.map_global(0, |v| none.map(|u| u * v).scan_seq(add, v)).join()"
        ),
        line!(
            "slide_seq",
            "[i32; N * N]",
            "x.map_global(0, |v| none.pad(1, 1, constant(3)).slide_seq(2, 1).map_seq(|w| w[0] - w[1] + v)).join()"
        ),
        line!(
            "to_local",
            "[i32; N * N - N]",
            "repeat(N, none).map_workgroup(0, |row| to_local(row.map_local(0, |v| v + 1)).reverse().map_local(0, |v| 2 * v)).join()"
        ),
        line!(
            "to_local beside something",
            "[i32; N * N]",
            "repeat(N, none).map_workgroup(0, |row| concat([5], to_local(row.map_local(0, |v| v + 1)).reverse()).map_local(0, |v| 2 * v)).join()"
        ),
        line!("map_global of nothing", "[i32; N - 1]", "none.map_global(0, |v| v + 1)"),
        line!(
            "map_workgroup of nothing",
            "[i32; 2 * N - 2]",
            "none.map_workgroup(0, |v| array(2, |i| v + i as i32).map_local(0, |v| v + 1)).join()"
        ),
        line!("vectors", "[i32; 4 * N - 4]", "repeat(4, none).join().map(|v| v).vectorize(4, |v| v + 1)"),
        Case {
            name: "updated nothing",
            text: "#[kernel] fn Update<N>(x: [i32; N], y: &mut [i32; N - 1]) -> i32 { write_to(y, y.map(|v| v + 1)); x.drop(1).reduce(add, 0) }",
            sizes: LINE,
        },
        Case {
            name: "updated in part",
            text: "#[kernel] fn Part<N>(x: &mut [i32; N], y: [i32; N - 1], k: [u32; N - 1]) { scatter_to(x, k.map(|i| i % 1), y.map(|v| v + 1)); }",
            sizes: &[&[("N", 1)], &[("N", 2)]],
        },
        plane!(
            "windows of empty rows, backwards",
            "[[i32; 4 * M - 4]; N]",
            "x.map(|row| row.drop(1)).pad(2, 1, constant(1)).slide(4, 1).map(|w| w.join()).reverse()"
        ),
        plane!(
            "windows of a plane that may lack",
            "([[i32; max(M - 2, 0)]; max(N - 1, 0)], i32)",
            "let w = x.slide2d(2, 1, 3, 1).map2d(|w| w[0][0] + w[1][2] * w[0][1]); (w, w.join().reduce(add, 0))"
        ),
        plane!(
            "blocks of a plane",
            "([i32; N], i32)",
            "let w = x.map(|r| r.map(|v| v + 1)).materialize().slide2d(3, 1).map2d(|w| w.join().reduce(add, 0)); (x.map(|r| r[0]), w.join().reduce(max, 1))"
        ),
        plane!("rows of nothing", "[[i32; M - 1]; N]", "short.map2d(|v| v + 1)"),
        plane!("no rows", "[[i32; M]; N - 1]", "few.map2d(|v| v + 1)"),
        plane!("sums of rows", "[i32; N]", "short.map(|r| r.reduce(add, 0))"),
        plane!("sums of no rows", "[i32; N - 1]", "few.map(|r| r.reduce(add, 0))"),
        plane!("sums of columns", "[i32; M]", "few.transpose().map(|c| c.reduce(add, 0))"),
        plane!("sums of no columns", "[i32; M - 1]", "short.transpose().map(|c| c.reduce(add, 0))"),
        plane!("sum of all rows", "i32", "short.join().reduce(add, 0)"),
        plane!("sum of all", "i32", "short.map(|r| r.reduce(add, 0)).reduce(add, 0)"),
        plane!("scans of rows", "[[i32; M - 1]; N]", "short.map(|r| r.scan(add, 0))"),
        plane!("scans of rows and an end", "[[i32; M]; N]", "short.map(|r| concat(r.scan(add, 0), [1]))"),
        plane!("scan of all", "[i32; N * M - N]", "short.join().scan(add, 0)"),
        plane!("joined rows", "[i32; N * M - N]", "short.join().map(|v| v + 1)"),
        plane!("joined rows backwards", "[i32; N * M - N]", "short.join().reverse().map(|v| v + 1)"),
        plane!("no rows, joined", "[i32; N * M - M]", "few.join().reverse().map(|v| v + 1)"),
        plane!("transposed rows", "[[i32; N]; M - 1]", "short.transpose().map2d(|v| v + 1)"),
        plane!("transposed no rows", "[[i32; N - 1]; M]", "few.transpose().map2d(|v| v + 1)"),
        plane!("frame", "[[i32; M + 1]; N + 2]", "short.pad2d(1, 1, constant(3)).map2d(|v| v + 1)"),
        plane!(
            "frame around no rows",
            "[[i32; M + 2]; N + 1]",
            "few.pad2d(1, 1, constant(3)).map2d(|v| v + 1)"
        ),
        plane!(
            "clamped columns",
            "[[i32; M]; N - 1]",
            "few.map(|r| r.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[1] - w[2]))"
        ),
        plane!(
            "wrapped columns",
            "[[i32; M]; N - 1]",
            "few.map(|r| r.pad(1, 1, wrap).slide(3, 1).map(|w| w[0] + w[1] - w[2]))"
        ),
        plane!(
            "clamped rows of nothing",
            "[[i32; M - 1]; N]",
            "short.pad(1, 1, clamp).slide(3, 1).map(|w| w.transpose().map(|c| c[0] + c[1] - c[2]))"
        ),
        plane!(
            "products",
            "[[i32; N]; N]",
            "short.map(|r| short.map(|c| zip(r, c).map(mul).reduce(add, 0)))"
        ),
        plane!(
            "products of no rows",
            "[[i32; M]; M]",
            "let t = few.transpose(); t.map(|r| t.map(|c| zip(r, c).map(mul).reduce(add, 0)))"
        ),
        plane!(
            "nothing beside a plane",
            "([[i32; M - 1]; N], [[i32; M]; N])",
            "(short.map2d(|v| v + 1), x.map2d(|v| v - 1))"
        ),
        plane!(
            "stored rows",
            "[[i32; M]; N]",
            "let s = short.map2d(|v| v * v).materialize(); zip(x, s).map(|r, s| { let sum = s.reduce(add, 0); r.map(|v| v + sum) })"
        ),
        plane!(
            "split rows",
            "[[i32; M - 1]; N]",
            "short.join().split(N).map(|r| r.reverse()).transpose().map2d(|v| v + 1)"
        ),
        plane!(
            "gathered rows",
            "[[i32; M - 1]; N]",
            "gather(array(N, |i| N - 1 - i), short).map2d(|v| v + 1)"
        ),
        plane!("placed rows", "[[i32; M - 1]; N]", "short.map_global(1, |r| r.map_global(0, |v| v + 1))"),
        plane!(
            "placed groups",
            "[i32; N * M - N]",
            "short.map_workgroup(0, |r| r.map_local(0, |v| v + 1)).join()"
        ),
        plane!(
            "placed sums",
            "[i32; N]",
            "short.map_workgroup(0, |r| to_local(r.map_local(0, |v| v + 1)).reduce_seq(add, 4))"
        ),
    ]
}
