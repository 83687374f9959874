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
    /// The number by which indices repeat; `None` if they do not.
    pub fn period(self, n: &ArithExpr) -> Option<ArithExpr> {
        match self {
            Fold::Clamp => None,
            Fold::Wrap => Some(n.clone()),
            Fold::Mirror => Some(n * 2),
            Fold::Reflect => Some(ArithExpr::max(&(n * 2 - 2), &ArithExpr::one())),
        }
    }

    /// The index inside that index `i` of an array of `n >= 1` elements stands for. Where indices repeat, `i`
    /// is taken to lie in the first period.
    pub fn inside(self, i: &ArithExpr, n: &ArithExpr) -> ArithExpr {
        match self {
            Fold::Clamp => ArithExpr::max(&i.min(&(n - 1)), &ArithExpr::zero()),
            Fold::Wrap => i.clone(),
            Fold::Mirror => i.min(&(n * 2 - 1 - i)),
            // For a single element both are 0.
            Fold::Reflect => i.min(&(n * 2 - 2 - i)),
        }
    }
}
