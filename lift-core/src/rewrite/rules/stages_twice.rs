//! Two reductions of which the second one needs what the first one gives, in one pass over memory: sums of squared distances from a mean, sums of exponentials below a maximum.
//!
//! Before: a nest of maps whose function reduces something long in such a way. After: a launch reduces chunks twice, about their own mean or below their own maximum, while caches hold
//! them, and another one moves what they give to the mean or maximum of all (Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for computing sample variances, 1979;
//! Milakov and Gimelshein, Online normalizer calculation for softmax, 2018). Nothing cancels: squares are added to squares, and no exponent is positive.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{
    Arg, BinaryOp, Expr, Kind, Lambda, Literal, MathFn, Memory, Operation, Order, Param, Prim, Scalar, Type,
};
use crate::machine::coarsened::TOGETHER;
use crate::machine::stages::{FEWEST, TWICE, Twice};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::numbers;
use crate::rewrite::rules::columns::reductions;
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::reduction::{fresh, is_flat, some};
use crate::rewrite::rules::rows::put;
use crate::rewrite::rules::stages::{
    ROWS, STRIPS, below, by_result, chunk_of, closed, depth_of, first_reduction, in_two, nest, part_of,
    reduced, undivided,
};
use crate::rewrite::scope::{occurrences, replace, same};

/// By groups that share a row, and by groups that share a strip of columns: the numbers of the rules of [`stages`](super::stages).
pub static REDUCE_TWICE_IN_STAGES: [Rule; 2] = [
    in_one_pass::<ROWS>("reduce_twice_in_stages(rows)"),
    in_one_pass::<STRIPS>("reduce_twice_in_stages(strips)"),
];

const fn in_one_pass<const BY: usize>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "Chunks are reduced twice in a launch of their own, each about its own centre, and then what they give is moved to the centre of all.",
        equation: "map(|x| e[reduce(f, z) << v, reduce(+, 0) . map(|y| h(y - m)) << v]) = map(|(x, (a, r))| e[a, r]) . zip(xs, materialize . map(|(x, s)| (reduce(f, z) << concat(map(|p| p.0) << s, \
                   w), reduce(+, 0) << concat(map(moved) << s, map(|y| h(y - m)) << w))) << zip(xs, materialize . map(|x| map(both) . split(c) . take(k * c) << v) << xs))",
        when: "m needs the first reduction, w = drop(k * c, v), both = |v| (reduce(f, z) << v, reduce(+, 0) . map(|y| h(y - own)) << v), and either f is +, h(d) = d * d, own is the mean of v as it is \
               rounded, both has a third part l = reduce(+, 0) . map(|y| y - own) << v, and moved(s, r, l) = r + (own - m) * (2 * l + n * (own - m)) for n elements, or f is max, h is exp, m is the \
               first reduction, own is the maximum of v, a finite number at least, and moved(s, r) = r * exp(own - m); the same with a function of the elements in place of y, and in nests of two maps; c and k are those of reduce_in_stages, but c is no more than caches hold, and so much less that little is left over",
        apply: |e, cx| in_stages(e, cx.facts, BY),
    }
}

fn in_stages(e: &Expr, facts: &Facts, by: usize) -> Option<Expr> {
    let (_, found) = first_reduction(e)?;
    let depth = depth_of(e)?;
    let function = below(e, depth)?;
    let of_row = Both::find(function)?;
    let n = as_flat_reduce(&found)?.2.ty().length();
    let chunk = chunk_of_both(e, &n, by, facts)?;
    let number = facts.simplify(&n.div(&chunk));
    let whole = facts.simplify(&(&number * &chunk));
    let pieces = |xs: &Expr| Expr::split(chunk.clone(), Expr::take(whole.clone(), xs.clone()));
    let partial = match by {
        ROWS => nest(e, depth, None, &mut |body, _| {
            let both = Both::find(body)?;
            Some(Expr::map_with("chunk", pieces(&both.xs), |part| both.of_part(&part, &chunk)))
        })?,
        _ => {
            let i = Param::new("i", Scalar::Usize.into());
            let slice =
                |xs: &Expr| Expr::prim(Prim::At, vec![Arg::Data(Expr::param(&i)), Arg::Data(pieces(xs))]);
            let by_chunk = nest(e, depth, None, &mut |body, _| {
                let both = Both::find(body)?;
                Some(both.of_part(&part_of(&both.xs, &slice), &chunk))
            })?;
            Expr::map(Lambda { params: vec![i], body: by_chunk }, numbers(number))
        }
    };
    let sums = by_result(Expr::store(Memory::Temporary, partial.refresh()), by, depth);
    let all = |body: &Expr, chunks: Option<Expr>| {
        let both = Both::find(body)?;
        let rest = part_of(&both.xs, &|xs| Expr::drop(whole.clone(), xs.clone()));
        Some(both.of_all(&chunks?, &chunk, &rest))
    };
    let is_alone =
        is_flat(function.ty()) && reductions(&of_row.put_back(&Expr::zero(&of_row.ty()))).is_empty();
    let staged = match is_alone {
        true => nest(e, depth, Some(sums), &mut |body, chunks| {
            let name = Param::new("both", of_row.ty());
            let rest = Both::find(body)?.put_back(&Expr::param(&name));
            Some(Expr::let_(name, all(body, chunks)?, rest))
        })?,
        false => in_two(e, depth, sums, &all, &|body, both| Some(Both::find(body)?.put_back(both)))?,
    };
    Some(staged.refresh())
}

/// How long the chunks are that groups reduce twice: what they read again, caches still hold.
pub fn chunk_of_both(e: &Expr, n: &ArithExpr, by: usize, facts: &Facts) -> Option<ArithExpr> {
    let (results, _) = first_reduction(e)?;
    let Twice { share, most, .. } = &TWICE[by];
    let together = some(&ArithExpr::min(&results, &share.results.into()), facts);
    let cached = ArithExpr::cst(*most).div(&together);
    let longest = ArithExpr::min(&chunk_of(e, n, by, facts)?, &cached);
    // What is left over is one group's alone, with what all chunks give.
    let together = if by == ROWS { TOGETHER } else { 1 };
    let number = some(n, facts).div_ceil(&longest);
    Some(facts.simplify(&(some(&n.div(&(number * together)), facts) * together)))
}

/// What should be how large, at least, for a rule to pay on `n` elements of each result; nothing if it does not apply.
pub fn least(e: &Expr, n: &ArithExpr, by: usize, facts: &Facts) -> Option<Vec<(ArithExpr, i64)>> {
    let Twice { least, .. } = TWICE.get(by)?;
    Both::find(below(e, depth_of(e)?)?)?;
    Some(vec![(n.div(&chunk_of_both(e, n, by, facts)?), FEWEST), (n.clone(), *least)])
}

/// What adds.
const SUM: Operation = Operation::Binary(BinaryOp::Add);

/// What is added up of each element, and what it is added up about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Centre {
    /// Squares of distances, from a mean.
    Mean,
    /// Exponentials of distances, from a maximum.
    Most,
}

/// Two such reductions in the function of a row.
#[derive(Debug)]
struct Both {
    centre: Centre,
    scalar: Scalar,
    /// The first one: function, start, what it is of each element, and the array.
    f: Lambda,
    z: Expr,
    g: Option<Lambda>,
    xs: Expr,
    /// What stands for the first one in what follows.
    first: Param,
    /// The function with it.
    body: Expr,
    /// The second one in there, and how it starts.
    second: Expr,
    zero: Expr,
    /// What it subtracts from each element.
    subtracted: Expr,
}

impl Both {
    fn find(body: &Expr) -> Option<Both> {
        let (part, found) = undivided(body)?;
        let (f, z, reduced) = as_flat_reduce(&found)?;
        let scalar = found.ty().as_scalar().filter(|scalar| scalar.is_float())?;
        let (g, xs) = as_map(reduced).map_or((None, reduced), |(g, xs)| (Some(g), xs));
        let centre = match f.operation()? {
            SUM => Centre::Mean,
            Operation::Math(MathFn::Max) => Centre::Most,
            _ => return None,
        };
        let first = Param::new("first", found.ty().clone());
        let next = put(body, part, &Expr::param(&first));
        let (second, zero, subtracted) = reductions(&next).into_iter().find_map(|second| {
            let closed = closed(&next, second)?;
            let (sum, zero, computed) = as_flat_reduce(&closed).filter(|_| closed.ty() == found.ty())?;
            let (term, _) =
                as_map(computed).filter(|(_, of)| sum.operation() == Some(SUM) && same(of, xs))?;
            Some((second.clone(), zero.clone(), subtracted(centre, term, g, &first)?))
        })?;
        let (f, z, g, xs) = (f.clone(), z.clone(), g.cloned(), xs.clone());
        Some(Both { centre, scalar, f, z, g, xs, first, body: next, second, zero, subtracted })
    }

    /// The type of both.
    fn ty(&self) -> Type {
        Type::tuple(vec![self.first.ty.clone(), self.zero.ty().clone()])
    }

    /// Both of a part with so many elements, which is reduced about its own centre.
    fn of_part(&self, part: &Expr, length: &ArithExpr) -> Expr {
        let first = reduced((&fresh(&self.f), &self.z.refresh(), self.g.as_ref()), part.refresh());
        let [name, own] = ["first", "own"].map(|name| Param::new(name, first.ty().clone()));
        let centre = self.own_centre(&Expr::param(&name), length);
        let found = match self.centre {
            Centre::Most => {
                let terms = self.terms(part.refresh(), &Expr::param(&own));
                Expr::tuple(vec![Expr::param(&name), self.added(terms)])
            }
            Centre::Mean => {
                let sums = self.squares_and_distances(part.refresh(), &Expr::param(&own));
                let sum = Param::new("sum", sums.ty().clone());
                let [squares, left] = [0, 1].map(|k| Expr::field(Expr::param(&sum), k));
                Expr::let_(sum, sums, Expr::tuple(vec![Expr::param(&name), squares, left]))
            }
        };
        Expr::let_(name, first, Expr::let_(own, centre, found))
    }

    /// The sums of squares of distances, and of distances.
    fn squares_and_distances(&self, xs: Expr, centre: &Expr) -> Expr {
        let pairs = self.distances(xs, centre, &|distance| {
            let d = Param::new("distance", distance.ty().clone());
            let square = Expr::binary(BinaryOp::Mul, Expr::param(&d), Expr::param(&d));
            Expr::let_(d.clone(), distance, Expr::tuple(vec![square, Expr::param(&d)]))
        });
        let zeros = Expr::tuple(vec![self.zero.refresh(), self.zero.refresh()]);
        let params = ["x", "y"].map(|name| Param::new(name, zeros.ty().clone()));
        let [x, y] = params.each_ref().map(Expr::param);
        let add = |k| Expr::binary(BinaryOp::Add, Expr::field(x.clone(), k), Expr::field(y.clone(), k));
        let body = Expr::tuple(vec![add(0), add(1)]);
        Expr::reduce(Order::Any, Lambda { params: params.to_vec(), body }, zeros, pairs)
    }

    /// Both of all elements: of chunks of so many, and of the rest.
    fn of_all(&self, chunks: &Expr, length: &ArithExpr, rest: &Expr) -> Expr {
        let also = |xs, rest| Expr::prim(Prim::Concat, vec![Arg::Data(xs), Arg::Data(rest)]);
        let firsts = Expr::map_with("chunk", chunks.refresh(), |chunk| Expr::field(chunk, 0));
        let others = match &self.g {
            Some(g) => Expr::map(fresh(g), rest.refresh()),
            None => rest.refresh(),
        };
        let value = reduced((&fresh(&self.f), &self.z.refresh(), None), also(firsts, others));
        let [first, of_all] = ["first", "of_all"].map(|name| Param::new(name, value.ty().clone()));
        let moved = Expr::map_with("chunk", chunks.refresh(), |found| {
            let own = self.own_centre(&Expr::field(found.clone(), 0), length);
            let distance = Expr::binary(BinaryOp::Sub, own, Expr::param(&of_all));
            let second = Expr::field(found.clone(), 1);
            match self.centre {
                Centre::Most => Expr::binary(BinaryOp::Mul, second, self.of_distance(distance)),
                Centre::Mean => {
                    let far = Param::new("far", distance.ty().clone());
                    let left = Expr::field(found, 2);
                    let twice = Expr::binary(BinaryOp::Add, left.clone(), left);
                    let of_each =
                        Expr::math(MathFn::MulAdd, vec![self.count(length), Expr::param(&far), twice]);
                    Expr::let_(
                        far.clone(),
                        distance,
                        Expr::math(MathFn::MulAdd, vec![Expr::param(&far), of_each, second]),
                    )
                }
            }
        });
        let terms = self.terms(rest.refresh(), &Expr::param(&of_all));
        let both = Expr::tuple(vec![Expr::param(&first), self.added(also(moved, terms))]);
        let centre = replace(&self.subtracted.refresh(), self.first.id, &Expr::param(&first));
        Expr::let_(first, value, Expr::let_(of_all, centre, both))
    }

    /// What is added up of each element about a centre.
    fn terms(&self, xs: Expr, centre: &Expr) -> Expr {
        self.distances(xs, centre, &|distance| self.of_distance(distance))
    }

    /// What a function gives of each element's distance from a centre.
    fn distances(&self, xs: Expr, centre: &Expr, of: &dyn Fn(Expr) -> Expr) -> Expr {
        Expr::map_with("y", xs, |y| {
            let y = self.g.as_ref().map_or_else(|| y.clone(), |g| fresh(g).apply(std::slice::from_ref(&y)));
            of(Expr::binary(BinaryOp::Sub, y, centre.clone()))
        })
    }

    /// The function with both in place of the reductions.
    fn put_back(&self, both: &Expr) -> Expr {
        let body = put(&self.body, &self.second, &Expr::field(both.clone(), 1));
        replace(&body, self.first.id, &Expr::field(both.clone(), 0))
    }

    /// The centre of so many elements, of which there is the first reduction. Below the least finite number nothing lies at a finite distance.
    fn own_centre(&self, first: &Expr, length: &ArithExpr) -> Expr {
        match self.centre {
            Centre::Mean => Expr::binary(BinaryOp::Div, first.clone(), self.count(length)),
            Centre::Most => Expr::math(MathFn::Max, vec![first.clone(), self.least()]),
        }
    }

    fn of_distance(&self, distance: Expr) -> Expr {
        match self.centre {
            Centre::Mean => {
                let name = Param::new("distance", distance.ty().clone());
                let d = || Expr::param(&name);
                Expr::let_(name.clone(), distance, Expr::binary(BinaryOp::Mul, d(), d()))
            }
            Centre::Most => Expr::math(MathFn::Exp, vec![distance]),
        }
    }

    fn added(&self, terms: Expr) -> Expr {
        let ty = self.zero.ty();
        let params = vec![Param::new("x", ty.clone()), Param::new("y", ty.clone())];
        let body = Expr::binary(BinaryOp::Add, Expr::param(&params[0]), Expr::param(&params[1]));
        Expr::reduce(Order::Any, Lambda { params, body }, self.zero.refresh(), terms)
    }

    fn count(&self, length: &ArithExpr) -> Expr {
        Expr::cast(self.scalar, Expr::size(length.clone()))
    }

    /// The least finite number.
    fn least(&self) -> Expr {
        let least = if self.scalar.bytes() == 8 { f64::MIN } else { f32::MIN.into() };
        Expr::literal(Literal::Float(least, self.scalar))
    }
}

/// What a term subtracts from each element, of which the first reduction has the same.
fn subtracted(centre: Centre, term: &Lambda, g: Option<&Lambda>, first: &Param) -> Option<Expr> {
    let [y] = term.params.as_slice() else { return None };
    let element = match g {
        Some(g) => without_names(&fresh(g).apply(&[Expr::param(y)])),
        None => Expr::param(y),
    };
    let is_element = |e: &Expr| same(e, &element);
    let term = without_names(&term.body);
    let (centre, distance) = match (centre, term.kind()) {
        (Centre::Mean, Kind::Binary(BinaryOp::Mul | BinaryOp::Unrounded, a, b)) if same(a, b) => (centre, a),
        (Centre::Most, Kind::Math(MathFn::Exp, args)) => (centre, args.first()?),
        _ => return None,
    };
    let Kind::Binary(BinaryOp::Sub, a, b) = distance.kind() else { return None };
    let other = match centre {
        _ if is_element(a) => b,
        Centre::Mean if is_element(b) => a,
        _ => return None,
    };
    let is_first = matches!(other.kind(), Kind::Param(p) if p == first);
    let needs_first = is_first || centre == Centre::Mean && occurrences(other, first.id).count > 0;
    (needs_first && occurrences(other, y.id).count == 0).then(|| other.clone())
}

/// The same with values in place of their names.
fn without_names(e: &Expr) -> Expr {
    match e.kind() {
        Kind::Let(name, value, body) => without_names(&replace(body, name.id, value)),
        _ => e.clone(),
    }
}
