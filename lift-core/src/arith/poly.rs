//! The representation: polynomials with integer coefficients over atoms.
//!
//! Before: terms and coefficients in any order, possibly with duplicates and zeros. After: an [`ArithExpr`]
//! whose terms are sorted by a monomial order (degree first, then the atoms), have distinct monomials and
//! non-zero coefficients, and keep to the limits - or the one *too large* expression.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use super::limits::{MAX_DEGREE, MAX_DEPTH, MAX_SIZE, MAX_TERMS};
use super::monomial::Monomial;
use super::summary::{CHOICE, DIVISION, Summary, TOO_LARGE};
use super::var::Var;

/// What polynomials are made of. Operands are canonical; the constructors in `divide` and `lattice` are the
/// only ones to build the compound atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Atom {
    /// A variable.
    Var(Var),
    /// Quotient, rounded down.
    Div(ArithExpr, ArithExpr),
    /// Remainder of that quotient.
    Mod(ArithExpr, ArithExpr),
    /// The least of at least two operands.
    Min(Arc<[ArithExpr]>),
    /// The greatest of at least two operands.
    Max(Arc<[ArithExpr]>),
    /// A value beyond the limits, of which nothing is known.
    TooLarge,
}

impl Atom {
    /// The expressions inside, in order.
    pub(super) fn operands(&self) -> impl Iterator<Item = &ArithExpr> {
        let (pair, list): ([Option<&ArithExpr>; 2], &[ArithExpr]) = match self {
            Atom::Var(_) | Atom::TooLarge => ([None; 2], &[]),
            Atom::Div(a, b) | Atom::Mod(a, b) => ([Some(a), Some(b)], &[]),
            Atom::Min(ops) | Atom::Max(ops) => ([None; 2], ops),
        };
        pair.into_iter().flatten().chain(list)
    }

    /// Levels of nesting: 0 for a variable.
    pub(super) fn depth(&self) -> u32 {
        self.summary().depth
    }

    /// What is known of it without looking into it.
    pub(super) fn summary(&self) -> Summary {
        let (kind, number) = match self {
            Atom::Var(v) => return Summary::var(v),
            Atom::TooLarge => return Summary::of_kind(TOO_LARGE),
            Atom::Div(..) => (DIVISION, 2),
            Atom::Mod(..) => (DIVISION, 3),
            Atom::Min(_) => (CHOICE, 4),
            Atom::Max(_) => (CHOICE, 5),
        };
        let own = Summary::of_kind(kind).hashed(number);
        self.operands().fold(own, |all, e| all.with(e.0.summary)).nested()
    }
}

/// An integer expression in canonical form; cheap to clone.
///
/// Equality, order and hash are those of the canonical form. Use [`Facts`](super::Facts) to ask whether two
/// expressions are equal under what is known of the variables.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ArithExpr(Arc<Poly>);

impl PartialOrd for ArithExpr {
    fn partial_cmp(&self, other: &ArithExpr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of canonical forms, for sets and maps: it says nothing of values. `a.min(b)` with owned operands
/// would name the methods of this trait and silently choose by that order; so they are the arithmetic ones.
impl Ord for ArithExpr {
    fn cmp(&self, other: &ArithExpr) -> Ordering {
        self.0.cmp(&other.0)
    }

    fn min(self, other: ArithExpr) -> ArithExpr {
        ArithExpr::min(&self, &other)
    }

    fn max(self, other: ArithExpr) -> ArithExpr {
        ArithExpr::max(&self, &other)
    }
}

struct Poly {
    /// Sorted, smallest monomial (the constant) first.
    terms: Vec<(Monomial, i128)>,
    summary: Summary,
}

impl PartialEq for Poly {
    fn eq(&self, other: &Poly) -> bool {
        self.summary.hash == other.summary.hash && self.terms == other.terms
    }
}

impl Eq for Poly {}

impl PartialOrd for Poly {
    fn partial_cmp(&self, other: &Poly) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Poly {
    fn cmp(&self, other: &Poly) -> Ordering {
        // Sizes decide first: cheap, and it keeps simple operands in front.
        self.summary.size.cmp(&other.summary.size).then_with(|| {
            if std::ptr::eq(self, other) { Ordering::Equal } else { self.terms.cmp(&other.terms) }
        })
    }
}

impl Hash for Poly {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.summary.hash);
    }
}

impl ArithExpr {
    /// From terms that are sorted, distinct and non-zero.
    pub(super) fn from_sorted(terms: Vec<(Monomial, i128)>) -> ArithExpr {
        let mut summary = Summary::ZERO;
        let mut legal = terms.len() <= MAX_TERMS;
        for (monomial, coefficient) in &terms {
            summary = summary.with(monomial.summary()).hashed(*coefficient as u64);
            legal &= monomial.degree() <= MAX_DEGREE && *coefficient != i128::MIN;
        }
        // Inside other atoms it is gone already.
        legal &= summary.kinds & TOO_LARGE == 0;
        if legal && summary.depth <= MAX_DEPTH && summary.size <= MAX_SIZE {
            ArithExpr(Arc::new(Poly { terms, summary }))
        } else {
            ArithExpr::too_large()
        }
    }

    /// From a map; zero coefficients are dropped.
    pub(super) fn from_map(map: BTreeMap<Monomial, i128>) -> ArithExpr {
        ArithExpr::from_sorted(map.into_iter().filter(|(_, c)| *c != 0).collect())
    }

    /// One term.
    pub(super) fn term(monomial: Monomial, coefficient: i128) -> ArithExpr {
        let terms = if coefficient == 0 { Vec::new() } else { vec![(monomial, coefficient)] };
        ArithExpr::from_sorted(terms)
    }

    /// One atom.
    pub(super) fn atom(atom: Atom) -> ArithExpr {
        ArithExpr::term(Monomial::atom(atom), 1)
    }

    /// A constant of any size.
    pub(super) fn int(value: i128) -> ArithExpr {
        ArithExpr::term(Monomial::unit(), value)
    }

    /// The absorbing value of everything beyond the limits.
    pub(super) fn too_large() -> ArithExpr {
        let terms = vec![(Monomial::atom(Atom::TooLarge), 1)];
        ArithExpr(Arc::new(Poly { terms, summary: Summary::of_kind(TOO_LARGE) }))
    }

    /// A constant.
    pub fn cst(value: i64) -> ArithExpr {
        ArithExpr::int(value.into())
    }

    /// A variable.
    pub fn var(var: &Var) -> ArithExpr {
        ArithExpr::atom(Atom::Var(var.clone()))
    }

    /// 0.
    pub fn zero() -> ArithExpr {
        static ZERO: LazyLock<ArithExpr> = LazyLock::new(|| ArithExpr::from_sorted(Vec::new()));
        ZERO.clone()
    }

    /// 1.
    pub fn one() -> ArithExpr {
        static ONE: LazyLock<ArithExpr> = LazyLock::new(|| ArithExpr::int(1));
        ONE.clone()
    }

    /// The value, if this is a constant within `i64`.
    pub fn as_const(&self) -> Option<i64> {
        self.constant().and_then(|c| c.try_into().ok())
    }

    /// The number that is added to all the rest.
    pub fn number(&self) -> ArithExpr {
        ArithExpr::int(self.constant_term())
    }

    /// The variable, if this is one.
    pub fn as_var(&self) -> Option<&Var> {
        match self.as_atom()? {
            Atom::Var(v) => Some(v),
            Atom::Div(..) | Atom::Mod(..) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => None,
        }
    }

    /// Dividend and divisor, if this is a remainder.
    pub fn as_modulo(&self) -> Option<(&ArithExpr, &ArithExpr)> {
        match self.as_atom()? {
            Atom::Mod(dividend, divisor) => Some((dividend, divisor)),
            Atom::Var(_) | Atom::Div(..) | Atom::Min(_) | Atom::Max(_) | Atom::TooLarge => None,
        }
    }

    /// Did a computation leave the limits on the way here? Such an expression has no value and cannot be
    /// printed as code; whoever builds sizes from user input should report it.
    pub fn is_too_large(&self) -> bool {
        self.0.summary.kinds & TOO_LARGE != 0
    }

    /// Whether generated code could not hold it as a number of elements: it left the limits, or has factors that
    /// leave no room in 64 bits for an offset in bytes.
    pub fn is_beyond_machines(&self) -> bool {
        const LARGEST: u128 = 1 << 56;
        self.is_too_large() || self.terms().iter().any(|(_, c)| c.unsigned_abs() > LARGEST)
    }

    /// The value, if this is a constant.
    pub(super) fn constant(&self) -> Option<i128> {
        match self.terms() {
            [] => Some(0),
            [(m, c)] if m.is_unit() => Some(*c),
            _ => None,
        }
    }

    /// The constant term.
    pub(super) fn constant_term(&self) -> i128 {
        self.terms().first().map_or(0, |(m, c)| if m.is_unit() { *c } else { 0 })
    }

    /// The atom, if this is a single one with coefficient 1.
    pub(super) fn as_atom(&self) -> Option<&Atom> {
        match self.terms() {
            [(m, 1)] => m.as_atom(),
            _ => None,
        }
    }

    /// Is this the empty sum?
    pub(super) fn is_zero(&self) -> bool {
        self.terms().is_empty()
    }

    /// Is this 1?
    pub(super) fn is_one(&self) -> bool {
        self.constant() == Some(1)
    }

    /// The terms, the constant first.
    pub(super) fn terms(&self) -> &[(Monomial, i128)] {
        &self.0.terms
    }

    /// Nesting of the compound atoms; 0 if there are none.
    pub(super) fn depth(&self) -> u32 {
        self.0.summary.depth
    }

    /// What is known of it without looking into it.
    pub(super) fn summary(&self) -> Summary {
        self.0.summary
    }

    /// The atoms of the polynomial itself, without those inside other atoms, sorted.
    pub(super) fn atoms(&self) -> Vec<Atom> {
        let mut out: Vec<Atom> = Vec::new();
        for (m, _) in self.terms() {
            out.extend(m.factors().iter().map(|(a, _)| a.clone()));
        }
        out.sort();
        out.dedup();
        out
    }
}

impl fmt::Debug for ArithExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}
