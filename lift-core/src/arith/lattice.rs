//! Minimum and maximum: what holds for all values of the variables.
//!
//! Before: two or more canonical expressions. After: their minimum or maximum, where nested operands of the
//! same kind are flattened, operands that a constant decides are gone, and whatever all operands share -
//! a number, a term, a common factor - stands outside. So `a + min(b, c)` and `min(a + b, a + c)` are the
//! same expression.

use std::collections::BTreeMap;

use super::divide::gcd;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};
use super::var::Var;

/// Most operands; beyond that, nested ones are left as they are, and the whole is too large.
const MAX_OPERANDS: usize = 64;

/// Most operands that one operand is replaced by.
const MAX_FLATTENED: usize = 16;

/// Minimum or maximum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    Least,
    Greatest,
}

impl Pick {
    /// The opposite choice.
    pub(super) fn dual(self) -> Pick {
        match self {
            Pick::Least => Pick::Greatest,
            Pick::Greatest => Pick::Least,
        }
    }

    /// The operands, if the atom is a choice of this kind.
    pub(super) fn operands(self, atom: &Atom) -> Option<&[ArithExpr]> {
        match (self, atom) {
            (Pick::Least, Atom::Min(ops)) | (Pick::Greatest, Atom::Max(ops)) => Some(ops),
            _ => None,
        }
    }

    /// The choice among numbers.
    pub(super) fn number(self, a: i128, b: i128) -> i128 {
        match self {
            Pick::Least => a.min(b),
            Pick::Greatest => a.max(b),
        }
    }

    /// The choice among expressions.
    pub(super) fn of(self, operands: Vec<ArithExpr>) -> ArithExpr {
        choice(self, operands)
    }
}

impl ArithExpr {
    /// The smaller of both.
    pub fn min(&self, other: &ArithExpr) -> ArithExpr {
        choice(Pick::Least, vec![self.clone(), other.clone()])
    }

    /// The greater of both.
    pub fn max(&self, other: &ArithExpr) -> ArithExpr {
        choice(Pick::Greatest, vec![self.clone(), other.clone()])
    }
}

impl ArithExpr {
    /// What is clamped, and the end, if this is `max(min(a, b), 0)`; which of both is which, is not known.
    pub fn as_clamp(&self) -> Option<(ArithExpr, ArithExpr)> {
        let greatest = self.choices(Pick::Greatest);
        let [a, b] = greatest.as_slice() else { return None };
        let inner = if b.is_zero() { a } else { a.is_zero().then_some(b)? };
        match inner.choices(Pick::Least).as_slice() {
            [a, b] => Some((a.clone(), b.clone())),
            _ => None,
        }
    }
}

/// What an index is before it is clamped.
#[derive(Debug, Clone, PartialEq)]
pub struct Unclamped {
    /// The index.
    pub index: ArithExpr,
    /// What it is at least afterwards.
    pub least: Vec<ArithExpr>,
    /// What it is at most.
    pub most: Vec<ArithExpr>,
}

impl ArithExpr {
    /// The expression without the bounds that do not depend on a variable, as long as only one side of each does.
    pub fn unclamped(&self, var: &Var) -> Unclamped {
        let mut found = Unclamped { index: self.clone(), least: Vec::new(), most: Vec::new() };
        'all: loop {
            for pick in [Pick::Greatest, Pick::Least] {
                let choices = found.index.choices(pick);
                let (own, bounds): (Vec<_>, Vec<_>) = choices.into_iter().partition(|e| e.contains(var));
                let ([own], false) = (own.as_slice(), bounds.is_empty()) else { continue };
                match pick {
                    Pick::Greatest => found.least.extend(bounds),
                    Pick::Least => found.most.extend(bounds),
                }
                found.index = own.clone();
                continue 'all;
            }
            return found;
        }
    }

    /// Splits `k * pick(a, b) + c` with `k > 0` into `k*a + c` and `k*b + c` (and with the dual choice for
    /// `k < 0`). Anything else, and a sum of several such terms, is one choice.
    pub(super) fn choices(&self, pick: Pick) -> Vec<ArithExpr> {
        let mut found = None;
        for (m, c) in self.terms() {
            let inner = if *c > 0 { pick } else { pick.dual() };
            if let Some(ops) = m.as_atom().and_then(|atom| inner.operands(atom))
                && found.replace((m, *c, ops)).is_some()
            {
                return vec![self.clone()];
            }
        }
        let Some((m, c, ops)) = found else {
            return vec![self.clone()];
        };
        let rest = self - ArithExpr::term(m.clone(), c);
        ops.iter().map(|e| e.scale(c) + &rest).collect()
    }
}

fn choice(pick: Pick, operands: Vec<ArithExpr>) -> ArithExpr {
    let mut flat = Vec::new();
    for operand in operands {
        let choices = operand.choices(pick);
        if choices.len() <= MAX_FLATTENED {
            flat.extend(choices);
        } else {
            flat.push(operand);
        }
    }
    if flat.len() > MAX_OPERANDS || flat.iter().any(ArithExpr::is_too_large) {
        return ArithExpr::too_large();
    }
    let mut kept: Vec<ArithExpr> = Vec::new();
    for operand in flat {
        decide_by_constants(pick, operand, &mut kept);
    }
    if let [only] = kept.as_slice() {
        return only.clone();
    }
    let shared = shared_terms(&kept);
    let mut kept: Vec<ArithExpr> = kept.into_iter().map(|e| e - &shared).collect();
    let content = kept.iter().fold(0, |g, e| gcd(g, e.content()));
    let content = content.max(1);
    kept = kept.iter().filter_map(|e| e.strip(content, &Monomial::unit())).collect();
    kept.sort();
    let atom = match pick {
        Pick::Least => Atom::Min(kept.into()),
        Pick::Greatest => Atom::Max(kept.into()),
    };
    ArithExpr::atom(atom).scale(content) + shared
}

/// Adds an operand, unless one at a constant distance decides between them.
fn decide_by_constants(pick: Pick, operand: ArithExpr, kept: &mut Vec<ArithExpr>) {
    for other in kept.iter_mut() {
        if let Some(distance) = (&operand - &*other).constant() {
            if pick.number(distance, 0) != 0 {
                *other = operand;
            }
            return;
        }
    }
    kept.push(operand);
}

/// For every monomial, the smallest coefficient it has in any operand.
fn shared_terms(operands: &[ArithExpr]) -> ArithExpr {
    let mut least: BTreeMap<Monomial, (i128, usize)> = BTreeMap::new();
    for operand in operands {
        for (m, c) in operand.terms() {
            let slot = least.entry(m.clone()).or_insert((*c, 0));
            *slot = (slot.0.min(*c), slot.1 + 1);
        }
    }
    let everywhere =
        |(m, (c, n)): (Monomial, (i128, usize))| (m, if n == operands.len() { c } else { c.min(0) });
    ArithExpr::from_map(least.into_iter().map(everywhere).collect())
}
