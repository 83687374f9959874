//! Steps about how a tile is computed, or everything without tiles.

use crate::arith::Var;
use crate::explore::naive::outermost_first;
use crate::explore::strategies::cursor::Cursor;
use crate::explore::strategies::steps::Applied;
use crate::explore::window_rows::{by_rows, once_each};
use crate::ir::{Arg, Expr, Place, Prim};
use crate::machine::groups::MOST_ITEMS;
use crate::rewrite::Rule;
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::position::{self, BODY};
use crate::rewrite::rules::coarsen::COARSEN;
use crate::rewrite::rules::whole_vectors::WHOLE_VECTORS;
use crate::rewrite::rules::{place, separable};
use crate::rewrite::strategy::{Position, Strategy};

/// Rows first, columns afterwards.
pub(super) fn separate(c: &mut Cursor) -> Applied {
    let (at, _) = c.stencil()?;
    if c.tiles.len() != 1 || c.copies == 0 {
        return Err("there are no tiles of work-groups in local memory".into());
    }
    let function = position::join(&at, &[BODY, BODY]);
    separable::by_row(&mut c.d, &function);
    let refused = "windows are used in another way than row by row";
    c.d.apply(&separable::SEPARATE, &at).ok_or(refused)?;
    c.d.apply(&separable::PASS_TO_LOCAL, &at).ok_or("what rows give is no scalar")?;
    by_rows(&mut c.d, &function);
    Ok(())
}

/// A work-item meets every row of what its tile needs once.
pub(super) fn share_rows(c: &mut Cursor) -> Applied {
    c.known_items()?;
    let (at, stencil) = c.stencil()?;
    if at != c.at
        || stencil.dims() != 2
        || stencil.of_one_array().is_none_or(|input| input.windows.is_empty())
    {
        return Err("a tile is no function of windows of one array in two dimensions, as they stand".into());
    }
    by_rows(&mut c.d, &position::join(&at, &[BODY, BODY]));
    once_each(&mut c.d, &at).ok_or("windows are not reduced, or not row by row")?;
    c.is_written_out = true;
    Ok(())
}

/// Neighbours in the lanes of vectors.
pub(super) fn vectorize(c: &mut Cursor, lanes: &[i64]) -> Applied {
    c.still_open()?;
    let lanes = lanes.first().copied().unwrap_or(1);
    let of = |rules: &'static [(i64, Rule); 4]| rules.iter().find(|(n, _)| *n == lanes).map(|(_, rule)| rule);
    let (Some(all), Some(whole)) = (of(&place::VECTORS), of(&WHOLE_VECTORS)) else {
        return Err(format!("vectors have 2, 4, 8 or 16 lanes, and not {lanes}"));
    };
    if c.tiles.is_empty() {
        place::write_everything(&mut c.d, &[]);
    }
    if c.each > 1 {
        return Err("the results of a work-item lie apart: vectors come before `coarsen`".into());
    }
    let maps = innermost(c);
    let Some(first) = maps.first() else { return Err("no map is left that computes neighbours".into()) };
    let len = c.d.get(first).and_then(|map| map.ty().as_array().map(|(_, len)| len.clone()));
    let in_lanes = |map: &Position| c.d.apply(all, map).or_else(|| c.d.apply(whole, map));
    if maps.iter().filter_map(in_lanes).count() == 0 {
        let len = len.map_or_else(String::new, |len| len.to_string());
        return Err(format!("a row has {len} elements, and that is no vector of {lanes}"));
    }
    c.lanes = lanes;
    Ok(())
}

/// Several results for each work-item, as far apart as there are work-items.
pub(super) fn coarsen(c: &mut Cursor, each: &[i64]) -> Applied {
    c.still_open()?;
    if c.each > 1 {
        return Err("a work-item has several results already".into());
    }
    if c.tiles.len() > 1 {
        return Err("these are the tiles of work-items, each of which computes a whole one".into());
    }
    if c.tiles.is_empty() {
        place::write_everything(&mut c.d, &[]);
    }
    let dims = c.tiles.first().map_or_else(|| place::depth(&c.shown()), |groups| groups.extents.len());
    let rows = rows(c, dims);
    if rows.is_empty() || dims > place::GLOBAL.len() {
        return Err("no maps in one to three dimensions are left that work-items share".into());
    }
    c.each = each.first().copied().unwrap_or(1);
    let new: Vec<Var> =
        rows.iter().filter_map(|row| c.d.apply(&COARSEN, row)).flat_map(|row| row.sizes).collect();
    if new.is_empty() {
        return Err("rows may be empty, so that nothing lies apart".into());
    }
    new.iter().for_each(|var| c.d.choose(var, c.each));
    let places = if c.tiles.is_empty() { &place::GLOBAL } else { &place::LOCAL };
    place::nest(&mut c.d, &c.at, &outermost_first(places, dims), None);
    Ok(())
}

/// Loops are written out.
pub(super) fn unroll(c: &mut Cursor) -> Applied {
    c.still_open()?;
    if c.tiles.is_empty() {
        place::write_everything(&mut c.d, &[]);
    }
    let reductions = Strategy::Rule(&place::REDUCE_SEQ_UNROLL).all().apply(&mut c.d);
    // The outer maps are shared out.
    let shared = match c.items() {
        Ok(_) => 0,
        Err(_) if c.each > 1 => 0,
        Err(_) => c.tiles.first().map_or(place::GLOBAL.len(), |tiles| tiles.extents.len()),
    };
    let short =
        |map: &Position| c.d.get(map).is_some_and(|e| place::SEQ_UNROLL.rewrite(&e, c.d.facts()).is_some());
    if !reductions && !nest(c).iter().skip(shared).any(short) {
        return Err("there is no loop of which the number of rounds is known and small".into());
    }
    c.is_written_out = true;
    Ok(())
}

/// The shape of groups, dimension 0 first.
pub(super) fn work_group(c: &mut Cursor, shape: &[i64]) -> Applied {
    c.still_open()?;
    let items: i64 = shape.iter().product();
    if items > MOST_ITEMS {
        return Err(format!("{items} work-items are more than devices have in a group"));
    }
    c.shape = shape.to_vec();
    Ok(())
}

/// Where the maps without a place stand that write a tile, or everything, the outermost first.
fn nest(c: &Cursor) -> Vec<Position> {
    let (mut found, mut at) = (Vec::new(), c.at.clone());
    while let Some((path, Writer::Map)) = c.d.get(&at).as_ref().and_then(writer) {
        at = position::join(&at, &path);
        if matches!(
            c.d.get(&at).as_ref().and_then(Expr::as_prim),
            Some((Prim::Map(Place::View), [Arg::Fun(_), _]))
        ) {
            found.push(at.clone());
        }
        at.push(0);
    }
    found
}

/// Where the innermost of so many maps stand, one in the other, that write a tile, or everything: one for each part.
fn rows(c: &Cursor, dims: usize) -> Vec<Position> {
    let (mut found, mut open) = (Vec::new(), vec![(c.at.clone(), dims)]);
    while let Some((at, dims)) = open.pop() {
        let Some(e) = c.d.get(&at) else { continue };
        match writer(&e) {
            Some((path, Writer::Parts)) => {
                let parts = position::join(&at, &path);
                let count = c.d.get(&parts).map_or(0, |parts| parts.children().len());
                open.extend((0..count).rev().map(|i| (position::join(&parts, &[i]), dims)));
            }
            Some((path, Writer::Map)) => {
                let map = position::join(&at, &path);
                let inside = position::body(&map);
                let more = c.d.get(&inside).is_some_and(|body| place::depth(&body) > 0);
                match dims > 1 && more {
                    true => open.push((inside, dims - 1)),
                    false => found.push(map),
                }
            }
            Some((_, Writer::Loop)) | None => {}
        }
    }
    found
}

/// The same for as many maps as there are.
fn innermost(c: &Cursor) -> Vec<Position> {
    let is_open = |map: &Position| {
        matches!(c.d.get(map).as_ref().and_then(Expr::as_prim), Some((Prim::Map(Place::View), _)))
    };
    rows(c, usize::MAX).into_iter().filter(is_open).collect()
}
