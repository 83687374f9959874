//! What devices are like: every number that decides what is computed where, and that another device might want otherwise.
//!
//! A number says what it decides, and a section on what it was measured: most were only measured as parts of a version, whose times are in
//! `docs/measurements.md`, and where another value was tried, it says so. Numbers that follow from the algebra, or that only keep searches
//! finite, stay where they are used; so do those of the back end.

/// Work-groups, whatever they compute.
///
/// Not measured.
pub mod groups {
    /// The work-items of a group on most devices. It bounds what users ask for, and what is derived from extents.
    pub const MOST_ITEMS: i64 = 1024;

    /// The work-items of a group in dimension 0, and in the others, where the extents that they share are not known.
    pub const USUAL: [i64; 2] = [64, 4];
}

/// Which windows are large. They decide between families.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod windows {
    /// Fewer points of a window fit into registers together with those of its neighbours.
    pub const FEW_POINTS: i64 = 33;

    /// Windows of which at least so many points are read are worth a copy to local memory.
    pub const LARGE_WINDOW: i64 = 49;

    /// Windows whose extents only launches know are computed in two passes if these are so large, which is [`FEW_POINTS`] together. Not measured.
    pub const LEAST_EXTENT: i64 = 6;
}

/// Tiles of work-groups, whose extents the launcher chooses.
///
/// The defaults are where tuning starts. Not measured.
pub mod tiled {
    /// Default tile sizes for one, two and three dimensions, innermost first. Rows of at least 32 keep
    /// neighbouring work-items on neighbouring addresses; the products stay below common group limits.
    pub const DEFAULTS: [&[i64]; 3] = [&[256], &[32, 8], &[32, 4, 4]];

    /// Largest tile sizes, innermost first.
    pub const LARGEST: [i64; 3] = [256, 64, 64];
}

/// Tiles of transposed arrays.
///
/// Measured as a whole on an NVIDIA H100: a transposed matrix of 8192 rows and columns takes 0.19 ms, and 0.34 without tiles.
pub mod transposed {
    /// Rows and columns of a tile: a warp reads a row of one, and a column.
    pub const TILE: i64 = 32;

    /// So many rows of a tile are read at once.
    pub const ROWS: i64 = 8;

    /// With fewer rows or columns, most of a tile is empty: on an NVIDIA H100, 4008559 × 4 floats took 0.127 ms, and 0.063 with an item for each; 8 × 4194304 floats 0.165 and 0.145;
    /// but 12 × 2097152 floats 0.097 and 0.142. On an NVIDIA H200, the sum of 8388608 × 6 floats and a transposed matrix took 0.259 ms with an item for each, and 0.144 in the order of the result, four for an item.
    pub const FEWEST: i64 = 9;
}

/// One work-item for each element.
pub mod naive {
    /// A work-item computes so many neighbours along short innermost dimensions, at most. On an NVIDIA H200, a row of four elements of a transposed matrix of
    /// 4 × 4,000,000 floats took 0.037 ms, and 0.135 through tiles; one of eight took 0.086, and 0.128 with an item for each float. The mean of four neighbours of each pixel, of 2048² with three floats each, took 0.068 ms with an item for each
    /// float, and 0.039 with one for each pixel.
    pub const MOST_TOGETHER: i64 = 8;
}

/// Blocks of results in the registers of a work-item.
///
/// On an NVIDIA H200: at 19 points in three dimensions (512³), blocks of 4 × 2 × 4 took 0.3029 ms, and blocks of 2 × 2 × 4 0.3225 ms; with two windows they took 1.5 times
/// as long as the smaller ones. On an NVIDIA H100, where the elements of a block are more than [`MOST_ELEMENTS`](registers::MOST_ELEMENTS) (125 points on 64 × 440 × 460 floats): added up after each batch, blocks of
/// 2 × 2 × 2 took 0.104 ms, and 0.178 with all reads first; blocks of 4 × 2 × 1 0.141. On rows that are no whole vectors (5938 floats, 9 points, two results), blocks of 2 × 4
/// took 0.064 ms, and of 4 × 2 0.101. Other values are not on record.
pub mod registers {
    /// Elements that are arrays of more scalars are not computed in blocks. Not measured.
    pub const MOST_CHANNELS: i64 = 4;

    /// More points of windows are not written out. In one dimension, 128 points in a loop took 0.135 ms, and 0.574 in tiles (2²⁴ floats, an NVIDIA H200).
    pub const MOST_POINTS: i64 = 128;

    /// Longer loops over windows are not written out.
    pub const LONGEST: i64 = 32;

    /// So few points have little in common with those of the windows beside them.
    pub const FEW_POINTS: i64 = 10;

    /// The same holds for windows with so many times more points than are read.
    pub const SPARSE: i64 = 4;

    /// So many elements of a block with its border, at most, are read before anything is computed, whether they are needed or not.
    pub const MOST_ELEMENTS: i64 = 144;

    /// No block is made that has more elements with its border: the text would be long, and most of them would be read for nothing. Not measured.
    pub const LARGEST: i64 = 2048;

    /// Where more elements are read, so many are at a time, and added up before the next.
    pub const BATCH: i64 = 8;

    /// One in so many of the items that a group has side by side is busy at least, or rows are left to other versions. Not measured.
    pub const BUSY: i64 = 2;

    /// A work-item with so many results needs many registers.
    pub const MANY_RESULTS: i64 = 16;

    /// So many rows of results share what they read along the slowest dimension.
    pub const LONG_BLOCK: i64 = 32;

    /// So many operations are written out, at most.
    pub const MOST_OPERATIONS: i64 = 12_000;

    /// Of so many bytes is a row of a block: the widest vector that devices load at once.
    pub const ROW_BYTES: i64 = 16;

    /// So many such vectors are a block in one dimension if windows are large: on an NVIDIA H200, windows of 64 of 2²⁴ floats took 0.072 ms, and 0.091 with one.
    pub const LINE_VECTORS: i64 = 2;

    /// A row of a block has so many elements at most, in more than one dimension, but at least [`LEAST_BYTES`].
    pub const ELEMENTS: i64 = 4;

    /// The bytes of a row of a block, at least. On an NVIDIA H200, 3 x 3 points of 8192 x 8192 bytes took 0.070 to 0.082 ms with rows of 4 bytes, 0.050 to 0.062 with 8,
    /// and 0.057 to 0.065 with 16; of numbers of two bytes, 0.082 with 4 elements and 0.085 to 0.090 with 8.
    pub const LEAST_BYTES: i64 = 8;
}

/// Work-items that go through planes.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod marching {
    /// Windows of fewer planes fit into blocks of registers, whose loads all go at once.
    pub const DEEP: i64 = 4;

    /// So many planes does a work-item go through.
    pub const PLANES: i64 = 8;

    /// What a trip needs of an input has so many elements at most, whether they are needed or not.
    pub const MOST_ELEMENTS: i64 = 256;

    /// The work-items of a group, dimension 0 first.
    pub const SHAPE: [i64; 3] = [32, 8, 1];
}

/// Large windows, row by row.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod window_rows {
    /// So many points of windows are written out, at most.
    pub const MOST_POINTS: i64 = 4000;

    /// The elements of a group's tile take so many bytes, at most.
    pub const MOST_BYTES: i64 = 32 << 10;

    /// Of so many bytes is a row of a block: the widest vector that devices load at once.
    pub const ROW_BYTES: i64 = 16;

    /// Rows of a block.
    pub const ROWS: i64 = 2;

    /// The work-items of a group, dimension 0 first.
    pub const SHAPE: [i64; 2] = [32, 8];
}

/// Windows in two passes of one launch.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod separated {
    /// Longer rows and columns are not written out.
    pub const LONGEST: i64 = 64;

    /// The elements of both passes of a group take so many bytes, at most.
    pub const MOST_BYTES: i64 = 47 << 10;

    /// The same where windows are small: no device has less local memory.
    pub const MOST_BYTES_OF_SMALL: i64 = 32 << 10;

    /// Of so many bytes is a row of a block: the widest vector that devices load at once.
    pub const ROW_BYTES: i64 = 16;

    /// Rows of a block, the best first. With 17 + 17 points, blocks of 8 rows were 3 % faster than those of 4, and are not derived.
    pub const HEIGHTS: [i64; 3] = [4, 2, 1];

    /// The work-items of a group, dimension 0 first.
    pub const SHAPE: [i64; 2] = [16, 16];
}

/// Rows that groups reduce.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod rows {
    /// Work-items of a group.
    pub const ITEMS: i64 = 128;

    /// The same where a row is read several times: fewer rows at once stay in caches. On an NVIDIA H100, softmax of 8192 rows of 8192 floats takes 0.25 ms, and
    /// 0.40 with 128 items.
    pub const ITEMS_OF_REREAD: i64 = 256;

    /// Rows of fewer bytes stay in caches. On an NVIDIA H100, softmax of 2²⁵ floats in rows of 3000 took 0.119 ms held in local memory, and 0.100 without; of 4096, 0.096 and 0.124;
    /// of 8192, 0.100 and 0.132. Normalised, 0.106 and 0.104, 0.099 and 0.118, 0.105 and 0.111. Mean and variance of 8192 rows of 7071, which become no rows, 0.092 and 0.078.
    pub const SHORTEST_HELD_BYTES: i64 = 16 << 10;

    /// Longer rows are not held: a group of an NVIDIA device has 48 KB.
    pub const LONGEST_HELD_BYTES: i64 = 44 << 10;

    /// How many items add up the sums of a group, in the second step.
    pub const STEP: i64 = 16;

    /// Shorter rows and columns are left to one work-item each. On an NVIDIA H100, sums of 2²⁴ floats in rows of 64 took 0.163 ms by groups and 0.073 by items, and in rows
    /// of 256 0.044 and 0.073; prefixes 0.482 and 0.385, and 0.136 and 0.321.
    pub const SHORT: i64 = 128;

    /// So few columns are reduced by a group each, although its items read elements that are a row apart: with an item for each column, most of
    /// a device would have nothing to do. Not measured.
    pub const FEW_COLUMNS: i64 = 1024;

    /// Windows that begin so many elements apart are rows of their own. Not measured.
    pub const FAR: i64 = 16;
}

/// Groups that reduce what takes long to compute.
///
/// None of these bounds was varied.
pub mod computed_rows {
    /// Work-items of a group.
    pub const ITEMS: i64 = 128;

    /// Fewer elements leave too little to share.
    pub const SHORT: i64 = 32;

    /// With more results, an item for each keeps a device busy.
    pub const MOST_GROUPS: i64 = 1 << 14;
}

/// Short rows, of which a group reduces several.
///
/// On an NVIDIA H100, kernels written by hand for rows of 64 to 700 floats were the fastest with 4 to 16 items a row, and for rows of 8192 with 128. As a whole, the largest of each
/// of 2²⁰ rows of 64 floats took 0.095 ms, and 0.272 with an item for each row. The bounds below are not measured.
pub mod short_rows {
    /// Work-items of a row.
    pub const ITEMS: i64 = 8;

    /// Rows of a group.
    pub const ROWS: i64 = 32;

    /// Shorter rows leave too little to share: on an NVIDIA H200, the largest of each of 4100388 rows of 16 doubles took 0.235 ms, and 0.138 by way of local memory.
    pub const SHORTEST: i64 = 24;

    /// Longer rows have a group each. On an NVIDIA H100, the sums of 2²⁵ floats in rows of 384 took 0.052 ms, and 0.060 with a group for each row; of 512, 0.050 and 0.049.
    pub const LONGEST: i64 = 511;

    /// The same where tuples are combined, such as a value and its position: where the largest of each of 43744 rows of 668 floats is took 0.054 ms, and 0.081 with a group for each;
    /// of 65536 rows of 512, 0.053 and 0.106.
    pub const LONGEST_OF_TUPLES: i64 = 2048;

    /// The same where rows are read several times. Softmax of as many floats in rows of 256 took 0.124 and 0.216 ms, of 257 0.301 and 0.232, of 384 0.213 and 0.166, of 512 0.224 and 0.136;
    /// normalised, rows of 257 took 0.172 and 0.244, of 384 0.123 and 0.176, of 512 0.144 and 0.134.
    pub const LONGEST_REREAD: i64 = 320;

    /// Fewer rows do not keep a device busy.
    pub const FEWEST: i64 = 4096;
}

/// Short rows, of which an item has each in local memory.
///
/// On an NVIDIA H200, the prefix sums of 1907029 rows of 8 floats took 0.035 ms, and 0.115 with an item for each row that reads global memory; those of
/// 1903656 rows of 16 floats 0.070 and 0.343.
pub mod local_rows {
    /// Rows of a group, where they become rows again: a group keeps both.
    pub const ROWS: i64 = 64;

    /// The same where they become scalars. Kernels written by hand for sums of 1595846 rows of 4 floats took 0.016 ms with as many, and 0.022 with half.
    pub const ROWS_OF_SCALARS: i64 = 128;

    /// Shorter ones an item reads at once, so that it needs no local memory for a scalar.
    pub const SHORTEST_BYTES: i64 = 17;

    /// Longer rows leave room for too few groups.
    pub const LONGEST_BYTES: i64 = 256;

    /// Fewer rows do not keep a device busy.
    pub const FEWEST: i64 = 4096;
}

/// Columns that groups reduce, strip by strip.
///
/// Measured as a whole on an NVIDIA H100: the sums of 8192 columns of 8192 floats take 0.092 ms, and 0.233 with an item for each column.
pub mod columns {
    /// How many neighbouring columns a group has.
    pub struct Strip {
        /// The columns.
        pub columns: i64,
        /// So many items reduce a column.
        pub rows: i64,
        /// An item adds up so many of their sums; where these are not all of them, what several items give is added up then.
        pub step: i64,
    }

    /// A warp reads as many neighbours; the others for few columns, where neighbouring rows lie side by side. On an NVIDIA H200, where the largest of each of 4 columns of 16777216 floats is took
    /// 0.153 ms in strips of 8 columns and 0.087 in strips of 4. In one launch, nothing gains from strips of 4 columns, whose columns are too few for a device.
    pub const STRIPS: [Strip; 3] = [
        Strip { columns: 32, rows: 16, step: 16 },
        Strip { columns: 8, rows: 64, step: 8 },
        Strip { columns: 4, rows: 128, step: 16 },
    ];

    /// The widest.
    pub const WIDE: usize = 0;

    /// Narrow ones.
    pub const NARROW: usize = 1;

    /// The narrowest: for no more columns than it has.
    pub const NARROWEST: usize = 2;

    /// With fewer columns, narrow strips leave fewer items without one. On an NVIDIA H200, 7 to 16 columns took up to half of the time in narrow strips; with 24 to 39, either was faster
    /// by up to a tenth.
    pub const MANY: i64 = 25;

    /// The same where one launch reduces columns once: wide strips should be three groups for each two of 132 processors. On an NVIDIA H200, the products of the columns of 1636 × 6192 floats with
    /// a vector took 0.031 ms in wide strips and 0.019 in narrow ones, of 925 × 3288 0.0149 and 0.0124; of 1024 × 24956, wide ones took less time.
    pub const MANY_ALONE: i64 = 3 * 132 / 2 * 32;

    /// Columns that are reduced several times, or become columns again, are read in one launch by a group for each strip, or in stages, of which each takes three launches. Shorter
    /// columns are left to an item each: on an NVIDIA H100, softmax of 36 × 65536 floats took 0.019 ms in strips and 0.021 by items, and 32 × 262144 floats over their norms 0.038 and 0.029.
    pub const SHORTEST: i64 = 48;

    /// With fewer of these columns, narrow strips keep more of a device busy: 2048 × 2048 floats that are divided by norms took 0.028 ms in narrow strips and 0.052 in wide ones;
    /// the means and variances of 356 × 3685 floats 0.013 and 0.009.
    pub const MANY_IN_ONE_LAUNCH: i64 = 96 * 32;

    /// Shorter columns take less time in one launch, however few they are.
    pub const LONG: i64 = 1 << 13;

    /// With fewer chunks, there are enough columns for one launch: softmax of 1024 × 1920 floats took 0.021 ms in one launch and 0.051 in stages, and the means and variances
    /// of 8192 × 2048 floats 0.058 and 0.064; but 16384 × 436 normalised floats took 0.092 and 0.074.
    pub const FEWEST_CHUNKS: i64 = 16;

    /// Unless there are so many bytes that little of them is still in a cache when one launch reads them again: the means and variances of 8240 × 2683 doubles took 0.226 ms in one launch
    /// and 0.141 in stages, and 14869 × 2000 normalised doubles 0.407 and 0.346. The bound itself was not measured.
    pub const CACHED: i64 = 1 << 27;
}

/// All pairs of elements of two arrays, several results at a time.
///
/// Measured as a whole on an NVIDIA H100: which of 3168 points are near each of 575580 took 0.546 ms, and 0.674 with an item for each result. With elements that are read
/// one by one, it took 0.659. Where nothing else is said, other values of single numbers are not measured.
pub mod coarsened {
    /// The results of an item.
    pub const RESULTS: i64 = 4;

    /// So many elements are read at a time, as vectors where that can be.
    pub const TOGETHER: i64 = 4;

    /// The work-items of a group, dimension 0 first: fewer than usual, so that processors have more alike to do, and no wider than a warp beside chunks, so that
    /// few are left over where there are few results.
    pub const SHAPES: [&[i64]; 3] = [&[128], &[32, 4], &[32, 4, 1]];

    /// A function of more operations, where a root or a quotient counts as eight, does not gain from the loads that are saved. On an NVIDIA H100, the gravity of 4096 bodies at
    /// 752584 points took 3.81 ms with four results for an item and 3.33 with one.
    pub const MOST_OPERATIONS: u32 = 20;

    /// With fewer results, items that compute several leave a device idle. On an NVIDIA H100, the nearest of 4903 points to each of 344232 took 0.40 ms, and 0.53 with an item for
    /// each result; sums of 512 Gaussians for each of 65536 points 0.064 and 0.028.
    pub const MANY: i64 = 1 << 18;

    /// With fewer elements for each result, little is shared.
    pub const LONG: i64 = 1 << 7;
}

/// Reductions with few results, in two stages.
///
/// Measured as a whole on an NVIDIA H100 (`docs/measurements.md`); these numbers and the sizes at which two launches were slower are from the same run: sums of 16 rows of
/// 16384 floats took 0.012 ms in two launches and 0.009 in one, of 64 rows of 65536 0.015 and 0.017.
pub mod stages {
    /// How groups share results.
    pub struct Share {
        /// A group computes so many results.
        pub results: i64,
        /// So many groups keep a device busy.
        pub groups: i64,
        /// So many elements at least are worth a group.
        pub shortest: i64,
        /// With fewer elements, one launch takes less time than two.
        pub least: i64,
        /// Whether chunks are so long that as little as possible is left over, and not a multiple of what is worth a group.
        pub is_even: bool,
    }

    /// A group for each row. What is left over is one group's: on an NVIDIA H100, softmax of 26 × 1984768 floats took 0.477 ms in chunks of a multiple of 2048, and 0.333 in even ones.
    pub const BY_ROW: Share =
        Share { results: 1, groups: 1 << 10, shortest: 1 << 11, least: 1 << 16, is_even: true };

    /// The same of rows whose accumulators have more than 4 bytes: two launches take less time from here on. NVIDIA H200, two launches and one: sums of 48 rows of 16384 doubles 14.8 and
    /// 11.9 µs, of 32768 16.7 and 22.9; the place of the largest of 48 rows of 16384 floats 14.9 and 12.0, of 32768 17.9 and 24.2, of doubles 16.4 and 15.8, and 18.7 and 28.7. Of 16 and of
    /// 128 rows it is alike, while sums of 48 rows of 32768 floats take 16.1 and 10.2, and of 65536 19.1 and 21.4.
    pub const LEAST_OF_WIDE: i64 = 1 << 15;

    /// A group for each strip of columns.
    pub const BY_STRIP: Share =
        Share { results: 32, groups: 1 << 9, shortest: 1 << 8, least: 1 << 12, is_even: false };

    /// An item for each result. Where each is much work, more groups hide more of its latency: the forces of 4688 bodies on each of 77312 took 0.612 ms without chunks, and 0.444 in chunks
    /// for so many groups.
    pub const BY_ITEM: Share =
        Share { results: 128, groups: 1 << 13, shortest: 1 << 8, least: 1 << 10, is_even: false };

    /// A group for each row that is scanned.
    pub const BY_SCANNED_ROW: Share = Share { is_even: false, ..BY_ROW };

    /// A group for each strip of columns that are scanned.
    pub const BY_SCANNED_COLUMN: Share =
        Share { results: 32, groups: 1 << 10, shortest: 1 << 8, least: 1 << 10, is_even: false };

    /// An item for several results that read the same. So many groups that none of the processors ends late: on an NVIDIA H100, the nearest of 24244 points to each of 55689 took
    /// 0.288 ms with half as many, and 0.270 with these; of 47531 to each of 246656 2.35 and 2.15.
    pub const BY_PAIRS: Share =
        Share { results: 1 << 9, groups: 1 << 13, shortest: 1 << 8, least: 1 << 10, is_even: true };

    /// A core of the host for all results of a chunk, of which there are few: [`host::MOST_COLUMNS`](super::host::MOST_COLUMNS).
    pub const BY_CORE: Share = Share {
        results: super::host::MOST_COLUMNS,
        groups: 1 << 6,
        shortest: 1,
        least: 1 << 12,
        is_even: true,
    };

    /// A core reduces so many rows of a chunk side by side: few columns are as many more then, which fill vectors. On two cores of an AMD EPYC, the maxima of 10 columns of 400000 floats took
    /// 0.6 times as long as a loop by hand, and 2.1 times with one row. Other numbers were not tried.
    pub const ROWS_OF_CORE: i64 = 16;

    /// How groups reduce chunks twice.
    pub struct Twice {
        /// How groups share results.
        pub share: Share,
        /// A group reduces so many elements, at most: caches hold what all groups of a device have at once.
        pub most: i64,
        /// With fewer elements of each result, one launch takes less time.
        pub least: i64,
    }

    /// Groups for a row, and for a strip of columns. On an NVIDIA H200, means and variances of 112 × 529928 floats took 0.127 ms in two passes, 0.128 in chunks of 58880 that were reduced twice,
    /// and 0.076 in chunks of 8192. One launch took 0.109 ms for 392 × 32768 doubles that are normalised, and stages 0.096; for the means and variances of 2216 × 2048 floats, of columns, 0.033 and
    /// 0.017. Other bounds were not tried.
    pub const TWICE: [Twice; 2] = [
        Twice { share: BY_ROW, most: 1 << 13, least: 1 << 15 },
        Twice { share: BY_STRIP, most: 1 << 14, least: 1 << 11 },
    ];

    /// Fewer chunks of each reduction are not worth another launch.
    pub const FEWEST: i64 = 4;

    /// How groups share the results of a product.
    pub struct Products {
        /// A group computes a square: one of [`super::blocked::SQUARES`].
        pub square: usize,
        /// So many groups keep a device busy.
        pub groups: i64,
        /// So many elements at least are worth a group.
        pub shortest: i64,
        /// With fewer elements, one launch takes less time than three.
        pub least: i64,
        /// The same with fewer chunks.
        pub fewest: i64,
        /// With fewer rows or columns, the next of them leaves less standing over.
        pub few: i64,
        /// Whether there are no more groups than are wanted, and chunks only where one launch leaves much of a wave of groups empty.
        pub fills_waves: bool,
    }

    /// On an NVIDIA H100, the product of 64 × 2545 and 2545 × 4096 floats took 0.23 ms in one launch, and 0.075, 0.081 and 0.084 in chunks for 528, 1056 and 264
    /// groups that compute squares of 64; that of 539 × 13305 and 13305 × 128 0.106, 0.090 and 0.123. Squares of 128 took 0.11 ms for both. That of 23 × 2048
    /// and 2048 × 1442 took 0.025 ms in chunks of 128 elements for squares of 32, 0.027 in chunks of 64 and 0.028 in squares of 64; of 512 × 57 results of 8192
    /// elements, squares of 32 took 0.055 ms and those of 64 0.039. With 770 squares of 64 and 2146 elements each, one launch took 0.42 ms and three 0.45. On an NVIDIA H200, the product of
    /// 1648 × 5195 and 5195 × 212 floats took 0.135 ms in chunks for squares of 128 and 0.161 for squares of 64, of 401 × 16384 and 16384 × 256 0.128 and 0.154, and of 9460 × 4091 and 4091 × 464,
    /// which are 296 squares, 0.99 and 1.17; one launch took 1.28.
    pub const PRODUCTS: [Products; 3] = [
        Products {
            square: 1,
            groups: 1056,
            shortest: 64,
            least: 512,
            fewest: 3,
            few: 33,
            fills_waves: false,
        },
        Products {
            square: 2,
            groups: 1056,
            shortest: 128,
            least: 512,
            fewest: 3,
            few: 1,
            fills_waves: false,
        },
        Products {
            square: 0,
            groups: 1056,
            shortest: 512,
            least: 1024,
            fewest: 2,
            few: 96,
            fills_waves: true,
        },
    ];
}

/// Elements that a work-item computes a group apart.
///
/// On an NVIDIA H100, 512 × 14985 floats of an outer product that is added took 0.036 ms with an item for each, and 0.025 by hand with these; a polynomial of 2308 × 11730 floats 0.098 in
/// blocks of neighbours, and 0.077.
pub mod strided {
    /// Work-items of a group.
    pub const ITEMS: i64 = 128;

    /// Elements of each.
    pub const EACH: i64 = 4;

    /// Shorter rows leave most items with nothing to do: the weighted sum of three matrices of 8192 × 302 floats took 0.020 ms, and 0.024 with an item for each; 363181 × 103 floats in
    /// reverse 0.24 and 0.17.
    pub const SHORTEST: i64 = ITEMS * EACH / 2;

    /// The bytes of an element at least: several smaller ones side by side are read at once.
    pub const LEAST_BYTES: i64 = 4;
}

/// Whole arrays that are reduced in chunks.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record. Chunks are the same on CPUs.
pub mod reductions {
    /// Work-items of a group.
    pub const GROUP: i64 = 256;

    /// How many of a group's sums an item adds up in the second step.
    pub const STEP: i64 = 16;

    /// As many work-items as devices run at once; with longer arrays, each item has more to do.
    pub const MOST_ITEMS: i64 = 1 << 18;

    /// Elements that an item reads before it waits for others, at most.
    pub const MOST_LOADED: i64 = 64;

    /// Arrays of at most so many elements are left to a single group.
    pub const ONE_CHUNK: i64 = 1 << 12;

    /// Into so many blocks of rows the rows are cut whose columns are reduced first, at most: some for each core. Not measured.
    pub const BLOCKS: i64 = 128;
}

/// Prefixes of whole arrays, in chunks, and of rows, by groups.
///
/// Measured as a whole on an NVIDIA H100: those of 2²⁸ floats take 1.35 ms, and those of 8192 rows of 8192 take 0.22, as long as a copy.
pub mod scans {
    /// The elements of a chunk at least: a tile of a group.
    pub const SHORTEST: i64 = 1 << 11;

    /// Elements that an item combines in their order, where order matters: neighbours read what lies in the same lines of a cache. A divisor of [`SHORTEST`]. Other
    /// numbers were not tried.
    pub const RUN: i64 = 16;

    /// A group that scans a row by way of local memory.
    pub struct Group {
        /// Its work-items.
        pub items: i64,
        /// The elements that an item scans by itself take so many bytes.
        pub piece_bytes: i64,
    }

    /// Such a group: its tiles leave room in local memory for as many items as a processor runs. On an NVIDIA H200, the largest so far of 438 rows of 65536 floats took 0.148 ms with 128 items and
    /// pieces of 64 bytes, and 0.092 with these; sums of 16384 rows of 3860 0.188 and 0.162; of 60777932 floats 0.285 and 0.249. With a vector of 16 bytes in registers and no copy, 0.117, 0.158 and 0.243,
    /// and the largest so far of 32768 rows of 2048 0.159 in place of 0.140.
    pub const GROUP: Group = Group { items: 256, piece_bytes: 32 };

    /// How a group scans neighbouring short rows. On an NVIDIA H200, sums of 77136 rows of 364 floats took 0.110 ms with 32 items for each row and a group for it, 0.092 with these and copies in local memory,
    /// 0.077 with vectors in registers, and 0.075 where half a warp scans what all items give; of 131072 rows of 512 0.235, 0.188, 0.146 and 0.142. Eight rows with 32 items each took 0.086 and 0.178, before
    /// half a warp scanned for all.
    pub mod short {
        /// The rows: no more than items of a row, so that half a warp has one each where it scans what the items give.
        pub const ROWS: i64 = 16;

        /// Work-items of each.
        pub const ITEMS: i64 = 16;

        /// The elements that an item has in registers take so many bytes: one vector, so that items side by side read what lies side by side.
        pub const PIECE_BYTES: i64 = 16;
    }

    /// Shorter rows are read by an item each, by way of local memory.
    pub const SHORTEST_ROW: i64 = 65;

    /// Longer rows are scanned by a group each; rows that are scanned from the right are no blocks at any length, and have a group or an item each (not measured). On an NVIDIA H200, the largest so far of 10913 rows of 744 floats took 0.038 ms by such groups and 0.028 in blocks of rows; of 32768 rows of 2048 0.140 and 0.149.
    pub const LONGEST_SHORT_ROW: i64 = 1024;

    /// How many items' sums an item scans in the first of two levels; half of a warp.
    pub const LEVEL: i64 = 16;

    /// Chunks at most; with longer arrays, they have more elements.
    pub const MOST_CHUNKS: i64 = 1 << 12;

    /// The same where each group combines what all chunks before its own sum up to, which takes longer with more of them. On an NVIDIA H200, with half as many, two launches took
    /// 33 µs for 4194304 floats, 92 for 16777216 and 221 for 43101840, and with these 28, 78 and 192.
    pub const MOST_SUMMED: i64 = 1 << 11;

    /// Longer arrays have as long chunks that three launches with more of them take less time. On an NVIDIA H200, in two launches and in three: 4194304 floats 28 and 34 µs, 8388608 50 and 48,
    /// 16777216 78 and 83, 43101840 192 and 188, 86224992 419 and 335.
    pub const LONGEST_SUMMED: i64 = 1 << 24;

    /// Work-items of a group that scans a strip of columns.
    pub const STRIP_ITEMS: i64 = 256;

    /// Neighbours in a column that an item of it has in registers.
    pub const PIECE: i64 = 8;

    /// The same in wide strips of chunks, where what counts is how many groups run at once: on an NVIDIA H100, 262144 × 204 floats took 0.31 ms, and 0.36 with pieces of 8;
    /// narrow strips took a tenth longer, and 2592 × 1232 floats in one launch half as long again.
    pub const PIECE_OF_CHUNK: i64 = 4;

    /// With fewer columns in one launch, wide strips of them are fewer groups than a device has processors: narrow strips take less time. On an NVIDIA H100, scans of 2048 × 4096 floats
    /// took 0.042 ms in narrow strips and 0.059 in wide ones; of 4096 × 5514 floats 0.175 and 0.115.
    pub const MANY_IN_ONE_LAUNCH: i64 = 144 * 32;

    /// Fewer columns have narrow strips in stages: on an NVIDIA H100, 2436130 × 13 floats took 0.28 ms in narrow ones and 0.19 in wide ones, and 4194304 × 8 floats 0.17 and 0.20.
    pub const MANY_IN_STAGES: i64 = 9;

    /// Shorter columns are left to an item each.
    pub const LEAST_OF_COLUMN: i64 = 1 << 7;

    /// More columns are enough narrow strips for one launch.
    pub const MOST_COLUMNS_IN_STAGES: i64 = 1 << 11;

    /// Shorter rows are not worth two more launches.
    pub const LONG_ROWS: i64 = 1 << 15;

    /// Nor are shorter columns.
    pub const LONG_COLUMNS: i64 = 1 << 11;
}

/// Whole arrays that are reduced by key, in chunks with a copy of the bins each.
///
/// Not measured on a GPU. On one thread of an AMD EPYC, 256 bins of 4 million bytes took 0.97 ms in chunks of at least 8192 elements and 0.90 ms in chunks of
/// 16384; a loop without chunks took 0.82.
pub mod by_key {
    /// How long chunks are.
    pub struct Chunks {
        /// Their elements at least.
        pub shortest: i64,
        /// Elements for a bin, at least, so that bins are written and read less often than elements.
        pub for_bin: i64,
        /// Chunks at most; with longer arrays, they have more elements.
        pub most: i64,
    }

    /// Of chunks that groups take: their items read 64 elements each.
    pub const OF_GROUPS: Chunks = Chunks { shortest: 1 << 14, for_bin: 16, most: 1 << 9 };

    /// Of chunks that the many items of a GPU take: they wait for a bin before they combine the next element with it. The cores of a CPU have
    /// the longer ones.
    pub const OF_ITEMS: Chunks = Chunks { shortest: 1 << 8, for_bin: 2, most: 1 << 12 };

    /// A row has at least so many elements if a group is to fill its bins. Not measured.
    pub const LEAST_ROW: i64 = 256;

    /// Work-items of a group that combine atomically.
    pub const ITEMS: i64 = 256;

    /// Copies of the bins in local memory, at most: each lane of a warp its own, so that equal keys meet in no bank.
    pub const MOST_COPIES: i64 = 32;

    /// All copies take so many bytes, at most: as many copies of 256 bins of 32 bits as a warp has lanes.
    pub const MOST_BYTES: i64 = 33 << 10;

    /// A work-item that combines alone does so in an array of its own of at most so many bytes. For 256 bins on an AMD EPYC, that took half as long as to
    /// combine in a row of the result, whose indices are checked.
    pub const MOST_PRIVATE: i64 = 4 << 10;

    /// Elements that an item of a group reads before it combines one of them, so that it waits for memory once. Not measured.
    pub const TOGETHER: i64 = 8;

    /// For so many bins, one pass over all elements is worth more than a reduction of all of them for each bin, in vectors. Not measured.
    pub const MANY_BINS: i64 = 16;

    /// With so many sums, one that each element changes is worth more than a loop over all of them for each element. Not fitted:
    /// of 26 sums of floats on a CPU, the loop, in vectors, took half as long (`docs/measurements.md`, letters).
    pub const SOME_BINS: i64 = 4;

    /// So few copies are not worth a group whose items combine without atomic operations, each in its own copy.
    pub const FEW_COPIES: i64 = 8;

    /// Scalars of a value, at most, that are combined at once; of longer rows, the columns are. Not measured.
    pub const MOST_SCALARS: i64 = 8;
}

/// Products in blocks.
///
/// Measured as a whole on NVIDIA H100 and H200 (`docs/measurements.md`); where another value was tried, it says so.
pub mod blocked {
    /// How many groups keep a device busy.
    pub enum Busy {
        /// So many at least.
        Least(i64),
        /// Those that fill waves: so many run at once, and [`WAVE_SHARE`] of the last wave's places at least are taken, of all waves together.
        Waves(i64),
    }

    /// The part of all waves' groups that is there, in tenths.
    pub const WAVE_SHARE: i64 = 7;

    /// The part of the results of all squares that is there, in tenths, where chunks of rows and columns have large squares: 156 × 4096 results of 3633 floats took 0.226 ms in squares of 128 and
    /// 0.202 in squares of 64, and 401 × 256 of 16384 0.128 and 0.154 (NVIDIA H200).
    pub const FULL_SHARE: i64 = 7;

    /// What a group computes: a square of results.
    pub struct Square {
        /// Work-items of the group: so many for its rows, and for its columns.
        pub items: [i64; 2],
        /// The rows and columns of results of an item.
        pub block: [i64; 2],
        /// So many elements of rows and columns are in local memory at a time.
        pub step: i64,
        /// With fewer rows or columns, another square leaves less standing over.
        pub few: i64,
        /// How many squares are worth it: otherwise smaller ones keep more of a device busy.
        pub busy: Busy,
        /// Shorter rows and columns take less time in smaller squares.
        pub length: i64,
    }

    impl Square {
        /// The results of the group in either dimension.
        pub const fn side(&self) -> i64 {
            self.items[0] * self.block[0]
        }
    }

    /// The squares, the largest first.
    ///
    /// On an NVIDIA H100, with squares of 128, 64 and 32, the product of 8192 × 2048 and 2048 × 4664 floats took 3.58, 4.34 and 6.11 ms, of 1384 × 2146 and
    /// 2146 × 2192 0.44, 0.42 and 0.65, of 8504 × 62 and 62 × 1128 0.086, 0.052 and 0.068, of 1044 × 88 and 88 × 937 0.026, 0.018 and 0.019, of 148 × 313 and
    /// 313 × 4096 0.050, 0.035 and 0.028. Squares of 64 with blocks of 4 × 4 took 5.02 ms for the first and 0.53 for the second. With an item for each result, products of
    /// 4096 pairs of matrices of 16 × 16 floats took 0.012 ms, and 0.058 in squares of 128; of one pair of 128 × 128 0.009 and 0.020. On an NVIDIA H200, products of 2048 × 1024
    /// and 1024 × m floats, with so many squares of 128, took in these and in squares of 64: 160 squares 0.194 and 0.176 ms, 180 0.194 and 0.209, 208 0.195 and 0.239, 256 0.208 and 0.263,
    /// 304 0.324 and 0.322, 352 0.380 and 0.352, 416 0.388 and 0.410, 512 0.400 and 0.494; of 3872 × 4096 and 4096 × 1148,
    /// which are 279 squares, 1.56 and 1.15. A wave is two groups on each of 132 processors.
    pub const SQUARES: [Square; 3] = [
        Square { items: [16, 16], block: [8, 8], step: 16, few: 96, busy: Busy::Waves(264), length: 256 },
        Square { items: [8, 16], block: [8, 4], step: 16, few: 33, busy: Busy::Least(224), length: 1 },
        Square { items: [8, 8], block: [4, 4], step: 16, few: 16, busy: Busy::Least(32), length: 1 },
    ];

    /// The widest vector, in bytes.
    pub const WIDEST: i64 = 16;

    /// A block of an item takes so many bytes, at most. On an NVIDIA H200, the product of 512 × 8192 and 8192 × 13048 doubles took 7.1 ms in blocks of 8 × 8, and 5.9 in blocks of 8 × 4; of
    /// 1100 × 8184 and 8184 × 2048, 3.5 and 2.6.
    pub const MOST_BLOCK_BYTES: i64 = 256;

    /// Scalars that an operand has, and sums of each pair, at most: those of a step are all in local memory, and the sums in registers. Not measured.
    pub const MOST_OPERANDS: usize = 4;
}

/// Products in panels of vectors.
///
/// Measured as a whole with PoCL on an AMD EPYC (`docs/measurements.md`); other values of single numbers are not on record.
pub mod panels {
    /// So many rows are computed together.
    pub const ROWS: i64 = 8;

    /// A panel has so many vectors in each of its rows.
    pub const VECTORS: i64 = 2;
}

/// Products of rows with rows, whose columns are transposed first.
///
/// On two cores of an AMD EPYC, 512 columns of 512 floats: 8 rows took 0.32 ms without a transposed copy and 0.69 ms with it. 16 rows took 0.66 and 0.77, and 0.75 and 0.70 in another
/// run: here both are equal. 512 rows took 29 and 8. Fewer columns were not tried.
pub mod turned {
    /// Fewer rows are not worth a copy.
    pub const ROWS: i64 = 16;

    /// Fewer columns are no vector.
    pub const COLUMNS: i64 = 16;
}

/// Rows through which work-items go in order, stored as columns first.
///
/// On an NVIDIA H200, tridiagonal systems (two scans of rows, of which the first divides) took: 4096 of 4096 floats 0.78 ms, and 4.3 row by row; 65536 of 256 0.19 and 0.97;
/// 256 of 65536 11 and 68. A recursive filter of as many rows: 0.25 and 1.4, 0.12 and 0.26, 3.6 and 21. Where rows become scalars, most is gained of long rows: a fold took 0.16 and
/// 0.55, 0.065 and 0.073, 2.4 and 8.5; of 20000 rows of 1000 floats, 0.10 and 0.08.
pub mod in_columns {
    /// Fewer rows were not tried. 16 systems of 100000 floats took 9.5 and 11 ms.
    pub const LEAST_ROWS: i64 = 16;

    /// Shorter rows were not tried. 500000 systems of 33 floats took 0.22 and 1.6 ms.
    pub const SHORTEST: i64 = 33;
}

/// Rows in wide vectors.
///
/// Measured as a whole with PoCL on an AMD EPYC (`docs/measurements.md`); other values of single numbers are not on record.
pub mod vectors {
    /// A vector has so many bytes: a cache line, and the widest registers of CPUs.
    pub const BYTES: i64 = 64;

    /// Loops for an element have so many rounds, at most.
    pub const LONGEST: i64 = 1024;

    /// Windows that are longer are no longer written out.
    pub const LONG: i64 = 16;

    /// So many elements are reduced in parts.
    pub const MANY: i64 = 9;

    /// With so many points to a window, lanes compute longer than they read, and asking for every row whether it is there is felt.
    pub const MANY_POINTS: i64 = 16;

    /// So many columns and rows does a lane compute, where rows share some of what they read.
    pub const BLOCK: [i64; 2] = [1, 4];

    /// How many vectors a stretch of a long array has.
    pub const STRETCH: i64 = 64;

    /// How many vectors are summed up side by side.
    pub const SIDE_BY_SIDE: i64 = 4;

    /// Fewer vectors of tuples than these are reduced one by one, because lanes are combined through a long chain of operations. The index of the smallest of 64,
    /// 100 and 200 elements: 5.5, 5.2 and 5.1 ms one by one, 11.2, 8.8 and 6.1 in vectors (4 million elements, AMD EPYC, 2 cores).
    pub const FEW_TUPLES: i64 = 16;
}

/// Large windows in wide vectors.
///
/// Measured as a whole with PoCL on an AMD EPYC (`docs/measurements.md`); other values of single numbers are not on record.
pub mod window_lanes {
    /// Rows of results in registers.
    pub const ROWS: i64 = 4;

    /// The results of a group, the best first: so many bytes along a row, and so many rows.
    pub const TILES: [[i64; 2]; 3] = [[512, 32], [512, 16], [256, 16]];

    /// What a group needs takes so many bytes, at most: no device has less local memory, and the fastest caches have little more.
    pub const MOST_BYTES: i64 = 31 << 10;
}

/// Which steps of a stencil are taken together.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod steps {
    /// So many steps in tiles of rows at once are worth it, if they reach no farther than the next element.
    pub const MOST_IN_ROWS: i64 = 8;

    /// The same in other tiles.
    pub const MOST_IN_TILES: i64 = 3;

    /// A step reads so many points at most: with more of them it computes enough while memory is read.
    pub const MOST_POINTS: i64 = 64;

    /// Steps reach so far at most.
    pub const FARTHEST: i64 = 8;
}

/// Several steps, in strips that groups go through.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod streamed {
    /// The work-items of a group that goes through rows, each with a vector.
    pub const OF_ROWS: [i64; 1] = [128];

    /// Rows of a strip. With 96 in place of 64, and one array for each ring, six steps took 0.2862 ms in place of 0.2468.
    pub const ROWS: i64 = 64;

    /// The work-items of a group that goes through planes, dimension 0 first.
    pub const OF_PLANES: [i64; 2] = [16, 32];

    /// Planes of a strip for several steps.
    pub const PLANES: i64 = 104;

    /// Planes of a strip for one step.
    pub const PLANES_OF_ONE: i64 = 32;

    /// Rows or planes of the highest strips.
    pub const HIGHEST: i64 = 4096;

    /// Of so many bytes is a vector.
    pub const VECTOR_BYTES: i64 = 16;

    /// So many steps of rows at once are worth it, if they reach no farther than the next row.
    pub const MOST_OF_ROWS: i64 = 6;

    /// The same for planes.
    pub const MOST_OF_PLANES: i64 = 3;
}

/// Loops whose trips wait for each other, such as scans in order.
///
/// On an NVIDIA H200, the elimination of 4096 columns of 4096 floats, which divides, took 0.42 ms with batches and 1.6 without; of 1000 columns of 20000, 2.1 and 7.7. The substitution
/// that follows, with two loads a trip, took 0.26 and 0.26, and 1.2 and 2.2. With one load and no quotient, a recursive filter took 0.18 and 0.18, and 1.14 and 0.85.
/// Other lengths of batches were not tried.
pub mod loops {
    /// So many trips are a batch, of which all loads come first.
    pub const TRIPS: i64 = 8;

    /// Loads of a trip, at most: all of a batch are in registers.
    pub const BATCHED_LOADS: usize = 4;

    /// Statements of a trip, at most: a batch has as many times more.
    pub const BATCHED_STATEMENTS: usize = 24;
}

/// Several steps, in tiles that shrink.
///
/// Measured as a whole on an NVIDIA H200 (`docs/measurements.md`); other values of single numbers are not on record.
pub mod shrinking {
    /// The extents of a tile with what is around it in one and two dimensions, innermost first.
    pub const EXTENTS: [&[i64]; 2] = [&[256], &[64, 32]];
}

/// Several steps, in blocks that work-items sweep.
///
/// Measured as a whole with PoCL on an AMD EPYC (`docs/measurements.md`); other values of single numbers are not on record.
pub mod swept {
    /// Rows of a block that is swept in two dimensions.
    pub const ROWS: [i64; 1] = [128];

    /// Rows and planes of a block that is swept in three.
    pub const PLANES: [i64; 2] = [16, 64];

    /// Rows or planes of the highest blocks.
    pub const HIGHEST: i64 = 4096;
}

/// What a work-item computes alone, and what is written out for it.
///
/// Not measured.
pub mod work {
    /// Reductions of at most so many elements are left to a work-item.
    pub const FEW: i64 = 64;

    /// A loop of at most so many rounds is cheap enough to be computed again. Not measured.
    pub const FEW_ROUNDS: i64 = 4;

    /// Scans of at most so many elements are left to a work-item.
    pub const FEW_PREFIXES: i64 = 1024;

    /// An element that costs more operations than this is not computed twice.
    pub const CHEAP: u32 = 4;

    /// A table of so many elements at most is stored for each element of something: memory is finite. Not measured.
    pub const LONGEST_TABLE: i64 = 1 << 12;

    /// What a row defines and costs no more than this, four roots or quotients, is computed for each of its elements: reading one takes a GPU longer.
    pub const LIGHT: u32 = 32;

    /// Longer loops are not written out: as long as the largest windows in registers.
    pub const MOST_UNROLLED: i64 = 128;

    /// Scalars that a work-item accumulates at most.
    pub const MOST_SUMS: usize = 8;
}

/// What steps of the user may ask for.
///
/// Not measured.
pub mod asked {
    /// More scalars are not kept in registers.
    pub const MOST_PRIVATE: i64 = 1024;

    /// More bytes of local memory than any device has.
    pub const MOST_LOCAL: i64 = 228 << 10;
}

/// Loops that a compiler of the host makes vectors of.
///
/// Not measured: windows of 5 × 5 points are written out, those of 17 × 17 are not.
pub mod host {
    /// Reductions of more elements, for an element of the result, are loops inside of that along a row.
    pub const MOST_POINTS: i64 = 64;

    /// Rows whose windows overlap are computed so many at once: 25 points of four rows take half the time.
    pub const ROWS: i64 = 4;

    /// Blocks of rows that read more vectors for one of each row do not keep them in registers: 27 points of four rows read 54, and take longer.
    pub const MOST_READS: usize = 48;

    /// Blocks of rows with more statements are long texts, whose values do not stay in registers.
    pub const MOST_STATEMENTS: usize = 160;

    /// Trips of a strip, the inner loop along a row: four vectors of single precision, whose loads overlap.
    pub const STRIP: usize = 64;

    /// Elements of a trip that lie side by side, at most, for which vectors of 64 bytes are filled and stored by shuffles. Of more, LLVM makes gathers and scatters where a
    /// processor has AVX-512: 60000 floats in records of 9 to 20, read and written, took 16 µs with AVX2 and 49 with AVX-512 on an AMD EPYC; records of 2 to 8 took a third less
    /// with AVX-512.
    pub const MOST_INTERLEAVED: i64 = 8;

    /// With more columns, cores share these and not their rows. Sums of 16 columns took as long in chunks as in one launch, on two cores, and of 64 0.8 and 1.8 ms (62500 rows of floats); of more columns,
    /// chunks were not tried.
    pub const MOST_COLUMNS: i64 = 128;

    /// Fewer rows are no work for all cores. Not measured.
    pub const FEW_ROWS: i64 = 16;

    /// How many rows ahead strips of columns prefetch.
    pub const AHEAD: i64 = 4;

    /// Bytes of the vectors that loops with loops inside of them are cut into: a register of the widest processors.
    pub const VECTOR_BYTES: i64 = 64;

    /// A strip has at most so many operations, each counted once for every vector of its width. A convolution with channels last, nine products for each of
    /// four rows, takes rustc 4.5 s with one vector and 19.6 with four, and runs for 1.3 and 1.6 ms.
    pub const MOST_OPERATIONS: i64 = 256;

    /// How many of these a strip keeps from trip to trip: there are 32 registers, and operands need some.
    pub const MOST_REGISTERS: i64 = 16;
}
