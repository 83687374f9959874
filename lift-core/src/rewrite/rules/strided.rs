//! Several elements per work-item, a group apart.

use crate::arith::ArithExpr;
use crate::ir::{Boundary, Expr, Fold, Lambda, Place};
use crate::machine::strided::{EACH, ITEMS};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{kept, with};
use crate::rewrite::rules::reduction::is_flat;

pub static STRIDED: Rule = Rule {
    name: "strided",
    about: "A group for a block, of which each item computes several elements, as far apart as there are items, before it stores any.",
    equation: "map(f) = take(n) . join . map_workgroup(0, |block| { let own = to_private . map_local(0, map_seq_unroll(f)) . transpose . split(l) << block; \
               join . transpose . map_local(0, map_seq_unroll(id)) << own }) . split(l * e) . pad(0, r, clamp)",
    when: "on n elements, for l items with e elements each, r = ceil(n / (l * e)) * l * e - n, and an f that gives no array",
    apply: |e, cx| {
        let (f, xs) = as_map(e)?;
        if !is_flat(f.body.ty()) {
            return None;
        }
        let (_, n) = xs.ty().as_array()?;
        let block = ArithExpr::cst(ITEMS * EACH);
        let missing = cx.facts.simplify(&(n.div_ceil(&block) * &block - n));
        let clamp = Boundary::Fold(Fold::Clamp);
        let blocks = Expr::split(block, Expr::pad(ArithExpr::zero(), missing, clamp, xs.clone()));
        let by_block = with(Place::Group(0), "block", blocks, |block| {
            let turns = Expr::transpose(Expr::split(ITEMS.into(), block));
            let unrolled = |f: &Lambda, xs: Expr| Expr::map_in(Place::Unrolled, f.clone(), xs);
            let own = with(Place::Local(0), "turn", turns, |turn| unrolled(f, turn));
            kept("own", own, |own| {
                let id = Lambda::unary("x", f.body.ty().clone(), |x| x);
                let stored = with(Place::Local(0), "turn", own, |turn| unrolled(&id, turn));
                Expr::join(Expr::transpose(stored))
            })
        });
        Some(Expr::take(n.clone(), Expr::join(by_block)))
    },
};
