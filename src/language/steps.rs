//! The steps of strategies.

use super::AnyValue;

/// Steps that lead to a version of a kernel, in `#[strategy(tile2d(2, 4).to_private())]`.
///
/// A step takes numbers, or none: then it chooses them, or leaves them to tuning.
#[derive(Debug)]
pub struct Strategy;

/// The steps, as the reference has them.
macro_rules! steps {
    ($($(#[doc = $about:literal])* $name:ident;)*) => {
        #[allow(unused_variables, reason = "these are signatures")]
        impl Strategy {
            $(
                $(#[doc = $about])*
                #[must_use]
                pub fn $name(self, numbers: impl AnyValue) -> Strategy {
                    self
                }
            )*
        }
    };
}

steps! {
    /// `recompute()` stores nothing between launches, and computes it where it is read. It comes first, and the others are about what is one launch now.
    ///
    /// It needs a kernel that stores something without need: no scan, `scatter` or `iterate`, and no reduction of a whole array.
    recompute;

    /// `steps(6)` a launch computes so many steps of a stencil that is repeated, as `passes`. No other step stands beside it.
    ///
    /// It needs a stencil that is repeated, of which at most 64 points are read and named one by one, such as `w[1][1]`, and two steps or more.
    steps;

    /// `tile(256)` cuts the result of one dimension into tiles of so many elements; without numbers the extents are tunables.
    ///
    /// It needs a result that maps write, of windows or of elements, in one dimension.
    tile;

    /// `tile2d(8, 32)` the same in two dimensions: 8 rows of 32. The steps that follow are about one tile, and a second tiling cuts that for the work-items of a group.
    ///
    /// It needs a result that maps write, of windows or of elements, in two dimensions.
    tile2d;

    /// `tile3d(4, 4, 32)` the same in three dimensions: 4 planes of 4 rows of 32.
    ///
    /// It needs a result that maps write, of windows or of elements, in three dimensions.
    tile3d;

    /// `to_local()` copies every array that a tile reads to local memory: the tile is that of a work-group.
    ///
    /// It needs the first tiles, and arrays of scalars that they are cut from.
    to_local;

    /// `transposed()` tiles lie in local memory column by column, and are still read row by row.
    ///
    /// It needs tiles in two dimensions in local memory.
    transposed;

    /// `widen(1)` rows of tiles in local memory, or columns if they are transposed, lie so many elements apart: the elements of a column are in different banks.
    ///
    /// It needs tiles in two dimensions in local memory, and comes after `transposed`.
    widen;

    /// `to_private()` reads all that a tile needs into registers before anything is computed, and writes the loops of the tile out.
    ///
    /// It needs tiles of work-items, whose extents are numbers, and so small that registers hold them.
    to_private;

    /// `march(2)` a loop goes through the second dimension of a tile, from outside as in `tile3d`, and keeps the window in registers; through the outermost without a number. Without a tile, a work-item goes through all of the dimension.
    ///
    /// It needs windows of known size, and in tiles, which are those of work-items, extents that are numbers, the one to go along more than 1.
    march;

    /// `interchange(3)` makes the third dimension, or the second without a number, the outermost, for tiles and for `march`.
    ///
    /// It needs a result of windows or of elements in two or three dimensions, and no tile yet.
    interchange;

    /// `interior(2)` computes what is at the two edges of the second dimension, whose windows reach over the edge, apart from all others, which then ask no more whether they do; of all dimensions without a number. Tiles that follow are those of work-items, of the interior.
    ///
    /// It needs a stencil with `pad` by numbers, that is known to have more rows or columns, such as by `#[size(N >= 3)]`, and no tile.
    interior;

    /// `separate()` computes what windows need of each row of a tile first, and keeps that in local memory as well.
    ///
    /// It needs tiles in local memory, and a function that uses nothing of a window but a function of each row, or a reduction of all of it.
    separate;

    /// `share_rows()` a work-item meets every row of what its tile needs once, for all windows that it belongs to.
    ///
    /// It needs tiles of work-items in two dimensions, whose extents are numbers, and windows of one array that are reduced.
    share_rows;

    /// `vectorize(4)` computes neighbours in the lanes of vectors, `map_vec`, and what fills none of them one by one.
    ///
    /// It needs rows with a vector of 2, 4, 8 or 16 elements at least.
    vectorize;

    /// `coarsen(4)` a work-item computes so many elements of a row, or vectors, which lie as far apart as the row has work-items: neighbours belong to different work-items. The tiles before it are those of work-groups.
    ///
    /// It needs a result that maps write, or tiles of work-groups, with an element, or a vector, in each row at least.
    coarsen;

    /// `unroll()` writes out the loops of a work-item that have at most 128 rounds.
    ///
    /// It needs a loop of one work-item with at most 128 rounds, a number that is known.
    unroll;

    /// `work_group(32, 8)` the work-items of a group, dimension 0 first, as `#[work_group(..)]` gives them.
    ///
    /// It needs one to three numbers, at most 1024 work-items in all.
    work_group;

    /// `stream(32)` work-groups go through strips or blocks of so many rows or planes: the last ones in registers, the newest in local memory. No other step stands beside it.
    ///
    /// It needs a stencil in two or three dimensions whose points are named one by one, such as `w[1][1]`.
    stream;

    /// `product()` blocks of a product in registers, whose rows and columns a work-group shares in local memory. No other step stands beside it.
    ///
    /// It needs a result in two dimensions that reduces the pairs of every row with every column.
    product;

    /// `reduce_by_group()` a work-group for each row that is reduced. No other step stands beside it.
    ///
    /// It needs a result that maps over rows and reduces each, of 128 elements or of an unknown number.
    reduce_by_group;

    /// `rows()` a work-item computes a row in vectors of 64 bytes, whose ends are apart: what a core of a CPU does best. No other step stands beside it.
    ///
    /// It needs a stencil on scalars, or a function of elements in two or three dimensions.
    rows;

    /// `panels()` a work-item copies a panel of columns of a product, and keeps some rows of the result in vectors. No other step stands beside it.
    ///
    /// It needs a result in two dimensions that reduces the pairs of every row with every column.
    panels;
}
