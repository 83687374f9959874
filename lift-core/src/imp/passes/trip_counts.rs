//! Loops in which the items of a group take turns count their turns.
//!
//! Before: `for (y = ly; y < 32; y += 16)`, of which a compiler does not see how often it goes round. After:
//! `for (t = 0; t < 2; ++t)` with `y = ly + 16 * t`, which it writes out, so that reads of several turns are on
//! their way at once. Where not all items have a last turn, `y` is compared with the end in each, if there are no loops in it, and no
//! barriers, which all have to reach. The indices are the same; barriers stand where they stood.

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::imp::ast::{Expr, IndexValue, Kernel, Stmt};
use crate::ir::build::fresh_id;
use crate::view::Cond;

/// So many turns are written out where not all items have a last one.
const MOST_TURNS: i64 = 16;

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
    let Stmt::For { var, start, bound, step, unroll, body } = stmt else { return stmt };
    let Some((turns, all)) = turns(&start, &bound, &step, facts) else {
        return Stmt::For { var, start, bound, step, unroll, body };
    };
    if !all && (turns > MOST_TURNS || !body.iter().all(Stmt::is_plain)) {
        return Stmt::For { var, start, bound, step, unroll, body };
    }
    let turn = Var::new(fresh_id(), "t");
    facts.declare(&turn, Some(ArithExpr::zero()), Some(ArithExpr::cst(turns - 1)));
    let index = facts.simplify(&(start + ArithExpr::var(&turn) * step));
    let some = Expr::Cond(Cond::Less(ArithExpr::var(&var), bound));
    let first = Stmt::Index(var, IndexValue::Arith(index));
    let body = if all { body } else { vec![Stmt::If(some, body, Vec::new())] };
    let body = std::iter::once(first).chain(body).collect();
    Stmt::For {
        var: turn,
        start: ArithExpr::zero(),
        bound: turns.into(),
        step: ArithExpr::one(),
        unroll,
        body,
    }
}

/// How often the loop goes round, if that is a number, and whether it is the same for all items; otherwise some have one
/// turn less.
fn turns(start: &ArithExpr, bound: &ArithExpr, step: &ArithExpr, facts: &Facts) -> Option<(i64, bool)> {
    let (bound, step) = (bound.as_const()?, step.as_const()?);
    let first = facts.nonneg(start) == Truth::Yes && facts.lt(start, &step.into()) == Truth::Yes;
    let several = start.as_const().is_none() && first && bound > step;
    several.then_some(((bound + step - 1) / step, bound % step == 0))
}
