//! The pages of derivations in the documentation: written by the compiler, and interpreted step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use super::points;
use super::texts::{PAGES, Page};
use super::{close, random};
use crate::arith::Var;
use crate::diag::Diagnostics;
use crate::explore::explore;
use crate::explore::products::FOUR;
use crate::explore::reductions::SEVEN;
use crate::interp::{self, Value};
use crate::ir::walk::sizes;
use crate::ir::{Expr, Kernel};
use crate::program::chosen::{self, Launches};
use crate::program::cut;
use crate::program::passes::in_passes;
use crate::rewrite::Trace;
use crate::rewrite::testing::{Random, is_current, kernel};

/// The values of tunables, in turn: some tiles are larger than the arrays.
const TILES: [[i64; 3]; 3] = [[1, 1, 1], [3, 2, 2], [8, 4, 2]];

#[test]
fn pages_of_derivations_are_those_of_the_compiler() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/derivations");
    let mut contents = String::from(
        "# Derivations\n\nWhat the compiler does with an expression, step by step: each line in braces is a [rule](../rules.md), and the \
         expression below it means the same. The compiler writes these pages, and its tests interpret every step and do it again.\n\n",
    );
    // One page is enough while it is being written.
    let only = std::env::var("LIFT_PAGE").ok();
    let wanted = |file: &str| only.as_deref().is_none_or(|only| only == file);
    for page in PAGES {
        writeln!(contents, "- [{}]({}.md)", page.title, page.file).unwrap();
        if !wanted(page.file) {
            continue;
        }
        is_current(&folder.join(page.file).with_extension("md"), &written(page));
    }
    contents.push_str("- [A room whose weights are points](room_weights.md)\n");
    if wanted("room_weights") {
        is_current(&folder.join("room_weights.md"), &points::page());
    }
    contents.push_str("- [Seven reductions](reductions.md)\n");
    if wanted("reductions") {
        is_current(&folder.join("reductions.md"), &reductions());
    }
    // The next test writes that.
    writeln!(contents, "- [Four products of matrices](products.md)").unwrap();
    // `tests/thesis.rs` writes that, and runs what it ends with.
    contents.push_str("- [A convolution in two passes](thesis.md)\n");
    is_current(&folder.join("README.md"), &contents);
}

#[test]
fn the_page_of_products_is_that_of_the_compiler() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/derivations");
    is_current(&folder.join("products.md"), &products());
}

/// The page of strategies, each of which goes a step further than the one before.
fn reductions() -> String {
    let mut text = String::from(
        "# Seven reductions\n\nA sum by ever better strategies (slides *Performance portable code through rewriting*, after M. Harris). The rules \
         are the same throughout: pieces of neighbours or of elements far apart, chosen sizes, and places. Expressions between a choice of \
         sizes or places and the next are left out.\n",
    );
    for strategy in &SEVEN {
        let sum = format!(
            "#[kernel]\n#[size(N % {} == 0)]\nfn {}<N>(x: [f32; N]) -> f32 {{\n    x.reduce(add, 0.0)\n}}",
            strategy.part, strategy.name
        );
        let kernel = kernel(&sum);
        let (_, _, trace) = strategy.derive(&kernel).unwrap().finish();
        interpreted(&kernel, &trace, &[&[strategy.part], &[2 * strategy.part]]);
        let (name, about, steps) = (strategy.name, strategy.about, condensed(&trace, CHOICES));
        writeln!(text, "\n## {name}\n\n{about}\n\n```text\n{sum}\n```\n\n```text\n{steps}```").unwrap();
    }
    text
}

/// The page of products in blocks and tiles.
fn products() -> String {
    let mut text = String::from(
        "# Four products of matrices\n\nA product by blocks of results in registers and by tiles in local memory (slides *Performance portable code \
         through rewriting*). The rules are small: split-join, interchange of maps, of maps and loops, fission, fusion, and two transpositions \
         that are none. They make one macro rule for blocks in one dimension, and another one for blocks in two. Expressions between a choice of \
         sizes, names or places and the next are left out.\n",
    );
    for product in &FOUR {
        let (name, about, source) = (product.name, product.about, product.text());
        let kernel = kernel(&source);
        let (_, _, trace) = product.derive(&kernel).unwrap().finish();
        interpreted(&kernel, &trace, product.sizes);
        let steps = condensed(&trace, &[CHOICES, MORE_CHOICES].concat());
        writeln!(text, "\n## {name}\n\n{about}\n\n```text\n{source}\n```\n\n```text\n{steps}```").unwrap();
    }
    text
}

fn written(page: &Page) -> String {
    let kernel = kernel(page.text);
    let program = cut(&kernel);
    let shown = |name: &str| page.only.is_empty() || page.only.contains(&name);
    let mut text = format!("# {}\n\n{}\n\n```text\n{}\n```\n", page.title, page.about, page.text);
    if let Some(trace) = program.trace.as_ref().filter(|trace| !trace.steps.is_empty()) {
        interpreted(&kernel, trace, page.sizes);
        writeln!(text, "\n## Launches\n\n```text\n{trace}```").unwrap();
    }
    let mut diags = Diagnostics::new();
    let chosen = chosen::choose(&kernel, &program, &mut diags);
    assert_eq!(chosen.len(), kernel.strategies.len(), "{}: a strategy does not apply", page.title);
    for (i, stage) in program.stages.iter().enumerate() {
        let launch = if program.stages.len() > 1 { format!("{}: ", stage.name) } else { String::new() };
        let own = chosen.iter().filter_map(|chosen| match &chosen.launches {
            Launches::Usual(variants) => variants[i].clone(),
            Launches::Own(..) | Launches::Steps(_) => None,
        });
        for variant in explore(stage).variants.into_iter().chain(own).filter(|variant| shown(variant.name)) {
            interpreted(stage, &variant.trace, page.sizes);
            writeln!(text, "\n## {launch}`{}`\n\n```text\n{}```", variant.name, variant.trace).unwrap();
        }
    }
    for passes in in_passes(&kernel).0.into_iter().filter(|passes| shown(passes.name)) {
        let trace = passes.program.trace.as_ref().unwrap();
        interpreted(&kernel, trace, page.sizes);
        writeln!(text, "\n## `{}`\n\n```text\n{trace}```", passes.name).unwrap();
    }
    text
}

/// Rules after which there is little to see.
const CHOICES: &[&str] =
    &["choose", "pad_none", "copy", "map_local(0)", "shared_to_local", "reduce_seq", "reduce_seq_unroll"];

/// More of them, where places come at the end.
const MORE_CHOICES: &[&str] = &[
    "let_view",
    "let_once",
    "take_all",
    "map_map",
    "map_local(1)",
    "map_workgroup(0)",
    "map_global(0)",
    "map_seq_unroll",
    "fold_seq",
];

/// A derivation without the expressions that are followed by one of these choices.
fn condensed(trace: &Trace, choices: &[&str]) -> String {
    let steps: Vec<_> = trace.expressions().collect();
    let mut text = String::new();
    for (i, (rule, law, e)) in steps.iter().enumerate() {
        if !rule.is_empty() {
            writeln!(text, "= {{ {rule}: {law} }}").unwrap();
        }
        if steps.get(i + 1).is_none_or(|(next, _, _)| !choices.contains(next)) {
            writeln!(text, "    {}", e.to_string().replace('\n', "\n    ")).unwrap();
        }
    }
    text
}

/// Interprets every expression of a derivation, and does its steps again.
pub(super) fn interpreted(kernel: &Kernel, trace: &Trace, all_sizes: &[&[i64]]) {
    let again =
        trace.replay(&kernel.facts).unwrap_or_else(|stray| panic!("{}: {stray}\n{trace}", kernel.name));
    assert_eq!(again.trace().rules(), trace.rules());
    for (seed, values) in all_sizes.iter().enumerate() {
        let sizes: BTreeMap<Var, i64> = kernel.sizes.iter().cloned().zip(values.iter().copied()).collect();
        let mut numbers = Random::new(seed as u64);
        let inputs: Vec<Value> = kernel.params.iter().map(|p| random(&p.ty, &sizes, &mut numbers)).collect();
        let expected = interp::run(kernel, &sizes, &inputs).unwrap();
        for (rule, _, e) in trace.expressions() {
            let step = Kernel { body: e.clone(), ..kernel.clone() };
            let unknown = unknown(e, &sizes);
            for tiles in &TILES[..if unknown.is_empty() { 1 } else { TILES.len() }] {
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
