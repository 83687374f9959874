//! One work-item goes through a stack of rows of the result, with the window that moves along in registers.
//!
//! Before: a normalised expression. After, if its root is a stencil on scalars in three dimensions: overlapped tiling with
//! blocks that are as wide as a vector and several planes high; a loop goes through the planes of a block, keeps what the
//! next trip needs as well, and reads the rest. That keeps less than a block in registers, so windows may reach far along the
//! outermost dimension. It asks nothing else of a window, so that it is also for stencils that groups cannot go through together.

use crate::explore::reason::{LONG_TEXT, Made, NO_WINDOWS, Reason, must, stencil_to_write};
use crate::explore::registers::{finished, is_read_at_once, is_written_out, kept, longest, row};
use crate::explore::streamed::FEW_DIMENSIONS;
use crate::explore::tile::cut_for;
use crate::machine::marching::{DEEP, MOST_ELEMENTS, PLANES, SHAPE};
use crate::machine::windows::FEW_POINTS;
use crate::rewrite::layout::writer;
use crate::rewrite::normal;
use crate::rewrite::position;
use crate::rewrite::rules::stencil::{Input, MARCH, Stencil};
use crate::rewrite::rules::{memory, place};
use crate::rewrite::strategy::{Derivation, Strategy};

/// The variant that a normalised expression becomes, if its root is a stencil in three dimensions with deep windows.
pub(super) fn deep(d: Derivation) -> Made {
    of(d, is_deep)
}

/// The variant that a normalised expression becomes, if its root is any other stencil in three dimensions.
pub(super) fn shallow(d: Derivation) -> Made {
    of(d, |stencil| stencil.has_windows() && !is_deep(stencil))
}

fn of(mut d: Derivation, is_wanted: fn(&Stencil) -> bool) -> Made {
    let (_, stencil) = stencil_to_write(&mut d)?;
    if stencil.dims() != SHAPE.len() {
        return Err(FEW_DIMENSIONS);
    }
    if !stencil.has_windows() {
        return Err(NO_WINDOWS);
    }
    kept(&stencil, FEW_POINTS - 1)?;
    let row = row(&stencil)?;
    let trip = [row, 1, 1];
    let is_short =
        is_written_out(&stencil, &trip, longest(&stencil)) && is_read_at_once(&stencil, &trip, MOST_ELEMENTS);
    if !is_wanted(&stencil) || !is_short {
        return Err(LONG_TEXT);
    }

    let block = [row, 1, PLANES];
    let item = cut_for(&mut d, &[], &block, &place::GLOBAL)?;
    let body = position::body(&item);
    must(&mut d, &MARCH, &body)?;
    normal::strategy(Strategy::once).apply(&mut d);
    let (path, _) = d.get(&body).and_then(|body| writer(&body)).ok_or(Reason::Rule(MARCH.name))?;
    Strategy::Rule(&memory::ROWS_TO_PRIVATE).at(position::join(&body, &path)).apply(&mut d);
    place::nest(&mut d, &body, &[], Some(&place::SEQ_UNROLL));
    place::unroll_reductions(&mut d);
    Ok(finished(d, "marching", &SHAPE, (&stencil, &block)))
}

/// Whether windows reach far along the outermost dimension.
fn is_deep(stencil: &Stencil) -> bool {
    let planes = |input: &Input| input.windows.first().and_then(|(size, _)| size.as_const());
    stencil.inputs.iter().any(|input| planes(input).is_some_and(|n| n >= DEEP))
}
