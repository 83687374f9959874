//! Kernels of every kind that is cut.

use crate::print::Shown;
use lift_core::program::Program;

use super::check_program;

/// The number of launches in the text of a program, those that are repeated once.
fn launches(program: &Program) -> usize {
    let mut count = 0;
    lift_core::program::Step::launches(&program.steps, &mut |_| count += 1);
    count
}

const ONE: &[&[i64]] = &[&[1], &[2], &[5], &[257], &[700]];
const TWO: &[&[i64]] = &[&[1, 1], &[2, 3], &[5, 4], &[17, 31]];

const DOT: &str =
    "#[kernel] fn Dot<N>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y).map(mul).reduce(add, 0.0) }";

const SUM_2D: &str = "#[kernel] fn Sum<N, M>(x: [[f32; M]; N]) -> f32 { x.reduce2d(add, 0.0) }";

const NORMALISE: &str = "#[kernel] fn Normalise<N>(x: [f32; N]) -> [f32; N] {
    let sum = x.reduce(add, 0.0);
    x.map(|v| v / sum)
}";

const BLUR_OF_GRADIENT: &str = "fn gradient(w: [[f32; 3]; 3]) -> f32 {
    let dx = w[1][2] - w[1][0];
    let dy = w[2][1] - w[0][1];
    (dx * dx + dy * dy).sqrt()
}
fn mean(w: [[f32; 3]; 3]) -> f32 { w.reduce2d(add, 0.0) / 9.0 }
#[kernel] fn Smooth<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
    x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(gradient).pad2d(1, 1, clamp).slide2d(3, 1).map2d(mean)
}";

const SEPARABLE: &str =
    "fn weigh(weights: [f32; 5], w: [f32; 5]) -> f32 { zip(weights, w).map(mul).reduce(add, 0.0) }
#[kernel] fn Separable<N, M>(weights: [f32; 5], x: [[f32; M]; N]) -> [[f32; M]; N] {
    let rows = x.map(|row| row.pad(2, 2, mirror).slide(5, 1).map(weigh(weights)));
    rows.transpose().map(|column| column.pad(2, 2, mirror).slide(5, 1).map(weigh(weights))).transpose()
}";

const JACOBI: &str = "fn average(w: [[f32; 3]; 3]) -> f32 { 0.25 * (w[0][1] + w[1][0] + w[1][2] + w[2][1]) }
#[kernel] fn Jacobi<N, M>(steps: usize, grid: [[f32; M]; N]) -> [[f32; M]; N] {
    iterate(steps, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(average), grid)
}";

const SRAD: &str = "fn flux(q0: f32, w: [[f32; 3]; 3]) -> f32 {
    let d = w[0][1] + w[2][1] + w[1][0] + w[1][2] - 4.0 * w[1][1];
    let q = d / w[1][1];
    1.0 / (1.0 + (q * q - q0) / (q0 * (1.0 + q0) + 1.0))
}
fn update(w: [[(f32, f32); 3]; 3]) -> f32 {
    let (c, v) = w[1][1];
    let (cs, vs) = w[2][1];
    let (ce, ve) = w[1][2];
    v + 0.125 * (cs * (vs - v) + ce * (ve - v) + c * v)
}
fn step<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
    let size = (N * M) as f32;
    let mean = image.reduce2d(add, 0.0) / size;
    let squares = image.map2d(|v| v * v).reduce2d(add, 0.0) / size;
    let q0 = (squares - mean * mean) / (mean * mean + 1.0);
    let c = image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(flux(q0));
    zip2d(c, image).pad2d(1, 1, clamp).slide2d(3, 1).map2d(update)
}";

fn srad(body: &str) -> String {
    format!("{SRAD}\n#[kernel] fn Srad<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {{ {body} }}")
}

#[test]
fn a_dot_product() {
    let program = check_program(DOT, ONE);
    assert_eq!((launches(&program), program.temporaries.len()), (2, 1));
    insta::assert_snapshot!(Shown(&program));
}

#[test]
fn a_sum_of_two_dimensions() {
    let program = check_program(SUM_2D, TWO);
    assert_eq!((launches(&program), program.temporaries.len()), (2, 1));
    insta::assert_snapshot!(Shown(&program));
}

#[test]
fn short_sums_take_one_launch() {
    let text = |n: i64| format!("#[kernel] fn Sum(x: [i32; {n}]) -> i32 {{ x.reduce(add, 0) }}");
    for n in [1, 3, 64, 65, 256, 300, 4096] {
        assert_eq!(launches(&check_program(&text(n), &[&[]])), 1);
    }
    assert_eq!(launches(&check_program(&text(4097), &[&[]])), 2);
}

#[test]
fn updates_of_the_same_rows_are_one_launch() {
    // The pressure at a wall, and the state of its branches: however many, they are stored in a loop.
    let walls = |state: &str| {
        let program = check_program(
            &[
                "#[kernel] fn Walls<N, B>(b: [i32; B], force: [i32; N], x: &mut [i32; N], g: &mut [[i32; N]; B], v: &mut [[i32; N]; B]) {
                    let rows = zip(g.transpose(), v.transpose(), x);
                    let after = zip(rows, force).map(|((g, v, x), f)| x + f * zip(b, g, v).map(|(b, g, v)| b * g - v).reduce(add, 0));
                    let faster = zip(",
                state,
                ", x, after).map(|((g, v), x, after)| zip(b, g, v).map(|(b, g, v)| b * (after - x) + v - g));
                    write_to(x, after);
                    write_to(g, zip(g.transpose(), faster).map(|(g, v)| zip(g, v).map(add)).transpose());
                    write_to(v, faster.transpose());
                }",
            ]
            .concat(),
            TWO,
        );
        launches(&program)
    };
    assert_eq!(walls("zip(g.transpose(), v.transpose())"), 1);
    // What others replace is stored elsewhere first.
    assert!(walls("zip(g.transpose().reverse(), v.transpose())") > 1);
    assert!(walls("zip(g.reverse().transpose(), v.transpose())") > 1);
}

#[test]
fn the_best_of_all() {
    let program = check_program(
        "fn best(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
            if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a }
        }
        #[kernel] fn ArgMax<N>(x: [f32; N]) -> i32 {
            zip(x, array(N, |i| i as i32)).reduce(best, (-1000.0, i32::MAX)).1
        }",
        ONE,
    );
    // Of the second launch's results one is what is wanted.
    assert_eq!(launches(&program), 2);
}

#[test]
fn a_sum_that_every_element_needs() {
    let program = check_program(NORMALISE, ONE);
    assert_eq!(launches(&program), 3);
    insta::assert_snapshot!(Shown(&program));
    // Also where it is not named.
    let inside = "#[kernel] fn N<N>(x: [f32; N]) -> [f32; N] { x.map(|v| v / x.reduce(add, 0.0)) }";
    assert_eq!(launches(&check_program(inside, ONE)), 3);
}

#[test]
fn a_stencil_of_a_stencil() {
    let program = check_program(BLUR_OF_GRADIENT, TWO);
    assert_eq!((launches(&program), program.temporaries.len()), (2, 1));
    insta::assert_snapshot!(Shown(&program));
}

#[test]
fn cheap_elements_are_computed_again() {
    let text = "#[kernel] fn Cheap<N>(x: [f32; N]) -> [f32; N] {
        x.map(|v| 2.0 * v + 1.0).pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[2])
    }";
    let program = check_program(text, ONE);
    assert_eq!(launches(&program), 1);
    assert!(program.trace.is_none(), "nothing was cut");
}

#[test]
fn rows_and_columns() {
    let program = check_program(SEPARABLE, TWO);
    assert_eq!((launches(&program), program.temporaries.len()), (2, 1));
    insta::assert_snapshot!(Shown(&program));
}

#[test]
fn a_matrix_that_is_computed_is_stored() {
    let text = "#[kernel] fn Gemm<N, M>(a: [[f32; M]; N], b: [[f32; N]; M]) -> [[f32; N]; N] {
        let columns = b.map2d(|v| v.exp()).transpose();
        a.map(|row| columns.map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
    }";
    assert_eq!(launches(&check_program(text, TWO)), 2);
}

#[test]
fn the_user_decides() {
    let text = "#[kernel] fn Twice<N>(x: [f32; N]) -> [f32; N] {
        x.map(|v| v + 1.0).materialize().map(|v| v * 2.0)
    }";
    let program = check_program(text, ONE);
    assert_eq!((launches(&program), program.temporaries.len()), (2, 1));
}

#[test]
fn prefixes_are_stored_before_they_are_read() {
    let text = "#[kernel] fn Prefixes<N>(x: [i32; N]) -> [i32; N] { x.scan(add, 0).map(|v| v * 2) }";
    let program = check_program(text, ONE);
    assert_eq!((launches(&program), program.temporaries.len()), (3, 2));
    insta::assert_snapshot!(Shown(&program));
    // Where few are scanned, one work-item does it.
    let few = text.replace("<N>", "").replace("N]", "1024]");
    assert_eq!(launches(&check_program(&few, &[&[]])), 2);
}

#[test]
fn prefixes_are_computed_in_three_launches() {
    let sums = "#[kernel] fn Sums<N>(x: [i32; N]) -> [i32; N] { x.scan(add, 0) }";
    let stored = sums.replace("add, 0)", "add, 0).materialize()");
    for text in [sums, &stored] {
        let program = check_program(text, ONE);
        assert_eq!((launches(&program), program.temporaries.len()), (3, 2));
    }
    // What is expensive is computed once.
    let roots = "#[kernel] fn Roots<N>(x: [f32; N]) -> [f32; N] { x.map(|v| v.abs().sqrt()).scan(max, 0.0) }";
    assert_eq!(launches(&check_program(roots, ONE)), 4);
    let pairs = "#[kernel] fn Last<N>(x: [i32; N]) -> [(i32, bool); N] {
        zip(x, x.map(|v| v > 3)).scan(|a, b| if b.1 { b } else { (a.0 + b.0, a.1) }, (0, false))
    }";
    // Where order matters, runs are summed up before chunks.
    assert_eq!(launches(&check_program(pairs, ONE)), 4);
    let loops = "#[kernel] fn Often<N>(k: usize, x: [i32; N]) -> [i32; N] { iterate(k, scan(add, 0), x) }";
    check_program(loops, ONE);
    let both = "#[kernel] fn Both<N>(x: [i32; N]) -> ([i32; N], i32) { (x.scan(add, 0), x.scan(max, 0).reduce(add, 0)) }";
    check_program(both, ONE);
}

#[test]
fn reductions_over_the_same_indices_are_one() {
    let count = |text: &str| launches(&check_program(&format!("#[kernel] fn K<N, M>{text}"), TWO));
    let squares = "x.map2d(|v| v * v).reduce2d(add, 0.0)";
    let two = format!("(x: [[f32; M]; N]) -> (f32, f32) {{ (x.reduce2d(add, 0.0), {squares}) }}");
    assert_eq!(count(&two), 2);
    let three = format!(
        "(x: [[f32; M]; N], y: [f32; N]) -> [f32; N] {{
            let (a, b) = (x.reduce2d(add, 0.0), {squares});
            let c = x.join().reduce(max, -1.0);
            y.map(|v| v * a - b / c)
        }}"
    );
    assert_eq!(count(&three), 3);
    // Other lengths, and a reduction that needs another first.
    let lengths =
        "(x: [[f32; M]; N], y: [f32; N]) -> (f32, f32) { (x.reduce2d(add, 0.0), y.reduce(add, 0.0)) }";
    assert_eq!(count(lengths), 4);
    let count = |text: &str| launches(&check_program(&format!("#[kernel] fn K<N>{text}"), ONE));
    let first = "(y: [f32; N]) -> f32 {
        let a = y.reduce(add, 0.0);
        y.map(|v| (v - a) * (v - a)).reduce(add, 0.0)
    }";
    assert_eq!(count(first), 4);
    assert_eq!(
        count("(y: [f32; N]) -> f32 { y.map(|v| v * y.reduce(max, f32::NEG_INFINITY)).reduce(add, 0.0) }"),
        4
    );
}

#[test]
fn rounds_of_the_host() {
    let program = check_program(JACOBI, TWO);
    insta::assert_snapshot!(Shown(&program));
    // A number of rounds that is known saves the copies; without a round, there is nothing but a copy.
    for (rounds, expected) in [(0, 1), (1, 1), (2, 2), (3, 3), (7, 3)] {
        let text = JACOBI.replace("steps: usize, ", "").replace("steps,", &format!("{rounds},"));
        let program = check_program(&text, TWO);
        assert_eq!(launches(&program), expected, "{rounds} rounds\n{}", Shown(&program));
        assert_eq!(program.stages.len(), 1, "{}", Shown(&program));
    }
    let sizes = JACOBI.replace("steps: usize, ", "").replace("steps,", "N,");
    check_program(&sizes, TWO);
}

#[test]
fn two_grids_in_turn() {
    let text = "#[kernel] fn Wave<N>(steps: usize, now: [f32; N], before: [f32; N]) -> [f32; N] {
        let (last, _) = iterate(
            steps,
            |(u, v)| (zip(u.pad(1, 1, clamp).slide(3, 1), v).map(|(w, v)| w[0] + w[2] - v), u),
            (now, before),
        );
        last
    }";
    check_program(text, ONE);
}

#[test]
fn a_step_of_several_launches() {
    let program = check_program(&srad("step(image)"), TWO);
    insta::assert_snapshot!(Shown(&program));
    let program = check_program(&srad("iterate(4, step, image)"), &[&[1, 1], &[3, 2], &[6, 7]]);
    insta::assert_snapshot!("many_steps_of_several_launches", Shown(&program));
}

#[test]
fn several_results() {
    // Over the same indices: one launch.
    let text = "#[kernel] fn Both<N>(x: [f32; N]) -> ([f32; N], [i32; N]) {
        let windows = x.pad(1, 1, wrap).slide(3, 1);
        (windows.map(|w| w[0] + w[2]), windows.map(|w| if w[0] < w[2] { 1 } else { 0 }))
    }";
    let program = check_program(text, ONE);
    assert_eq!(launches(&program), 1);
    insta::assert_snapshot!(Shown(&program));
    // Computed together.
    let text = "#[kernel] fn Polar<N, M>(x: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
        let (a, b) = unzip(x.map(|row| unzip(row.map(|v| (v.sin(), v.cos())))));
        (a, b)
    }";
    assert_eq!(launches(&check_program(text, TWO)), 1);
    // Different indices, an array of tuples, scalars.
    let text =
        "#[kernel] fn All<N>(s: (f32, i32), x: [(f32, i32); N]) -> ([(i32, f32); N], f32, [f32; 3], i32) {
        let sum = x.map(|p| p.0).reduce(add, 0.0);
        (x.map(|(a, b)| (b, a * s.0)), sum, array(3, |i| i as f32 + sum), s.1)
    }";
    let program = check_program(text, ONE);
    insta::assert_snapshot!("results_of_all_kinds", Shown(&program));
}

#[test]
fn a_kernel_is_a_function_of_others() {
    let text = "#[kernel] fn Sum<N>(x: [f32; N]) -> f32 { x.reduce(add, 0.0) }
    #[kernel] fn Centre<N>(x: [f32; N]) -> [f32; N] { let mean = Sum(x) / (N as f32); x.map(|v| v - mean) }";
    assert_eq!(launches(&check_program(text, ONE)), 3);
}

#[test]
fn temporaries_are_used_again() {
    let text = "fn f(w: [f32; 3]) -> f32 { (w[0] + w[1] * w[2]).sin() }
    #[kernel] fn Chain<N>(x: [f32; N]) -> [f32; N] {
        let a = x.pad(1, 1, clamp).slide(3, 1).map(f);
        let b = a.pad(1, 1, clamp).slide(3, 1).map(f);
        let c = b.pad(1, 1, clamp).slide(3, 1).map(f);
        c.pad(1, 1, clamp).slide(3, 1).map(f)
    }";
    let program = check_program(text, ONE);
    assert_eq!((launches(&program), program.temporaries.len()), (4, 2));
}

/// How many launches a kernel over arrays of `N` numbers takes, if what follows are its parameters and its body.
fn launches_over_numbers(text: &str) -> usize {
    launches(&check_program(&["#[kernel] fn K<N>", text].concat(), ONE))
}

#[test]
fn parts_of_one_map_are_stored_by_one_launch() {
    let results = |ty: &str, parts: &str| {
        let both = "let (a, b) = x.map_global(0, |v| (v + 1, [v, 2 * v])).unzip();";
        launches_over_numbers(&["(x: [i32; N]) -> ", ty, " { ", both, parts, " }"].concat())
    };
    let dealt = "a.scatter(|i, n| if 2 * i < n { 2 * i } else { 2 * i - (n - 1) / 2 * 2 - 1 })";
    assert_eq!(results("([i32; N], [[i32; N]; 2])", "(a, b.transpose())"), 1);
    assert_eq!(results("([[i32; 2]; N], [i32; N])", &["(b, ", dealt, ")"].concat()), 1);
    let updates = |read: &str, written: &str| {
        let own = "(x: &mut [i32; N], y: &mut [[i32; N]; 2]) { let (a, b) = ";
        let f = ".map_global(0, |(v, w)| {
            let old = to_private(w);
            let sum = v + old[0] - 2 * old[1];
            (sum, old.map_seq_unroll(|u| u + sum))
        }).unzip();";
        let x = ["write_to(x, ", written, ");"].concat();
        launches_over_numbers(&[own, read, f, &x, "write_to(y, b.transpose()); }"].concat())
    };
    assert_eq!(updates("zip(x, y.transpose())", "a"), 1);
    // What others replace is read, so that the new contents are stored elsewhere first.
    assert_eq!(updates("zip(x, y.transpose()).reverse()", "a"), 3);
    assert_eq!(updates("zip(x, y.transpose())", dealt), 2);
    let points = |at: &str| {
        let own = "(k: [u8; 1], x: &mut [i32; N], y: &mut [i32; N]) { let k = k.map(|k| k % 1);
            let (a, b) = zip(x.gather(k), y.gather(";
        let f =
            ")).map_global(0, |(v, w)| (v + w, v - w)).unzip(); scatter_to(x, k, a); scatter_to(y, k, b); }";
        launches_over_numbers(&[own, at, f].concat())
    };
    assert_eq!(points("k"), 1);
    assert_eq!(points("k.map(|k| 0 * k)"), 2);
}

#[test]
fn loops_in_loops_run_as_often_as_they_should() {
    for (outer, inner) in [(1, 2), (2, 2), (2, 5), (3, 4), (5, 1)] {
        let text = format!(
            "fn step<n>(x: [f32; n]) -> [f32; n] {{ x.pad(1, 1, clamp).slide(3, 1).map(|w| 0.5 * w[0] + 0.375 * w[2]) }}
            #[kernel] fn Nested<N>(x: [f32; N]) -> [f32; N] {{
                iterate({outer}, |x| iterate({inner}, step, x).map(|v| v + 1.0), x)
            }}"
        );
        check_program(&text, &[&[1], &[7]]);
    }
}
