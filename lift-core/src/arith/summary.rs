//! What is known of an expression without looking into it.
//!
//! Questions are asked about the same expressions again and again, and most of them are answered by what
//! does not occur. So every polynomial, and every product in one, keeps these few numbers.

use super::var::Var;

/// Of an atom, a product or a polynomial.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Summary {
    /// Levels of nesting of compound atoms.
    pub(super) depth: u32,
    /// Nodes, counted as a tree.
    pub(super) size: u32,
    /// Which kinds of atoms occur, at any depth.
    pub(super) kinds: u8,
    /// For each variable that occurs, at any depth, its bit; several share one.
    vars: u64,
    /// Equal expressions have equal ones.
    pub(super) hash: u64,
}

/// A quotient or a remainder.
pub(super) const DIVISION: u8 = 1;
/// A minimum or a maximum.
pub(super) const CHOICE: u8 = 2;
/// A value beyond the limits.
pub(super) const TOO_LARGE: u8 = 4;

impl Summary {
    /// The empty product; sums of nothing have no nodes.
    pub(super) const ONE: Summary = Summary { depth: 0, size: 1, kinds: 0, vars: 0, hash: 1 };
    /// The empty sum.
    pub(super) const ZERO: Summary = Summary { depth: 0, size: 0, kinds: 0, vars: 0, hash: 0 };

    /// A variable.
    pub(super) fn var(var: &Var) -> Summary {
        Summary { vars: bit(var), ..Summary::ONE }.hashed(u64::from(var.id()))
    }

    /// Something without variables that is of these kinds.
    pub(super) fn of_kind(kinds: u8) -> Summary {
        Summary { kinds, ..Summary::ONE }.hashed(u64::from(kinds))
    }

    /// Both side by side.
    pub(super) fn with(self, other: Summary) -> Summary {
        Summary {
            depth: self.depth.max(other.depth),
            size: self.size.saturating_add(other.size),
            kinds: self.kinds | other.kinds,
            vars: self.vars | other.vars,
            hash: self.hash,
        }
        .hashed(other.hash)
    }

    /// The same, one level down.
    pub(super) fn nested(self) -> Summary {
        Summary { depth: self.depth + 1, ..self }
    }

    /// With something else that tells it from others.
    pub(super) fn hashed(self, more: u64) -> Summary {
        let hash = (self.hash.rotate_left(5) ^ more).wrapping_mul(0x517c_c1b7_2722_0a95);
        Summary { hash, ..self }
    }

    /// Whether all that occurs in the other one may occur in this one.
    pub(super) fn may_contain(self, other: Summary) -> bool {
        other.size <= self.size && other.vars & !self.vars == 0 && other.kinds & !self.kinds == 0
    }

    /// Whether the variable may occur; no false alarm but for variables that share its bit.
    pub(super) fn may_have(self, var: &Var) -> bool {
        self.vars & bit(var) != 0
    }
}

fn bit(var: &Var) -> u64 {
    1 << (var.id() % 64)
}
