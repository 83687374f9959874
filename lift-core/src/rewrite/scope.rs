//! Occurrences of variables, and their replacement.

use std::cell::Cell;

use crate::ir::{Expr, Kind};

/// How a variable occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// How often.
    pub count: usize,
    /// Whether one occurrence is inside a function, which may be called many times.
    pub in_function: bool,
}

impl Occurrences {
    /// Whether the value is needed at most once.
    pub fn at_most_once(self) -> bool {
        self.count == 0 || (self.count == 1 && !self.in_function)
    }
}

/// The occurrences of the variable `id` in `e`.
pub fn occurrences(e: &Expr, id: u32) -> Occurrences {
    let mut found = Occurrences::default();
    count(e, id, false, &mut found);
    found
}

fn count(e: &Expr, id: u32, in_function: bool, found: &mut Occurrences) {
    match e.kind() {
        Kind::Param(param) if param.id == id => {
            found.count += 1;
            found.in_function |= in_function;
        }
        Kind::Prim(_, args) => {
            for arg in args {
                let inside = in_function || arg.function().is_some();
                if let Some(x) = arg.expr() {
                    count(x, id, inside, found);
                }
            }
        }
        _ => e.children().into_iter().for_each(|x| count(x, id, in_function, found)),
    }
}

/// Replaces a variable by an expression. From the second occurrence on the variables bound in it are renamed,
/// so that each is still bound once.
pub fn replace(e: &Expr, id: u32, by: &Expr) -> Expr {
    let used = Cell::new(false);
    replace_in(e, id, &|| if used.replace(true) { by.refresh() } else { by.clone() })
}

fn replace_in(e: &Expr, id: u32, by: &dyn Fn() -> Expr) -> Expr {
    match e.kind() {
        Kind::Param(param) if param.id == id => by(),
        _ => e.map_children(&mut |x| replace_in(x, id, by)),
    }
}
