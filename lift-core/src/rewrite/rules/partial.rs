//! Reductions in parts, wherever they stand.
//!
//! A reduction may take its elements in any order and any groups: it reduces pieces, then what these give. The pieces are
//! neighbours, or lie as far apart as there are pieces, which is what work-items want that read together. A size that a rule
//! introduces is chosen afterwards. What is missing in the last piece is filled with the neutral element, or reduced by itself.

use crate::arith::ArithExpr;
use crate::ir::{Arg, BinaryOp, Expr, Kind, Lambda, MathFn, Memory, Order, Param, Place, Prim, Scalar, Type};
use crate::rewrite::demand::as_size;
use crate::rewrite::layout::{as_map, is_parameter};
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

pub static REDUCE_ONE: Rule = Rule {
    name: "reduce_one",
    about: "A reduction of one element.",
    equation: "reduce(f, z) = at(0)",
    when: "on one element",
    apply: |e, cx| {
        let (_, _, xs) = as_reduce(e)?;
        let (_, n) = xs.ty().as_array()?;
        cx.facts.eq(n, &ArithExpr::one()).is_yes().then(|| first(xs.clone()))
    },
};

/// Trees of more leaves are not written out.
const MOST_LEAVES: i64 = 1 << 16;

pub static REDUCE_TREE: Rule = Rule {
    name: "reduce_tree",
    about: "A tree: in every round, neighbours are combined, and half of the elements are left. Its rounds are written out, as those of any `iterate` of \
            which the array becomes shorter.",
    equation: "reduce(f, z) = at(0) . iterate(k, map(|(x, y)| f(x, y)) . split(2) . pad(0, 1, constant(z)))",
    when: "on n elements, for a number n with 2^(k - 1) < n <= 2^k, where nothing is filled up if the number that is left is even",
    apply: |e, cx| {
        let (f, z, xs) = as_flat_reduce(e)?;
        let (_, n) = xs.ty().as_array()?;
        let mut left = n.as_const().filter(|n| (2..=MOST_LEAVES).contains(n))?;
        let mut sums = xs.clone();
        while left > 1 {
            let pairs = in_chunks(z, &sums, &ArithExpr::cst(2), &ArithExpr::cst(left % 2), cx.facts);
            sums = Expr::map_with("pair", pairs, |pair| combined(&fresh(f), &pair));
            left = (left + 1) / 2;
        }
        Some(first(sums))
    },
};

/// `f(pair[0], pair[1])`
fn combined(f: &Lambda, pair: &Expr) -> Expr {
    let at = |i: i64| Expr::prim(Prim::At, vec![Arg::Data(Expr::size(i.into())), Arg::Data(pair.clone())]);
    let parts = f.params.iter().zip([at(0), at(1)]);
    parts.rev().fold(f.body.clone(), |body, (param, part)| Expr::let_(param.clone(), part, body))
}

pub static EVERY: Rule = Rule {
    name: "every",
    about: "Every element is the first of its piece.",
    equation: "reduce(f, z) = reduce(f, z) . map(at(0)) . split(1)",
    when: "",
    apply: |e, _| {
        let (f, z, xs) = as_reduce(e)?;
        let pieces = Expr::split(ArithExpr::one(), xs.clone());
        Some(Expr::reduce(Order::Any, f.clone(), z.clone(), Expr::map_with("piece", pieces, first)))
    },
};

pub static INTERLEAVE: Rule = Rule {
    name: "interleave",
    about: "Where only the first of each piece counts, every other of them takes its neighbour's value in.",
    equation: "reduce(f, z) . map(at(0)) . split(d) $ xs = reduce(f, z) . map(at(0)) . split(2 * d) $ array(n, |i| if i % (2 * d) == 0 { f(xs[i], \
               xs[min(i + d, n - 1)]) } else { xs[i] })",
    when: "on n elements, a multiple of 2 * d",
    apply: |e, cx| {
        let (f, z, firsts) = as_flat_reduce(e)?;
        let (g, pieces) = as_map(firsts)?;
        let (Prim::Split, [Arg::Size(d), Arg::Data(xs)]) = pieces.as_prim()? else { return None };
        let (Prim::At, [Arg::Data(i), Arg::Data(piece)]) = g.body.as_prim()? else { return None };
        let (_, n) = xs.ty().as_array()?;
        let wide = d * 2;
        let is_first = as_size(i)?.as_const() == Some(0) && is_parameter(piece, g);
        if !is_first || !cx.facts.multiple_of(n, &wide).is_yes() {
            return None;
        }
        let own = Param::new("sums", xs.ty().clone());
        let at = |i: Expr| Expr::prim(Prim::At, vec![Arg::Data(i), Arg::Data(Expr::param(&own))]);
        let index = Type::from(Scalar::Usize);
        let taken = Lambda::unary("i", index, |i| {
            let rest = Expr::binary(BinaryOp::Rem, i.clone(), Expr::size(wide.clone()));
            let counts = Expr::binary(BinaryOp::Eq, rest, Expr::size(ArithExpr::zero()));
            let next = Expr::binary(BinaryOp::Add, i.clone(), Expr::size(d.clone()));
            let next = Expr::math(MathFn::Min, vec![next, Expr::size(n - 1)]);
            Expr::if_(counts, f.apply(&[at(i.clone()), at(next)]), at(i))
        });
        let all = Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(taken)]);
        let pieces = Expr::split(wide, Expr::let_(own, xs.clone(), cx.focus(all)));
        Some(Expr::reduce(Order::Any, f.clone(), z.clone(), Expr::map_with("piece", pieces, first)))
    },
};

pub static GROUPS_STORED: Rule = Rule {
    name: "groups_stored",
    about: "What groups have computed is stored: what reads it is another launch.",
    equation: "map_workgroup(d, f) = materialize . map_workgroup(d, f)",
    when: "",
    apply: |e, _| match e.as_prim()? {
        (Prim::Map(Place::Group(_)), _) => Some(Expr::store(Memory::Temporary, e.clone())),
        _ => None,
    },
};

/// `xs[0]`
fn first(xs: Expr) -> Expr {
    let zero = Expr::size(ArithExpr::zero());
    Expr::prim(Prim::At, vec![Arg::Data(zero), Arg::Data(xs)])
}

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
fn as_flat_reduce(e: &Expr) -> Option<(&Lambda, &Expr, &Expr)> {
    as_reduce(e).filter(|(_, _, xs)| is_flat(e.ty()) && matches!(xs.ty(), Type::Array(..)))
}
