//! Two stages for reductions with few results: who would compute the first of them, and whether there are so few.
//!
//! Before: a normalised expression. After: the same, with partial results of chunks that a launch of its own computes.

use crate::arith::ArithExpr;
use crate::explore::columns::reduced_columns;
use crate::explore::reason::{Reason, must};
use crate::explore::rows::reads_rows;
use crate::ir::Prim;
use crate::machine::stages::FEWEST;
use crate::rewrite::layout::{Writer, as_map, writer};
use crate::rewrite::normal;
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::product::Product;
use crate::rewrite::rules::stages::{REDUCE_IN_STAGES, SHARES, chunk_length, first_reduction};
use crate::rewrite::rules::stencil::Stencil;
use crate::rewrite::strategy::{Derivation, Position, Strategy};

const NO_REDUCTION: Reason =
    Reason::Because("no result reduces anything long, or the rows that are reduced are chunks already");

const MANY_RESULTS: Reason = Reason::Because("there are enough results for a device, or little is reduced");

/// Reductions after each other in one function that get stages, at most.
const MOST: usize = 4;

/// Two stages for what is reduced by the map that writes the value at a position. Returns how many chunks there should be, at least.
pub(crate) fn in_stages(d: &mut Derivation, at: &[usize]) -> Result<Vec<(ArithExpr, i64)>, Reason> {
    let mut least = Vec::new();
    for _ in 0..MOST {
        match found(d, at) {
            Ok((map, by, count)) => {
                must(d, &REDUCE_IN_STAGES[by], &map)?;
                normal::strategy(Strategy::once).at(at.to_vec()).apply(d);
                least.push((count, FEWEST));
            }
            Err(reason) if least.is_empty() => return Err(reason),
            Err(_) => break,
        }
    }
    Ok(least)
}

/// The map, the number of the rule, and how many chunks that makes.
fn found(d: &Derivation, at: &[usize]) -> Result<(Position, usize, ArithExpr), Reason> {
    let value = d.get(at).ok_or(NO_REDUCTION)?;
    let Some((path, Writer::Map)) = writer(&value) else { return Err(NO_REDUCTION) };
    let path = position::join(at, &path);
    let map = d.get(&path).ok_or(NO_REDUCTION)?;
    let (f, xs) = as_map(&map).ok_or(NO_REDUCTION)?;
    let is_chunk = matches!(xs.as_prim(), Some((Prim::Split, _)));
    if is_chunk || Stencil::find(&map).is_some_and(|stencil| stencil.has_windows()) {
        return Err(NO_REDUCTION);
    }
    let (results, reduction) = first_reduction(&map).ok_or(NO_REDUCTION)?;
    let (_, _, reduced) = as_flat_reduce(&reduction).ok_or(NO_REDUCTION)?;
    let inner = as_map(&f.body).is_some();
    let (dims, innermost) = if inner { (2, position::join(&path, &[BODY])) } else { (1, path.clone()) };
    let columns = d.get(&innermost).and_then(|map| reduced_columns(&map));
    let by = if Product::find(&map).is_some() {
        2
    } else if reads_rows(d, &path, dims) {
        0
    } else if columns.is_some() {
        1
    } else {
        3
    };
    let n = reduced.ty().length();
    let count = n.div(&chunk_length(&results, &n, &SHARES[by], d.facts()));
    if count.as_const().is_some_and(|n| n < FEWEST) {
        return Err(MANY_RESULTS);
    }
    Ok((path, by, count))
}
