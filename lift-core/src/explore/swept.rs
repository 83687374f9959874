//! A work-item goes through a block of the result, row by row or plane by plane, and computes several steps in wide vectors.
//!
//! Before: an expression with a few steps of a stencil. After: the same swept (`rewrite/rules/steps/sweeping.rs`), in blocks that are so high that what they
//! share is little, and so many that there is work for all cores; each row in vectors as wide as a cache line.

use crate::arith::Var;
use crate::explore::registers::operations;
use crate::explore::vectors::row_in_lanes;
use crate::ir::{Arg, Expr, Memory, Place, Prim, Type};
use crate::machine::registers::MOST_OPERATIONS;
use crate::machine::swept::{HIGHEST, PLANES, ROWS};
use crate::machine::vectors::LONGEST;
use crate::rewrite::layout::as_map;
use crate::rewrite::position;
use crate::rewrite::rule::{Rewrite, Rule};
use crate::rewrite::strategy::{Derivation, Position};

/// For a row there are so many texts: its first and its last vector, those between, what fills no vector, and short rows.
const TEXTS: i64 = 5;

/// Sweeps what stands at a position. How much a block yields is still open: the sizes, and what is usual.
pub(crate) fn sweep(d: &mut Derivation, rule: &'static Rule, position: &[usize]) -> Option<Vec<(Var, i64)>> {
    let mut swept = d.clone();
    let tiles = in_blocks(&mut swept, rule, position)?;
    *d = swept;
    Some(tiles)
}

fn in_blocks(d: &mut Derivation, rule: &'static Rule, position: &[usize]) -> Option<Vec<(Var, i64)>> {
    let Rewrite { expr: blocks, sizes: tiles, .. } = d.apply(rule, position)?;
    let extents: &[i64] = if tiles.len() == 1 { &ROWS } else { &PLANES };
    for tile in &tiles {
        d.declare(tile, 1, HIGHEST);
    }
    let all = rows(&blocks);
    if all.iter().map(|row| cost(d, position, row)).sum::<Option<i64>>()? > MOST_OPERATIONS / TEXTS {
        return None;
    }
    for row in all {
        let at = position::join(position, &row);
        let has_ends = d.get(&at)?.contains(Prim::Pad);
        row_in_lanes(d, &at, has_ends)?;
    }
    Some(tiles.into_iter().zip(extents.iter().copied()).collect())
}

/// How many operations an element of a row takes.
fn cost(d: &Derivation, position: &[usize], row: &[usize]) -> Option<i64> {
    let row = d.get(&position::join(position, row))?;
    operations(&as_map(&row)?.0.body, LONGEST)
}

/// Where the rows stand that trips of loops compute.
fn rows(e: &Expr) -> Vec<Position> {
    let mut found = Vec::new();
    if let Some((Prim::Map(Place::Sequential), [Arg::Fun(f), _])) = e.as_prim() {
        let (body, mut at) = match f.body.as_prim() {
            Some((Prim::Store(Memory::Local), [Arg::Data(row)])) => (row, vec![0, 0]),
            _ => (&f.body, vec![0]),
        };
        if matches!(body.as_prim(), Some((Prim::Map(Place::View), _))) && is_row(body.ty()) {
            found.push(std::mem::take(&mut at));
        }
    }
    for (i, x) in e.children().into_iter().enumerate() {
        found.extend(rows(x).into_iter().map(|at| position::join(&[i], &at)));
    }
    found
}

fn is_row(ty: &Type) -> bool {
    ty.as_array().is_some_and(|(element, _)| matches!(element, Type::Scalar(_)))
}
