//! What is read of arrays around the indices of a nest.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Boundary, Expr, Fold, Kind, Lambda, Param};
use crate::rewrite::rules::nd;

/// What is read of an array in one dimension: a step times the index of the nest, and from `least` to `most` besides.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) step: i64,
    pub(super) least: ArithExpr,
    pub(super) most: ArithExpr,
    /// The trips of the longest loop that reads in the span, among those of a known length: 1 for a single read.
    pub(super) longest: i64,
    /// What becomes of indices outside, if anything is said about it.
    pub(super) fold: Option<Fold>,
}

/// A window with more elements in a dimension is made only for a loop that goes through at least half of them: single reads that lie so far apart share
/// nothing. Not measured.
const MOST_APART: i64 = 32;

impl Span {
    /// Makes it hold another one, too.
    pub(super) fn widen(&mut self, other: &Span, facts: &Facts) -> Option<()> {
        if self.step != other.step {
            return None;
        }
        self.fold = match (self.fold, other.fold) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        self.longest = self.longest.max(other.longest);
        let below = |a: &ArithExpr, b: &ArithExpr| facts.le(a, b).is_yes();
        if !below(&self.least, &other.least) {
            below(&other.least, &self.least).then(|| self.least = other.least.clone())?;
        }
        if !below(&other.most, &self.most) {
            below(&self.most, &other.most).then(|| self.most = other.most.clone())?;
        }
        Some(())
    }

    /// Whether the window is one element.
    fn is_element(&self, facts: &Facts) -> bool {
        facts.eq(&self.least, &self.most).is_yes()
    }

    fn size(&self) -> ArithExpr {
        &self.most - &self.least + 1
    }

    /// The rows of which windows for `n` indices are made, of rows `xs`.
    fn rows(&self, n: &ArithExpr, xs: Expr, facts: &Facts) -> Option<Expr> {
        let len = xs.ty().length();
        let wanted = facts.simplify(&(ArithExpr::cst(self.step) * (n - 1) + self.size()));
        let over = &self.least + &wanted - &len;
        // What is known of a number, and the number if it is above zero.
        let above = |n: &ArithExpr| match (facts.nonneg(&-n.clone()).is_yes(), facts.nonneg(n).is_yes()) {
            (true, _) => Some(ArithExpr::zero()),
            (false, true) => Some(facts.simplify(n)),
            (false, false) => None,
        };
        let (left, right, first) = (above(&-self.least.clone())?, above(&over)?, above(&self.least)?);
        let is_zero = |n: &ArithExpr| n.as_const() == Some(0);
        let mut xs = xs;
        // Indices are folded back into the whole array.
        if !is_zero(&left) || !is_zero(&right) {
            let boundary = Boundary::Fold(self.fold.unwrap_or(Fold::Clamp));
            xs = Expr::pad(left, right, boundary, xs);
        }
        if !is_zero(&first) {
            xs = Expr::drop(first, xs);
        }
        let is_all = facts.eq(&xs.ty().length(), &wanted).is_yes();
        Some(if is_all { xs } else { Expr::take(wanted, xs) })
    }
}

/// An array and what is read of it, the outermost dimension first.
pub(super) struct Input {
    pub(super) array: Expr,
    pub(super) spans: Vec<Span>,
}

impl Input {
    /// Whether one element is read of it for each index, and all of them side by side.
    pub(super) fn is_element(&self, facts: &Facts) -> bool {
        self.spans.iter().all(|span| span.step == 1 && span.is_element(facts))
    }

    pub(super) fn has_windows(&self, facts: &Facts) -> bool {
        self.spans.iter().any(|span| !span.is_element(facts))
    }

    /// Whether the extents of its windows are numbers, and each is small or gone through by a loop.
    pub(super) fn is_dense(&self) -> bool {
        let is_dense = |span: &Span| {
            span.size().as_const().is_some_and(|size| size <= MOST_APART || size <= 2 * span.longest)
        };
        self.spans.iter().all(is_dense)
    }

    /// What is read of it for all indices.
    pub(super) fn part(&self, indices: &[(Param, ArithExpr)], facts: &Facts) -> Option<Expr> {
        let array = rows(&self.spans, indices, self.array.clone(), facts)?;
        let windows: Vec<_> =
            self.spans.iter().map(|span| (span.size(), ArithExpr::cst(span.step))).collect();
        Some(if self.is_element(facts) { array } else { nd::slide_nd(&windows, array) })
    }
}

/// What is read of an array in all dimensions.
fn rows(spans: &[Span], indices: &[(Param, ArithExpr)], xs: Expr, facts: &Facts) -> Option<Expr> {
    let ([span, inner @ ..], [(_, n), below @ ..]) = (spans, indices) else { return Some(xs) };
    let (element, _) = xs.ty().as_array()?;
    let row = Param::new("row", element.clone());
    let body = rows(inner, below, Expr::param(&row), facts)?;
    let is_same = matches!(body.kind(), Kind::Param(_));
    let xs = if is_same { xs } else { Expr::map(Lambda { params: vec![row], body }, xs) };
    span.rows(n, xs, facts)
}
