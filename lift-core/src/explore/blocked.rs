//! Products of matrices and their kin: blocks of results in registers, which share rows and columns in local memory.
//!
//! Before: a normalised expression. After, if its root reduces the pairs of every row with every column, of two matrices or of each of many: a group computes a
//! square of results, an item a block of them. Every element that is copied to local memory is read by 16 items there,
//! and every one that is read from there is used for a row or column of a block.

use crate::arith::ArithExpr;
use crate::explore::placed::stored;
use crate::explore::reason::{FEW_RESULTS, Made, Written, must, written_product};
use crate::explore::variant::Variant;
use crate::machine::blocked::{FEW, ITEMS, SQUARES, STEP};
use crate::rewrite::rules::place;
use crate::rewrite::rules::product::blocks::BLOCK_PRODUCT;
use crate::rewrite::strategy::Derivation;

/// Rows that are known to be shorter are not worth a copy.
const SHORT: i64 = 2 * STEP;

/// The variant that a normalised expression becomes, if its root is a product or many of them.
pub(super) fn variant(d: Derivation) -> Made {
    let found = written_product(&d)?;
    let product = &found.product;
    let few = |n: &ArithExpr, least: i64| n.as_const().is_some_and(|n| n < least);
    if few(&product.length, SHORT) || product.counts.iter().any(|n| few(n, product.square())) {
        return Err(FEW_RESULTS);
    }
    let least = least(&d, &found);
    Ok(Variant { least, ..whole(d, found)? })
}

/// How large the extents should be that are not known: together, for the products of a batch, too, and rows and columns by themselves.
fn least(d: &Derivation, found: &Written) -> Vec<(ArithExpr, i64)> {
    let product = &found.product;
    let batch = found.batch.as_ref().and_then(|at| d.get(at)).map(|map| map.ty().length());
    let [rows, columns] = &product.counts;
    let results = rows * columns * batch.unwrap_or_else(ArithExpr::one);
    let all = [
        (rows.clone(), FEW),
        (columns.clone(), FEW),
        (results, SQUARES * product.square() * product.square()),
    ];
    all.into_iter().filter(|(extent, _)| extent.as_const().is_none()).collect()
}

/// Products in blocks, whatever their extents are.
pub(super) fn whole(mut d: Derivation, found: Written) -> Made {
    let Written { product, at, batch } = found;
    must(&mut d, &BLOCK_PRODUCT, &at)?;
    if let Some(batch) = batch {
        must(&mut d, &place::WORKGROUP[2], &batch)?;
    }
    place::unroll_reductions(&mut d);
    let variant = Variant::of("blocked", d);
    let square = product.square();
    let [rows, columns] = product.counts.clone();
    let blocks = extents([(rows, square), (columns, square), (product.length.clone(), STEP)]);
    let local = vec![ArithExpr::cst(ITEMS), ArithExpr::cst(ITEMS)];
    Ok(Variant { body: stored(&variant.body), local, blocks, ..variant })
}

/// Extents that are not known, with what they should be multiples of.
pub(super) fn extents<const COUNT: usize>(all: [(ArithExpr, i64); COUNT]) -> Vec<(ArithExpr, i64)> {
    let mut blocks: Vec<(ArithExpr, i64)> = Vec::new();
    for (extent, number) in all {
        // Of a square one extent is enough.
        match blocks.iter_mut().find(|(known, _)| *known == extent) {
            Some((_, known)) => *known = number.max(*known),
            None if extent.as_const().is_none() => blocks.push((extent, number)),
            None => {}
        }
    }
    blocks
}
