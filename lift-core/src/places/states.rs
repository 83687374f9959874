//! What reductions and scans accumulate: one work-item keeps it, unless its elements are accumulated each by themselves.

use crate::diag::Diagnostics;
use crate::ir::walk::is_placed;
use crate::ir::{Arg, ByKey, Expr, Kernel, Prim};
use crate::places::error;
use crate::rewrite::by_column::by_column;
use crate::rewrite::normal;
use crate::rewrite::strategy::{Derivation, Strategy};

/// Reports every reduction, scan and fold with a state that is too large, and every `reduce_by_key` that combines arrays, of those that do
/// not combine element by element.
pub(super) fn check(kernel: &Kernel, diags: &mut Diagnostics) {
    let has_large = kernel.body.any(&|e| state(e).is_some());
    if !has_large {
        return;
    }
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    if !is_placed(&kernel.body) {
        by_column(&mut derivation);
    }
    derivation.expr().visit(&mut |e| {
        if let Some((prim, z)) = state(e) {
            diags.push(match prim {
                Prim::ReduceByKey(_) => error::combined_arrays(e.span(), prim.name(), z.ty()),
                _ => error::large_state(e, prim),
            });
        }
    });
}

/// What accumulates more than a work-item keeps, and its start value.
fn state(e: &Expr) -> Option<(Prim, &Expr)> {
    let (prim, args) = e.as_prim()?;
    let z = args.iter().find_map(Arg::data)?;
    let is_too_large = match prim {
        Prim::ReduceByKey(ByKey::Whole) => z.ty().contains_array(),
        // Of `scan_with`, which also gives something out, the type checker knows more.
        Prim::ScanWith => false,
        _ => prim.accumulates() && z.ty().contains_array() && z.ty().small_count(&Clone::clone).is_none(),
    };
    is_too_large.then_some((prim, z))
}
