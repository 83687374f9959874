//! Programs in passes: fewer launches, the same results.

use lift_core::program::passes::in_passes;
use lift_core::program::schedule::Count;
use lift_core::program::{Program, Step};

use super::{check_passes, check_program, check_row_passes};
use crate::print::Shown;
use crate::testing::kernel;

/// A step that is not symmetric, with all kinds of reach.
fn text(kind: &str, pads: &str, size: &str) -> String {
    let param = if kind.contains("iterate(k,") { "k: usize, " } else { "" };
    format!(
        "fn step<n, m>(grid: [[f32; m]; n]) -> [[f32; m]; n] {{
            grid.pad2d({pads}).slide2d({size}, 1).map2d(|w| 0.5 * w[0][0] + 0.25 * w[1][1] - 0.375 * w[1][0])
        }}
        #[kernel] fn Steps<N, M>({param}grid: [[f32; M]; N]) -> [[f32; M]; N] {{ {kind} }}"
    )
}

/// Whether the launches of a program stream.
fn streams(program: &Program) -> Vec<bool> {
    program.stages.iter().map(|stage| stage.body.to_string().contains("slide_seq")).collect()
}

/// How often loops run.
fn rounds(program: &Program) -> Vec<Count> {
    let count = |step: &Step| match step {
        Step::Repeat(count, _) => Some(count.clone()),
        Step::Launch(_) | Step::Leave(_) | Step::Swap(..) => None,
    };
    program.steps.iter().filter_map(count).collect()
}

#[test]
fn a_few_steps_are_one_launch() {
    for pads in [
        "1, 1, clamp",
        "1, 1, mirror",
        "1, 1, reflect",
        "1, 1, wrap",
        "1, 1, constant(3.0)",
        "1, 1, 1, 1, wrap, reflect",
    ] {
        let program = check_passes(&text("iterate(3, step, grid)", pads, "3"), &[&[1, 1], &[2, 5]]);
        assert_eq!(streams(&program), [true], "{}", Shown(&program));
        assert!(program.temporaries.is_empty(), "{}", Shown(&program));
    }
}

#[test]
fn many_steps_are_as_many_passes_of_nearly_the_same_number() {
    let program = check_passes(
        &text("iterate(14, step, grid)", "0, 1, clamp", "2")
            .replace("pad2d(0, 1, clamp)", "pad2d(0, 1, 0, 1, clamp, clamp)"),
        &[&[2, 3]],
    );
    // Twice 5, and 4.
    assert_eq!(streams(&program), [true, true], "{}", Shown(&program));
    assert!(rounds(&program).is_empty(), "{}", Shown(&program));
    assert_eq!(program.steps.len(), 3, "{}", Shown(&program));
}

#[test]
fn steps_that_are_left_over_are_launches_of_their_own() {
    let program = check_passes(&text("iterate(k, step, grid)", "1, 1, clamp", "3"), &[&[2, 3]]);
    assert_eq!(streams(&program).iter().filter(|streams| **streams).count(), 1, "{}", Shown(&program));
    assert_eq!(rounds(&program), [Count::Whole(0, 6), Count::Rest(0, 6)], "{}", Shown(&program));
}

#[test]
fn steps_that_are_written_out_are_one_launch() {
    for kind in [
        "step(step(step(grid)))",
        "step(materialize(step(materialize(step(grid)))))",
        "step(iterate(2, step, grid))",
    ] {
        let program = check_passes(&text(kind, "1, 1, clamp", "3"), &[&[2, 3]]);
        assert_eq!(streams(&program), [true], "{}", Shown(&program));
    }
}

#[test]
fn what_cannot_be_streamed_is_tiled() {
    let sum = "#[kernel] fn Sums<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(3, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0)), grid)
    }";
    let rows = "#[kernel] fn Rows<N>(row: [f32; N]) -> [f32; N] {
        iterate(3, |r| r.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] - w[2]), row)
    }";
    for (text, sizes) in [(sum, [[1, 1].as_slice(), &[2, 5]]), (rows, [[1].as_slice(), &[7]])] {
        let program = check_passes(text, &sizes);
        assert_eq!(program.stages.len(), 1, "{}", Shown(&program));
        assert_eq!(program.stages[0].body.to_string().matches("to_local").count(), 3, "{}", Shown(&program));
    }
}

#[test]
fn whole_rows_are_swept_where_their_ends_are_all_alike() {
    let sweeps = |text: &str| {
        let program = check_row_passes(text, &[&[1, 1], &[2, 40], &[7, 33]])?;
        Some(program.stages.iter().map(|stage| stage.body.to_string().contains("slide_seq")).collect())
    };
    let all = |pads: &str| text("iterate(3, step, grid)", pads, "3");
    assert_eq!(sweeps(&all("1, 1, clamp")), Some(vec![true]));
    assert_eq!(sweeps(&all("1, 1, 1, 1, wrap, reflect")), Some(vec![true]));
    assert_eq!(sweeps(&all("1, 1, 1, 1, mirror, constant(2.0)")), Some(vec![true]));
    // Two windows of the same array that end differently.
    let two = "#[kernel] fn Two<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(2, |g| zip2d(g.pad2d(1, 1, clamp).slide2d(3, 1), g.pad2d(1, 1, wrap).slide2d(3, 1)).map2d(|(v, w)| v[0][1] - w[1][2]), grid)
    }";
    assert!(in_passes(&kernel(two)).0.is_empty());
    let two = two.replace("wrap", "constant(1.0)");
    check_passes(&two, &[&[1, 1], &[2, 40]]);
    assert!(in_passes(&kernel(&two)).0.iter().all(|passes| passes.name == "passes"));
}

#[test]
fn steps_of_many_points_stay_apart() {
    let passes = |size: usize| {
        let sum = |y: usize| (0..size).map(|x| format!("w[{y}][{x}]")).collect::<Vec<_>>().join(" + ");
        let rows: String = (0..size).map(|y| format!("let row_{y} = {};", sum(y))).collect();
        let all = (0..size).map(|y| format!("row_{y}")).collect::<Vec<_>>().join(" - ");
        in_passes(&kernel(&format!(
            "fn around(w: [[f32; {size}]; {size}]) -> f32 {{ {rows} {all} }}
            fn step<n, m>(grid: [[f32; m]; n]) -> [[f32; m]; n] {{
                let reach = grid.pad2d({r}, {r}, clamp);
                reach.slide2d({size}, 1).map2d(around)
            }}
            #[kernel] fn Steps<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {{ iterate(2, step, grid) }}",
            r = size / 2
        )))
        .0
    };
    assert!(!passes(5).is_empty());
    assert!(passes(9).is_empty());
}

#[test]
fn functions_that_give_indices_near_the_edge_are_followed() {
    let text = |boundary: &str| {
        format!(
            "#[kernel] #[size(N >= 3, M >= 3)] fn Bent<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {{
                iterate(3, |g| g.pad2d(2, 2, {boundary}).slide2d(5, 1).map2d(|w| w[0][2] - 2.0 * w[2][0] + 3.0 * w[3][4] - w[4][1]), grid)
            }}"
        )
    };
    for near in [
        "|i, n| if i < 0 { 0 } else { n - 1 }",
        "|i, n| i.max(0).min(n - 1)",
        "|i, n| if i < 0 { -i } else { 2 * n - 2 - i }",
        "|i, n| if i >= n { n - 3 } else { 2 }",
    ] {
        let names: Vec<&str> = in_passes(&kernel(&text(near))).0.iter().map(|passes| passes.name).collect();
        assert_eq!(names, ["passes", "row_passes"], "{near}");
        check_program(&text(near), &[&[3, 3], &[4, 7], &[9, 5]]);
    }
    // The other end of the array is nowhere near.
    assert!(in_passes(&kernel(&text("|i, n| if i < 0 { i + n } else { i - n }"))).0.is_empty());
}

#[test]
fn what_is_no_step_stays_as_it_is() {
    let total = "#[kernel] fn Total<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(3, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][0] - g[0][0]), grid)
    }";
    assert!(in_passes(&kernel(total)).0.is_empty());
    check_program(total, &[&[2, 3]]);
}

/// Two steps that differ, with boundaries of their own.
fn pipeline(first: &str, second: &str, kind: &str) -> String {
    let param = if kind.contains("other") { ", other: [[f32; M]; N]" } else { "" };
    format!(
        "fn shade<n, m>(grid: [[f32; m]; n]) -> [[f32; m]; n] {{
            grid.pad2d({first}).slide2d(3, 1).map2d(|w| 0.5 * w[0][0] + 0.25 * w[1][2] - 0.375 * w[2][1])
        }}
        fn sharpen<n, m>(grid: [[f32; m]; n]) -> [[f32; m]; n] {{
            grid.pad2d(0, 2, 1, 1, {second}).slide2d(3, 1).map2d(|w| w[0][1] - 0.125 * w[2][0] + 0.75 * w[1][2])
        }}
        fn around<n, m>(grid: [[f32; m]; n]) -> [[[[f32; 3]; 3]; m]; n] {{
            grid.pad2d(0, 2, 1, 1, {second}).slide2d(3, 1)
        }}
        #[kernel] fn Pipeline<N, M>(grid: [[f32; M]; N]{param}) -> [[f32; M]; N] {{ {kind} }}"
    )
}

#[test]
fn different_stages_are_one_launch() {
    for (first, second) in [
        ("1, 1, clamp", "clamp, clamp"),
        ("1, 1, mirror", "constant(3.0), reflect"),
        ("1, 1, constant(0.5)", "mirror, clamp"),
        ("1, 1, wrap", "wrap, wrap"),
        ("1, 1, 1, 1, wrap, reflect", "wrap, constant(2.0)"),
    ] {
        for kind in [
            "sharpen(shade(grid))",
            "shade(sharpen(grid))",
            // With what is between them, or came before, in its place.
            "{ let dark = shade(grid); zip2d(dark.around(), dark).map2d(|(w, a)| w[0][0] * a) }",
            "zip2d(shade(grid).around(), grid).map2d(|(w, a)| w[2][1] - 2.0 * a)",
            "zip2d(shade(grid).around(), other).map2d(|(w, a)| w[2][1] - 2.0 * a)",
        ] {
            let program = check_passes(&pipeline(first, second, kind), &[&[1, 1], &[2, 5]]);
            assert_eq!(streams(&program), [true], "{first} {second} {kind}: {}", Shown(&program));
            assert!(program.temporaries.is_empty(), "{}", Shown(&program));
        }
    }
}

#[test]
fn repeated_stages_are_one_launch_with_others() {
    for kind in ["shade(shade(sharpen(grid)))", "sharpen(iterate(2, shade, grid))"] {
        let program = check_passes(&pipeline("1, 1, clamp", "clamp, clamp", kind), &[&[2, 3]]);
        assert_eq!(streams(&program), [true], "{kind}: {}", Shown(&program));
    }
}

#[test]
fn long_pipelines_are_cut() {
    for kind in [
        "shade(sharpen(shade(sharpen(shade(grid)))))",
        // What is between two stages is read later.
        "{ let dark = shade(grid); zip2d(sharpen(dark).around(), dark).map2d(|(w, a)| w[0][0] * a) }",
    ] {
        let program = check_passes(&pipeline("1, 1, clamp", "clamp, clamp", kind), &[&[2, 3]]);
        assert_eq!(streams(&program), [false, true], "{}", Shown(&program));
    }
}

#[test]
fn stages_stay_apart_where_one_alone_is_periodic() {
    let text = pipeline("1, 1, clamp", "wrap, wrap", "sharpen(shade(grid))");
    assert!(in_passes(&kernel(&text)).0.is_empty());
    check_program(&text, &[&[2, 3]]);
}

#[test]
fn what_stages_read_is_replaced_when_they_are_done() {
    let update = |kind: &str| {
        pipeline("1, 1, clamp", "clamp, clamp", kind)
            .replace("(grid: [[f32; M]; N]) -> [[f32; M]; N] {", "(grid: &mut [[f32; M]; N]) {")
    };
    for kind in ["write_to(grid, sharpen(shade(grid)))", "write_to(grid, iterate(3, shade, grid))"] {
        let program = check_passes(&update(kind), &[&[2, 3]]);
        // Items read what others replace: the new contents are stored elsewhere first.
        assert_eq!(
            streams(&program).iter().filter(|streams| **streams).count(),
            1,
            "{kind}: {}",
            Shown(&program)
        );
        assert_eq!(program.temporaries.len(), 1, "{kind}: {}", Shown(&program));
    }
}
