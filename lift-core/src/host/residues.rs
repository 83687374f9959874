//! A loop along a row whose indices are divided by a small number takes so many trips at once, in which quotients and remainders are known.
//!
//! Before: a loop whose trips do not depend on each other, such as one that doubles every element. After: a loop over quotients, each trip of which does what one
//! trip for each remainder did, and the few trips before and after it.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::{decided, without_names};
use crate::host::jam::moved;
use crate::host::rows::{carries, is_plain};
use crate::host::stretches::MOST_OF_A_TRIP;
use crate::host::written_out::size;
use crate::imp::ast::Stmt;
use crate::ir::build::fresh_id;
use crate::machine::host::MOST_OPERATIONS;

/// The loop over quotients.
pub(super) struct Residues {
    pub(super) var: Var,
    pub(super) start: ArithExpr,
    pub(super) bound: ArithExpr,
    pub(super) body: Vec<Stmt>,
    /// The trips before it, and those after it: from here up to there.
    pub(super) others: [Option<(ArithExpr, ArithExpr)>; 2],
}

/// The loop in which such quotients are known. It becomes known to `facts` in which range its variable is.
pub(super) fn residues(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    facts: &mut Facts,
) -> Option<Residues> {
    if !body.iter().all(is_plain) || carries(body) || !facts.nonneg(start).is_yes() {
        return None;
    }
    let body = without_names(body.to_vec(), &BTreeMap::new());
    let by = divisor(&body, var)?;
    if size(&body) * by > MOST_OPERATIONS {
        return None;
    }
    let of = ArithExpr::cst(by);
    let quotient = Var::new(fresh_id(), var.name());
    let (first, end) = (facts.simplify(&start.div_ceil(&of)), facts.simplify(&bound.div(&of)));
    let mut known = facts.fork();
    known.declare(&quotient, Some(first.clone()), Some(&end - 1));
    let trip = |i: i64| decided(moved(&body, var, &(ArithExpr::var(&quotient) * by + i)), &known);
    let trips: Vec<Stmt> = (0..by).flat_map(trip).collect();
    if divisor(&trips, &quotient).is_some() {
        return None;
    }
    let range = |first: &ArithExpr, end: ArithExpr| {
        let is_empty = facts.eq(first, &end).is_yes();
        (!is_empty).then(|| (first.clone(), end))
    };
    let before = range(start, ArithExpr::min(&(&first * by), bound));
    let after = range(&facts.simplify(&ArithExpr::max(&(&end * by), start)), bound.clone());
    *facts = known;
    Some(Residues { var: quotient, start: first, bound: end, body: trips, others: [before, after] })
}

/// The smallest number of trips after which all remainders are the same again, where an index is divided by a number; nothing if there is none, or
/// there are too many trips.
fn divisor(body: &[Stmt], var: &Var) -> Option<i64> {
    let mut by = 1;
    let mut is_known = true;
    body.iter().for_each(|stmt| {
        stmt.visit_indices(&mut |e| {
            for (dividend, divisor) in e.quotients() {
                if !dividend.contains(var) {
                    continue;
                }
                let growth = dividend.linear_in(var).and_then(|(growth, _)| growth.as_const());
                match (growth, divisor.as_const()) {
                    (Some(growth), Some(n)) if n > 0 && by <= MOST_OF_A_TRIP => {
                        by = lcm(by, n / gcd(n, growth.abs()))
                    }
                    _ => is_known = false,
                }
            }
        });
    });
    (is_known && (2..=MOST_OF_A_TRIP).contains(&by)).then_some(by)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: i64, b: i64) -> i64 {
    a / gcd(a, b) * b
}

#[cfg(test)]
mod tests {
    use crate::host::testing::text;

    #[test]
    fn trips_between_which_a_quotient_is_the_same_are_one() {
        let text = text("#[kernel] fn Twice<N>(x: [u8; N]) -> [u8; 2 * N] { array(2 * N, |i| x[i / 2]) }");
        assert!(text.contains("s1[2 * trip + 1] = s0[trip];"), "{text}");
    }

    #[test]
    fn trips_that_fill_no_group_are_left_over() {
        let text = text("#[kernel] fn Third<N>(x: [u8; N]) -> [u8; N] { array(N, |i| x[i / 3]) }");
        assert!(text.contains("s1[3 * trip + 2] = s0[trip];") && text.contains("/ 3)"), "{text}");
    }
}
