//! Places in warps: work-items of a group that run in step.
//!
//! A rule that gives a map a place knows nothing of what is around it. [`placed`] applies one only where the maps
//! that work-items share out stay nested as devices have them.

use lift_core::ir::prim::WARP as LANES;
use lift_core::ir::{Expr, Place};
use lift_core::rewrite::layout::as_map;
use lift_core::rewrite::owners::parallel;
use lift_core::rewrite::position;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::strategy::{Derivation, Position, Strategy};

use crate::rules::divide;

pub static WARP: Rule = Rule {
    name: "map_warp",
    about: "`map_warp`, whose elements the warps of a group share out.",
    equation: "map(f) = map_warp(f)",
    when: "",
    apply: |e, _| in_warps(e, Place::Warp),
};

pub static LANE: Rule = Rule {
    name: "map_lane",
    about: "`map_lane`, whose elements the work-items of a warp share out.",
    equation: "map(f) = map_lane(f)",
    when: "",
    apply: |e, _| in_warps(e, Place::Lane),
};

fn in_warps(e: &Expr, place: Place) -> Option<Expr> {
    let (f, xs) = as_map(e)?;
    Some(Expr::map_in(place, f.clone(), xs.clone()))
}

/// Gives the map at a position a place, if what is around it and in it allows for that.
pub fn placed(d: &mut Derivation, map: &[usize], rule: &'static Rule) -> bool {
    let mut tried = d.clone();
    let done = Strategy::Rule(rule).at(map.to_vec()).apply(&mut tried) && is_nested(tried.expr());
    if done {
        *d = tried;
    }
    done
}

/// Gives the elements of the map at a position to lanes, 32 by 32, where a group computes it. Returns where the map over warps
/// stands. The last warp computes what is cut off, if the length is no multiple of 32.
pub fn by_warps(d: &mut Derivation, map: &[usize]) -> Option<Position> {
    let mut tried = d.clone();
    let warps = divide::in_pieces(&mut tried, map, LANES)?;
    let done = placed(&mut tried, &warps, &WARP) && placed(&mut tried, &position::body(&warps), &LANE);
    done.then(|| {
        *d = tried;
        warps
    })
}

/// Whether all maps that work-items share out are nested as devices have them.
pub fn is_nested(e: &Expr) -> bool {
    nested_in(e, &mut Vec::new())
}

fn nested_in(e: &Expr, path: &mut Vec<Place>) -> bool {
    let own = e.as_prim().and_then(|(prim, _)| parallel(prim));
    if own.is_some_and(|place| place.misplaced(path).is_some()) {
        return false;
    }
    let Some((_, args)) = e.as_prim() else { return e.children().into_iter().all(|x| nested_in(x, path)) };
    args.iter().all(|arg| {
        // Only what the function computes is inside.
        let inside = own.filter(|_| arg.fun().is_some());
        path.extend(inside);
        let nested = arg.expr().is_none_or(|x| nested_in(x, path));
        path.truncate(path.len() - usize::from(inside.is_some()));
        nested
    })
}
