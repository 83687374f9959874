//! Programs without mistakes, and what they resolve to.

use super::{compile, print};

/// Resolves a text without diagnostics and prints it.
fn resolved(text: &str) -> String {
    let outcome = compile(text);
    let list: Vec<String> = outcome.list.iter().map(|diagnostic| diagnostic.text()).collect();
    assert!(list.is_empty(), "{text}\n{}", list.join("\n"));
    print::check(&outcome.program);
    print::program(&outcome.program)
}

/// The last line of [`resolved`].
fn last(text: &str) -> String {
    resolved(text).lines().last().unwrap_or_default().to_string()
}

include!("good_cases.rs");
