//! Updates in place by a launch that stores several things: does each work-item read no more of what is updated
//! than what it replaces?
//!
//! A work-item stores after it has read everything. So it may read what it replaces as often as it likes, while
//! what others replace it may not read at all. [`reads_own`] says so where it can be seen; where it cannot, the answer
//! is no, and the new contents are stored elsewhere first.

use std::collections::BTreeMap;

use crate::ir::{Arg, Expr, Kind, Param, Place, Prim, Type};
use crate::program::alias::{Reader, Source};
use crate::rewrite::demand::contains_array;
use crate::rewrite::scope::{occurrences, same};
use crate::rewrite::spread::outermost;

/// Whether element `k` of `value`, computed by work-item `k`, depends on no other elements of the array `target` than those
/// that `part` replaces by what is computed for `k`. `part` is a layout of a part of the value.
pub(super) fn reads_own(value: &Expr, part: &Expr, target: &Param) -> bool {
    let mut value = value.clone();
    let mut target = target.clone();
    let mut part = part;
    while let Some(inner) = outermost(part) {
        // The target as what is written sees it.
        let seen = |prim: Prim, args: Vec<Arg>| {
            let args = [args, vec![Arg::Data(Expr::param(&target))]].concat();
            Some(Expr::prim(prim, args))
        };
        let view = match part.as_prim() {
            Some((Prim::Transpose, _)) => seen(Prim::Transpose, Vec::new()),
            Some((Prim::Join, _)) => match inner.ty() {
                Type::Array(row, _) => {
                    row.as_array().and_then(|(_, n)| seen(Prim::Split, vec![Arg::Size(n.clone())]))
                }
                _ => None,
            },
            Some((Prim::Split, _)) => seen(Prim::Join, Vec::new()),
            Some((Prim::ScatterTo, [Arg::Data(dst), Arg::Data(idx), _])) => {
                let into = matches!(dst.kind(), Kind::Param(p) if *p == target);
                let free = occurrences(idx, target.id).count == 0;
                if into && free { seen(Prim::Gather, vec![Arg::Data(idx.clone())]) } else { None }
            }
            _ => None,
        };
        let Some(view) = view else { return false };
        let next = Param::new(&target.name, view.ty().clone());
        value = replaced(&value, &view, &Expr::param(&next));
        if occurrences(&value, target.id).count > 0 {
            return false;
        }
        (target, part) = (next, inner);
    }
    let whole = BTreeMap::from([(target.id, Source::rows(&target.ty))]);
    Reader::new(&target, whole).source(&value, 0).is_safe(0)
}

/// Whether each work-item computes its scalars first and then one array in a loop, each element of which depends on the
/// same elements of the rows that the item reads: nothing that is stored is read afterwards. The loop must be there: a map that nobody
/// placed is one for each part of its tuples.
pub(super) fn stores_in_turn(value: &Expr) -> bool {
    match value.as_prim() {
        Some((Prim::Unzip, [Arg::Data(inner)])) => stores_in_turn(inner),
        Some((Prim::Map(Place::Global(_)), [Arg::Fun(f), _])) => {
            let rows = f.params.iter().map(|param| (param.id, Source::rows(&param.ty))).collect();
            f.params.first().is_some_and(|param| scalars_first(&f.body, Reader::new(param, rows)))
        }
        _ => false,
    }
}

fn scalars_first(e: &Expr, mut reader: Reader) -> bool {
    match e.kind() {
        Kind::Let(param, value, body) => {
            // A scalar was read before anything is stored.
            let of = if contains_array(&param.ty) { reader.source(value, 0) } else { Source::Free };
            reader.known.insert(param.id, of);
            scalars_first(body, reader)
        }
        Kind::Tuple(parts) => match parts.split_last() {
            Some((last, first)) => {
                first.iter().all(|part| !contains_array(part.ty())) && is_in_turn(last, &mut reader)
            }
            None => true,
        },
        _ => is_in_turn(e, &mut reader),
    }
}

fn is_in_turn(e: &Expr, reader: &mut Reader) -> bool {
    match e.as_prim() {
        _ if !contains_array(e.ty()) => true,
        Some((Prim::Unzip, [Arg::Data(inner)])) => is_in_turn(inner, reader),
        Some((Prim::Map(Place::Sequential), [Arg::Fun(f), _])) if !contains_array(f.body.ty()) => {
            reader.source(e, 0).is_safe(0)
        }
        _ => false,
    }
}

/// The expression with another in the place of each copy of one.
fn replaced(e: &Expr, old: &Expr, new: &Expr) -> Expr {
    if same(e, old) {
        return new.clone();
    }
    e.map_children(&mut |x| replaced(x, old, new))
}
