//! Rows of any length in the lanes of wide vectors.
//!
//! A vector in which some lane looks beyond an end of its row is read lane by lane. So the first and the last vector of a row stand
//! by themselves, and those between them need not ask; what fills no vector is computed element by element, and so is a row with less
//! than two vectors.

use crate::arith::{ArithExpr, Facts, Truth};
use crate::ir::{Arg, BinaryOp, Expr, Lambda, Prim, Type};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;

/// In vectors of 8 and 16 elements, in this order.
pub static ROW_IN_VECTORS: [(i64, Rule); 2] = [
    (
        8,
        Rule {
            name: "row_in_vectors(8)",
            law: "map(f) $ xs = if n >= 16 then concat(v . take(8) $ xs, v . take((n / 8 - 2) * 8) . drop(8) $ xs, v . take(8) . drop((n / 8 - 1) * 8) \
                  $ xs, map_seq(f) . drop(n / 8 * 8) $ xs) else map_seq(f) $ xs, for n scalars f(x) and v = join . map_seq(map_vec(f)) . split(8)",
            apply: row::<8>,
        },
    ),
    (
        16,
        Rule {
            name: "row_in_vectors(16)",
            law: "map(f) $ xs = if n >= 32 then concat(v . take(16) $ xs, v . take((n / 16 - 2) * 16) . drop(16) $ xs, v . take(16) . drop((n / 16 - 1) * \
                  16) $ xs, map_seq(f) . drop(n / 16 * 16) $ xs) else map_seq(f) $ xs, for n scalars f(x) and v = join . map_seq(map_vec(f)) . split(16)",
            apply: row::<16>,
        },
    ),
];

fn row<const WIDTH: i64>(e: &Expr, facts: &Facts) -> Option<Expr> {
    let (f, xs) = as_map(e)?;
    let (_, len) = xs.ty().as_array()?;
    let width = ArithExpr::cst(WIDTH);
    let enough = len - &(&width * 2);
    if !matches!(f.body.ty(), Type::Scalar(_)) || facts.nonneg(&enough) == Truth::No {
        return None;
    }
    let vectors = len.div(&width);
    let rest = Expr::prim(Prim::Drop, vec![Arg::Size(&vectors * &width), Arg::Data(xs.clone())]);
    let parts = [
        in_lanes(f, part(xs, &ArithExpr::zero(), &ArithExpr::one(), &width), &width),
        in_lanes(f, part(xs, &ArithExpr::one(), &(&vectors - 2), &width), &width),
        in_lanes(f, part(xs, &(&vectors - 1), &ArithExpr::one(), &width), &width),
        one_by_one(f, rest),
    ];
    let some = if facts.multiple_of(len, &width).is_yes() { &parts[..3] } else { &parts };
    let long = Expr::prim(Prim::Concat, some.iter().map(|part| Arg::Data(part.refresh())).collect());
    if facts.nonneg(&enough).is_yes() {
        return Some(long);
    }
    let is_long = Expr::binary(BinaryOp::Ge, Expr::size(len.clone()), Expr::size(&width * 2));
    Some(Expr::if_(is_long, long, one_by_one(f, xs.clone()).refresh()))
}

/// So many vectors from one on.
fn part(xs: &Expr, from: &ArithExpr, vectors: &ArithExpr, width: &ArithExpr) -> Expr {
    let rest = Expr::prim(Prim::Drop, vec![Arg::Size(from * width), Arg::Data(xs.clone())]);
    Expr::take(vectors * width, rest)
}

fn in_lanes(f: &Lambda, xs: Expr, width: &ArithExpr) -> Expr {
    let vectors = Expr::split(width.clone(), xs);
    let element = vectors.ty().as_array().map_or(vectors.ty(), |(vector, _)| vector).clone();
    let lanes = Lambda::unary("lanes", element, |lanes| {
        Expr::prim(Prim::MapVec, vec![Arg::Fun(f.clone()), Arg::Data(lanes)])
    });
    Expr::join(Expr::prim(Prim::MapSeq, vec![Arg::Fun(lanes), Arg::Data(vectors)]))
}

fn one_by_one(f: &Lambda, xs: Expr) -> Expr {
    Expr::prim(Prim::MapSeq, vec![Arg::Fun(f.clone()), Arg::Data(xs)])
}
