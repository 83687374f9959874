//! The generated OpenCL text.

use common::cases::{self, Case};
use common::programs::to_opencl_versions;
use common::{compile, low};
use lift_laws::effort;

const CONVOLVE: &str = "
    fn f(nbh: [[f32; 17]; 17]) -> f32 { nbh.join().reduce(add, 0.0) / 289.0 }
    #[kernel] fn Blur<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(f)
    }";

const JACOBI_2D: &str = "
    #[kernel] fn Jacobi2d<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
        u.pad2d(1, 1, clamp).slide2d(3, 1)
            .map2d(|w| 0.2 * (w[1][1] + w[0][1] + w[1][0] + w[1][2] + w[2][1]))
    }";

const JACOBI_3D: &str = "
    #[kernel] fn Jacobi3d<N, M, O>(u: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        u.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w|
            0.5 * w[1][1][1] + 0.1 * (w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2]))
    }";

const PADDED_3D: &str = "
    #[kernel] fn Padded<N, M, O>(u: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
        u.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1).map3d(|w| w.map(|p| p.join().reduce(add, 0.0)).reduce(add, 0.0))
    }";

const INTERIOR: &str = "
    #[kernel] fn Interior<N, M>(u: [[f32; M + 2]; N + 2]) -> [[f32; M]; N] {
        u.slide2d(3, 1).map2d(|w| w[0][1] + w[2][1] - 2.0 * w[1][1])
    }";

const DEPOSIT: &str = "
    #[kernel] fn Deposit<N, M>(cells: &mut [i32; N], at: [i32; M], amount: [i32; M]) {
        scatter_to(cells, at, zip(gather(at, cells), amount).map(add));
    }";

const SLOTS: &str = "
    #[kernel] fn Slots<N, M, K>(x: [[i32; K]; N], keys: [usize; M], rows: [[i32; K]; M]) -> [[i32; K]; N] {
        scatter_to(x, keys.map(|k| k % N), rows)
    }";

const GEMV: &str = "
    #[kernel] #[size(M % 512 == 0)]
    fn Gemv<N, M>(alpha: f32, a: [[f32; M]; N], x: [f32; M], beta: f32, y: [f32; N]) -> [f32; N] {
        zip(a, y).map_workgroup(0, |(row, y)| {
            let sums = to_local(zip(row, x).split(4).split(128).transpose().map_local(0, |fours| {
                fours.reduce_seq(|sum, four| sum + to_private(four).map(mul).reduce_seq_unroll(add, 0.0), 0.0)
            }));
            let sums = to_local(sums.split(16).map_local(0, reduce_seq(add, 0.0)));
            alpha * sums.reduce_seq(add, 0.0) + beta * y
        })
    }";

/// Kernels of different kinds.
const KINDS: [&str; 8] = [
    JACOBI_2D,
    "#[kernel] fn Both<N, M>(u: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
        u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| (w[0][1], w[1][0])).map(unzip).unzip()
    }",
    "#[kernel] fn Total<N>(x: [f32; N]) -> f32 { x.reduce(add, 0.0) }",
    "#[kernel] fn Rows<N, M>(x: [[f32; M]; N]) -> [f32; N] { x.map(reduce(add, 0.0)) }",
    "#[kernel] fn Sums<N>(x: [f32; N]) -> [f32; N] { x.scan(add, 0.0) }",
    "#[kernel] fn Product<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
    }",
    "#[kernel] fn Waves<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
        iterate(8, |u| u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] + w[1][0]), u)
    }",
    "#[kernel] fn Placed<N>(x: [f32; N]) -> [f32; N] { x.map_global(0, |x| x + 1.0) }",
];

/// The versions of a kernel, and why there are no others.
fn missing(text: &str) -> String {
    let compiled = to_opencl_versions(text, &|_, _| false).remove(0);
    let names = &compiled.left_out;
    let lines = compiled.missing.iter().map(|(name, reason)| format!("    {name}: {reason}\n"));
    format!("{} has {}\n{}", compiled.kernel.name, names.join(", "), lines.collect::<String>())
}

#[test]
fn kernels_say_why_they_have_no_other_versions() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _scope = settings.bind_to_scope();
    insta::assert_snapshot!("missing", KINDS.map(missing).join("\n"));
}

/// The `[…]` of a text.
fn indices(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    for (i, c) in source.char_indices() {
        match c {
            '[' => open.push(i),
            ']' => found.extend(open.pop().map(|start| &source[start..=i])),
            _ => {}
        }
    }
    found
}

#[test]
fn indices_of_the_common_stencils_have_no_division() {
    for text in [CONVOLVE, JACOBI_2D, JACOBI_3D, PADDED_3D, INTERIOR] {
        for compiled in compile(text) {
            let naive = &compiled.versions[0].generated.source;
            let name = &compiled.kernel.name;
            assert!(indices(naive).len() > 1, "{name} reads and writes");
            for line in naive.lines().filter(|l| l.contains('[') || l.contains("index_t")) {
                let code = line.split("//").next().unwrap_or_default();
                let expression = code.replace("/*", "").replace("*/", "");
                let index_only: String = indices(&expression).concat();
                assert!(!index_only.contains(['/', '%']), "{name}: {line}");
                if expression.contains("index_t") {
                    assert!(!expression.contains(['/', '%']), "{name}: {line}");
                }
            }
        }
    }
}

#[test]
fn boundaries_vanish_where_they_are_unnecessary() {
    let interior = compile(INTERIOR).remove(0);
    let source = &interior.versions[0].generated.source;
    assert!(!source.contains("min(") && !source.contains("max(") && !source.contains('?'), "{source}");
    // A window that starts at the element itself never looks below zero.
    let forward = compile(
        "#[kernel] fn F<N>(x: [f32; N]) -> [f32; N] { x.pad(0, 2, clamp).slide(3, 1).map(|w| w[2] - w[0]) }",
    );
    let source = &forward[0].versions[0].generated.source;
    assert!(source.contains("min(") && !source.contains("max("), "{source}");
}

/// The text of a kernel's only version.
/// How many barriers of a text stand in a branch.
fn barriers_in_branches(source: &str) -> usize {
    let mut open: Vec<bool> = Vec::new();
    let mut found = 0;
    for line in source.lines().map(str::trim) {
        found += usize::from(line.starts_with("barrier(") && open.contains(&true));
        if line.starts_with('}') {
            open.pop();
        }
        if line.ends_with('{') {
            open.push(line.starts_with("if (") || line.contains("else"));
        }
    }
    found
}

#[test]
fn all_items_come_by_every_barrier() {
    assert_eq!(
        barriers_in_branches("{\n if (a) {\n barrier(x);\n } else {\n barrier(x);\n }\n barrier(x);\n}"),
        2
    );
    let mut barriers = 0;
    for case in low::low() {
        for version in compile(case.text).into_iter().flat_map(|kernel| kernel.versions) {
            let source = version.generated.source;
            barriers += source.matches("barrier(").count();
            assert_eq!(barriers_in_branches(&source), 0, "{}: {source}", case.name);
        }
    }
    assert!(barriers > 40, "{barriers}");
}

fn only(text: &str) -> String {
    compile(text).remove(0).versions.remove(0).generated.source
}

#[test]
fn sums_are_stored_together() {
    let source = only(
        "#[kernel] #[size(N % 4 == 0)] fn Sums<N>(x: [f32; N + 4]) -> [f32; N] {
            x.slide(8, 4).map_global(0, |t| to_private(t).slide(5, 1).map_seq_unroll(reduce_seq_unroll(add, 0.0))).join()
        }",
    );
    assert_eq!(source.matches("*(global float4*)(out").count(), 1, "{source}");
    assert_eq!(source.matches("*(global const float4*)").count(), 2, "{source}");
    // Of an element that the next one is computed from, there is only one value at a time.
    let source = only(
        "#[kernel] #[size(N % 2 == 0)] fn Running<N>(x: [f32; N]) -> [f32; N] {
            x.split(2).map_global(0, |t| to_private(t).scan_seq(|a, b| a * b + 1.0, 1.0)).join()
        }",
    );
    assert!(!source.contains("*(global float2*)(out"), "{source}");
}

#[test]
fn rows_with_a_halo_are_read_together() {
    let source = only(
        "#[kernel] #[size(M % 2 == 0)] fn Pairs<N, M>(x: [[f32; M + 2]; N]) -> [[f32; M]; N] {
            x.map(slide(4, 2)).map_global2d(|t| to_private(t).slide(3, 1).map_seq_unroll(|w| w[0] * w[2] - w[1])).map(join)
        }",
    );
    assert_eq!(source.matches("*(global const float2*)").count(), 2, "{source}");
    assert!(source.contains("*(global float2*)(out"), "{source}");
}

#[test]
fn any_rows_are_read_together_where_they_can_be() {
    let source = only(
        "#[kernel] fn Tiles<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
            x.pad2d(1, 2 + (N + 1) / 2 * 2 - N - 1, 1, 4 + (M + 3) / 4 * 4 - M - 3, clamp, clamp)
                .slide2d(4, 2, 6, 4)
                .map_global2d(|tile| to_private(tile).slide2d(3, 1).map_seq_unroll2d(|w|
                    w[1][1] + 0.5 * w[0][1] - 0.25 * w[2][1]))
                .join2d().take(N).map(take(M))
        }",
    );
    let (_, rest) = source.split_once("#if LIFT_CASE_1 == 1 // M % 4 == 0\n").expect("several texts");
    let (vectors, rest) = rest.split_once("#elif LIFT_CASE_1 == 2 // M % 2 == 0\n").expect("three texts");
    let (pairs, any) = rest.split_once("#else\n").expect("three texts");
    assert_eq!(vectors.matches("*(global const float4*)").count(), 4, "{vectors}");
    assert_eq!(vectors.matches("*(global float4*)(out").count(), 2, "{vectors}");
    // Both points of a pair are inside, or none.
    assert!(pairs.matches("*(global float2*)(out").count() == 4 && !pairs.contains("float4"), "{pairs}");
    assert!(any.ends_with("}\n#endif\n") && !any.contains("float4") && !any.contains("float2"), "{any}");
    // What is known needs no choice.
    let known = only(
        "#[kernel] #[size(N % 4 == 0)] fn F<N>(x: [f32; N]) -> [f32; N] { x.vectorize(4, |x| x + 1.0) }",
    );
    assert!(!known.contains("LIFT_CASE"), "{known}");
}

#[test]
fn rounds_in_local_memory_wait_once_each() {
    let source = only(
        "#[kernel] fn Rounds<N>(x: [f32; 24 * N]) -> [f32; 24 * N] {
            let three = |w| w[0] - 2.0 * w[1] + w[2];
            x.split(24).map_workgroup(0, |tile|
                iterate(5, |s| to_local(s.pad(1, 1, clamp).slide(3, 1).map_local(0, three)), to_local(tile)).map_local(0, id)).join()
        }",
    );
    assert_eq!(source.matches("barrier(").count(), 1, "{source}");
    assert_eq!(source.matches("local float tile[2][24]").count(), 1, "{source}");
    // An array of a work-item's own would be filled from local memory in every round.
    assert!(source.matches("float tile").count() == 1 && !source.contains("acc["), "{source}");
}

/// The texts of the case of this name.
fn texts_of(cases: Vec<Case>, name: &str) -> String {
    let case = cases.into_iter().find(|case| case.name == name).expect("the case");
    let kernels = compile(case.text);
    kernels
        .iter()
        .flat_map(|kernel| &kernel.versions)
        .map(|version| version.generated.source.as_str())
        .collect()
}

/// What is left over is reduced with the sums of the chunks: of several arrays in one, no lane asks by itself which array its element is of.
#[test]
fn what_is_left_over_is_reduced_in_loops() {
    let text = "
        #[kernel] fn Sum<N>(x: [f32; N]) -> f32 { x.reduce(add, 0.0) }
        #[kernel] fn Kept<N>(x: [i32; N]) -> ([i32; max(N - 3, 0)], i32) {
            let w = x.drop(1).slide(3, 1).map(|w| w[0] * w[1] - w[2]);
            (w, w.reduce(add, 0))
        }
        #[kernel] fn Joined<N, M>(x: [[f32; M]; N], y: [[f32; M]; 2]) -> [f32; N + 2] {
            x.concat(y).map(reduce(add, 0.0))
        }
        #[kernel] fn Filled<N, M>(x: [f32; N * M]) -> [f32; N + 2] {
            x.pad(0, 2 * M, constant(0.0)).split(M).map(reduce(add, 0.0))
        }";
    for kernel in compile(text) {
        for version in kernel.versions.iter().chain(&kernel.host) {
            let sources = version.generated.host.iter().map(|function| &function.text);
            for source in sources.chain([&version.generated.source]) {
                let (name, length) = (&kernel.kernel.name, source.len());
                assert!(length < 24_000, "{name}, {}: {length} characters", version.name);
            }
        }
    }
}

/// A mean and a variance of chunks come from one launch, and all of them from another. A third one normalises; roots are for results, not for elements.
#[test]
fn a_mean_and_a_variance_take_one_pass_in_stages() {
    let moments = "let mean = r.reduce(add, 0.0) / K as f32;
        let variance = r.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0) / K as f32;";
    for (before, k, after) in [("", "M", ""), (".transpose()", "N", ".transpose()")] {
        let moments = moments.replace('K', k);
        let flat = format!("x{before}.map(|r| {{ {moments} mean * variance }})");
        let rows = format!(
            "x{before}.map(|r| {{ {moments} let by = sqrt(variance); r.map(|v| (v - mean) / by) }}){after}"
        );
        let results = if k == "M" { "N" } else { "M" };
        for (ty, body, launches) in
            [(format!("[f32; {results}]"), flat, 2), ("[[f32; M]; N]".into(), rows, 3)]
        {
            let text = format!("#[kernel] fn F<N, M>(x: [[f32; M]; N]) -> {ty} {{ {body} }}");
            let kernel = compile(&text).remove(0);
            let staged = kernel.versions.iter().find(|version| version.name == "two_stage").expect("stages");
            let source = &staged.generated.source;
            // A launch may have several texts, for other sizes.
            let has = |launch: usize| source.contains(&format!("\nvoid f_{launch}("));
            assert!(has(launches) && !has(launches + 1), "{body}: {source}");
            let last = source.rsplit("\nvoid f_").find(|text| text.starts_with(&launches.to_string()));
            assert!(launches == 2 || last.is_some_and(|text| !text.contains("sqrt")), "{source}");
        }
    }
}

/// The text of the functions of the first version for the CPU.
fn rust_of(text: &str) -> String {
    let kernel = compile(text).remove(0);
    let version = kernel.host.first().unwrap_or_else(|| panic!("no version for the CPU: {text}"));
    version.generated.host.iter().map(|function| function.text.as_str()).collect()
}

/// Natural programs that a compiler of loops alone would compute element by element.
#[test]
fn rust_has_vectors_where_neighbours_lie_side_by_side() {
    let window = |boundary: &str| {
        format!(
            "#[kernel] fn Deviation<H, W>(u: [[f32; W]; H]) -> [[f32; W]; H] {{
                u.pad2d(3, 3, {boundary}).slide2d(7, 1).map2d(|w| {{
                    let mean = w.join().reduce(add, 0.0) / 49.0;
                    w.join().map(|v| (v - mean).powi(2)).reduce(add, 0.0)
                }})
            }}"
        )
    };
    for (name, text) in [
        ("windows that end early", window("clamp")),
        ("windows that are mirrored", window("mirror")),
        ("windows that are reflected", window("reflect")),
        (
            "sums over windows",
            "#[kernel] fn Sums<N, M>(y: [[f32; M + 1]; N]) -> [f32; N] {
                y.map(|row| row.slide(2, 1).map(|w| (w[1] - w[0]).abs()).reduce(add, 0.0))
            }"
            .into(),
        ),
        (
            "rows that are looked up",
            "#[kernel] fn Bag<V, D, N, L>(table: [[f32; D]; V], words: [[u32; L]; N]) -> [[f32; D]; N] {
                words.map(|text| table.gather(text).transpose().map(|c| c.reduce(add, 0.0)))
            }"
            .into(),
        ),
        (
            "the largest of sums of rows",
            "#[kernel] fn Largest<N, M>(x: [[f32; M]; N]) -> f32 {
                x.map(|row| row.map(abs).reduce(add, 0.0)).reduce(max, 0.0)
            }"
            .into(),
        ),
    ] {
        let rust = rust_of(&text);
        assert!(rust.contains("simd::V"), "{name}: {rust}");
    }
}

/// Parts of a launch are made of whole blocks.
#[test]
fn rust_says_how_many_items_are_computed_at_once() {
    let product = rust_of(
        "#[kernel] fn Gram<N, M>(x: [[f32; M]; N]) -> [[f32; M]; M] {
            x.transpose().map(|a| x.transpose().map(|b| zip(a, b).map(mul).reduce(add, 0.0)))
        }",
    );
    assert!(product.contains("const TOGETHER: usize = 4;"), "{product}");
    let columns = rust_of(
        "#[kernel] fn Sums<N, M>(x: [[f32; M]; N]) -> [f32; M] { x.transpose().map(|c| c.reduce(add, 0.0)) }",
    );
    assert!(columns.contains("const TOGETHER: usize = 16;"), "{columns}");
}

/// The state of as many items as registers hold: the more of it, the fewer items.
#[test]
fn what_is_repeated_stays_in_registers() {
    let strip = |state: usize| {
        let list = |part: &dyn Fn(usize) -> String| (0..state).map(part).collect::<Vec<_>>().join(", ");
        let (names, next) = (list(&|i| format!("s{i}")), list(&|i| format!("s{i} * s0 + {i}.5")));
        let rust = rust_of(&format!(
            "#[kernel] fn Steps<N>(n: usize, x: [f32; N]) -> [f32; N] {{
                x.map(|x| iterate(n, |{names}| ({next}), ({})).0)
            }}",
            list(&|_| "x".into())
        ));
        rust.len()
    };
    let (few, many) = (strip(2), strip(8));
    assert!(many < 2 * few, "{few} and {many} bytes");
}

/// Trips in which a condition on the index holds are apart, so that the others do not ask.
#[test]
fn conditions_on_indices_have_an_interior() {
    let rust = rust_of(
        "#[kernel] fn Plate<N, M>(u: [[f32; M]; N]) -> [[f32; M]; N] {
            array2d(N, M, |i, j| if i == 0 || i + 1 == N || j == 0 || j + 1 == M { u[i][j] }
                else { 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) })
        }",
    );
    assert!(rust.contains("host::inside(1, (m_1 - 1), m_1)"), "{rust}");
    // One trip in the middle takes nothing from the loop.
    let rust = rust_of(
        "#[kernel] fn Source<N, M>(u: [[f32; M]; N], v: [[f32; M]; N]) -> [[f32; M]; N] {
            array2d(N, M, |i, j| if j == M / 2 { u[i][j] } else { v[i][j] + 1.0 })
        }",
    );
    assert!(rust.contains("host::inside(0, m_1, m_1)"), "{rust}");
    // Where it turns there, both sides are loops of their own.
    let rust = rust_of(
        "#[kernel] fn Half<N, M>(u: [[f32; M]; N], v: [[f32; M]; N]) -> [[f32; M]; N] {
            array2d(N, M, |i, j| if j < M / 2 { u[i][j] } else { v[i][j] + 1.0 })
        }",
    );
    for side in ["host::inside(0, (m_1 / 2), (m_1 / 2))", "host::inside((m_1 / 2), m_1, m_1)"] {
        assert!(rust.contains(side), "{side}: {rust}");
    }
    assert!(!rust.contains("if (("), "{rust}");
}

/// What is the same program has the same versions, whether it is written with indices or with maps, of one matrix or of each of many.
#[test]
fn versions_are_those_of_the_program_and_not_of_its_spelling() {
    let gram = names(
        "#[kernel] fn Gram<N, M>(x: [[f32; M]; N]) -> [[f32; M]; M] {
            let t = x.transpose();
            t.map(|a| t.map(|b| zip(a, b).map(mul).reduce(add, 0.0)))
        }",
    );
    let by_index = names(
        "#[kernel] fn Gram<N, M>(x: [[f32; M]; N]) -> [[f32; M]; M] {
            array2d(M, M, |i, j| array(N, |k| x[k][i] * x[k][j]).reduce(add, 0.0))
        }",
    );
    assert_eq!(by_index, gram);
    assert!(gram.contains(&"blocked"), "{gram:?}");

    let batch = "#[kernel] fn Batch<B, N, M>(x: [[[f32; M + 16]; N + 16]; B], h: [[f32; 17]; 17]) -> [[[f32; M]; N]; B]";
    let maps = "x.map(|x| x.slide2d(17, 1).map2d(|w| zip2d(w, h).map2d(mul).reduce2d(add, 0.0)))";
    let indices =
        "array3d(B, N, M, |b, i, j| array2d(17, 17, |r, c| x[b][i + r][j + c] * h[r][c]).reduce2d(add, 0.0))";
    for body in [maps, indices] {
        let batch = names(&format!("{batch} {{ {body} }}"));
        assert!(batch.contains(&"window_rows"), "{body}: {batch:?}");
    }
    // What is not reduced row by row is computed in registers, unless each point takes long.
    let deviations = |point: &str| {
        names(&format!(
            "#[kernel] fn Deviations<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {{
                x.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| {{
                    let mean = w.reduce2d(add, 0.0) / 49.0;
                    w.map2d(|v| {point}).reduce2d(add, 0.0)
                }})
            }}"
        ))
    };
    for (point, is_short) in
        [("(v - mean) * (v - mean)", true), ("v / (v + mean)", false), ("exp(v - mean)", false)]
    {
        let found = deviations(point);
        assert_eq!(found.contains(&"registers"), is_short, "{point}: {found:?}");
    }
    // Nothing that reduces for each element is a function of elements.
    let channels = names(
        "#[kernel] fn Channels<C, O, N, M>(x: [[[f32; M + 2]; N + 2]; C], h: [[[[f32; 3]; 3]; C]; O]) -> [[[f32; M]; N]; O] {
            array3d(O, N, M, |o, i, j| array3d(C, 3, 3, |c, a, b| h[o][c][a][b] * x[c][i + a][j + b]).reduce3d(add, 0.0))
        }",
    );
    assert!(!channels.contains(&"strided"), "{channels:?}");
}

/// With an item for each, neighbours would read what lies far apart, or most of a device would have nothing to do.
#[test]
fn groups_reduce_rows_whatever_becomes_of_them() {
    for (what, text, version) in [
        (
            "histograms of rows",
            "#[kernel] fn Rows<N, M>(x: [[u8; M]; N]) -> [[u32; 256]; N] { x.map(histogram(256)) }",
            "rows",
        ),
        (
            "rows with a number beside them",
            "#[kernel] fn Beside<N, M>(x: [[f32; M]; N]) -> ([[f32; M]; N], [f32; N]) {
                x.map(|row| { let s = row.reduce(add, 0.0); (row.map(|v| v / s), s) }).unzip()
            }",
            "held_rows",
        ),
        (
            "windows far apart",
            "#[kernel] fn Frames<N>(x: [f32; 160 * N + 240]) -> [f32; N] {
                x.slide(400, 160).map(|w| w.map(|v| v * v).reduce(add, 0.0))
            }",
            "rows",
        ),
        (
            "reductions of reductions",
            "#[kernel] fn Best<N, K>(x: [f32; N], y: [[f32; 70]; K]) -> [f32; N] {
                x.map(|x| y.map(|y| y.map(|v| abs(v - x)).reduce(add, 0.0)).reduce(min, f32::INFINITY))
            }",
            "rows",
        ),
    ] {
        let found = names(text);
        assert!(found.contains(&version), "{what}: {found:?}");
    }
    // Neighbouring windows that overlap read the same.
    let near = names(
        "#[kernel] fn Sums<N>(x: [f32; N + 399]) -> [f32; N] { x.slide(400, 1).map(|w| w.reduce(add, 0.0)) }",
    );
    assert!(!near.contains(&"rows"), "{near:?}");
    // Columns that are reduced beside a product have strips, whatever squares the product has.
    let columns = to_opencl_versions(
        "#[kernel] fn Similar<N, D>(x: [[f32; D]; N]) -> [[f32; D]; D] {
            let columns = x.transpose().map(|c| { let s = c.reduce(add, 0.0); c.map(|v| v - s) });
            columns.map(|a| columns.map(|b| zip(a, b).map(mul).reduce(add, 0.0)))
        }",
        &|_, version| version == "two_stage_large",
    );
    let steps = columns[0].versions[0].derivation.to_string();
    for stages in ["in_stages(strips", "in_stages(squares of 128"] {
        assert!(steps.contains(stages), "{stages}: {steps}");
    }
}

#[test]
fn contractions_are_products_however_they_are_written() {
    let has_squares = |text: &str| names(text).contains(&"blocked_32");
    let convolution = |shape: &str, body: &str| {
        let [c, o] = if shape == "known" { ["3", "16"] } else { ["C", "O"] };
        format!(
            "#[kernel] fn Channels<{} N, M>(x: [[[f32; M + 2]; N + 2]; {c}], h: [[[[f32; 3]; 3]; {c}]; {o}]) -> [[[f32; M]; N]; {o}] {{ {} }}",
            if shape == "known" { "" } else { "C, O," },
            body.replace('$', c).replace('#', o),
        )
    };
    let by_index = "array3d(#, N, M, |o, i, j| array3d($, 3, 3, |c, a, b| h[o][c][a][b] * x[c][i + a][j + b]).reduce3d(add, 0.0))";
    let by_map = "h.map(|h| array2d(N, M, |i, j| array3d($, 3, 3, |c, a, b| x[c][i + a][j + b] * h[c][a][b]).reduce3d(add, 0.0)))";
    // What is known of sizes takes no version away that a launch of such sizes would choose.
    for shape in ["known", "unknown"] {
        for body in [by_index, by_map] {
            let text = convolution(shape, body);
            assert!(has_squares(&text), "{text}");
        }
    }
    let text = source_of(&convolution("unknown", by_index), "blocked_64");
    // Weights are read in the order in which they lie, and windows by indices that are no wider than others.
    let [weights, windows] =
        ["= h[", "= x["].map(|read| text.lines().find(|line| line.contains(read)).unwrap());
    assert!(!weights.contains('/') && !weights.contains('%'), "{weights}");
    let copies = text.lines().filter(|line| line.contains("% 3") || line.contains("/ 9"));
    assert!(
        copies.clone().count() > 0 && copies.clone().all(|line| !line.contains("(long)y")),
        "{windows}\n{text}"
    );
    // A factor of the batch alone is no operand, and one that both have is in one of them.
    let scaled = |body: &str| {
        format!("#[kernel] fn Scaled<B, N, M, K>(q: [[[f32; K]; N]; B], k: [[[f32; K]; M]; B], s: [f32; B]) -> [[[f32; M]; N]; B] {{
            array3d(B, N, M, |b, i, j| array(K, |d| {body}).reduce(add, 0.0)) }}")
    };
    assert!(has_squares(&scaled("s[b] * q[b][i][d] * k[b][j][d]")));
    compile(&scaled("max(q[b][i][d] * k[b][j][d], s[b])"));
}

#[test]
fn elements_without_scalars_are_compiled() {
    for text in [
        "#[kernel] fn Nothing<N, M>(x: [[[f32; 0]; M + 2]; N + 2]) -> [[[f32; 0]; M]; N] { x.slide2d(3, 1).map2d(|w| w[1][1]) }",
        "#[kernel] fn None<N, M>(x: [[f32; M]; 0], y: [[f32; M]; N]) -> [[f32; N]; 0] {
            array2d(0, N, |i, j| array(M, |k| (x[i][k] - 1.0) * y[j][k]).reduce(add, 0.0)) }",
    ] {
        assert!(!compile(text).remove(0).versions.is_empty(), "{text}");
    }
}

/// The names of the versions of a kernel for OpenCL.
fn names(text: &str) -> Vec<&'static str> {
    to_opencl_versions(text, &|_, _| false).remove(0).left_out
}

/// The source of a version.
fn source_of(text: &str, version: &str) -> String {
    let compiled = to_opencl_versions(text, &|_, name| name == version).remove(0);
    let found = compiled.versions.iter().find(|it| it.name == version);
    found.unwrap_or_else(|| panic!("no {version}: {text}")).generated.source.clone()
}

#[test]
fn rows_of_any_length_are_read_as_vectors() {
    let numbers = source_of(
        "#[kernel] fn Three<N>(u: [f32; N + 2]) -> [f32; N] { u.slide(3, 1).map(|w| w[0] - 2.0 * w[1] + w[2]) }",
        "registers",
    );
    assert!(numbers.contains("const float4 tile") && !numbers.contains("LIFT_CASE"), "{numbers}");
    let bytes = source_of(
        "#[kernel] fn Three<N>(u: [u8; N]) -> [u8; N] { u.pad(1, 1, clamp).slide(3, 1).map(|w| max(w[0], w[2])) }",
        "registers",
    );
    assert!(bytes.contains("const uchar16 tile"), "{bytes}");
    let plane = source_of(
        "#[kernel] fn Least<N, M>(u: [[u8; M]; N]) -> [[u8; M]; N] {
            u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| min(w[0][1], w[2][0]))
        }",
        "registers",
    );
    assert!(
        plane.contains("LIFT_CASE_1 == 1 // M % 8 == 0") && plane.contains("const uchar8 tile"),
        "{plane}"
    );
}

/// Written out, this would be more text than a function may have.
#[test]
fn what_is_too_long_when_written_out_is_loops() {
    let rust = rust_of(
        "#[kernel] fn Flow<H, W>(x: [[f32; W]; H], y: [[f32; W]; H], t: [[f32; W]; H]) -> [[f32; W]; H] {
            zip2d(x, y, t).pad2d(3, 3, constant((0.0, 0.0, 0.0))).slide2d(7, 1).map2d(|w| {
                let (xx, xy, yy, xt, yt) = w.join().map(|(x, y, t)| (x * x, x * y, y * y, x * t, y * t))
                    .reduce(|a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3, a.4 + b.4), (0.0, 0.0, 0.0, 0.0, 0.0));
                xx + xy + yy + xt + yt
            })
        }",
    );
    assert!(rust.len() < 20_000, "{} bytes", rust.len());
}

/// The cosines are the same for all frames: a launch of its own computes them.
#[test]
fn a_table_is_computed_once_for_all_frames() {
    let text = only(
        "#[kernel] fn Cosines<F>(x: [[f32; 256]; F]) -> [[f32; 16]; F] {
            x.map(|frame| array(16, |k| {
                zip(frame, array(256, |i| (0.01 * (i * k) as f32).cos())).map(mul).reduce(add, 0.0)
            }))
        }",
    );
    let [table, frames] = [1, 2].map(|launch| {
        let start = text
            .find(&format!("\nvoid cosines_{launch}("))
            .or(text.find(&format!("kernel void cosines_{launch}(")));
        start.unwrap_or_else(|| panic!("launch {launch}: {text}"))
    });
    assert!(text[table..frames].contains("cos(") && !text[frames..].contains("cos("), "{text}");
}

/// Of `restrict` arrays, NVIDIA's compiler reads before the barrier what others write.
#[test]
fn what_groups_share_in_global_memory_is_not_restrict() {
    let shared = texts_of(low::low(), "global memory of groups");
    assert!(
        shared.contains("global float* stored,\n    global float* stored2,\n    global int* stored3 "),
        "{shared}"
    );
}

#[test]
fn a_stream_computes_each_element_once() {
    let stream = |size: &str| {
        only(&format!(
            "#[kernel] fn Thinned<N, M>(x: [[f32; 3 * M + 1]; N]) -> [[f32; M]; N] {{
                x.map_global(0, |row| row.take(3 * M - 3 + {size}).map_seq(|v| sqrt(v)).slide_seq({size}, 3)
                    .map_seq(|w| w[0] - w[{size} - 1]))
            }}"
        ))
    };
    // One before the loop and three in it, of which nobody reads two.
    let overlapping = stream("4");
    assert_eq!(overlapping.matches("sqrt(").count(), 2, "{overlapping}");
    let apart = stream("2");
    assert_eq!(apart.matches("sqrt(").count(), 2, "{apart}");
}

#[test]
fn a_launch_without_the_variant_runs_as_its_best_one() {
    let both = compile(
        "#[kernel] fn Both<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
            let a = x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] * w[1][0] + w[1][1]);
            a.pad2d(8, 8, clamp).slide2d(17, 1).map2d(|w| w.join().reduce(max, f32::NEG_INFINITY))
        }",
    )
    .remove(0);
    let first = |name: &str| {
        let version = both.versions.iter().find(|version| version.name == name).expect(name);
        let (_, rest) = version.generated.source.split_once("both_1(").expect("two launches");
        rest.split("both_2(").next().unwrap_or_default().to_string()
    };
    assert!(!first("naive").contains("float4"));
    assert!(first("separated").contains("float4"), "{}", first("separated"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let all = [cases::stencils(), cases::others(), cases::programs(), cases::borders()].concat();
    // A part of them, since each is compiled twice: which, depends on how many there are.
    let step = if effort::everything() { 4 } else { 12 };
    effort::report("texts that are compiled twice", (all.len() - all.len() % step).div_ceil(step), all.len());
    for case in all.iter().skip(all.len() % step).step_by(step) {
        let text = |_| {
            let compiled = compile(case.text);
            compiled
                .iter()
                .flat_map(|k| &k.versions)
                .map(|v| format!("{}{}", v.generated.source, v.derivation))
                .collect::<String>()
        };
        assert_eq!(text(1), text(2), "{}", case.name);
    }
}

#[test]
fn snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _scope = settings.bind_to_scope();
    let texts = [CONVOLVE, JACOBI_2D, JACOBI_3D, PADDED_3D, INTERIOR, DEPOSIT, SLOTS];
    let chosen = [
        "a scalar parameter",
        "a dot product",
        "matrix product",
        "a symbolic window",
        "lazy arms",
        "a table",
    ];
    let cases = cases::others();
    let more = cases.iter().filter(|c| chosen.contains(&c.name)).map(|c| c.text);
    let (programs, borders) = (cases::programs(), cases::borders());
    let mut names = std::collections::BTreeSet::new();
    let more = more.chain(programs.iter().chain(&borders).map(|c| c.text));
    for text in texts.into_iter().chain(more) {
        for compiled in compile(text) {
            for version in &compiled.versions {
                let name = format!("{}.{}.cl", compiled.kernel.name, version.name);
                assert!(names.insert(name.clone()), "two kernels have the snapshot {name}");
                insta::assert_snapshot!(name, version.generated.source);
            }
        }
    }
    insta::assert_snapshot!("Gemv.explained", compile(GEMV).remove(0).to_string());
    let blur = compile(CONVOLVE).remove(0);
    insta::assert_snapshot!("Blur.tiled.derivation", blur.versions[1].derivation.to_string());
}

#[test]
fn rows_of_pairs_have_a_text_of_their_own() {
    let case = cases::borders().into_iter().find(|case| case.name == "rows of pairs").expect("the case");
    let leap = compile(case.text).remove(0);
    let blocks = leap.versions.iter().find(|version| version.name == "registers").expect("blocks");
    let source = &blocks.generated.source;
    let place =
        |condition: &str| source.find(condition).unwrap_or_else(|| panic!("no {condition}:\n{source}"));
    // Where rows are fours, nobody asks whether they are pairs.
    assert!(place("O % 4 == 0\n") < place("O % 2 == 0\n"), "{source}");
}

#[test]
fn whole_rows_together_have_a_text_of_their_own() {
    let text = "#[kernel] fn Bell<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
        x.pad2d(1, 2, 1, 2, clamp, clamp).slide2d(4, 1).map2d(|w| w.join().map(|x| 0.25 * x).reduce(add, 0.0))
    }";
    let bell = compile(text).remove(0);
    let vectors = bell.versions.iter().find(|version| version.name == "vectors").expect("vectors");
    let source = &vectors.generated.source;
    let several = source.split_once("#if LIFT_CASE_1 == 1 // N % 4 == 0\n");
    let several = several.and_then(|(_, functions)| functions.split_once("#else"));
    let (whole, any) = several.unwrap_or_else(|| panic!("one text:\n{source}"));
    // Nobody asks whether a row is there, and no sum waits for the sums of other rows.
    assert_eq!((whole.matches("< N)").count(), any.matches("< N)").count() > 0), (0, true), "{source}");
    assert!(!whole.contains("float16 acc"), "{source}");
}
