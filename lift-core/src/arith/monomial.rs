//! Products of powers of atoms, and the order of monomials.
//!
//! Before: factors in any order. After: factors sorted by atom, with positive exponents, so that equal
//! products are equal values.

use std::cmp::Ordering;

use super::poly::Atom;

/// A product of powers of atoms. The factors are sorted by atom; exponents are at least 1.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Monomial {
    degree: u32,
    factors: Vec<(Atom, u32)>,
}

impl Monomial {
    /// The empty product, 1.
    pub(super) fn unit() -> Monomial {
        Monomial { degree: 0, factors: Vec::new() }
    }

    /// One atom.
    pub(super) fn atom(atom: Atom) -> Monomial {
        Monomial { degree: 1, factors: vec![(atom, 1)] }
    }

    /// The sum of the exponents.
    pub(super) fn degree(&self) -> u32 {
        self.degree
    }

    /// Is this the empty product?
    pub(super) fn is_unit(&self) -> bool {
        self.factors.is_empty()
    }

    /// Atoms and exponents.
    pub(super) fn factors(&self) -> &[(Atom, u32)] {
        &self.factors
    }

    /// The only factor, if there is exactly one and its exponent is 1.
    pub(super) fn as_atom(&self) -> Option<&Atom> {
        match self.factors.as_slice() {
            [(atom, 1)] => Some(atom),
            _ => None,
        }
    }

    /// How often `atom` occurs as a factor.
    pub(super) fn exponent(&self, atom: &Atom) -> u32 {
        self.factors.iter().find(|(a, _)| a == atom).map_or(0, |(_, n)| *n)
    }

    /// Everything but `atom`.
    pub(super) fn without(&self, atom: &Atom) -> Monomial {
        Monomial::collect(self.factors.iter().filter(|(a, _)| a != atom).cloned().collect())
    }

    /// Product.
    pub(super) fn mul(&self, other: &Monomial) -> Monomial {
        let mut out = Vec::with_capacity(self.factors.len() + other.factors.len());
        let (mut xs, mut ys) = (self.factors.iter().peekable(), other.factors.iter().peekable());
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
        let mut out = Vec::with_capacity(self.factors.len());
        let mut taken = 0;
        for (atom, n) in &self.factors {
            let m = other.exponent(atom);
            taken += usize::from(m > 0);
            match n.checked_sub(m)? {
                0 => {}
                left => out.push((atom.clone(), left)),
            }
        }
        (taken == other.factors.len()).then(|| Monomial::collect(out))
    }

    /// The greatest product dividing both.
    pub(super) fn gcd(&self, other: &Monomial) -> Monomial {
        let common = self.factors.iter().map(|(a, n)| (a.clone(), (*n).min(other.exponent(a))));
        Monomial::collect(common.filter(|(_, n)| *n > 0).collect())
    }

    fn collect(factors: Vec<(Atom, u32)>) -> Monomial {
        let degree = factors.iter().fold(0u32, |d, (_, n)| d.saturating_add(*n));
        Monomial { degree, factors }
    }

    /// Nodes, counted as a tree.
    pub(super) fn size(&self) -> u32 {
        self.factors.iter().fold(1, |n, (a, _)| n.saturating_add(a.size()))
    }
}

/// Degree first, then lexicographic with the smallest atom as the most significant: an order that products
/// respect, which makes polynomial division terminate with a unique remainder.
impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        let by_degree = self.degree.cmp(&other.degree);
        if by_degree != Ordering::Equal {
            return by_degree;
        }
        for ((a, n), (b, m)) in self.factors.iter().zip(&other.factors) {
            match a.cmp(b) {
                Ordering::Equal if n == m => {}
                Ordering::Equal => return n.cmp(m),
                first => return first.reverse(),
            }
        }
        self.factors.len().cmp(&other.factors.len())
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
