//! What is stored between launches.
//!
//! Before: a normalised expression. After: a sequence of definitions at the top, in the bodies of loops of the
//! host, too. Those of the form `let x = materialize(v)` are launches, or loops of the host; the others, and
//! the rest, are computed by whoever needs them. Reductions, also by key, and scans of whole arrays have been cut into parts.

use crate::arith::ArithExpr;
use crate::explore::lanes::lies_in_order;
use crate::explore::reductions::by_groups;
use crate::ir::{Arg, ByKey, Expr, Kind, Memory, Prim};
use crate::machine::by_key::{MANY_BINS, SOME_BINS};
use crate::machine::host::FEW_ROWS;
use crate::machine::rows::SHORT;
use crate::rewrite::demand::{Use, Wanted, combines_rows, find, goes_through_many, is_host_loop};
use crate::rewrite::layout::{Writer, as_map, writer};
use crate::rewrite::normal;
use crate::rewrite::position::{
    self, DEFINED, OF, REST, ROUND, ROUND_AFTER_TEST, join, outside_of_functions,
};
use crate::rewrite::rule::{Rewrite, Rule};
use crate::rewrite::rules::scan_chunks::{SCAN_CHUNKS, SCAN_FROM_SUMS};
use crate::rewrite::rules::{by_key, hoist, in_order, indices, keys, reduction, store, together};
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// More steps than any kernel needs.
const LIMIT: usize = 1_000;

/// The parts in which whole arrays are reduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Parts {
    /// Chunks for groups: the user says who computes what.
    OfGroups,
    /// Chunks, and who reduces them is left open.
    Chunks,
    /// The same, but blocks of rows where these are computed from neighbours: for cores, which go along rows.
    Rows,
    /// Chunks, and no launch between that in which chunks are reduced and that in which they are scanned.
    Summed,
}

/// Decides what is stored, and in which parts whole arrays are reduced.
pub(super) fn place(d: &mut Derivation, parts: Parts) {
    for _ in 0..LIMIT {
        let is_cut = hoist(d)
            || find_keys(d)
            || parts != Parts::OfGroups && map_indices(d)
            || together(d)
            || split_reduction(d, parts)
            || split_scan(d, parts)
            || split_by_key(d, parts);
        if !is_cut && !store(d) && !store_inside(d) && (parts == Parts::OfGroups || !turn(d)) {
            return;
        }
    }
}

/// Takes one value out of a function, to store it for all elements. What follows simplifies what is left of the function.
fn store_inside(d: &mut Derivation) -> bool {
    let rule = Strategy::Rule(&store::STORE_INSIDE);
    let found = values(d.expr()).into_iter().any(|position| rule.clone().at(position).apply(d));
    if found {
        normal::strategy(Strategy::once).apply(d);
    }
    found
}

/// Where the values of definitions stand, and what follows the last.
pub(super) fn values(e: &Expr) -> Vec<Position> {
    let of = |position: Position| match e.below(&position).map(Expr::kind) {
        Some(Kind::Let(..)) => join(&position, &[DEFINED]),
        _ => position,
    };
    sequences(e).into_iter().map(of).collect()
}

/// The same, below `materialize`: where maps and loops stand that compute the values.
pub(super) fn computed(d: &Derivation) -> Vec<Position> {
    let of = |position: Position| match d.get(&position).as_ref().and_then(Expr::as_prim) {
        Some((Prim::Store(Memory::Temporary), _)) => join(&position, &[OF]),
        _ => position,
    };
    values(d.expr()).into_iter().map(of).collect()
}

/// Stores one value.
fn store(d: &mut Derivation) -> bool {
    sequences(d.expr()).into_iter().any(|position| Strategy::Rule(&store::STORE).at(position).apply(d))
}

/// Stores one value as it is read.
fn turn(d: &mut Derivation) -> bool {
    let rule = Strategy::any(&[&in_order::STORE_TURNED, &store::STORE_CHANNELS]);
    sequences(d.expr()).into_iter().any(|position| rule.clone().at(position).apply(d))
}

/// Makes one pass over elements of a loop over them that looks for those of each key.
fn find_keys(d: &mut Derivation) -> bool {
    let whole = Strategy::Rule(&keys::BY_KEY_WHOLE);
    for position in values(d.expr()) {
        let Some(value) = d.get(&position) else { continue };
        for below in outside_of_functions(&value) {
            let at = join(&position, &below);
            let is_worth = |e: &Expr, least: i64| {
                let bins = keys::bins(e).filter(|_| goes_through_many(e));
                bins.is_some_and(|bins| bins.as_const().is_none_or(|bins| bins >= least))
            };
            let Some(e) = d.get(&at) else { continue };
            if is_worth(&e, MANY_BINS) && d.apply(&keys::REDUCE_WHERE, &at).is_some() {
                normal::strategy(Strategy::once).apply(d);
                return true;
            }
            if is_worth(&e, SOME_BINS) && d.apply(&keys::FOLD_BY_KEY, &at).is_some() {
                whole.clone().once().at(at).apply(d);
                normal::strategy(Strategy::once).apply(d);
                return true;
            }
        }
    }
    false
}

/// Moves a definition to the front of the value in which it stands, so that a launch can come between them.
fn hoist(d: &mut Derivation) -> bool {
    let found =
        values(d.expr()).into_iter().any(|position| Strategy::Rule(&hoist::HOIST_LET).at(position).apply(d));
    if found {
        normal::strategy(Strategy::once).apply(d);
    }
    found
}

/// Makes a map of an array that is generated from indices, for which something long is reduced.
fn map_indices(d: &mut Derivation) -> bool {
    for position in values(d.expr()) {
        let Some(value) = d.get(&position) else { continue };
        let all = outside_of_functions(&value);
        if all.iter().any(|below| d.apply(&indices::ARRAY_MAP, &join(&position, below)).is_some()) {
            normal::strategy(Strategy::once).apply(d);
            return true;
        }
    }
    false
}

/// Makes one of two reductions of whole arrays.
fn together(d: &mut Derivation) -> bool {
    let rule = Strategy::Rule(&together::REDUCE_TOGETHER);
    sequences(d.expr()).into_iter().any(|position| rule.clone().at(position).apply(d))
}

/// Cuts one reduction of a whole array into parts. What it combines is stored first, where that is worth it.
fn split_reduction(d: &mut Derivation, parts: Parts) -> bool {
    let mut found = found(d, Wanted::Reductions);
    found.retain(|position| !d.get(position).is_some_and(|e| combines_rows(&e)));
    found.into_iter().any(|position| in_parts(d, &position, parts))
}

/// Cuts one scan of a whole array into parts.
fn split_scan(d: &mut Derivation, parts: Parts) -> bool {
    let in_two = (parts == Parts::Summed).then_some(&SCAN_FROM_SUMS);
    let rules: Vec<&'static Rule> = in_two.into_iter().chain([&SCAN_CHUNKS]).collect();
    let mapped: Vec<Position> = values(d.expr()).into_iter().filter_map(|at| scan_to_write(d, &at)).collect();
    let mut all = mapped.into_iter().chain(found(d, Wanted::Scans));
    all.any(|position| rules.iter().any(|rule| d.apply(rule, &position).is_some()))
}

/// Where the map stands that writes a value, if it does no more than look at each element of a long scan.
fn scan_to_write(d: &Derivation, at: &[usize]) -> Option<Position> {
    let value = d.get(at)?;
    let (path, Writer::Loop) = writer(&value)? else { return None };
    let (_, map) = path.split_last()?;
    let e = value.below(map)?;
    let (_, scanned) = as_map(e)?;
    find(Wanted::Scans, scanned, Use::Once, d.facts()).filter(Position::is_empty)?;
    Some(join(at, map))
}

/// Cuts one reduction by key of a whole array, or of each column of a matrix, into parts.
fn split_by_key(d: &mut Derivation, parts: Parts) -> bool {
    let chunks = match parts {
        Parts::Rows => Strategy::Rule(&by_key::BY_KEY_CHUNKS),
        _ => Strategy::any(&[&by_key::BY_KEY_SHORT_CHUNKS, &by_key::BY_KEY_CHUNKS]),
    };
    let whole = found(d, Wanted::ByKey);
    whole.into_iter().chain(of_columns(d)).any(|position| chunks.clone().at(position).apply(d))
}

/// Where columns are reduced by key, each by itself.
fn of_columns(d: &Derivation) -> Vec<Position> {
    let mut all = Vec::new();
    for value in values(d.expr()) {
        let Some(e) = d.get(&value) else { continue };
        for below in outside_of_functions(&e) {
            let Some((f, xs)) = e.below(&below).and_then(as_map) else { continue };
            if in_order::is_turned(xs) {
                let map = join(&value, &below);
                let is_by_key = |e: &Expr| matches!(e.as_prim(), Some((Prim::ReduceByKey(ByKey::Whole), _)));
                let own = outside_of_functions(&f.body).into_iter();
                let own = own.filter(|at| f.body.below(at).is_some_and(is_by_key));
                all.extend(own.map(|at| join(&position::body(&map), &at)));
            }
        }
    }
    all
}

/// The first such value in every definition, and in what follows the last.
fn found(d: &Derivation, wanted: Wanted) -> Vec<Position> {
    let mut all = Vec::new();
    for position in sequences(d.expr()) {
        let Some(e) = d.get(&position) else { continue };
        let (at, part) = match e.kind() {
            Kind::Let(_, value, _) => (join(&position, &[DEFINED]), value.clone()),
            _ => (position, e),
        };
        all.extend(find(wanted, &part, Use::Once, d.facts()).map(|below| join(&at, &below)));
    }
    all
}

/// Cuts the reduction at a position into parts: the chunks of its array, and their results.
fn in_parts(d: &mut Derivation, position: &[usize], parts: Parts) -> bool {
    let is_decided = parts == Parts::OfGroups;
    // More dimensions than any array has.
    let rows = Strategy::Rule(&reduction::REDUCE_ROWS).repeat(16);
    rows.at(position.to_vec()).apply(d);
    if parts == Parts::Rows && d.get(position).is_some_and(|e| is_along_rows(&e)) {
        return d.apply(&reduction::REDUCE_BLOCKS, position).is_some();
    }
    if !d.get(position).is_some_and(|e| reduction::is_one_chunk(&e)) {
        let vector = d.get(position).and_then(|e| Some(reduction::vector(reduction::as_reduce(&e)?.2)));
        let chunks = d.apply(&reduction::REDUCE_CHUNKS, position).and_then(Rewrite::focus);
        let Some([chunks]) = chunks else { return false };
        if is_decided && vector.and_then(|n| by_groups(d, &chunks, n)).is_none() {
            return false;
        }
    }
    let one = d.apply(&reduction::REDUCE_ONE_CHUNK, position).and_then(Rewrite::focus);
    one.is_some_and(|[one]| !is_decided || d.apply(&reduction::REDUCE_BY_GROUPS, &one).is_some())
}

/// Whether what is reduced are elements of many long rows that are computed from their neighbours: a chunk of them begins anywhere in a row.
fn is_along_rows(e: &Expr) -> bool {
    let Some((_, _, xs)) = reduction::as_reduce(e) else { return false };
    let joined = as_map(xs).map_or(xs, |(_, joined)| joined);
    let rows = match joined.as_prim() {
        Some((Prim::Join, [Arg::Data(rows)])) => rows,
        _ => return false,
    };
    let (dims, _) = rows.ty().shape();
    let is_many = |n: &ArithExpr, least: i64| n.as_const().is_none_or(|n| n >= least);
    matches!(dims.as_slice(), [h, w] if is_many(h, FEW_ROWS) && is_many(w, SHORT)) && !lies_in_order(xs)
}

/// Where the definitions at the top stand, and what follows the last; the same in the bodies of loops.
pub(super) fn sequences(e: &Expr) -> Vec<Position> {
    let mut found = Vec::new();
    sequence(e, &[], &mut found);
    found
}

fn sequence(e: &Expr, position: &[usize], found: &mut Vec<Position>) {
    found.push(position.to_vec());
    match e.kind() {
        Kind::Let(_, value, body) => {
            launch(value, &join(position, &[DEFINED]), found);
            sequence(body, &join(position, &[REST]), found);
        }
        _ => launch(e, position, found),
    }
}

/// The body of a loop, if a launch is one.
fn launch(e: &Expr, position: &[usize], found: &mut Vec<Position>) {
    let children = e.children();
    match (e.kind(), children.as_slice()) {
        (Kind::Tuple(parts), _) => {
            parts.iter().enumerate().for_each(|(i, part)| launch(part, &join(position, &[i]), found));
        }
        (Kind::Prim(Prim::Store(Memory::Temporary), _), [inner]) => {
            launch(inner, &join(position, &[OF]), found)
        }
        (Kind::Prim(Prim::Iterate, _), [_, body, _]) if is_host_loop(e) => {
            sequence(body, &join(position, &[ROUND]), found);
        }
        (Kind::Prim(Prim::IterateUntil, _), [_, done, body, _]) if is_host_loop(e) => {
            sequence(done, &join(position, &[ROUND]), found);
            sequence(body, &join(position, &[ROUND_AFTER_TEST]), found);
        }
        _ => {}
    }
}
