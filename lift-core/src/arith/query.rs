//! Reading, evaluating and rebuilding expressions.
//!
//! Nothing here knows of ranges; substitution rebuilds through the smart constructors, so its result is
//! canonical again.

use std::collections::{BTreeMap, BTreeSet};

use super::divide::{floor_div, floor_mod};
use super::lattice::Pick;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};
use super::summary::{CHOICE, DIVISION};
use super::var::Var;

impl ArithExpr {
    /// All variables, also those inside divisions and clamps.
    pub fn vars(&self) -> BTreeSet<Var> {
        let mut out = BTreeSet::new();
        self.collect_vars(&mut out);
        out
    }

    /// Adds all variables to a set.
    pub(super) fn collect_vars(&self, out: &mut BTreeSet<Var>) {
        for (m, _) in self.terms() {
            for (atom, _) in m.factors() {
                match atom {
                    Atom::Var(v) => {
                        out.insert(v.clone());
                    }
                    Atom::Div(..) | Atom::Mod(..) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => {
                        atom.operands().for_each(|e| e.collect_vars(out));
                    }
                }
            }
        }
    }

    /// Does the variable occur anywhere?
    pub fn contains(&self, var: &Var) -> bool {
        self.summary().may_have(var) && self.any_atom(&mut |atom| matches!(atom, Atom::Var(v) if v == var))
    }

    /// Is there a division or a remainder left?
    pub fn has_division(&self) -> bool {
        self.summary().kinds & DIVISION != 0
    }

    /// Is there a division or a remainder of something with such a variable?
    pub fn divides(&self, is: &dyn Fn(&Var) -> bool) -> bool {
        self.has_division()
            && self.any_atom(&mut |atom| match atom {
                Atom::Div(a, b) | Atom::Mod(a, b) => [a, b].into_iter().any(|e| e.vars().iter().any(is)),
                Atom::Var(_) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => false,
            })
    }

    /// All by which something is divided, or of which it is a remainder, but for the numbers from 1 on.
    pub fn divisors(&self) -> Vec<ArithExpr> {
        let mut found = Vec::new();
        if self.has_division() {
            self.any_atom(&mut |atom| {
                if let Atom::Div(_, b) | Atom::Mod(_, b) = atom
                    && b.as_const().is_none_or(|b| b < 1)
                    && !found.contains(b)
                {
                    found.push(b.clone());
                }
                false
            });
        }
        found
    }

    /// All that is divided, or of which there is a remainder.
    pub fn dividends(&self) -> Vec<ArithExpr> {
        let mut found = Vec::new();
        if self.has_division() {
            self.any_atom(&mut |atom| {
                if let Atom::Div(a, _) | Atom::Mod(a, _) = atom
                    && !found.contains(a)
                {
                    found.push(a.clone());
                }
                false
            });
        }
        found
    }

    /// All that is divided, or of which there is a remainder, and by what.
    pub fn quotients(&self) -> Vec<(ArithExpr, ArithExpr)> {
        let mut found = Vec::new();
        if self.has_division() {
            self.any_atom(&mut |atom| {
                if let Atom::Div(a, b) | Atom::Mod(a, b) = atom {
                    found.push((a.clone(), b.clone()));
                }
                false
            });
        }
        found
    }

    /// Whether something is divided by, or is a remainder of, anything but a number of which this holds.
    pub fn divides_by(&self, is: &dyn Fn(&ArithExpr) -> bool) -> bool {
        self.has_division()
            && self.any_atom(&mut |atom| match atom {
                Atom::Div(_, b) | Atom::Mod(_, b) => b.as_const().is_none() && is(b),
                Atom::Var(_) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => false,
            })
    }

    /// Is there a minimum or a maximum?
    pub fn has_choice(&self) -> bool {
        self.summary().kinds & CHOICE != 0
    }

    /// Is this a polynomial in its variables: no rounding, remainder, minimum or maximum?
    pub fn is_polynomial(&self) -> bool {
        self.summary().kinds == 0
    }

    /// Does a test hold for some atom, at any depth?
    pub(super) fn any_atom(&self, test: &mut dyn FnMut(&Atom) -> bool) -> bool {
        self.terms()
            .iter()
            .any(|(m, _)| m.factors().iter().any(|(a, _)| test(a) || a.operands().any(|e| e.any_atom(test))))
    }

    /// Replaces variables, all at once.
    pub fn substitute(&self, by: &BTreeMap<Var, ArithExpr>) -> ArithExpr {
        if !by.keys().any(|v| self.summary().may_have(v)) {
            return self.clone();
        }
        self.map_atoms(&mut |atom| match atom {
            Atom::Var(v) => by.get(v).cloned(),
            Atom::Div(..) | Atom::Mod(..) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => {
                atom.rebuild(&mut |e| e.substitute(by))
            }
        })
    }

    /// The terms of which one of these variables is a factor.
    pub fn terms_with(&self, is: &dyn Fn(&Var) -> bool) -> ArithExpr {
        let has = |m: &Monomial| m.factors().iter().any(|(a, _)| matches!(a, Atom::Var(v) if is(v)));
        let terms = self.terms().iter().filter(|(m, _)| has(m));
        ArithExpr::from_sorted(terms.cloned().collect())
    }

    /// Rebuilds the polynomial with another expression in place of each of its atoms, unless there is none.
    pub(super) fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Option<ArithExpr>) -> ArithExpr {
        let mut known: Vec<(&Atom, Option<ArithExpr>)> = Vec::new();
        // What is the same stays, term by term.
        let mut unchanged: Vec<(Monomial, i128)> = Vec::new();
        let mut sum = ArithExpr::zero();
        for (m, c) in self.terms() {
            let mut same = true;
            for (atom, _) in m.factors() {
                if !known.iter().any(|(known, _)| *known == atom) {
                    known.push((atom, f(atom).filter(|new| new.as_atom() != Some(atom))));
                }
                same &= known.iter().any(|(known, new)| *known == atom && new.is_none());
            }
            if same {
                unchanged.push((m.clone(), *c));
                continue;
            }
            let factor = |(atom, n): &(Atom, u32)| match known.iter().find(|(known, _)| *known == atom) {
                Some((_, Some(new))) => new.power(*n),
                _ => ArithExpr::atom(atom.clone()).power(*n),
            };
            sum = sum + m.factors().iter().fold(ArithExpr::int(*c), |product, power| product * factor(power));
        }
        if unchanged.len() == self.terms().len() {
            return self.clone();
        }
        sum + ArithExpr::from_sorted(unchanged)
    }

    /// The value, if all variables have one, every divisor is non-zero and nothing overflows.
    pub fn eval(&self, value: &dyn Fn(&Var) -> Option<i128>) -> Option<i128> {
        let mut sum = 0i128;
        for (m, c) in self.terms() {
            let mut product = *c;
            for (atom, n) in m.factors() {
                let factor = atom.eval(value)?;
                for _ in 0..*n {
                    product = product.checked_mul(factor)?;
                }
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// `coef` and `rest` of `coef * var + rest`, neither of which has the variable in it. `None` if the
    /// expression depends on the variable in another way.
    pub fn linear_in(&self, var: &Var) -> Option<(ArithExpr, ArithExpr)> {
        let atom = Atom::Var(var.clone());
        let mut parts = self.coefficients(&atom);
        parts.resize(parts.len().max(2), ArithExpr::zero());
        let linear = parts.len() == 2 && parts.iter().all(|e| !e.contains(var));
        let rest = parts.swap_remove(0);
        (linear && !self.is_too_large()).then(|| (parts.swap_remove(0), rest))
    }

    /// The integer value of `var` for which this expression equals another one: if that is linear in `var`
    /// with a coefficient that divides everything else exactly. A symbolic coefficient is taken to be
    /// non-zero.
    pub fn solve(&self, var: &Var, equal_to: &ArithExpr) -> Option<ArithExpr> {
        let (coefficient, rest) = (self - equal_to).linear_in(var)?;
        if coefficient.is_zero() {
            return None;
        }
        (-rest).exact_div(&coefficient)
    }

    /// The polynomial as one in `atom`: element `n` is the coefficient of its `n`-th power.
    pub(super) fn coefficients(&self, atom: &Atom) -> Vec<ArithExpr> {
        let mut parts: Vec<Vec<(Monomial, i128)>> = Vec::new();
        for (m, c) in self.terms() {
            let n = m.exponent(atom) as usize;
            if parts.len() <= n {
                parts.resize_with(n + 1, Vec::new);
            }
            parts[n].push((if n == 0 { m.clone() } else { m.without(atom) }, *c));
        }
        for part in parts.iter_mut().skip(1) {
            part.sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        parts.into_iter().map(ArithExpr::from_sorted).collect()
    }

    /// The polynomial with `by` for `atom`; atoms inside other atoms stay.
    pub(super) fn replace(&self, atom: &Atom, by: &ArithExpr) -> ArithExpr {
        let parts = self.coefficients(atom);
        let mut sum = ArithExpr::zero();
        for part in parts.iter().rev() {
            sum = sum * by + part;
        }
        sum
    }
}

impl Atom {
    /// The atom, built anew from its changed operands; nothing if none of them changes.
    pub(super) fn rebuild(&self, f: &mut dyn FnMut(&ArithExpr) -> ArithExpr) -> Option<ArithExpr> {
        let operands: Vec<ArithExpr> = self.operands().map(f).collect();
        if operands.iter().eq(self.operands()) {
            return None;
        }
        Some(match (self, operands.as_slice()) {
            (Atom::Div(..), [a, b]) => a.div(b),
            (Atom::Mod(..), [a, b]) => a.modulo(b),
            (Atom::Max(_), _) => Pick::Greatest.of(operands),
            _ => Pick::Least.of(operands),
        })
    }

    fn eval(&self, value: &dyn Fn(&Var) -> Option<i128>) -> Option<i128> {
        match self {
            Atom::Var(v) => value(v),
            Atom::Div(a, b) => floor_div(a.eval(value)?, b.eval(value)?),
            Atom::Mod(a, b) => floor_mod(a.eval(value)?, b.eval(value)?),
            Atom::Min(ops) => fold(ops, Pick::Least, value),
            Atom::Max(ops) => fold(ops, Pick::Greatest, value),
            Atom::TooLarge => None,
        }
    }
}

fn fold(ops: &[ArithExpr], pick: Pick, value: &dyn Fn(&Var) -> Option<i128>) -> Option<i128> {
    let mut values = ops.iter().map(|e| e.eval(value));
    let first = values.next()??;
    values.try_fold(first, |best, next| Some(pick.number(best, next?)))
}
