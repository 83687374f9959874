//! Proofs of `e >= 0`.
//!
//! Before: an inner expression and the facts. After: "yes", which is certain, or "no proof", which says
//! nothing.
//!
//! The method removes one atom after the other, each by one of its bounds, until a number is left. The atom
//! is one that no other atom depends on: first the most deeply nested divisions and clamps, then the
//! variables, last declared first - their bounds mention earlier ones only, so this ends. In
//! `e = c*x + r` the sign of `c`, itself a proof, says which bound of `x` is the worst case; where that sign
//! is not known, `e` is still smallest at one of the two ends. If that fails, known facts are subtracted.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::lattice::Pick;
use super::limits::{PROOF_DEPTH, PROOF_STEPS};
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};

/// How many facts one proof may combine.
const MAX_COMBINED: u32 = 2;

/// Up to which depth of a proof the cases of a minimum or maximum are told apart.
const CASES_DEPTH: u32 = 6;

/// A search for proofs; it remembers what it has found.
pub(super) struct Prover<'a> {
    facts: &'a Facts,
    steps: u32,
    proven: BTreeMap<ArithExpr, bool>,
    /// What holds in the case under consideration.
    cases: Vec<ArithExpr>,
    combined: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    NonNegative,
    NonPositive,
    Unknown,
}

impl<'a> Prover<'a> {
    pub(super) fn new(facts: &'a Facts) -> Prover<'a> {
        Prover { facts, steps: 0, proven: BTreeMap::new(), cases: Vec::new(), combined: 0 }
    }

    /// Is `e >= 0` for all values of the variables?
    pub(super) fn proves(&mut self, e: &ArithExpr) -> bool {
        let mut budget = PROOF_STEPS;
        self.proves_within(e, &mut budget)
    }

    /// The same with a budget of steps that is shared with other proofs.
    pub(super) fn proves_within(&mut self, e: &ArithExpr, budget: &mut u32) -> bool {
        let steps = PROOF_STEPS.min(*budget);
        self.steps = steps;
        let answer = self.nonneg(e, 0);
        *budget = budget.saturating_sub(steps - self.steps);
        answer
    }

    fn nonneg(&mut self, e: &ArithExpr, depth: u32) -> bool {
        if let Some(value) = e.constant() {
            return value >= 0;
        }
        if self.steps == 0 || depth > PROOF_DEPTH || e.is_too_large() {
            return false;
        }
        self.steps -= 1;
        let e = e.tightened();
        let range = self.facts.range(&e);
        if range.lo.is_some_and(|lo| lo >= 0) {
            return true;
        }
        if range.hi.is_some_and(|hi| hi < 0) {
            return false;
        }
        let general = self.cases.is_empty() && self.combined == 0;
        if general && let Some(known) = self.proven.get(&e) {
            return *known;
        }
        let answer = self.by_elimination(&e, depth) || self.by_facts(&e, depth);
        if general && (answer || self.steps > 0) {
            self.proven.insert(e, answer);
        }
        answer
    }

    fn sign(&mut self, e: &ArithExpr, depth: u32) -> Sign {
        match e.constant() {
            Some(c) if c >= 0 => Sign::NonNegative,
            Some(_) => Sign::NonPositive,
            None if self.nonneg(e, depth + 1) => Sign::NonNegative,
            None if self.nonneg(&-e, depth + 1) => Sign::NonPositive,
            None => Sign::Unknown,
        }
    }

    fn by_elimination(&mut self, e: &ArithExpr, depth: u32) -> bool {
        let Some(atom) = self.facts.outermost(e) else {
            return false;
        };
        let parts = e.coefficients(&atom);
        match (&atom, parts.as_slice()) {
            (Atom::Min(ops), [rest, c]) => self.by_choice(Pick::Least, ops, c, rest, depth),
            (Atom::Max(ops), [rest, c]) => self.by_choice(Pick::Greatest, ops, c, rest, depth),
            (Atom::Div(a, d), [rest, c]) if self.by_quotient(a, d, c, rest, depth) => true,
            _ => {
                let (lower, upper) = self.bounds(&atom, depth);
                self.by_bounds(&parts, &lower, &upper, depth)
            }
        }
    }

    /// Bounds from below and from above, the most promising first.
    fn bounds(&mut self, atom: &Atom, depth: u32) -> (Vec<ArithExpr>, Vec<ArithExpr>) {
        let int = |value: Option<i128>| value.map(ArithExpr::int).into_iter();
        match atom {
            Atom::Var(v) => (self.facts.lower(v).to_vec(), self.facts.upper(v).to_vec()),
            Atom::Mod(a, d) => {
                let mut upper = vec![d - 1];
                if self.nonneg(a, depth + 1) {
                    upper.push(a.clone());
                }
                (vec![ArithExpr::zero()], upper)
            }
            Atom::Div(a, _) => {
                let range = self.facts.range(&ArithExpr::atom(atom.clone()));
                let mut lower: Vec<ArithExpr> = int(range.lo).collect();
                let mut upper: Vec<ArithExpr> = int(range.hi).collect();
                if self.nonneg(a, depth + 1) {
                    lower.push(ArithExpr::zero());
                    upper.push(a.clone());
                } else if self.nonneg(&(-a - 1), depth + 1) {
                    upper.push(ArithExpr::int(-1));
                    lower.push(a.clone());
                }
                (lower, upper)
            }
            Atom::Min(ops) => {
                (int(self.facts.range(&ArithExpr::atom(atom.clone())).lo).collect(), ops.to_vec())
            }
            Atom::Max(ops) => {
                (ops.to_vec(), int(self.facts.range(&ArithExpr::atom(atom.clone())).hi).collect())
            }
            Atom::TooLarge => (Vec::new(), Vec::new()),
        }
    }

    /// `e` is a polynomial in an atom, given by its coefficients. Puts in the bounds of the atom.
    fn by_bounds(
        &mut self,
        parts: &[ArithExpr],
        lower: &[ArithExpr],
        upper: &[ArithExpr],
        depth: u32,
    ) -> bool {
        let at = |x: &ArithExpr| parts.iter().rev().fold(ArithExpr::zero(), |sum, part| sum * x + part);
        if let [_, c] = parts {
            return match self.sign(c, depth) {
                Sign::NonNegative => lower.iter().any(|x| self.nonneg(&at(x), depth + 1)),
                Sign::NonPositive => upper.iter().any(|x| self.nonneg(&at(x), depth + 1)),
                Sign::Unknown => {
                    lower.iter().any(|x| self.nonneg(&at(x), depth + 1))
                        && upper.iter().any(|x| self.nonneg(&at(x), depth + 1))
                }
            };
        }
        // In `t = x - lower` or `t = upper - x`, where t >= 0: enough if no coefficient is negative.
        let ends = lower.iter().map(|x| (x, 1)).chain(upper.iter().map(|x| (x, -1)));
        for (end, direction) in ends {
            let shifted = shift(parts, end, direction);
            if shifted.iter().rev().all(|part| self.nonneg(part, depth + 1)) {
                return true;
            }
        }
        false
    }

    /// `c * pick(ops) + rest >= 0`.
    fn by_choice(
        &mut self,
        pick: Pick,
        ops: &[ArithExpr],
        c: &ArithExpr,
        rest: &ArithExpr,
        depth: u32,
    ) -> bool {
        let one_is_enough = match pick {
            Pick::Least => Sign::NonPositive,
            Pick::Greatest => Sign::NonNegative,
        };
        if self.sign(c, depth) == one_is_enough
            && ops.iter().any(|op| self.nonneg(&(c * op + rest), depth + 1))
        {
            return true;
        }
        if ops.iter().all(|op| self.nonneg(&(c * op + rest), depth + 1)) {
            return true;
        }
        depth <= CASES_DEPTH
            && ops.iter().all(|op| self.nonneg_in_case(pick, ops, op, &(c * op + rest), depth))
    }

    /// The proof for the case that `op` is the one chosen.
    fn nonneg_in_case(
        &mut self,
        pick: Pick,
        ops: &[ArithExpr],
        op: &ArithExpr,
        e: &ArithExpr,
        depth: u32,
    ) -> bool {
        let before = self.cases.len();
        self.cases.extend(ops.iter().filter(|other| *other != op).map(|other| match pick {
            Pick::Least => other - op,
            Pick::Greatest => op - other,
        }));
        let answer = self.nonneg(e, depth + 1);
        self.cases.truncate(before);
        answer
    }

    /// `c * (a / d) + rest >= 0`, by `a - d + 1 <= d * (a / d) <= a`.
    fn by_quotient(
        &mut self,
        a: &ArithExpr,
        d: &ArithExpr,
        c: &ArithExpr,
        rest: &ArithExpr,
        depth: u32,
    ) -> bool {
        let multiple = match self.sign(c, depth) {
            Sign::NonNegative => a - d + 1,
            Sign::NonPositive => a.clone(),
            Sign::Unknown => return false,
        };
        match c.exact_div(d) {
            Some(times) => self.nonneg(&(times * multiple + rest), depth + 1),
            // d * e > -d is enough, as e is an integer.
            None => self.nonneg(&(c * multiple + rest * d + d - 1), depth + 1),
        }
    }

    /// `e = (e - m*f) + m*f`, where `f >= 0` is known and `m` is a non-negative term chosen such that a term
    /// of `e` cancels.
    fn by_facts(&mut self, e: &ArithExpr, depth: u32) -> bool {
        if self.combined >= MAX_COMBINED {
            return false;
        }
        let known = self.facts.known_nonneg().iter().chain(&self.cases).cloned().collect::<Vec<_>>();
        let mut tried: Vec<ArithExpr> = Vec::new();
        for fact in &known {
            for (m, c) in e.terms().iter().rev().filter(|(m, _)| !m.is_unit()) {
                for (n, d) in fact.terms().iter().filter(|(n, _)| !n.is_unit()) {
                    let Some(times) = quotient(m, *c, n, *d) else {
                        continue;
                    };
                    let less = e - &times * fact;
                    if tried.contains(&less) || !self.nonneg(&times, depth + 1) {
                        continue;
                    }
                    tried.push(less.clone());
                    self.combined += 1;
                    let answer = self.nonneg(&less, depth + 1);
                    self.combined -= 1;
                    if answer {
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl Facts {
    /// An atom of the polynomial that none of its other atoms depends on.
    pub(super) fn outermost(&self, e: &ArithExpr) -> Option<Atom> {
        e.atoms().into_iter().max_by(|a, b| {
            let rank = |atom: &Atom| match atom {
                Atom::Var(v) => self.rank(v),
                Atom::Div(..) | Atom::Mod(..) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => None,
            };
            a.depth().cmp(&b.depth()).then(rank(a).cmp(&rank(b)))
        })
    }
}

/// The positive term `t` with `t * d*n = c*m`, if there is one.
fn quotient(m: &Monomial, c: i128, n: &Monomial, d: i128) -> Option<ArithExpr> {
    let cofactor = m.divide(n)?;
    let whole = c.checked_rem(d)? == 0 && (c > 0) == (d > 0);
    whole.then(|| ArithExpr::term(cofactor, c / d))
}

/// The coefficients of the polynomial in `t` for `x = end + direction * t`.
fn shift(parts: &[ArithExpr], end: &ArithExpr, direction: i128) -> Vec<ArithExpr> {
    let mut out: Vec<ArithExpr> = Vec::new();
    for part in parts.iter().rev() {
        // out * (end + direction * t) + part
        let mut next = vec![part.clone()];
        next.resize(out.len() + 1, ArithExpr::zero());
        for (i, coefficient) in out.iter().enumerate() {
            next[i] = &next[i] + coefficient * end;
            next[i + 1] = &next[i + 1] + coefficient.scale(direction);
        }
        out = next;
    }
    out
}
