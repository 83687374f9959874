//! Programs that name indices become programs of maps and stencils, from which all families of versions start.
//!
//! Before: a normalised expression. After: the same, in which generated arrays that read neighbours are stencils, and with them those that read elements; and
//! those for which something long is reduced are maps over rows and columns. What only computes elements one by one is as good with indices.

use crate::ir::{Expr, Kind, Prim};
use crate::rewrite::normal;
use crate::rewrite::position;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::index_windows::{ARRAYS_TOGETHER, INDEX_WINDOWS};
use crate::rewrite::rules::indices::{INDEX_MAP, reduces_generated};
use crate::rewrite::strategy::{Derivation, Strategy};

/// More generated arrays than any kernel has.
const MOST_ARRAYS: usize = 100;

/// Whether anything was rewritten.
pub fn from_indices(d: &mut Derivation) -> bool {
    let has_stencils = stencils(d);
    let has_maps =
        reduces_generated(d.expr()) && Strategy::Rule(&INDEX_MAP).bottom_up().repeat(MOST_ARRAYS).apply(d);
    if has_stencils || has_maps {
        normal::strategy(Strategy::once).apply(d);
    }
    has_stencils || has_maps
}

/// Generated arrays become maps over what they read at and around their indices, if there are windows then.
fn stencils(d: &mut Derivation) -> bool {
    let mut raised = d.fork();
    everywhere(&mut raised, &ARRAYS_TOGETHER, &is_tuple);
    everywhere(&mut raised, &INDEX_WINDOWS, &is_generated);
    let has_windows = windows(raised.expr()) > windows(d.expr());
    if has_windows {
        *d = raised;
    }
    has_windows
}

/// Applies a rule to the outermost of such parts, as long as it applies to one.
fn everywhere(d: &mut Derivation, rule: &'static Rule, holds: &dyn Fn(&Expr) -> bool) {
    for _ in 0..MOST_ARRAYS {
        let places = position::outermost(d.expr(), holds);
        if !places.iter().any(|at| d.apply(rule, at).is_some()) {
            return;
        }
    }
}

fn is_generated(e: &Expr) -> bool {
    e.as_prim().is_some_and(|(prim, _)| prim == Prim::Array)
}

/// Whether this is a tuple of generated arrays.
fn is_tuple(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Tuple(parts) if parts.iter().all(is_generated))
}

fn windows(e: &Expr) -> usize {
    let mut found = 0;
    e.visit(&mut |x| found += usize::from(x.as_prim().is_some_and(|(prim, _)| prim == Prim::Slide)));
    found
}
