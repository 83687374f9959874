//! Which variant to try first, without measuring.
//!
//! A GPU's caches serve small windows well: there local memory, with its copies and barriers, costs more
//! than it saves, and blocks in registers win, because they keep more bytes in flight. With windows of 7 × 7 points and
//! more, local memory wins: in two passes, or with blocks in registers inside of tiles, where that can be. Where data decide
//! whether a window is read at all, a block would read all of them. A loop through the planes wins where windows are too deep
//! for blocks. Several steps in one launch read and write the array once for all of them. Products in blocks and rows by groups
//! read a fraction of what a work-item for each result does, or read it together. A CPU has no local memory at all: there a
//! copy is only a copy.

use crate::explore::tile;
use crate::ir::{Expr, Kernel, Kind};
use crate::rewrite::normal;
use crate::rewrite::rules::stencil::Stencil;

/// Windows of which at least so many points are read are worth a copy to local memory.
const LARGE_WINDOW: i64 = 49;

/// The names of the variants for a GPU, the most promising first. A program of several launches is given by all
/// of them, with the names that the variants have together.
pub fn gpu_order(launches: &[Kernel], names: &[&'static str]) -> Vec<&'static str> {
    let stencil = |kernel| tile::stencil(&normal::normalise(kernel)).map(|(_, stencil)| stencil);
    let stencils: Vec<Stencil> = launches.iter().filter_map(stencil).collect();
    let is_large = |stencil: &Stencil| stencil.reads().as_const().is_none_or(|n| n >= LARGE_WINDOW);
    // What is there only where it pays.
    const FIRST: [&str; 5] = ["passes", "blocked", "rows", "separated", "window_rows"];
    let first = if let Some(first) = FIRST.into_iter().find(|name| names.contains(name)) {
        first
    } else if stencils.iter().any(is_large) {
        "tiled"
    } else if stencils.iter().any(skips_windows) {
        "naive"
    } else if names.contains(&"registers") {
        "registers"
    } else {
        "marching"
    };
    order(names, first)
}

/// Whether a window is perhaps not read: the function chooses between two values, one of which needs none.
fn skips_windows(stencil: &Stencil) -> bool {
    let mut chosen = &stencil.f.body;
    while let Kind::Let(_, _, body) = chosen.kind() {
        chosen = body;
    }
    let reads = |e: &Expr| {
        let mut reads = false;
        e.visit(&mut |x| reads |= matches!(x.kind(), Kind::Prim(..)));
        reads
    };
    match chosen.kind() {
        Kind::If(_, a, b) => stencil.has_windows() && reads(a) != reads(b),
        _ => false,
    }
}

/// The names of the variants for a CPU, the most promising first.
pub fn cpu_order(names: &[&'static str]) -> Vec<&'static str> {
    order(names, if names.contains(&"rows_first") { "rows_first" } else { "naive" })
}

/// All names, `first` first.
fn order(names: &[&'static str], first: &str) -> Vec<&'static str> {
    let mut names = names.to_vec();
    names.sort_by_key(|name| *name != first);
    names
}
