//! The house is in order: who may import whom, and every error code is documented.

use std::path::{Path, PathBuf};

#[path = "common/codes.rs"]
mod codes;

use codes::{files, reported_codes};
use lift_core::ir::prim::{AtZero, Prim};

/// Each room of the compiler and the rooms it may use. Everybody may use the ground floor.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("arith", &[]),
    ("ir", &["arith"]),
    // Only to name operators and primitives.
    ("syntax", &["ir"]),
    ("typecheck", &["arith", "ir", "syntax"]),
    ("rewrite", &["arith", "ir"]),
    ("places", &["arith", "ir", "rewrite"]),
    ("partition", &["arith", "ir", "rewrite"]),
    ("explore", &["arith", "ir", "rewrite"]),
    ("program", &["arith", "ir", "rewrite", "explore", "low"]),
    ("low", &["arith", "ir"]),
    ("lower", &["arith", "ir", "explore", "low"]),
    ("memory", &["arith", "ir", "low"]),
    ("view", &["arith", "ir", "low", "memory"]),
    ("imp", &["arith", "ir", "program", "low", "memory", "view"]),
    ("barrier", &["arith", "ir", "low", "memory", "imp"]),
    // For the names of tunables, which are macros.
    ("opencl", &["arith", "ir", "explore", "low", "memory", "view", "imp"]),
    ("host", &["arith", "ir", "low", "memory", "view", "imp"]),
    (
        "generate",
        &["arith", "ir", "explore", "program", "low", "lower", "memory", "imp", "barrier", "opencl", "host"],
    ),
];

/// What a room uses of another one that it may not use.
const SHARED: &[(&str, &str)] = &[
    // Functions have one name in both languages.
    ("host", "use crate::opencl::entry;"),
];

#[test]
fn rooms_import_only_what_they_may() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("lift-core/src");
    for (room, allowed) in MAY_IMPORT {
        let mut list = Vec::new();
        files(&source.join(room), "rs", &mut list);
        assert!(!list.is_empty(), "{room} is empty");
        for file in list {
            let text = std::fs::read_to_string(&file).expect("a file");
            // Tests may use anything.
            let is_test = file.file_stem().is_some_and(|s| s == "tests")
                || file.parent().is_some_and(|p| p.ends_with("tests"));
            let text =
                if is_test { "" } else { text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default() };
            let shared = SHARED.iter().filter(|(other, _)| other == room);
            let text = shared.fold(text.to_string(), |text, (_, line)| text.replace(line, ""));
            for (other, _) in MAY_IMPORT {
                let imports = text.contains(&format!("crate::{other}::"));
                assert!(
                    !imports || other == room || allowed.contains(other),
                    "{} imports {other}",
                    file.display()
                );
            }
        }
    }
}

/// The runtime links no compiler, and the macro no runtime: both know the contract alone.
#[test]
fn crates_import_only_what_they_may() {
    let may_import = [
        ("lift-spec", [].as_slice()),
        ("lift-core", &["lift-spec"]),
        ("lift-tune", &[]),
        ("lift-macros", &["lift-core", "lift-spec", "lift-tune"]),
        ("lift-runtime", &["lift-spec", "lift-tune"]),
    ];
    for (package, allowed) in may_import {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("Cargo.toml");
        let text = std::fs::read_to_string(manifest).expect("a manifest");
        let names = text.lines().filter(|line| line.starts_with("lift-"));
        let own: Vec<&str> = names.filter_map(|line| line.split(['.', ' ']).next()).collect();
        assert_eq!(own, allowed, "{package}");
        assert!(package != "lift-spec" || !text.contains("dependencies"), "{text}");
    }
}

/// What the laws are stated with is linked by tests alone.
#[test]
fn only_tests_link_the_laws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for package in ["", "lift-core", "lift-macros", "lift-runtime", "suite", "examples"] {
        let text = std::fs::read_to_string(root.join(package).join("Cargo.toml")).expect("a manifest");
        for section in text.split("\n[").filter(|section| section.contains("lift-laws")) {
            let name = section.split(']').next().unwrap_or_default();
            assert!(!name.ends_with("dependencies") || name == "dev-dependencies", "{package}: {section}");
        }
    }
}

#[test]
fn only_the_front_end_knows_syn() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("lift-core/src");
    let mut list = Vec::new();
    files(&source, "rs", &mut list);
    for file in list {
        let inside = file.strip_prefix(&source).expect("inside");
        let text = std::fs::read_to_string(&file).expect("a file");
        if !inside.starts_with("syntax") {
            assert!(!text.contains("syn::"), "{} names syn", inside.display());
        }
    }
}

#[test]
fn every_error_code_is_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let codes = reported_codes();
    assert!(codes.len() > 40, "{codes:?}");
    let docs = std::fs::read_to_string(root.join("docs/errors.md")).expect("docs/errors.md");
    for code in &codes {
        let sections = docs.matches(&format!("### {code}")).count();
        assert_eq!(sections, 1, "{code} has {sections} sections in docs/errors.md");
    }
    for line in docs.lines().filter_map(|l| l.strip_prefix("### ")) {
        let code: String = line.chars().take(5).collect();
        assert!(codes.contains(&code), "{code} is documented but never reported");
    }
}

/// What the reference says of arrays without elements is what the table of primitives says.
#[test]
fn arrays_without_elements_are_documented() {
    let mut rows: Vec<(AtZero, Vec<String>)> = Vec::new();
    for row in Prim::written_rows() {
        let name = format!("`{}`", row.name);
        match rows.iter_mut().find(|(at_zero, _)| *at_zero == row.at_zero) {
            Some((_, names)) => names.push(name),
            None => rows.push((row.at_zero, vec![name])),
        }
    }
    let mut table = String::new();
    for (at_zero, names) in rows {
        let (needs, doc) = match at_zero {
            AtZero::Total(doc) => (String::new(), doc),
            AtZero::Needs(fact, doc) => (format!("`{fact}`"), doc),
        };
        table.push_str(&format!("| {} | {doc} | {needs} |\n", names.join(" ")));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_to_string(root.join("docs/language.md")).expect("docs/language.md");
    assert!(docs.contains(&table), "docs/language.md should have\n{table}");
}

/// Editors are told what every function of the language is.
#[test]
fn editors_know_every_function() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/language");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let text = read("primitives.rs") + &read("scalars.rs");
    let known: Vec<&str> = text.lines().map(|line| line.trim().trim_start_matches("pub fn ")).collect();
    let names = lift_core::syntax::language();
    assert!(names.len() > 100, "{names:?}");
    for name in names {
        let is_here = |line: &&str| {
            let rest = line.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.starts_with(['(', '<']) || rest.starts_with(" \""))
        };
        assert!(known.iter().any(is_here), "{name} has no item in src/language");
    }
}

/// Every page of the reference is part of the library's documentation, and of the language's list.
#[test]
fn every_primitive_has_a_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("a file");
    let (items, list) = (read("src/language/primitives.rs"), read("docs/language.md"));
    let folder = std::fs::read_dir(root.join("docs/language")).expect("a folder");
    let pages: Vec<String> =
        folder.map(|it| it.expect("a file").file_name().to_string_lossy().replace(".md", "")).collect();
    assert!(pages.len() > 30, "{pages:?}");
    for page in pages {
        let is_shown =
            [format!("@page \"{page}\""), format!("language/{page}.md")].iter().any(|it| items.contains(it));
        assert!(is_shown, "src/language/primitives.rs does not have docs/language/{page}.md");
        // What editors show of it is its equation and its picture.
        let text = read(&format!("docs/language/{page}.md"));
        let block = text.split_once("```text\n").and_then(|(_, rest)| rest.split_once("```"));
        for line in block.map(|(block, _)| block).unwrap_or_default().lines().filter(|it| !it.is_empty()) {
            assert!(
                items.contains(line),
                "src/language/primitives.rs does not have this line of {page}: {line}"
            );
        }
        assert!(list.contains(&format!("[language/{page}.md]")), "docs/language.md does not list {page}");
    }
}

/// The documents, and their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["", "docs", "docs/language", "docs/derivations", "lift-core", "lift-macros", "lift-runtime"];
    let files = folders.iter().flat_map(|it| std::fs::read_dir(root.join(it)).expect("a folder"));
    let files =
        files.map(|it| it.expect("a file").path()).filter(|it| it.extension().is_some_and(|it| it == "md"));
    files.map(|path| (path.clone(), std::fs::read_to_string(path).expect("a text"))).collect()
}

/// What a title is called in links.
fn anchor(title: &str) -> String {
    let kept = |sign: &char| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_');
    title
        .trim()
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|sign| if sign == ' ' { '-' } else { sign })
        .collect()
}

/// A text without what is code.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let prose = |line: &&str| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    };
    let lines: Vec<&str> = text.lines().filter(prose).collect();
    // Every second part of a line is between backquotes.
    let spans = |line: &&str| line.split('`').step_by(2).collect::<Vec<_>>().join("");
    lines.iter().map(spans).collect::<Vec<_>>().join("\n")
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    let (mut found, mut broken) = (0, Vec::new());
    for (path, text) in &documents {
        let prose = without_code(text);
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let pictures = prose.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let defined =
            prose.lines().filter_map(|it| it.strip_prefix('[')?.split_once("]: ")).map(|(_, link)| link);
        for link in links.chain(pictures).chain(defined).filter(|it| !it.contains("://")) {
            found += 1;
            let (file, title) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            let exists = target.canonicalize().is_ok_and(|target| {
                let titles = std::fs::read_to_string(&target).unwrap_or_default();
                let mut titles =
                    titles.lines().filter_map(|it| it.strip_prefix('#')).map(|it| it.trim_start_matches('#'));
                title.is_empty() || titles.any(|it| anchor(it) == title)
            });
            if !exists {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(found > 100, "{found}");
    assert_eq!(broken, Vec::<String>::new());
}

/// In the library's documentation, links from one document to another lead to its modules and items.
#[test]
fn links_between_documents_lead_to_items() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let items = std::fs::read_to_string(root.join("src/links.md")).expect("src/links.md");
    let mut defined: Vec<String> = Vec::new();
    for (path, text) in documents() {
        let parent = path.parent().expect("a folder");
        if parent != root.join("docs") && parent != root.join("docs/language") {
            continue;
        }
        let prose = without_code(&text);
        let inline = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let inline = inline.filter(|it| it.contains(".md")).collect::<Vec<_>>();
        assert_eq!(
            inline,
            Vec::<&str>::new(),
            "{}: write `[text][file.md]`, and below `[file.md]: file.md`",
            path.display()
        );
        defined.extend(
            prose.lines().filter_map(|it| Some(it.strip_prefix('[')?.split_once("]: ")?.0.to_string())),
        );
    }
    for label in &defined {
        assert!(items.contains(&format!("[{label}]: crate::")), "src/links.md does not have [{label}]");
    }
    for line in items.lines().filter(|it| !it.is_empty()) {
        let (label, item) = line[1..].split_once("]: ").expect("a definition");
        assert!(defined.iter().any(|it| it == label), "no document has [{label}]");
        let title = |text: &str| text.split_once('#').map(|(_, title)| title.to_string());
        assert_eq!(title(label), title(item), "{line}");
    }
}

/// The reference lists every attribute.
#[test]
fn attributes_are_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_to_string(root.join("docs/language.md")).expect("docs/language.md");
    let table = lift_core::syntax::attributes::reference();
    assert!(docs.contains(&table), "docs/language.md should have\n{table}");
}

/// The methods that users see of what a file implements, by their names.
fn public_methods(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("lift-runtime/src").join(file);
    let text = std::fs::read_to_string(&path).expect("a file");
    let mut methods = Vec::new();
    let mut hidden = false;
    for line in text.lines().map(str::trim) {
        hidden |= line == "#[doc(hidden)]";
        if let Some(name) = line.strip_prefix("pub fn ").and_then(|rest| rest.split(['(', '<']).next()) {
            // Names of parameters and their methods are known to the macro alone.
            if !hidden && !name.starts_with('$') {
                methods.push(name.to_string());
            }
        }
        hidden &= line.starts_with('#') || line.starts_with("//");
    }
    assert!(!methods.is_empty(), "{file}");
    methods
}

#[test]
fn every_public_method_is_in_the_guide() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    let tables = guide.split("\n## All methods\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let tables: String = tables.expect("the chapter").lines().filter(|line| line.starts_with('|')).collect();
    let taps = ["step/mod.rs", "step/finite.rs", "step/schedule.rs", "step/taps.rs", "step/save/mod.rs"];
    let others = ["macros.rs", "device.rs", "buffer.rs", "queue.rs"];
    for file in taps.into_iter().chain(others) {
        for method in public_methods(file) {
            let found = [
                format!("`{method}("),
                format!(".{method}("),
                format!("::{method}("),
                format!("`{method}::<"),
            ];
            assert!(found.iter().any(|it| tables.contains(it)), "{file}: `{method}`");
        }
    }
}
