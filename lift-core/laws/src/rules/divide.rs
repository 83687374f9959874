//! Divide and conquer: traversals and loops in pieces.
//!
//! The size of a piece is a variable that is chosen later, and need not divide the length: the last piece of a map is filled with
//! elements that are read again, and what is computed from these is cut off; a loop takes what is left in a second one.

use lift_core::arith::{ArithExpr, Facts};
use lift_core::ir::{Arg, Boundary, Expr, Fold, Lambda, Order, Param, Prim};
use lift_core::rewrite::layout::as_map;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::reduction::fresh;
use lift_core::rewrite::rules::{nd, simplify};
use lift_core::rewrite::strategy::{Derivation, Position, Strategy};

pub static MAP_SPLIT: Rule = Rule {
    name: "map_split",
    about: "Split-join.",
    equation: "map(f) = take(n) . join . map(map(f)) . split(P) . pad(0, ceil(n / P) * P - n, clamp)",
    when: "on n elements",
    apply: |e, cx| {
        let (f, xs) = as_map(e)?;
        let (_, n) = xs.ty().as_array()?;
        let piece = cx.size("P");
        let missing = cx.facts.simplify(&(n.div_ceil(&piece) * &piece - n));
        let padded = cx.focus(Expr::pad(ArithExpr::zero(), missing, Boundary::Fold(Fold::Clamp), xs.clone()));
        let pieces = Expr::split(piece, padded);
        let name = &f.params.first()?.name;
        let name = if name.ends_with('s') { format!("all_{name}") } else { format!("{name}s") };
        let computed = Expr::map_with(&name, pieces, |piece| Expr::map(f.clone(), piece));
        Some(Expr::take(n.clone(), Expr::join(cx.focus(computed))))
    },
};

/// Cuts the map at a position into pieces of so many elements. Returns where the map over pieces stands.
pub fn in_pieces(d: &mut Derivation, map: &[usize], size: i64) -> Option<Position> {
    let new = d.apply(&MAP_SPLIT, map)?;
    new.sizes.iter().for_each(|var| d.choose(var, size));
    let [padded, mut pieces] = new.focus()?;
    Strategy::Rule(&simplify::PAD_NONE).at(padded).apply(d);
    if Strategy::Rule(&simplify::TAKE_ALL).at(map.to_vec()).apply(d) {
        // The `take` around it is gone.
        pieces.remove(map.len());
    }
    Some(pieces)
}

pub static FOLD_SPLIT: Rule = Rule {
    name: "fold_split",
    about: "A loop over pieces and, in turn, their elements, and one over what fills no piece.",
    equation: "fold(f, z, xs) = fold(f, fold(|a, piece| fold(f, a, piece), z) . split(P) . take(m) $ xs, drop(m, xs))",
    when: "on n elements, for m = n / P * P",
    apply: |e, cx| {
        let (Order::Left, f, z, xs) = e.as_reduction()? else { return None };
        let (_, n) = xs.ty().as_array()?;
        let piece = cx.size("P");
        let whole = cx.facts.simplify(&(n.div(&piece) * &piece));
        let pieces = Expr::split(piece, Expr::take(whole.clone(), xs.clone()));
        let acc = Param::new(&f.params.first()?.name, z.ty().clone());
        let own = Param::new("piece", pieces.ty().as_array()?.0.clone());
        let body = Expr::reduce(Order::Left, f.clone(), Expr::param(&acc), Expr::param(&own));
        let begun = Expr::reduce(Order::Left, Lambda { params: vec![acc, own], body }, z.clone(), pieces);
        let rest = Expr::drop(whole, xs.refresh());
        Some(Expr::reduce(Order::Left, fresh(f), begun, rest))
    },
};

pub static FOLD_NONE: Rule = Rule {
    name: "fold_none",
    about: "A loop without a round.",
    equation: "fold(f, z) = z",
    when: "on no elements",
    apply: |e, cx| {
        let (Order::Left, _, z, xs) = e.as_reduction()? else { return None };
        let (_, n) = xs.ty().as_array()?;
        is_zero(n, cx.facts).then(|| z.clone())
    },
};

pub static SPLIT_ZIP: Rule = Rule {
    name: "split_zip",
    about: "Pieces of pairs are pairs of pieces.",
    equation: "split(m) . zip(xs, ys, …) = map(zip) . zip(split(m, xs), split(m, ys), …)",
    when: "",
    apply: |e, _| {
        let (Prim::Split, [Arg::Size(m), Arg::Data(pairs)]) = e.as_prim()? else { return None };
        let (Prim::Zip, parts) = pairs.as_prim()? else { return None };
        let parts = parts.iter().filter_map(Arg::data).map(|part| Expr::split(m.clone(), part.clone()));
        Some(nd::zip_nd(2, parts.collect()))
    },
};

fn is_zero(n: &ArithExpr, facts: &Facts) -> bool {
    facts.eq(n, &ArithExpr::zero()).is_yes()
}
