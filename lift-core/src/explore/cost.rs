//! Which variant to try first, without measuring.
//!
//! A GPU's caches serve small windows well: there local memory, with its copies and barriers, costs more
//! than it saves. With windows of 7 × 7 points and more it wins. A CPU has no local memory at all: there
//! a copy is only a copy.

use crate::explore::tile;
use crate::explore::variant::Variant;
use crate::ir::Kernel;
use crate::rewrite::normal;

/// Windows with at least so many points are worth a copy to local memory.
const LARGE_WINDOW: i64 = 49;

/// The names of the variants for a GPU, the most promising first.
pub fn gpu_order(kernel: &Kernel, variants: &[Variant]) -> Vec<&'static str> {
    let window = tile::stencil(&normal::normalise(kernel)).map(|(_, stencil)| stencil.points());
    let large = window.is_some_and(|points| points.as_const().is_none_or(|n| n >= LARGE_WINDOW));
    order(variants, if large { "tiled" } else { "naive" })
}

/// The names of the variants for a CPU, the most promising first.
pub fn cpu_order(_: &Kernel, variants: &[Variant]) -> Vec<&'static str> {
    order(variants, "naive")
}

/// All names, `first` first.
fn order(variants: &[Variant], first: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = variants.iter().map(|v| v.name).collect();
    names.sort_by_key(|name| *name != first);
    names
}
