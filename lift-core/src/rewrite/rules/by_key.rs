//! Reductions by key, by many work-items.
//!
//! The array is cut into chunks. Each has a copy of the bins, which one work-item or the items of a group fill; then the copies of each bin
//! are reduced. How many chunks there are follows from sizes alone, so that a result depends on no device.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Atomic, BinaryOp, ByKey, Expr, Lambda, MathFn, Memory, Order, Place, Prim, Scalar};
use crate::machine::by_key::{FEW_COPIES, FOR_BIN, ITEMS, MOST_BYTES, MOST_CHUNKS, MOST_COPIES, SHORTEST};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::memory::wider;
use crate::rewrite::rules::reduction::{fresh, some};

pub static BY_KEY_CHUNKS: Rule = Rule {
    name: "reduce_by_key_chunks",
    about: "Chunks have bins of their own, which are filled in a launch, and reduced in another one.",
    equation: "reduce_by_key(b, f, z, ks, xs) = map(reduce(f, z)) . transpose . materialize . \
               map(|i| reduce_by_key_seq(b, f, z, i * c, min(i * c + c, n), ks, xs)) << array(ceil(n / c), |i| i)",
    when: "on n elements, for c = max(16384, 16 * b, ceil(max(n, 1) / 512))",
    apply: |e, cx| {
        let (Prim::ReduceByKey(ByKey::Whole), args) = e.as_prim()? else { return None };
        let [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), Arg::Data(keys), Arg::Data(xs)] = args else {
            return None;
        };
        let (_, n) = xs.ty().as_array()?;
        let chunk = cx.facts.simplify(&chunk_length(bins, n, cx.facts));
        let count = cx.facts.simplify(&n.div_ceil(&chunk));
        let bins_of = Lambda::unary("chunk", Scalar::Usize.into(), |i| {
            let from = Expr::binary(BinaryOp::Mul, i, Expr::size(chunk.clone()));
            let next = Expr::binary(BinaryOp::Add, from.clone(), Expr::size(chunk.clone()));
            let to = Expr::math(MathFn::Min, vec![next, Expr::size(n.clone())]);
            in_range(bins, (f, z), (from, to), keys, xs).at(e.span())
        });
        let all = Expr::store(Memory::Temporary, Expr::map(bins_of, numbers(&count)));
        Some(Expr::map_with("bin", Expr::transpose(all), |bin| {
            Expr::reduce(Order::Any, fresh(f), z.refresh(), bin)
        }))
    },
};

pub static BY_KEY_SEQ: Rule = Rule {
    name: "reduce_by_key_seq",
    about: "A loop that combines in the place where the result is stored.",
    equation: "reduce_by_key(b, f, z) = reduce_by_key_seq(b, f, z, 0, n)",
    when: "on n elements",
    apply: |e, _| in_sequence(e),
};

pub static BY_KEY_GROUPS: Rule = Rule {
    name: "reduce_by_key_groups",
    about: "A work-group for each chunk, with copies of the bins in local memory: each item has one, or several items combine atomically in each.",
    equation: "map(|i| reduce_by_key_seq(b, f, z, s, t)) = map_workgroup(0, |i| map_local(0, reduce_seq(f, z)) . transpose . \
               increase2d(0, 0, 0, r) . to_local . reduce_by_key_local(b, k, f, z, s, t))",
    when: "for as many copies k as local memory holds, and r = 1 - b % 2",
    apply: |e, _| {
        let chunks = chunks(e)?;
        let (copies, _) = copies(&chunks)?;
        let bins = chunks.by_group(copies, |by_group| {
            let bins = Expr::transpose(with_room(Expr::store(Memory::Local, by_group), chunks.bins));
            let Some((bin, _)) = bins.ty().as_array() else { crate::bug!("bins of {}", bins.ty()) };
            let reduced = Lambda::unary("bin", bin.clone(), |bin| {
                Expr::reduce(Order::Sequential, fresh(chunks.f), chunks.z.refresh(), bin)
            });
            Expr::map_in(Place::Local(0), reduced, bins)
        });
        Some(bins)
    },
};

pub static BY_KEY_ATOMIC: Rule = Rule {
    name: "reduce_by_key_atomic",
    about: "A work-group for each chunk, whose items combine atomically where the bins of the chunk are stored.",
    equation: "map(|i| reduce_by_key_seq(b, f, z, s, t)) = map_workgroup(0, |i| join . reduce_by_key_local(b, 1, f, z, s, t))",
    when: "for `+`, `min`, `max`, `&`, `|` or `^` on integers of 32 bits",
    apply: |e, _| {
        let chunks = chunks(e)?;
        Atomic::of(chunks.f).map(|_| chunks.by_group(1, Expr::join))
    },
};

/// How long the chunks of so many elements are.
fn chunk_length(bins: &ArithExpr, n: &ArithExpr, facts: &Facts) -> ArithExpr {
    let some = some(n, facts).div_ceil(&MOST_CHUNKS.into());
    ArithExpr::max(&ArithExpr::max(&SHORTEST.into(), &(bins * FOR_BIN)), &some)
}

/// `array(n, |i| i)`
fn numbers(n: &ArithExpr) -> Expr {
    let f = Lambda::unary("i", Scalar::Usize.into(), |i| i);
    Expr::prim(Prim::Array, vec![Arg::Size(n.clone()), Arg::Fun(f)])
}

fn in_range(
    bins: &ArithExpr,
    (f, z): (&Lambda, &Expr),
    (from, to): (Expr, Expr),
    keys: &Expr,
    xs: &Expr,
) -> Expr {
    let data = [z.clone(), from, to, keys.clone(), xs.clone()].map(Arg::Data);
    let args = [vec![Arg::Size(bins.clone()), Arg::Fun(f.clone())], data.into()].concat();
    Expr::prim(Prim::ReduceByKey(ByKey::Item), args)
}

/// The loop over all elements that a reduction by key is.
pub fn in_sequence(e: &Expr) -> Option<Expr> {
    let (Prim::ReduceByKey(ByKey::Whole), args) = e.as_prim()? else { return None };
    let [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), Arg::Data(keys), Arg::Data(xs)] = args else {
        return None;
    };
    let all = (Expr::size(ArithExpr::zero()), Expr::size(xs.ty().length()));
    Some(in_range(bins, (f, z), all, keys, xs).at(e.span()))
}

/// Copies of an odd number of elements: what is at one place in all of them is in different banks.
fn with_room(copies: Expr, bins: &ArithExpr) -> Expr {
    if bins.as_const().is_none_or(|n| n % 2 == 1) {
        return copies;
    }
    wider(ArithExpr::one(), copies)
}

/// What is reduced in chunks.
struct Chunks<'a> {
    bins: &'a ArithExpr,
    f: &'a Lambda,
    z: &'a Expr,
    /// The other arguments.
    data: &'a [Arg],
    /// The function of a chunk, and the chunks.
    by_chunk: &'a Lambda,
    numbers: &'a Expr,
    /// Where it was written.
    of: &'a Expr,
}

impl Chunks<'_> {
    /// The same by groups with so many copies of the bins, of which `finish` makes the bins.
    fn by_group(&self, copies: i64, finish: impl FnOnce(Expr) -> Expr) -> Expr {
        let first = [Arg::Size(self.bins.clone()), Arg::Size(copies.into())];
        let function = [Arg::Fun(self.f.clone()), Arg::Data(self.z.clone())];
        let args = [&first, &function, self.data].concat();
        let copies = Expr::prim(Prim::ReduceByKey(ByKey::Group), args).at(self.of.span());
        let by_chunk = self.by_chunk.with_body(finish(copies));
        Expr::map_in(Place::Group(0), by_chunk, self.numbers.clone())
    }
}

/// The chunks that a map reduces by key.
fn chunks(e: &Expr) -> Option<Chunks<'_>> {
    let (by_chunk, numbers) = as_map(e)?;
    let of = &by_chunk.body;
    let (Prim::ReduceByKey(ByKey::Item), args) = of.as_prim()? else { return None };
    let [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), data @ ..] = args else { return None };
    Some(Chunks { bins, f, z, data, by_chunk, numbers, of })
}

/// How many copies of the bins a group has in local memory, and how many items.
fn copies(chunks: &Chunks<'_>) -> Option<(i64, i64)> {
    let mut bytes = 0;
    chunks.z.ty().scalars(&mut |scalar| bytes += scalar.bytes());
    let fitting = MOST_BYTES / chunks.bins.as_const()?.checked_add(1)?.checked_mul(bytes)?;
    let power = |most: i64| 1_i64 << (63 - most.leading_zeros());
    match Atomic::of(chunks.f) {
        Some(_) if fitting >= 1 => Some((power(fitting.min(MOST_COPIES)), ITEMS)),
        None if fitting >= FEW_COPIES => {
            let own = power(fitting.min(ITEMS));
            Some((own, own))
        }
        _ => None,
    }
}

/// How many items the groups have that reduce the chunks of a map by key, and the rule that says so; nothing where items are better
/// by themselves.
pub fn groups(e: &Expr) -> Option<(i64, &'static Rule)> {
    let chunks = chunks(e)?;
    match copies(&chunks) {
        Some((_, items)) => Some((items, &BY_KEY_GROUPS)),
        None => Atomic::of(chunks.f).map(|_| (ITEMS, &BY_KEY_ATOMIC)),
    }
}
