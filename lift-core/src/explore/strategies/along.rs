//! Steps about one dimension: a loop along it, its place among the others, its edges.

use crate::arith::ArithExpr;
use crate::explore::strategies::cursor::Cursor;
use crate::explore::strategies::steps::Applied;
use crate::explore::strategies::tiles::{cut, number};
use crate::machine::asked::MOST_PRIVATE;
use crate::rewrite::layout::{Writer, writer};
use crate::rewrite::normal;
use crate::rewrite::position;
use crate::rewrite::rules::interior::{self, INTERIOR};
use crate::rewrite::rules::memory;
use crate::rewrite::rules::stencil::{INTERCHANGE, MARCH, Stencil};
use crate::rewrite::strategy::{Derivation, Position, Strategy};
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
    c.d.apply(&MARCH, &at).ok_or("no window moves along that dimension of a tile")?;
    normal::strategy(Strategy::once).apply(&mut c.d);
    // What does not move along is read at once, if there is something.
    if let Some((path, _)) = c.d.get(&c.at).and_then(|e| writer(&e)) {
        Strategy::Rule(&memory::ROWS_TO_PRIVATE).at(position::join(&c.at, &path)).apply(&mut c.d);
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
        d.apply(rule, &at)?;
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
    d.apply(&INTERIOR, &at)?;
    let number = usize::from(first > 0);
    let mut middle = position::join(&at, &[number]);
    for (outer, rule) in INTERCHANGE.iter().enumerate().take(dim - 1) {
        d.apply(rule, &middle)?;
        middle.push(usize::from(outer > 0));
    }
    Some((middle, number))
}

/// Where the part stands to which these numbers of parts lead.
fn middle(c: &Cursor, path: &[usize]) -> Option<Position> {
    let mut at = c.at.clone();
    for number in path {
        let (parts, Writer::Parts) = writer(&c.d.get(&at)?)? else { return None };
        at = position::join(&position::join(&at, &parts), &[*number]);
    }
    Some(at)
}
