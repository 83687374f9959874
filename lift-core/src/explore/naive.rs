//! One work-item per element of the result.
//!
//! Before: a normalised expression. After: the outermost maps of the result, at most three, are
//! `map_global`, those inside them loops, and so are all reductions.

use crate::explore::reason::{NO_NEST, Reason};
use crate::explore::variant::Variant;
use crate::rewrite::layout::replaced;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::place;
use crate::rewrite::strategy::Derivation;

/// The variant that a normalised expression becomes.
pub(super) fn variant(mut derivation: Derivation) -> Variant {
    global(&mut derivation);
    place::reduce_everything(&mut derivation);
    Variant::of("naive", derivation)
}

/// Places the maps that write the result.
pub(super) fn global(derivation: &mut Derivation) {
    global_and(derivation, &place::SEQ);
}

/// The same, with a rule for the maps inside those of work-items.
pub(super) fn global_and(derivation: &mut Derivation, deeper: &'static Rule) {
    global_in(derivation, place::GLOBAL.len(), deeper);
}

/// The same in so many dimensions at most.
pub(super) fn global_in(derivation: &mut Derivation, most: usize, deeper: &'static Rule) {
    let root = replaced(derivation.expr());
    place::write_everything(derivation, &root);
    let depth = derivation.get(&root).map_or(0, |e| place::depth(&e));
    let dims = depth.min(most);
    place::nest(derivation, &root, &outermost_first(&place::GLOBAL, dims), Some(deeper));
}

/// The rules for `dims` nested maps: the innermost gets dimension 0.
pub(super) fn outermost_first(rules: &'static [Rule; 3], dims: usize) -> Vec<&'static Rule> {
    rules[..dims].iter().rev().collect()
}

/// The maps around the innermost one of a nest are for work-groups, in other dimensions than its own.
pub(super) fn groups_around(d: &mut Derivation, path: &[usize], dims: usize) -> Result<(), Reason> {
    if dims == 1 {
        return Ok(());
    }
    let outer = &outermost_first(&place::WORKGROUP, dims)[..dims - 1];
    let placed = place::nest(d, path, outer, None);
    (placed.len() == dims - 1).then_some(()).ok_or(NO_NEST)
}
