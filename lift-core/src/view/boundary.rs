//! Indices outside an array, folded back into it.

use crate::arith::ArithExpr;

/// A way to fold an index into `0..n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// The nearest element.
    Clamp,
    /// Mirrored, the edge repeated: period `2*n`.
    Mirror,
    /// Mirrored, the edge not repeated: period `2*n - 2`, or 1 for a single element.
    Reflect,
    /// Periodic: period `n`.
    Wrap,
}

impl Fold {
    /// The index inside that index `i` of an array of `n >= 1` elements stands for, for any `i`.
    pub fn index(self, i: &ArithExpr, n: &ArithExpr) -> ArithExpr {
        let last = n - 1;
        match self {
            Fold::Clamp => i.min(&last).max(&ArithExpr::zero()),
            Fold::Wrap => i.modulo(n),
            Fold::Mirror => {
                let j = i.modulo(&(n * 2));
                j.min(&(n * 2 - 1 - &j))
            }
            Fold::Reflect => {
                let period = (n * 2 - 2).max(&ArithExpr::one());
                let j = i.modulo(&period);
                // For a single element the period is 1 and `j` is 0, but `2*n - 2 - j` is 0 too.
                j.min(&(n * 2 - 2 - &j))
            }
        }
    }
}
