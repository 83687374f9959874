//! A rule is data: its name, its law, and the function that applies it.

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
    /// The equation, in one line, and after a comma what must hold for it: side conditions, and what sizes owe.
    pub law: &'static str,
    /// Rewrites the root of an expression; `None` if it is not an instance of the left side.
    pub apply: fn(&Expr, &Facts) -> Option<Expr>,
}

impl Rule {
    /// The equation alone.
    pub fn equation(&self) -> &'static str {
        self.law.get(..self.end()).unwrap_or(self.law)
    }

    /// What must hold for the equation: side conditions, what sizes owe, and what its letters stand for. Empty if it holds always.
    pub fn conditions(&self) -> &'static str {
        self.law.get(self.end() + 2..).unwrap_or("")
    }

    /// Where the equation ends.
    fn end(&self) -> usize {
        let words = [", if ", ", for ", ", on ", ", where ", ", as ", ", without "];
        words.iter().filter_map(|word| self.law.find(word)).min().unwrap_or(self.law.len())
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({}: {})", self.name, self.law)
    }
}
