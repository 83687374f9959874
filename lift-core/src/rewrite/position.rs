//! Positions by name: which child of a node is which.
//!
//! Children are numbered as in [`Expr::children`](crate::ir::Expr::children): the arguments that are expressions, and the bodies of
//! those that are functions. Where a rule makes something that others go on with, it says where ([`Context::focus`]); these
//! names are for what is known to stand there.
//!
//! [`Context::focus`]: crate::rewrite::rule::Context::focus

use crate::ir::{Expr, Kind};
use crate::rewrite::strategy::Position;

/// What the function of a map, of a reduction or of a loop computes.
pub const BODY: usize = 0;

/// What a map goes through.
pub const ELEMENTS: usize = 1;

/// What a reduction or a loop with an accumulator goes through, after function and start.
pub const REDUCED: usize = 2;

/// What a layout, or a copy, is of.
pub const OF: usize = 0;

/// What a round of `iterate` computes, after the number of rounds.
pub const ROUND: usize = 1;

/// The same of `iterate_until`, after the number of rounds and what decides whether there is one more.
pub const ROUND_AFTER_TEST: usize = 2;

/// What is defined.
pub const DEFINED: usize = 0;

/// What follows a definition.
pub const REST: usize = 1;

/// One position below another.
pub fn join(position: &[usize], below: &[usize]) -> Position {
    [position, below].concat()
}

/// Where the body of the function of a map, of a reduction or of a loop stands.
pub fn body(at: &[usize]) -> Position {
    join(at, &[BODY])
}

/// The parts of an expression that are no functions, and which children they are.
pub fn outside(e: &Expr) -> Vec<(usize, &Expr)> {
    let children = e.children().into_iter().enumerate();
    match e.as_prim() {
        None => children.collect(),
        Some((_, args)) => {
            let inner: Vec<bool> =
                args.iter().filter(|arg| arg.expr().is_some()).map(|arg| arg.function().is_some()).collect();
            children.filter(|(i, _)| inner.get(*i) != Some(&true)).collect()
        }
    }
}

/// Where the outermost parts of an expression stand for which something holds.
pub fn outermost(e: &Expr, holds: &dyn Fn(&Expr) -> bool) -> Vec<Position> {
    if holds(e) {
        return vec![Position::new()];
    }
    let children = e.children().into_iter().enumerate();
    children.flat_map(|(i, x)| outermost(x, holds).into_iter().map(move |at| join(&[i], &at))).collect()
}

/// Where the parts of an expression stand that are computed once, whatever data are.
pub fn outside_of_functions(e: &Expr) -> Vec<Position> {
    let mut found = vec![Position::new()];
    if matches!(e.kind(), Kind::If(..)) {
        return found;
    }
    for (i, x) in outside(e) {
        found.extend(outside_of_functions(x).into_iter().map(|below| join(&[i], &below)));
    }
    found
}
