//! Interval arithmetic: quick numeric bounds.
//!
//! Before: an inner expression and the numeric ranges of its variables. After: numbers between which its
//! value lies. Much weaker than a proof, and much cheaper.

use super::divide::floor_div;
use super::facts::Facts;
use super::lattice::Pick;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};

/// Inclusive bounds; `None` for no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) lo: Option<i128>,
    pub(super) hi: Option<i128>,
}

impl Range {
    /// Nothing known.
    pub(super) const ALL: Range = Range { lo: None, hi: None };

    fn exactly(value: i128) -> Range {
        Range { lo: Some(value), hi: Some(value) }
    }

    fn is_nonneg(self) -> bool {
        self.lo.is_some_and(|lo| lo >= 0)
    }

    /// Is there no such number? That is so where facts contradict each other.
    pub(super) fn is_empty(self) -> bool {
        self.lo.zip(self.hi).is_some_and(|(lo, hi)| lo > hi)
    }

    fn add(self, other: Range) -> Range {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Range { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }

    fn neg(self) -> Range {
        let neg = |a: Option<i128>| a?.checked_neg();
        Range { lo: neg(self.hi), hi: neg(self.lo) }
    }

    fn mul(self, other: Range) -> Range {
        let times = |a: Option<i128>, b: Option<i128>| a?.checked_mul(b?);
        if self == Range::exactly(0) || other == Range::exactly(0) {
            return Range::exactly(0);
        }
        if self.is_empty() || other.is_empty() {
            return Range::ALL;
        }
        if self.is_nonneg() && other.is_nonneg() {
            return Range { lo: times(self.lo, other.lo), hi: times(self.hi, other.hi) };
        }
        if self.hi.is_some_and(|hi| hi <= 0) {
            return self.neg().mul(other).neg();
        }
        if other.hi.is_some_and(|hi| hi <= 0) {
            return self.mul(other.neg()).neg();
        }
        if self.is_nonneg() {
            // other.lo < 0 < other.hi
            return Range { lo: times(self.hi, other.lo), hi: times(self.hi, other.hi) };
        }
        if other.is_nonneg() {
            return other.mul(self);
        }
        let corners = [
            times(self.lo, other.lo),
            times(self.lo, other.hi),
            times(self.hi, other.lo),
            times(self.hi, other.hi),
        ];
        match corners.into_iter().collect::<Option<Vec<_>>>() {
            Some(corners) => Range { lo: corners.iter().min().copied(), hi: corners.iter().max().copied() },
            None => Range::ALL,
        }
    }

    fn power(self, exponent: u32) -> Range {
        let mut out = Range::exactly(1);
        for _ in 0..exponent {
            out = out.mul(self);
        }
        if exponent.is_multiple_of(2) {
            out.lo = Some(out.lo.map_or(0, |lo| lo.max(0)));
        }
        out
    }

    fn floor_div(self, divisor: Range) -> Range {
        // The divisor is at least 1.
        let (least, greatest) = (divisor.lo.unwrap_or(1).max(1), divisor.hi.filter(|hi| *hi >= 1));
        let lo = self.lo.and_then(|a| match (a >= 0, greatest) {
            (true, Some(d)) => floor_div(a, d),
            (true, None) => Some(0),
            (false, _) => floor_div(a, least),
        });
        let hi = self.hi.and_then(|a| match (a < 0, greatest) {
            (true, Some(d)) => floor_div(a, d),
            (true, None) => Some(-1),
            (false, _) => floor_div(a, least),
        });
        Range { lo, hi }
    }

    fn modulo(self, divisor: Range) -> Range {
        let least = divisor.lo.unwrap_or(1).max(1);
        if self.is_nonneg() && self.hi.is_some_and(|hi| hi < least) {
            return self;
        }
        let mut hi = divisor.hi.filter(|hi| *hi >= 1).map(|hi| hi - 1);
        if self.is_nonneg() {
            hi = Pick::Least.limit(hi, self.hi);
        }
        Range { lo: Some(0), hi }
    }
}

impl Pick {
    /// The tighter of two upper (or lower) limits.
    fn limit(self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.number(a, b)),
            (one, None) | (None, one) => one,
        }
    }

    /// The choice if both are known.
    fn both(self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        Some(self.number(a?, b?))
    }
}

impl Facts {
    /// Numeric bounds of an inner expression.
    pub(super) fn range(&self, e: &ArithExpr) -> Range {
        let mut sum = Range::exactly(0);
        for (m, c) in e.terms() {
            let mut product = Range::exactly(*c);
            for (atom, n) in m.factors() {
                product = self.atom_range(atom).power(*n).mul(product);
            }
            sum = sum.add(product);
            if sum == Range::ALL {
                break;
            }
        }
        sum
    }

    fn atom_range(&self, atom: &Atom) -> Range {
        let all = |ops: &[ArithExpr], lo: &dyn Fn(Range, Range) -> Range| {
            ops.iter().map(|e| self.range(e)).reduce(lo).unwrap_or(Range::ALL)
        };
        match atom {
            Atom::Var(v) => self.var_range(v),
            Atom::Div(a, b) => self.range(a).floor_div(self.range(b)),
            Atom::Mod(a, b) => self.range(a).modulo(self.range(b)),
            Atom::Min(ops) => all(ops, &|a, b| Range {
                lo: Pick::Least.both(a.lo, b.lo),
                hi: Pick::Least.limit(a.hi, b.hi),
            }),
            Atom::Max(ops) => all(ops, &|a, b| Range {
                lo: Pick::Greatest.limit(a.lo, b.lo),
                hi: Pick::Greatest.both(a.hi, b.hi),
            }),
            Atom::TooLarge => Range::ALL,
        }
    }
}

impl ArithExpr {
    /// For use as `.. >= 0` only: without the common factor, the constant rounded down.
    pub(super) fn tightened(&self) -> ArithExpr {
        let g = self.content_of_variables();
        if g <= 1 {
            return self.clone();
        }
        let variables = self.without_constant().strip(g, &Monomial::unit());
        match (variables, floor_div(self.constant_term(), g)) {
            (Some(variables), Some(constant)) => variables + ArithExpr::int(constant),
            _ => self.clone(),
        }
    }
}
