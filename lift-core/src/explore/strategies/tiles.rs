//! Steps that cut a result into tiles, and that say where a tile lies.

use crate::arith::ArithExpr;
use crate::explore::naive::outermost_first;
use crate::explore::registers::operations;
use crate::explore::strategies::cursor::{Cursor, Tiles};
use crate::explore::strategies::steps::Applied;
use crate::explore::tile;
use crate::ir::{Arg, Expr, Type};
use crate::machine::asked::{MOST_LOCAL, MOST_PRIVATE};
use crate::machine::registers::{LONGEST, MOST_OPERATIONS};
use crate::rewrite::layout::is_parameter;
use crate::rewrite::normal;
use crate::rewrite::position;
use crate::rewrite::rules::stencil::OVERLAPPED_TILING;
use crate::rewrite::rules::{memory, place, simplify};
use crate::rewrite::strategy::{Position, Strategy};
use crate::text::count;

/// Cuts what the cursor is about into tiles; the extents come outermost first.
pub(super) fn tile(c: &mut Cursor, dims: usize, extents: &[i64]) -> Applied {
    let extents: Vec<ArithExpr> = extents.iter().map(|n| ArithExpr::cst(*n)).collect();
    cut(c, dims, &extents)
}

/// The same for extents that are sizes from 1 on.
pub(super) fn cut(c: &mut Cursor, dims: usize, extents: &[ArithExpr]) -> Applied {
    if c.tiles.len() == 2 {
        return Err("there are tiles of work-groups and of work-items already, and no third kind".into());
    }
    let (at, stencil) = c.stencil()?;
    if stencil.dims() != dims {
        let tiling = ["tile", "tile2d", "tile3d"].get(stencil.dims().wrapping_sub(1)).unwrap_or(&"tile");
        let are = if stencil.dims() == 1 { "is" } else { "are" };
        return Err(format!("there {are} {} here, for `{tiling}`", count(stencil.dims(), "dimension")));
    }
    if c.middle.is_some() && c.by_groups {
        return Err(
            "work-items compute the edges, and not groups of them: these are no tiles of work-groups".into(),
        );
    }
    let open = extents.is_empty();
    let is_inner = !c.tiles.is_empty();
    if is_inner && (open || c.tiles.iter().any(|tiles| tiles.numbers().is_none())) {
        return Err("tiles inside of tiles have extents that are numbers, both".into());
    }
    let new = c.d.apply(&OVERLAPPED_TILING, &at).ok_or("tiles cannot be cut here")?.sizes;
    if open {
        c.tunables.extend(tile::open(&mut c.d, &new));
    } else {
        for (var, extent) in new.iter().zip(extents.iter().rev()) {
            c.d.choose_size(var, extent.clone());
        }
        // A copy is the identity, which would go.
        if !is_parameter(&stencil.f.body, &stencil.f) {
            normal::strategy(Strategy::once).apply(&mut c.d);
        }
    }
    let places = match (is_inner, c.by_groups) {
        (true, _) => &place::LOCAL,
        (false, true) => &place::WORKGROUP,
        (false, false) => &place::GLOBAL,
    };
    let maps = place::nest(&mut c.d, &c.at, &outermost_first(places, dims), None);
    let map = maps.last().filter(|_| maps.len() == dims).ok_or("the maps over tiles are no nest")?.clone();
    c.at = position::body(&map);
    let extents = match open {
        true => new.iter().map(ArithExpr::var).collect(),
        false => extents.iter().rev().cloned().collect(),
    };
    c.tiles.push(Tiles { map, stencil, extents });
    Ok(())
}

/// Keeps a tile in local memory.
pub(super) fn to_local(c: &mut Cursor) -> Applied {
    c.still_open()?;
    let [tiles] = c.tiles.as_slice() else {
        return Err(match c.tiles.len() {
            0 => "there are no tiles yet".into(),
            _ => "these are the tiles of work-items: only work-groups have local memory".into(),
        });
    };
    let map = tiles.map.clone();
    if c.copies > 0 {
        return Err("the tiles are in local memory already".into());
    }
    let ty = element(c, &map)?;
    let parts = match &ty {
        Type::Tuple(parts) => parts,
        Type::Array(..) | Type::Scalar(_) => std::slice::from_ref(&ty),
    };
    let of_scalars = |part: &&Type| matches!(part.shape(), (lens, Type::Scalar(_)) if !lens.is_empty());
    let arrays: Vec<_> = parts.iter().filter(of_scalars).flat_map(Type::leaves).collect();
    if arrays.is_empty() {
        return Err(format!("a tile is `{ty}`, and that has no array of scalars"));
    }
    let bytes: Option<i64> =
        arrays.iter().map(|(lens, scalar)| Some(number(lens)?.saturating_mul(scalar.bytes()))).sum();
    if let Some(bytes) = bytes.filter(|bytes| *bytes > MOST_LOCAL) {
        return Err(format!(
            "a tile with what is around it has {} KiB, and groups have 32 to 228",
            bytes >> 10
        ));
    }
    c.copies = arrays.len();
    let rule = if matches!(ty, Type::Tuple(_)) { &memory::PARTS_TO_LOCAL } else { &memory::TILE_TO_LOCAL };
    c.d.apply(rule, &map).ok_or("a tile reads no array")?;
    Ok(())
}

/// What is in local memory lies there column by column.
pub(super) fn transposed(c: &mut Cursor) -> Applied {
    let copies = planes(c)?;
    if c.transposed {
        return Err("the tiles are transposed already".into());
    }
    for copied in copies {
        for row in [position::body(&copied), copied.clone()] {
            Strategy::Rule(&simplify::MAP_ID).at(row).apply(&mut c.d);
        }
        let (_, stored) = copied.split_last().ok_or("there are no tiles here")?;
        c.d.apply(&memory::TRANSPOSED_TILE, stored).ok_or("the tiles have one dimension")?;
    }
    c.transposed = true;
    Ok(())
}

/// Rows in local memory lie so many elements apart.
pub(super) fn widen(c: &mut Cursor, apart: &[i64]) -> Applied {
    for copied in planes(c)? {
        let (_, stored) = copied.split_last().ok_or("there are no tiles here")?;
        let new = c.d.apply(&memory::WIDER_ROWS, stored).ok_or("the tiles have one dimension")?.sizes;
        new.iter().zip(apart).for_each(|(size, apart)| c.d.choose(size, *apart));
    }
    c.is_widened = true;
    Ok(())
}

/// Where the arrays in two dimensions stand that are copied to local memory, the last first: none stands in one that comes before it.
fn planes(c: &Cursor) -> Result<Vec<Position>, String> {
    c.still_open()?;
    if c.copies == 0 {
        return Err("there are no tiles in local memory".into());
    }
    if c.is_widened {
        return Err("the rows lie apart already".into());
    }
    let is_plane = |copied: &Position| c.d.get(copied).is_some_and(|array| array.ty().shape().0.len() == 2);
    let mut copied = c.copied();
    match copied.iter().all(is_plane) {
        true => {
            copied.reverse();
            Ok(copied)
        }
        false => Err("the tiles are none in two dimensions".into()),
    }
}

/// Keeps a tile in registers.
pub(super) fn to_private(c: &mut Cursor) -> Applied {
    let (tiles, extents) = c.known_items()?;
    let (map, cells): (_, i64) = (tiles.map.clone(), extents.iter().product());
    let long = operations(&tiles.stencil.f.body, LONGEST).map(|n| n.saturating_mul(cells));
    if let Some(n) = long.filter(|n| *n > MOST_OPERATIONS) {
        return Err(format!(
            "a tile takes about {n} operations, which would all be written out, and {MOST_OPERATIONS} are the most"
        ));
    }
    let ty = element(c, &map)?;
    let scalars: Option<i64> = ty.leaves().iter().map(|(lens, _)| number(lens)).sum();
    match scalars {
        None => {
            return Err(format!("a tile is `{ty}`, and registers hold a number of elements that is known"));
        }
        Some(n) if n > MOST_PRIVATE => {
            return Err(format!(
                "a tile with what is around it has {n} elements, and a work-item keeps at most {MOST_PRIVATE}"
            ));
        }
        Some(_) => {}
    }
    c.d.apply(&memory::TILE_TO_PRIVATE, &map).ok_or("a tile reads no array, or is in registers already")?;
    c.is_written_out |= long.is_some();
    Ok(())
}

/// The product of numbers.
pub(super) fn number(lens: &[ArithExpr]) -> Option<i64> {
    lens.iter().try_fold(1i64, |all, n| Some(all.saturating_mul(n.as_const()?)))
}

/// The type of what the function of a map takes.
fn element(c: &Cursor, map: &[usize]) -> Result<Type, String> {
    let e = c.d.get(map);
    let function = e.as_ref().and_then(Expr::as_prim).and_then(|(_, args)| args.iter().find_map(Arg::fun));
    let ty = function.and_then(|f| f.params.first()).map(|tile| tile.ty.clone());
    ty.ok_or_else(|| "there are no tiles here".to_string())
}
