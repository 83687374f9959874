//! Which variant to try first, without measuring.
//!
//! A GPU's caches serve small windows well: there local memory, with its copies and barriers, costs more
//! than it saves, and blocks in registers win, because they keep more bytes in flight. With windows of 7 × 7 points and
//! more, local memory wins. A loop through the planes wins where windows are too deep for blocks. A CPU has no local memory at all: there a copy is only a copy.

use crate::explore::tile;
use crate::ir::Kernel;
use crate::rewrite::normal;

/// Windows of which at least so many points are read are worth a copy to local memory.
const LARGE_WINDOW: i64 = 49;

/// The names of the variants for a GPU, the most promising first. A program of several launches is given by all
/// of them, with the names that the variants have together.
pub fn gpu_order(launches: &[Kernel], names: &[&'static str]) -> Vec<&'static str> {
    let large = |kernel: &Kernel| {
        let reads = tile::stencil(&normal::normalise(kernel)).map(|(_, stencil)| stencil.reads());
        reads.is_some_and(|reads| reads.as_const().is_none_or(|n| n >= LARGE_WINDOW))
    };
    let first = match launches.iter().any(large) {
        true => "tiled",
        false if names.contains(&"registers") => "registers",
        false => "marching",
    };
    order(names, first)
}

/// The names of the variants for a CPU, the most promising first.
pub fn cpu_order(names: &[&'static str]) -> Vec<&'static str> {
    order(names, "naive")
}

/// All names, `first` first.
fn order(names: &[&'static str], first: &str) -> Vec<&'static str> {
    let mut names = names.to_vec();
    names.sort_by_key(|name| *name != first);
    names
}
