//! What users are told about their mistakes: for every kind of mistake the whole text, as rustc would show it.
//!
//! The files in `tests/faults` hold the cases. A case starts with a line `//// name`, and has one mistake, so it
//! must have one message; `//// name (3)` has three that do not depend on each other. Beside each file lies the
//! snapshot of what is said about its cases.

#[path = "common/codes.rs"]
mod codes;
#[path = "common/render.rs"]
mod render;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use codes::{files, reported_codes};
use lift_core::diag::{Diagnostic, MAX_REPORTED};
use lift_core::ir::Backends;
use lift_core::pipeline;
use render::render;

/// A program with mistakes.
struct Case {
    name: String,
    mistakes: usize,
    source: String,
}

/// What is said about a program.
struct Found {
    diagnostics: Vec<Diagnostic>,
    /// Where, from line and column to line and column.
    places: Vec<((usize, usize), (usize, usize))>,
    /// As rustc would show it.
    shown: String,
}

/// The cases of a file.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("//// ") {
            let several = head.strip_suffix(')').and_then(|h| h.rsplit_once(" ("));
            let (name, mistakes) = match several.map(|(name, count)| (name, count.parse())) {
                Some((name, Ok(count))) => (name, count),
                Some((_, Err(_))) | None => (head, 1),
            };
            cases.push(Case { name: name.to_string(), mistakes, source: String::new() });
        } else if let Some(case) = cases.last_mut() {
            case.source.push_str(line);
            case.source.push('\n');
        }
    }
    for case in &mut cases {
        case.source.truncate(case.source.trim_end().len());
    }
    cases
}

/// An area, and its cases with what is said about them.
type Area = (String, Vec<(Case, Found)>);

/// Every area with its cases, each compiled once for all tests.
static AREAS: LazyLock<Vec<Area>> = LazyLock::new(|| {
    let mut list = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults"), "lift", &mut list);
    let area = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let text = |path: &Path| std::fs::read_to_string(path).expect("a text");
    let found = |case: Case| {
        let found = compile(&case);
        (case, found)
    };
    list.iter().map(|path| (area(path), cases(&text(path)).into_iter().map(found).collect())).collect()
});

fn compile(case: &Case) -> Found {
    let tokens = case.source.parse().unwrap_or_else(|e| panic!("{}: {e}", case.name));
    let found = pipeline::compile(tokens);
    let places = found.diagnostics.iter().map(|d| found.spans.position(d.span)).collect();
    let shown = found.diagnostics.iter().map(|d| render(d, &found.spans, &case.source) + "\n").collect();
    Found { diagnostics: found.diagnostics, places, shown }
}

fn texts(list: &[Diagnostic]) -> String {
    list.iter().map(Diagnostic::text).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_mistake_is_explained() {
    let mut names = BTreeSet::new();
    for (area, cases) in &*AREAS {
        let mut shown = String::new();
        for (case, found) in cases {
            assert!(names.insert(&case.name), "two cases are called «{}»", case.name);
            shown += &format!("==== {}\n{}", case.name, found.shown);
        }
        insta::with_settings!({
            snapshot_path => "faults", prepend_module_to_snapshot => false, omit_expression => true,
        }, { insta::assert_snapshot!(area.as_str(), shown) });
    }
    assert!(names.len() >= 800, "only {} cases", names.len());
}

#[test]
fn one_mistake_has_one_message() {
    let mut wrong = String::new();
    for (area, cases) in &*AREAS {
        for (case, found) in cases {
            if found.diagnostics.len() != case.mistakes.min(MAX_REPORTED) {
                wrong += &format!("{area}, «{}»: {}\n", case.name, texts(&found.diagnostics));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn messages_come_in_the_order_of_the_text() {
    for (case, found) in AREAS.iter().flat_map(|(_, cases)| cases) {
        assert!(found.places.is_sorted(), "{}: {:?}", case.name, found.places);
    }
}

#[test]
fn first_lines_stand_alone() {
    for (case, found) in AREAS.iter().flat_map(|(_, cases)| cases) {
        for Diagnostic { message, .. } in &found.diagnostics {
            assert!(!message.contains('\n') && message.len() < 200, "{}: {message}", case.name);
            assert!(!message.ends_with('.') && !message.contains("  "), "{}: {message}", case.name);
        }
    }
}

#[test]
fn every_code_has_a_case() {
    let mut seen = BTreeSet::new();
    for (_, found) in AREAS.iter().flat_map(|(_, cases)| cases) {
        seen.extend(found.diagnostics.iter().map(|d| d.code.to_string()));
    }
    // L0000 is a mistake of the compiler: no program is known to have it.
    let missing: Vec<String> =
        reported_codes().into_iter().filter(|c| c != "L0000" && !seen.contains(c)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// The sections of `docs/errors.md`: the code, and the examples.
fn documented() -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors.md");
    let text = std::fs::read_to_string(path).expect("docs/errors.md");
    let sections = text.split("\n### ").skip(1);
    let section = |section: &str| {
        let examples = section.split("```rust\n").skip(1);
        let example = |rest: &str| rest.split("```").next().expect("an end").to_string();
        (section.chars().take(5).collect(), examples.map(example).collect())
    };
    sections.map(section).collect()
}

#[test]
fn the_documented_examples_are_as_documented() {
    let mut wrong = String::new();
    for (code, examples) in documented() {
        if code == "L0000" {
            continue;
        }
        let [mistake, right] = examples.as_slice() else { panic!("{code} has {} examples", examples.len()) };
        let found = |source: &str| pipeline::compile(source.parse().expect("tokens")).diagnostics;
        let codes: Vec<&str> = found(mistake).iter().map(|d| d.code).collect();
        if codes != [code.as_str()] {
            wrong += &format!("{code}: the wrong example has {codes:?}\n{}\n", texts(&found(mistake)));
        }
        let left = found(right);
        if !left.is_empty() {
            wrong += &format!("{code}: the right example is wrong\n{}\n", texts(&left));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_code_of_a_case_is_documented() {
    let documented: BTreeSet<String> = documented().into_iter().map(|(code, _)| code).collect();
    for (case, found) in AREAS.iter().flat_map(|(_, cases)| cases) {
        for d in &found.diagnostics {
            assert!(documented.contains(d.code), "{}: {} has no section", case.name, d.code);
        }
    }
}

/// What a program is built without is no back end of its kernels, and each kernel needs one.
#[test]
fn a_kernel_needs_a_back_end() {
    let source = "#[kernel] fn Any<N>(xs: [f32; N]) -> [f32; N] { xs.map(sqrt) }
        #[kernel] #[backends(host)] fn Here<N>(xs: [f32; N]) -> [f32; N] { xs.map(sqrt) }
        #[kernel] #[backends(opencl)] fn There<N>(xs: [f32; N]) -> [f32; N] { xs.map(sqrt) }
        #[kernel] fn Half<N>(xs: [f16; N]) -> [f16; N] { xs.map(|x| x + x) }";
    let compiled = |opencl: bool, host: bool, kernels: &[usize]| {
        let parts: Vec<&str> = source.split("\n").collect();
        let source: String = kernels.iter().map(|i| parts[*i]).collect();
        let mut checked = pipeline::Checked::of(source.parse().expect("tokens"));
        checked.restrict(Backends { opencl, host, written: None });
        let compiled = checked.compile(|_| true);
        let kinds = compiled.kernels.iter().map(|it| [!it.versions.is_empty(), !it.host.is_empty()]);
        (kinds.collect::<Vec<_>>(), texts(&compiled.diagnostics))
    };
    let (kinds, text) = compiled(true, true, &[0, 1, 2, 3]);
    assert_eq!(kinds, [[true, true], [false, true], [true, false], [true, false]], "{text}");
    assert_eq!(compiled(false, true, &[0, 1]).0, [[false, true]; 2]);
    assert_eq!(compiled(true, false, &[0, 2, 3]).0, [[true, false]; 3]);
    let (kinds, text) = compiled(false, true, &[2]);
    assert!(kinds.is_empty() && text.contains("[L0196] `There` is compiled to OpenCL alone"), "{text}");
    let (kinds, text) = compiled(true, false, &[1]);
    assert!(kinds.is_empty() && text.contains("[L0196] `Here` is compiled to Rust"), "{text}");
    let (kinds, text) = compiled(false, true, &[3]);
    assert!(kinds.is_empty() && text.contains("`Half` cannot be compiled for the processor"), "{text}");
}
