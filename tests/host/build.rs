//! Writes the functions of all kernels that the tests run on the CPU: each text once, in a module of its own.

#![allow(dead_code, reason = "tests use more of what they share with this")]

#[path = "../common/algebra.rs"]
mod algebra;
#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/channels.rs"]
mod channels;
#[path = "../common/contractions.rs"]
mod contractions;
#[path = "../common/early.rs"]
mod early;
#[path = "../common/empties.rs"]
mod empties;
#[path = "../common/forms.rs"]
mod forms;
#[path = "../common/groups.rs"]
mod groups;
#[path = "../common/in_order.rs"]
mod in_order;
#[path = "../common/keys.rs"]
mod keys;
#[path = "../common/lanes.rs"]
mod lanes;
#[path = "../common/large.rs"]
mod large;
#[path = "../common/layouts.rs"]
mod layouts;
#[path = "../common/low.rs"]
mod low;
#[path = "../common/neighbours.rs"]
mod neighbours;
#[path = "../common/pages.rs"]
mod pages;
#[path = "../common/passes.rs"]
mod passes;
#[path = "../common/programs.rs"]
mod programs;
#[path = "../common/quotients.rs"]
mod quotients;
#[path = "../common/shared.rs"]
mod shared;
#[path = "../common/strategies.rs"]
mod strategies;
#[path = "../common/streams.rs"]
mod streams;
#[path = "../common/weights.rs"]
mod weights;

#[path = "src/key.rs"]
mod key;

#[path = "../random/choices.rs"]
mod choices;
#[path = "../random/generate.rs"]
mod generate;
#[path = "../random/loops.rs"]
mod loops;
#[path = "../random/placed.rs"]
mod placed;
#[path = "../random/sample.rs"]
mod sample;
#[path = "../random/scalars.rs"]
mod scalars;
#[path = "../random/stencils.rs"]
mod stencils;
#[path = "../random/types.rs"]
mod types;
#[path = "../random/updates.rs"]
mod updates;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lift_core::host::Function;
use lift_core::pipeline::Compiled;
use programs::Derived;

fn main() {
    println!("cargo::rerun-if-changed=../common");
    println!("cargo::rerun-if-changed=../random");
    // What is in the sample.
    println!("cargo::rerun-if-env-changed=LIFT_TESTS");
    println!("cargo::rerun-if-env-changed=PROPTEST_RNG_SEED");
    let mut functions = BTreeMap::new();
    let derived =
        [programs::reductions, programs::products, programs::rows_in_warps].map(|all| all(programs::to_host));
    for Derived { compiled, .. } in derived.iter().flatten() {
        add(compiled, &compiled.kernel.name, false, &mut functions);
    }
    let leveled: Vec<&str> = programs::on_every_level().iter().map(|case| case.text).collect();
    let cases = programs::all().into_iter().map(|case| case.text.to_string());
    let texts = cases.chain(sample::all().into_iter().map(|program| program.text));
    for text in texts {
        let levels = leveled.contains(&&*text);
        if !levels && !programs::is_on_host(&text) {
            continue;
        }
        programs::to_host(&text).iter().for_each(|compiled| add(compiled, &text, levels, &mut functions));
    }
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where"));
    write(&folder, &functions).expect("a folder of this build");
}

/// A function in a module of its own.
struct Module {
    /// A program that it is of.
    source: String,
    /// Whether it is compiled for all sets of instructions.
    levels: bool,
    text: String,
}

/// Adds the functions of a kernel by their keys.
fn add(compiled: &Compiled, source: &str, levels: bool, functions: &mut BTreeMap<u64, Module>) {
    for function in compiled.host.iter().flat_map(|version| &version.generated.host) {
        let ty = Function::type_name(&function.entry);
        let text = key::alike(&function.text, &ty);
        let known = functions.entry(key::key(&function.text, &ty)).or_insert_with(|| Module {
            source: source.into(),
            levels,
            text: text.clone(),
        });
        assert!(known.text == text, "two texts with one key:\n{text}");
        known.levels |= levels;
    }
}

/// Writes the modules, which rustc compiles at the same time, and a table of all functions. Each module has a file of its own: for every unnecessary pair of
/// parentheses, rustc's lint `unused_parens` copies the file up to there.
fn write(folder: &Path, functions: &BTreeMap<u64, Module>) -> std::io::Result<()> {
    let (mut modules, mut table) = (String::new(), String::new());
    for (number, (key, module)) in functions.iter().enumerate() {
        let file = folder.join(format!("f{number}.rs"));
        modules.push_str(&format!("#[path = {file:?}]\nmod f{number};\n"));
        let source: String = module.source.lines().map(|line| format!("// {line}\n")).collect();
        std::fs::write(file, format!("{source}use super::host;\npub(super) {}", module.text))?;
        let ty = if module.levels { format!("f{number}::F") } else { format!("Once<f{number}::F>") };
        table.push_str(&format!("({key}, host::Entry::new::<{ty}>),\n"));
    }
    let table = format!("static FUNCTIONS: &[(u64, fn(&'static str) -> host::Entry)] = &[\n{table}];\n");
    std::fs::write(folder.join("functions.rs"), format!("{modules}\n{table}"))
}
