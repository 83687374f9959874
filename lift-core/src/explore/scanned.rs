//! One work-group per row, or strip of columns, that is scanned.
//!
//! Before: a normalised expression. After, if its root maps over rows and scans each: a group goes through a row tile by tile. Its items read what lies
//! side by side, scan pieces of neighbours in local memory, and store what lies side by side. With a work-item for each row, neighbours would
//! read and store elements that are a whole row apart; with one for each column, most of a device would have nothing to do.

use crate::arith::ArithExpr;
use crate::explore::least::{Least, at_most, open, unknown};
use crate::explore::naive::{groups_around, outermost_first};
use crate::explore::reason::{Made, Reason, must, nested, written_nest};
use crate::explore::rows::{NO_PARTS, by_group, is_column, is_own_row, long, reductions, sized};
use crate::explore::variant::{VECTORS, Variant};
use crate::explore::{columns, short_rows};
use crate::ir::{Expr, Kind, Lambda};
use crate::machine::columns::{STRIPS, WIDE};
use crate::machine::rows::SHORT;
use crate::machine::scans::{
    GROUP, LEAST_OF_COLUMN, LONGEST_SHORT_ROW, MANY_IN_ONE_LAUNCH, PIECE, PIECE_OF_CHUNK, SHORTEST_ROW,
    STRIP_ITEMS, short,
};
use crate::rewrite::demand::as_scan;
use crate::rewrite::layout::{Writer, as_map, is_scanned, writer};
use crate::rewrite::position;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::reduction::is_long;
use crate::rewrite::rules::scan_blocks::{SCAN_HELD, SCAN_SHORT};
use crate::rewrite::rules::scan_stages::Scanned;
use crate::rewrite::rules::scan_strips::SCAN_STRIPS;
use crate::rewrite::rules::{place, scan};
use crate::rewrite::strategy::{Derivation, Position};

const NO_SCANS: Reason = Reason::Because(
    "the result does not scan long rows with an associative function, whose elements lie side by side",
);

const NO_COLUMNS: Reason =
    Reason::Because("the result does not scan long columns with an associative function");

const ONE_ROW: Reason = Reason::Because("one row is nothing for many small groups");

const LONG_ROWS: Reason = Reason::Because("rows are not short");

const SHORT_COLUMNS: Reason = Reason::Because("columns are short");

/// The variants that a normalised expression becomes, if its root scans rows or columns.
pub(super) fn variants(d: &Derivation) -> Vec<Variant> {
    if let Ok(long) = rows(d.clone()) {
        return [Some(long), short_rows(d.clone()).ok()].into_iter().flatten().collect();
    }
    (0..SCAN_STRIPS.len()).filter_map(|width| strips(d.clone(), width).ok()).collect()
}

/// What the chunks of a whole array sum up to is one row.
fn is_one_row(map: &Expr) -> bool {
    as_map(map).is_some_and(|(_, rows)| matches!(rows.kind(), Kind::ArrayLiteral(_)))
}

/// Whether rows are known to be no whole vectors.
fn has_odd_rows(map: &Expr) -> bool {
    let Some((_, n, _)) = scan_of_rows(map) else { return false };
    let mut bytes = 0;
    map.ty().scalars(&mut |scalar| bytes += scalar.bytes());
    n.as_const().is_some_and(|n| n * bytes % VECTORS[0] != 0)
}

/// A group for each row.
fn rows(mut d: Derivation) -> Made {
    let (path, map, dims) = written_nest(&d)?;
    let e = d.get(&map).ok_or(NO_SCANS)?;
    let (scan, _, least) = scan_of_rows(&e).ok_or(NO_SCANS)?;
    let body = position::body(&nested(&mut d, &path, &outermost_first(&place::WORKGROUP, dims))?);
    // What a chunk of a whole array starts with.
    for reduction in d.get(&body).map_or(Vec::new(), |function| reductions(&function, SHORT)) {
        by_group::<{ GROUP.items }>(&mut d, &position::join(&body, &reduction)).ok_or(NO_PARTS)?;
    }
    must(&mut d, &scan::SCAN_BY_GROUP, &position::join(&body, &scan))?;
    place::reduce_everything(&mut d);
    Ok(Variant { local: vec![GROUP.items.into()], least, ..Variant::of("rows", d) })
}

/// A group for each block of short rows.
fn short_rows(d: Derivation) -> Made {
    let (.., map, _) = written_nest(&d)?;
    let e = d.get(&map).ok_or(NO_SCANS)?;
    let (_, n, _) = scan_of_rows(&e).ok_or(NO_SCANS)?;
    if is_one_row(&e) {
        return Err(ONE_ROW);
    }
    let least = unknown([(n.clone(), SHORTEST_ROW), at_most(&n, LONGEST_SHORT_ROW)]).ok_or(LONG_ROWS)?;
    let local: Vec<ArithExpr> = vec![short::ITEMS.into(), short::ROWS.into()];
    let staged = in_blocks(d.clone(), &SCAN_SHORT)?;
    let staged = Variant { local, least, ..Variant::of(short_rows::NAME, staged) };
    match has_odd_rows(&e) {
        true => Ok(staged),
        false => Ok(with_vectors(in_blocks(d, &SCAN_HELD)?, staged)),
    }
}

/// Blocks of rows that groups scan by one of the rules.
fn in_blocks(mut d: Derivation, rule: &'static Rule) -> Result<Derivation, Reason> {
    let (path, map, dims) = written_nest(&d)?;
    must(&mut d, rule, &map)?;
    groups_around(&mut d, &path, dims)?;
    place::reduce_everything(&mut d);
    Ok(d)
}

/// A variant whose items have vectors in registers, and what there is instead where rows are no whole vectors.
fn with_vectors(held: Derivation, staged: Variant) -> Variant {
    let (name, local, least) = (staged.name, staged.local.clone(), staged.least.clone());
    Variant {
        local,
        least,
        vectors: &VECTORS[..1],
        narrow: Some(Box::new(staged)),
        ..Variant::of(name, held)
    }
}

/// A group for each strip of columns, of one of the [widths](STRIPS).
fn strips(mut d: Derivation, width: usize) -> Made {
    let (path, map, dims) = written_nest(&d)?;
    let e = d.get(&map).ok_or(NO_COLUMNS)?;
    let scanned = Scanned::find(&e).filter(|it| scans_columns(it.function, it.v, it.xs)).ok_or(NO_COLUMNS)?;
    let count = scanned.xs.ty().length();
    let mut least = unknown([(scanned.v.ty().length(), LEAST_OF_COLUMN)]).ok_or(SHORT_COLUMNS)?;
    if width == WIDE {
        least.extend(open([(count, MANY_IN_ONE_LAUNCH)]));
    }
    let piece = if width == WIDE && dims > 1 { PIECE_OF_CHUNK } else { PIECE };
    sized(&mut d, &SCAN_STRIPS[width], &map, piece).ok_or(NO_COLUMNS)?;
    groups_around(&mut d, &path, dims)?;
    place::reduce_everything(&mut d);
    let local = [STRIPS[width].columns, STRIP_ITEMS / STRIPS[width].columns].map(ArithExpr::cst).into();
    Ok(Variant { local, least, ..Variant::of(columns::NAMES[width], d) })
}

/// Whether what a function scans, of an element of these, is a column of an array.
pub(super) fn scans_columns(f: &Lambda, v: &Expr, xs: &Expr) -> bool {
    let [x] = f.params.as_slice() else { return false };
    v.any(&|e| is_own_row(e, x.id) && is_column(e, xs))
}

/// Where in the function of a map a scan stands, perhaps with a map over it, that writes the result, how long the rows are, and how long they should be,
/// if they are long and no columns.
pub(super) fn scan_of_rows(map: &Expr) -> Option<(Position, ArithExpr, Least)> {
    let (f, xs) = as_map(map)?;
    let (path, Writer::Loop) = writer(&f.body)? else { return None };
    let (.., row) = as_scan(f.body.below(&path)?)?;
    let first = (0..=path.len()).find(|n| f.body.below(&path[..*n]).is_some_and(is_scanned))?;
    let n = row.ty().length();
    (is_long(row) && !is_column(row, xs)).then(|| (path[..first].to_vec(), n.clone(), long(xs, [n])))
}
