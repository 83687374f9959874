//! Loops over whole rows, for compilers of the host that make vectors of them.
//!
//! Before: a kernel for one launch. After: a work-item for each element of the result's outermost dimension, in which everything else is a loop;
//! short reductions are written out, so that the loop along a row has no other one inside of it. What the user says of work-groups and
//! local memory says how, not what: a core of the host has neither.

use crate::explore::interchanged::rows_outermost;
use crate::explore::lanes::{has_rows_in_order, lies_in_order, reduce_in_lanes, reduce_many_in_lanes};
use crate::explore::naive::global_in;
use crate::explore::rows::reductions;
use crate::explore::variant::Variant;
use crate::explore::{chunks, kept, one_stencil, placed, row_sums, start, unplaced, vectors};
use crate::ir::{Arg, Expr, Kernel, Kind, Order, Output, Place, Prim, Type};
use crate::machine::host::MOST_POINTS;
use crate::machine::rows::SHORT;
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::position::{self, REDUCED};
use crate::rewrite::rules::place;
use crate::rewrite::strategy::Derivation;

/// What the variant is called.
pub const NAME: &str = "loops";

/// The same where chunks of columns are reduced first.
pub const IN_CHUNKS: &str = "loops_in_chunks";

/// The same where the columns of products are transposed first.
pub const TURNED: &str = "loops_turned";

/// The same, where rows of large windows are computed first.
pub const ROWS_FIRST: &str = "loops_rows_first";

/// The variants of a kernel, the best first. Sums of chunks and rows, and products, are vectors that the compiler of the host does not find: it
/// may not regroup sums. The last one is always possible.
pub fn variants(kernel: &Kernel) -> Vec<Variant> {
    // What is placed already stays there where it can: what several results update, work-items must compute together.
    let mut found: Vec<Variant> = placed::variant(kernel, &start(kernel)).into_iter().collect();
    if !found.is_empty() && kernel.outputs.iter().any(|output| *output != Output::Result) {
        return found;
    }
    let kernel = Kernel { body: without_places(&kernel.body), ..kernel.clone() };
    let mut d = start(&kernel);
    one_stencil(&mut d);
    unplaced(&mut d);
    rows_outermost(&mut d, &[]);
    let mut sums: Vec<Variant> = chunks::variants(&d).unwrap_or_default();
    if sums.is_empty() {
        sums.extend(row_sums::variant(d.clone()));
    }
    sums.retain(|variant| variant.name == vectors::NAME);
    found.extend(sums);
    found.push(in_loops(d.clone(), true, MOST_POINTS));
    found.push(in_loops(d.clone(), false, MOST_POINTS));
    // Where that is too long a text.
    found.push(in_loops(d, false, 0));
    found
}

/// Nothing but loops; perhaps what an item sums up of rows of its own is in vectors. Reductions of so many elements in all are written out, at most.
fn in_loops(mut d: Derivation, has_sums: bool, most: i64) -> Variant {
    global_in(&mut d, 1, &place::SEQ);
    kept::keep(&mut d);
    let is_short = points(d.expr()) <= most;
    if has_sums {
        sums_in_lanes(&mut d);
    }
    if is_short {
        place::unroll_reductions(&mut d);
    } else {
        place::reduce_everything(&mut d);
    }
    Variant::of(NAME, d)
}

/// Reductions of long rows of which neighbours lie side by side, and which each work-item has for itself.
fn sums_in_lanes(d: &mut Derivation) {
    let Some((path, Writer::Map)) = writer(d.expr()) else { return };
    let Some(map) = d.get(&path) else { return };
    let Some((Prim::Map(_), [Arg::Fun(f), Arg::Data(xs)])) = map.as_prim() else { return };
    let [param] = f.params.as_slice() else { return };
    if !has_rows_in_order(xs) {
        return;
    }
    let mut own = vec![param.id];
    let mut rest = &f.body;
    while let Kind::Let(name, defined, next) = rest.kind() {
        if is_own(defined, &own) {
            own.push(name.id);
        }
        rest = next;
    }
    let found = reductions(&f.body, SHORT);
    for reduction in &found {
        let xs = f.body.below(reduction).and_then(|e| e.child(REDUCED).cloned());
        if xs.is_some_and(|xs| is_own(&xs, &own)) {
            let at = position::join(&position::body(&path), reduction);
            // What is written twice has no place of its own any more.
            match found.iter().any(|it| it.len() > reduction.len() && it.starts_with(reduction)) {
                true => reduce_in_lanes(d, &at),
                false => reduce_many_in_lanes(d, &at),
            };
        }
    }
}

/// Whether this is a row that is computed, element by element, from rows with these names, or is one.
fn is_own(e: &Expr, names: &[u32]) -> bool {
    let is_row = |e: &Expr| {
        let whole = if let Kind::Field(x, _) = e.kind() { x } else { e };
        matches!(e.ty(), Type::Array(..)) && matches!(whole.kind(), Kind::Param(p) if names.contains(&p.id))
    };
    let any = is_row(e) || position::outside(e).into_iter().any(|(_, x)| is_own(x, names));
    any && (is_row(e) || lies_in_order(e))
}

/// The expression that says what, and no longer how.
fn without_places(e: &Expr) -> Expr {
    let new = e.map_children(&mut without_places);
    let Some((prim, args)) = new.as_prim() else { return new };
    let prim = match prim {
        Prim::Map(_) => Prim::Map(Place::View),
        Prim::Reduce(Order::Sequential | Order::Unrolled) => Prim::Reduce(Order::Left),
        Prim::Scan(Order::Sequential) => Prim::Scan(Order::Left),
        Prim::SlideSeq => Prim::Slide,
        Prim::Store(_) | Prim::Increase(_) => match args.last() {
            Some(Arg::Data(x)) => return x.clone(),
            _ => return new,
        },
        _ => return new,
    };
    Expr::prim(prim, args.to_vec()).at(e.span())
}

/// How many elements are combined for an element of the result, where reductions are written out; those of unknown length are loops anyway.
fn points(e: &Expr) -> i64 {
    let inside: i64 = e.children().into_iter().map(points).fold(0, i64::saturating_add);
    match e.as_prim() {
        Some((Prim::Reduce(_), [.., Arg::Data(xs)])) => {
            let len = xs.ty().as_array().and_then(|(_, len)| len.as_const());
            inside.max(1).saturating_mul(len.unwrap_or(1).max(1))
        }
        _ => inside,
    }
}
