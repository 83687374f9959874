//! The steps of strategies: what each is called, what it takes, what it does and what it needs.
//!
//! From this table come the reference, the proposals where a name is unknown, and what is done.

use crate::explore::strategies::cursor::Cursor;
use crate::explore::strategies::{along, inside, tiles, whole};

/// Whether a step was applied; if not, why.
pub(super) type Applied = Result<(), String>;

/// A step.
pub struct Step {
    /// What users write.
    pub name: &'static str,
    /// How it is written with all its numbers.
    pub usage: &'static str,
    /// How many numbers it takes.
    pub takes: &'static [usize],
    /// What it does.
    pub about: &'static str,
    /// What there must be.
    pub needs: &'static str,
    /// Applies it.
    pub(super) apply: Apply,
}

/// What a step is applied to.
#[derive(Clone, Copy)]
pub(super) enum Apply {
    /// A launch, where a cursor stands.
    Launch(fn(&mut Cursor, &[i64]) -> Applied),
    /// The whole kernel, before it is cut into launches.
    Kernel(OfKernel),
}

/// A step about the whole kernel, which decides what is a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfKernel {
    /// Nothing is stored in between.
    Recompute,
    /// So many steps of a stencil are one launch.
    Steps,
}

/// The step of this name.
pub fn find(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}

/// Every step.
pub static STEPS: &[Step] = &[
    Step {
        name: "recompute",
        usage: "recompute()",
        takes: &[0],
        about: "stores nothing between launches, and computes it where it is read. It comes first, and the others are about what is one launch now",
        needs: "a kernel that stores something without need: no scan, `scatter` or `iterate`, and no reduction of a whole array",
        apply: Apply::Kernel(OfKernel::Recompute),
    },
    Step {
        name: "steps",
        usage: "steps(6)",
        takes: &[1],
        about: "a launch computes so many steps of a stencil that is repeated, as `passes`. No other step stands beside it",
        needs: "a stencil that is repeated, of which at most 64 points are read and named one by one, such as `w[1][1]`, and two steps or more",
        apply: Apply::Kernel(OfKernel::Steps),
    },
    Step {
        name: "tile",
        usage: "tile(256)",
        takes: &[0, 1],
        about: "cuts the result of one dimension into tiles of so many elements; without numbers the extents are tunables",
        needs: "a result that maps write, of windows or of elements, in one dimension",
        apply: Apply::Launch(|c, extents| tiles::tile(c, 1, extents)),
    },
    Step {
        name: "tile2d",
        usage: "tile2d(8, 32)",
        takes: &[0, 2],
        about: "the same in two dimensions: 8 rows of 32. The steps that follow are about one tile, and a second tiling cuts that for the \
                work-items of a group",
        needs: "a result that maps write, of windows or of elements, in two dimensions",
        apply: Apply::Launch(|c, extents| tiles::tile(c, 2, extents)),
    },
    Step {
        name: "tile3d",
        usage: "tile3d(4, 4, 32)",
        takes: &[0, 3],
        about: "the same in three dimensions: 4 planes of 4 rows of 32",
        needs: "a result that maps write, of windows or of elements, in three dimensions",
        apply: Apply::Launch(|c, extents| tiles::tile(c, 3, extents)),
    },
    Step {
        name: "to_local",
        usage: "to_local()",
        takes: &[0],
        about: "copies every array that a tile reads to local memory: the tile is that of a work-group",
        needs: "the first tiles, and arrays of scalars that they are cut from",
        apply: Apply::Launch(|c, _| tiles::to_local(c)),
    },
    Step {
        name: "transposed",
        usage: "transposed()",
        takes: &[0],
        about: "tiles lie in local memory column by column, and are still read row by row",
        needs: "tiles in two dimensions in local memory",
        apply: Apply::Launch(|c, _| tiles::transposed(c)),
    },
    Step {
        name: "widen",
        usage: "widen(1)",
        takes: &[1],
        about: "rows of tiles in local memory, or columns if they are transposed, lie so many elements apart: the elements of a column are in different \
                banks",
        needs: "tiles in two dimensions in local memory, and comes after `transposed`",
        apply: Apply::Launch(tiles::widen),
    },
    Step {
        name: "to_private",
        usage: "to_private()",
        takes: &[0],
        about: "reads all that a tile needs into registers before anything is computed, and writes the loops of the tile out",
        needs: "tiles of work-items, whose extents are numbers, and so small that registers hold them",
        apply: Apply::Launch(|c, _| tiles::to_private(c)),
    },
    Step {
        name: "march",
        usage: "march(2)",
        takes: &[0, 1],
        about: "a loop goes through the second dimension of a tile, from outside as in `tile3d`, and keeps the window in registers; through the outermost \
                without a number. Without a tile, a work-item goes through all of the dimension",
        needs: "windows of known size, and in tiles, which are those of work-items, extents that are numbers, the one to go along more than 1",
        apply: Apply::Launch(along::march),
    },
    Step {
        name: "interchange",
        usage: "interchange(3)",
        takes: &[0, 1],
        about: "makes the third dimension, or the second without a number, the outermost, for tiles and for `march`",
        needs: "a result of windows or of elements in two or three dimensions, and no tile yet",
        apply: Apply::Launch(along::interchange),
    },
    Step {
        name: "interior",
        usage: "interior(2)",
        takes: &[0, 1],
        about: "computes what is at the two edges of the second dimension, whose windows reach over the edge, apart from all others, which then ask no more \
                whether they do; of all dimensions without a number. Tiles that follow are those of work-items, of the interior",
        needs: "a stencil with `pad` by numbers, that is known to have more rows or columns, such as by `#[size(N >= 3)]`, and no tile",
        apply: Apply::Launch(along::interior),
    },
    Step {
        name: "separate",
        usage: "separate()",
        takes: &[0],
        about: "computes what windows need of each row of a tile first, and keeps that in local memory as well",
        needs: "tiles in local memory, and a function that uses nothing of a window but a function of each row, or a reduction of all of it",
        apply: Apply::Launch(|c, _| inside::separate(c)),
    },
    Step {
        name: "share_rows",
        usage: "share_rows()",
        takes: &[0],
        about: "a work-item meets every row of what its tile needs once, for all windows that it belongs to",
        needs: "tiles of work-items in two dimensions, whose extents are numbers, and windows of one array that are reduced",
        apply: Apply::Launch(|c, _| inside::share_rows(c)),
    },
    Step {
        name: "vectorize",
        usage: "vectorize(4)",
        takes: &[1],
        about: "computes neighbours in the lanes of vectors, `map_vec`, and what fills none of them one by one",
        needs: "rows with a vector of 2, 4, 8 or 16 elements at least",
        apply: Apply::Launch(inside::vectorize),
    },
    Step {
        name: "coarsen",
        usage: "coarsen(4)",
        takes: &[1],
        about: "a work-item computes so many elements of a row, or vectors, which lie as far apart as the row has work-items: neighbours belong to \
                different work-items. The tiles before it are those of work-groups",
        needs: "a result that maps write, or tiles of work-groups, with an element, or a vector, in each row at least",
        apply: Apply::Launch(inside::coarsen),
    },
    Step {
        name: "unroll",
        usage: "unroll()",
        takes: &[0],
        about: "writes out the loops of a work-item that have at most 128 rounds",
        needs: "a loop of one work-item with at most 128 rounds, a number that is known",
        apply: Apply::Launch(|c, _| inside::unroll(c)),
    },
    Step {
        name: "work_group",
        usage: "work_group(32, 8)",
        takes: &[1, 2, 3],
        about: "the work-items of a group, dimension 0 first, as `#[work_group(..)]` gives them",
        needs: "one to three numbers, at most 1024 work-items in all",
        apply: Apply::Launch(inside::work_group),
    },
    Step {
        name: "stream",
        usage: "stream(32)",
        takes: &[1],
        about: "work-groups go through strips or blocks of so many rows or planes: the last ones in registers, the newest in local memory. \
                No other step stands beside it",
        needs: "a stencil in two or three dimensions whose points are named one by one, such as `w[1][1]`",
        apply: Apply::Launch(whole::stream),
    },
    Step {
        name: "product",
        usage: "product()",
        takes: &[0],
        about: "blocks of a product in registers, whose rows and columns a work-group shares in local memory. No other step stands beside it",
        needs: "a result in two dimensions that reduces the pairs of every row with every column",
        apply: Apply::Launch(|c, _| whole::product(c)),
    },
    Step {
        name: "reduce_by_group",
        usage: "reduce_by_group()",
        takes: &[0],
        about: "a work-group for each row that is reduced. No other step stands beside it",
        needs: "a result that maps over rows and reduces each, of 128 elements or of an unknown number",
        apply: Apply::Launch(|c, _| whole::reduce_by_group(c)),
    },
    Step {
        name: "rows",
        usage: "rows()",
        takes: &[0],
        about: "a work-item computes a row in vectors of 64 bytes, whose ends are apart: what a core of a CPU does best. No other step stands beside it",
        needs: "a stencil on scalars, or a function of elements in two or three dimensions",
        apply: Apply::Launch(|c, _| whole::rows(c)),
    },
    Step {
        name: "panels",
        usage: "panels()",
        takes: &[0],
        about: "a work-item copies a panel of columns of a product, and keeps some rows of the result in vectors. No other step stands beside it",
        needs: "a result in two dimensions that reduces the pairs of every row with every column",
        apply: Apply::Launch(|c, _| whole::panels(c)),
    },
];
