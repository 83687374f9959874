//! Steps that decide everything about a launch.

use crate::explore::reason::{Made, product_to_write};
use crate::explore::strategies::cursor::Cursor;
use crate::explore::strategies::steps::Applied;
use crate::explore::{blocked, panels, rows, streamed, vectors};

/// Fails if another step came before.
fn alone(c: &Cursor) -> Applied {
    c.still_open()?;
    let first =
        c.tiles.is_empty() && c.shape.is_empty() && !c.is_written_out && c.lanes == 1 && c.middle.is_none();
    match first {
        true => Ok(()),
        false => Err("it decides everything, and another step came before it".into()),
    }
}

/// Work-groups go through strips or blocks of so many rows or planes.
pub(super) fn stream(c: &mut Cursor, height: &[i64]) -> Applied {
    alone(c)?;
    let (root, _) = c.stencil()?;
    let height = height.first().copied().unwrap_or(1);
    let refused =
        || "this is no stencil in two or three dimensions of which the points are named".to_string();
    let planes = streamed::planes(&c.d, &root, height);
    c.whole = Some(planes.ok_or_else(|| several(c).unwrap_or_else(refused))?);
    Ok(())
}

/// What a family makes of the launch.
fn decided(c: &mut Cursor, made: Made) -> Applied {
    c.whole = Some(made.map_err(|reason| reason.to_string())?);
    Ok(())
}

/// Blocks of a product.
pub(super) fn product(c: &mut Cursor) -> Applied {
    alone(c)?;
    results(c)?;
    let mut d = c.d.clone();
    let made = product_to_write(&mut d).and_then(|found| blocked::whole(d, &found, 0));
    decided(c, made)
}

/// A group for each row that is reduced.
pub(super) fn reduce_by_group(c: &mut Cursor) -> Applied {
    alone(c)?;
    results(c)?;
    decided(c, rows::variant(c.d.clone()))
}

/// A work-item for each row, in vectors.
pub(super) fn rows(c: &mut Cursor) -> Applied {
    alone(c)?;
    decided(c, vectors::variant(c.d.clone()))
}

/// Panels of a product.
pub(super) fn panels(c: &mut Cursor) -> Applied {
    alone(c)?;
    decided(c, panels::variants(&c.d).map(|[panels, _]| panels))
}

/// Why a step refuses a launch with several results, each of which has an element for each point.
fn several(c: &Cursor) -> Option<String> {
    let parts = c.d.expr().ty().leaves().len();
    (parts > 1).then(|| {
        format!("the result has {parts} parts for each element, and this step is for results of one")
    })
}

/// Groups read what an update in place would replace.
fn results(c: &Cursor) -> Applied {
    match c.results_only {
        true => Ok(()),
        false => Err("the kernel replaces what it reads".into()),
    }
}
