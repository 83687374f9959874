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

/// The program with two launches for each long reduction, and what should be how large for it to pay.
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
            Ok(needed) => least.push(needed),
            Err(reason) => why = Some(reason),
        }
    }
    if let (true, Some(why)) = (least.is_empty(), why) {
        return Err(why);
    }
    normal::strategy(Strategy::once).apply(&mut derivation);
    mark(kernel, &mut derivation);
    Ok((launches(kernel, derivation, false), any(least)))
}

/// What should be how large for one of these to hold: what is cut without need takes little longer.
fn any(mut all: Vec<Vec<(ArithExpr, i64)>>) -> Vec<(ArithExpr, i64)> {
    if all.len() == 1 {
        return all.remove(0);
    }
    let room = |one: &Vec<(ArithExpr, i64)>| {
        let each = one.iter().map(|(extent, least)| extent - &ArithExpr::cst(*least));
        each.reduce(|a, b| ArithExpr::min(&a, &b))
    };
    // One that always holds is enough.
    let rooms: Option<Vec<ArithExpr>> = all.iter().map(room).collect();
    let most = rooms.and_then(|rooms| rooms.into_iter().reduce(|a, b| ArithExpr::max(&a, &b)));
    most.map(|most| (most, 0)).into_iter().collect()
}
