//! Division and remainder: what holds for all values of the variables.
//!
//! Before: two canonical expressions. After: their floor quotient or remainder, where multiples of the
//! divisor, common factors, and divisions of divisions are gone. The remaining atoms are unique: dividends
//! that differ by a multiple of the divisor give the same atom.

use std::collections::BTreeMap;

use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};

/// Most steps of one polynomial division.
const MAX_REDUCTIONS: usize = 4096;

impl ArithExpr {
    /// The quotient, rounded towards minus infinity.
    pub fn div(&self, divisor: &ArithExpr) -> ArithExpr {
        if self.is_too_large() || divisor.is_too_large() {
            return ArithExpr::too_large();
        }
        match (self.constant(), divisor.constant()) {
            (_, Some(0)) => return ArithExpr::atom(Atom::Div(self.clone(), divisor.clone())),
            (_, Some(1)) => return self.clone(),
            (Some(a), Some(b)) => return floor_div(a, b).map_or_else(ArithExpr::too_large, ArithExpr::int),
            (_, Some(b)) if b < 0 => return self.scale(-1).div(&divisor.scale(-1)),
            _ => {}
        }
        match self.reduce(divisor) {
            Some((quotient, rest)) => quotient + div_reduced(&rest, divisor),
            None => ArithExpr::atom(Atom::Div(self.clone(), divisor.clone())),
        }
    }

    /// The quotient, rounded towards plus infinity.
    pub fn div_ceil(&self, divisor: &ArithExpr) -> ArithExpr {
        (self + divisor - 1).div(divisor)
    }

    /// The remainder of [`ArithExpr::div`]; it has the sign of the divisor.
    pub fn modulo(&self, divisor: &ArithExpr) -> ArithExpr {
        if self.is_too_large() || divisor.is_too_large() {
            return ArithExpr::too_large();
        }
        match (self.constant(), divisor.constant()) {
            (_, Some(0)) => return ArithExpr::atom(Atom::Mod(self.clone(), divisor.clone())),
            (_, Some(1)) => return ArithExpr::zero(),
            (Some(a), Some(b)) => return floor_mod(a, b).map_or_else(ArithExpr::too_large, ArithExpr::int),
            (_, Some(b)) if b < 0 => return self.scale(-1).modulo(&divisor.scale(-1)).scale(-1),
            _ => {}
        }
        match self.reduce(divisor) {
            Some((_, rest)) => mod_reduced(&rest, divisor),
            None => ArithExpr::atom(Atom::Mod(self.clone(), divisor.clone())),
        }
    }

    /// The exact polynomial quotient, if there is one.
    pub(super) fn exact_div(&self, divisor: &ArithExpr) -> Option<ArithExpr> {
        match self.reduce(divisor)? {
            (quotient, rest) if rest.is_zero() => Some(quotient),
            _ => None,
        }
    }

    /// `self = quotient * divisor + rest` by polynomial division with the divisor's leading term. The rest
    /// is the same for all dividends that differ by a multiple of the divisor. `None` for the divisor 0, and
    /// when it takes too long.
    pub(super) fn reduce(&self, divisor: &ArithExpr) -> Option<(ArithExpr, ArithExpr)> {
        let (lead, _) = divisor.terms().last()?;
        self.reduce_by(divisor, &lead.clone())
    }

    /// [`ArithExpr::reduce`] with another term of the divisor in the role of the leading one. Each term is
    /// then visited only once, so that the rest may still have multiples of `lead`.
    pub(super) fn reduce_by(&self, divisor: &ArithExpr, lead: &Monomial) -> Option<(ArithExpr, ArithExpr)> {
        if self.is_too_large() || divisor.is_too_large() {
            return None;
        }
        let (_, factor) = divisor.terms().iter().find(|(m, _)| m == lead)?;
        let leading = divisor.terms().last().is_some_and(|(m, _)| m == lead);
        let mut todo: BTreeMap<Monomial, i128> = self.terms().iter().cloned().collect();
        let mut rest = BTreeMap::new();
        let mut quotient = BTreeMap::new();
        let mut steps = 0;
        while let Some((monomial, coefficient)) = todo.pop_last() {
            let times = match monomial.divide(lead) {
                Some(cofactor) if monomial.is_unit() && divisor.terms().len() == 1 => {
                    Some((cofactor, floor_div(coefficient, *factor)?))
                }
                Some(cofactor) => Some((cofactor, nearest(coefficient, *factor)?)),
                None => None,
            };
            let Some((cofactor, times)) = times.filter(|(_, times)| *times != 0) else {
                add_to(&mut rest, monomial, coefficient)?;
                continue;
            };
            steps += divisor.terms().len();
            if steps > MAX_REDUCTIONS {
                return None;
            }
            for (m, c) in divisor.terms() {
                let (target, less) = (m.mul(&cofactor), c.checked_mul(times)?.checked_neg()?);
                if *m == *lead {
                    add_to(&mut rest, target, coefficient.checked_add(less)?)?;
                } else if leading {
                    add_to(&mut todo, target, less)?;
                } else {
                    add_to(&mut rest, target, less)?;
                }
            }
            add_to(&mut quotient, cofactor, times)?;
        }
        Some((ArithExpr::from_map(quotient), ArithExpr::from_map(rest)))
    }

    /// The greatest common divisor of the coefficients; 0 for 0.
    pub(super) fn content(&self) -> i128 {
        self.terms().iter().fold(0, |g, (_, c)| gcd(g, *c))
    }

    /// The greatest common divisor of the coefficients other than the constant; 0 for constants.
    pub(super) fn content_of_variables(&self) -> i128 {
        self.terms().iter().filter(|(m, _)| !m.is_unit()).fold(0, |g, (_, c)| gcd(g, *c))
    }

    /// The greatest product of atoms dividing every term.
    pub(super) fn common_monomial(&self) -> Monomial {
        let mut terms = self.terms().iter();
        let first = terms.next().map_or_else(Monomial::unit, |(m, _)| m.clone());
        terms.fold(first, |g, (m, _)| g.gcd(m))
    }

    /// Divides every coefficient by a number that divides them all, and every monomial likewise.
    pub(super) fn strip(&self, content: i128, monomial: &Monomial) -> Option<ArithExpr> {
        let divided = |(m, c): &(Monomial, i128)| {
            let c = if content != 0 && c % content == 0 { Some(c / content) } else { None };
            Some((m.divide(monomial)?, c?))
        };
        self.terms().iter().map(divided).collect::<Option<Vec<_>>>().map(ArithExpr::from_sorted)
    }

    /// Without the constant term.
    pub(super) fn without_constant(&self) -> ArithExpr {
        ArithExpr::from_sorted(self.terms().iter().filter(|(m, _)| !m.is_unit()).cloned().collect())
    }
}

fn add_to(map: &mut BTreeMap<Monomial, i128>, monomial: Monomial, coefficient: i128) -> Option<()> {
    let slot = map.entry(monomial).or_insert(0);
    *slot = slot.checked_add(coefficient)?;
    Some(())
}

/// The greatest number dividing both, not negative.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Coefficients are never `i128::MIN`, so that this fits.
    i128::try_from(a).unwrap_or(1)
}

/// Floor division of numbers; `None` for a zero divisor and on overflow.
pub(super) fn floor_div(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    let inexact = a.checked_rem(b)? != 0;
    Some(if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The remainder of [`floor_div`].
pub(super) fn floor_mod(a: i128, b: i128) -> Option<i128> {
    let rest = a.checked_rem(b)?;
    if rest != 0 && (rest < 0) != (b < 0) { rest.checked_add(b) } else { Some(rest) }
}

/// The quotient whose remainder is smallest in size; of two such, the one with the positive remainder.
fn nearest(a: i128, b: i128) -> Option<i128> {
    let size = b.checked_abs()?;
    let rest = a.checked_rem_euclid(size)?;
    let rest = if rest > size - rest { rest - size } else { rest };
    a.checked_sub(rest)?.checked_div(b)
}

/// The factors that dividend and divisor share, number and monomial; `None` if it is 1.
fn common_factor(rest: &ArithExpr, divisor: &ArithExpr) -> Option<(i128, Monomial)> {
    let number = gcd(rest.content(), divisor.content());
    let monomial = rest.common_monomial().gcd(&divisor.common_monomial());
    (number > 1 || !monomial.is_unit()).then_some((number, monomial))
}

/// `g`, `(rest - c) / g` and `c` for the common factor `g` of everything but the constant term, where
/// `0 <= c < g`.
fn factor_up_to_constant(rest: &ArithExpr, divisor: &ArithExpr) -> Option<(i128, ArithExpr, i128)> {
    let g = gcd(rest.content_of_variables(), divisor.content());
    if g <= 1 {
        return None;
    }
    let c = floor_mod(rest.constant_term(), g)?;
    let whole = rest - ArithExpr::int(c);
    Some((g, whole.strip(g, &Monomial::unit())?, c))
}

fn div_reduced(rest: &ArithExpr, divisor: &ArithExpr) -> ArithExpr {
    if rest.is_zero() || rest.is_too_large() {
        return rest.clone();
    }
    // (g*a) / (g*b) = a / b
    if let Some((number, monomial)) = common_factor(rest, divisor)
        && let (Some(a), Some(b)) = (rest.strip(number, &monomial), divisor.strip(number, &monomial))
    {
        return a.div(&b);
    }
    // (g*a + c) / (g*b) = a / b  for 0 <= c < g
    if let Some((g, a, _)) = factor_up_to_constant(rest, divisor)
        && let Some(b) = divisor.strip(g, &Monomial::unit())
    {
        return a.div(&b);
    }
    if let Some((x, e, others)) = single_div(rest) {
        // (x / e + c) / d = (x + c*e) / (e*d)
        if others.constant().is_some() || e.constant().is_some() {
            return (x + others * &e).div(&(e * divisor));
        }
    }
    if let Some(Atom::Mod(x, e)) = rest.as_atom() {
        // (x % (c*d)) / d = (x / d) % c
        if let Some(c) = e.exact_div(divisor) {
            return x.div(divisor).modulo(&c);
        }
    }
    ArithExpr::atom(Atom::Div(rest.clone(), divisor.clone()))
}

fn mod_reduced(rest: &ArithExpr, divisor: &ArithExpr) -> ArithExpr {
    if rest.is_zero() || rest.is_too_large() {
        return rest.clone();
    }
    // (m*(x % e) + a) % d = (m*x + a) % d  if d divides m*e
    if let Some(opened) = open_remainder(rest, divisor) {
        return opened.modulo(divisor);
    }
    // (g*a) % (g*b) = g*(a % b)
    if let Some((number, monomial)) = common_factor(rest, divisor)
        && let (Some(a), Some(b)) = (rest.strip(number, &monomial), divisor.strip(number, &monomial))
    {
        return a.modulo(&b).times_term(&monomial, number);
    }
    // (g*a + c) % (g*b) = g*(a % b) + c  for 0 <= c < g
    if let Some((g, a, c)) = factor_up_to_constant(rest, divisor)
        && let Some(b) = divisor.strip(g, &Monomial::unit())
    {
        return a.modulo(&b).scale(g) + ArithExpr::int(c);
    }
    ArithExpr::atom(Atom::Mod(rest.clone(), divisor.clone()))
}

/// `x`, `e` and `a` of the sum `x / e + a`.
fn single_div(sum: &ArithExpr) -> Option<(ArithExpr, ArithExpr, ArithExpr)> {
    let mut found = None;
    for (m, c) in sum.terms() {
        if let (Some(Atom::Div(x, e)), 1) = (m.as_atom(), *c)
            && found.replace((m, x, e)).is_some()
        {
            return None;
        }
    }
    let (m, x, e) = found?;
    Some((x.clone(), e.clone(), sum - ArithExpr::term(m.clone(), 1)))
}

fn open_remainder(rest: &ArithExpr, divisor: &ArithExpr) -> Option<ArithExpr> {
    for (m, c) in rest.terms() {
        for (atom, exponent) in m.factors() {
            let Atom::Mod(x, e) = atom else { continue };
            let times = ArithExpr::term(m.without(atom), *c);
            if *exponent == 1 && (e * &times).exact_div(divisor).is_some() {
                let term = ArithExpr::term(m.clone(), *c);
                return Some(rest - term + x * &times);
            }
        }
    }
    None
}
