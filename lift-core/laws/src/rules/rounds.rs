//! Reductions in rounds: what there is on the way to those that the compiler makes.

use lift_core::arith::ArithExpr;
use lift_core::ir::{Arg, BinaryOp, Expr, Lambda, MathFn, Memory, Order, Param, Place, Prim, Scalar, Type};
use lift_core::rewrite::demand::as_size;
use lift_core::rewrite::layout::{as_map, is_parameter};
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::partial::as_flat_reduce;
use lift_core::rewrite::rules::reduction::{as_reduce, fresh, in_chunks};

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
