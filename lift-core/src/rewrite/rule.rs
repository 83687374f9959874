//! A rule is data: its name, its law in words, and the function that applies it.

use std::cell::RefCell;
use std::fmt;

use crate::arith::{ArithExpr, Facts, Var};
use crate::bug;
use crate::ir::Expr;
use crate::ir::build::fresh_id;
use crate::rewrite::strategy::Position;

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
    /// What becomes of an expression; `None` if its root is not an instance of the left side.
    pub apply: fn(&Expr, &Context) -> Option<Expr>,
}

/// What a rule is applied with, and what it says about its result.
pub struct Context<'a> {
    /// What is known about sizes.
    pub facts: &'a Facts,
    sizes: RefCell<Vec<Var>>,
    focus: RefCell<Vec<Expr>>,
}

/// What a rule has made of an expression.
#[derive(Debug, Clone)]
pub struct Rewrite {
    /// The result.
    pub expr: Expr,
    /// The sizes that the rule has introduced, in order: of tiles, the innermost first.
    pub sizes: Vec<Var>,
    /// Where in it others go on, in the order in which the rule names these parts.
    pub focus: Vec<Position>,
}

impl Rule {
    /// The equation, and after a comma what must hold for it.
    pub fn law(&self) -> String {
        let comma = if self.when.is_empty() { "" } else { ", " };
        format!("{}{comma}{}", self.equation, self.when)
    }

    /// Applies the rule to the root of an expression.
    pub fn rewrite(&self, e: &Expr, facts: &Facts) -> Option<Rewrite> {
        let context = Context { facts, sizes: RefCell::default(), focus: RefCell::default() };
        let expr = (self.apply)(e, &context)?;
        let at = |part: &Expr| match position(&expr, part) {
            Some(at) => at,
            None => bug!("{}: {part} is no part of {expr}", self.name),
        };
        let focus = context.focus.borrow().iter().map(at).collect();
        Some(Rewrite { sizes: context.sizes.into_inner(), focus, expr })
    }
}

impl Context<'_> {
    /// A new size, which is chosen later.
    pub fn size(&self, name: &str) -> ArithExpr {
        let size = Var::new(fresh_id(), name);
        self.sizes.borrow_mut().push(size.clone());
        ArithExpr::var(&size)
    }

    /// A part of the result where others go on.
    pub fn focus(&self, part: Expr) -> Expr {
        self.focus.borrow_mut().push(part.clone());
        part
    }
}

impl Rewrite {
    /// Where others go on, if there are so many places.
    pub fn focus<const COUNT: usize>(self) -> Option<[Position; COUNT]> {
        self.focus.try_into().ok()
    }
}

/// Where a node stands.
fn position(e: &Expr, part: &Expr) -> Option<Position> {
    if e.is_same(part) {
        return Some(Position::new());
    }
    e.children().into_iter().enumerate().find_map(|(i, x)| {
        let mut below = position(x, part)?;
        below.insert(0, i);
        Some(below)
    })
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({}: {})", self.name, self.law())
    }
}
