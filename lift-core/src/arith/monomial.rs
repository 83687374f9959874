//! Products of powers of atoms, and the order of monomials.
//!
//! Before: factors in any order. After: factors sorted by atom, with positive exponents, so that equal
//! products are equal values.

use std::cmp::Ordering;
use std::sync::Arc;

use super::poly::Atom;
use super::summary::Summary;

/// A product of powers of atoms; cheap to clone.
#[derive(Clone)]
pub(super) struct Monomial(Option<Arc<Powers>>);

/// At least one power.
struct Powers {
    degree: u32,
    summary: Summary,
    /// Sorted by atom; exponents are at least 1.
    factors: Vec<(Atom, u32)>,
}

impl PartialEq for Monomial {
    fn eq(&self, other: &Monomial) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                Arc::ptr_eq(a, b) || (a.summary.hash == b.summary.hash && a.factors == b.factors)
            }
            (None, Some(_)) | (Some(_), None) => false,
        }
    }
}

impl Eq for Monomial {}

impl Monomial {
    /// The empty product, 1.
    pub(super) fn unit() -> Monomial {
        Monomial(None)
    }

    /// One atom.
    pub(super) fn atom(atom: Atom) -> Monomial {
        Monomial::collect(vec![(atom, 1)])
    }

    /// The sum of the exponents.
    pub(super) fn degree(&self) -> u32 {
        self.0.as_ref().map_or(0, |powers| powers.degree)
    }

    /// Is this the empty product?
    pub(super) fn is_unit(&self) -> bool {
        self.0.is_none()
    }

    /// Atoms and exponents.
    pub(super) fn factors(&self) -> &[(Atom, u32)] {
        self.0.as_ref().map_or(&[], |powers| powers.factors.as_slice())
    }

    /// What is known of it without looking into it.
    pub(super) fn summary(&self) -> Summary {
        self.0.as_ref().map_or(Summary::ONE, |powers| powers.summary)
    }

    /// The only factor, if there is exactly one and its exponent is 1.
    pub(super) fn as_atom(&self) -> Option<&Atom> {
        match self.factors() {
            [(atom, 1)] => Some(atom),
            _ => None,
        }
    }

    /// How often `atom` occurs as a factor.
    pub(super) fn exponent(&self, atom: &Atom) -> u32 {
        self.factors().iter().find(|(a, _)| a == atom).map_or(0, |(_, n)| *n)
    }

    /// Everything but `atom`.
    pub(super) fn without(&self, atom: &Atom) -> Monomial {
        Monomial::collect(self.factors().iter().filter(|(a, _)| a != atom).cloned().collect())
    }

    /// Product.
    pub(super) fn mul(&self, other: &Monomial) -> Monomial {
        let mut out = Vec::with_capacity(self.factors().len() + other.factors().len());
        let (mut xs, mut ys) = (self.factors().iter().peekable(), other.factors().iter().peekable());
        while let (Some(x), Some(y)) = (xs.peek(), ys.peek()) {
            match x.0.cmp(&y.0) {
                Ordering::Less => out.extend(xs.next().cloned()),
                Ordering::Greater => out.extend(ys.next().cloned()),
                Ordering::Equal => {
                    out.push((x.0.clone(), x.1.saturating_add(y.1)));
                    xs.next();
                    ys.next();
                }
            }
        }
        out.extend(xs.cloned());
        out.extend(ys.cloned());
        Monomial::collect(out)
    }

    /// Quotient, if `other` is a factor of this product.
    pub(super) fn divide(&self, other: &Monomial) -> Option<Monomial> {
        if !self.summary().may_contain(other.summary()) {
            return None;
        }
        let mut out = Vec::with_capacity(self.factors().len());
        let mut taken = 0;
        for (atom, n) in self.factors() {
            let m = other.exponent(atom);
            taken += usize::from(m > 0);
            match n.checked_sub(m)? {
                0 => {}
                left => out.push((atom.clone(), left)),
            }
        }
        (taken == other.factors().len()).then(|| Monomial::collect(out))
    }

    /// The greatest product dividing both.
    pub(super) fn gcd(&self, other: &Monomial) -> Monomial {
        let common = self.factors().iter().map(|(a, n)| (a.clone(), (*n).min(other.exponent(a))));
        Monomial::collect(common.filter(|(_, n)| *n > 0).collect())
    }

    fn collect(factors: Vec<(Atom, u32)>) -> Monomial {
        if factors.is_empty() {
            return Monomial(None);
        }
        let degree = factors.iter().fold(0u32, |d, (_, n)| d.saturating_add(*n));
        let with = |all: Summary, (atom, n): &(Atom, u32)| all.with(atom.summary()).hashed((*n).into());
        let summary = factors.iter().fold(Summary::ONE, with);
        Monomial(Some(Arc::new(Powers { degree, summary, factors })))
    }
}

/// Degree first, then lexicographic with the smallest atom as the most significant: an order that products
/// respect, which makes polynomial division terminate with a unique remainder.
impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        if let (Some(a), Some(b)) = (&self.0, &other.0)
            && Arc::ptr_eq(a, b)
        {
            return Ordering::Equal;
        }
        let by_degree = self.degree().cmp(&other.degree());
        if by_degree != Ordering::Equal {
            return by_degree;
        }
        for ((a, n), (b, m)) in self.factors().iter().zip(other.factors()) {
            match a.cmp(b) {
                Ordering::Equal if n == m => {}
                Ordering::Equal => return n.cmp(m),
                first => return first.reverse(),
            }
        }
        self.factors().len().cmp(&other.factors().len())
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
