//! Elements that are computed together: one of them costs as much as all.

use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Place, Prim, Type};
use crate::machine::work::{FEW, FEW_ROUNDS};
use crate::rewrite::demand::as_size;
use crate::rewrite::layout::{is_scanned, is_view};

/// Whether reading one element of an array means to repeat long work that belongs to all of them: an element of a scan is a fold of all before it, one of a reduction by
/// key goes through all keys, an element of a fold's state takes the whole fold, and the elements of a block's result share what the block defines.
pub(super) fn is_joint(e: &Expr) -> bool {
    if !matches!(e.ty(), Type::Array(..)) {
        return false;
    }
    match e.kind() {
        Kind::Let(_, value, body) => is_joint(body) || has_long_work(value) && !is_view(body),
        Kind::If(_, then, otherwise) => is_joint(then) || is_joint(otherwise),
        Kind::Prim(
            Prim::Scan(_) | Prim::Reduce(_) | Prim::ReduceByKey(_) | Prim::Iterate | Prim::IterateUntil,
            _,
        ) => is_long(e),
        Kind::Prim(Prim::Map(Place::View), args) => match args.as_slice() {
            [Arg::Fun(f), Arg::Data(xs)] => is_joint(&f.body) || is_part(f) && is_scanned(xs) && is_joint(xs),
            _ => false,
        },
        // A scatter changes only the addresses of stores. Other layouts change those of loads: what they rearrange is stored instead.
        Kind::Prim(Prim::Scatter, args) => args.iter().filter_map(Arg::data).any(is_joint),
        _ => false,
    }
}

/// Whether a function gives a part of what it is given: of the state and the result of a scan, the result. The rest need not be stored.
fn is_part(f: &Lambda) -> bool {
    let mut e = &f.body;
    while let Kind::Field(whole, _) = e.kind() {
        e = whole;
    }
    matches!((e.kind(), f.params.as_slice()), (Kind::Param(x), [own]) if x == own)
}

/// Whether something long is reduced, scanned or repeated for a value.
pub(super) fn has_long_work(e: &Expr) -> bool {
    let is_stored = matches!(e.as_prim(), Some((Prim::Store(Memory::Temporary), _)));
    !is_stored && (is_long(e) || e.children().into_iter().any(has_long_work))
}

fn is_long(e: &Expr) -> bool {
    match e.as_prim() {
        Some((Prim::Reduce(_) | Prim::Scan(_) | Prim::ReduceByKey(_), [.., Arg::Data(xs)])) => {
            xs.ty().as_array().is_some_and(|(_, n)| n.as_const().is_none_or(|n| n > FEW))
        }
        Some((Prim::Iterate | Prim::IterateUntil, [Arg::Data(count), ..])) => {
            as_size(count).and_then(|n| n.as_const()).is_none_or(|n| n > FEW_ROUNDS)
        }
        _ => false,
    }
}
