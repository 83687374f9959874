//! Updates in place by a launch that stores several things: does each work-item read no more of what is updated
//! than what it replaces?
//!
//! A work-item stores after it has read everything. So it may read what it replaces as often as it likes, while
//! what others replace it may not read at all. [`reads_own`] says so where it can be seen; where it cannot, the answer
//! is no, and the new contents are stored elsewhere first.

use std::collections::BTreeMap;

use crate::ir::{Arg, Expr, Kind, Param, Place, Prim, Type};
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
    let whole = BTreeMap::from([(target.id, Depends::Rows)]);
    matches!(depends(&value, &whole), Depends::Not | Depends::Rows)
}

/// Whether each work-item computes its scalars first and then one array in a loop, each element of which depends on the
/// same elements of the rows that the item reads: nothing that is stored is read afterwards. The loop must be there: a map that nobody
/// placed is one for each part of its tuples.
pub(super) fn stores_in_turn(value: &Expr) -> bool {
    match value.as_prim() {
        Some((Prim::Unzip, [Arg::Data(inner)])) => stores_in_turn(inner),
        Some((Prim::Map(Place::Global(_)), [Arg::Fun(f), _])) => {
            let rows = f.params.iter().map(|param| (param.id, Depends::Rows)).collect();
            scalars_first(&f.body, rows)
        }
        _ => false,
    }
}

fn scalars_first(e: &Expr, known: BTreeMap<u32, Depends>) -> bool {
    match e.kind() {
        Kind::Let(param, value, body) => {
            let of = if contains_array(&param.ty) { depends(value, &known) } else { Depends::Not };
            scalars_first(body, bound(&known, param, of))
        }
        Kind::Tuple(parts) => match parts.split_last() {
            Some((last, first)) => {
                first.iter().all(|part| !contains_array(part.ty())) && is_in_turn(last, &known)
            }
            None => true,
        },
        _ => is_in_turn(e, &known),
    }
}

fn is_in_turn(e: &Expr, known: &BTreeMap<u32, Depends>) -> bool {
    match e.as_prim() {
        _ if !contains_array(e.ty()) => true,
        Some((Prim::Unzip, [Arg::Data(inner)])) => is_in_turn(inner, known),
        Some((Prim::Map(Place::Sequential), [Arg::Fun(f), _])) if !contains_array(f.body.ty()) => {
            matches!(depends(e, known), Depends::Not | Depends::Rows)
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

/// What a value depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Depends {
    /// Not on the target.
    Not,
    /// On what the work-item replaces: a value inside the map over work-items.
    Own,
    /// An array, or a tuple of such, each element of which depends on the same element of the target.
    Rows,
    /// On the target in some other way.
    Otherwise,
}

impl Depends {
    fn and(self, other: Depends) -> Depends {
        match (self, other) {
            (Depends::Not, other) => other,
            (own, Depends::Not) => own,
            (Depends::Own, Depends::Own) => Depends::Own,
            (Depends::Rows, Depends::Rows) => Depends::Rows,
            _ => Depends::Otherwise,
        }
    }
}

fn depends(e: &Expr, known: &BTreeMap<u32, Depends>) -> Depends {
    let of = |x: &Expr| depends(x, known);
    match (e.kind(), e.as_prim()) {
        (Kind::Param(p), _) => known.get(&p.id).copied().unwrap_or(Depends::Not),
        // A scalar beside the rows: it was read before.
        (Kind::Field(x, _), _) if of(x) == Depends::Rows && !contains_array(e.ty()) => Depends::Not,
        (Kind::Field(x, _), _) | (_, Some((Prim::Unzip, [Arg::Data(x)]))) => of(x),
        (Kind::Tuple(parts), _) => parts.iter().map(of).fold(Depends::Not, Depends::and),
        (_, Some((Prim::Zip, args))) => {
            args.iter().filter_map(Arg::data).map(of).fold(Depends::Not, Depends::and)
        }
        (Kind::Let(param, value, body), _) => {
            let value = of(value);
            depends(body, &bound(known, param, value))
        }
        (_, Some((prim, [.., Arg::Fun(f), Arg::Data(xs)]))) if prim.is_map() && of(xs) == Depends::Rows => {
            match depends(&f.body, &bound(known, &f.params[0], Depends::Own)) {
                Depends::Not | Depends::Own => Depends::Rows,
                Depends::Rows | Depends::Otherwise => Depends::Otherwise,
            }
        }
        _ => {
            // What functions get is a part of what the others are.
            let parts = e.children().into_iter().map(of).fold(Depends::Not, Depends::and);
            match parts {
                Depends::Not | Depends::Own => parts,
                Depends::Rows | Depends::Otherwise => Depends::Otherwise,
            }
        }
    }
}

fn bound(known: &BTreeMap<u32, Depends>, param: &Param, value: Depends) -> BTreeMap<u32, Depends> {
    let mut known = known.clone();
    known.insert(param.id, value);
    known
}
