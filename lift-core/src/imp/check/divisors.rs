//! Every divisor in index arithmetic is at least 1 wherever it is evaluated: loops that do not run and arms that are not taken
//! evaluate nothing, and a launch without work-items does not happen. What the host evaluates is evaluated always.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::ast::{Expr, Kernel, Stmt};
use crate::imp::emit::consequences;
use crate::ir::BinaryOp;
use crate::low::Geometry;

/// Whether all of it holds; `Err` says what does not.
pub fn check(kernel: &Kernel) -> Result<(), String> {
    let host = host_sizes(kernel).find_map(|e| unproved(e, &kernel.facts, &[], &BTreeMap::new()));
    if let Some(divisor) = host {
        return Err(format!("{}: a size of a launch divides by {divisor}, which may be 0", kernel.name));
    }
    let strides = kernel.strides.iter().cloned().collect();
    let items = match &kernel.geometry {
        Geometry::Items(items) | Geometry::Shaped { items, .. } => items,
        Geometry::Groups { groups, .. } => groups,
    };
    let mut checker = Checker { facts: &kernel.facts, strides, known: Vec::new() };
    checker.known.extend(items.iter().map(|n| n - 1));
    checker.block(&kernel.body).map_err(|divisor| {
        format!("{}: an index is divided by {divisor}, which may be 0 where that is done", kernel.name)
    })
}

/// Whether sizes that the host evaluates divide by what is at least 1.
pub fn check_sizes<'a>(sizes: impl IntoIterator<Item = &'a ArithExpr>, facts: &Facts) -> Result<(), String> {
    match sizes.into_iter().find_map(|e| unproved(e, facts, &[], &BTreeMap::new())) {
        Some(divisor) => Err(format!("a size divides by {divisor}, which may be 0")),
        None => Ok(()),
    }
}

fn host_sizes(kernel: &Kernel) -> impl Iterator<Item = &ArithExpr> {
    let (extents, local): (&[ArithExpr], &[ArithExpr]) = match &kernel.geometry {
        Geometry::Items(items) => (items, &[]),
        Geometry::Shaped { items, local } | Geometry::Groups { groups: items, local } => (items, local),
    };
    let sites = kernel.sites.iter().map(|site| &site.len);
    extents.iter().chain(local).chain([&kernel.local_bytes]).chain(sites)
}

/// A divisor in it that may be 0, where so much more is known not to be negative: one that is not proved to be at least 1, and is
/// not for some small values of its variables.
fn unproved(
    e: &ArithExpr,
    facts: &Facts,
    known: &[ArithExpr],
    strides: &BTreeMap<Var, ArithExpr>,
) -> Option<ArithExpr> {
    let positive = |facts: &Facts, divisor: &ArithExpr| facts.nonneg(&(divisor - 1)).is_yes();
    let mut divisors = e.divisors().into_iter().map(|divisor| divisor.substitute(strides));
    divisors.find(|divisor| {
        if positive(facts, divisor) {
            return false;
        }
        let mut here = facts.clone();
        known.iter().for_each(|e| here.assume_nonneg(e.clone()));
        !positive(&here, divisor) && is_refuted(divisor, facts, known)
    })
}

/// Small values of variables are less than this, and so many variables have them at once.
const SMALL: usize = 5;
const MOST_VARIABLES: u32 = 3;

/// Whether a divisor is less than 1 for small values of its variables that contradict nothing that is known.
fn is_refuted(divisor: &ArithExpr, facts: &Facts, known: &[ArithExpr]) -> bool {
    let vars: Vec<Var> = divisor.vars().into_iter().collect();
    let count = SMALL.pow(MOST_VARIABLES.min(vars.len() as u32));
    (0..count).any(|number| {
        let value = |var: &Var| {
            let place = vars.iter().position(|other| other == var)? as u32 % MOST_VARIABLES;
            i128::try_from(number / SMALL.pow(place) % SMALL).ok()
        };
        if divisor.eval(&value).is_none_or(|divisor| divisor >= 1) {
            return false;
        }
        let mut here = facts.clone();
        for var in &vars {
            let (var, value) = (ArithExpr::var(var), value(var).unwrap_or(0) as i64);
            if facts.eq(&var, &value.into()).is_no() {
                return false;
            }
            here.assume_eq(var, value.into());
        }
        // Variables that do not stand here may be those of loops that do not run.
        !known.iter().any(|e| here.nonneg(e).is_no())
    })
}

struct Checker<'a> {
    facts: &'a Facts,
    strides: BTreeMap<Var, ArithExpr>,
    /// What is not negative here, besides.
    known: Vec<ArithExpr>,
}

/// A divisor that may be 0.
type Fault = ArithExpr;

impl Checker<'_> {
    fn block(&mut self, stmts: &[Stmt]) -> Result<(), Fault> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Fault> {
        stmt.indices().into_iter().try_for_each(|e| self.index(e))?;
        stmt.expr().map_or(Ok(()), |e| self.expr(e))?;
        match stmt {
            Stmt::If(cond, then, otherwise) => {
                self.given(cond, true, |checker| checker.block(then))?;
                self.given(cond, false, |checker| checker.block(otherwise))
            }
            Stmt::For { start, bound, body, .. } => {
                self.assuming(vec![bound - start - 1], |checker| checker.block(body))
            }
            Stmt::Repeat { count, body, .. } => {
                let some = match count {
                    Expr::Index(count) => vec![count - 1],
                    _ => Vec::new(),
                };
                self.assuming(some, |checker| checker.block(body))
            }
            Stmt::Index(..)
            | Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Array(_)
            | Stmt::Store(..)
            | Stmt::Atomic(..)
            | Stmt::Leave(_)
            | Stmt::Claim(_)
            | Stmt::Barrier => Ok(()),
        }
    }

    /// Of what one lane chooses, or a condition decides, only what is needed is evaluated.
    fn expr(&mut self, e: &Expr) -> Result<(), Fault> {
        match e {
            Expr::Select(cond, a, b) if cond.lanes() == 1 => {
                self.expr(cond)?;
                self.given(cond, true, |checker| checker.expr(a))?;
                self.given(cond, false, |checker| checker.expr(b))
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, a, b) if a.lanes() == 1 => {
                self.expr(a)?;
                self.given(a, *op == BinaryOp::And, |checker| checker.expr(b))
            }
            e => {
                e.indices().try_for_each(|index| self.index(index))?;
                e.operands().try_for_each(|x| self.expr(x))
            }
        }
    }

    fn index(&self, e: &ArithExpr) -> Result<(), Fault> {
        if !e.has_division() {
            return Ok(());
        }
        unproved(e, self.facts, &self.known, &self.strides).map_or(Ok(()), Err)
    }

    fn given<T>(&mut self, cond: &Expr, value: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        let known = consequences(cond, value, self.facts);
        self.assuming(known, f)
    }

    fn assuming<T>(&mut self, known: Vec<ArithExpr>, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.len();
        self.known.extend(known);
        let result = f(self);
        self.known.truncate(before);
        result
    }
}
