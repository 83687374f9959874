//! Loops that are worth it are written out.
//!
//! Before: loops of which nothing is said, but for those that read ahead. After: few trips through a long block are written out as a whole, so that all of
//! their loads are on their way together, and a loop through the slots of rings as often as it takes to come round.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::imp::ast::{IndexValue, Stmt, Unroll};

/// Runs the pass.
pub(super) fn run(stmts: Vec<Stmt>, facts: &Facts) -> Vec<Stmt> {
    let stmts = stmts.into_iter().map(|stmt| stmt.map_blocks(&mut |body| run(body, facts)));
    let one = |stmt| match stmt {
        Stmt::For { var, start, bound, step, unroll: Unroll::No, body } => {
            let unroll = match is_long_block(&bound, &body) {
                true => Unroll::Whole,
                false => period(facts, &var, &body).map_or(Unroll::No, Unroll::By),
            };
            Stmt::For { var, start, bound, step, unroll, body }
        }
        other => other,
    };
    stmts.map(one).collect()
}

/// A block of so many statements is long.
const LONG: usize = 64;

/// So many trips are written out at most, that rings have come round.
const MOST_SLOTS: i64 = 4;

/// Few enough trips for the driver to write them out.
const FEW: usize = 16;

/// So many statements are written out at most: more of them would be fetched again and again.
const MOST_WRITTEN_OUT: usize = 8192;

/// Whether this is a loop of few trips through a long block, or one of turns of which not all items have the last. Written
/// out, all of its loads can be on their way together; the driver does that only if it is told.
fn is_long_block(bound: &ArithExpr, body: &[Stmt]) -> bool {
    let mut statements = 0;
    body.iter().for_each(|stmt| stmt.visit(&mut |_| statements += 1));
    let in_turns = matches!(body, [Stmt::Index(..), Stmt::If(_, _, none)] if none.is_empty());
    let trips = bound.as_const().and_then(|n| usize::try_from(n).ok());
    let few = trips.is_some_and(|n| n <= FEW && n * statements <= MOST_WRITTEN_OUT);
    few && (statements >= LONG || in_turns) && body.iter().all(Stmt::is_plain)
}

/// After how many trips of a loop all slots of its rings are the same again, if they are not in each. Written out so often, it
/// knows them as numbers, and what it keeps in registers from trip to trip need not be moved from one to the other.
fn period(facts: &Facts, var: &Var, body: &[Stmt]) -> Option<i64> {
    let again = |slot: &ArithExpr, trips: i64| {
        let later = slot.substitute(&BTreeMap::from([(var.clone(), ArithExpr::var(var) + trips)]));
        facts.simplify(&later) == *slot
    };
    let comes_round = |e: &&ArithExpr| e.contains(var) && (2..=MOST_SLOTS).any(|trips| again(e, trips));
    let indices = body.iter().filter_map(|stmt| match stmt {
        Stmt::Index(_, IndexValue::Arith(e)) => Some(e),
        _ => None,
    });
    let slots: Vec<&ArithExpr> = indices.filter(comes_round).collect();
    let all = |trips: &i64| slots.iter().all(|slot| again(slot, *trips));
    (2..=MOST_SLOTS).find(|trips| !slots.is_empty() && all(trips))
}
