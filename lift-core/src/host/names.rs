//! Names in the text: what they say, and a number that tells them apart.

use std::collections::BTreeMap;

/// The names of variables and arrays.
#[derive(Default)]
pub(super) struct Names {
    known: BTreeMap<(Kind, u32), String>,
}

/// What is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A variable: of index arithmetic, or of the program.
    Variable,
    /// An array.
    Buffer,
}

impl Names {
    /// The name; the first question makes it.
    pub(super) fn of(&mut self, kind: Kind, id: u32, name: &str) -> String {
        let number = self.known.len();
        let new = || {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
            let name: String = name.chars().map(plain).collect();
            format!("{}_{number}", name.trim_matches('_'))
        };
        let name = self.known.entry((kind, id)).or_insert_with(new);
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name.clone() } else { format!("v{name}") }
    }
}
