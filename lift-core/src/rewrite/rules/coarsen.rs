//! Several results for each work-item, which lie a stride apart.
//!
//! Tiles give a work-item neighbours. Here neighbours belong to different work-items, so that items which run together read
//! and write together, whatever each of them computes after that.

use crate::arith::ArithExpr;
use crate::ir::{Boundary, Expr, Fold};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::{Context, Rule};

pub static COARSEN: Rule = Rule {
    name: "coarsen",
    about: "`K` results for each item. The number of items is the stride; what the last of them compute too much is cut off.",
    equation: "map(f) = take(n) . join . transpose . map(map(f)) . transpose . split(s) . pad(0, s * K - n, clamp)",
    when: "on n >= 1 elements, for s = ceil(n / K)",
    apply: coarsen,
};

fn coarsen(e: &Expr, cx: &Context) -> Option<Expr> {
    let (f, xs) = as_map(e)?;
    let (_, n) = xs.ty().as_array()?;
    // Nothing lies a stride of 0 apart.
    if !cx.facts.nonneg(&(n - 1)).is_yes() {
        return None;
    }
    let each = cx.size("K");
    let stride = n.div_ceil(&each);
    let missing = cx.facts.simplify(&(&stride * &each - n));
    let padded = Expr::pad(ArithExpr::zero(), missing, Boundary::Fold(Fold::Clamp), xs.clone());
    let items = Expr::transpose(Expr::split(stride, padded));
    let computed = Expr::map_with("item", items, |item| Expr::map(f.clone(), item));
    Some(Expr::take(n.clone(), Expr::join(Expr::transpose(computed))))
}
