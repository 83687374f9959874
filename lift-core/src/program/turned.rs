//! Another way to cut a kernel for the cores of a CPU: products of rows with rows transpose what lies along the columns first, in a launch of its own.
//!
//! Before: a kernel. After, if it has such a product: a program with a launch more for each of them.

use crate::arith::ArithExpr;
use crate::explore::least::any;
use crate::ir::walk::is_placed;
use crate::ir::{Expr, Kernel, Output};
use crate::machine::turned::{COLUMNS, ROWS};
use crate::program::marks::{Parts, computed};
use crate::program::{Program, items, launches, mark};
use crate::rewrite::position::{join, outside_of_functions};
use crate::rewrite::rules::product::turned::PRODUCT_TURNED;
use crate::rewrite::{Derivation, Strategy, normal};

/// The program, and what should be how large for it to pay.
pub fn for_host(kernel: &Kernel) -> Option<(Program, Vec<(ArithExpr, i64)>)> {
    let is_open = !is_placed(&kernel.body) && kernel.options.work_group.is_empty();
    if !is_open || kernel.outputs.iter().any(|output| *output != Output::Result) {
        return None;
    }
    // Functions of both programs have names of their own.
    let kernel = &Kernel { name: format!("{}Turned", kernel.name), ..kernel.clone() };
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    items::together(kernel, &mut derivation);
    mark(kernel, &mut derivation, Parts::Rows);
    let mut least = Vec::new();
    // What is in a definition does not move those before it.
    for value in computed(&derivation).into_iter().rev() {
        let Some(e) = derivation.get(&value) else { continue };
        for below in outside_of_functions(&e).into_iter().rev() {
            let at = join(&value, &below);
            let Some(extents) = derivation.get(&at).and_then(|e| many(&e)) else { continue };
            if derivation.apply(&PRODUCT_TURNED, &at).is_some() {
                least.push(extents);
            }
        }
    }
    if least.is_empty() {
        return None;
    }
    normal::strategy(Strategy::once).apply(&mut derivation);
    mark(kernel, &mut derivation, Parts::Rows);
    Some((launches(kernel, derivation, false), any(least)))
}

/// The extents of a matrix, if it may have enough rows and columns, and how large they should be.
fn many(e: &Expr) -> Option<Vec<(ArithExpr, i64)>> {
    let (dims, _) = e.ty().shape();
    let [.., rows, columns] = dims.as_slice() else { return None };
    let extents = [(rows.clone(), ROWS), (columns.clone(), COLUMNS)];
    let is_small = |(n, least): &(ArithExpr, i64)| n.as_const().is_some_and(|n| n < *least);
    (!extents.iter().any(is_small)).then(|| extents.to_vec())
}
