//! What the stages of the back end make of small kernels, and what every pass over their statements changes: reviewed snapshots.
//!
//! A case is a file of `tests/stages`, whose first lines say which variant of its first kernel is meant and what is shown of it:
//!
//! ```text
//! // variant: tiled
//! // show: lower, emit, overlay
//! ```
//!
//! `term` is the low-level expression, `lower` the arena, `emit` the statements as they are made; a pass shows what it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[path = "common/codes.rs"]
mod codes;

use codes::files;
use lift_core::explore::Variant;
use lift_core::generate::passes::{self, Stage};
use lift_core::imp::check::structure;
use lift_core::ir::Kernel;
use lift_core::{explore, pipeline, program};
use lift_laws::print::Shown;
use similar::TextDiff;

/// The texts of a kernel on its way, in order.
type Texts = Vec<(String, String)>;

fn texts(kernel: &Kernel, variant: &Variant) -> Texts {
    let mut texts = vec![("term".to_string(), format!("{}\n", variant.body))];
    passes::watched(kernel, variant, &mut |name, stage| {
        let text = match stage {
            Stage::Arena(kernel) => Shown(kernel).to_string(),
            Stage::Statements(kernel) => {
                structure(kernel).unwrap_or_else(|fault| panic!("after {name}: {fault}"));
                Shown(kernel).to_string()
            }
        };
        texts.push((name.to_string(), text));
    });
    texts
}

/// What a stage shows: a pass shows the difference, everything else its text.
fn shown(texts: &Texts, name: &str) -> Option<String> {
    let at = texts.iter().position(|(stage, _)| stage == name)?;
    if ["term", "lower", "emit"].contains(&name) {
        return Some(texts[at].1.clone());
    }
    let (before, after) = (&texts[at - 1].1, &texts[at].1);
    let diff = TextDiff::from_lines(before, after);
    (before != after).then(|| diff.unified_diff().context_radius(2).to_string())
}

/// The first launch of the first kernel of a text, in a variant.
fn launch(text: &str, name: &str) -> (Kernel, Variant) {
    let compilation = pipeline::compile(text.parse().expect("tokens"));
    let errors: Vec<String> = compilation.diagnostics.iter().map(|d| d.text()).collect();
    assert!(errors.is_empty(), "{text}\n{}", errors.join("\n"));
    let kernel = compilation.kernels.into_iter().next().expect("a kernel").kernel;
    let stage = program::cut(&kernel).stages.into_iter().next().expect("a launch");
    let variants = explore::explore(&stage).variants;
    let names: Vec<&str> = variants.iter().map(|variant| variant.name).collect();
    let found = variants.iter().find(|variant| variant.name == name);
    let variant = found.unwrap_or_else(|| panic!("{name} is none of {names:?}")).clone();
    (stage, variant)
}

#[test]
fn stages_show_what_they_make() {
    let mut list = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stages"), "lift", &mut list);
    let mut seen = BTreeSet::new();
    for file in list {
        let text = std::fs::read_to_string(&file).expect("a file");
        let header = text.lines().map_while(|line| line.strip_prefix("// ")?.split_once(": "));
        let header: BTreeMap<&str, &str> = header.collect();
        let (kernel, variant) = launch(&text, header["variant"]);
        let texts = texts(&kernel, &variant);
        let mut all = String::new();
        for name in header["show"].split(", ") {
            let shown = shown(&texts, name);
            let shown = shown.unwrap_or_else(|| panic!("{name} changes nothing in {}", file.display()));
            all.push_str(&format!("== {name}\n{shown}\n"));
            seen.insert(name.to_string());
        }
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "stages", omit_expression => true }, {
            insta::assert_snapshot!(name, all);
        });
    }
    let unseen: Vec<&str> =
        passes::all().map(|pass| pass.name).filter(|name| !seen.contains(*name)).collect();
    assert!(unseen.is_empty(), "no case shows {unseen:?}");
}
