//! Loops that some lanes leave before others.
//!
//! Where elements are computed together, a loop that ends early goes on until all of them have left it. What belongs to those that have stays as it
//! is, so that they leave it again in each round.

use std::collections::BTreeSet;

use crate::imp::ast::{Expr, Stmt};

/// The condition on which some leave a loop and others do not, with what comes before and after it, if there is such a place.
pub fn apart<'a>(
    body: &'a [Stmt],
    varies: &dyn Fn(&Expr) -> bool,
) -> Option<(&'a [Stmt], &'a Expr, &'a [Stmt])> {
    let (at, cond) = body.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Stmt::Leave(cond) if varies(cond) => Some((at, cond)),
        _ => None,
    })?;
    Some((&body[..at], cond, &body[at + 1..]))
}

/// The variables from outside of the statements that these assign: what stays for those that have left.
pub fn kept(stmts: &[Stmt]) -> BTreeSet<u32> {
    let (mut own, mut assigned) = (BTreeSet::new(), BTreeSet::new());
    stmts.iter().for_each(|stmt| {
        stmt.visit(&mut |s| match s {
            Stmt::Value { local, .. } => {
                own.insert(local.id);
            }
            Stmt::Assign(local, _) => {
                assigned.insert(local.id);
            }
            _ => {}
        });
    });
    &assigned - &own
}
