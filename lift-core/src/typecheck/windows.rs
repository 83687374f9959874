//! Windows of arrays that may be shorter than a window: there are none.
//!
//! A kernel is checked first as if each array had a window. Then the lengths of what is made of windows are polynomials, which
//! are compared and shown as such. If it cannot be proved of some array, the kernel is checked again: of `n` elements there are
//! `max(n - size + step, 0) / step` windows. A length that all outputs share, or that the user gives to the result, may still be taken for
//! what it was: where it is below 0, nothing is written, and a launch computes nothing.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Truth, Var};
use crate::bug;
use crate::ir::scheme::{Need, SchemeSize};
use crate::ir::{Boundary, Expr, Kernel, Type};
use crate::typecheck::ty::Solver;

/// What is taken for granted of windows.
#[derive(Debug, Clone)]
pub(super) enum Windows {
    /// Each array has one, or the launch is an error.
    Fit,
    /// An array may be shorter than a window. These lengths, in the kernel's sizes, are not below 0.
    MayLack(Vec<(ArithExpr, Vec<Var>)>),
}

/// The lengths that all outputs share, and that are not known to be at least 0.
pub(super) fn shared_lengths(kernel: &Kernel) -> Vec<(ArithExpr, Vec<Var>)> {
    let facts = kernel.unchecked_facts();
    let leaves = kernel.output_types().into_iter().flat_map(|ty| ty.leaves());
    let mut written = leaves.map(|(dims, _)| dims.iter().map(|n| facts.simplify(n)).collect::<Vec<_>>());
    let mut shared = written.next().unwrap_or_default();
    for dims in written {
        shared.retain(|n| dims.contains(n));
    }
    shared.retain(|n| facts.nonneg(n) == Truth::Unknown);
    shared.into_iter().map(|n| (n, kernel.sizes.clone())).collect()
}

/// Whether `slide` needs this so that there is a window.
pub(super) fn is_first(need: &Need) -> bool {
    matches!(&need.right, SchemeSize::Var(n) if n == "n")
}

/// How many windows there are.
pub(super) fn count(size: &ArithExpr, step: &ArithExpr, n: &ArithExpr) -> ArithExpr {
    ArithExpr::max(&(n - size + step), &ArithExpr::zero()).div(step)
}

/// How many elements are left when as many windows as possible were taken.
pub(super) fn rest(size: &ArithExpr, step: &ArithExpr, n: &ArithExpr) -> ArithExpr {
    ArithExpr::max(&(n - size), &ArithExpr::zero()).modulo(step)
}

/// `slide(size, step, xs)`. What is too short is filled up with elements that nobody reads.
pub(super) fn slide(size: ArithExpr, step: ArithExpr, xs: Expr, solver: &Solver) -> Expr {
    let facts = &solver.facts;
    let n = facts.simplify(&xs.ty().length());
    let is_single = step.as_const() == Some(1);
    let least = if is_single { &size - 1 } else { size.clone() };
    if facts.le(&least, &n).is_yes() {
        return Expr::slide(size, step, xs);
    }
    let needed = facts.simplify(&(count(&size, &step, &n) * &step + &size - &step));
    let longest = facts.simplify(&ArithExpr::max(&needed, &n));
    let element = match xs.ty() {
        Type::Array(element, _) => element.shape().1.clone(),
        ty => bug!("windows of {ty}"),
    };
    let nothing = Boundary::Constant(Expr::zero(&element));
    let filled = Expr::pad(ArithExpr::zero(), &longest - &n, nothing, xs);
    let whole = if needed == longest { filled } else { Expr::take(needed, filled) };
    Expr::slide(size, step, whole)
}

/// The same length in sizes of the same names, if all are among these.
pub(super) fn renamed((n, own): &(ArithExpr, Vec<Var>), sizes: &[Var]) -> Option<ArithExpr> {
    let by_name = |var: &Var| sizes.iter().find(|size| size.name() == var.name());
    let renamed: BTreeMap<Var, ArithExpr> =
        own.iter().filter_map(|var| Some((var.clone(), ArithExpr::var(by_name(var)?)))).collect();
    n.vars().iter().all(|var| renamed.contains_key(var)).then(|| n.substitute(&renamed))
}
