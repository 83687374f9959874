//! What the user says about how a kernel is to be derived: `#[strategy(rows: tile2d(1, 4).to_private())]`.
//!
//! Before: an attribute whose shape is legal. Which steps there are, and what they take, is looked up in `explore`.

use crate::span::Span;

/// What a strategy without a name is called.
pub const UNNAMED: &str = "strategy";

/// A strategy: the steps that lead to one more version of a kernel.
#[derive(Debug, Clone)]
pub struct UserStrategy {
    /// What the version is called.
    pub name: String,
    /// Where the name stands; the attribute if it has none.
    pub named: Span,
    /// The steps, the first one first.
    pub steps: Vec<UserStep>,
    /// The attribute.
    pub span: Span,
}

/// A step, such as `tile2d(1, 4)`.
#[derive(Debug, Clone)]
pub struct UserStep {
    /// What is to be done.
    pub name: String,
    /// Where the name stands.
    pub named: Span,
    /// Numbers; `None` for whatever else stands there.
    pub args: Vec<(Option<i64>, Span)>,
    /// All of the step.
    pub span: Span,
}
