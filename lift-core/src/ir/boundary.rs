//! What lies outside an array.

use crate::arith::ArithExpr;
use crate::ir::expr::{Expr, Lambda};

/// What lies outside an array, with constants and functions of these types.
#[derive(Debug, Clone, PartialEq)]
pub enum Boundary<C = Expr, F = Lambda> {
    /// The element at an index that is folded back into the array.
    Fold(Fold),
    /// A scalar or tuple; it fills rows and planes too.
    Constant(C),
    /// The element at the index that the function gives for an index outside and the length.
    Index(F),
    /// What the function gives for an index outside and the length: a scalar or tuple, as for a constant.
    Value(F),
}

impl<C, F> Boundary<C, F> {
    /// The same with other constants and functions, which both need `with` to be made.
    pub fn map<X: ?Sized, D, G>(
        &self,
        with: &mut X,
        constant: impl FnOnce(&mut X, &C) -> D,
        function: impl FnOnce(&mut X, &F) -> G,
    ) -> Boundary<D, G> {
        match self {
            Boundary::Fold(fold) => Boundary::Fold(*fold),
            Boundary::Constant(c) => Boundary::Constant(constant(with, c)),
            Boundary::Index(f) => Boundary::Index(function(with, f)),
            Boundary::Value(f) => Boundary::Value(function(with, f)),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Boundary::Fold(fold) => fold.name(),
            Boundary::Constant(_) => "constant",
            Boundary::Index(_) => "index",
            Boundary::Value(_) => "value",
        }
    }
}

/// A way to fold an index into `0..n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// The nearest element: `a a|a b c|c c`.
    Clamp,
    /// Mirrored, the edge repeated: `b a|a b c|c b`, period `2*n`.
    Mirror,
    /// Mirrored, the edge not repeated: `c b|a b c|b a`, period `2*n - 2`, or 1 for a single element.
    Reflect,
    /// Periodic: `b c|a b c|a b`, period `n`.
    Wrap,
}

impl Fold {
    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Fold> {
        [Fold::Clamp, Fold::Mirror, Fold::Reflect, Fold::Wrap].into_iter().find(|fold| fold.name() == name)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Clamp => "clamp",
            Fold::Mirror => "mirror",
            Fold::Reflect => "reflect",
            Fold::Wrap => "wrap",
        }
    }

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
