//! Weights that may differ a little, because the user says so.
//!
//! Before: a kernel with `#[approximate(..)]`. After, if a sum of many elements has constant weights that are nearly a short sum of products of
//! those of a row and a column: the kernel with these products instead. All versions compute the same, and some of them in
//! two passes.

use crate::explore::factored::{by_row, constants};
use crate::ir::{Expr, Kernel};
use crate::machine::windows::FEW_POINTS;
use crate::rewrite::rules::low_rank;
use crate::rewrite::rules::reduction::as_reduce;
use crate::rewrite::{Derivation, Strategy, Trace, normal};

/// The kernel with other weights, and how it came about.
pub fn approximated(kernel: &Kernel) -> Option<(Kernel, Trace)> {
    let tolerance = kernel.options.tolerance?;
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    constants(&mut derivation);
    let mut done = false;
    let body = within(derivation.expr(), &mut |e| {
        let new = sum(e, &derivation, tolerance)?;
        done = true;
        Some(new)
    });
    if !done {
        return None;
    }
    derivation.replace(&low_rank::APPROXIMATE, &body);
    normal::strategy(Strategy::once).apply(&mut derivation);
    let (body, _, trace) = derivation.finish();
    Some((Kernel { body, ..kernel.clone() }, trace))
}

/// Replaces parts, the outermost first.
fn within(e: &Expr, by: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
    by(e).unwrap_or_else(|| e.map_children(&mut |x| within(x, by)))
}

/// A weighted sum with other weights.
fn sum(e: &Expr, derivation: &Derivation, tolerance: f64) -> Option<Expr> {
    as_reduce(e)?;
    let mut sum = Derivation::new(e, derivation.facts());
    by_row(&mut sum, &[]);
    low_rank::approximated(sum.expr(), tolerance, FEW_POINTS.unsigned_abs() as usize)
}
