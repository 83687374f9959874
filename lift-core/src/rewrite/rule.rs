//! A rule is data: its name, its law in words, and the function that applies it.

use std::fmt;

use crate::arith::Facts;
use crate::ir::Expr;

/// A directed equation between expressions.
///
/// Wherever the left side occurs, under whatever facts, the right side means the same; side conditions that
/// the facts do not prove make the rule fail. A rule may introduce new size variables: then the law holds
/// for all values of them from 1 on. Bound variables of the result are unique if those of the argument were.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What it is called in traces.
    pub name: &'static str,
    /// What it does, in a sentence or a few; empty if the equation says it.
    pub about: &'static str,
    /// The equation, in one line.
    pub equation: &'static str,
    /// What must hold for it, what sizes owe, and what its letters stand for; empty if it holds always.
    pub when: &'static str,
    /// Rewrites the root of an expression; `None` if it is not an instance of the left side.
    pub apply: fn(&Expr, &Facts) -> Option<Expr>,
}

impl Rule {
    /// The equation, and after a comma what must hold for it.
    pub fn law(&self) -> String {
        let comma = if self.when.is_empty() { "" } else { ", " };
        format!("{}{comma}{}", self.equation, self.when)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({}: {})", self.name, self.law())
    }
}
