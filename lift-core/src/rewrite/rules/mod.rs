//! The rules. Each is listed in [`ALL`], and each has a property test.

// Fewer nodes.
pub mod control;
pub mod fusion;
pub mod permute;
pub mod simplify;

// Shapes of any number of dimensions.
pub mod nd;

// Structure.
pub mod stencil;

// Decisions: where values are kept, and who computes them.
pub mod memory;
pub mod place;

// Decisions: what is a launch of its own.
pub mod reduction;
pub mod scan;
pub mod store;
pub mod together;

use crate::rewrite::rule::Rule;

/// Every rule.
pub static ALL: &[&Rule] = &[
    &simplify::LET_UNUSED,
    &simplify::LET_VIEW,
    &simplify::LET_ONCE,
    &simplify::LET_LET,
    &simplify::LET_OUT,
    &simplify::LET_PARTS,
    &simplify::MAP_ID,
    &simplify::TUPLE_FIELDS,
    &simplify::TRANSPOSE_TRANSPOSE,
    &simplify::JOIN_SPLIT,
    &simplify::SPLIT_JOIN,
    &simplify::TAKE_ALL,
    &simplify::DROP_NONE,
    &simplify::PAD_NONE,
    &simplify::SIZES,
    &permute::REORDER_ID,
    &permute::REORDER_BACK,
    &permute::SCATTER_REORDER,
    &permute::REORDER_SCATTER,
    &control::ITERATE_NONE,
    &control::ITERATE_ONCE,
    &control::ITERATE_UNROLL,
    &control::UNZIP_ZIP,
    &control::CONCAT_CONCAT,
    &control::TAKE_CONCAT,
    &control::DROP_CONCAT,
    &fusion::MAP_MAP,
    &stencil::OVERLAPPED_TILING,
    &stencil::MARCH,
    &memory::TILE_TO_LOCAL,
    &memory::TILE_TO_PRIVATE,
    &memory::ROWS_TO_PRIVATE,
    &store::STORE,
    &reduction::REDUCE_ROWS,
    &reduction::REDUCE_CHUNKS,
    &reduction::REDUCE_ONE_CHUNK,
    &reduction::REDUCE_BY_GROUPS,
    &scan::SCAN_CHUNKS,
    &together::REDUCE_TOGETHER,
    &place::COPY,
    &place::GLOBAL[0],
    &place::GLOBAL[1],
    &place::GLOBAL[2],
    &place::WORKGROUP[0],
    &place::WORKGROUP[1],
    &place::WORKGROUP[2],
    &place::LOCAL[0],
    &place::LOCAL[1],
    &place::LOCAL[2],
    &place::SEQ,
    &place::SEQ_UNROLL,
    &place::REDUCE_SEQ_UNROLL,
    &place::REDUCE_SEQ,
    &place::FOLD_SEQ,
    &place::SCAN_SEQ,
    &place::SCAN,
];
