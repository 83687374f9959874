//! Functions of columns: strips of them, an item for each, and two launches for few of them.

use lift_suite::measure::Opponent;

use super::launches::{PROCESSORS, lanes};
use super::lines::{LOCAL_BYTES, Lines, Shape};
use crate::classes::rows::Rows;

/// Items of a group.
const GROUP: usize = 256;

/// Items of a group that has as many as there may be.
const LARGE_GROUP: usize = 1024;

/// Items that keep a GPU busy if each has a column.
const MANY: usize = 1 << 14;

/// Words of registers for what an item keeps of a column.
const KEPT_WORDS: usize = 32;

/// Columns, or vectors of them, of a strip.
const STRIP: usize = 32;

/// Groups that are too few for a GPU.
const FEW: usize = PROCESSORS / 4;

/// What is written by hand for columns.
pub(crate) fn opponents(case: &Rows, extents: [usize; 2]) -> Vec<Opponent> {
    let lines = Lines { case, extents };
    let len = lines.len();
    let read = if case.gives_rows() { "again" } else { "reduce" };
    let lanes = lanes(case.double, lines.count());
    let strip = |lanes: usize, group: usize, most: usize| {
        let side = lines.width(lanes).next_power_of_two().min(most);
        Shape::new(lanes, (group / side).min(len.next_power_of_two()), side)
    };
    let item = |lanes: usize, side: usize| Shape { unroll: 8, ..Shape::new(lanes, 1, side) };
    let blocks = |shape: &Shape| lines.width(shape.lanes).div_ceil(shape.side);
    let mut shapes = vec![strip(lanes, GROUP, STRIP)];
    if lanes > 1 {
        shapes.push(strip(1, GROUP, STRIP));
    }
    if len >= LARGE_GROUP / STRIP {
        shapes.push(strip(lanes, LARGE_GROUP, STRIP));
    }
    if len >= LARGE_GROUP {
        shapes.push(strip(lanes, GROUP, STRIP / 4));
    }
    if lines.count() >= MANY {
        shapes.extend([GROUP / 2, GROUP].map(|side| item(1, side)));
    }
    if lanes > 1 && lines.width(lanes) >= MANY {
        shapes.push(item(lanes, GROUP / 2));
    }
    let mut all: Vec<Opponent> = Vec::new();
    // Strips in chunks, and chunks of columns for one item each. Where each group combines the parts of all chunks, there are fewer.
    let most = if case.gives_rows() { 2 * len.isqrt() } else { len };
    let mut chunked = |shape: Shape, groups: usize| {
        let chunks = groups.div_ceil(blocks(&shape)).min(len / (4 * shape.items)).min(most);
        if chunks > 1 {
            let opponent = lines.twice(Shape { chunks, ..shape });
            if all.iter().all(|other| other.name != opponent.name) {
                all.push(opponent);
            }
        }
    };
    chunked(strip(lanes, GROUP, STRIP), 4 * PROCESSORS);
    chunked(strip(lanes, GROUP, STRIP), 16 * PROCESSORS);
    chunked(strip(1, GROUP, STRIP), 8 * PROCESSORS);
    chunked(strip(lanes, LARGE_GROUP, STRIP), 2 * PROCESSORS);
    if lines.width(lanes) >= GROUP / 2 {
        chunked(item(lanes, GROUP / 2), 16 * PROCESSORS);
    }
    // Few groups are slow if there is another way.
    let few = |shape: &Shape| blocks(shape) < FEW;
    let is_chunked = !all.is_empty();
    let enough = shapes.into_iter().filter(|shape| !(is_chunked && few(shape)));
    all.extend(enough.map(|shape| lines.once(read, shape)));
    if case.gives_rows() {
        let words = |shape: &Shape| len.div_ceil(shape.items) * shape.lanes * lines.bytes() / 4;
        let shapes = [
            strip(lanes, GROUP, STRIP),
            strip(1, GROUP, STRIP),
            strip(1, LARGE_GROUP, STRIP),
            strip(1, LARGE_GROUP, STRIP / 2),
        ];
        let kept = shapes.into_iter().filter(|shape| words(shape) <= KEPT_WORDS).take(2);
        all.extend(kept.map(|shape| lines.once("kept", shape)));
        let store = |shape: &Shape| len * shape.side * shape.lanes * lines.bytes() <= LOCAL_BYTES / 2;
        let shapes = [strip(1, GROUP, STRIP), strip(1, GROUP, STRIP / 2), strip(1, GROUP, STRIP / 4)];
        let stored = shapes.into_iter().find(|shape| store(shape) && words(shape) > 8);
        all.extend(stored.map(|shape| lines.once("stored", shape)));
    }
    all
}
