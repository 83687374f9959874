//! How many barriers kernels need that are written by hand: where elements change hands, and nowhere else.

use crate::pipeline;

/// What a group does with its piece, and how often it waits.
const GROUPS: &[(&str, &str, usize)] = &[
    ("nothing is kept", "x.map_local(0, f)", 0),
    ("what is kept in registers", "to_private(x.take(4)).pad(0, 12, clamp).map_local(0, f)", 0),
    // Through local memory, once.
    ("the same order", "to_local(x.map_local(0, f)).map_local(0, f)", 0),
    ("another order first", "to_local(x.reverse().map_local(0, f)).map_local(0, f)", 0),
    ("another order between", "to_local(x.map_local(0, f)).reverse().map_local(0, f)", 1),
    ("another order first and between", "to_local(x.reverse().map_local(0, f)).reverse().map_local(0, f)", 1),
    ("another order where it is stored", "to_local(reversed(x.map_local(0, f))).map_local(0, f)", 1),
    ("another order in the result", "reversed(to_local(x.map_local(0, f)).map_local(0, f))", 0),
    ("cut into pieces", "to_local(x.map_local(0, f)).split(4).map_local(0, map_seq(f)).join()", 1),
    (
        "cut into pieces before",
        "to_local(x.split(4).map_local(0, map_seq(f))).map_local(0, map_seq(f)).join()",
        0,
    ),
    ("neighbours", "to_local(x.map_local(0, f)).pad(1, 1, clamp).slide(3, 1).map_local(0, sum)", 1),
    ("without the first", "to_local(x.map_local(0, f)).drop(1).pad(0, 1, clamp).map_local(0, f)", 1),
    ("one element for all", "{ let y = to_local(x.map_local(0, f)); x.map_local(0, |v| v + y[3]) }", 1),
    ("one sum for all", "{ let s = to_local(x.reduce_seq(add, 0.0)); x.map_local(0, |v| v + s) }", 1),
    // Several times.
    (
        "another order twice",
        "to_local(to_local(x.map_local(0, f)).reverse().map_local(0, f)).reverse().map_local(0, f)",
        2,
    ),
    (
        "another order once of twice",
        "to_local(to_local(x.map_local(0, f)).map_local(0, f)).reverse().map_local(0, f)",
        1,
    ),
    // Side by side.
    ("two copies", "zip(to_local(x.map_local(0, f)), to_local(_y.map_local(0, f))).map_local(0, add)", 0),
    (
        "two copies, one in another order",
        "zip(to_local(x.map_local(0, f)), to_local(_y.map_local(0, f)).reverse()).map_local(0, add)",
        1,
    ),
    (
        "two copies in another order",
        "zip(to_local(x.map_local(0, f)).reverse(), to_local(_y.map_local(0, f)).reverse()).map_local(0, add)",
        1,
    ),
    ("copies of pairs", "to_local(zip(x, _y).map_local(0, id)).reverse().map_local(0, add)", 1),
    (
        "a copy of a copy beside it",
        "{ let a = to_local(x.map_local(0, f)); let b = to_local(a.reverse().map_local(0, f)); zip(a.reverse(), b).map_local(0, add) }",
        1,
    ),
    // Sequential steps.
    ("a loop after it", "{ let y = to_local(x.map_local(0, f)); y.map_seq(f) }", 1),
    (
        "a reduction after it",
        "{ let y = to_local(x.map_local(0, f)); repeat(16, y.reduce_seq(add, 0.0)) }",
        1,
    ),
    (
        "sums of sums",
        "{ let s = to_local(to_local(x.map_local(0, f)).split(4).map_local(0, reduce_seq(add, 0.0))); repeat(16, s.reduce_seq(add, 0.0)) }",
        2,
    ),
    // Branches that are the same for all.
    (
        "in one branch",
        "if _k > 0 { to_local(x.map_local(0, f)).reverse().map_local(0, f) } else { x.map_local(0, f) }",
        1,
    ),
    (
        "before a branch of data",
        "{ let y = to_local(x.map_local(0, f)); x.map_local(0, |v| if v > 0.0 { y[1] } else { v }) }",
        1,
    ),
];

/// What a group does with its rows, and how often it waits in the text.
const ROWS: &[(&str, &str, usize)] = &[
    (
        "a row after the other, in the same order",
        "rows.map_seq(|x| to_local(x.map_local(0, f)).map_local(0, f))",
        0,
    ),
    // Before it is read, and before the next row is stored.
    (
        "a row after the other, in another order",
        "rows.map_seq(|x| to_local(x.map_local(0, f)).reverse().map_local(0, f))",
        2,
    ),
    (
        "a row after the other, in another order twice",
        "rows.map_seq(|x| to_local(to_local(x.map_local(0, f)).reverse().map_local(0, f)).reverse().map_local(0, f))",
        2,
    ),
    (
        "a row after the other, in another order first",
        "rows.map_seq(|x| to_local(x.reverse().map_local(0, f)).map_local(0, f))",
        0,
    ),
    (
        "a row after the other, summed",
        "rows.map_seq(|x| { let y = to_local(x.map_local(0, f)); repeat(16, y.reduce_seq(add, 0.0)) })",
        2,
    ),
    (
        "kept before the loop",
        "{ let y = to_local(rows.map_local(1, map_local(0, f))); y.map_seq(|x| x.reverse().map_local(0, f)) }",
        1,
    ),
    ("two dimensions", "to_local(rows.map_local2d(f)).map_local2d(f)", 0),
    ("two dimensions, turned", "to_local(rows.map_local2d(f)).map(reverse).map_local2d(f)", 1),
    (
        "two dimensions, turned twice",
        "to_local(to_local(rows.map_local2d(f)).map(reverse).map_local2d(f)).reverse().map_local2d(f)",
        2,
    ),
    (
        "two dimensions, and loops inside",
        "to_local(rows.map_local(1, map_seq(f))).map_local(1, map_seq(f))",
        0,
    ),
    (
        "rows that are summed by rows",
        "{ let y = to_local(rows.map_local2d(f)); y.map_local(1, |r| r.map_local(0, |v| v + r[0])) }",
        1,
    ),
];

/// What a group does with a stream of 6 rows, of which 4 are left; it waits once in each trip.
const WINDOWS: &[(&str, &str, usize)] = &[
    ("the middle one", "kept(rows).slide_seq(3, 1).map_seq(|w| w[1].reverse().map_local(0, f))", 1),
    ("the newest one", "kept(rows).slide_seq(3, 1).map_seq(|w| w[2].reverse().map_local(0, f))", 1),
    (
        "the oldest and the middle one",
        "kept(rows).slide_seq(3, 1).map_seq(|w| zip(w[0].reverse(), w[1].reverse()).map_local(0, add))",
        1,
    ),
    (
        "several levels",
        "kept(rows).slide_seq(2, 1).map_seq(|w| to_local(w[0].reverse().map_local(0, f))).slide_seq(2, 1)
            .map_seq(|w| w[0].reverse().map_local(0, f))",
        1,
    ),
];

fn barriers(name: &str, parameters: &str, body: &str) -> usize {
    let text = format!(
        "fn f(x: f32) -> f32 {{ 2.0 * x }}
        fn sum(w: [f32; 3]) -> f32 {{ w[0] + w[1] + w[2] }}
        fn reversed(x: [f32; 16]) -> [f32; 16] {{ x.scatter(|i, n| n - 1 - i) }}
        fn kept<n>(rows: [[f32; 16]; n]) -> [[f32; 16]; n] {{ rows.map_seq(|x| to_local(x.map_local(0, f))) }}
        #[kernel] {parameters} {{ {body} }}"
    );
    let compilation = pipeline::compile(text.parse().unwrap_or_else(|e| panic!("{e}: {text}")));
    let errors: Vec<String> = compilation.diagnostics.iter().map(|d| d.text()).collect();
    assert!(errors.is_empty(), "{name}: {}", errors.join("\n"));
    let source = &compilation.kernels[0].versions[0].generated.source;
    let all = source.matches("barrier(").count();
    assert_eq!(all, source.matches("barrier(CLK_LOCAL_MEM_FENCE);").count(), "{name}: {source}");
    all
}

fn compare(parameters: &str, around: fn(&str) -> String, table: &[(&str, &str, usize)]) {
    let mut wrong = Vec::new();
    for (name, body, expected) in table {
        let found = barriers(name, parameters, &around(body));
        if found != *expected {
            wrong.push(format!("{name}: {found} barriers, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_wait_where_elements_change_hands() {
    compare(
        "fn K<N>(_k: i32, a: [[f32; 16]; N], b: [[f32; 16]; N]) -> [[f32; 16]; N]",
        |body| format!("zip(a, b).map_workgroup(0, |(x, _y)| {body})"),
        GROUPS,
    );
}

#[test]
fn groups_wait_before_memory_is_used_again() {
    compare(
        "fn K<N>(a: [[[f32; 16]; 4]; N]) -> [[[f32; 16]; 4]; N]",
        |body| format!("a.map_workgroup(0, |rows| {body})"),
        ROWS,
    );
}

#[test]
fn groups_wait_once_in_each_trip_of_a_stream() {
    compare(
        "fn K<N>(a: [[[f32; 16]; 6]; N]) -> [[[f32; 16]; 4]; N]",
        |body| format!("a.map_workgroup(0, |rows| {body})"),
        WINDOWS,
    );
}

/// Groups of one item, and of items that are all in the other dimension.
#[test]
fn one_item_does_not_wait() {
    let body = "a.map_workgroup(0, |x| to_local(x.map_local(0, f)).reverse().map_local(0, f))";
    let kernel = "fn K<N>(a: [[f32; 16]; N]) -> [[f32; 16]; N]";
    for (shape, expected) in [("1", 0), ("2", 1), ("1, 4", 1)] {
        let parameters = format!("#[work_group({shape})] {kernel}");
        assert_eq!(barriers(shape, &parameters, body), expected, "{shape}");
    }
}

#[test]
fn nobody_waits_where_data_decides() {
    for body in [
        "a.map_workgroup(0, |x| if x[0] > 0.0 { to_local(x.map_local(0, sqrt)).reverse().map_local(0, id) } else { x })",
        "a.map_workgroup(0, |x| x.split(4).map_local(0, |y| to_local(y.map_seq(sqrt)).reverse().map_seq(id)).join())",
    ] {
        let text = format!("#[kernel] fn K<N>(a: [[f32; 16]; N]) -> [[f32; 16]; N] {{ {body} }}");
        let found = pipeline::compile(text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))).diagnostics;
        let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["L0281"], "{body}");
    }
}
