//! The pages of derivations: every step is interpreted and done again, the rules are a reviewed snapshot, and a few pages are part of
//! the documentation. The others are written for those who ask for them:
//! `LIFT_PAGE=gemm` writes `target/derivations/gemm.md`, and `LIFT_PAGE=all` writes all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use lift_core::arith::Var;
use lift_core::diag::Diagnostics;
use lift_core::explore::explore;
use lift_core::ir::walk::sizes;
use lift_core::ir::{Expr, Kernel, parallel};
use lift_core::program::chosen::{self, Launches};
use lift_core::program::cut;
use lift_core::program::passes::in_passes;
use lift_core::rewrite::rules::{fusion, simplify};
use lift_core::rewrite::trace::{Deed, Step};
use lift_core::rewrite::{Derivation, Rule, Trace};

use super::points;
use super::random;
use super::texts::{PAGES, Page};
use crate::effort;
use crate::interp::{self, Value};
use crate::products::{FOUR, Product};
use crate::reductions::{Reduction, SEVEN};
use crate::replay::{outline, replay};
use crate::rules;
use crate::testing::{Random, close, is_current, kernel};

/// The values of tunables, in turn: some tiles are larger than the arrays.
const TILES: [[i64; 3]; 3] = [[1, 1, 1], [3, 2, 2], [8, 4, 2]];

/// The pages of the documentation, with the sections that they have there.
const SHOWN: [(&str, &[&str]); 3] = [
    ("jacobi1d", &["`naive`", "`tiled`", "`registers`", "`vectors`"]),
    ("products", &["BlockedRows"]),
    ("reductions", &["Unrolled"]),
];

/// The variable of the environment that names a page.
const PAGE: &str = "LIFT_PAGE";

/// Longer lines of rules are broken.
const WIDTH: usize = 110;

/// Derivations that belong together.
pub(super) struct Derivations {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    pub(super) about: String,
    pub(super) sections: Vec<Section>,
}

/// A derivation.
pub(super) struct Section {
    pub(super) title: String,
    pub(super) about: String,
    /// What it derives other versions of.
    pub(super) kernel: Kernel,
    pub(super) trace: Trace,
    /// At which sizes every step is interpreted.
    pub(super) sizes: Vec<Vec<i64>>,
}

#[test]
fn derivations_mean_what_their_kernels_mean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let wanted = std::env::var(PAGE).ok();
    let others = ["room_weights", "reductions", "products"];
    let mut files: Vec<&str> = PAGES.iter().map(|page| page.file).chain(others).collect();
    if let Some(wanted) = wanted.as_deref().filter(|wanted| *wanted != "all") {
        assert!(files.contains(&wanted), "{PAGE}={wanted}: the pages are {}", files.join(", "));
        files.retain(|file| *file == wanted);
    }
    let outlines = parallel::map(files, |file| {
        let page = derivations(file);
        page.sections.iter().for_each(Section::check);
        if wanted.is_some() {
            let folder = root.join("target/derivations");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(file).with_extension("md"), page.text(&[], Trace::to_string)).unwrap();
        }
        if let Some((_, sections)) = SHOWN.iter().find(|(shown, _)| *shown == file) {
            let shown = root.join("docs/derivations").join(file).with_extension("md");
            is_current(&shown, &page.text(sections, folded));
        }
        page.outline()
    });
    if wanted.is_none_or(|wanted| wanted == "all") {
        insta::assert_snapshot!(outlines.join("\n"));
    }
}

/// The page of this name.
fn derivations(file: &str) -> Derivations {
    match (PAGES.iter().find(|page| page.file == file), file) {
        (Some(page), _) => of_kernel(page),
        (None, "room_weights") => points::page(),
        (None, "reductions") => reductions(),
        (None, _) => products(),
    }
}

/// Strategies, each of which goes a step further than the one before.
fn reductions() -> Derivations {
    let section = |strategy: &Reduction| {
        let (name, part) = (strategy.name, strategy.part);
        let text = format!(
            "#[kernel]\n#[size(N % {part} == 0)]\nfn {name}<N>(x: [f32; N]) -> f32 {{\n    x.reduce(add, 0.0)\n}}"
        );
        let derived = |kernel: &Kernel| strategy.derive(kernel).unwrap();
        Section::of_text(name, strategy.about, &text, derived, vec![vec![part], vec![2 * part]])
    };
    Derivations {
        file: "reductions",
        title: "Reductions",
        about: "A sum by ever better strategies (slides *Performance portable code through rewriting*, after M. Harris). The rules are the same \
                throughout: pieces of neighbours or of elements far apart, chosen sizes, and places."
            .into(),
        sections: SEVEN.iter().map(section).collect(),
    }
}

/// Products in blocks and tiles.
fn products() -> Derivations {
    let section = |product: &Product| {
        let derived = |kernel: &Kernel| product.derive(kernel).unwrap();
        let sizes = product.sizes.iter().map(|sizes| sizes.to_vec()).collect();
        Section::of_text(product.name, product.about, &product.text(), derived, sizes)
    };
    Derivations {
        file: "products",
        title: "Products of matrices",
        about: "A product by blocks of results in registers (slides *Performance portable code through rewriting*). The rules are small: \
                split-join, interchange of maps, of maps and loops, fission, fusion, and two transpositions that are none. They make one macro rule \
                for blocks in one dimension, and another one for blocks in two."
            .into(),
        sections: FOUR.iter().map(section).collect(),
    }
}

/// All that the compiler derives of a kernel.
fn of_kernel(page: &Page) -> Derivations {
    let kernel = kernel(page.text);
    let program = cut(&kernel);
    let shown = |name: &str| page.only.is_empty() || page.only.contains(&name);
    let section = |title: String, kernel: &Kernel, trace: Trace| Section {
        title,
        about: String::new(),
        kernel: kernel.clone(),
        trace,
        sizes: page.sizes.iter().map(|sizes| sizes.to_vec()).collect(),
    };
    let mut sections = Vec::new();
    if let Some(trace) = program.trace.as_ref().filter(|trace| !trace.steps.is_empty()) {
        sections.push(section("Launches".into(), &kernel, trace.clone()));
    }
    let mut diags = Diagnostics::new();
    let chosen = chosen::choose(&kernel, &program, &mut diags);
    assert_eq!(chosen.len(), kernel.options.strategies.len(), "{}: a strategy does not apply", page.title);
    for (i, stage) in program.stages.iter().enumerate() {
        let launch = if program.stages.len() > 1 { format!("{}: ", stage.name) } else { String::new() };
        let own = chosen.iter().filter_map(|chosen| match &chosen.launches {
            Launches::Usual(variants) => variants[i].clone(),
            Launches::Own(..) | Launches::Steps(_) => None,
        });
        for variant in explore(stage).variants.into_iter().chain(own).filter(|variant| shown(variant.name)) {
            sections.push(section(format!("{launch}`{}`", variant.name), stage, variant.trace));
        }
    }
    for passes in in_passes(&kernel).0.into_iter().filter(|passes| shown(passes.name)) {
        sections.push(section(format!("`{}`", passes.name), &kernel, passes.program.trace.unwrap()));
    }
    let about = format!("{}\n\n```text\n{}\n```", page.about, page.text);
    Derivations { file: page.file, title: page.title, about, sections }
}

impl Derivations {
    /// The page as a text, with these sections, or all.
    fn text(&self, sections: &[&str], derivation: fn(&Trace) -> String) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.about);
        let chosen = |title: &str| sections.is_empty() || sections.contains(&title);
        for Section { title, about, trace, .. } in self.sections.iter().filter(|own| chosen(&own.title)) {
            let about = if about.is_empty() { String::new() } else { format!("{about}\n\n") };
            write!(text, "\n## {title}\n\n{about}```text\n{}```\n", derivation(trace)).unwrap();
        }
        text
    }

    /// The rules of every derivation.
    fn outline(&self) -> String {
        let mut text = format!("{}\n", self.file);
        for Section { title, trace, .. } in &self.sections {
            let mut line = format!("  {title}:");
            for rule in outline(trace).split(", ") {
                if line.len() + rule.len() > WIDTH {
                    writeln!(text, "{line}").unwrap();
                    line = "   ".into();
                }
                write!(line, " {rule},").unwrap();
            }
            writeln!(text, "{}", line.trim_end_matches(',')).unwrap();
        }
        text
    }
}

impl Section {
    /// What is derived of the only kernel of a text.
    fn of_text(
        name: &str,
        about: &str,
        text: &str,
        derived: impl Fn(&Kernel) -> Derivation,
        sizes: Vec<Vec<i64>>,
    ) -> Section {
        let kernel = kernel(text);
        let (_, _, trace) = derived(&kernel).finish();
        let about = format!("{about}\n\n```text\n{text}\n```");
        Section { title: name.into(), about, kernel, trace, sizes }
    }

    /// Interprets every expression, and does all steps again.
    fn check(&self) {
        interpreted(&self.kernel, &self.trace, &self.sizes);
    }
}

/// A derivation in which steps are one where one rule is applied again and again, or an expression is normalised.
fn folded(trace: &Trace) -> String {
    let is_one =
        |a: &Step, b: &Step| a.rule.name == b.rule.name || [a, b].iter().all(|step| normalises(step.rule));
    let indented = |e: &Expr| format!("    {}\n", e.to_string().replace('\n', "\n    "));
    let mut text = indented(&trace.start);
    for steps in trace.steps.chunk_by(is_one) {
        let part = Trace { steps: steps.to_vec(), ..Trace::new(&trace.start) };
        let rules: BTreeSet<&str> = steps.iter().map(|step| step.rule.name).collect();
        let law = if rules.len() == 1 { format!(": {}", steps[0].rule.law()) } else { String::new() };
        write!(text, "= {{ {}{law} }}\n{}", outline(&part), indented(part.result())).unwrap();
    }
    text
}

/// Whether this is one of the rules that normalise.
fn normalises(rule: &Rule) -> bool {
    let in_turn = [&simplify::LET_ONCE, &simplify::LET_PARTS, &simplify::SIZES, &fusion::MAP_MAP];
    simplify::EXHAUSTIVELY.iter().copied().chain(in_turn).any(|other| other.name == rule.name)
}

/// Interprets every expression of a derivation, and does its steps again. Sizes take turns, unless everything is asked for, and so do the values of tunables; the last expression has all.
pub(super) fn interpreted(kernel: &Kernel, trace: &Trace, all_sizes: &[Vec<i64>]) {
    let again =
        replay(trace, &kernel.facts).unwrap_or_else(|stray| panic!("{}: {stray}\n{trace}", kernel.name));
    assert_eq!(again.trace().rules(), trace.rules());
    for step in trace.steps.iter().filter(|step| matches!(step.deed, Deed::Apply(..))) {
        assert!(rules::all().any(|rule| rule.name == step.rule.name), "`{}` is in no family", step.rule.name);
    }
    for (seed, values) in all_sizes.iter().enumerate() {
        let sizes: BTreeMap<Var, i64> = kernel.sizes.iter().cloned().zip(values.iter().copied()).collect();
        let mut numbers = Random::new(seed as u64);
        let inputs: Vec<Value> = kernel.params.iter().map(|p| random(&p.ty, &sizes, &mut numbers)).collect();
        let expected = interp::run(kernel, &sizes, &inputs).unwrap();
        let count = trace.expressions().count();
        for (i, (rule, e)) in trace.expressions().enumerate() {
            if i + 1 != count && !effort::has_turn(i, (seed, all_sizes.len()), 0) {
                continue;
            }
            let rule = rule.map_or("", |rule| rule.name);
            let step = Kernel { body: e.clone(), ..kernel.clone() };
            let unknown = unknown(e, &sizes);
            let turn = (i + seed) % TILES.len();
            let tiles = if i + 1 == count { 0..TILES.len() } else { turn..turn + 1 };
            for tiles in &TILES[if unknown.is_empty() { 0..1 } else { tiles }] {
                let mut all = sizes.clone();
                all.extend(unknown.iter().cloned().zip(tiles.iter().copied()));
                let found =
                    interp::run(&step, &all, &inputs).unwrap_or_else(|why| panic!("{rule}: {why}\n{e}"));
                assert!(close(&found, &expected), "{rule} at {values:?}: {found:?} is not {expected:?}\n{e}");
            }
        }
    }
}

/// The size variables that rules have introduced.
fn unknown(e: &Expr, known: &BTreeMap<Var, i64>) -> BTreeSet<Var> {
    let mut found = sizes(e);
    found.retain(|var| !known.contains_key(var));
    found
}
