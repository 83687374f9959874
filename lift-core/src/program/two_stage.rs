//! Another way to cut a kernel: what reduces much to few results is reduced in two launches.
//!
//! Before: a kernel. After: a program in which the first launch reduces chunks of everything that is long, for each result, and the second one what these
//! give. Without it, most of a device with many work-items has nothing to do: 16 rows of a million elements are 16 work-groups, and the sums of three columns
//! are three work-items.

use crate::arith::ArithExpr;
use crate::explore::Reason;
use crate::explore::stages::in_stages;
use crate::ir::walk::is_placed;
use crate::ir::{Kernel, Memory, Output, Prim};
use crate::program::{Program, items, launches, mark, marks};
use crate::rewrite::position::{OF, join};
use crate::rewrite::{Derivation, Strategy, normal};

/// What versions of such a program are called.
pub const NAME: &str = "two_stage";

/// The program with two launches for each long reduction, and how many chunks there should be at least.
pub fn cut(kernel: &Kernel) -> Result<(Program, Vec<(ArithExpr, i64)>), Reason> {
    if is_placed(&kernel.body) || !kernel.options.work_group.is_empty() {
        return Err("the kernel says itself where things run".into());
    }
    if kernel.outputs.iter().any(|output| *output != Output::Result) {
        return Err("the kernel replaces what it reads".into());
    }
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation);
    let (mut least, mut why) = (Vec::new(), None);
    // What is in a definition does not move those before it.
    for position in marks::values(derivation.expr()).into_iter().rev() {
        let is_stored = derivation
            .get(&position)
            .is_some_and(|e| matches!(e.as_prim(), Some((Prim::Store(Memory::Temporary), _))));
        let value = if is_stored { join(&position, &[OF]) } else { position };
        match in_stages(&mut derivation, &value) {
            Ok(chunks) => least.extend(chunks),
            Err(reason) => why = Some(reason),
        }
    }
    if let (true, Some(why)) = (least.is_empty(), why) {
        return Err(why);
    }
    normal::strategy(Strategy::once).apply(&mut derivation);
    mark(kernel, &mut derivation);
    Ok((launches(kernel, derivation, false), least))
}
