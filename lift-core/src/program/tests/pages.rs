//! The pages of derivations in the documentation: written by the compiler, and interpreted step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use super::{close, random};
use crate::arith::Var;
use crate::explore::explore;
use crate::explore::products::FOUR;
use crate::explore::reductions::SEVEN;
use crate::interp::{self, Value};
use crate::ir::walk::sizes;
use crate::ir::{Expr, Kernel};
use crate::program::cut;
use crate::program::passes::in_passes;
use crate::rewrite::Trace;
use crate::rewrite::testing::{Random, is_current, kernel};

/// A page.
struct Page {
    file: &'static str,
    title: &'static str,
    about: &'static str,
    text: &'static str,
    /// At which sizes every step is interpreted.
    sizes: &'static [&'static [i64]],
}

const PAGES: &[Page] = &[
    Page {
        file: "jacobi2d",
        title: "Five points in two dimensions",
        about: "A block of points for each work-item, loaded into registers with what is around it: overlapped tiling, whose \
                tiles are numbers.",
        text: "fn cross(w: [[f32; 3]; 3]) -> f32 {
    0.5 * w[1][1] + 0.125 * w[0][1] + 0.25 * w[2][1] + 0.375 * w[1][0] + 0.625 * w[1][2]
}

#[kernel]
fn Jacobi2d<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
    grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(cross)
}",
        sizes: &[&[1, 1], &[5, 7], &[4, 8]],
    },
    Page {
        file: "convolution",
        title: "A convolution with a large window",
        about: "A work-group computes a tile, and keeps what it reads in local memory; inside of the tile, each work-item \
                computes a block, and meets every row of what the block needs once.",
        text: "#[kernel]
fn Blur<N, M>(weights: [f32; 7 * 7], image: [[f32; M]; N]) -> [[f32; M]; N] {
    image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| zip(weights, w.join()).map(mul).reduce(add, 0.0))
}",
        sizes: &[&[4, 5]],
    },
    Page {
        file: "separable",
        title: "A window of which each row is used by itself",
        about: "The largest of 7 × 7 points: rows first, which neighbours share, and columns afterwards, both in local memory.",
        text: "#[kernel]
fn Dilate<N, M>(image: [[i32; M]; N]) -> [[i32; M]; N] {
    image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(max, i32::MIN))
}",
        sizes: &[&[4, 5]],
    },
    Page {
        file: "gaussian",
        title: "A window whose weights are products",
        about: "A blur with constant weights: they are those of a column times those of a row, so that weighted sums of rows come first, and their weighted \
                sums afterwards.",
        text: "const BELL: [f32; 7] = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];
const WEIGHTS: [[f32; 7]; 7] = array(7, |i| array(7, |j| BELL[i] * BELL[j]));

#[kernel]
fn Gaussian<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
    image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| zip(WEIGHTS.join(), w.join()).map(mul).reduce(add, 0.0) / 4096.0)
}",
        sizes: &[&[4, 5]],
    },
    Page {
        file: "jacobi3d",
        title: "Thirteen points in three dimensions",
        about: "Points that are two away in every direction: blocks in registers, and rows that march through the planes.",
        text: "fn legs(w: [[[f32; 5]; 5]; 5]) -> f32 {
    let z = w[0][2][2] + 2.0 * w[1][2][2] + 3.0 * w[3][2][2] + 4.0 * w[4][2][2];
    let y = w[2][0][2] + 5.0 * w[2][1][2] + 6.0 * w[2][3][2] + 7.0 * w[2][4][2];
    let x = w[2][2][0] + 8.0 * w[2][2][1] + 9.0 * w[2][2][3] + 10.0 * w[2][2][4];
    w[2][2][2] + z + y + x
}

#[kernel]
fn Jacobi3d13<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    grid.pad3d(2, 2, 2, clamp).slide3d(5, 1).map3d(legs)
}",
        sizes: &[&[1, 1, 1], &[3, 2, 5]],
    },
    Page {
        file: "acoustic",
        title: "Sound in a room",
        about: "Two arrays, of which one is read by windows (paper 001, listing 3): each part of a `zip` is tiled by itself.",
        text: "fn pressure(before: f32, w: [[[f32; 3]; 3]; 3]) -> f32 {
    let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
    0.5 * w[1][1][1] + 0.25 * around - before
}

#[kernel]
fn Acoustic<N, M, O>(before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1)).map3d(pressure)
}",
        sizes: &[&[1, 1, 1], &[3, 2, 5]],
    },
    Page {
        file: "jacobi2d_time",
        title: "Five points in two dimensions, six times",
        about: "Several steps in one launch, streamed through strips: one row of every step in each trip of a loop.",
        text: "fn cross(w: [[f32; 3]; 3]) -> f32 {
    0.5 * w[1][1] + 0.125 * w[0][1] + 0.25 * w[2][1] + 0.375 * w[1][0] + 0.625 * w[1][2]
}

fn step<n, m>(grid: [[f32; m]; n]) -> [[f32; m]; n] {
    grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(cross)
}

#[kernel]
fn Jacobi2d<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
    iterate(6, step, grid)
}",
        sizes: &[&[5, 7]],
    },
    Page {
        file: "jacobi3d_time",
        title: "Seven points in three dimensions, so many times",
        about: "Three steps in each launch, streamed through the planes of blocks; the steps that are left over are launches of one.",
        text: "fn faces(w: [[[f32; 3]; 3]; 3]) -> f32 {
    let z = w[0][1][1] + 2.0 * w[2][1][1];
    let y = w[1][0][1] + 3.0 * w[1][2][1];
    0.125 * (w[1][1][1] + z + y - w[1][1][0] - 5.0 * w[1][1][2])
}

fn step<n, m, o>(grid: [[[f32; o]; m]; n]) -> [[[f32; o]; m]; n] {
    grid.pad3d(1, 1, 1, mirror).slide3d(3, 1).map3d(faces)
}

#[kernel]
fn Jacobi3d<N, M, O>(steps: usize, grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    iterate(steps, step, grid)
}",
        sizes: &[&[2, 3, 4]],
    },
    Page {
        file: "jacobi3d27",
        title: "Twenty-seven points in three dimensions",
        about: "All points around a point (paper 001): a block in registers, and planes that a work-group goes through.",
        text: "fn around(w: [[[f32; 3]; 3]; 3]) -> f32 {
    let below = w[0][0][0] + 2.0 * w[0][0][1] + w[0][0][2] + 3.0 * w[0][1][0] + w[0][1][1] + w[0][1][2] - w[0][2][0] + w[0][2][1] + w[0][2][2];
    let here = w[1][0][0] + w[1][0][1] + 4.0 * w[1][0][2] + w[1][1][0] + w[1][1][1] - w[1][1][2] + w[1][2][0] + w[1][2][1] + w[1][2][2];
    let above = w[2][0][0] + w[2][0][1] - w[2][0][2] + w[2][1][0] + 5.0 * w[2][1][1] + w[2][1][2] + w[2][2][0] + w[2][2][1] + w[2][2][2];
    below + 2.0 * here + 3.0 * above
}

#[kernel]
fn Jacobi3d27<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(around)
}",
        sizes: &[&[3, 2, 5]],
    },
    Page {
        file: "room",
        title: "A room with walls that reflect",
        about: "The room of thesis 004 (listing 5.6): two states of the air and the neighbours that are inside, in planes that a work-group goes through.",
        text: "fn inside(before: f32, w: [[[f32; 3]; 3]; 3], neighbours: f32) -> f32 {
    let loss = 0.01 * (6.0 - neighbours);
    let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
    ((2.0 - neighbours / 3.0) * w[1][1][1] + around / 3.0 + (loss - 1.0) * before) / (1.0 + loss)
}

#[kernel]
fn Room<N, M, O>(
    before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N], neighbours: [[[f32; O]; M]; N],
) -> [[[f32; O]; M]; N] {
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours).map3d(inside)
}",
        sizes: &[&[2, 3, 5]],
    },
    Page {
        file: "room_counted",
        title: "A room whose walls are counted where they are needed",
        about: "Thesis 004 computes how many neighbours of a point are inside of the room from where it is (listings 4.11 and 4.12), and reads what it needs of a \
                window (in listing 4.10 it sums all of it with weights). Here that is the array that a function of indices describes: nothing stores it, and inside of a \
                block most of it is known.",
        text: "fn open(i: usize, n: usize) -> f32 {
    (if i > 0 { 1.0 } else { 0.0 }) + (if i + 1 < n { 1.0 } else { 0.0 })
}

fn inside(before: f32, w: [[[f32; 3]; 3]; 3], neighbours: f32) -> f32 {
    let loss = 0.01 * (6.0 - neighbours);
    let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
    ((2.0 - neighbours / 3.0) * w[1][1][1] + around / 3.0 + (loss - 1.0) * before) / (1.0 + loss)
}

#[kernel]
fn Room<N, M, O>(before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    let neighbours = array(N, |z| array(M, |y| array(O, |x| open(z, N) + open(y, M) + open(x, O))));
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours).map3d(inside)
}",
        sizes: &[&[1, 1, 1], &[3, 2, 5]],
    },
    Page {
        file: "dot",
        title: "A dot product",
        about: "A reduction of a whole array is two launches: chunks by work-groups, each in local memory, and their results.",
        text: "#[kernel]
fn Dot<N>(x: [f32; N], y: [f32; N]) -> f32 {
    zip(x, y).map(mul).reduce(add, 0.0)
}",
        sizes: &[&[1], &[5], &[700]],
    },
    Page {
        file: "asum",
        title: "A sum of magnitudes",
        about: "What is computed from each element is fused with its reduction: nothing is stored in between.",
        text: "#[kernel]
fn Asum<N>(x: [f32; N]) -> f32 {
    x.map(abs).reduce(add, 0.0)
}",
        sizes: &[&[1], &[700]],
    },
    Page {
        file: "gemv",
        title: "A matrix and a vector",
        about: "A dot product for each row: by a work-item, or by a work-group, whose items read vectors side by side. What does not fill \
                a vector for each item is reduced by itself, so that every length is fine.",
        text: "#[kernel]
fn Gemv<N, M>(alpha: f32, a: [[f32; M]; N], x: [f32; M], beta: f32, y: [f32; N]) -> [f32; N] {
    zip(a, y).map(|(row, y)| alpha * zip(row, x).map(mul).reduce(add, 0.0) + beta * y)
}",
        sizes: &[&[1, 1], &[3, 70], &[2, 1030]],
    },
    Page {
        file: "gemm",
        title: "A product of matrices",
        about: "A group computes 128 × 128 elements, an item 8 × 8 of them in registers; the group shares steps of 16 rows and columns in \
                local memory.",
        text: "#[kernel]
fn Gemm<N, M, K>(alpha: f32, a: [[f32; K]; N], b: [[f32; M]; K], beta: f32, c: [[f32; M]; N]) -> [[f32; M]; N] {
    let columns = b.transpose();
    zip(a, c).map(|(row, c)| zip(columns, c).map(|(column, c)| {
        alpha * zip(row, column).map(mul).reduce(add, 0.0) + beta * c
    }))
}",
        sizes: &[&[1, 1, 1], &[3, 130, 35]],
    },
];

/// The values of tunables, in turn: some tiles are larger than the arrays.
const TILES: [[i64; 3]; 3] = [[1, 1, 1], [3, 2, 2], [8, 4, 2]];

#[test]
fn pages_of_derivations_are_those_of_the_compiler() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/derivations");
    let mut contents = String::from(
        "# Derivations\n\nWhat the compiler does with an expression, step by step: each line in braces is a [rule](../rules.md), and the \
         expression below it means the same. The compiler writes these pages, and its tests interpret every step.\n\n",
    );
    for page in PAGES {
        writeln!(contents, "- [{}]({}.md)", page.title, page.file).unwrap();
        is_current(&folder.join(page.file).with_extension("md"), &written(page));
    }
    writeln!(contents, "- [Seven reductions](reductions.md)").unwrap();
    is_current(&folder.join("reductions.md"), &reductions());
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
    let mut text = format!("# {}\n\n{}\n\n```text\n{}\n```\n", page.title, page.about, page.text);
    if let Some(trace) = program.trace.as_ref().filter(|trace| !trace.steps.is_empty()) {
        interpreted(&kernel, trace, page.sizes);
        writeln!(text, "\n## Launches\n\n```text\n{trace}```").unwrap();
    }
    for stage in &program.stages {
        let launch = if program.stages.len() > 1 { format!("{}: ", stage.name) } else { String::new() };
        for variant in explore(stage) {
            interpreted(stage, &variant.trace, page.sizes);
            writeln!(text, "\n## {launch}`{}`\n\n```text\n{}```", variant.name, variant.trace).unwrap();
        }
    }
    for passes in in_passes(&kernel) {
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

/// Interprets every expression of a derivation.
fn interpreted(kernel: &Kernel, trace: &Trace, all_sizes: &[&[i64]]) {
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
