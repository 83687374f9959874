//! Storing: values that are worth it get a name, and whoever reads them does so in a later launch.

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Param, Place, Prim, Type};
use crate::machine::by_key::MOST_SCALARS;
use crate::rewrite::binder::{Inside, inside, on_the_way};
use crate::rewrite::demand::{Use, Wanted, as_size, find, is_read_often};
use crate::rewrite::layout::{as_map, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::numbers;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::as_reduce;
use crate::rewrite::rules::simplify::as_let;
use crate::rewrite::scope::{occurrences, replace, same};

pub static STORE: Rule = Rule {
    name: "store",
    about: "Names and stores a value. Of a definition only the value is looked at, so that what is named may use the definitions before it.",
    equation: "e[v] = { let x = materialize(v); e[x] }",
    when: "if no variable of v is bound in e",
    apply: |e, cx| store(e, cx.facts),
};

pub static RECOMPUTE: Rule = Rule {
    name: "recompute",
    about: "What is not stored is computed where it is read.",
    equation: "materialize(x) = x",
    when: "",
    apply: |e, _| match e.as_prim()? {
        (Prim::Store(Memory::Temporary), [Arg::Data(x)]) => Some(x.clone()),
        _ => None,
    },
};

pub static LET_MAP: Rule = Rule {
    name: "let_map",
    about: "Elements that cost little are computed where they are read, so that nothing holds them.",
    equation: "{ let x = map(f) << v; e } = e[x := map(f) << v]",
    when: "if v only moves data, and f repeats nothing and reads no other array",
    apply: |e, _| {
        let (x, value, body) = as_let(e)?;
        let (f, xs) = as_map(value)?;
        (is_view(xs) && repeats_nothing(&f.body)).then(|| replace(body, x.id, value))
    },
};

/// Whether a fixed number of operations on scalars is computed.
fn repeats_nothing(e: &Expr) -> bool {
    let mut once = true;
    e.visit(&mut |x| {
        once &= !matches!(x.ty(), Type::Array(..))
            && !matches!(x.as_prim(), Some((Prim::Iterate | Prim::IterateUntil, _)));
    });
    once
}

pub static STORE_INSIDE: Rule = Rule {
    name: "store_inside",
    about: "Computes and stores a value of a function for all elements of the array that the function is mapped over, in place of computing it wherever it \
            is read. Definitions between the map and the value are computed for both.",
    equation: "map(|x| e[v]) << xs = zip(xs, materialize . map(|x| v) << xs) . map(|(x, y)| e[y])",
    when: "if of the variables that change between the map and v, v depends on x alone; array(n, f) is map(f) << array(n, |i| i)",
    apply: |e, cx| {
        let position = find(Wanted::Inside, e, Use::Stored, cx.facts)?;
        let (around, places) = on_the_way(e, &position)?;
        let Inside { map, lets } = inside(e.below(&position)?, &around)?;
        let place = places.get(map)?;
        let below = position.get(place.len() + 1..)?;
        Some(e.with_below(place, &fissioned(e.below(place)?, below, lets)?))
    },
};

pub static STORE_CHANNELS: Rule = Rule {
    name: "store_channels",
    about: "A few values of each point are stored as an array of each, if windows of points are read: then neighbours write, and read, what lies side by side.",
    equation: "{ let x = materialize(map^d(f)); e } = { let y = materialize(outwards^d . map^d(f)); e[x := inwards^d(y)] }",
    when: "for an f that gives 2 to 8 scalars, if x is not read by indices that are computed; outwards^d moves the innermost dimension out, and inwards^d back",
    apply: |e, _| {
        let Kind::Let(x, value, body) = e.kind() else { return None };
        let (Prim::Store(Memory::Temporary), [Arg::Data(v)]) = value.as_prim()? else { return None };
        let (lens, _) = v.ty().shape();
        let (channels, points) = lens.split_last()?;
        let is_few = channels.as_const().is_some_and(|n| (2..=MOST_SCALARS).contains(&n));
        let dims = points.len();
        if !is_few || dims == 0 || !is_nest(dims, v) || !is_slid(body, x) || is_gathered(body, x) {
            return None;
        }
        let stored = Expr::store(Memory::Temporary, nd::outwards(dims, v.clone()));
        let y = Param::new(&x.name, stored.ty().clone());
        let own = nd::inwards(dims, Expr::param(&y));
        Some(Expr::let_(y, stored, replace(body, x.id, &own)))
    },
};

/// Whether so many nested maps compute this, each element of the array that the outer one gives.
fn is_nest(dims: usize, e: &Expr) -> bool {
    as_map(e).is_some_and(|(f, _)| dims == 1 || is_nest(dims - 1, &f.body))
}

/// Whether windows of an array are read.
fn is_slid(e: &Expr, x: &Param) -> bool {
    e.any(&|part| matches!(part.as_prim(), Some((Prim::Slide, _))) && occurrences(part, x.id).count > 0)
}

/// Whether an element of an array is read whose index is computed.
fn is_gathered(e: &Expr, x: &Param) -> bool {
    let is_own = |xs: &Expr| {
        let mut xs = xs;
        while let Some((Prim::At, [_, Arg::Data(inner)])) = xs.as_prim() {
            xs = inner;
        }
        matches!(xs.kind(), Kind::Param(p) if p == x)
    };
    e.any(&|part| match part.as_prim() {
        Some((Prim::At, [Arg::Data(i), Arg::Data(xs)])) => as_size(i).is_none() && is_own(xs),
        _ => false,
    })
}

/// The map without the value at a position in its function, which is stored for all elements.
fn fissioned(map: &Expr, below: &[usize], lets: Vec<(Param, Expr)>) -> Option<Expr> {
    let over_numbers = match map.as_prim() {
        Some((Prim::Array, [Arg::Size(n), Arg::Fun(f)])) => Some(Expr::map(f.clone(), numbers(n.clone()))),
        _ => None,
    };
    let map = over_numbers.as_ref().unwrap_or(map);
    let stored = Expr::store(Memory::Temporary, values(map, below, lets)?);
    with_values(map, below, &stored)
}

/// What the value at a position in the function of a map is for all elements.
pub(super) fn values(map: &Expr, below: &[usize], lets: Vec<(Param, Expr)>) -> Option<Expr> {
    let (f, xs) = as_map(map)?;
    let v = stripped(f.body.below(below)?);
    let value = lets.into_iter().rfold(v, |rest, (param, value)| Expr::let_(param, value, rest));
    Some(Expr::map(Lambda { params: f.params.clone(), body: value }, xs.clone()).refresh())
}

/// The map with these values in place of the one at a position in its function.
pub(super) fn with_values(map: &Expr, below: &[usize], values: &Expr) -> Option<Expr> {
    let (f, xs) = as_map(map)?;
    let [x] = f.params.as_slice() else { return None };
    let (element, _) = values.ty().as_array()?;
    let y = Param::new("stored", element.clone());
    let body = replace_all(&f.body, f.body.below(below)?, &Expr::param(&y));
    if occurrences(&body, x.id).count == 0 {
        return Some(Expr::map(Lambda { params: vec![y], body }, values.clone()));
    }
    let both = Expr::prim(Prim::Zip, vec![Arg::Data(xs.clone()), Arg::Data(values.clone())]);
    Some(Expr::map_with("both", both, |both| {
        let (first, second) = (Expr::field(both.clone(), 0), Expr::field(both, 1));
        Expr::let_(x.clone(), first, Expr::let_(y.clone(), second, body.clone()))
    }))
}

fn store(e: &Expr, facts: &Facts) -> Option<Expr> {
    let Kind::Let(param, value, body) = e.kind() else {
        let position = find(Wanted::Stored, e, Use::Stored, facts)?;
        return name(e, &position, "stored", |rest, _| rest);
    };
    if let Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) = value.as_prim() {
        let position = find(Wanted::Stored, inner, Use::Stored, facts)?;
        let materialize = |rest| Expr::store(Memory::Temporary, rest);
        return name(inner, &position, &param.name, |rest, again| {
            Expr::let_(param.clone(), materialize(rest), again(body))
        });
    }
    let used = if is_read_often(body, param, facts) { Use::Often } else { Use::Once };
    let position = find(Wanted::Stored, value, used, facts)?;
    if position.is_empty() {
        let stored = Expr::store(Memory::Temporary, stripped(value));
        return Some(Expr::let_(param.clone(), stored, body.clone()));
    }
    name(value, &position, &param.name, |rest, again| Expr::let_(param.clone(), rest, again(body)))
}

/// `{ let x = materialize(v); whole(e[x]) }` for the `v` at this position of `e`; what follows `e` may need `v` again.
fn name(
    e: &Expr,
    position: &[usize],
    name: &str,
    whole: impl FnOnce(Expr, &dyn Fn(&Expr) -> Expr) -> Expr,
) -> Option<Expr> {
    let v = e.below(position)?;
    let stored = Expr::store(Memory::Temporary, stripped(v));
    let name = if is_partial(&stored) { "sums" } else { name };
    let x = Param::new(name, stored.ty().clone());
    let again = |e: &Expr| replace_all(e, v, &Expr::param(&x));
    let rest = whole(again(e), &again);
    Some(Expr::let_(x, stored, rest))
}

/// Whether these are the results of several chunks of an array, by work-groups or however else.
fn is_partial(stored: &Expr) -> bool {
    let Some(inner) = stored.children().first().copied() else { return false };
    let by_chunks = as_map(inner).is_some_and(|(f, xs)| {
        as_reduce(&f.body).is_some() && matches!(xs.as_prim(), Some((Prim::Split, _)))
    });
    let by_groups = matches!(inner.as_prim(), Some((Prim::Map(Place::Group(_)), _)));
    (by_chunks || by_groups) && stored.ty().as_array().is_some_and(|(_, n)| n.as_const() != Some(1))
}

fn stripped(v: &Expr) -> Expr {
    match v.as_prim() {
        Some((Prim::Store(Memory::Temporary), [Arg::Data(inner)])) => inner.clone(),
        _ => v.clone(),
    }
}

/// Every subexpression that is the same as `v` becomes `x`.
pub(super) fn replace_all(e: &Expr, v: &Expr, x: &Expr) -> Expr {
    if e.ty() == v.ty() && same(e, v) {
        return x.clone();
    }
    e.map_children(&mut |child| replace_all(child, v, x))
}
