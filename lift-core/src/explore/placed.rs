//! Expressions that already say how they are computed: the user did, or rewriting before exploration.
//!
//! Before: a normalised expression with low-level primitives. After: the same, with loops where nothing else
//! is said. What is said about maps and scans that nobody stores means nothing: they are computed where they
//! are read. Without parallel maps, the outermost ones become parallel. Work-groups have the shape that the
//! kernel asks for, and otherwise are as large as the largest `map_local` needs.

use std::collections::BTreeMap;

use crate::arith::ArithExpr;
use crate::explore::naive;
use crate::explore::variant::Variant;
use crate::ir::prim::WARP;
use crate::ir::walk::is_placed;
use crate::ir::{Arg, ByKey, Expr, Kernel, Memory, Order, Place, Prim};
use crate::machine::groups::{MOST_ITEMS, USUAL};
use crate::rewrite::flow::{self, Use};
use crate::rewrite::owners::handed_over;
use crate::rewrite::rules::{by_key, place};
use crate::rewrite::strategy::Derivation;

/// The only variant of such an expression; `None` for all others.
pub(super) fn variant(kernel: &Kernel, d: &Derivation) -> Option<Variant> {
    if !is_placed(d.expr()) && kernel.options.work_group.is_empty() {
        return None;
    }
    let mut d = d.clone();
    let found = prims(d.expr());
    if !found.iter().any(|prim| prim.place().is_some_and(Place::is_parallel)) {
        naive::global(&mut d);
    }
    place::reduce_everything(&mut d);
    let variant = finished(d, "naive");
    Some(match kernel.options.work_group.as_slice() {
        [] => variant,
        group => Variant { local: group.iter().copied().map(ArithExpr::cst).collect(), ..variant },
    })
}

/// The variant that a derivation with places becomes, with work-groups of the shape that it needs.
pub fn finished(d: Derivation, name: &'static str) -> Variant {
    let variant = Variant::of(name, d);
    let body = stored(&variant.body);
    Variant { local: shape(&body), body, ..variant }
}

fn prims(e: &Expr) -> Vec<Prim> {
    let mut found = Vec::new();
    e.visit(&mut |x| found.extend(x.as_prim().map(|(prim, _)| prim)));
    found
}

/// The work-items of a group in every dimension; none without `map_local`. A map may have more elements, or a
/// number that is not known.
fn shape(e: &Expr) -> Vec<ArithExpr> {
    let mut extents: BTreeMap<usize, i64> = BTreeMap::new();
    e.visit(&mut |x| {
        let (Some((Prim::Map(place), _)), Some((_, len))) = (x.as_prim(), x.ty().as_array()) else { return };
        let (d, wanted) = match place {
            Place::Warp => (0, len.as_const().unwrap_or(2).clamp(1, MOST_ITEMS / WARP) * WARP),
            Place::Local(d) => (d, len.as_const().unwrap_or(USUAL[d.min(1)])),
            _ => return,
        };
        let extent = extents.entry(d).or_insert(1);
        *extent = wanted.max(*extent);
    });
    let warps = prims(e).contains(&Prim::Map(Place::Warp));
    let Some(last) = extents.keys().max() else { return Vec::new() };
    let mut room = MOST_ITEMS;
    let fitting = (0..=*last).map(|d| {
        let extent = extents.get(&d).copied().unwrap_or(1).min(room);
        // Whole warps.
        let extent = if d == 0 && warps { (extent + WARP - 1) / WARP * WARP } else { extent };
        room /= extent;
        ArithExpr::cst(extent)
    });
    fitting.collect()
}

/// An expression that is stored piece by piece.
pub(super) fn stored(e: &Expr) -> Expr {
    match (e.as_prim(), flow::uses(e)) {
        // That is where it is stored anyway.
        (Some((Prim::Store(Memory::Global), [Arg::Data(x)])), _) => stored(x).at(e.span()),
        (_, Some(uses)) => parts(e, uses),
        (Some((Prim::Scan(Order::Sequential) | Prim::ReduceByKey(ByKey::Item | ByKey::Group), _)), None) => {
            e.map_children(&mut read)
        }
        (Some((Prim::ReduceByKey(ByKey::Whole), _)), None) => match by_key::in_sequence(e) {
            Some(loop_) => loop_.map_children(&mut read),
            None => read(e),
        },
        (Some((prim, _)), None) if prim.is_loop_reduction() => match handed_over(e) {
            handed if handed == *e => read(e),
            handed => stored(&handed),
        },
        (_, None) => read(e),
    }
}

/// What a loop goes through that stores. Windows of what a `map_seq` computes are kept from trip to trip.
fn streamed(e: &Expr) -> Expr {
    match e.as_prim() {
        Some((Prim::Zip, _)) => e.map_children(&mut streamed),
        Some((Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)])) => Expr::prim(
            Prim::Map(Place::View),
            vec![Arg::Fun(f.with_body(read(&f.body))), Arg::Data(streamed(xs))],
        ),
        Some((Prim::SlideSeq, [size, Arg::Size(step), Arg::Data(xs)])) => {
            let of = match xs.as_prim() {
                Some((Prim::Map(Place::Sequential), [Arg::Fun(f), Arg::Data(ys)])) => {
                    let f = f.with_body(stored(&f.body));
                    Expr::map_in(Place::Sequential, f, streamed(ys)).at(xs.span())
                }
                _ => read(xs),
            };
            Expr::prim(Prim::SlideSeq, vec![size.clone(), Arg::Size(step.clone()), Arg::Data(of)])
        }
        _ => read(e),
    }
    .at(e.span())
}

/// An expression whose elements are read.
fn read(e: &Expr) -> Expr {
    let new = parts(e, flow::uses_of_read(e));
    let prim = match new.as_prim() {
        Some((Prim::Map(Place::Sequential | Place::Unrolled | Place::Lanes), _)) => Prim::Map(Place::View),
        Some((Prim::Scan(Order::Sequential), _)) => Prim::Scan(Order::Left),
        _ => return new.at(e.span()),
    };
    let args = new.as_prim().map(|(_, args)| args.to_vec()).unwrap_or_default();
    Expr::prim(prim, args).at(e.span())
}

/// An expression whose parts are used like this.
fn parts(e: &Expr, uses: Vec<Use>) -> Expr {
    let mut uses = uses.into_iter();
    e.map_children(&mut |x| match uses.next() {
        Some(Use::Stored) => stored(x),
        Some(Use::Streamed) => streamed(x),
        Some(Use::Read) | None => read(x),
    })
}
