//! Products of matrices and their kin: blocks of results in registers, which share rows and columns in local memory.
//!
//! Before: a normalised expression. After, if its root reduces the pairs of every row with every column, of two matrices or of each of many: a group computes a
//! square of results, an item a block of them. Every element that is copied to local memory is read by 16 items there,
//! and every one that is read from there is used for a row or column of a block.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, open};
use crate::explore::placed::stored;
use crate::explore::reason::{FEW_RESULTS, Made, Reason, Written, must, product_to_write};
use crate::explore::variant::Variant;
use crate::machine::blocked::{Busy, MOST_BLOCK_BYTES, SQUARES, Square, WAVE_SHARE};
use crate::rewrite::rules::place;
use crate::rewrite::rules::product::Product;
use crate::rewrite::rules::product::blocks::BLOCK_PRODUCT;
use crate::rewrite::strategy::Derivation;

/// Added to what groups have more than they need to fill waves: conditions compare with a number above 1.
const ENOUGH: i64 = 2;

/// What the variants are called, in the order of [`SQUARES`].
pub(crate) const NAMES: [&str; SQUARES.len()] = ["blocked", "blocked_64", "blocked_32"];

const LARGE_BLOCKS: Reason = Reason::Because("blocks of its results are too large for registers");

/// Whether an item has registers for a block of results.
pub(crate) fn fits(product: &Product, shape: &Square) -> bool {
    shape.block[0] * shape.block[1] * product.sum_bytes() <= MOST_BLOCK_BYTES
}

/// The variants that a normalised expression becomes, if its root is a product or many of them.
pub(super) fn variants(d: &Derivation) -> Vec<(&'static str, Made)> {
    let mut d = d.clone();
    let found = product_to_write(&mut d);
    let made = |square| variant(&d, found.as_ref().map_err(|why| *why)?, square);
    NAMES.into_iter().enumerate().map(|(square, name)| (name, made(square))).collect()
}

fn variant(d: &Derivation, found: &Written, square: usize) -> Made {
    let (product, shape) = (&found.product, &SQUARES[square]);
    let few = |n: &ArithExpr, least: i64| n.as_const().is_some_and(|n| n < least);
    // Rows that fill no step are not worth a copy. What is known now rules out what a launch would not choose either.
    if !fits(product, shape) {
        return Err(LARGE_BLOCKS);
    }
    if few(&product.length, shape.step) || product.counts.iter().any(|n| few(n, shape.few)) {
        return Err(FEW_RESULTS);
    }
    Ok(Variant { least: least(d, found, square), ..whole(d.clone(), found, square)? })
}

/// How large the extents should be: together, for the products of a batch, too, and rows and columns by themselves.
fn least(d: &Derivation, found: &Written, square: usize) -> Least {
    let (product, shape) = (&found.product, &SQUARES[square]);
    let batch = found.batch.as_ref().and_then(|at| d.get(at)).map(|map| map.ty().length());
    let [rows, columns] = &product.counts;
    let batch = batch.unwrap_or_else(ArithExpr::one);
    let busy = match shape.busy {
        Busy::Least(least) => (rows * columns * batch, least * shape.side() * shape.side()),
        Busy::Waves(wave) => {
            let [down, across] = [rows, columns].map(|n| n.div_ceil(&shape.side().into()));
            let groups = down * across * batch;
            let places = groups.div_ceil(&wave.into()) * wave;
            (groups * 10 - places * WAVE_SHARE + ENOUGH, ENOUGH)
        }
    };
    let all = [
        (rows.clone(), shape.few),
        (columns.clone(), shape.few),
        busy,
        (product.length.clone(), shape.length),
    ];
    open(all.into_iter().filter(|(_, least)| *least > 1))
}

/// Products in squares of this number, whatever their extents are.
pub(super) fn whole(mut d: Derivation, found: &Written, square: usize) -> Made {
    let (Written { product, at, batch }, shape) = (found, &SQUARES[square]);
    must(&mut d, &BLOCK_PRODUCT[square], at)?;
    if let Some(batch) = batch {
        must(&mut d, &place::WORKGROUP[2], batch)?;
    }
    place::unroll_reductions(&mut d);
    let variant = Variant::of(NAMES[square], d);
    let [rows, columns] = product.counts.clone();
    let sides = [rows, columns].map(|extent| (extent, shape.side()));
    let blocks = extents([sides[0].clone(), sides[1].clone(), (product.length.clone(), shape.step)]);
    let [down, across] = shape.items.map(ArithExpr::cst);
    let local = vec![across, down];
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

#[cfg(test)]
mod tests {
    use crate::explore;
    use crate::pipeline::Checked;

    /// Whether there are products in blocks.
    fn is_blocked(text: &str) -> bool {
        let text = format!("#[kernel] pub fn Own<N, M, K>{text}");
        let checked = Checked::of(text.parse().expect("tokens"));
        assert!(!checked.has_errors(), "{text}");
        let variants = explore::explore(&checked.kernels[0]).variants;
        variants.iter().any(|variant| super::NAMES.contains(&variant.name))
    }

    #[test]
    fn operands_of_a_few_scalars_and_several_sums_are_products() {
        for text in [
            "(a: [[(f32, f32); K]; N], b: [[(f32, f32); K]; M]) -> [[f32; M]; N] {
                a.map(|r| b.map(|c| zip(r, c).map(|x, y| x.0 * y.0 - x.1 * y.1).reduce(add, 0.0)))
            }",
            "(a: [[f32; K]; N], m: [[u8; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] {
                zip(a, m).map(|r, m| b.map(|c| zip(r, m, c).map(|x, m, y| if m > 0 { x * y } else { 0.0 }).reduce(add, 0.0)))
            }",
            "(w: [f32; K], x: [[f32; N]; K], y: [[f32; M]; K]) -> [[f32; M]; N] {
                x.transpose().map(|a| y.transpose().map(|b| zip(a, b, w).map(|a, b, w| a * b * w).reduce(add, 0.0)))
            }",
            "(w: [f32; K], re: [[f32; K]; M], im: [[f32; K]; M], x: [[f32; K]; N]) -> [[f32; M]; N] {
                x.map(|row| {
                    let row = zip(row, w).map(mul);
                    zip(re, im).map(|c, s| {
                        let (a, b) = (zip(row, c).map(mul).reduce(add, 0.0), zip(row, s).map(mul).reduce(add, 0.0));
                        a * a + b * b
                    })
                })
            }",
        ] {
            assert!(is_blocked(text), "{text}");
        }
        // A sum that needs five scalars of each row, or an element of both.
        assert!(!is_blocked(
            "(a: [[[f32; 5]; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] {
                a.map(|r| b.map(|c| zip(r, c).map(|x, y| (x[0] * y).max(x[1]).max(x[2] - y).max(x[3]) * x[4]).reduce(add, 0.0)))
            }"
        ));
        assert!(!is_blocked(
            "(a: [[f32; K]; N], b: [[[f32; K]; M]; N]) -> [[f32; M]; N] {
                zip(a, b).map(|r, m| m.map(|c| zip(r, c).map(mul).reduce(add, 0.0)))
            }"
        ));
    }
}
