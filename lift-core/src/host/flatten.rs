//! Loops that go through arrays element by element are one: loop collapsing.
//!
//! Before: a loop over rows, and in it nothing but a loop along each of them. After, if all that they do depends on how many elements lie before one, and not on
//! the row: one loop over all elements. Rows may be so short that starting each of them takes longer than going through it.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts, Var};
use crate::host::decide::without_names;
use crate::imp::ast::Stmt;
use crate::ir::build::fresh_id;

/// The loop over all elements.
pub(super) struct Flat {
    pub(super) var: Var,
    pub(super) start: ArithExpr,
    pub(super) bound: ArithExpr,
    pub(super) body: Vec<Stmt>,
}

/// The statements in which loops are one where they can be, the innermost first. Their variables become known.
pub(super) fn flattened(stmts: Vec<Stmt>, strides: &[(Var, ArithExpr)], facts: &mut Facts) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in stmts {
        let stmt = stmt.map_blocks(&mut |block| flattened(block, strides, facts));
        out.push(match stmt {
            Stmt::For { var, start, bound, step, unroll, body } if step.as_const() == Some(1) => {
                match flat((&var, &start, &bound), &body, strides) {
                    Some(Flat { var, start, bound, body }) => {
                        facts.declare(&var, Some(start.clone()), Some(&bound - 1));
                        Stmt::For { var, start, bound, step, unroll, body }
                    }
                    None => Stmt::For { var, start, bound, step, unroll, body },
                }
            }
            stmt => stmt,
        });
    }
    out
}

/// The loop over all elements of rows with these indices. `strides` are names of extents.
pub(super) fn flat(
    (var, start, bound): (&Var, &ArithExpr, &ArithExpr),
    body: &[Stmt],
    strides: &[(Var, ArithExpr)],
) -> Option<Flat> {
    let (inner, names) = body.split_last()?;
    let extents: BTreeMap<Var, ArithExpr> = strides.iter().cloned().collect();
    let inner = without_names([names, std::slice::from_ref(inner)].concat(), &extents);
    let [Stmt::For { var: along, start: zero, bound: len, step, body: row, .. }] = inner.as_slice() else {
        return None;
    };
    let is_row = zero.as_const() == Some(0) && step.as_const() == Some(1) && !len.contains(var);
    if !is_row {
        return None;
    }
    let element = Var::new(fresh_id(), along.name());
    let place = BTreeMap::from([(along.clone(), ArithExpr::var(&element) - ArithExpr::var(var) * len)]);
    let body: Vec<Stmt> =
        row.iter().map(|stmt| stmt.clone().map_indices(&mut |e| e.substitute(&place))).collect();
    let mut is_flat = true;
    body.iter().for_each(|stmt| stmt.visit_indices(&mut |e| is_flat &= !e.contains(var)));
    is_flat.then(|| Flat { var: element, start: start * len, bound: bound * len, body })
}

#[cfg(test)]
mod tests {
    use crate::host::testing::text;

    #[test]
    fn rows_of_which_nothing_depends_are_one_loop() {
        let same = text("#[kernel] fn Each<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] { x.map2d(|v| v * v) }");
        assert!(same.contains(", (0, 1, 0), inside)"), "{same}");
        let beside = text(
            "#[kernel] fn Row<N, M>(x: [[f32; M]; N], y: [f32; N]) -> [[f32; M]; N] {
                zip(x, y).map(|row, y| row.map(|v| v * y))
            }",
        );
        assert!(!beside.contains(", (0, 1, 0), inside)"), "{beside}");
    }
}
