//! Reductions in parts, wherever they stand.
//!
//! A reduction may take its elements in any order and any groups: it reduces pieces, then what these give. The pieces are
//! neighbours, or lie as far apart as there are pieces, which is what work-items want that read together. A size that a rule
//! introduces is chosen afterwards. What is missing in the last piece is filled with the neutral element, or reduced by itself.

use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, Memory, Order, Place, Prim, Type};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::reduction::{as_reduce, fresh, in_chunks, is_flat};
use crate::rewrite::scope::{same, same_function};

pub static REDUCE_SPLIT: Rule = Rule {
    name: "reduce_split",
    about: "Pieces of neighbours.",
    equation: "reduce(f, z) = reduce(f, z) . map(reduce(f, z)) . split(P) . pad(0, ceil(n / P) * P - n, constant(z))",
    when: "on n elements",
    apply: |e, cx| in_pieces(e, cx, |pieces| pieces),
};

pub static REDUCE_STRIDED: Rule = Rule {
    name: "reduce_strided",
    about: "As many pieces as given, of elements that lie so far apart.",
    equation: "reduce(f, z) = reduce(f, z) . map(reduce(f, z)) . transpose . split(P) . pad(0, ceil(n / P) * P - n, constant(z))",
    when: "on n elements",
    apply: |e, cx| in_pieces(e, cx, Expr::transpose),
};

fn in_pieces(e: &Expr, cx: &Context, order: fn(Expr) -> Expr) -> Option<Expr> {
    let (f, z, xs) = as_flat_reduce(e)?;
    let (_, n) = xs.ty().as_array()?;
    let piece = cx.size("P");
    let missing = n.div_ceil(&piece) * &piece - n;
    let pieces = order(in_chunks(z, xs, &piece, &missing, cx.facts));
    let sums =
        Expr::map_with("piece", pieces, |piece| Expr::reduce(Order::Any, fresh(f), z.refresh(), piece));
    Some(Expr::reduce(Order::Any, f.clone(), z.clone(), cx.focus(sums)))
}

pub static REDUCE_REST: Rule = Rule {
    name: "reduce_rest",
    about: "What fills whole pieces, and the rest.",
    equation: "reduce(f, z, xs) = f(reduce(f, z, take(m, xs)), reduce(f, z, drop(m, xs)))",
    when: "on n elements, for m = n / P * P",
    apply: |e, cx| {
        let (f, z, xs) = as_flat_reduce(e)?;
        let (_, n) = xs.ty().as_array()?;
        let piece = cx.size("P");
        let whole = n.div(&piece) * piece;
        let both = fresh(f);
        let [first, second] = both.params.as_slice() else { return None };
        let start =
            cx.focus(Expr::reduce(Order::Any, f.clone(), z.clone(), Expr::take(whole.clone(), xs.clone())));
        let rest = Expr::drop(whole, xs.refresh());
        let rest = cx.focus(Expr::reduce(Order::Any, fresh(f), z.refresh(), rest));
        Some(Expr::let_(first.clone(), start, Expr::let_(second.clone(), rest, both.body.clone())))
    },
};

pub static REDUCE_SHORT: Rule = Rule {
    name: "reduce_short",
    about: "Few elements, and many.",
    equation: "reduce(f, z, xs) = if n < P { reduce(f, z, xs) } else { reduce(f, z, xs) }",
    when: "on n elements",
    apply: |e, cx| {
        let (f, z, xs) = as_flat_reduce(e)?;
        let (_, n) = xs.ty().as_array()?;
        let is_short = Expr::binary(BinaryOp::Lt, Expr::size(n.clone()), Expr::size(cx.size("P")));
        let few = Expr::reduce(Order::Any, fresh(f), z.refresh(), xs.refresh());
        Some(Expr::if_(is_short, few, cx.focus(e.clone())))
    },
};

pub static REDUCE_ZIP: Rule = Rule {
    name: "reduce_zip",
    about: "Two reductions are one of pairs.",
    equation: "f(reduce(f, z, xs), reduce(f, z, ys)) = reduce(f, z, map(f, zip(xs, ys)))",
    when: "on arrays of one length",
    apply: |e, cx| {
        let Kind::Let(a, first, rest) = e.kind() else { return None };
        let Kind::Let(b, second, body) = rest.kind() else { return None };
        let ((f, z, xs), (g, start, ys)) = (as_reduce(first)?, as_reduce(second)?);
        let both = Lambda { params: vec![a.clone(), b.clone()], body: body.clone() };
        let lens = (xs.ty().as_array()?.1, ys.ty().as_array()?.1);
        let alike = same_function(f, g) && same_function(f, &both) && same(z, start);
        if !alike || !cx.facts.eq(lens.0, lens.1).is_yes() {
            return None;
        }
        let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(xs.clone()), Arg::Data(ys.clone())]);
        let combined = Expr::map_with("pair", pairs, |pair| {
            let second = Expr::let_(b.clone(), Expr::field(pair.clone(), 1), body.clone());
            Expr::let_(a.clone(), Expr::field(pair, 0), second)
        });
        Some(Expr::reduce(Order::Any, f.clone(), z.clone(), cx.focus(combined)))
    },
};

pub static SPLIT_MAP: Rule = Rule {
    name: "split_map",
    about: "Pieces of what is computed are computed from pieces.",
    equation: "split(m) . map(f) = map(map(f)) . split(m)",
    when: "",
    apply: |e, _| {
        let (Prim::Split, [Arg::Size(m), Arg::Data(ys)]) = e.as_prim()? else { return None };
        let (f, xs) = as_map(ys)?;
        let pieces = Expr::split(m.clone(), xs.clone());
        Some(Expr::map_with("piece", pieces, |piece| Expr::map(f.clone(), piece)))
    },
};

pub static TAKE_MAP: Rule = Rule {
    name: "take_map",
    about: "The first of what is computed are computed from the first.",
    equation: "take(k) . map(f) = map(f) . take(k)",
    when: "",
    apply: |e, _| {
        let (Prim::Take, [Arg::Size(k), Arg::Data(ys)]) = e.as_prim()? else { return None };
        let (f, xs) = as_map(ys)?;
        Some(Expr::map(f.clone(), Expr::take(k.clone(), xs.clone())))
    },
};

pub static SHARED_TO_LOCAL: Rule = Rule {
    name: "shared_to_local",
    about: "The items of a group share what each has computed.",
    equation: "map_local(d, f) = to_local . map_local(d, f)",
    when: "",
    apply: |e, _| match e.as_prim()? {
        (Prim::Map(Place::Local(_)), _) => Some(Expr::store(Memory::Local, e.clone())),
        _ => None,
    },
};

pub static ZIP_PART: Rule = Rule {
    name: "zip_part",
    about: "One part of what is paired.",
    equation: "map(|t| t.i) . zip(x0, x1, …) = xi",
    when: "",
    apply: |e, _| {
        let (f, zipped) = as_map(e)?;
        let (Prim::Zip, parts) = zipped.as_prim()? else { return None };
        let (Kind::Field(t, i), [param]) = (f.body.kind(), f.params.as_slice()) else { return None };
        let own = matches!(t.kind(), Kind::Param(p) if p == param);
        own.then(|| parts.get(*i)?.data().cloned())?
    },
};

/// The same, if the elements are scalars or tuples of scalars.
pub fn as_flat_reduce(e: &Expr) -> Option<(&Lambda, &Expr, &Expr)> {
    as_reduce(e).filter(|(_, _, xs)| is_flat(e.ty()) && matches!(xs.ty(), Type::Array(..)))
}
