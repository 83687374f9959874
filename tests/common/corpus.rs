//! All programs of the project: what stands in `lift!`, in texts of tests, in the cases of `tests/faults`, and in the documentation.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use crate::codes::files;

/// Programs by their texts, so that each is there once and their order is fixed.
#[derive(Default)]
struct Found(BTreeMap<String, TokenStream>);

impl Found {
    fn add(&mut self, text: &str) {
        if let Ok(tokens) = text.parse::<TokenStream>() {
            self.0.insert(tokens.to_string(), tokens);
        }
    }
}

/// The programs in the Rust files of some folders.
pub fn of_folders(folders: &[&str]) -> Vec<TokenStream> {
    let mut found = Found::default();
    in_folders(folders, &mut found);
    found.0.into_values().collect()
}

fn in_folders(folders: &[&str], found: &mut Found) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in folders {
        texts(&root.join(folder), "rs").iter().for_each(|text| in_rust(text, found));
    }
}

/// Every program.
pub fn programs() -> Vec<TokenStream> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Found::default();
    in_folders(
        &[
            "suite",
            "examples",
            "src",
            "tests",
            "benches",
            "lift-core/src",
            "lift-core/laws/src",
            "lift-runtime/tests",
        ],
        &mut found,
    );
    for text in texts(&root.join("tests/faults"), "lift") {
        text.split("//// ")
            .filter_map(|case| case.split_once('\n'))
            .for_each(|(_, source)| found.add(source));
    }
    for text in texts(&root.join("docs"), "md") {
        for block in text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            // Hidden lines of examples start with `# `.
            let shown: Vec<&str> =
                block.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
            in_rust(&shown.join("\n"), &mut found);
            found.add(block);
        }
    }
    found.0.into_values().collect()
}

fn texts(folder: &Path, extension: &str) -> Vec<String> {
    let mut list = Vec::new();
    files(folder, extension, &mut list);
    list.iter().map(|file| std::fs::read_to_string(file).expect("a text")).collect()
}

/// The bodies of `lift!`, and the texts with kernels in them.
fn in_rust(text: &str, found: &mut Found) {
    let Ok(tokens) = text.parse::<TokenStream>() else { return };
    walk(tokens, found);
}

fn walk(tokens: TokenStream, found: &mut Found) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(body)] = window
            && name == "lift"
            && bang.as_char() == '!'
        {
            found.add(&body.stream().to_string());
        }
    }
    for token in tokens {
        match token {
            TokenTree::Group(group) => walk(group.stream(), found),
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                let inside = literal.trim_start_matches(['r', '#']).trim_end_matches('#');
                if inside.starts_with('"') && inside.contains("#[kernel]") {
                    found.add(&inside.trim_matches('"').replace("\\\n", "\n"));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}
