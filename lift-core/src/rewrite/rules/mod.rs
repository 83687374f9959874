//! The rules. Each is listed in `lift-laws`, where it has a property test; those that no version needs are there, too.
#![allow(missing_docs, reason = "a rule says in its field `about` what it does")]

// What is rounded.
pub mod contract;

// Fewer nodes.
pub mod control;
pub mod fusion;
pub mod permute;
pub mod simplify;

// Terms that rules build; shapes of any number of dimensions.
mod build;
pub mod nd;

// Structure.
pub mod channels;
pub mod coarsen;
pub mod collapse;
pub mod interchange;
pub mod interior;
pub mod low_rank;
pub mod one_dimension;
pub mod rows;
pub mod rows_apart;
pub mod rows_stored;
pub mod separable;
pub mod short_rows;
pub mod stencil;
pub mod steps;
pub mod windows_together;

// Decisions: where values are kept, and who computes them.
pub mod memory;
pub mod place;
pub mod sink;
pub mod skip;

// Reductions in parts, and products.
pub mod columns;
pub mod components;
pub mod jointly;
pub mod partial;
pub mod product;

// Decisions: what is a launch of its own.
pub mod by_key;
pub mod by_key_scalars;
pub mod exact_folds;
pub mod hoist;
pub mod in_order;
pub mod index_windows;
pub mod indices;
pub mod items;
pub mod keys;
pub mod lanes;
pub mod reduction;
pub mod scan;
pub mod scan_blocks;
pub mod scan_chunks;
pub mod scan_stages;
pub mod scan_strips;
pub mod stages;
pub mod stages_twice;
pub mod store;
pub mod strided;
pub mod together;
pub mod whole_vectors;

use crate::rewrite::rule::Rule;

/// The rules that combine what a reduction or a scan combines in another order, or in other groups. Of floats, sums and products are then rounded
/// elsewhere.
static REGROUPING: &[&Rule] = &[
    &keys::REDUCE_WHERE,
    &by_key::BY_KEY_CHUNKS,
    &by_key::BY_KEY_SHORT_CHUNKS,
    &by_key::BY_KEY_GROUPS,
    &by_key::BY_KEY_ATOMIC,
    &separable::REDUCE_EACH_ROW,
    &low_rank::LOW_RANK,
    &partial::REDUCE_SPLIT,
    &partial::REDUCE_STRIDED,
    &partial::REDUCE_REST,
    &partial::REDUCE_SHORT,
    &partial::REDUCE_ZIP,
    &product::contraction::CONTRACTION,
    &product::blocks::BLOCK_PRODUCT[0],
    &product::blocks::BLOCK_PRODUCT[1],
    &product::blocks::BLOCK_PRODUCT[2],
    &reduction::REDUCE_ROWS,
    &reduction::REDUCE_CHUNKS,
    &reduction::REDUCE_BLOCKS,
    &reduction::REDUCE_ONE_CHUNK,
    &reduction::REDUCE_BY_GROUPS,
    &columns::REDUCE_COLUMNS[0],
    &columns::REDUCE_COLUMNS[1],
    &columns::REDUCE_COLUMNS[2],
    &stages::REDUCE_IN_STAGES[0],
    &stages::REDUCE_IN_STAGES[1],
    &stages::REDUCE_IN_STAGES[2],
    &stages::REDUCE_IN_STAGES[3],
    &stages::REDUCE_IN_STAGES[4],
    &stages::REDUCE_IN_STAGES[5],
    &stages::REDUCE_IN_STAGES[6],
    &stages::REDUCE_IN_STAGES[7],
    &stages_twice::REDUCE_TWICE_IN_STAGES[0],
    &stages_twice::REDUCE_TWICE_IN_STAGES[1],
    &scan_chunks::SCAN_CHUNKS,
    &scan_chunks::SCAN_FROM_SUMS,
    &scan_stages::SCAN_ROWS,
    &scan_stages::SCAN_COLUMNS,
    &scan::SCAN_BY_GROUP,
    &scan_blocks::SCAN_HELD,
    &scan_blocks::SCAN_SHORT,
    &scan_strips::SCAN_STRIPS[0],
    &scan_strips::SCAN_STRIPS[1],
    &together::REDUCE_TOGETHER,
    &lanes::REDUCE_IN_VECTORS[0].1[0],
    &lanes::REDUCE_IN_VECTORS[0].1[1],
    &lanes::REDUCE_IN_VECTORS[1].1[0],
    &lanes::REDUCE_IN_VECTORS[1].1[1],
];

/// Whether a rule is one of those that regroup.
pub fn regroups(rule: &Rule) -> bool {
    REGROUPING.iter().any(|other| other.name == rule.name)
}
