//! Reductions by key, by many work-items.
//!
//! The array is cut into chunks. Each has a copy of the bins, which one work-item or the items of a group fill; then the copies of each bin
//! are reduced. How many chunks there are follows from sizes alone, so that a result depends on no device.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Atomic, BinaryOp, ByKey, Expr, Lambda, MathFn, Memory, Order, Prim, Scalar};
use crate::machine::by_key::{Chunks, FEW_COPIES, ITEMS, MOST_BYTES, MOST_COPIES, OF_GROUPS, OF_ITEMS};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::memory::wider;
use crate::rewrite::rules::reduction::{fresh, some};

/// Of chunks of any length.
const CHUNKS_EQUATION: &str = "reduce_by_key(b, f, z, ks, xs) = map(reduce(f, z)) . transpose . materialize . \
               map(|i| reduce_by_key_seq(b, f, z, i * c, min(i * c + c, n), ks, xs)) << array(ceil(n / c), |i| i)";

pub static BY_KEY_CHUNKS: Rule = Rule {
    name: "reduce_by_key_chunks",
    about: "Chunks have bins of their own, which are filled in a launch, and reduced in another one.",
    equation: CHUNKS_EQUATION,
    when: "on n elements, for c = max(16384, 16 * b, ceil(max(n, 1) / 512))",
    apply: |e, cx| in_chunks(e, &OF_GROUPS, cx.facts),
};

pub static BY_KEY_SHORT_CHUNKS: Rule = Rule {
    name: "reduce_by_key_short_chunks",
    about: "The same, of chunks each of which one of many items takes.",
    equation: CHUNKS_EQUATION,
    when: "on n elements, for c = max(256, 2 * b, ceil(max(n, 1) / 4096)), where local memory has no room for enough copies of the bins, and f is not atomic",
    apply: |e, cx| {
        let (Prim::ReduceByKey(ByKey::Whole), [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), ..]) =
            e.as_prim()?
        else {
            return None;
        };
        if by(bins, f, z).is_some() {
            return None;
        }
        in_chunks(e, &OF_ITEMS, cx.facts)
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
    about: "A work-group has copies of the bins in local memory: each item has one, or several items combine atomically in each.",
    equation: "reduce_by_key_seq(b, f, z, s, t) = \
               map(reduce(f, z)) . transpose . increase2d(0, 0, 0, r) . to_local . reduce_by_key_local(b, k, f, z, s, t)",
    when: "for as many copies k as local memory holds, and r = 1 - b % 2",
    apply: |e, _| {
        let item = item(e)?;
        let (copies, _) = copies(item.bins, item.f, item.z)?;
        let by_group = Expr::store(Memory::Local, item.by_group(copies));
        Some(Expr::map_with("bin", Expr::transpose(with_room(by_group, item.bins)), |bin| {
            Expr::reduce(Order::Any, fresh(item.f), item.z.refresh(), bin)
        }))
    },
};

pub static BY_KEY_ATOMIC: Rule = Rule {
    name: "reduce_by_key_atomic",
    about: "The items of a work-group combine atomically where the bins are stored.",
    equation: "reduce_by_key_seq(b, f, z, s, t) = join . reduce_by_key_local(b, 1, f, z, s, t)",
    when: "for `+`, `min`, `max`, `&`, `|` or `^` on integers of 32 bits",
    apply: |e, _| {
        let item = item(e)?;
        Atomic::of(item.f).map(|_| Expr::join(item.by_group(1)))
    },
};

/// The same in chunks of such lengths.
fn in_chunks(e: &Expr, lengths: &Chunks, facts: &Facts) -> Option<Expr> {
    let (Prim::ReduceByKey(ByKey::Whole), args) = e.as_prim()? else { return None };
    let [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), Arg::Data(keys), Arg::Data(xs)] = args else {
        return None;
    };
    let (_, n) = xs.ty().as_array()?;
    let chunk = facts.simplify(&chunk_length(bins, n, lengths, facts));
    let count = facts.simplify(&n.div_ceil(&chunk));
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
}

/// How long the chunks of so many elements are.
fn chunk_length(bins: &ArithExpr, n: &ArithExpr, lengths: &Chunks, facts: &Facts) -> ArithExpr {
    let some = some(n, facts).div_ceil(&lengths.most.into());
    ArithExpr::max(&ArithExpr::max(&lengths.shortest.into(), &(bins * lengths.for_bin)), &some)
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

/// What one work-item reduces by key.
struct Item<'a> {
    bins: &'a ArithExpr,
    f: &'a Lambda,
    z: &'a Expr,
    /// The other arguments.
    data: &'a [Arg],
    /// Where it was written.
    of: &'a Expr,
}

impl Item<'_> {
    /// The same by a group, in so many copies of the bins.
    fn by_group(&self, copies: i64) -> Expr {
        let first = [Arg::Size(self.bins.clone()), Arg::Size(copies.into())];
        let function = [Arg::Fun(self.f.clone()), Arg::Data(self.z.clone())];
        let args = [&first, &function, self.data].concat();
        Expr::prim(Prim::ReduceByKey(ByKey::Group), args).at(self.of.span())
    }
}

/// What an item reduces by key.
fn item(of: &Expr) -> Option<Item<'_>> {
    let (Prim::ReduceByKey(ByKey::Item), args) = of.as_prim()? else { return None };
    let [Arg::Size(bins), Arg::Fun(f), Arg::Data(z), data @ ..] = args else { return None };
    Some(Item { bins, f, z, data, of })
}

/// How many copies of the bins a group has in local memory, and how many items.
fn copies(bins: &ArithExpr, f: &Lambda, z: &Expr) -> Option<(i64, i64)> {
    let mut bytes = 0;
    z.ty().scalars(&mut |scalar| bytes += scalar.bytes());
    let fitting = MOST_BYTES / bins.as_const()?.checked_add(1)?.checked_mul(bytes)?;
    let power = |most: i64| 1_i64 << (63 - most.leading_zeros());
    match Atomic::of(f) {
        Some(_) if fitting >= 1 => Some((power(fitting.min(MOST_COPIES)), ITEMS)),
        None if fitting >= FEW_COPIES => {
            let own = power(fitting.min(ITEMS));
            Some((own, own))
        }
        _ => None,
    }
}

/// How many items the groups have that reduce by key, and the rule that says so; nothing where items are better by themselves.
fn by(bins: &ArithExpr, f: &Lambda, z: &Expr) -> Option<(i64, &'static Rule)> {
    match copies(bins, f, z) {
        Some((_, items)) => Some((items, &BY_KEY_GROUPS)),
        None => Atomic::of(f).map(|_| (ITEMS, &BY_KEY_ATOMIC)),
    }
}

/// The same of what an item reduces by key.
pub fn groups(e: &Expr) -> Option<(i64, &'static Rule)> {
    let item = item(e)?;
    by(item.bins, item.f, item.z)
}
