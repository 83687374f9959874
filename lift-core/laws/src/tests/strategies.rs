//! Every step is applied somewhere, chains of steps keep the meaning, and what is said about them is written down.

use std::collections::BTreeSet;
use std::path::Path;

use lift_core::diag::Diagnostics;
use lift_core::explore::strategies::steps::{STEPS, Step};
use lift_core::explore::{Variant, strategies};
use lift_core::generate;
use lift_core::ir::Kernel;
use lift_core::pipeline::{self, Compilation};
use lift_core::program::chosen::choose;
use lift_core::program::{self, versions};

use crate::testing::{Random, is_current, kernel};
use crate::tests::explore::compare;
use crate::tests::program::check_launches;

const CROSS: &str = "fn F<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
    x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[1][1] - 0.5 * (w[0][1] + w[2][1] + w[1][0] + w[1][2]))
}";
const WIDE: &str = "fn F<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
    x.pad2d(1, 2, wrap).slide2d(3, 1, 5, 1).map2d(|w| w.map(|row| row.reduce(max, f32::NEG_INFINITY)).reduce(add, 0.0))
}";
const LINE: &str =
    "fn F<N>(x: [f32; N]) -> [f32; N] { x.pad(1, 1, mirror).slide(3, 1).map(|w| w[0] - 2.0 * w[1] + w[2]) }";
const HEAT: &str = "fn F<N, M>(x: [[[f32; M]; N]; 5]) -> [[[f32; M]; N]; 5] {
    x.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| w[1][1][1] + 0.5 * (w[0][1][1] + w[2][1][1] - w[1][0][1]))
}";
const ZIPPED: &str = "fn F<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {
    zip2d(x, y.pad2d(1, 1, clamp).slide2d(3, 1)).map2d(|(x, w)| x * w[0][1] - w[2][1])
}";
const EDGES: &str = "#[size(N >= 3)] fn F<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {
    zip2d(x, y.pad2d(1, 1, clamp).slide2d(3, 1)).map2d(|(x, w)| x * w[0][1] - w[2][1] + w[1][0])
}";
const FRAME: &str = "#[size(N >= 4, M >= 4)] fn F<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
    x.pad2d(1, 2, 2, 1, clamp, mirror).slide2d(4, 1).map2d(|w| w[1][1] - 0.5 * (w[0][1] + w[2][1] + w[1][0] + w[3][3]))
}";
const BOX: &str = "#[size(N >= 3, M >= 3)] fn F<N, M>(x: [[[f32; M]; N]; 5]) -> [[[f32; M]; N]; 5] {
    x.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| w[1][1][1] + 0.5 * (w[0][1][1] + w[2][1][1] - w[1][0][1] + w[1][1][2]))
}";
const TURNED: &str = "fn F<N, M>(x: [[f32; M]; N]) -> [[f32; N]; M] { x.transpose() }";
const SCALED: &str = "fn F<N>(x: [f32; 8 * N]) -> [f32; 8 * N] { x.map(|x| 2.0 * x + 1.0) }";
const PRODUCT: &str = "fn F<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
    a.map(|row| b.transpose().map(|column| zip(row, column).map(|(x, y)| x * y).reduce(max, -1000.0)))
}";
const SUMS: &str = "fn F<N, M>(x: [[f32; M]; N]) -> [f32; N] { x.map(|row| row.reduce(max, -1000.0)) }";

/// Chains that apply.
const CHAINS: &[(&str, &[&str])] = &[
    (
        CROSS,
        &[
            "tile2d(4, 4).to_private().vectorize(4)",
            "tile2d().to_local()",
            "tile2d(3, 5).unroll()",
            "tile2d(6, 8).to_local().tile2d(2, 4).to_private()",
            "tile2d(8, 4).march()",
            "interchange().tile2d(4, 2).march()",
            "tile2d(2, 8).vectorize(8).work_group(4, 4)",
            "stream(5)",
            "rows()",
            "march()",
            "march(2)",
            "tile2d(2, 8).march(2)",
            "tile2d(8, 8).to_local().tile2d(1, 4).march(2)",
            "tile2d(4, 8).to_local().transposed().widen(1)",
            "tile2d(4, 8).to_local().widen(3).tile2d(2, 4).to_private()",
            "work_group(16)",
            "vectorize(4)",
            "coarsen(3)",
            "tile2d(4, 34).vectorize(4).coarsen(3)",
            "tile2d(4, 16).to_local().coarsen(4).unroll()",
            "tile2d(3, 11).to_local().vectorize(4)",
        ],
    ),
    (
        WIDE,
        &[
            "tile2d(8, 16).to_local().separate()",
            "tile2d(8, 16).to_local().separate().tile2d(2, 4).to_private()",
            "tile2d(8, 16).to_local().tile2d(2, 4).share_rows()",
            "tile2d(2, 3).share_rows()",
            "unroll()",
        ],
    ),
    (
        LINE,
        &["tile().to_local()", "tile(8).to_private().vectorize(8)", "tile(32).to_local().tile(4).march()"],
    ),
    (
        HEAT,
        &[
            "tile3d(2, 2, 4).to_private()",
            "tile3d(4, 1, 4).march()",
            "tile3d(1, 2, 4).march(3)",
            "tile3d(1, 4, 2).march(2)",
            "interchange(3).tile3d(4, 1, 2).march()",
            "march(1)",
            "march(2)",
            "march(3)",
            "tile3d(2, 4, 8).to_local()",
            "stream(3)",
        ],
    ),
    (
        ZIPPED,
        &[
            "tile2d(4, 8).to_local()",
            "tile2d().to_local()",
            "tile2d(4, 8).to_local().transposed().widen(1).tile2d(2, 2).to_private()",
            "tile2d(4, 8).to_local().tile2d(4, 1).march()",
            "tile2d(2, 4).to_private().vectorize(2)",
            "tile2d(8, 8).tile2d(4, 2).march()",
            "tile2d(2, 4).march(2)",
            "march(2)",
        ],
    ),
    (
        EDGES,
        &[
            "interior()",
            "interior().work_group(16, 2)",
            "interior().tile2d(2, 4).to_private()",
            "interior(1).vectorize(4)",
        ],
    ),
    (
        FRAME,
        &[
            "interior()",
            "interior(2)",
            "interior().tile2d(2, 4).to_private().vectorize(4)",
            "interior().vectorize(4)",
            "interior(2).march(2)",
            "interior().coarsen(2)",
        ],
    ),
    (BOX, &["interior()", "interior(3)", "interior().tile3d(1, 2, 4).to_private()"]),
    (
        TURNED,
        &[
            "tile2d(8, 8).to_local()",
            "tile2d(8, 4).to_local().transposed()",
            "tile2d(8, 4).to_local().widen(1)",
            "tile2d(4, 4).to_private()",
        ],
    ),
    (
        SCALED,
        &[
            "vectorize(4)",
            "tile(16).vectorize(16)",
            "vectorize(16)",
            "tile(13).vectorize(4)",
            "coarsen(4).unroll()",
            "vectorize(4).coarsen(2)",
            "tile(30).coarsen(4)",
            "tile().coarsen(3)",
        ],
    ),
    (PRODUCT, &["product()", "panels()"]),
    (SUMS, &["reduce_by_group()"]),
];

/// Chains that decide what is launched.
const PROGRAMS: &[(&str, &[&str])] = &[
    (
        "fn F<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
            let y = materialize(x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[1][1] - 0.5 * (w[0][1] + w[1][2])));
            y.pad2d(1, 1, mirror).slide2d(3, 1).map2d(|w| w[1][0] + 0.5 * w[2][1])
        }",
        &["recompute()", "recompute().tile2d(4, 8).to_local()", "recompute().tile2d(2, 4)"],
    ),
    (
        "fn F<N, M>(x: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
            let y = x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| sqrt(abs(w[1][1] - 0.5 * (w[0][1] + w[1][2]))));
            (y, y.pad2d(1, 1, mirror).slide2d(3, 1).map2d(|w| w[1][0] + 0.5 * w[2][1]))
        }",
        &["recompute()"],
    ),
    (
        "fn F<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
            iterate(7, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[1][1] - 0.25 * (w[0][1] + w[1][2] + w[1][0])), x)
        }",
        &["steps(2)", "steps(3)", "steps(7)"],
    ),
];

/// The version that the first strategy of a kernel leads to, launch by launch.
fn compare_program(kernel: &Kernel, chain: &str) {
    let mut diags = Diagnostics::new();
    let chosen = choose(kernel, &program::cut(kernel), &mut diags);
    assert_eq!(diags.errors(), 0, "{chain}");
    let (program, version) = chosen.first().and_then(versions::own).expect("a program of its own");
    assert!(program.temporaries.is_empty() || chain.starts_with("steps"), "{chain}");
    let stages = program.stages.iter().zip(&version.variants);
    let stages =
        stages.map(|(stage, variant)| Kernel { body: variant.body.clone(), ..stage.clone() }).collect();
    let heights = version.tunables.iter().map(|tunable| (tunable.var.clone(), 3)).collect();
    let whole = program::Program { stages, ..program.clone() };
    check_launches(kernel, &whole, &[&[4, 5], &[9, 14], &[1, 1]], &heights);
    generate::compile("f", program, &version.variants);
}

fn with_strategies(text: &str, chains: &[&str]) -> Kernel {
    let attributes: Vec<String> =
        chains.iter().enumerate().map(|(i, chain)| format!("#[strategy(s{i}: {chain})]\n")).collect();
    kernel(&format!("#[kernel]\n{}{text}", attributes.concat()))
}

fn applied(kernel: &Kernel) -> Vec<Result<Variant, String>> {
    let apply = |strategy| {
        strategies::apply(strategy, "strategy", kernel, kernel)
            .map_err(|refusal| strategies::refused(strategy, &[refusal]).expect("a diagnostic").text())
    };
    kernel.options.strategies.iter().map(apply).collect()
}

#[test]
fn every_step_applies_and_keeps_the_meaning() {
    let mut used = BTreeSet::new();
    for (text, chains) in CHAINS {
        let kernel = with_strategies(text, chains);
        for ((strategy, chain), variant) in
            kernel.options.strategies.iter().zip(*chains).zip(applied(&kernel))
        {
            let variant = variant.unwrap_or_else(|fault| panic!("{text} {chain}: {fault}"));
            used.extend(strategy.steps.iter().map(|step| step.name.clone()));
            generate::compile("f", &program::cut(&kernel), std::slice::from_ref(&variant));
            compare(&kernel, &[variant], &[&[4, 5, 4], &[9, 14, 20]]);
        }
    }
    for (text, chains) in PROGRAMS {
        for chain in *chains {
            let kernel = with_strategies(text, &[chain]);
            used.extend(kernel.options.strategies[0].steps.iter().map(|step| step.name.clone()));
            compare_program(&kernel, chain);
        }
    }
    let all: BTreeSet<String> = STEPS.iter().map(|step| step.name.to_string()).collect();
    assert_eq!(used, all, "steps that no chain applies");
}

#[test]
fn whatever_applies_keeps_the_meaning_and_becomes_a_text() {
    const LAST: [&str; 15] = [
        "march(2)",
        "march(3)",
        "transposed()",
        "widen(1)",
        "coarsen(2)",
        "to_private()",
        "march()",
        "share_rows()",
        "vectorize(2)",
        "vectorize(4)",
        "unroll()",
        "work_group(8, 2)",
        "work_group(16)",
        "to_local()",
        "separate()",
    ];
    let mut random = Random::new(7);
    let mut seen = 0;
    for (text, dims) in [(CROSS, 2), (WIDE, 2), (LINE, 1), (HEAT, 3), (ZIPPED, 2), (TURNED, 2), (SUMS, 1)] {
        for _ in 0..16 {
            let mut chain: Vec<String> = Vec::new();
            let tile = |random: &mut Random, chain: &mut Vec<String>| {
                let extents: Vec<String> =
                    (0..dims).map(|_| random.pick(&[1, 2, 3, 4, 8]).to_string()).collect();
                let name = ["tile", "tile2d", "tile3d"][dims - 1];
                chain.push(format!("{name}({})", extents.join(", ")));
            };
            if random.below(5) == 0 && dims > 1 {
                chain.push("interchange()".into());
            }
            tile(&mut random, &mut chain);
            if random.flip() {
                chain.push("to_local()".into());
            }
            if random.flip() {
                tile(&mut random, &mut chain);
            }
            for _ in 0..random.below(3) {
                chain.push(random.pick(&LAST).into());
            }
            let kernel = with_strategies(text, &[&chain.join(".")]);
            if let [Ok(variant)] = applied(&kernel).as_slice() {
                seen += 1;
                compare(&kernel, std::slice::from_ref(variant), &[&[3, 5]]);
                let program = program::cut(&kernel);
                generate::compile("f", &program, std::slice::from_ref(variant));
            }
        }
    }
    assert!(seen > 30, "{seen} chains apply");
}

fn compiled(text: &str) -> Compilation {
    let found = pipeline::compile(text.parse().expect("tokens"));
    let errors: Vec<String> = found.diagnostics.iter().map(|d| d.text()).collect();
    assert!(errors.is_empty(), "{text}\n{}", errors.join("\n"));
    found
}

#[test]
fn what_the_user_asks_for_comes_first_on_every_device() {
    let text =
        format!("#[kernel] #[strategy(tile2d(2, 4))] #[strategy(other: tile2d(1, 4).to_private())] {CROSS}");
    let kernels = compiled(&text).kernels;
    let [kernel] = kernels.as_slice() else { panic!("one kernel") };
    assert_eq!(kernel.gpu_order, ["strategy", "other", "registers", "naive", "tiled", "vectors"]);
    assert_eq!(kernel.cpu_order, ["strategy", "other", "vectors", "naive", "tiled", "registers"]);
    let own = kernel.versions.iter().find(|version| version.name == "strategy").expect("a version");
    let rules: Vec<&str> = own.derivation.0.iter().map(|step| step.rule.as_str()).collect();
    assert!(rules.contains(&"overlapped_tiling"), "{rules:?}");
}

#[test]
fn a_strategy_is_for_the_launches_that_it_fits() {
    let text = "#[kernel] #[strategy(tile2d(2, 4).to_private())]
        fn F<N, M>(x: [[f32; M]; N]) -> ([[f32; M]; N], f32) {
            let y = materialize(x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] + w[2][1]));
            (y, y.join().reduce(add, 0.0))
        }";
    let kernels = compiled(text).kernels;
    let version = |name: &str| kernels[0].versions.iter().find(|v| v.name == name).expect("a version");
    let (own, naive) = (&version("strategy").generated.source, &version("naive").generated.source);
    let first = |text: &str| text.split("f_2(").next().is_some_and(|text| text.contains("float4"));
    assert!(first(own) && !first(naive), "{own}");
    // The launches that reduce are as they were.
    let last = |text: &str| text.rsplit("kernel ").next().map(ToString::to_string);
    assert_eq!(last(own), last(naive));
}

/// All steps as a table for the reference.
fn reference() -> String {
    let mut text = String::from("| step | what it does | what it needs |\n| --- | --- | --- |\n");
    for Step { usage, takes, about, needs, .. } in STEPS {
        let without = if takes.contains(&0) && !usage.ends_with("()") { ", or without numbers" } else { "" };
        text.push_str(&format!("| `{usage}`{without} | {about} | {needs} |\n"));
    }
    text
}

#[test]
fn the_reference_has_every_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/language.md");
    let text = std::fs::read_to_string(&path).expect("docs/language.md");
    let start = text.find("| step | what it does").expect("the table of steps");
    let end = start + text[start..].find("\n\n").expect("its end") + 1;
    is_current(&path, &format!("{}{}{}", &text[..start], reference(), &text[end..]));
}

#[test]
fn editors_know_every_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/language/steps.rs");
    let text = std::fs::read_to_string(&path).expect("src/language/steps.rs");
    for Step { name, usage, about, needs, .. } in STEPS {
        let item = format!("    /// `{usage}` {about}.\n    ///\n    /// It needs {needs}.\n    {name};\n");
        assert!(text.contains(&item), "src/language/steps.rs should have\n{item}");
    }
}

/// A launch tries it first at all sizes, even where the compiler's own version of this kind is for long rows only.
#[test]
fn what_the_user_asks_for_is_for_all_sizes() {
    let text = "#[kernel] #[strategy(reduce_by_group())] fn Sums<N, M>(x: [[f32; M]; N]) -> [f32; N] { x.map(reduce(add, 0.0)) }";
    let compiled = pipeline::compile(text.parse().expect("tokens"));
    let kernel = compiled.kernels.first().expect("a kernel");
    let least =
        |name: &str| kernel.versions.iter().find(|version| version.name == name).map(|it| it.least.len());
    assert_eq!(least("rows"), Some(1));
    assert_eq!(kernel.gpu_order.first().and_then(|own| least(own)), Some(0), "{:?}", kernel.gpu_order);
}
