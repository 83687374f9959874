//! Short loops inside of one along a row are written out.
//!
//! Before: a loop along a row, each trip of which has loops of few trips, such as one over the colours of a pixel. After: a loop without others in it, of
//! which compilers make vectors. Where something else stays in the way of that, nothing changes.

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::decided;
use crate::host::jam::{moved, side_by_side};
use crate::host::loops::FEWEST_TRIPS;
use crate::host::rows::{carries, is_plain};
use crate::host::stretches::MOST_OF_A_TRIP;
use crate::imp::ast::Stmt;
use crate::machine::host::MOST_OPERATIONS;

/// The statements with such loops written out, those inside of others first.
pub(super) fn written_out(stmts: Vec<Stmt>, facts: &Facts) -> Vec<Stmt> {
    let one = |stmt: Stmt| match stmt.map_blocks(&mut |block| written_out(block, facts)) {
        Stmt::For { var, start, bound, step, unroll, body } => {
            if let Some(columns) = few_columns((&var, &start, &bound), &body, facts) {
                return columns;
            }
            let is_short = (&bound - &start).as_const().is_some_and(|trips| trips < FEWEST_TRIPS);
            let plain = if is_short { None } else { without_loops(&body, facts) };
            vec![Stmt::For { var, start, bound, step, unroll, body: plain.unwrap_or(body) }]
        }
        stmt => vec![stmt],
    };
    stmts.into_iter().flat_map(one).collect()
}

/// All trips of a loop over few columns, each of which goes through the same rows: one loop over rows, in which neighbours are read together.
fn few_columns(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    facts: &Facts,
) -> Option<Vec<Stmt>> {
    let (first, trips) = (start.as_const()?, (bound - start).as_const()?);
    let is_few = (1..=MOST_OF_A_TRIP).contains(&trips) && trips * size(body) <= MOST_OPERATIONS;
    let is_rows = |stmt: &Stmt| match stmt {
        Stmt::For { start, bound, step, body, .. } => {
            [start, bound, step].iter().all(|e| !e.contains(var)) && body.iter().all(is_plain)
        }
        _ => false,
    };
    let loops = body.iter().filter(|stmt| !is_plain(stmt));
    if !is_few || loops.clone().count() != 1 || !loops.clone().all(is_rows) || carries(body) {
        return None;
    }
    let mut is_beside = true;
    loops.for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |_, _, _, index| {
                let by = |e: &ArithExpr| e.linear_in(var).and_then(|(by, _)| by.as_const());
                is_beside &= matches!(index, [index] if matches!(by(index), Some(0 | 1)));
            });
        });
    });
    let column = |i: i64| decided(moved(body, var, &ArithExpr::cst(i)), facts);
    is_beside.then(|| side_by_side((first..first + trips).map(column).collect()))
}

/// What each trip of a long loop does, without loops, if it has short ones and nothing else that is no vector.
pub(super) fn without_loops(body: &[Stmt], facts: &Facts) -> Option<Vec<Stmt>> {
    if !body.iter().any(|stmt| matches!(stmt, Stmt::For { .. })) {
        return None;
    }
    let body = decided(block(body, &mut MOST_OF_A_TRIP.clone())?, facts);
    let is_row = body.iter().all(is_plain) && !carries(&body);
    (is_row && size(&body) <= MOST_OPERATIONS).then_some(body)
}

/// How long a text is, in expressions.
pub(super) fn size(body: &[Stmt]) -> i64 {
    let mut found = 0;
    body.iter().for_each(|stmt| stmt.visit_exprs(&mut |_| found += 1));
    found
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

#[cfg(test)]
mod tests {
    use crate::host::testing::text;

    #[test]
    fn the_colours_of_a_pixel_are_written_out() {
        let text = text(
            "#[kernel] fn Faded<N>(x: [[u8; 4]; N]) -> [[u8; 4]; N] {
                x.map(|p| { let alpha = p[3] as u32; array(4, |c| (p[c] as u32 * alpha / 256) as u8) })
            }",
        );
        assert!(text.contains("s1[4 * trip + 3] ="), "{text}");
    }

    #[test]
    fn few_columns_are_summed_up_in_one_loop() {
        let text = text(
            "#[kernel] fn Sums<N, M>(x: [[[u32; 3]; M]; N]) -> [[u32; 3]; N] {
                x.map(|row| row.transpose().map(|column| column.reduce(add, 0)))
            }",
        );
        assert_eq!(text.matches("for k_").count(), 1, "{text}");
    }
}
