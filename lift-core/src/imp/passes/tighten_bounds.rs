//! Loops have no trips that do nothing.
//!
//! Before: `for (i = 0; i < 3; ++i) if (i < 1) …`, as the last of several blocks is stored. After: the loop ends where what it
//! guards ends, and one trip is no loop. Touches only loops of which all is guarded, from a number to a number.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::{Expr, Stmt};
use crate::ir::{BinaryOp, Literal};

/// Runs the pass.
pub(super) fn run(body: Vec<Stmt>) -> Vec<Stmt> {
    body.into_iter().flat_map(|stmt| tightened(stmt.map_blocks(&mut run))).collect()
}

fn tightened(stmt: Stmt) -> Vec<Stmt> {
    let Stmt::For { var, start, bound, step, unroll, body } = stmt else { return vec![stmt] };
    let all = (start.as_const(), bound.as_const(), step.as_const(), body.as_slice());
    let (Some(first), Some(end), Some(1), [Stmt::If(cond, then, otherwise)]) = all else {
        return vec![Stmt::For { var, start, bound, step, unroll, body }];
    };
    let mut trips = first..end;
    let mut rest = Vec::new();
    for cond in cond.conjuncts() {
        match limited(&trips, cond, &var) {
            Some(fewer) => trips = fewer,
            None => rest.push(cond.clone()),
        }
    }
    if !otherwise.is_empty() || trips == (first..end) {
        return vec![Stmt::For { var, start, bound, step, unroll, body }];
    }
    let body = match rest.into_iter().reduce(Expr::and) {
        None => then.clone(),
        Some(cond) => vec![Stmt::If(cond, then.clone(), Vec::new())],
    };
    if trips.is_empty() {
        return Vec::new();
    }
    if trips.end - trips.start == 1 {
        let only = BTreeMap::from([(var, ArithExpr::cst(trips.start))]);
        let once = body.into_iter().map(|stmt| stmt.map_indices(&mut |e| e.substitute(&only)));
        return once.flat_map(settled).collect();
    }
    vec![Stmt::For { var, start: trips.start.into(), bound: trips.end.into(), step, unroll, body }]
}

/// What is left of a statement whose conditions may have become comparisons of numbers: an arm that is never taken may
/// read where there is nothing.
fn settled(stmt: Stmt) -> Vec<Stmt> {
    let block = &mut |block: Vec<Stmt>| block.into_iter().flat_map(settled).collect();
    match stmt.map_exprs(&mut chosen).map_blocks(block) {
        Stmt::If(Expr::Literal(Literal::Bool(holds)), then, otherwise) => {
            if holds {
                then
            } else {
                otherwise
            }
        }
        stmt => vec![stmt],
    }
}

/// The expression without choices that are made.
fn chosen(e: &Expr) -> Expr {
    let truth = |e: &Expr| match e {
        Expr::Literal(Literal::Bool(holds)) => Some(*holds),
        _ => None,
    };
    match e {
        Expr::Cond(cond) => match cond.margin().as_const() {
            Some(margin) => Expr::Literal(Literal::Bool(margin >= 0)),
            None => e.clone(),
        },
        Expr::Select(cond, a, b) => match chosen(cond) {
            Expr::Literal(Literal::Bool(holds)) => chosen(if holds { a } else { b }),
            cond => Expr::Select(cond.into(), chosen(a).into(), chosen(b).into()),
        },
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), scalar, a, b) => {
            let deciding = *op == BinaryOp::Or;
            let (a, b) = (chosen(a), chosen(b));
            match (truth(&a), truth(&b)) {
                (Some(first), _) if first == deciding => a,
                (Some(_), _) => b,
                (None, Some(second)) if second != deciding => a,
                (None, _) => Expr::Binary(*op, *scalar, a.into(), b.into()),
            }
        }
        e => e.map_operands(&mut chosen),
    }
}

/// The trips for which a condition holds that says when the loop begins or ends; `None` if it says anything else.
fn limited(trips: &std::ops::Range<i64>, cond: &Expr, var: &Var) -> Option<std::ops::Range<i64>> {
    let Expr::Cond(cond) = cond else { return None };
    let margin = cond.margin();
    let counts = |sign: i64| (&margin - ArithExpr::var(var) * ArithExpr::cst(sign)).as_const();
    // `var + c >= 0`, or `c - var >= 0`.
    let fewer = match (counts(1), counts(-1)) {
        (Some(c), _) => trips.start.max(-c)..trips.end,
        (None, Some(c)) => trips.start..trips.end.min(c + 1),
        (None, None) => return None,
    };
    Some(fewer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Scalar;
    use crate::ir::build::fresh_id;
    use crate::memory::BufferId;
    use crate::view::Cond;

    /// `for (i = 0; i < 5; ++i) if (…) x[i + 3] = i`
    fn guarded(conds: &dyn Fn(&ArithExpr) -> Vec<Cond>) -> Vec<Stmt> {
        let var = Var::new(fresh_id(), "i");
        let i = ArithExpr::var(&var);
        let store = Stmt::Store(BufferId(0), vec![&i + 3], Expr::Index(i.clone()));
        let body = match Expr::all(&conds(&i)) {
            Some(cond) => vec![Stmt::If(cond, vec![store], Vec::new())],
            None => vec![store],
        };
        vec![Stmt::For {
            var,
            start: 0.into(),
            bound: 5.into(),
            step: 1.into(),
            unroll: crate::imp::ast::Unroll::No,
            body,
        }]
    }

    fn trips(stmts: &[Stmt]) -> (String, usize) {
        match stmts {
            [] => ("none".into(), 0),
            [Stmt::For { start, bound, body, .. }] => (format!("{start}..{bound}"), body.len()),
            stmts => (format!("{} statements", stmts.len()), stmts.len()),
        }
    }

    #[test]
    fn a_loop_ends_where_its_guard_ends() {
        let less = |n: i64| move |i: &ArithExpr| vec![Cond::Less(i.clone(), n.into())];
        assert_eq!(trips(&run(guarded(&less(3)))).0, "0..3");
        assert_eq!(trips(&run(guarded(&less(0)))).0, "none");
        assert_eq!(trips(&run(guarded(&less(9)))).0, "0..5");
        let between = |i: &ArithExpr| vec![Cond::AtLeast(i + 1, 3.into()), Cond::Less(i + 2, 6.into())];
        assert_eq!(trips(&run(guarded(&between))).0, "2..4");
    }

    #[test]
    fn one_trip_is_no_loop() {
        let last = |i: &ArithExpr| vec![Cond::AtLeast(i.clone(), 4.into())];
        match run(guarded(&last)).as_slice() {
            [Stmt::Store(_, index, Expr::Index(value))] => {
                assert_eq!((index.as_slice(), value), ([ArithExpr::cst(7)].as_slice(), &4.into()));
            }
            other => panic!("{other:?}"),
        }
    }

    /// `for (i = 0; i < 5; ++i) if (i < 1) x[i + 3] = i < 1 ? 7 : x[i - 1]`
    #[test]
    fn what_the_only_trip_never_reads_goes() {
        let var = Var::new(fresh_id(), "i");
        let i = ArithExpr::var(&var);
        let first = Expr::Cond(Cond::Less(i.clone(), 1.into()));
        let seven = Expr::Literal(Literal::number(7, Scalar::I32));
        let before = Expr::Load(BufferId(0), Scalar::I32, vec![&i - 1]);
        let value = Expr::Select(first.clone().into(), seven.clone().into(), before.into());
        let store = Stmt::Store(BufferId(0), vec![&i + 3], value);
        let body = vec![Stmt::If(first, vec![store], Vec::new())];
        let done = run(vec![Stmt::For {
            var,
            start: 0.into(),
            bound: 5.into(),
            step: 1.into(),
            unroll: crate::imp::ast::Unroll::No,
            body,
        }]);
        match done.as_slice() {
            [Stmt::Store(_, _, value)] => assert_eq!(*value, seven),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_depends_on_anything_else_stays() {
        let n = Var::new(fresh_id(), "N");
        let unknown = |i: &ArithExpr| vec![Cond::Less(i.clone(), ArithExpr::var(&n))];
        let twice = |i: &ArithExpr| vec![Cond::Less(i * 2, 4.into())];
        for conds in [&unknown as &dyn Fn(&ArithExpr) -> Vec<Cond>, &twice, &|_| Vec::new()] {
            assert_eq!(trips(&run(guarded(conds))).0, "0..5");
        }
        let both = |i: &ArithExpr| [unknown(i), vec![Cond::Less(i.clone(), 2.into())]].concat();
        let tightened = run(guarded(&both));
        assert_eq!(trips(&tightened).0, "0..2");
        let mut guards = 0;
        tightened.iter().for_each(|s| s.visit(&mut |s| guards += usize::from(matches!(s, Stmt::If(..)))));
        assert_eq!(guards, 1);
    }

    #[test]
    fn a_loop_with_an_alternative_stays() {
        let zero = Expr::Literal(Literal::number(0, Scalar::Usize));
        let other = Stmt::Store(BufferId(0), vec![0.into()], zero);
        let both = guarded(&|i| vec![Cond::Less(i.clone(), 2.into())]).into_iter().map(|stmt| {
            stmt.map_blocks(&mut |body| match body.as_slice() {
                [Stmt::If(cond, then, _)] => vec![Stmt::If(cond.clone(), then.clone(), vec![other.clone()])],
                other => panic!("{other:?}"),
            })
        });
        assert_eq!(trips(&run(both.collect())).0, "0..5");
    }
}
