//! One work-group per row that is scanned.
//!
//! Before: a normalised expression. After, if its root maps over rows and scans each: a group goes through a row tile by tile. Its items read what lies
//! side by side, scan pieces of neighbours in local memory, and store what lies side by side. With a work-item for each row, neighbours would
//! read and store elements that are a whole row apart.

use crate::arith::ArithExpr;
use crate::explore::naive::outermost_first;
use crate::explore::reason::{Made, Reason, must, nested, written_nest};
use crate::explore::rows::{is_column, long};
use crate::explore::variant::Variant;
use crate::ir::Expr;
use crate::machine::scans::ITEMS;
use crate::rewrite::demand::as_scan;
use crate::rewrite::layout::{Writer, as_map, is_scanned, writer};
use crate::rewrite::position;
use crate::rewrite::rules::reduction::is_long;
use crate::rewrite::rules::{place, scan};
use crate::rewrite::strategy::{Derivation, Position};

const NO_SCANS: Reason = Reason::Because(
    "the result does not scan long rows with an associative function, whose elements lie side by side",
);

/// The variant that a normalised expression becomes, if its root scans rows.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (path, map, dims) = written_nest(&d)?;
    let (scan, least) = d.get(&map).and_then(|map| scan_of_rows(&map)).ok_or(NO_SCANS)?;
    let body = position::body(&nested(&mut d, &path, &outermost_first(&place::WORKGROUP, dims))?);
    must(&mut d, &scan::SCAN_BY_GROUP, &position::join(&body, &scan))?;
    place::reduce_everything(&mut d);
    Ok(Variant { local: vec![ArithExpr::cst(ITEMS)], least, ..Variant::of("rows", d) })
}

/// Where in the function of a map a scan stands, perhaps with a map over it, that writes the result, and how long the rows should be, if they are long
/// and no columns.
pub(super) fn scan_of_rows(map: &Expr) -> Option<(Position, Vec<(ArithExpr, i64)>)> {
    let (f, xs) = as_map(map)?;
    let (path, Writer::Loop) = writer(&f.body)? else { return None };
    let (.., row) = as_scan(f.body.below(&path)?)?;
    let first = (0..=path.len()).find(|n| f.body.below(&path[..*n]).is_some_and(is_scanned))?;
    (is_long(row) && !is_column(row, xs)).then(|| (path[..first].to_vec(), long(xs, [row.ty().length()])))
}
