//! Variables: sizes, loop indices, work-item ids.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A variable. Its identity is its number; the name is for readers only.
#[derive(Clone)]
pub struct Var {
    id: u32,
    name: Arc<str>,
}

impl Var {
    /// The variable with this number. Numbers from `u32::MAX` downwards are used internally.
    pub fn new(id: u32, name: &str) -> Var {
        Var { id, name: name.into() }
    }

    /// The number, which is the identity and the place in the order of variables.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The name to print.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl PartialEq for Var {
    fn eq(&self, other: &Var) -> bool {
        self.id == other.id
    }
}

impl Eq for Var {}

impl PartialOrd for Var {
    fn partial_cmp(&self, other: &Var) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Var {
    fn cmp(&self, other: &Var) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl Hash for Var {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.name, self.id)
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
