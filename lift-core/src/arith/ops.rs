//! Addition and multiplication of polynomials, and the operators.
//!
//! Before: canonical operands. After: the canonical result, or *too large* when a coefficient overflows or
//! the product has too many terms.

use std::collections::BTreeMap;
use std::iter::{Product, Sum};
use std::ops::{Add, Mul, Neg, Sub};

use super::limits::MAX_TERMS;
use super::monomial::Monomial;
use super::poly::{ArithExpr, Atom};
use super::var::Var;

impl ArithExpr {
    fn plus(&self, other: &ArithExpr) -> ArithExpr {
        if self.is_zero() { other.clone() } else { self.merged(other, 1) }
    }

    fn minus(&self, other: &ArithExpr) -> ArithExpr {
        if self.is_zero() { other.scale(-1) } else { self.merged(other, -1) }
    }

    /// The sum with the other one times 1 or -1.
    fn merged(&self, other: &ArithExpr, sign: i128) -> ArithExpr {
        if other.is_zero() {
            return self.clone();
        }
        let (xs, ys) = (self.terms(), other.terms());
        let mut out = Vec::with_capacity(xs.len() + ys.len());
        let (mut i, mut j) = (0, 0);
        while i < xs.len() && j < ys.len() {
            match xs[i].0.cmp(&ys[j].0) {
                std::cmp::Ordering::Less => {
                    out.push(xs[i].clone());
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    out.push((ys[j].0.clone(), ys[j].1 * sign));
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    match xs[i].1.checked_add(ys[j].1 * sign) {
                        None => return ArithExpr::too_large(),
                        Some(0) if xs[i].0.as_atom() == Some(&Atom::TooLarge) => {
                            return ArithExpr::too_large();
                        }
                        Some(0) => {}
                        Some(c) => out.push((xs[i].0.clone(), c)),
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        out.extend_from_slice(&xs[i..]);
        out.extend(ys[j..].iter().map(|(m, c)| (m.clone(), c * sign)));
        ArithExpr::from_sorted(out)
    }

    fn times(&self, other: &ArithExpr) -> ArithExpr {
        if self.is_too_large() || other.is_too_large() {
            return ArithExpr::too_large();
        }
        if self.is_one() {
            return other.clone();
        }
        if let [(m, c)] = other.terms() {
            return self.times_term(m, *c);
        }
        if let [(m, c)] = self.terms() {
            return other.times_term(m, *c);
        }
        if self.terms().len().saturating_mul(other.terms().len()) > MAX_TERMS {
            return ArithExpr::too_large();
        }
        let mut out: BTreeMap<Monomial, i128> = BTreeMap::new();
        for (m, c) in self.terms() {
            for (n, d) in other.terms() {
                let slot = out.entry(m.mul(n)).or_insert(0);
                match c.checked_mul(*d).and_then(|p| slot.checked_add(p)) {
                    Some(sum) => *slot = sum,
                    None => return ArithExpr::too_large(),
                }
            }
        }
        ArithExpr::from_map(out)
    }

    /// Multiplication by one term; the order of the terms stays.
    pub(super) fn times_term(&self, monomial: &Monomial, factor: i128) -> ArithExpr {
        if self.is_too_large() {
            return self.clone();
        }
        if factor == 0 {
            return ArithExpr::zero();
        }
        let product = |(m, c): &(Monomial, i128)| {
            let m = if monomial.is_unit() { m.clone() } else { m.mul(monomial) };
            c.checked_mul(factor).map(|c| (m, c))
        };
        match self.terms().iter().map(product).collect() {
            Some(terms) => ArithExpr::from_sorted(terms),
            None => ArithExpr::too_large(),
        }
    }

    /// Multiplication by a number.
    pub(super) fn scale(&self, factor: i128) -> ArithExpr {
        if factor == 1 { self.clone() } else { self.times_term(&Monomial::unit(), factor) }
    }

    /// A natural power.
    pub(super) fn power(&self, exponent: u32) -> ArithExpr {
        let mut out = ArithExpr::one();
        for _ in 0..exponent {
            out = out.times(self);
            if out.is_too_large() {
                break;
            }
        }
        out
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl $trait<&ArithExpr> for &ArithExpr {
            type Output = ArithExpr;
            fn $method(self, other: &ArithExpr) -> ArithExpr {
                let ($a, $b) = (self, other);
                $body
            }
        }
        impl $trait<ArithExpr> for &ArithExpr {
            type Output = ArithExpr;
            fn $method(self, other: ArithExpr) -> ArithExpr {
                $trait::$method(self, &other)
            }
        }
        impl $trait<&ArithExpr> for ArithExpr {
            type Output = ArithExpr;
            fn $method(self, other: &ArithExpr) -> ArithExpr {
                $trait::$method(&self, other)
            }
        }
        impl $trait<ArithExpr> for ArithExpr {
            type Output = ArithExpr;
            fn $method(self, other: ArithExpr) -> ArithExpr {
                $trait::$method(&self, &other)
            }
        }
        impl $trait<i64> for &ArithExpr {
            type Output = ArithExpr;
            fn $method(self, other: i64) -> ArithExpr {
                $trait::$method(self, &ArithExpr::cst(other))
            }
        }
        impl $trait<i64> for ArithExpr {
            type Output = ArithExpr;
            fn $method(self, other: i64) -> ArithExpr {
                $trait::$method(&self, &ArithExpr::cst(other))
            }
        }
    };
}

operator!(Add, add, |a, b| a.plus(b));
operator!(Sub, sub, |a, b| a.minus(b));
operator!(Mul, mul, |a, b| a.times(b));

impl Neg for &ArithExpr {
    type Output = ArithExpr;
    fn neg(self) -> ArithExpr {
        self.scale(-1)
    }
}

impl Neg for ArithExpr {
    type Output = ArithExpr;
    fn neg(self) -> ArithExpr {
        self.scale(-1)
    }
}

impl From<i64> for ArithExpr {
    fn from(value: i64) -> ArithExpr {
        ArithExpr::cst(value)
    }
}

impl From<&Var> for ArithExpr {
    fn from(var: &Var) -> ArithExpr {
        ArithExpr::var(var)
    }
}

impl Sum for ArithExpr {
    fn sum<I: Iterator<Item = ArithExpr>>(items: I) -> ArithExpr {
        items.fold(ArithExpr::zero(), |a, b| a + b)
    }
}

impl Product for ArithExpr {
    fn product<I: Iterator<Item = ArithExpr>>(items: I) -> ArithExpr {
        items.fold(ArithExpr::one(), |a, b| a * b)
    }
}
