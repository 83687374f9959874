//! The other way to cut a kernel: what a window needs of its rows is computed in a launch of its own.
//!
//! Before: a kernel. After, if its value is a function of large windows that uses nothing but a function of each row of a
//! window, and if it is one launch otherwise: a program of two, rows first. That takes as many operations as rows and columns have points, where
//! a window for itself takes as many as it has points, and no local memory.

use crate::explore::reason::written_stencil;
use crate::explore::separated::{NOT_BY_ROW, small};
use crate::explore::{Reason, factored, is_large};
use crate::ir::Kernel;
use crate::program::{Program, cut_from};
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::separable;
use crate::rewrite::{Derivation, Strategy, normal};

/// What versions of such a program are called.
pub const NAME: &str = "rows_first";

/// The program with a launch for the rows.
pub fn cut(kernel: &Kernel) -> Result<Program, Reason> {
    let mut derivation = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    factored(&mut derivation, &[], is_large);
    if !kernel.options.work_group.is_empty() {
        return Err("the kernel says itself where things run".into());
    }
    let (root, found) = written_stencil(&derivation)?;
    if !is_large(&found) {
        return Err(small(&found));
    }
    separable::by_row(&mut derivation, &position::join(&root, &[BODY, BODY]));
    let separate = |rule| Strategy::Rule(rule).at(root.clone());
    let both = Strategy::Seq(vec![separate(&separable::SEPARATE), separate(&separable::PASS_STORED)]);
    if !both.apply(&mut derivation) {
        return Err(NOT_BY_ROW);
    }
    normal::strategy(Strategy::once).apply(&mut derivation);
    Ok(cut_from(kernel, derivation))
}
