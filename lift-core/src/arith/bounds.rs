//! Symbolic bounds of expressions.
//!
//! Before: a simplified inner expression. After: an expression which is never greater and which mentions
//! only variables without an upper bound, as far as the facts allow to say so. An upper bound is the
//! negative of a lower bound of the negative.

use super::facts::Facts;
use super::lattice::Pick;
use super::limits::{BOUND_STEPS, PROOF_DEPTH};
use super::poly::{ArithExpr, Atom};
use super::prove::Prover;

impl Facts {
    /// An inner lower bound of an inner expression.
    pub(super) fn bound_below(&self, e: &ArithExpr) -> Option<ArithExpr> {
        let prover = Prover::new(self);
        Bounder { facts: self, prover, budget: BOUND_STEPS, steps: PROOF_DEPTH * 4 }.below(e)
    }

    /// Is nothing in the expression known to have an upper bound?
    fn over_sizes(&self, e: &ArithExpr) -> bool {
        e.vars().iter().all(|v| self.upper(v).is_empty())
    }
}

struct Bounder<'a> {
    facts: &'a Facts,
    prover: Prover<'a>,
    budget: u32,
    steps: u32,
}

impl Bounder<'_> {
    fn proves(&mut self, e: &ArithExpr) -> bool {
        self.prover.proves_within(e, &mut self.budget)
    }

    fn below(&mut self, e: &ArithExpr) -> Option<ArithExpr> {
        if e.is_too_large() || self.steps == 0 {
            return None;
        }
        self.steps -= 1;
        let open: ArithExpr =
            e.atoms().into_iter().map(ArithExpr::atom).filter(|a| !self.facts.over_sizes(a)).sum();
        let Some(atom) = self.facts.outermost(&open) else {
            return Some(e.clone());
        };
        let parts = e.coefficients(&atom);
        let [rest, c] = parts.as_slice() else {
            return self.facts.range(e).lo.map(ArithExpr::int);
        };
        let from_below = self.proves(c);
        let from_above = !from_below && self.proves(&-c);
        let symbolic = match &atom {
            Atom::Var(v) => {
                let ends = match (from_below, from_above) {
                    (true, _) => self.facts.lower(v),
                    (_, true) => self.facts.upper(v),
                    _ => &[],
                };
                ends.iter().find_map(|end| self.below(&(c * end + rest)))
            }
            Atom::Mod(_, d) if from_above => self.below(&(c * (d - 1) + rest)),
            Atom::Mod(..) if from_below => self.below(rest),
            Atom::Div(a, d) if from_below => {
                self.quotient_below(a, d).and_then(|q| self.below(&(c * q + rest)))
            }
            Atom::Div(a, d) if from_above => {
                self.quotient_above(a, d).and_then(|q| self.below(&(c * q + rest)))
            }
            Atom::Min(ops) if from_below => self.all_below(ops, c, rest),
            Atom::Max(ops) if from_above => self.all_below(ops, c, rest),
            Atom::Min(ops) | Atom::Max(ops) if from_below || from_above => {
                ops.iter().find_map(|op| self.below(&(c * op + rest)))
            }
            _ => None,
        };
        symbolic.or_else(|| self.facts.range(e).lo.map(ArithExpr::int))
    }

    fn all_below(&mut self, ops: &[ArithExpr], c: &ArithExpr, rest: &ArithExpr) -> Option<ArithExpr> {
        let ends: Option<Vec<_>> = ops.iter().map(|op| self.below(&(c * op + rest))).collect();
        ends.map(|ends| Pick::Least.of(ends))
    }

    /// Something over sizes that is at most `a / d`.
    fn quotient_below(&mut self, a: &ArithExpr, d: &ArithExpr) -> Option<ArithExpr> {
        if self.facts.over_sizes(d) {
            return self.below(a).map(|end| end.div(d));
        }
        // A divisor of at least 1 brings the quotient nearer to 0.
        if self.proves(a) {
            Some(ArithExpr::zero())
        } else {
            self.below(a).map(|end| ArithExpr::min(&end, &ArithExpr::zero()))
        }
    }

    /// Something over sizes that is at least `a / d`.
    fn quotient_above(&mut self, a: &ArithExpr, d: &ArithExpr) -> Option<ArithExpr> {
        if self.facts.over_sizes(d) {
            return self.below(&-a).map(|end| (-end).div(d));
        }
        let end = -self.below(&-a)?;
        Some(if self.proves(a) { end } else { ArithExpr::max(&end, &ArithExpr::zero()) })
    }
}
