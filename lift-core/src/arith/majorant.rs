//! Upper bounds as polynomials, for variables that are not negative.
//!
//! Before: expressions over sizes, none of whose products is negative. After: expressions of which it can be read off,
//! coefficient by coefficient, that they are never smaller. Nothing is proved here, so that thousands of bounds
//! can be compared.

use std::collections::BTreeMap;

use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};

impl ArithExpr {
    /// Whether no coefficient is greater than that in `other`.
    pub fn is_covered_by(&self, other: &ArithExpr) -> bool {
        !self.is_too_large() && (other - self).terms().iter().all(|(_, c)| *c > 0)
    }

    /// The greater coefficient of every product: an upper bound of both.
    pub fn cover(&self, other: &ArithExpr) -> ArithExpr {
        if self.is_too_large() || other.is_too_large() {
            return ArithExpr::too_large();
        }
        let mut most: BTreeMap<Monomial, i128> = BTreeMap::new();
        for (m, c) in self.terms().iter().chain(other.terms()) {
            let most = most.entry(m.clone()).or_insert(0);
            *most = (*most).max(*c);
        }
        // What is negative in both stays out.
        ArithExpr::from_map(most)
    }

    /// Whether every product divides one of `other`, so that for sizes of at least 1 it grows no faster.
    pub fn grows_within(&self, other: &ArithExpr) -> bool {
        self.terms().iter().all(|(m, _)| other.terms().iter().any(|(n, _)| n.divide(m).is_some()))
    }

    /// Without negative terms.
    pub fn without_negatives(&self) -> ArithExpr {
        ArithExpr::from_sorted(self.terms().iter().filter(|(_, c)| *c > 0).cloned().collect())
    }

    /// `n` for `k * (n / k)`, which is never greater, and `n / 2` for `2 * (n / 4)`.
    pub fn without_rounding(&self) -> ArithExpr {
        let exact = |(m, c): &(Monomial, i128)| match unrounded(m, *c) {
            Some(e) => e.without_rounding(),
            None => ArithExpr::term(m.clone(), *c),
        };
        self.terms().iter().map(exact).sum()
    }

    /// Something greater that is a sum of products of variables: dividends for quotients, and the like.
    pub fn polynomial_above(&self) -> ArithExpr {
        let plain = self.without_negatives();
        let divided = plain.terms().iter().find_map(|(m, c)| Some((m, *c, undivided(m, *c)?)));
        if let Some((m, c, above)) = divided {
            return (&plain - ArithExpr::term(m.clone(), c) + above).polynomial_above();
        }
        plain.map_atoms(&mut |atom| match atom {
            Atom::Var(_) | Atom::TooLarge => None,
            Atom::Div(a, _) => Some(a.polynomial_above()),
            Atom::Mod(_, d) => Some(d.polynomial_above()),
            // That which grows most slowly.
            Atom::Min(ops) => {
                let growth = |op: &&ArithExpr| op.terms().last().map(|(m, c)| (m.degree(), *c));
                Some(ops.iter().min_by_key(growth).map_or_else(ArithExpr::zero, ArithExpr::polynomial_above))
            }
            Atom::Max(ops) => {
                Some(ops.iter().fold(ArithExpr::zero(), |all, op| all.cover(&op.polynomial_above())))
            }
        })
    }

    /// Whether every product is less than one of `other`, by a variable at least.
    pub fn grows_slower_than(&self, other: &ArithExpr) -> bool {
        let slower = |m: &Monomial, n: &Monomial| m != n && n.divide(m).is_some();
        self.terms().iter().all(|(m, _)| other.terms().iter().any(|(n, _)| slower(m, n)))
    }
}

/// The term without one of its quotients by numbers: `2 * n` for `5 * (n / 4)`.
fn undivided(m: &Monomial, c: i128) -> Option<ArithExpr> {
    m.factors().iter().find_map(|(atom, times)| {
        let (Atom::Div(a, d), 1) = (atom, *times) else { return None };
        let k = d.constant().filter(|k| *k > 0)?;
        let count = c / k + i128::from(c % k != 0);
        Some(ArithExpr::term(m.without(atom), count) * a.without_negatives())
    })
}

/// The term without one of its quotients, if their product with the rest is none or a quotient by a number.
fn unrounded(m: &Monomial, c: i128) -> Option<ArithExpr> {
    if c <= 0 {
        return None;
    }
    m.factors().iter().find_map(|(atom, times)| {
        let (Atom::Div(a, d), 1) = (atom, *times) else { return None };
        let [(divisor, k)] = d.terms() else { return None };
        let (a, rest) = (a.without_negatives(), m.without(atom).divide(divisor)?);
        match (*k, c) {
            (1.., _) if c % k == 0 => Some(ArithExpr::term(rest, c / k) * a),
            (2.., _) if k % c == 0 && (c > 1 || !divisor.is_unit()) => {
                Some(ArithExpr::term(rest, 1) * a.div(&ArithExpr::int(k / c)))
            }
            _ => None,
        }
    })
}
