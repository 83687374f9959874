//! Passes over the statements of a kernel. Each keeps the meaning and stands alone; [`Pass::why_here`] says what it relies on others
//! for.

mod address_cse;
mod barriers_at_top;
mod batch_loads;
mod copy_propagation;
mod dead_code;
mod forward_variables;
mod hoist_ids;
mod join_neighbours;
mod merge_guards;
mod merge_rings;
mod overlay;
mod register_pressure;
pub(super) mod scalar_replacement;
mod sink_stores;
mod slp;
mod streaming_stores;
mod tighten_bounds;
mod trip_counts;
mod unroll;

use crate::arith::Facts;
use crate::imp::ast::{Kernel, Stmt};
use crate::memory::Buffer;

pub(in crate::imp) use join_neighbours::WIDEST;

/// A step from statements to statements.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// What it is called: the name of its file.
    pub name: &'static str,
    /// Why it stands where it does.
    pub why_here: &'static str,
    /// What it does.
    pub run: fn(Kernel) -> Kernel,
}

/// The passes before barriers are inserted, in order.
pub const BEFORE_BARRIERS: &[Pass] = &[
    Pass {
        name: "hoist_ids",
        why_here: "first: all that follows finds ids declared at the top, each once",
        run: hoist_ids::run,
    },
    Pass {
        name: "tighten_bounds",
        why_here: "before scalar replacement: a loop of one trip makes indices numbers",
        run: |kernel| on_body(kernel, |body, _| tighten_bounds::run(body)),
    },
    Pass {
        name: "scalar_replacement",
        why_here: "before guards are merged: arrays between two tests keep them apart, variables do not",
        run: |kernel| on_body(kernel, |body, kernel| scalar_replacement::run(body, &kernel.buffers)),
    },
    Pass {
        name: "merge_nested_guards",
        why_here: "before neighbours are joined: they are looked for within one block",
        run: |kernel| on_body(kernel, |body, kernel| merge_guards::nested(body, &kernel.buffers)),
    },
    Pass {
        name: "join_neighbours",
        why_here: "after scalar replacement, which gives every element a value of its own",
        run: |kernel| {
            on_body(kernel, |body, kernel| {
                join_neighbours::run(body, &kernel.buffers, &kernel.strides, &kernel.facts)
            })
        },
    },
    Pass {
        name: "slp",
        why_here: "after joining: variables become a vector where they get the lanes of one",
        run: |kernel| on_body(kernel, |body, kernel| slp::run(body, &kernel.buffers, &kernel.facts)),
    },
    Pass {
        name: "copy_propagation",
        why_here: "after all that introduces names for lanes and elements",
        run: |kernel| on_body(kernel, |body, _| copy_propagation::run(body)),
    },
    Pass {
        name: "forward_variables",
        why_here: "after copies of constants are gone: a copy of a variable is read directly then",
        run: |kernel| on_body(kernel, |body, _| forward_variables::run(body)),
    },
    Pass {
        name: "dead_code",
        why_here: "after what leaves copies that nobody reads",
        run: |kernel| on_body(kernel, |body, kernel| dead_code::run(body, &kernel.buffers)),
    },
    Pass {
        name: "merge_guards",
        why_here: "after dead code is gone: equal tests stand side by side then",
        run: |kernel| on_body(kernel, |body, _| merge_guards::run(body)),
    },
    Pass {
        name: "address_cse",
        why_here: "when accesses and blocks are what they will be",
        run: |kernel| {
            on_body(kernel, |body, kernel| address_cse::run(body, &kernel.buffers, &|v| kernel.is_size(v)))
        },
    },
    Pass {
        name: "overlay",
        why_here: "last before barriers, which must know who lies in whose place",
        run: overlay::run,
    },
];

/// The passes after barriers were inserted, in order.
pub const AFTER_BARRIERS: &[Pass] = &[
    Pass {
        name: "barriers_at_top",
        why_here: "right after barriers: nothing below looks for them in branches",
        run: |kernel| on_body(kernel, |body, _| barriers_at_top::run(body)),
    },
    Pass {
        name: "trip_counts",
        why_here: "after barriers, which recognise loops that the items of a group share by their bounds",
        run: trip_counts::run,
    },
    Pass {
        name: "streaming_stores",
        why_here: "when no pass will make or join another store",
        run: streaming_stores::run,
    },
    Pass {
        name: "sink_stores",
        why_here: "after barriers: a store moves to the end of its trip, or to the next barrier",
        run: |kernel| on_body(kernel, |body, kernel| sink_stores::run(body, &kernel.buffers)),
    },
    Pass {
        name: "merge_rings",
        why_here: "after stores were moved, which tells rings apart by their arrays",
        run: merge_rings::run,
    },
    Pass {
        name: "register_pressure",
        why_here: "when reads and stores stand where they will",
        run: |kernel| on_body(kernel, |body, _| register_pressure::run(body)),
    },
    Pass {
        name: "batch_loads",
        why_here: "after loads stand where they will: what comes first in a batch stays there",
        run: batch_loads::run,
    },
    Pass {
        name: "unroll",
        why_here: "last: it looks at how long loops are, and at the slots of rings",
        run: |kernel| on_body(kernel, |body, kernel| unroll::run(body, &kernel.facts)),
    },
];

/// The kernel with another body.
fn on_body(mut kernel: Kernel, f: impl FnOnce(Vec<Stmt>, &Kernel) -> Vec<Stmt>) -> Kernel {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = f(body, &kernel);
    kernel
}

/// Only what joins neighbours.
pub(in crate::imp) fn neighbours(body: Vec<Stmt>, buffers: &[Buffer], facts: &Facts) -> Vec<Stmt> {
    join_neighbours::run(body, buffers, &[], facts)
}
