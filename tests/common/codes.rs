//! The error codes that the sources can report.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All files below a folder whose name ends in `.extension`, sorted.
pub fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

/// Every code that stands in the sources of the compiler or the macro.
pub fn reported_codes() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = Vec::new();
    files(&root.join("lift-core/src"), "rs", &mut list);
    files(&root.join("lift-macros/src"), "rs", &mut list);
    let mut codes = BTreeSet::new();
    for file in list {
        let inside = file.strip_prefix(root).expect("below the root");
        if inside.components().any(|c| matches!(c.as_os_str().to_str(), Some("tests" | "tests.rs"))) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a file");
        // Where a code is reported it stands in quotes or brackets.
        for (i, _) in text.match_indices("\"L0").chain(text.match_indices("[L0")) {
            let code: String = text[i + 1..].chars().take(5).collect();
            if code.len() == 5 && code[1..].chars().all(|c| c.is_ascii_digit()) {
                codes.insert(code);
            }
        }
    }
    codes
}
