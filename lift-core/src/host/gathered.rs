//! What lies far apart for neighbouring trips is gathered once, before the loops inside of them.
//!
//! Before: a loop whose trips have loops. After: elements that a trip reads in each round of such a loop, and that do not lie beside those of the next trip, are
//! variables of the trip: coordinates of its point, say, which it compares with all others. A vector of them is read element by element, but not in every round.

use crate::arith::{ArithExpr, Var};
use crate::host::hoist::always;
use crate::imp::ast::{Expr, IndexValue, Local, Stmt};
use crate::ir::{Literal, Scalar};
use crate::memory::BufferId;
use crate::view::Cond;

/// The statements of a trip with such variables. `is_slice` says which buffers vectors are read from.
pub(super) fn gathered(body: Vec<Stmt>, var: &Var, is_slice: &dyn Fn(BufferId) -> bool) -> Vec<Stmt> {
    let mut written = Vec::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| s.accesses(&mut |id, is_write, _, _| written.extend(is_write.then_some(id))));
    });
    let is_read = |id: BufferId| is_slice(id) && !written.contains(&id);
    let mut out = Vec::new();
    for stmt in body {
        let Stmt::For { var: round, start, bound, step, unroll, body } = stmt else {
            out.push(stmt);
            continue;
        };
        let mut inside = vec![round.clone()];
        body.iter().for_each(|stmt| stmt.visit(&mut |s| inside.extend(s.index().cloned())));
        let is_same = |e: &ArithExpr| inside.iter().all(|var| !e.contains(var));
        let is_far = |e: &Expr| match e {
            Expr::Load(id, scalar, index) if *scalar != Scalar::Bool => match index.as_slice() {
                [index] => {
                    let by = index.linear_in(var).and_then(|(by, _)| by.as_const());
                    is_read(*id) && is_same(index) && index.contains(var) && by != Some(1)
                }
                _ => false,
            },
            _ => false,
        };
        let mut found: Vec<(Local, Expr)> = Vec::new();
        let body = body.into_iter().map(|stmt| match stmt {
            Stmt::Value { .. }
            | Stmt::Assign(..)
            | Stmt::Store(..)
            | Stmt::Index(_, IndexValue::Value(_)) => stmt.map_exprs(&mut |e| always(e, &is_far, &mut found)),
            stmt => stmt,
        });
        let body = body.collect();
        for (local, value) in found {
            // Without a round, the element need not be there.
            let is_sure = (&bound - &start).as_const().is_some_and(|rounds| rounds > 0);
            let none = Expr::Literal(Literal::number(0, local.scalar));
            let is_there = Expr::Cond(Cond::Less(start.clone(), bound.clone()));
            let value =
                if is_sure { value } else { Expr::Select(is_there.into(), value.into(), none.into()) };
            out.push(Stmt::Value { local, init: Some(value), constant: true });
        }
        out.push(Stmt::For { var: round, start, bound, step, unroll, body });
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::host::testing::text;

    #[test]
    fn a_point_is_read_before_the_loop_over_others() {
        let text = text(
            "#[kernel] fn Nearest<N, M>(q: [[f32; 2]; N], p: [[f32; 2]; M]) -> [f32; N] {
                q.map(|a| p.map(|b| (a[0] - b[0]).abs() + (a[1] - b[1]).abs()).reduce(min, f32::INFINITY))
            }",
        );
        let before = text.split("for k_").next().unwrap_or_default();
        assert!(before.contains("host::simd::V(["), "{text}");
    }
}
