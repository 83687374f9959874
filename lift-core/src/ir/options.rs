//! What the user says about a kernel beside what it computes.

use super::strategy::UserStrategy;
use crate::span::Span;

/// What attributes say about a kernel. Those that nobody wrote are empty.
#[derive(Debug, Clone, Default)]
pub struct KernelOptions {
    /// `#[work_group(..)]`: the work-items of a group in every dimension.
    pub work_group: Vec<i64>,
    /// `#[stores(streaming)]`: vectors of the results go past the caches. Where it says so.
    pub streaming: Option<Span>,
    /// `#[approximate(..)]`: how much constant weights may differ from those that are used, as a part of the largest of them.
    pub tolerance: Option<f64>,
    /// `#[strategy(..)]`: one more version for each.
    pub strategies: Vec<UserStrategy>,
}
