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
    /// `#[backends(..)]`: what it is compiled to.
    pub backends: Backends,
}

/// What a kernel is compiled to.
#[derive(Debug, Clone, Copy)]
pub struct Backends {
    /// OpenCL, for all devices with a driver.
    pub opencl: bool,
    /// Rust, for the processor that the program runs on.
    pub host: bool,
    /// Where the user says so.
    pub written: Option<Span>,
}

impl Default for Backends {
    fn default() -> Backends {
        Backends { opencl: true, host: true, written: None }
    }
}

impl Backends {
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        !self.opencl && !self.host
    }

    /// Those that `others` have, too.
    #[must_use]
    pub fn among(self, others: Backends) -> Backends {
        Backends { opencl: self.opencl && others.opencl, host: self.host && others.host, ..self }
    }
}
