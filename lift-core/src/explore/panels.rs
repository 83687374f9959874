//! Products of matrices and their kin in wide vectors: what a core of a CPU does best.
//!
//! Before: a normalised expression. After, if its root reduces the pairs of every row with every column: a work-item, alone in its group, keeps the
//! results of a few rows and two vectors of columns in registers. Either a work-item for each of these, or one for each panel of columns,
//! which it copies first: what lies in one piece stays in a cache until all rows have met it.

use crate::arith::ArithExpr;
use crate::explore::blocked::extents;
use crate::explore::placed::stored;
use crate::explore::reason::{FEW_RESULTS, Made, Reason, Written, must, product_to_write};
use crate::explore::variant::Variant;
use crate::explore::vectors::{self, NO_VECTOR};
use crate::machine::panels::{ROWS, VECTORS};
use crate::machine::vectors::BYTES;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::place;
use crate::rewrite::rules::product::panels::{PRODUCT_IN_PANELS, PRODUCT_IN_VECTORS};
use crate::rewrite::strategy::Derivation;

/// What the variant is called that copies panels.
pub(super) const NAME: &str = "panels";

/// The variants that a normalised expression becomes, if its root is a product.
pub(super) fn variants(d: &Derivation) -> Result<[Variant; 2], Reason> {
    let mut d = d.clone();
    let found = product_to_write(&mut d)?;
    let copied = by_items(d.clone(), &found, &PRODUCT_IN_PANELS, 1)?;
    let read = by_items(d.clone(), &found, &PRODUCT_IN_VECTORS, 2)?;
    Ok([Variant { name: NAME, ..copied }, read])
}

/// Products, each by work-items in so many dimensions that keep some of the results in registers.
fn by_items(mut d: Derivation, found: &Written, rules: &'static [(i64, Rule); 2], dims: usize) -> Made {
    let Written { product, at, batch } = found;
    let fits = |(width, _): &&(i64, Rule)| width * product.bytes() <= BYTES;
    let (width, rule) = rules.iter().rev().find(fits).ok_or(NO_VECTOR)?;
    let groups = [ROWS, VECTORS * width];
    let few = |(n, least): (&ArithExpr, i64)| n.as_const().is_some_and(|n| n < least);
    if product.counts.iter().zip(groups).any(few) {
        return Err(FEW_RESULTS);
    }
    must(&mut d, rule, at)?;
    if let Some(batch) = batch {
        must(&mut d, &place::WORKGROUP[dims], batch)?;
    }
    let local = vec![ArithExpr::one(); dims + usize::from(batch.is_some())];
    place::reduce_everything(&mut d);
    let variant = Variant::of(vectors::NAME, d);
    let [rows, columns] = product.counts.clone();
    let blocks = extents([(rows, groups[0]), (columns, groups[1])]);
    Ok(Variant { body: stored(&variant.body), local, blocks, ..variant })
}
