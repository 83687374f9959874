//! Loop interchange where results are written, and stencils along one dimension.
//!
//! Before: a normalised expression. After: nests of maps that write columns of the result write its rows, where that makes neighbours read what lies side by side; a
//! stencil along rows or columns is one in two dimensions.

use crate::ir::Kind;
use crate::rewrite::layout::{Writer, as_map, as_output, writer};
use crate::rewrite::normal;
use crate::rewrite::position::{self, REST};
use crate::rewrite::rules::interchange::ROWS_OUTERMOST;
use crate::rewrite::rules::one_dimension::WINDOWS_OF_ONE;
use crate::rewrite::strategy::{Derivation, Strategy};

/// Interchanges all nests of maps that write what stands at a position column by column, and makes a stencil along one dimension one in two.
pub(crate) fn rows_outermost(d: &mut Derivation, position: &[usize]) {
    let is_new = interchange(d, position);
    let writer = d.get(position).and_then(|e| writer(&e));
    let stencil = writer.filter(|(_, writer)| *writer == Writer::Map);
    let is_new = stencil
        .is_some_and(|(path, _)| d.apply(&WINDOWS_OF_ONE, &position::join(position, &path)).is_some())
        | is_new;
    if is_new {
        normal::strategy(Strategy::once).at(position.to_vec()).apply(d);
    }
}

/// Whether there was such a nest.
fn interchange(d: &mut Derivation, position: &[usize]) -> bool {
    if d.apply(&ROWS_OUTERMOST, position).is_some() {
        return true;
    }
    let Some(e) = d.get(position) else { return false };
    if as_map(&e).is_some() {
        return interchange(d, &position::body(position));
    }
    let below = match (e.kind(), as_output(&e)) {
        (Kind::Let(..), _) => vec![REST],
        (Kind::Tuple(parts), _) => (0..parts.len()).collect(),
        (_, Some((child, _))) => vec![child],
        _ => Vec::new(),
    };
    // Each by itself.
    below.into_iter().filter(|i| interchange(d, &position::join(position, &[*i]))).count() > 0
}
