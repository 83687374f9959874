//! One work-group per strip of columns that are reduced.
//!
//! Before: a normalised expression. After, if its root maps over columns of arrays and reduces each to scalars: a group computes what becomes of
//! neighbouring columns. With a work-item for each column, most of a device would have nothing to do, or little at once.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, at_most, open, unknown};
use crate::explore::naive::groups_around;
use crate::explore::reason::{Made, NO_NEST, Reason, must, written_nest};
use crate::explore::rows::{is_own_row, long, unheld};
use crate::explore::variant::Variant;
use crate::ir::{Arg, Expr, Kind, Prim};
use crate::machine::columns::{MANY, MANY_ALONE, MANY_IN_ONE_LAUNCH, NARROWEST, SHORTEST, STRIPS, WIDE};
use crate::rewrite::layout::as_map;
use crate::rewrite::rules::columns::{REDUCE_COLUMNS, only_reduction, reductions};
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::place;
use crate::rewrite::rules::reduction::{is_flat, is_long};
use crate::rewrite::strategy::Derivation;

const NO_COLUMNS: Reason = Reason::Because("the result does not reduce long columns, each once to scalars");

const OTHER_STRIPS: Reason = Reason::Because("for so many columns, there are strips of another width");

/// What the variants are called: with strips of 32 columns, with narrow ones, and with those of four columns.
pub(crate) const NAMES: [&str; STRIPS.len()] = ["rows", "few_columns", "fewest_columns"];

/// The variant in strips of one of the [widths](STRIPS) that a normalised expression becomes, if its root reduces columns.
pub(super) fn variant(d: Derivation, width: usize) -> Made {
    let (path, map, dims) = written_nest(&d)?;
    let e = d.get(&map).ok_or(NO_NEST)?;
    let (f, columns) = as_map(&e).filter(|(f, _)| is_flat(f.body.ty())).ok_or(NO_COLUMNS)?;
    let reduced =
        only_reduction(&f.body).filter(|reduction| is_of_column(&e, reduction)).ok_or(NO_COLUMNS)?;
    let (.., reduced) = as_flat_reduce(reduced).ok_or(NO_COLUMNS)?;
    let mut least = long(columns, [reduced.ty().length()]);
    // Around the columns of chunks there are chunks, and groups enough.
    let many = if dims > 1 { MANY } else { MANY_ALONE };
    least.extend(unknown([fits_strips(&columns.ty().length(), width, many)]).ok_or(OTHER_STRIPS)?);
    in_strips(d, (&path, &map, dims), width, least)
}

/// The variants in strips that a normalised expression becomes whose root reduces columns one time after the other, or computes columns from what they are reduced to.
pub(super) fn again(mut d: Derivation) -> Vec<Variant> {
    unheld(&mut d);
    let of_width = |width| {
        let (path, map, dims) = written_nest(&d)?;
        let e = d.get(&map).ok_or(NO_NEST)?;
        let (f, columns) = as_map(&e).ok_or(NO_COLUMNS)?;
        let all = reductions(&f.body);
        let [first, others @ ..] = all.as_slice() else { return Err(NO_COLUMNS) };
        let is_once = others.is_empty() && is_flat(f.body.ty());
        if is_once || !all.iter().all(|reduction| is_of_column(&e, reduction)) {
            return Err(NO_COLUMNS);
        }
        let (.., reduced) = as_flat_reduce(first).ok_or(NO_COLUMNS)?;
        let mut least = unknown([(reduced.ty().length(), SHORTEST)]).ok_or(NO_COLUMNS)?;
        match width {
            WIDE => least.extend(open([(columns.ty().length(), MANY_IN_ONE_LAUNCH)])),
            NARROWEST => {
                least.extend(unknown([fits_strips(&columns.ty().length(), width, MANY)]).ok_or(OTHER_STRIPS)?)
            }
            _ => {}
        }
        in_strips(d.clone(), (&path, &map, dims), width, least)
    };
    (0..STRIPS.len()).filter_map(|width| of_width(width).ok()).collect()
}

/// The variant in which groups have strips of the columns that the innermost of these maps goes through.
fn in_strips(
    mut d: Derivation,
    (path, map, dims): (&[usize], &[usize], usize),
    width: usize,
    least: Least,
) -> Made {
    must(&mut d, &REDUCE_COLUMNS[width], map)?;
    groups_around(&mut d, path, dims)?;
    place::reduce_everything(&mut d);
    let local = [STRIPS[width].columns, STRIPS[width].rows].map(ArithExpr::cst).into();
    Ok(Variant { local, least, ..Variant::of(NAMES[width], d) })
}

/// How many columns suit strips of one of the [widths](STRIPS), of which the wide ones are for so many columns, as an extent that should be so large.
pub(super) fn fits_strips(count: &ArithExpr, width: usize, many: i64) -> (ArithExpr, i64) {
    match width {
        WIDE => (count.clone(), many),
        NARROWEST => at_most(count, STRIPS[NARROWEST].columns),
        _ => at_most(count, many - 1),
    }
}

/// Whether a reduction in the function of this map is one of something long in the columns that are its elements.
pub(super) fn is_of_column(map: &Expr, reduction: &Expr) -> bool {
    let Some((f, xs)) = as_map(map) else { return false };
    let ([param], Some((.., reduced))) = (f.params.as_slice(), as_flat_reduce(reduction)) else {
        return false;
    };
    let own = |e: &Expr| is_own_row(e, param.id) && is_whole_column(e, xs);
    let gathers = reduced.any(&|e| matches!(e.as_prim(), Some((Prim::Gather, _))));
    is_long(reduced) && !gathers && reduced.any(&own)
}

/// Whether these rows of `xs` are columns of arrays: of all of them, where rows of several are read together.
fn is_whole_column(row: &Expr, xs: &Expr) -> bool {
    match (row.kind(), xs.as_prim()) {
        (_, Some((Prim::Transpose, _))) => true,
        (Kind::Field(_, i), Some((Prim::Zip, parts))) => {
            let part = parts.get(*i).and_then(Arg::data);
            part.is_some_and(|part| matches!(part.as_prim(), Some((Prim::Transpose, _))))
        }
        _ => false,
    }
}
