//! The simplifier: bottom-up rewriting under the facts.
//!
//! Before: an inner expression in canonical form. After: an equal one to which no rewrite of `rewrite`
//! applies any more - or the best found when the steps are used up. Operands are simplified before the atom
//! around them; a term that has changed is simplified again.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::lattice::Pick;
use super::limits::{SIMPLIFY_ROUNDS, SIMPLIFY_STEPS};
use super::poly::{ArithExpr, Atom};
use super::prove::Prover;

/// One simplification, with what it has found so far.
pub(super) struct Simplifier<'a> {
    pub(super) facts: &'a Facts,
    prover: Prover<'a>,
    budget: u32,
    known: BTreeMap<ArithExpr, ArithExpr>,
}

impl<'a> Simplifier<'a> {
    pub(super) fn new(facts: &'a Facts) -> Simplifier<'a> {
        Simplifier { facts, prover: Prover::new(facts), budget: SIMPLIFY_STEPS, known: BTreeMap::new() }
    }

    /// An equal, simpler expression.
    pub(super) fn simplify(&mut self, e: &ArithExpr) -> ArithExpr {
        let simple = self.expr(e, SIMPLIFY_ROUNDS);
        // A value out of the limits is worse than any expression.
        if simple.is_too_large() { e.clone() } else { simple }
    }

    /// Is `e >= 0`?
    pub(super) fn proves(&mut self, e: &ArithExpr) -> bool {
        self.prover.proves_within(e, &mut self.budget)
    }

    /// Is `a <= b`?
    pub(super) fn proves_le(&mut self, a: &ArithExpr, b: &ArithExpr) -> bool {
        self.proves(&(b - a))
    }

    /// Simplifies within another simplification.
    pub(super) fn expr(&mut self, e: &ArithExpr, rounds: u32) -> ArithExpr {
        if e.depth() == 0 || rounds == 0 {
            return e.clone();
        }
        if let Some(known) = self.known.get(e) {
            return known.clone();
        }
        let mut current = e.clone();
        for _ in 0..rounds {
            let inside = current.map_atoms(&mut |atom| self.atom(atom, rounds - 1));
            let next = self.recombine(&inside);
            if next.is_too_large() || next == current {
                break;
            }
            current = next;
        }
        self.known.insert(e.clone(), current.clone());
        self.known.insert(current.clone(), current.clone());
        current
    }

    fn atom(&mut self, atom: &Atom, rounds: u32) -> Option<ArithExpr> {
        if let Atom::Var(_) = atom {
            return None;
        }
        // The same atoms occur in the indices of neighbours.
        if let Some(known) = self.facts.known_atom(atom) {
            return Some(known);
        }
        let simple = self.simple_atom(atom, rounds);
        if rounds + 1 == SIMPLIFY_ROUNDS && self.budget > 0 {
            self.facts.remember_atom(atom, &simple);
        }
        Some(simple)
    }

    fn simple_atom(&mut self, atom: &Atom, rounds: u32) -> ArithExpr {
        let rebuilt = atom.rebuild(&mut |e| self.expr(e, rounds));
        let rebuilt = rebuilt.unwrap_or_else(|| ArithExpr::atom(atom.clone()));
        if rebuilt.is_too_large() {
            return ArithExpr::atom(atom.clone());
        }
        // The constructors may have turned it into something else, around one atom of the same kind or not.
        rebuilt.map_atoms(&mut |inner| match self.rewritten(inner, rounds) {
            Some(new) if !new.is_too_large() => Some(self.expr(&new, rounds)),
            _ => None,
        })
    }

    fn rewritten(&mut self, atom: &Atom, rounds: u32) -> Option<ArithExpr> {
        match atom {
            Atom::Div(a, d) => self.quotient(a, d, rounds),
            Atom::Mod(a, d) => self.remainder(a, d, rounds),
            Atom::Min(ops) => self.choice(Pick::Least, ops),
            Atom::Max(ops) => self.choice(Pick::Greatest, ops),
            Atom::Var(_) | Atom::TooLarge => None,
        }
    }
}
