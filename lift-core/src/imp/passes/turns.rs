//! Loops in which the items of a group take turns count their turns, where every item has as many.
//!
//! Before: `for (y = ly; y < 32; y += 16)`, of which a compiler does not see how often it goes round. After:
//! `for (t = 0; t < 2; ++t)` with `y = ly + 16 * t`, which it writes out, so that reads of several turns are on
//! their way at once. The indices are the same; barriers stand where they stood.

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::imp::ast::{IndexValue, Kernel, Stmt};
use crate::ir::build::fresh_id;

/// Runs the pass.
pub(super) fn run(mut kernel: Kernel) -> Kernel {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = block(body, &mut kernel.facts);
    kernel
}

fn block(stmts: Vec<Stmt>, facts: &mut Facts) -> Vec<Stmt> {
    stmts.into_iter().map(|stmt| counted(stmt.map_blocks(&mut |body| block(body, facts)), facts)).collect()
}

fn counted(stmt: Stmt, facts: &mut Facts) -> Stmt {
    let Stmt::For { var, start, bound, step, body } = stmt else { return stmt };
    let Some(turns) = turns(&start, &bound, &step, facts) else {
        return Stmt::For { var, start, bound, step, body };
    };
    let turn = Var::new(fresh_id(), "t");
    facts.declare(&turn, Some(ArithExpr::zero()), Some(ArithExpr::cst(turns - 1)));
    let index = facts.simplify(&(start + ArithExpr::var(&turn) * step));
    let first = Stmt::Index(var, IndexValue::Arith(index));
    let body = std::iter::once(first).chain(body).collect();
    Stmt::For { var: turn, start: ArithExpr::zero(), bound: turns.into(), step: ArithExpr::one(), body }
}

/// How often the loop goes round, if that is a number which is the same for all items.
fn turns(start: &ArithExpr, bound: &ArithExpr, step: &ArithExpr, facts: &Facts) -> Option<i64> {
    let (bound, step) = (bound.as_const()?, step.as_const()?);
    let first = facts.nonneg(start) == Truth::Yes && facts.lt(start, &step.into()) == Truth::Yes;
    (start.as_const().is_none() && first && bound % step == 0).then_some(bound / step)
}
