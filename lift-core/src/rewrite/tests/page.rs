//! The page of the documentation that lists all rules: docs/rules.md.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::rewrite::rules;
use crate::rewrite::rules::low_rank::APPROXIMATE;
use crate::rewrite::strategy::CHOOSE;
use crate::rewrite::testing::is_current;

const START: &str = "# The rules

Each is an equation, read from left to right: the right side means the same, whatever the sizes. Where the left side stands does not \
matter, how deep in functions it stands does not, either. After the equation stands what must hold for it, and what its letters stand \
for. A rule that needs a fact about sizes which is not proved does not apply. `f^d` is a function mapped over `d` dimensions. Tests apply \
every rule to random programs around its left side and interpret both sides; [derivations](derivations/README.md) show them at work.
";

#[test]
fn the_page_of_rules_is_that_of_the_compiler() {
    let about = comments();
    let mut text = String::from(START);
    for family in rules::FAMILIES {
        write!(text, "\n## {}\n\n", family.title).unwrap();
        if !family.about.is_empty() {
            write!(text, "{}\n\n", family.about).unwrap();
        }
        for rule in family.rules {
            let about = about.get(rule.name).map(|about| format!(" {about}")).unwrap_or_default();
            writeln!(
                text,
                "- **{}**:{about}<br>`{}`{}",
                rule.name,
                rule.equation(),
                conditions(rule.conditions())
            )
            .unwrap();
        }
    }
    writeln!(text, "\n## What is no equation\n\nSteps of derivations that no equation can justify have a reason instead.\n").unwrap();
    for reason in [&CHOOSE, &APPROXIMATE] {
        writeln!(text, "- **{}**: {}", reason.name, reason.law).unwrap();
    }
    writeln!(text, "- **launch**: what follows is a launch of its own, with what it reads and writes")
        .unwrap();
    is_current(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md"), &text);
}

fn conditions(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {text}") }
}

/// What stands above the rules in the source, by their names: one comment may be about several of them.
fn comments() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rewrite/rules")) {
        let source = std::fs::read_to_string(&file).unwrap();
        let mut comment = Vec::new();
        let mut is_open = false;
        for line in source.lines() {
            let line = line.trim();
            if let Some(text) = line.strip_prefix("/// ") {
                if !is_open {
                    comment.clear();
                }
                comment.push(text);
            } else if let Some((name, _)) =
                line.split_once("name: \"").and_then(|(_, rest)| rest.split_once('"'))
            {
                found.insert(name.to_owned(), comment.join(" "));
            }
            is_open = line.starts_with("///");
        }
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
