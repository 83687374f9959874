//! Short loops inside of one along a row are written out.
//!
//! Before: a loop along a row, each trip of which has loops of few trips, such as one over the colours of a pixel. After: a loop without others in it, of
//! which compilers make vectors. Where something else stays in the way of that, nothing changes.

use crate::arith::{ArithExpr, Facts};
use crate::host::decide::decided;
use crate::host::jam::moved;
use crate::host::loops::FEWEST_TRIPS;
use crate::host::rows::{carries, is_plain};
use crate::host::stretches::MOST_OF_A_TRIP;
use crate::host::strips::operations;
use crate::imp::ast::Stmt;
use crate::machine::host::MOST_OPERATIONS;

/// The statements with such loops written out, those inside of others first.
pub(super) fn written_out(stmts: Vec<Stmt>, facts: &Facts) -> Vec<Stmt> {
    let one = |stmt: Stmt| match stmt.map_blocks(&mut |block| written_out(block, facts)) {
        Stmt::For { var, start, bound, step, unroll, body } => {
            let is_short = (&bound - &start).as_const().is_some_and(|trips| trips < FEWEST_TRIPS);
            let plain = if is_short { None } else { without_loops(&body, facts) };
            Stmt::For { var, start, bound, step, unroll, body: plain.unwrap_or(body) }
        }
        stmt => stmt,
    };
    stmts.into_iter().map(one).collect()
}

/// What each trip of a long loop does, without loops, if it has short ones and nothing else that is no vector.
pub(super) fn without_loops(body: &[Stmt], facts: &Facts) -> Option<Vec<Stmt>> {
    if !body.iter().any(|stmt| matches!(stmt, Stmt::For { .. })) {
        return None;
    }
    let body = decided(block(body, &mut MOST_OF_A_TRIP.clone())?, facts);
    let is_row = body.iter().all(is_plain) && !carries(&body);
    (is_row && operations(&body) <= MOST_OPERATIONS).then_some(body)
}

/// The block with all loops written out; `left` is how many trips there may be in all.
fn block(body: &[Stmt], left: &mut i64) -> Option<Vec<Stmt>> {
    let mut out = Vec::new();
    for stmt in body {
        let Stmt::For { var, start, bound, step, body, .. } = stmt else {
            out.push(stmt.clone());
            continue;
        };
        let (first, trips) = (start.as_const()?, (bound - start).as_const()?);
        if step.as_const() != Some(1) || !(1..FEWEST_TRIPS).contains(&trips) {
            return None;
        }
        for i in first..first + trips {
            let trip = moved(&block(body, left)?, var, &ArithExpr::cst(i));
            *left -= i64::from(trip.iter().any(|stmt| stmt.any(&|s| matches!(s, Stmt::Store(..)))));
            if *left < 0 {
                return None;
            }
            out.extend(trip);
        }
    }
    Some(out)
}
