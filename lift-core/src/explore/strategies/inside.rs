//! Steps about how a tile is computed, or everything without tiles.

use crate::arith::{ArithExpr, Var};
use crate::explore::naive::outermost_first;
use crate::explore::strategies::cursor::{Cursor, MOST_ITEMS};
use crate::explore::strategies::steps::Applied;
use crate::explore::strategies::tiles::{MOST_PRIVATE, cut, number};
use crate::explore::tile::apply;
use crate::explore::window_rows::{by_rows, once_each};
use crate::ir::build::fresh_id;
use crate::ir::walk::sizes;
use crate::ir::{Arg, Expr, Prim};
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::rules::coarsen::COARSEN;
use crate::rewrite::rules::interior::{self, INTERIOR};
use crate::rewrite::rules::stencil::{INTERCHANGE, MARCH, Stencil};
use crate::rewrite::rules::whole_vectors::WHOLE_VECTORS;
use crate::rewrite::rules::{memory, place, separable};
use crate::rewrite::strategy::{Derivation, Position, Strategy};
use crate::rewrite::{Rule, normal};
use crate::text::count;

/// A work-item goes through a dimension of its tile, or through all of that dimension.
pub(super) fn march(c: &mut Cursor, dim: &[i64]) -> Applied {
    let dim = dim.first().copied().unwrap_or(1);
    if c.tiles.is_empty() {
        alone(c, dim)?;
    } else {
        c.known_items()?;
    }
    let (at, stencil) = outermost(c, dim)?;
    for input in stencil.inputs.iter().filter(|input| !input.windows.is_empty()) {
        let (lens, _) = input.array.ty().shape();
        let rows = input.windows.first().and_then(|(size, _)| size.as_const());
        let kept = rows.zip(number(lens.get(1..).unwrap_or_default()));
        match kept.map(|(rows, of_row)| rows.saturating_mul(of_row)) {
            None => return Err(format!("a window of `{}` has no size that is known", input.array.ty())),
            Some(n) if n > MOST_PRIVATE => {
                return Err(format!(
                    "the window has {n} elements, and a work-item keeps at most {MOST_PRIVATE}"
                ));
            }
            Some(_) => {}
        }
    }
    apply(&mut c.d, &MARCH, &at).ok_or("no window moves along that dimension of a tile")?;
    normal::strategy(Strategy::once).apply(&mut c.d);
    // What does not move along is read at once, if there is something.
    if let Some((path, _)) = c.d.get(&c.at).and_then(|e| writer(&e)) {
        Strategy::Rule(&memory::ROWS_TO_PRIVATE).at(place::join(&c.at, &path)).apply(&mut c.d);
    }
    c.is_written_out = true;
    Ok(())
}

/// Tiles that are so long as a dimension, and one element wide.
fn alone(c: &mut Cursor, dim: i64) -> Applied {
    let (_, stencil) = c.stencil()?;
    let one = |(i, count): (usize, &ArithExpr)| match i as i64 + 1 == dim {
        true => count.clone(),
        false => ArithExpr::one(),
    };
    let extents: Vec<ArithExpr> = stencil.counts.iter().enumerate().map(one).collect();
    if !extents.iter().all(|n| c.d.facts().nonneg(&(n - 1)).is_yes()) {
        return Err("there may be no windows at all".into());
    }
    cut(c, stencil.dims(), &extents)
}

/// Makes a dimension, by its number from outside, the outermost of the stencil that the next step is about.
fn outermost(c: &mut Cursor, dim: i64) -> Result<(Position, Stencil), String> {
    let (at, stencil) = c.stencil()?;
    let dim = dim as usize;
    if dim > stencil.dims() {
        return Err(no_dimension(stencil.dims(), dim));
    }
    to_front(&mut c.d, &at, dim).ok_or("dimensions cannot be exchanged here")?;
    if dim > 1 {
        normal::strategy(Strategy::once).apply(&mut c.d);
    }
    c.stencil()
}

fn no_dimension(dims: usize, dim: usize) -> String {
    let are = if dims == 1 { "is" } else { "are" };
    format!("there {are} {} here, and no dimension {dim}", count(dims, "dimension"))
}

/// The same for a stencil that stands at a position. Returns where it stands now, below what turns the results back.
fn to_front(d: &mut Derivation, at: &[usize], dim: usize) -> Option<Position> {
    let mut at = at.to_vec();
    for (outer, rule) in INTERCHANGE.iter().enumerate().take(dim - 1).rev() {
        apply(d, rule, &at)?;
        at.push(usize::from(outer > 0));
    }
    Some(at)
}

/// Another dimension becomes the outermost.
pub(super) fn interchange(c: &mut Cursor, dim: &[i64]) -> Applied {
    if !c.tiles.is_empty() {
        return Err("tiles are cut already".into());
    }
    match dim.first().copied().unwrap_or(2) {
        1 => Err("the first dimension is the outermost".into()),
        dim => outermost(c, dim).map(|_| ()),
    }
}

/// What is at the edges by itself, in a dimension or in all.
pub(super) fn interior(c: &mut Cursor, dim: &[i64]) -> Applied {
    if !c.tiles.is_empty() {
        return Err("tiles are cut already".into());
    }
    let (mut at, stencil) = c.stencil()?;
    let dims = stencil.dims();
    let chosen = dim.first().map_or(1..=dims, |dim| *dim as usize..=*dim as usize);
    if chosen.end() > &dims {
        return Err(no_dimension(dims, *chosen.end()));
    }
    let mut path = Vec::new();
    for dim in chosen {
        let mut d = c.d.clone();
        if let Some((middle, number)) = edges_apart(&mut d, &at, dim) {
            (c.d, at) = (d, middle);
            path.push(number);
        }
    }
    if path.is_empty() {
        return Err(
            "no window reaches over the edge by a number of elements, or there may be no more than these"
                .into(),
        );
    }
    normal::strategy(Strategy::once).apply(&mut c.d);
    c.middle = middle(c, &path);
    Ok(())
}

/// Computes what is at the two ends of a dimension by itself. Returns where the rest stands, and which of the parts it is.
fn edges_apart(d: &mut Derivation, at: &[usize], dim: usize) -> Option<(Position, usize)> {
    let at = to_front(d, at, dim)?;
    let (first, _) = interior::edges(&Stencil::find(&d.get(&at)?)?)?;
    apply(d, &INTERIOR, &at)?;
    let number = usize::from(first > 0);
    let mut middle = place::join(&at, &[number]);
    for (outer, rule) in INTERCHANGE.iter().enumerate().take(dim - 1) {
        apply(d, rule, &middle)?;
        middle.push(usize::from(outer > 0));
    }
    Some((middle, number))
}

/// Where the part stands to which these numbers of parts lead.
fn middle(c: &Cursor, path: &[usize]) -> Option<Position> {
    let mut at = c.at.clone();
    for number in path {
        let (parts, Writer::Parts) = writer(&c.d.get(&at)?)? else { return None };
        at = place::join(&place::join(&at, &parts), &[*number]);
    }
    Some(at)
}

/// Rows first, columns afterwards.
pub(super) fn separate(c: &mut Cursor) -> Applied {
    let (at, _) = c.stencil()?;
    if c.tiles.len() != 1 || c.copies == 0 {
        return Err("there are no tiles of work-groups in local memory".into());
    }
    let function = place::join(&at, &[0, 0]);
    separable::by_row(&mut c.d, &function);
    let refused = "windows are used in another way than row by row";
    apply(&mut c.d, &separable::SEPARATE, &at).ok_or(refused)?;
    apply(&mut c.d, &separable::PASS_TO_LOCAL, &at).ok_or("what rows give is no scalar")?;
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
    by_rows(&mut c.d, &place::join(&at, &[0, 0]));
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
    let mut in_lanes = |map: &Position| apply(&mut c.d, all, map).or_else(|| apply(&mut c.d, whole, map));
    if maps.iter().filter_map(|map| in_lanes(map)).count() == 0 {
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
    // Whatever is numbered after this is new.
    let last = fresh_id();
    let some = rows.iter().filter(|row| apply(&mut c.d, &COARSEN, row).is_some()).count();
    if some == 0 {
        return Err("rows may be empty, so that nothing lies apart".into());
    }
    let new: Vec<Var> = sizes(c.d.expr()).into_iter().filter(|var| var.id() > last).collect();
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
        |map: &Position| c.d.get(map).is_some_and(|e| (place::SEQ_UNROLL.apply)(&e, c.d.facts()).is_some());
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
        at = place::join(&at, &path);
        if matches!(c.d.get(&at).as_ref().and_then(Expr::as_prim), Some((Prim::Map, [Arg::Fun(_), _]))) {
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
                let parts = place::join(&at, &path);
                let count = c.d.get(&parts).map_or(0, |parts| parts.children().len());
                open.extend((0..count).rev().map(|i| (place::join(&parts, &[i]), dims)));
            }
            Some((path, Writer::Map)) => {
                let map = place::join(&at, &path);
                let inside = place::join(&map, &[0]);
                let more = c.d.get(&inside).is_some_and(|body| place::depth(&body) > 0);
                match dims > 1 && more {
                    true => open.push((inside, dims - 1)),
                    false => found.push(map),
                }
            }
            Some((_, Writer::Scan)) | None => {}
        }
    }
    found
}

/// The same for as many maps as there are.
fn innermost(c: &Cursor) -> Vec<Position> {
    let is_open =
        |map: &Position| matches!(c.d.get(map).as_ref().and_then(Expr::as_prim), Some((Prim::Map, _)));
    rows(c, usize::MAX).into_iter().filter(is_open).collect()
}
