//! One work-group per block of short rows that are reduced.
//!
//! Before: a normalised expression. After, if its root maps over rows and reduces each to scalars: a group computes what becomes of a block of rows. Eight work-items
//! reduce a row, with a stride of eight vectors, and their partial results meet in local memory. With a group for each row, most of its items would have no
//! element; with an item for each row, neighbours would read elements that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, at_most, unknown};
use crate::explore::naive::groups_around;
use crate::explore::reason::{Made, NO_NEST, Reason, must, written_nest};
use crate::explore::rows::{
    NO_PARTS, has_choices, partial_sums, reads_rows, reductions, rereads, sized, unheld,
};
use crate::explore::variant::Variant;
use crate::ir::Type;
use crate::machine::short_rows::{FEWEST, ITEMS, LONGEST, LONGEST_OF_TUPLES, LONGEST_REREAD, ROWS, SHORTEST};
use crate::rewrite::layout::as_map;
use crate::rewrite::position::{self, REDUCED};
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::short_rows::{ROWS_IN_GROUPS, SHARE_INSIDE};
use crate::rewrite::strategy::{Derivation, Position};

/// What the version is called.
pub(super) const NAME: &str = "short_rows";

const NO_SHORT_ROWS: Reason = Reason::Because(
    "the result does not reduce many short rows, each to scalars, whose elements lie side by side",
);

/// Reductions after each other in one function, at most.
const MOST: usize = 8;

/// The variant that a normalised expression becomes, if its root reduces rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    unheld(&mut d);
    let (path, map, dims) = written_nest(&d)?;
    if !reads_rows(&d, &path, dims, SHORTEST) || has_choices(&d, &path, SHORTEST) {
        return Err(NO_SHORT_ROWS);
    }
    let least = least(&d, &map)?;
    let block = sized(&mut d, &ROWS_IN_GROUPS, &map, ROWS).ok_or(NO_NEST)?;
    let [mut rows] = block.focus().ok_or(NO_NEST)?;
    groups_around(&mut d, &path, dims)?;
    for _ in 0..MOST {
        let Some(reduction) = first_reduction(&d, &position::body(&rows)) else { break };
        partial_sums::<ITEMS>(&mut d, &reduction).ok_or(NO_PARTS)?;
        [rows] = must(&mut d, &SHARE_INSIDE, &rows)?.focus().ok_or(NO_NEST)?;
    }
    let body = position::body(&rows);
    if first_reduction(&d, &body).is_some() {
        return Err(NO_PARTS);
    }
    must(&mut d, &place::LOCAL[1], &rows)?;
    if d.get(&body).is_some_and(|body| !is_flat(body.ty())) {
        place::nest(&mut d, &body, &[&place::LOCAL[0]], Some(&place::SEQ));
    }
    place::unroll_reductions(&mut d);
    let local = vec![ArithExpr::cst(ITEMS), ArithExpr::cst(ROWS)];
    Ok(Variant { local, least, ..Variant::of(NAME, d) })
}

/// The first reduction of a row that is not shared yet.
fn first_reduction(d: &Derivation, body: &[usize]) -> Option<Position> {
    let found = reductions(&d.get(body)?, SHORTEST).pop()?;
    Some(position::join(body, &found))
}

/// How many rows there should be, and how long they should be: no less, and no more.
fn least(d: &Derivation, map: &[usize]) -> Result<Least, Reason> {
    let map = d.get(map).ok_or(NO_SHORT_ROWS)?;
    let (f, rows) = as_map(&map).ok_or(NO_SHORT_ROWS)?;
    let of_scalars = if rereads(d) { LONGEST_REREAD } else { LONGEST };
    let mut all = vec![(rows.ty().length(), FEWEST)];
    for at in reductions(&f.body, SHORTEST) {
        let reduction = f.body.below(&at).ok_or(NO_SHORT_ROWS)?;
        let n = reduction.child(REDUCED).ok_or(NO_SHORT_ROWS)?.ty().length();
        let longest = match reduction.ty() {
            Type::Tuple(_) => LONGEST_OF_TUPLES,
            _ => of_scalars,
        };
        all.extend([(n.clone(), SHORTEST), at_most(&n, longest)]);
    }
    unknown(all).ok_or(NO_SHORT_ROWS)
}
