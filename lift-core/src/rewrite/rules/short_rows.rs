//! Rows that are too short for a group each: a group has a block of them, and a few of its items a row.

use crate::arith::ArithExpr;
use crate::ir::{Boundary, Expr, Fold, Lambda, Memory, Param, Place, Prim, Type};
use crate::rewrite::binder::{Inside, inside, on_the_way};
use crate::rewrite::layout::as_map;
use crate::rewrite::position::{self, outside};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::memory::wider;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::rules::store::{values, with_values};
use crate::rewrite::strategy::Position;

pub static ROWS_IN_GROUPS: Rule = Rule {
    name: "rows_in_groups",
    about: "A group for a block of rows. The last block may stand over: its last row is computed several times, and kept once.",
    equation: "map(f) = take(m) . join . map_workgroup(0, map(f)) . split(R) . pad(0, ceil(m / R) * R - m, clamp)",
    when: "on m elements",
    apply: |e, cx| {
        let (f, rows) = as_map(e)?;
        let (_, m) = rows.ty().as_array()?;
        let block = cx.size("R");
        let missing = m.div_ceil(&block) * &block - m;
        let clamp = Boundary::Fold(Fold::Clamp);
        let padded = Expr::pad(ArithExpr::zero(), missing, clamp, rows.clone());
        let by_block = Expr::map_with("block", Expr::split(block, padded), |block| {
            cx.focus(Expr::map(f.clone(), block))
        });
        let (f, blocks) = as_map(&by_block)?;
        let by_group = Expr::map_in(Place::Group(0), f.clone(), blocks.clone());
        Some(Expr::take(m.clone(), Expr::join(by_group)))
    },
};

pub static ROWS_BY_LOCAL: Rule = Rule {
    name: "rows_by_local",
    about: "A group for a block of rows, each of which an item has in local memory: the items of a group copy what lies side by side, and store rows in the same way. The last \
            block may stand over: its last row is computed several times, and kept once.",
    equation: "map(f) = take(m) . join . map_workgroup(0, s . to_local . map(f) . to_local . s) . split(R) . pad(0, ceil(m / R) * R - m, clamp), \
               where s = split(n) . map_local(0, id) . join",
    when: "on m rows of n elements, if f gives as many; the same without s and to_local around a map(f) that gives scalars",
    apply: |e, cx| {
        let (f, rows) = as_map(e)?;
        let (row, m) = rows.ty().as_array()?;
        let (element, n) = row.as_array()?;
        let given = f.body.ty().as_array().map(|(element, n)| (is_flat(element), n.clone()));
        if !is_flat(element) || given.is_some_and(|(flat, given)| !flat || given != *n) {
            return None;
        }
        let block = cx.size("R");
        let missing = m.div_ceil(&block) * &block - m;
        let clamp = Boundary::Fold(Fold::Clamp);
        let blocks = Expr::split(block, Expr::pad(ArithExpr::zero(), missing, clamp, rows.clone()));
        let copied = |rows: Expr| {
            let elements = Expr::join(rows);
            let id = Lambda::unary("x", elements.ty().as_array()?.0.clone(), |x| x);
            Some(Expr::split(n.clone(), Expr::map_in(Place::Local(0), id, elements)))
        };
        // Elements at one place in all rows are in different banks.
        let apart = ArithExpr::one() - n.modulo(&2.into());
        let kept = |rows: Expr| wider(apart.clone(), Expr::store(Memory::Local, rows));
        let (of_block, _) = blocks.ty().as_array()?;
        let own = Param::new("block", of_block.clone());
        let tile = kept(copied(Expr::param(&own))?);
        let name = Param::new("tile", tile.ty().clone());
        let computed = cx.focus(Expr::map(f.clone(), Expr::param(&name)));
        let stored = match f.body.ty() {
            Type::Array(..) => copied(kept(computed))?,
            _ => computed,
        };
        let by_block = Lambda { params: vec![own], body: Expr::let_(name, tile, stored) };
        let by_group = Expr::map_in(Place::Group(0), by_block, blocks);
        Some(Expr::take(m.clone(), Expr::join(by_group)))
    },
};

pub static SHARE_INSIDE: Rule = Rule {
    name: "share_inside",
    about: "What several items compute of each row of a block, they compute for all rows of the block, and share it.",
    equation: "map(|x| e[v]) << xs = { let s = to_local . map_local(1, |x| v) << xs; zip(xs, s) . map(|(x, y)| e[y]) }",
    when: "for a v that is a `map_local(0, f)`, in no function, and not stored yet",
    apply: |e, cx| {
        let (f, _) = as_map(e)?;
        let below = by_items(&f.body)?;
        let at = position::join(&position::body(&[]), &below);
        let (around, places) = on_the_way(e, &at)?;
        let Inside { map, lets } = inside(e.below(&at)?, &around)?;
        places.get(map)?.is_empty().then_some(())?;
        let all = values(e, &below, lets)?;
        let (of_row, rows) = as_map(&all)?;
        let by_row = Expr::map_in(Place::Local(1), of_row.clone(), rows.clone());
        let shared = Expr::store(Memory::Local, by_row);
        let sums = Param::new("sums", shared.ty().clone());
        let rest = with_values(e, &below, &Expr::param(&sums))?;
        Some(Expr::let_(sums, shared, cx.focus(rest)))
    },
};

/// Where the first array stands that the items of dimension 0 compute.
fn by_items(e: &Expr) -> Option<Position> {
    match e.as_prim() {
        Some((Prim::Map(Place::Local(0)), _)) => Some(Position::new()),
        Some((Prim::Store(_), _)) => None,
        _ => outside(e).into_iter().find_map(|(i, x)| Some(position::join(&[i], &by_items(x)?))),
    }
}
