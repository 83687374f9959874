//! The matrix multiplications of the slides *Performance portable code through rewriting*, as strategies of small rules.
//!
//! Before: `map(|row| map(|column| reduce(f, z, map(g, zip(row, column))), columns), rows)`, or such a reduction already as a loop. After:
//! blocks of results, of one row of blocks or in two dimensions, each computed by one loop that meets an element of every row and column of the block at a
//! time. [`block_1d`] and [`block_2d`] are macro rules: they know nothing of products but that results are
//! loops over pairs. Exploration goes to its own blocks, with vectors and both kinds of memory, directly; these show what there is on the way.

use lift_core::explore::rows::sized;
use lift_core::ir::Kernel;
use lift_core::rewrite::normal;
use lift_core::rewrite::position::{self, BODY, DEFINED, ELEMENTS, OF, REDUCED, REST};
use lift_core::rewrite::rules::{fusion, place, rows, simplify};
use lift_core::rewrite::strategy::{Derivation, Position, Strategy};

use crate::rules::{copies, divide, fission, interchange};

/// One of the ways to compute a product.
pub struct Product {
    /// Its name.
    pub name: &'static str,
    /// What is better than before.
    pub about: &'static str,
    /// What is asked of sizes.
    pub condition: &'static str,
    /// Sizes to try, rows, columns and the length of both: less than a block, whole blocks, and what is left over.
    pub sizes: &'static [&'static [i64]],
    /// How it comes about.
    by: fn(&mut Derivation) -> Option<()>,
}

/// Results of a block in either dimension.
const BLOCK: i64 = 4;

/// Results of a tile in either dimension, and elements of a row that are in local memory at a time.
const TILE: i64 = 16;

/// Blocks of a tile in either dimension: an item has one.
const ITEMS: i64 = 8;

/// The four ways.
pub const FOUR: [Product; 4] = [
    Product {
        name: "BlockedRows",
        about: "An item computes four results below each other: an element of a column is read once for all of them. Four rows come as \
                columns of four, and the loops of the four results become one.",
        condition: "",
        sizes: &[&[1, 1, 1], &[5, 6, 3], &[8, 4, 16]],
        by: |d| {
            let block = block_1d(d, &[], BLOCK)?;
            let columns = position::join(&block, &COLUMNS);
            items(d, &block, &columns)
        },
    },
    Product {
        name: "Blocked",
        about: "An item computes a block of four by four: in a round of the loop it reads four elements of rows and four of columns for sixteen products.",
        condition: "",
        sizes: &[&[1, 1, 1], &[5, 6, 3], &[8, 4, 16]],
        by: |d| {
            let (rows, columns) = block_2d(d, &[], [BLOCK, BLOCK])?;
            items(d, &rows, &columns)
        },
    },
    Product {
        name: "Tiled",
        about: "A group computes a tile. It copies as many elements of its rows and columns as fit into local memory, and its items go \
                through these before the next ones are copied. The same macro rule makes tiles of results and blocks of them: what \
                differs is that the loop of a result is one of pieces.",
        condition: "K % 16 == 0",
        sizes: &[&[1, 3, 16], &[17, 18, 32], &[16, 32, 48]],
        by: tiled,
    },
    Product {
        name: "TiledBlocks",
        about: "Both at once: an item of a group computes a block of four by four. The macro rule is applied twice, first to results and then to blocks \
                of them, of which the loops have been cut into pieces in between.",
        condition: "K % 16 == 0",
        sizes: &[&[1, 3, 16], &[6, 35, 16], &[32, 32, 32]],
        by: tiled_blocks,
    },
];

impl Product {
    /// The kernel that it is for.
    pub fn text(&self) -> String {
        let Product { name, condition, .. } = self;
        let condition = if condition.is_empty() { String::new() } else { format!("#[size({condition})]\n") };
        format!(
            "#[kernel]\n{condition}fn {name}<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {{\n    a.map(|row| \
             b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))\n}}"
        )
    }

    /// The derivation, if the kernel is such a product.
    pub fn derive(&self, kernel: &Kernel) -> Option<Derivation> {
        let mut d = Derivation::new(&kernel.body, &kernel.facts);
        normal::strategy(Strategy::once).apply(&mut d);
        (self.by)(&mut d)?;
        Some(d)
    }
}

/// Where the map over columns stands, seen from the map over blocks of rows: in its function, before results are turned.
const COLUMNS: [usize; 2] = [BODY, OF];

/// Blocks of so many results in the dimension of the outer of two maps: `map(|x| map(|y| r, ys), xs)` becomes
/// `join . map(|xs| transpose . map(|y| rs, ys)) . split(size)`, where `rs` is one loop that computes the results r for all of xs. Returns
/// where the map over blocks stands.
pub fn block_1d(d: &mut Derivation, maps: &[usize], size: i64) -> Option<Position> {
    let blocks = divide::in_pieces(d, maps, size)?;
    d.apply(&interchange::INTERCHANGE_MAPS, &position::body(&blocks))?;
    one_loop(d, &position::body(&position::join(&blocks, &COLUMNS)))?;
    Some(blocks)
}

/// The same in both dimensions. Returns where the maps over blocks stand, the outer one first.
pub fn block_2d(d: &mut Derivation, maps: &[usize], size: [i64; 2]) -> Option<(Position, Position)> {
    let outer = block_1d(d, maps, size[0])?;
    let inner = divide::in_pieces(d, &position::join(&outer, &COLUMNS), size[1])?;
    one_loop(d, &position::body(&inner))?;
    Some((outer, inner))
}

/// The results of a map, which are reductions or loops, by one loop. What a loop meets is read as it is: the order of dimensions
/// is that of what is read, and what is computed of it is computed in the loop.
fn one_loop(d: &mut Derivation, map: &[usize]) -> Option<()> {
    let below = |path: &[usize]| position::join(map, path);
    Strategy::Rule(&fission::FISSION_ARGUMENT).at(map.to_vec()).apply(d);
    d.apply(&interchange::MAP_REDUCE, map)?;
    // Rows of columns.
    d.apply(&interchange::TRANSPOSE_MAPS, &below(&[REDUCED, OF]))?;
    d.apply(&simplify::TRANSPOSE_TRANSPOSE, &below(&[REDUCED]))?;
    Strategy::Rule(&place::REDUCE_FOLD).at(map.to_vec()).apply(d);
    d.apply(&rows::FOLD_MAP, map)?;
    let body = position::body(map);
    simplified(d, &body);
    let computed = Strategy::Seq(vec![
        Strategy::Rule(&rows::ZIP_MAP).at(below(&[BODY, ELEMENTS])),
        Strategy::Rule(&fusion::MAP_MAP).at(body.clone()),
    ]);
    let looked_at = Strategy::Rule(&interchange::ZIP_VIEW).at(body.clone());
    Strategy::OrElse(vec![computed, looked_at]).apply(d).then_some(())?;
    simplified(d, &body);
    Some(())
}

/// Every block is computed by a work-item, in registers.
fn items(d: &mut Derivation, rows: &[usize], columns: &[usize]) -> Option<()> {
    d.apply(&place::GLOBAL[1], rows)?;
    d.apply(&place::GLOBAL[0], columns)?;
    in_registers(d, &position::body(columns));
    Some(())
}

/// A tile by a work-group, with pieces of rows and columns in local memory; a result by an item.
fn tiled(d: &mut Derivation) -> Option<()> {
    let result = [BODY, BODY];
    d.apply(&place::REDUCE_FOLD, &result)?;
    d.apply(&rows::FOLD_MAP, &result)?;
    simplified(d, &result);
    in_pieces(d, &result)?;
    let maps = block_2d(d, &[], [TILE, TILE])?;
    groups(d, maps)
}

/// The same, a block of results by an item.
fn tiled_blocks(d: &mut Derivation) -> Option<()> {
    let (outer, inner) = block_2d(d, &[], [BLOCK, BLOCK])?;
    in_pieces(d, &position::body(&inner))?;
    // A map of maps again, and what is turned and cut off afterwards.
    d.apply(&fission::FISSION_VIEW, &outer)?;
    let maps = block_2d(d, &position::join(&outer, &[ELEMENTS]), [ITEMS, ITEMS])?;
    groups(d, maps)
}

/// A loop over pairs becomes one over pieces of the first and pieces of the second, with a loop through a piece.
fn in_pieces(d: &mut Derivation, at: &[usize]) -> Option<()> {
    sized(d, &divide::FOLD_SPLIT, at, TILE)?;
    simplified(d, at);
    d.apply(&divide::FOLD_NONE, at)?;
    d.apply(&divide::SPLIT_ZIP, &position::join(at, &[REDUCED]))?;
    d.apply(&rows::FOLD_MAP, at)?;
    simplified(d, at);
    Some(())
}

fn simplified(d: &mut Derivation, at: &[usize]) {
    normal::unfused(Strategy::once).at(at.to_vec()).apply(d);
}

/// Every tile is computed by a work-group, which copies what it meets in a round to local memory.
fn groups(d: &mut Derivation, (rows, columns): (Position, Position)) -> Option<()> {
    d.apply(&place::WORKGROUP[1], &rows)?;
    d.apply(&place::WORKGROUP[0], &columns)?;
    let group = position::body(&columns);
    d.apply(&copies::ROUND_TO_LOCAL, &group)?;
    let body = position::body(&group);
    // The two copies, and what is computed from them. Neighbours have columns side by side, in which b and the result lie
    // side by side.
    let (below_each_other, side_by_side) = (&place::LOCAL[1], &place::LOCAL[0]);
    for (maps, places, rest) in [
        ([DEFINED, OF].as_slice(), [below_each_other, side_by_side], Some(&place::SEQ)),
        (&[REST, DEFINED, OF], [side_by_side, below_each_other], Some(&place::SEQ)),
        (&[REST, REST], [side_by_side, below_each_other], None),
    ] {
        place::nest(d, &position::join(&body, maps), &places, rest);
    }
    in_registers(d, &group);
    Some(())
}

/// A loop and what its function does element by element, by one work-item. What it goes through is read where it is.
fn in_registers(d: &mut Derivation, block: &[usize]) {
    Strategy::Rule(&place::FOLD_SEQ).all().at(block.to_vec()).apply(d);
    Strategy::Rule(&place::SEQ_UNROLL).all().at(position::body(block)).apply(d);
}
