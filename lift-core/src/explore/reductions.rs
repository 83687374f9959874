//! Parallel reductions by work-groups (slides *Performance portable code through rewriting*, after M. Harris).
//!
//! Before: a map whose function reduces a part. After: work-items that read as fast as memory gives, and two rounds in which their sums meet.

use crate::explore::rows::{by_vectors, sized};
use crate::rewrite::Rule;
use crate::rewrite::position;
use crate::rewrite::rules::{partial, place};
use crate::rewrite::strategy::{Derivation, Strategy};

/// Work-items of a group.
pub const GROUP: i64 = 256;

/// How many sums an item adds up in a second step.
pub const STEP: i64 = 16;

/// Work-groups reduce what a map reduces, chunks of a multiple of so many elements for each work-item, which are one load.
pub fn by_groups(d: &mut Derivation, map: &[usize], vector: i64) -> Option<()> {
    d.apply(&place::WORKGROUP[0], map)?;
    vectors(d, &position::body(map), vector)
}

/// The items read what lies side by side, so many elements each, and again further on, before their sums meet.
pub fn vectors(d: &mut Derivation, body: &[usize], vector: i64) -> Option<()> {
    if vector > 1 {
        let [sums] = sized(d, &partial::REDUCE_SPLIT, body, vector)?.focus()?;
        by_vectors(d, &sums);
        Strategy::Rule(&place::REDUCE_SEQ_UNROLL).all().at(sums).apply(d);
    }
    rounds(d, &partial::REDUCE_STRIDED, body, GROUP)?;
    rounds(d, &partial::REDUCE_STRIDED, body, STEP)
}

/// The items share a map, and what it gives.
pub fn shared(d: &mut Derivation, map: &[usize]) -> Option<()> {
    d.apply(&place::LOCAL[0], map)?;
    d.apply(&partial::SHARED_TO_LOCAL, map).map(drop)
}

/// The items reduce a piece each.
pub fn rounds(d: &mut Derivation, rule: &'static Rule, body: &[usize], size: i64) -> Option<()> {
    let [sums] = sized(d, rule, body, size)?.focus()?;
    shared(d, &sums)
}
