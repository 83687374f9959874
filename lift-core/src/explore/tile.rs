//! One work-group per tile of the result, the tile's input in local memory.
//!
//! Before: a normalised expression. After, if its root is a stencil on scalars: overlapped tiling, with
//! tunable tile sizes; the work-items of a group first copy the tile together with its border, then each
//! computes one element of the result. No variant when the root is something else.

use crate::arith::{ArithExpr, Var};
use crate::explore::naive::outermost_first;
use crate::explore::reason::{Made, NO_NEST, NO_WINDOWS, Reason, must, nested, stencil_to_write};
use crate::explore::variant::{Tunable, Variant};
use crate::ir::{Expr, Memory, Prim};
use crate::machine::tiled::{DEFAULTS, LARGEST};
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::position::{self, OF};
use crate::rewrite::rules::stencil::{OVERLAPPED_TILING, Stencil};
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::{Derivation, Position, Strategy};
use crate::rewrite::{Rule, normal};

/// The stencil at the root of an expression, below layout of the result, and where it stands.
pub(crate) fn stencil(e: &Expr) -> Option<(Position, Stencil)> {
    let (path, Writer::Map) = writer(e)? else { return None };
    let stencil = Stencil::find(e.below(&path)?)?;
    Some((path, stencil))
}

/// The stencil at the root of what stands at a position, and where it stands itself.
pub(crate) fn stencil_at(d: &Derivation, at: &[usize]) -> Option<(Position, Stencil)> {
    let (path, stencil) = stencil(&d.get(at)?)?;
    Some((position::join(at, &path), stencil))
}

/// Where one matrix of the result is written: at the root, or by the function of a map over matrices, of which each is for other groups then.
pub(super) fn matrix(d: &mut Derivation) -> Result<Position, Reason> {
    let (root, found) = stencil_to_write(d)?;
    let body = position::body(&root);
    let is_batch = |d: &Derivation| stencil_at(d, &body).is_some_and(|(_, stencil)| stencil.has_windows());
    if found.has_windows() || !is_batch(d) {
        return Ok(Position::new());
    }
    nested(d, &root, &[&place::WORKGROUP[2]])?;
    Ok(body)
}

/// The variant that a normalised expression becomes, if its root is a stencil.
pub(super) fn variant(mut d: Derivation) -> Made {
    let (root, stencil) = stencil_to_write(&mut d)?;
    if !stencil.has_windows() {
        return Err(NO_WINDOWS);
    }
    let dims = stencil.dims();
    let [input] = stencil.inputs.as_slice() else {
        return Err("several arrays are read together, and a tile is one of one array".into());
    };
    let (lens, _) = input.array.ty().shape();
    if lens.len() != dims {
        return Err("windows have fewer dimensions than the array".into());
    }

    let tiles = must(&mut d, &OVERLAPPED_TILING, &root)?.sizes;
    let tunables = open(&mut d, &tiles);

    let group = nested(&mut d, &root, &outermost_first(&place::WORKGROUP, dims))?;
    must(&mut d, &memory::TILE_TO_LOCAL, &group)?;
    let body = position::body(&group);
    place::nest(&mut d, &body, &outermost_first(&place::LOCAL, dims), Some(&place::SEQ));
    let copy = copied(&d, &body)?;
    place::nest(&mut d, &copy, &outermost_first(&place::LOCAL, dims), Some(&place::SEQ));
    place::reduce_everything(&mut d);

    let local = tiles.iter().map(ArithExpr::var).collect();
    Ok(Variant { tunables, local, ..Variant::of("tiled", d) })
}

/// Leaves the extents of tiles open, innermost first.
pub(super) fn open(d: &mut Derivation, tiles: &[Var]) -> Vec<Tunable> {
    let defaults = DEFAULTS[tiles.len() - 1].iter().zip(LARGEST);
    let tunable = |(tile, (default, max)): (&Var, (&i64, i64))| {
        d.declare(tile, 1, max);
        Tunable { var: tile.clone(), default: *default, min: 1, max }
    };
    tiles.iter().zip(defaults).map(tunable).collect()
}

/// Cuts the stencil that writes what stands at a position into tiles of these extents, innermost first. Returns where the map
/// over the tiles stands.
pub(super) fn cut(d: &mut Derivation, position: &[usize], tile: &[i64]) -> Option<Position> {
    let (path, _) = writer(&d.get(position)?)?;
    let tiles = d.apply(&OVERLAPPED_TILING, &position::join(position, &path))?.sizes;
    for (tile, extent) in tiles.iter().zip(tile) {
        d.choose(tile, *extent);
    }
    normal::strategy(Strategy::once).apply(d);
    let (path, _) = writer(&d.get(position)?)?;
    Some(position::join(position, &path))
}

/// The same with the tiles in places of this kind. Returns where the map stands whose function computes a tile.
pub(super) fn cut_for(
    d: &mut Derivation,
    position: &[usize],
    tile: &[i64],
    places: &'static [Rule; 3],
) -> Result<Position, Reason> {
    let tiles = cut(d, position, tile).ok_or(NO_NEST)?;
    nested(d, &tiles, &outermost_first(places, tile.len()))
}

/// Where, below `e`, the arguments of `to_local` stand that are in no other.
pub(super) fn to_local(e: &Expr) -> Vec<Position> {
    let all = position::outermost(e, &|x| matches!(x.as_prim(), Some((Prim::Store(Memory::Local), _))));
    all.iter().map(|at| position::join(at, &[OF])).collect()
}

/// Where the first of them stands below a position.
pub(super) fn copied(d: &Derivation, at: &[usize]) -> Result<Position, Reason> {
    let all = d.get(at).map(|e| to_local(&e)).unwrap_or_default();
    all.first().map(|copy| position::join(at, copy)).ok_or(Reason::Rule(memory::TILE_TO_LOCAL.name))
}
