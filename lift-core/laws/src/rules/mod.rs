//! All rules, by what they are about: those of the compiler, and those that derivations alone need, which are here.
#![allow(missing_docs, reason = "a rule says in its field `about` what it does")]

// Structure.
pub mod divide;
pub mod fission;
pub mod interchange;
pub mod movement;
pub mod points;

// Decisions.
pub mod copies;
pub mod warps;

// Reductions in parts.
pub mod rounds;

use lift_core::rewrite::Rule;
use lift_core::rewrite::rules::{
    self as compiler, by_key, by_key_scalars, coarsen, columns, components, contract, control, exact_folds,
    fusion, hoist, in_order, index_windows, indices, interior, items, jointly, keys, lanes, low_rank, memory,
    partial, permute, place, product, reduction, rows, rows_apart, rows_stored, scan, scan_blocks,
    scan_chunks, scan_stages, scan_strips, separable, short_rows, simplify, sink, skip, stages, stages_twice,
    stencil, steps, store, strided, together, whole_vectors, windows_together,
};

/// The rules here that combine what a reduction combines in another order, or in other groups.
static REGROUPING: &[&Rule] =
    &[&fission::FOLD_REDUCE, &rounds::REDUCE_ONE, &rounds::REDUCE_TREE, &rounds::EVERY, &rounds::INTERLEAVE];

/// Whether a rule is one of those that regroup.
pub fn regroups(rule: &Rule) -> bool {
    compiler::regroups(rule) || REGROUPING.iter().any(|other| other.name == rule.name)
}

/// Rules of one kind.
pub struct Family {
    /// What they are about.
    pub title: &'static str,
    /// What they are for, if the title does not say so.
    pub about: &'static str,
    /// The rules.
    pub rules: &'static [&'static Rule],
}

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.rules.iter().copied())
}

/// Every rule, by what it is about.
pub static FAMILIES: &[Family] = &[
    Family {
        title: "Rounding",
        about: "Which products are added without being rounded before. It is decided once, before any version is made.",
        rules: &[&contract::CONTRACT],
    },
    Family {
        title: "Rows that are combined",
        about: "What combines rows element by element accumulates a number for each column, and no array. It is decided once, before any version is made.",
        rules: &[
            &components::COMPONENTS,
            &components::COUNTED,
            &by_key_scalars::BY_KEY_SCALARS,
            &exact_folds::FOLD_EXACT,
        ],
    },
    Family {
        title: "Definitions and tuples",
        about: "What a variable stands for is put in its place if that costs nothing, and moved out of the way otherwise.",
        rules: &[
            &simplify::LET_UNUSED,
            &simplify::LET_VIEW,
            &simplify::LET_ONCE,
            &simplify::LET_LET,
            &simplify::LET_OUT,
            &simplify::LET_PARTS,
            &simplify::TUPLE_FIELDS,
            &control::UNZIP_ZIP,
        ],
    },
    Family {
        title: "Identities and inverses",
        about: "What changes nothing goes.",
        rules: &[
            &simplify::MAP_ID,
            &simplify::TRANSPOSE_TRANSPOSE,
            &simplify::JOIN_SPLIT,
            &simplify::SPLIT_JOIN,
            &simplify::TAKE_ALL,
            &simplify::DROP_NONE,
            &simplify::PAD_NONE,
            &simplify::SIZES,
        ],
    },
    Family {
        title: "Permutations",
        about: "An order that is read and one that is written are the same thing if the inverse is known.",
        rules: &[
            &permute::REORDER_ID,
            &permute::REORDER_BACK,
            &permute::SCATTER_REORDER,
            &permute::REORDER_SCATTER,
            &permute::MAP_SCATTER,
        ],
    },
    Family {
        title: "Repetition and concatenation",
        about: "",
        rules: &[
            &control::ITERATE_NONE,
            &control::ITERATE_ONCE,
            &control::ITERATE_UNROLL,
            &control::UNTIL_NONE,
            &control::UNTIL_NEVER,
            &steps::ITERATE_PARTS,
            &steps::ITERATE_MORE,
            &scan::SCAN_WITH,
            &control::CONCAT_CONCAT,
            &control::TAKE_CONCAT,
            &control::DROP_CONCAT,
        ],
    },
    Family {
        title: "Movements",
        about: "How what moves elements passes `map`, and other movements. Boundaries that are elements are clamp, mirror, reflect, wrap, and functions that give an \
                index.",
        rules: &movement::MOVEMENTS,
    },
    Family { title: "Fusion", about: "", rules: &[&fusion::MAP_MAP] },
    Family {
        title: "Fission",
        about: "The way back: every traversal computes one thing.",
        rules: &[
            &fission::FISSION,
            &fission::FISSION_PAIR,
            &fission::FISSION_ARGUMENT,
            &fission::FISSION_VIEW,
            &fission::FISSION_TUPLE,
            &fission::FISSION_ZIP,
            &fission::FISSION_FOLD,
            &fission::FOLD_REDUCE,
        ],
    },
    Family {
        title: "Divide and conquer",
        about: "Traversals and loops in pieces; `P` is chosen later. The order of what loops combine stays.",
        rules: &[&divide::MAP_SPLIT, &divide::FOLD_SPLIT, &divide::FOLD_NONE, &divide::SPLIT_ZIP],
    },
    Family {
        title: "Interchange",
        about: "The inner loop becomes the outer one.",
        rules: &[
            &interchange::INTERCHANGE_MAPS,
            &interchange::TRANSPOSE_MAPS,
            &compiler::interchange::ROWS_OUTERMOST,
            &compiler::collapse::COLLAPSE,
            &interchange::MAP_REDUCE,
            &interchange::MAP_VIEW,
            &interchange::ZIP_VIEW,
        ],
    },
    Family {
        title: "Stencils",
        about: "Tiles of windows, in any number of dimensions: their sizes may be variables, for work-groups, or numbers, for blocks in registers. \
                Marching gives the outermost dimension to a loop.",
        rules: &[
            &compiler::one_dimension::WINDOWS_OF_ONE,
            &windows_together::BATCH_WINDOWS,
            &windows_together::EACH_MATRIX,
            &compiler::channels::CHANNELS,
            &windows_together::FUSE_PARTS,
            &windows_together::WINDOWS_TOGETHER,
            &stencil::OVERLAPPED_TILING,
            &stencil::WHOLE_BLOCKS,
            &stencil::MARCH,
            &stencil::INTERCHANGE[0],
            &stencil::INTERCHANGE[1],
            &interior::INTERIOR,
        ],
    },
    Family {
        title: "Several steps at once",
        about: "What several steps of a stencil make of a tile needs no memory but that of the tile.",
        rules: &[
            &steps::TIME_TILING,
            &steps::STREAM_STEPS,
            &steps::STREAM_STAGES,
            &steps::STREAM,
            &steps::SWEEP_STEPS,
            &steps::SWEEP_STAGES,
        ],
    },
    Family {
        title: "Windows row by row",
        about: "A reduction of every window of a block becomes one loop over the rows that the block needs. The order of additions stays.",
        rules: &[
            &rows::MAP_JOIN,
            &rows::ZIP_JOIN,
            &rows::ZIP_MAP,
            &place::REDUCE_FOLD,
            &rows::REDUCE_JOIN,
            &rows::FOLD_MAP,
            &rows::AFTER_FOLD,
            &rows::FOLD_WINDOWS,
        ],
    },
    Family {
        title: "Two passes",
        about: "Rows first, then columns, if a window is used row by row, or if its weights are numbers that are products.",
        rules: &[
            &separable::REDUCE_EACH_ROW,
            &low_rank::CONSTANT,
            &low_rank::CONSTANT_MAP,
            &low_rank::LOW_RANK,
            &separable::SEPARATE,
            &separable::SEPARATE_PARTS,
            &separable::PASS_TO_LOCAL,
            &rows_apart::EACH_COLUMN,
            &rows_apart::ROWS_APART,
            &rows_stored::ROWS_STORED,
        ],
    },
    Family {
        title: "Memory",
        about: "Where a tile is kept.",
        rules: &[
            &memory::TILE_TO_LOCAL,
            &memory::PARTS_TO_LOCAL,
            &copies::TILE_TO_GLOBAL,
            &memory::TILE_TO_PRIVATE,
            &memory::LET_TO_PRIVATE,
            &memory::ROWS_TO_PRIVATE,
            &memory::WINDOWS_TO_LOCAL,
            &memory::ROW_TO_PRIVATE,
            &copies::ROUND_TO_LOCAL,
            &memory::TRANSPOSED_TILE,
            &memory::WIDER_ROWS,
            &skip::SKIP_BLOCK,
            &skip::SKIP_VECTOR,
            &skip::LET_INTO_ARM,
        ],
    },
    Family {
        title: "Reductions in parts",
        about: "A reduction takes its elements in any order and in any groups; `P` is chosen later. A product is a reduction for every pair of a row \
                and a column.",
        rules: &[
            &partial::REDUCE_SPLIT,
            &partial::REDUCE_STRIDED,
            &partial::REDUCE_REST,
            &partial::REDUCE_SHORT,
            &partial::REDUCE_ZIP,
            &rounds::REDUCE_ONE,
            &rounds::REDUCE_TREE,
            &rounds::EVERY,
            &rounds::INTERLEAVE,
            &partial::SPLIT_MAP,
            &partial::TAKE_MAP,
            &partial::ZIP_PART,
            &partial::SHARED_TO_LOCAL,
            &rounds::GROUPS_STORED,
            &product::contraction::CONTRACTION,
            &product::blocks::BLOCK_PRODUCT[0],
            &product::blocks::BLOCK_PRODUCT[1],
            &product::blocks::BLOCK_PRODUCT[2],
            &product::panels::PRODUCT_IN_VECTORS[0].1,
            &product::panels::PRODUCT_IN_VECTORS[1].1,
            &product::panels::PRODUCT_IN_PANELS[0].1,
            &product::panels::PRODUCT_IN_PANELS[1].1,
            &product::turned::PRODUCT_TURNED,
        ],
    },
    Family {
        title: "Launches",
        about: "What is stored between launches; reductions and scans of whole arrays become chunks.",
        rules: &[
            &store::STORE,
            &store::STORE_INSIDE,
            &in_order::STORE_TURNED,
            &in_order::ROWS_TURNED,
            &in_order::RESULT_TURNED,
            &store::STORE_CHANNELS,
            &store::RECOMPUTE,
            &store::LET_MAP,
            &sink::SINK_LET,
            &hoist::HOIST_LET,
            &index_windows::ARRAYS_TOGETHER,
            &index_windows::INDEX_WINDOWS,
            &indices::INDEX_MAP,
            &indices::ARRAY_MAP,
            &reduction::REDUCE_ROWS,
            &keys::REDUCE_WHERE,
            &keys::FOLD_BY_KEY,
            &keys::BY_KEY_WHOLE,
            &by_key::BY_KEY_CHUNKS,
            &by_key::BY_KEY_SHORT_CHUNKS,
            &by_key::BY_KEY_GROUPS,
            &by_key::BY_KEY_ATOMIC,
            &reduction::REDUCE_CHUNKS,
            &reduction::REDUCE_BLOCKS,
            &reduction::REDUCE_ONE_CHUNK,
            &reduction::REDUCE_BY_GROUPS,
            &columns::REDUCE_COLUMNS[0],
            &columns::REDUCE_COLUMNS[1],
            &strided::STRIDED,
            &short_rows::ROWS_IN_GROUPS,
            &short_rows::ROWS_BY_LOCAL,
            &short_rows::SHARE_INSIDE,
            &jointly::REDUCE_JOINTLY,
            &stages::REDUCE_IN_STAGES[0],
            &stages::REDUCE_IN_STAGES[1],
            &stages::REDUCE_IN_STAGES[2],
            &stages::REDUCE_IN_STAGES[3],
            &stages::REDUCE_IN_STAGES[4],
            &stages::REDUCE_IN_STAGES[5],
            &stages::REDUCE_IN_STAGES[6],
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
            &items::MAPS_TOGETHER,
            &items::MAPS_OF_ONE,
        ],
    },
    Family {
        title: "Places",
        about: "Who computes what, and in which order.",
        rules: &[
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
            &warps::WARP,
            &warps::LANE,
            &coarsen::COARSEN,
            &place::SEQ,
            &place::SEQ_UNROLL,
            &place::VECTORS[0].1,
            &place::VECTORS[1].1,
            &place::VECTORS[2].1,
            &place::VECTORS[3].1,
            &whole_vectors::WHOLE_VECTORS[0].1,
            &whole_vectors::WHOLE_VECTORS[1].1,
            &whole_vectors::WHOLE_VECTORS[2].1,
            &whole_vectors::WHOLE_VECTORS[3].1,
            &lanes::ROW_IN_VECTORS[0].1,
            &lanes::ROW_IN_VECTORS[1].1,
            &lanes::EVEN_ROW_IN_VECTORS[0].1,
            &lanes::EVEN_ROW_IN_VECTORS[1].1,
            &lanes::LANES_TO_LOCAL,
            &lanes::STRETCHES[0].1,
            &lanes::STRETCHES[1].1,
            &lanes::REDUCE_IN_VECTORS[0].1[0],
            &lanes::REDUCE_IN_VECTORS[1].1[0],
            &lanes::REDUCE_IN_VECTORS[0].1[1],
            &lanes::REDUCE_IN_VECTORS[1].1[1],
            &place::REDUCE_SEQ_UNROLL,
            &place::REDUCE_SEQ,
            &place::FOLD_SEQ,
            &place::SCAN_SEQ,
            &by_key::BY_KEY_SEQ,
            &place::SCAN_LEFT,
        ],
    },
    Family {
        title: "Weights of 0 and 1",
        about: "A weighted sum is a sum of the points that count. Floats are multiplied by 0, which is not 0 where they are infinite or no numbers.",
        rules: &[&points::POINTS, &points::WEIGHT_ONE, &points::WEIGHT_ZERO, &points::ADD_ZERO],
    },
];
