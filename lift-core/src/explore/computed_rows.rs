//! One work-group for each long reduction whose elements are reductions themselves.
//!
//! Before: a normalised expression. After, if its root maps over not too many results, and each reduces what takes long to compute: the items of a
//! group compute elements side by side, and what they combine meets in local memory. Where a block of a picture has moved to is the least of hundreds of
//! sums; with a work-item for each block, most of a device would have nothing to do.

use crate::explore::least::{at_most, unknown};
use crate::explore::naive::outermost_first;
use crate::explore::reason::{nested, written};
use crate::explore::rows::{by_group, is_shared, reductions, share_row, unheld};
use crate::explore::variant::Variant;
use crate::ir::{Arg, Expr, Prim};
use crate::machine::computed_rows::{ITEMS, MOST_GROUPS, SHORT};
use crate::rewrite::demand::goes_through_many;
use crate::rewrite::layout::as_map;
use crate::rewrite::position::{self, REDUCED};
use crate::rewrite::rules::place;
use crate::rewrite::strategy::Derivation;

/// The variant that a normalised expression becomes, if its root reduces such elements.
pub(super) fn variant(mut d: Derivation) -> Option<Variant> {
    unheld(&mut d);
    let path = written(&d).ok()?;
    let map = d.get(&path)?;
    let dims = place::depth(&map);
    let inside = (0..dims).fold(path.clone(), |at, _| position::body(&at));
    let row = d.get(&inside)?;
    let all = reductions(&row, SHORT);
    let takes_long = |at: &Vec<usize>| row.below(at).and_then(|e| e.child(REDUCED)).is_some_and(is_computed);
    if dims > place::WORKGROUP.len() || !is_shared(&row) || all.is_empty() || !all.iter().all(takes_long) {
        return None;
    }
    let results = map.ty().shape().0.into_iter().take(dims).product();
    let lengths = all.iter().filter_map(|at| Some(row.below(at)?.child(REDUCED)?.ty().length()));
    let needed = lengths.map(|n| (n, SHORT)).chain([at_most(&results, MOST_GROUPS)]);
    let least = unknown(needed.collect::<Vec<_>>())?;
    let innermost = nested(&mut d, &path, &outermost_first(&place::WORKGROUP, dims)).ok()?;
    let body = position::body(&innermost);
    for at in all {
        by_group::<ITEMS>(&mut d, &position::join(&body, &at))?;
    }
    if d.get(&body).is_some_and(|row| row.ty().contains_array()) {
        share_row(&mut d, &body);
    }
    place::reduce_everything(&mut d);
    Some(Variant { local: vec![ITEMS.into()], least, ..Variant::of("rows", d) })
}

/// Whether more than a few numbers are reduced for an element of an array.
fn is_computed(xs: &Expr) -> bool {
    match (as_map(xs), xs.as_prim()) {
        (Some((f, _)), _) => goes_through_many(&f.body),
        (_, Some((Prim::Array, [_, Arg::Fun(f)]))) => goes_through_many(&f.body),
        (_, Some((Prim::Zip, parts))) => parts.iter().filter_map(Arg::data).any(is_computed),
        (_, Some((Prim::Join | Prim::Split | Prim::Transpose, [.., Arg::Data(xs)]))) => is_computed(xs),
        _ => false,
    }
}
