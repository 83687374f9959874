//! Reductions with few results, each in two stages.
//!
//! Before: a nest of maps whose function reduces something long. After: the same with partial results, which a launch of its own computes: every result of a
//! chunk by itself. With few results, that is what a device with many work-items needs to be busy.

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Order, Param, Prim, Scalar, Type};
use crate::machine::blocked::{self, Busy, FULL_SHARE, WAVE_SHARE};
use crate::machine::coarsened::TOGETHER;
use crate::machine::stages::{
    BY_CORE, BY_ITEM, BY_PAIRS, BY_ROW, BY_STRIP, FEWEST, LEAST_OF_WIDE, PRODUCTS, ROWS_OF_CORE, Share,
};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::numbers;
use crate::rewrite::rules::columns::{is_defined_inside, reductions};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::partial::as_flat_reduce;
use crate::rewrite::rules::product::Product;
use crate::rewrite::rules::reduction::{in_chunks, is_flat, is_long, some};
use crate::rewrite::rules::rows::put;
use crate::rewrite::scope::{occurrences, replace, same};

/// Maps in a nest, at most.
const DEEPEST: usize = 2;

/// By groups that share a row or a strip of columns, by items, with one result or several at once, by cores, and by groups that share a square of a product.
pub static REDUCE_IN_STAGES: [Rule; 8] = [
    stages::<ROWS>("reduce_in_stages(rows)"),
    stages::<STRIPS>("reduce_in_stages(strips)"),
    stages::<ITEMS>("reduce_in_stages(items)"),
    stages::<PAIRS>("reduce_in_stages(pairs)"),
    stages::<CORES>("reduce_in_stages(cores)"),
    stages::<SQUARES>("reduce_in_stages(squares of 64)"),
    stages::<{ SQUARES + 1 }>("reduce_in_stages(squares of 32)"),
    stages::<{ SQUARES + 2 }>("reduce_in_stages(squares of 128)"),
];

/// The numbers of the rules. Those of products come last, one for each of [`PRODUCTS`].
pub const ROWS: usize = 0;
pub const STRIPS: usize = 1;
pub const ITEMS: usize = 2;
pub const PAIRS: usize = 3;
pub const CORES: usize = 4;
pub const SQUARES: usize = 5;

/// How the groups of a rule share results, but for products.
const SHARES: [Share; 5] = [BY_ROW, BY_STRIP, BY_ITEM, BY_PAIRS, BY_CORE];

/// What should be how large, at least, for a rule to pay on a reduction of `n` elements in chunks of such a length, for each result of `e`.
pub fn least(e: &Expr, n: &ArithExpr, chunk: &ArithExpr, by: usize) -> Vec<(ArithExpr, i64)> {
    let chunks = n.div(chunk);
    let Some(share) = by.checked_sub(SQUARES).map(|number| &PRODUCTS[number]) else {
        let is_wide = first_reduction(e).is_some_and(|(_, reduction)| bytes(reduction.ty()) > 4);
        let least = if by == ROWS && is_wide { LEAST_OF_WIDE } else { SHARES[by].least };
        return vec![(chunks, FEWEST), (n.clone(), least)];
    };
    let counts = Product::find(e).map_or(Vec::new(), |product| product.counts.to_vec());
    let square = &blocked::SQUARES[share.square];
    let only_then = match square.busy {
        Busy::Waves(wave) if share.fills_waves => {
            let groups = counts.iter().map(|n| n.div_ceil(&square.side().into())).product::<ArithExpr>();
            let places = groups.div_ceil(&wave.into()) * wave;
            let (results, all) =
                (counts.iter().cloned().product::<ArithExpr>(), square.side() * square.side());
            // One launch leaves much of a wave empty, chunks fill one, and squares are full.
            vec![
                (places * WAVE_SHARE - &groups * 10, 1),
                (&groups * &chunks * 10, wave * WAVE_SHARE),
                (results * 10 - groups * (all * FULL_SHARE), 1),
            ]
        }
        _ => Vec::new(),
    };
    let counts = counts.into_iter().map(|count| (count, share.few)).filter(|(_, few)| *few > 1);
    counts.chain([(chunks, share.fewest), (n.clone(), share.least)]).chain(only_then).collect()
}

/// The bytes of all scalars of an accumulator.
fn bytes(ty: &Type) -> usize {
    ty.leaves().iter().map(|(_, scalar)| scalar.size()).sum()
}

const fn stages<const BY: usize>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "Chunks are reduced in a launch of their own, and then what they give and what fills no chunk.",
        equation: "map(|x| e[reduce(f, z) . map(g) << v]) = map(|(x, s)| e[reduce(f, z) << concat(s, drop(k * c) . map(g) << v)]) . zip(xs, materialize . map(|x| map(reduce(f, z) . map(g)) \
                   . split(c) . take(k * c) << v) << xs)",
        when: "for strips and items with ceil(n / c) chunks of pad(0, r, constant(z)) . map(g) << v and nothing after them; the same in nests of two maps, and with materialize around the inner reduction if e needs more than a scalar; on m results and n elements of v, for \
               c = l * ceil(max(n * ceil(max(m, 1) / r), 1) / (l * w)) and k = n / c, where w groups are wanted that compute r results each, and l elements are \
               worth a group, or for cores, which reduce every 16th row of a chunk by itself, c = 16 * max(n / (16 * w), 1), and for pairs c = 4 * max(n / (4 * max(min(w / ceil(max(m, 1) / r), n / l), 1)), 1); but for rows, chunks are outermost in what is stored; \
               of products, what fills no chunk is reduced in a launch of its own, with which a fold of the others starts",
        apply: |e, cx| in_stages(e, cx.facts, BY),
    }
}

/// Whether a rule pads the last chunk with the neutral element. Otherwise what fills no chunk is left to the second launch, which reads it in vectors, or in squares.
fn is_filled_up(by: usize) -> bool {
    by == STRIPS || by == ITEMS
}

/// How long the chunks are of which each result of a nest of maps is reduced, one at least.
pub fn chunk_of(e: &Expr, n: &ArithExpr, by: usize, facts: &Facts) -> Option<ArithExpr> {
    if by == CORES {
        let rounds = some(&n.div(&(BY_CORE.groups * ROWS_OF_CORE).into()), facts);
        return Some(facts.simplify(&(rounds * ROWS_OF_CORE)));
    }
    let Some(number) = by.checked_sub(SQUARES) else {
        let chunk = chunk_length(&first_reduction(e)?.0, n, &SHARES[by], facts);
        return Some(if is_filled_up(by) { no_longer(&chunk, n, &SHARES[by], facts) } else { chunk });
    };
    let share = &PRODUCTS[number];
    let square = &blocked::SQUARES[share.square];
    let [rows, columns] = Product::find(e)?.counts.map(|n| n.div_ceil(&square.side().into()));
    let (groups, squares) = (ArithExpr::cst(share.groups), some(&(rows * columns), facts));
    let chunks = match share.fills_waves {
        true => some(&groups.div(&squares), facts),
        false => groups.div_ceil(&squares),
    };
    // Whole steps, so that little is left when all chunks are as long.
    let steps = n.div(&(chunks * square.step));
    let shortest = ArithExpr::cst(share.shortest / square.step);
    Some(facts.simplify(&(ArithExpr::max(&steps, &shortest) * square.step)))
}

/// How long the chunks are of which each of so many results is reduced, one at least.
pub fn chunk_length(results: &ArithExpr, n: &ArithExpr, share: &Share, facts: &Facts) -> ArithExpr {
    let groups = some(results, facts).div_ceil(&share.results.into());
    if share.is_even {
        let wanted = ArithExpr::cst(share.groups).div(&groups);
        let chunks = some(&ArithExpr::min(&wanted, &n.div(&share.shortest.into())), facts);
        return facts.simplify(&(some(&n.div(&(chunks * TOGETHER)), facts) * TOGETHER));
    }
    let longer = some(&(n * groups), facts).div_ceil(&(share.shortest * share.groups).into());
    facts.simplify(&(longer * share.shortest))
}

/// The length of a chunk, or no more than all `n` elements need: all of a chunk is gone through.
fn no_longer(chunk: &ArithExpr, n: &ArithExpr, share: &Share, facts: &Facts) -> ArithExpr {
    let shortest = ArithExpr::cst(share.shortest);
    let whole = some(n, facts).div_ceil(&shortest) * shortest;
    facts.simplify(&ArithExpr::min(chunk, &whole))
}

/// The same for rows or columns that are scanned.
pub fn scan_chunk_length(results: &ArithExpr, n: &ArithExpr, share: &Share, facts: &Facts) -> ArithExpr {
    no_longer(&chunk_length(results, n, share, facts), n, share, facts)
}

/// The number of results of a nest of maps, and the first of the reductions in its function that may be done before the rest of it, if there is one.
pub fn first_reduction(e: &Expr) -> Option<(ArithExpr, Expr)> {
    let (mut body, mut results) = (e.clone(), ArithExpr::one());
    for _ in 0..DEEPEST {
        let Some((f, xs)) = as_map(&body) else { break };
        results = results * xs.ty().length();
        body = f.body.clone();
    }
    let (_, found) = undivided(&body)?;
    (!combines_chunks(e, &found)).then_some((results, found))
}

/// The first reduction of something long in the function of a nest of maps that is not what two stages leave, if there is one.
pub fn first_left(e: &Expr) -> Option<Expr> {
    let mut body = e.clone();
    for _ in 0..DEEPEST {
        let Some((f, _)) = as_map(&body) else { break };
        body = f.body.clone();
    }
    reductions(&body).into_iter().find(|x| is_left(x) && !combines_chunks(e, x)).cloned()
}

/// Whether a reduction in the function of a nest of maps combines the results of chunks, which an earlier launch stores.
fn combines_chunks(e: &Expr, reduction: &Expr) -> bool {
    let Some((.., xs)) = reduction.as_reduction() else { return false };
    let mut stored: Vec<Expr> = Vec::new();
    let mut map = e;
    for _ in 0..DEEPEST {
        let Some((f, xs)) = as_map(map) else { break };
        let [x] = f.params.as_slice() else { break };
        let is_stored = |part: &Expr| {
            part.contains(Prim::Store(Memory::Temporary)) || stored.iter().any(|x| same(x, part))
        };
        let parts: Vec<Expr> = match xs.as_prim() {
            Some((Prim::Zip, parts)) => {
                let parts =
                    parts.iter().filter_map(Arg::data).enumerate().filter(|(_, part)| is_stored(part));
                parts.map(|(i, _)| Expr::field(Expr::param(x), i)).collect()
            }
            _ if is_stored(xs) => vec![Expr::param(x)],
            _ => Vec::new(),
        };
        stored.extend(parts);
        map = &f.body;
    }
    stored.iter().any(|x| x.ty() == xs.ty() && same(x, xs))
}

/// The first reduction in a function that is computed whatever data are and is not what two stages leave; and the same without what is defined in the function.
pub(super) fn undivided(body: &Expr) -> Option<(&Expr, Expr)> {
    let fits = |e: &&Expr| {
        as_flat_reduce(e).is_some()
            && is_left(e)
            && !e.any(&|x| matches!(x.as_prim(), Some((Prim::Gather, _))))
    };
    reductions(body).into_iter().filter(fits).find_map(|e| Some((e, closed(body, e)?)))
}

/// A part of a function, with the scalars that are defined before it in place of their names.
pub fn closed(body: &Expr, part: &Expr) -> Option<Expr> {
    let (mut known, mut rest) = (Vec::new(), body);
    while let Kind::Let(name, value, next) = rest.kind() {
        if value.any(&|x| x.is_same(part)) {
            rest = value;
            break;
        }
        known.push((name.id, value));
        rest = next;
    }
    if is_defined_inside(rest, part) {
        return None;
    }
    let mut closed = part.clone();
    for (name, value) in known.into_iter().rev() {
        if occurrences(&closed, name).count > 0 {
            if !is_flat(value.ty()) || !reductions(value).is_empty() {
                return None;
            }
            closed = replace(&closed, name, value);
        }
    }
    Some(closed)
}

/// Whether something long is reduced, and not the results of chunks, perhaps from what fills no chunk on.
fn is_left(e: &Expr) -> bool {
    e.as_reduction().is_some_and(|(_, _, z, xs)| {
        let xs = as_map(xs).map_or(xs, |(_, source)| source);
        let is_whole =
            !matches!(xs.as_prim(), Some((Prim::Concat, _))) && !matches!(z.kind(), Kind::Field(..));
        is_long(xs) && is_whole
    })
}

fn in_stages(e: &Expr, facts: &Facts, by: usize) -> Option<Expr> {
    let (_, found) = first_reduction(e)?;
    let depth = depth_of(e)?;
    let n = as_flat_reduce(&found)?.2.ty().length();
    let chunk = chunk_of(e, &n, by, facts)?;
    let number = facts.simplify(&if is_filled_up(by) { n.div_ceil(&chunk) } else { n.div(&chunk) });
    let whole = facts.simplify(&(&number * &chunk));
    let missing = &whole - &n;
    let pieces = |xs: &Expr| Expr::split(chunk.clone(), Expr::take(whole.clone(), xs.clone()));
    let partial = match by {
        ROWS => nest(e, depth, None, &mut |body, _| {
            let (_, found) = undivided(body)?;
            let (f, z, xs) = as_flat_reduce(&found)?;
            let (g, source) = as_map(xs).map_or((None, xs), |(g, source)| (Some(g), source));
            Some(Expr::map_with("chunk", pieces(source), |chunk| reduced((f, z, g), chunk)))
        })?,
        CORES => of_cores(e, depth, number, &pieces)?,
        _ => {
            let i = Param::new("i", Scalar::Usize.into());
            let slice =
                |xs: &Expr| Expr::prim(Prim::At, vec![Arg::Data(Expr::param(&i)), Arg::Data(pieces(xs))]);
            let by_chunk = nest(e, depth, None, &mut |body, _| match is_filled_up(by) {
                false => part_reduced(body, &slice),
                true => {
                    let (_, found) = undivided(body)?;
                    let (f, z, xs) = as_flat_reduce(&found)?;
                    let pieces = in_chunks(z, xs, &chunk, &missing, facts);
                    let piece = Expr::prim(Prim::At, vec![Arg::Data(Expr::param(&i)), Arg::Data(pieces)]);
                    Some(reduced((f, z, None), piece))
                }
            })?;
            Expr::map(Lambda { params: vec![i], body: by_chunk }, numbers(number))
        }
    };
    let sums = by_result(Expr::store(Memory::Temporary, partial.refresh()), by, depth);
    let sums = match by {
        0..SQUARES => sums,
        // An item for each result would read long rows again for what is left.
        _ => {
            let rest = |xs: &Expr| Expr::drop(whole.clone(), xs.clone());
            let rest = nest(e, depth, None, &mut |body, _| part_reduced(body, &rest))?;
            nd::zip_nd(depth, vec![sums, Expr::store(Memory::Temporary, rest.refresh())])
        }
    };
    let function = below(e, depth)?;
    let is_alone = is_flat(function.ty()) && reductions(function).len() == 1;
    let all = |body: &Expr, sums: Option<Expr>| {
        let (_, found) = undivided(body)?;
        let (f, z, xs) = as_flat_reduce(&found)?;
        if by >= SQUARES {
            // So few are left for each of so many results that an item combines them.
            let [sums, rest] = [0, 1].map(|i| sums.clone().map(|both| Expr::field(both, i)));
            return Some(Expr::reduce(Order::Left, f.clone(), rest?, sums?));
        }
        let all = match is_filled_up(by) {
            true => sums?,
            false => {
                let rest = Expr::drop(whole.clone(), xs.clone());
                Expr::prim(Prim::Concat, vec![Arg::Data(sums?), Arg::Data(rest)])
            }
        };
        Some(Expr::reduce(Order::Any, f.clone(), z.clone(), all))
    };
    let put_back = |body: &Expr, reduction: Expr| Some(put(body, undivided(body)?.0, &reduction));
    let staged = match is_alone {
        true => nest(e, depth, Some(sums), &mut |body, sums| put_back(body, all(body, sums)?))?,
        false => in_two(e, depth, sums, &all, &|body, whole| put_back(body, whole.clone()))?,
    };
    Some(staged.refresh())
}

/// What every 16th row of each chunk gives, for each result.
fn of_cores(e: &Expr, depth: usize, number: ArithExpr, pieces: &dyn Fn(&Expr) -> Expr) -> Option<Expr> {
    let at = |i: &Param, xs| Expr::prim(Prim::At, vec![Arg::Data(Expr::param(i)), Arg::Data(xs)]);
    let [i, r] = ["i", "r"].map(|name| Param::new(name, Scalar::Usize.into()));
    let slice = |xs: &Expr| {
        let chunk = at(&i, pieces(xs));
        at(&r, Expr::transpose(Expr::split(ROWS_OF_CORE.into(), chunk)))
    };
    let body = nest(e, depth, None, &mut |body, _| part_reduced(body, &slice))?;
    let rows = Expr::map(Lambda { params: vec![r.clone()], body }, numbers(ROWS_OF_CORE.into()));
    Some(Expr::join(Expr::map(Lambda { params: vec![i.clone()], body: rows }, numbers(number))))
}

/// A nest of maps in two launches: first what all chunks give, with the scalars that a function defines from it, and then what becomes of these. So no
/// element computes what is the same for all elements of a result.
pub(super) fn in_two(
    e: &Expr,
    depth: usize,
    sums: Expr,
    all: &dyn Fn(&Expr, Option<Expr>) -> Option<Expr>,
    put_back: &dyn Fn(&Expr, &Expr) -> Option<Expr>,
) -> Option<Expr> {
    let mut whole = None;
    let first = nest(e, depth, Some(sums), &mut |body, sums| {
        let value = all(body, sums)?;
        let name = whole.insert(Param::new("whole", value.ty().clone()));
        let body = put_back(body, &Expr::param(name))?;
        let (defined, rest) = defined_first(&body);
        let mut kept: Vec<Expr> = needed(name, &defined, rest).into_iter().map(Expr::param).collect();
        let kept = if kept.len() == 1 { kept.remove(0) } else { Expr::tuple(kept) };
        let kept = defined
            .into_iter()
            .rev()
            .fold(kept, |rest, (name, value)| Expr::let_(name.clone(), value.clone(), rest));
        Some(Expr::let_(name.clone(), value, kept))
    })?;
    let name = whole?;
    let stored = Expr::store(Memory::Temporary, first.refresh());
    nest(e, depth, Some(stored), &mut |body, stored| {
        let (body, stored) = (put_back(body, &Expr::param(&name))?, stored?);
        let (defined, rest) = defined_first(&body);
        Some(match needed(&name, &defined, rest).as_slice() {
            [one] => replace(rest, one.id, &stored),
            all => all.iter().enumerate().fold(rest.clone(), |rest, (i, name)| {
                replace(&rest, name.id, &Expr::field(stored.clone(), i))
            }),
        })
    })
}

/// The scalars that a function defines before anything else, without loops, and what follows.
fn defined_first(body: &Expr) -> (Vec<(&Param, &Expr)>, &Expr) {
    let (mut defined, mut rest) = (Vec::new(), body);
    while let Kind::Let(name, value, next) = rest.kind() {
        if !is_flat(value.ty()) || !reductions(value).is_empty() {
            break;
        }
        defined.push((name, value));
        rest = next;
    }
    (defined, rest)
}

/// What the rest needs of a value, and of what is defined from it: one of them at least.
fn needed<'a>(whole: &'a Param, defined: &[(&'a Param, &Expr)], rest: &Expr) -> Vec<&'a Param> {
    let all = [whole].into_iter().chain(defined.iter().map(|(name, _)| *name));
    let needed: Vec<&Param> = all.filter(|name| occurrences(rest, name.id).count > 0).collect();
    if needed.is_empty() { vec![whole] } else { needed }
}

/// How many maps are in a nest whose function reduces.
pub(super) fn depth_of(e: &Expr) -> Option<usize> {
    (1..=DEEPEST).find(|n| below(e, *n).is_none_or(|x| as_map(x).is_none()))
}

/// The results of all chunks, for each result: of rows, chunks are innermost in what is stored, and otherwise outermost.
pub(super) fn by_result(stored: Expr, by: usize, depth: usize) -> Expr {
    match (by, depth) {
        (ROWS, _) => stored,
        (_, 1) => Expr::transpose(stored),
        _ => Expr::map_with("row", Expr::transpose(stored), Expr::transpose),
    }
}

/// The first reduction in a function, of a part of all that it reduces.
fn part_reduced(body: &Expr, part: &dyn Fn(&Expr) -> Expr) -> Option<Expr> {
    let (_, found) = undivided(body)?;
    let (f, z, xs) = as_flat_reduce(&found)?;
    let (g, source) = as_map(xs).map_or((None, xs), |(g, source)| (Some(g), source));
    Some(reduced((f, z, g), part_of(source, part)))
}

/// A part of an array; of arrays that are zipped, of each of them.
pub(super) fn part_of(xs: &Expr, part: &dyn Fn(&Expr) -> Expr) -> Expr {
    match xs.as_prim() {
        Some((Prim::Zip, parts)) => {
            let parts = parts.iter().filter_map(Arg::data).map(part);
            Expr::prim(Prim::Zip, parts.map(Arg::Data).collect())
        }
        _ => part(xs),
    }
}

/// What is so many functions deep in a nest of maps.
pub(super) fn below(e: &Expr, depth: usize) -> Option<&Expr> {
    (0..depth).try_fold(e, |e, _| Some(&as_map(e)?.0.body))
}

/// `reduce(f, z, map(g, xs))`
pub(super) fn reduced((f, z, g): (&Lambda, &Expr, Option<&Lambda>), xs: Expr) -> Expr {
    let xs = match g {
        Some(g) => Expr::map(g.clone(), xs),
        None => xs,
    };
    Expr::reduce(Order::Any, f.clone(), z.clone(), xs)
}

/// A nest of maps with another innermost function, which is made from the one that is there and from an element of `beside`.
pub(super) fn nest(
    e: &Expr,
    depth: usize,
    beside: Option<Expr>,
    leaf: &mut dyn FnMut(&Expr, Option<Expr>) -> Option<Expr>,
) -> Option<Expr> {
    if depth == 0 {
        return leaf(e, beside);
    }
    let (f, xs) = as_map(e)?;
    let [x] = f.params.as_slice() else { return None };
    let Some(beside) = beside else {
        let body = nest(&f.body, depth - 1, None, leaf)?;
        return Some(Expr::map(Lambda { params: vec![x.clone()], body }, xs.clone()));
    };
    let all = Expr::prim(Prim::Zip, vec![Arg::Data(xs.clone()), Arg::Data(beside)]);
    let both = Param::new("both", all.ty().as_array()?.0.clone());
    let body = nest(&f.body, depth - 1, Some(Expr::field(Expr::param(&both), 1)), leaf)?;
    let body = replace(&body, x.id, &Expr::field(Expr::param(&both), 0));
    Some(Expr::map(Lambda { params: vec![both], body }, all))
}
