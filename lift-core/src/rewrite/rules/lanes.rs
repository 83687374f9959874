//! Rows of any length in the lanes of wide vectors.
//!
//! A vector in which some lane looks beyond an end of its row is read lane by lane. So the first and the last vector of a row stand
//! by themselves, and those between them need not ask; what fills no vector is computed element by element, and so is a row with less
//! than two vectors. Where no lane would, all vectors are alike.
//!
//! A reduction takes its elements in any order, so that every lane may have elements of its own, and several vectors side by side
//! do not wait for each other.

use crate::arith::{ArithExpr, Facts, Truth};
use crate::ir::{Arg, BinaryOp, Expr, Lambda, Memory, Order, Param, Place, Prim, Scalar, Type};
use crate::machine::vectors::{SIDE_BY_SIDE, STRETCH};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::{Context, Rule};
use crate::rewrite::rules::reduction::{as_reduce, fresh};

/// In vectors of 8 and 16 elements, in this order.
pub static ROW_IN_VECTORS: [(i64, Rule); 2] =
    [(8, row_in_vectors::<8>("row_in_vectors(8)")), (16, row_in_vectors::<16>("row_in_vectors(16)"))];

const fn row_in_vectors<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "A row in vectors, of which the first and the last stand by themselves.",
        equation: "map(f) $ xs = if n >= 2 * w then concat(v . take(w) $ xs, v . take((n / w - 2) * w) . drop(w) $ xs, v . take(w) . \
                   drop((n / w - 1) * w) $ xs, map_seq(f) . drop(n / w * w) $ xs) else map_seq(f) $ xs",
        when: "for n scalars f(x), or arrays of a known number of scalars, and v = join . map_seq(map_vec(f)) . split(w)",
        apply: |e, cx| row(e, cx.facts, WIDTH),
    }
}

/// The same for rows whose ends are like the rest.
pub static EVEN_ROW_IN_VECTORS: [(i64, Rule); 2] = [
    (8, even_row_in_vectors::<8>("even_row_in_vectors(8)")),
    (16, even_row_in_vectors::<16>("even_row_in_vectors(16)")),
];

const fn even_row_in_vectors<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "The same for rows whose ends are like the rest.",
        equation: "map(f) $ xs = concat(join . map_seq(map_vec(f)) . split(w) . take(n / w * w) $ xs, map_seq(f) . drop(n / w * w) $ xs)",
        when: "for n scalars f(x), or arrays of a known number of scalars",
        apply: |e, cx| even_row(e, cx.facts, WIDTH),
    }
}

/// Stretches of an array, each of which is a row; in vectors of 8 and 16 elements, in this order.
pub static STRETCHES: [(i64, Rule); 2] =
    [(8, in_stretches::<8>("stretches(8)")), (16, in_stretches::<16>("stretches(16)"))];

const fn in_stretches<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "Stretches of an array, each of which is a row of 64 vectors.",
        equation: "map(f) $ xs = concat(join . map(map(f)) . split(64 * w) . take(m) $ xs, map(f) . drop(m) $ xs)",
        when: "for n scalars f(x) and m = n / (64 * w) * (64 * w)",
        apply: |e, cx| stretches(e, cx, WIDTH),
    }
}

fn stretches(e: &Expr, cx: &Context, width: i64) -> Option<Expr> {
    let (f, xs) = as_map(e)?;
    let (_, len) = xs.ty().as_array()?;
    let stretch = ArithExpr::cst(width * STRETCH);
    if !matches!(f.body.ty(), Type::Scalar(_)) || cx.facts.nonneg(&(len - &stretch)) == Truth::No {
        return None;
    }
    let whole = cx.facts.simplify(&(len.div(&stretch) * &stretch));
    let rows = Expr::split(stretch, Expr::take(whole.clone(), xs.clone()));
    let rows = Expr::join(cx.focus(Expr::map_with("stretch", rows, |row| Expr::map(f.clone(), row))));
    let rest = Expr::drop(whole, xs.clone());
    let rest = cx.focus(Expr::map(f.clone(), rest).refresh());
    Some(Expr::prim(Prim::Concat, vec![Arg::Data(rows), Arg::Data(rest)]))
}

fn row(e: &Expr, facts: &Facts, width: i64) -> Option<Expr> {
    let Row { f, xs, len } = Row::of(e)?;
    let width = ArithExpr::cst(width);
    let enough = len - &(&width * 2);
    if facts.nonneg(&enough) == Truth::No {
        return None;
    }
    let vectors = len.div(&width);
    let vector = |from: &ArithExpr, count: &ArithExpr| in_lanes(f, part(xs, from, count, &width), &width);
    let (zero, one) = (ArithExpr::zero(), ArithExpr::one());
    let parts = vec![vector(&zero, &one), vector(&one, &(&vectors - 2)), vector(&(&vectors - 1), &one)];
    let long = with_rest(parts, f, xs, &(&vectors * &width), facts);
    if facts.nonneg(&enough).is_yes() {
        return Some(long);
    }
    let is_long = Expr::binary(BinaryOp::Ge, Expr::size(len.clone()), Expr::size(&width * 2));
    Some(Expr::if_(is_long, long, one_by_one(f, xs.clone()).refresh()))
}

fn even_row(e: &Expr, facts: &Facts, width: i64) -> Option<Expr> {
    let Row { f, xs, len } = Row::of(e)?;
    let width = ArithExpr::cst(width);
    let vectors = len.div(&width);
    if facts.nonneg(&(len - &width)) == Truth::No {
        return None;
    }
    let all = in_lanes(f, part(xs, &ArithExpr::zero(), &vectors, &width), &width);
    Some(with_rest(vec![all], f, xs, &(vectors * &width), facts))
}

/// A map that computes a row.
struct Row<'a> {
    f: &'a Lambda,
    xs: &'a Expr,
    len: &'a ArithExpr,
}

impl<'a> Row<'a> {
    fn of(e: &'a Expr) -> Option<Row<'a>> {
        let (f, xs) = as_map(e)?;
        let (_, len) = xs.ty().as_array()?;
        is_few_scalars(f.body.ty()).then_some(Row { f, xs, len })
    }
}

/// These parts, which are so long together, and what follows them.
fn with_rest(mut parts: Vec<Expr>, f: &Lambda, xs: &Expr, done: &ArithExpr, facts: &Facts) -> Expr {
    let is_all = xs.ty().as_array().is_some_and(|(_, len)| facts.eq(len, done).is_yes());
    if !is_all {
        parts.push(one_by_one(f, Expr::drop(done.clone(), xs.clone())));
    }
    match parts.as_slice() {
        [all] => all.clone(),
        parts => Expr::prim(Prim::Concat, parts.iter().map(|part| Arg::Data(part.refresh())).collect()),
    }
}

/// Whether each lane has so many scalars as there are, be it in an array.
fn is_few_scalars(ty: &Type) -> bool {
    let (lens, element) = ty.shape();
    matches!(element, Type::Scalar(_)) && lens.iter().all(|n| n.as_const().is_some())
}

/// So many vectors from one on.
fn part(xs: &Expr, from: &ArithExpr, vectors: &ArithExpr, width: &ArithExpr) -> Expr {
    let rest = Expr::drop(from * width, xs.clone());
    Expr::take(vectors * width, rest)
}

fn in_lanes(f: &Lambda, xs: Expr, width: &ArithExpr) -> Expr {
    let vectors = Expr::split(width.clone(), xs);
    let element = vectors.ty().as_array().map_or(vectors.ty(), |(vector, _)| vector).clone();
    let lanes = Lambda::unary("lanes", element, |lanes| Expr::map_in(Place::Lanes, f.clone(), lanes));
    Expr::join(Expr::map_in(Place::Sequential, lanes, vectors))
}

fn one_by_one(f: &Lambda, xs: Expr) -> Expr {
    Expr::map_in(Place::Sequential, f.clone(), xs)
}

pub static LANES_TO_LOCAL: Rule = Rule {
    name: "lanes_to_local",
    about: "Results of lanes, several of each, are kept before they are stored: a compiler that is told to store some of them only would compute them \
            there, and keep all that they are computed from.",
    equation: "map_vec(f) = map(split^(d-1)) . transpose . map_seq(map_vec(id)) . to_local . transpose . map(join^(d-1)) . map_vec(f)",
    when: "for d-dimensional f(x) of which the extents are numbers",
    apply: |e, _| {
        let (Prim::Map(Place::Lanes), [Arg::Fun(f), _]) = e.as_prim()? else { return None };
        let (lens, Type::Scalar(scalar)) = f.body.ty().shape() else { return None };
        let inner = lens.get(1..)?;
        if *scalar == Scalar::Bool || !is_few_scalars(f.body.ty()) {
            return None;
        }
        let flat = inner.iter().fold(e.clone(), |lanes, _| Expr::map_with("lane", lanes, Expr::join));
        let kept = Expr::store(Memory::Local, Expr::transpose(flat));
        let (row, _) = kept.ty().as_array()?;
        let same = Lambda::unary("x", row.as_array()?.0.clone(), |x| x);
        let each = Lambda::unary("row", row.clone(), |row| Expr::map_in(Place::Lanes, same, row));
        let stored = Expr::transpose(Expr::map_in(Place::Sequential, each, kept));
        Some(
            inner.iter().rev().fold(stored, |lanes, len| {
                Expr::map_with("lane", lanes, |lane| Expr::split(len.clone(), lane))
            }),
        )
    },
};

/// In vectors of 8 and 16 elements, in this order: several side by side, and one.
pub static REDUCE_IN_VECTORS: [(i64, [Rule; 2]); 2] = [
    (8, [side_by_side::<8>("reduce_in_vectors(4, 8)"), in_turn::<8>("reduce_in_vectors(8)")]),
    (16, [side_by_side::<16>("reduce_in_vectors(4, 16)"), in_turn::<16>("reduce_in_vectors(16)")]),
];

const fn side_by_side<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "Several vectors are summed up side by side.",
        equation: "reduce(f, z) = reduce(f, z) . h . fold(v, repeat(w, z)) . fold(map(v) . zip, repeat(4, repeat(w, z))) . split(4) . split(w)",
        when: "for scalars and an h that does nothing, or tuples of scalars and h = (to_private . map_vec(f) . |xs| zip(take(l) $ xs, drop(l) $ xs)) for l = w / 2, …, 4, \
               of which there are a multiple of 4 * w, and v = map_vec(f) . zip",
        apply: |e, cx| reduced(e, cx.facts, (SIDE_BY_SIDE, WIDTH)),
    }
}

const fn in_turn<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "Vectors are summed up one after the other.",
        equation: "reduce(f, z) = reduce(f, z) . h . fold(map_vec(f) . zip, repeat(w, z)) . split(w)",
        when: "for scalars or tuples of scalars, of which there are a multiple of w, and an h as for several vectors",
        apply: |e, cx| reduced(e, cx.facts, (1, WIDTH)),
    }
}

fn reduced(e: &Expr, facts: &Facts, (count, width): (i64, i64)) -> Option<Expr> {
    let (f, z, xs) = as_reduce(e)?;
    let (_, len) = xs.ty().as_array()?;
    let whole = facts.multiple_of(len, &ArithExpr::cst(count * width)).is_yes();
    if !is_for_lanes(e.ty()) || !whole {
        return None;
    }
    let vectors = Expr::split(width.into(), xs.clone());
    let start = repeat(width, &z.refresh());
    let lanes = if count == 1 {
        Expr::reduce_with(Order::Sequential, ["sums", "part"], start, vectors, |sum, vector| {
            in_each_lane(f, sum, vector)
        })
    } else {
        let groups = Expr::split(count.into(), vectors);
        let sums = Expr::reduce_with(
            Order::Sequential,
            ["sums", "part"],
            repeat(count, &start),
            groups,
            |sums, group| {
                let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(sums), Arg::Data(group)]);
                let element = pairs.ty().as_array().map_or(pairs.ty(), |(pair, _)| pair).clone();
                let each = Lambda::unary("pair", element, |pair| {
                    in_each_lane(f, Expr::field(pair.clone(), 0), Expr::field(pair, 1))
                });
                Expr::map_in(Place::Unrolled, each, pairs)
            },
        );
        Expr::reduce_with(Order::Unrolled, ["sums", "part"], start.refresh(), sums, |sum, vector| {
            in_each_lane(f, sum, vector)
        })
    };
    Some(combined(f, z, lanes))
}

/// What lanes give, combined: of tuples half by half, since what combines two of these is a chain of operations. Otherwise each would wait for all before it.
fn combined(f: &Lambda, z: &Expr, lanes: Expr) -> Expr {
    let count = lanes.ty().as_array().and_then(|(_, len)| len.as_const());
    let half = match (z.ty(), count) {
        (Type::Tuple(_), Some(count)) if count > FEWEST_LANES => ArithExpr::cst(count / 2),
        _ => return Expr::reduce(Order::Unrolled, fresh(f), z.clone(), lanes),
    };
    let all = Param::new("lanes", lanes.ty().clone());
    let parts = [Expr::take(half.clone(), Expr::param(&all)), Expr::drop(half, Expr::param(&all))];
    let [first, second] = parts;
    let halves = Expr::store(Memory::Private, in_each_lane(f, first, second));
    Expr::let_(all, lanes, combined(f, z, halves))
}

/// So few lanes are combined one after the other.
const FEWEST_LANES: i64 = 4;

/// Whether this is a number or a tuple of numbers: vectors have no truth values.
fn is_for_lanes(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => *scalar != Scalar::Bool,
        Type::Tuple(parts) => parts.iter().all(is_for_lanes),
        Type::Array(..) => false,
    }
}

/// `map_vec(f) $ zip(sum, vector)`
fn in_each_lane(f: &Lambda, sum: Expr, vector: Expr) -> Expr {
    let pairs = Expr::prim(Prim::Zip, vec![Arg::Data(sum), Arg::Data(vector)]);
    let element = pairs.ty().as_array().map_or(pairs.ty(), |(pair, _)| pair).clone();
    let lane = Lambda::unary("lane", element, |lane| {
        fresh(f).apply(&[Expr::field(lane.clone(), 0), Expr::field(lane, 1)])
    });
    Expr::map_in(Place::Lanes, lane, pairs)
}

/// So many times the same.
fn repeat(times: i64, x: &Expr) -> Expr {
    let same = Lambda::unary("_", Scalar::Usize.into(), |_| x.clone());
    Expr::prim(Prim::Array, vec![Arg::Size(times.into()), Arg::Fun(same)])
}
