//! Results and updates that one launch can make.
//!
//! Before: a normalised expression. After: if it updates parameters, and everything that it stores is computed element by element from
//! the same arrays, the same as one map of work-items. They would otherwise be a launch each, and those read again what
//! the others had read. Results that are computed element by element from an array which nobody else reads are parts of one map, too: the array
//! would otherwise be stored for them.

use crate::ir::walk::is_placed;
use crate::ir::{Kernel, Kind, Output, Place, Prim};
use crate::rewrite::normal;
use crate::rewrite::position::{self, DEFINED, OF};
use crate::rewrite::rules::items::{MAPS_OF_ONE, MAPS_TOGETHER};
use crate::rewrite::rules::place;
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// Makes one map of all that the kernel stores.
pub(super) fn together(kernel: &Kernel, d: &mut Derivation) {
    let updates = kernel.outputs.iter().any(|output| matches!(output, Output::Update(_)));
    if kernel.outputs.len() < 2 || is_placed(d.expr()) || !kernel.options.work_group.is_empty() {
        return;
    }
    if !updates {
        if Strategy::Rule(&MAPS_OF_ONE).once().apply(d) {
            normal::strategy(Strategy::once).apply(d);
        }
        return;
    }
    if Strategy::Rule(&MAPS_TOGETHER).apply(d) {
        normal::strategy(Strategy::once).apply(d);
        let map = end(d, &[]);
        let Some(map) = map.split_last().map(|(_, definition)| position::join(definition, &[DEFINED])) else {
            return;
        };
        Strategy::Rule(&place::GLOBAL[0]).at(map.clone()).apply(d);
        in_loops(d, &position::body(&map));
    }
}

/// What is computed at a position for one element of an array is computed in loops, if it is an array itself.
fn in_loops(d: &mut Derivation, at: &[usize]) {
    let at = end(d, at);
    let Some(e) = d.get(&at) else { return };
    match (e.kind(), e.as_prim()) {
        (Kind::Tuple(parts), _) => (0..parts.len()).for_each(|i| in_loops(d, &position::join(&at, &[i]))),
        (_, Some((Prim::Unzip, _))) => in_loops(d, &position::join(&at, &[OF])),
        (_, Some((Prim::Map(Place::View), _))) => {
            Strategy::Rule(&place::SEQ).at(at.clone()).apply(d);
            in_loops(d, &position::body(&at));
        }
        _ => {}
    }
}

/// Where what follows the definitions at a position stands.
fn end(d: &Derivation, at: &[usize]) -> Position {
    let mut at = at.to_vec();
    while d.get(&at).is_some_and(|e| matches!(e.kind(), Kind::Let(..))) {
        at.push(1);
    }
    at
}
