//! Functions of rows: one item, several, or a whole group for each row; two launches for few long rows.

use lift_suite::measure::Opponent;

use super::launches::{PROCESSORS, lanes};
use super::lines::{LOCAL_BYTES, Lines, Shape};
use crate::classes::rows::Rows;

/// Items of a group, if a row needs no more.
const GROUP: usize = 256;

/// Items for each row.
const ITEMS: &[usize] = &[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// Elements of rows for which an item is enough.
const SHORT: usize = 96;

/// Words of registers for what an item keeps of a row.
const KEPT_WORDS: usize = 32;

/// Elements that a chunk has at least.
const CHUNK: usize = 1024;

/// What is written by hand for rows.
pub(crate) fn opponents(case: &Rows, extents: [usize; 2]) -> Vec<Opponent> {
    let lines = Lines { case, extents };
    let (count, len) = (lines.count(), lines.len());
    let lanes = lanes(case.double, len);
    let read = if case.gives_rows() { "again" } else { "reduce" };
    let mut all = Vec::new();
    if len <= SHORT {
        all.extend([GROUP / 2, GROUP].map(|side| lines.once(read, Shape::new(lanes, 1, side))));
        let sides = [128, 64, 32].into_iter().filter(|side| side * (len | 1) * lines.bytes() <= LOCAL_BYTES);
        all.extend(sides.take(2).map(|side| lines.staged(side)));
    }
    let steps = lines.steps(lanes);
    let shape = |items: usize| Shape::new(lanes, items, (GROUP / items).clamp(1, count.next_power_of_two()));
    // All that have something to do for most of their items, and not too much for any; first those with four loads for each.
    let fit = |items: &usize| *items < 2 * steps && (steps <= 256 * items || *items == 1024);
    let mut fitting: Vec<usize> = ITEMS.iter().copied().filter(fit).collect();
    let loads = |items: usize| (steps as f64 / items as f64).log2();
    fitting.sort_by(|a, b| (loads(*a) - 2.0).abs().total_cmp(&(loads(*b) - 2.0).abs()));
    if case.gives_rows() {
        let words = |items: usize| steps.div_ceil(items) * lanes * lines.bytes() / 4;
        let (kept, others): (Vec<usize>, Vec<usize>) =
            fitting.iter().partition(|items| words(**items) <= KEPT_WORDS);
        all.extend(kept.iter().take(4).map(|items| lines.once("kept", shape(*items))));
        all.extend(others.iter().take(2).map(|items| lines.once("again", shape(*items))));
        if others.is_empty() {
            all.extend(kept.first().map(|items| lines.once("again", shape(*items))));
        }
        if len * lines.bytes() <= LOCAL_BYTES && steps > 128 {
            all.push(lines.once("stored", shape(256)));
        }
    } else {
        all.extend(fitting.iter().take(5).map(|items| lines.once("reduce", shape(*items))));
    }
    for (items, groups) in [(GROUP, 4 * PROCESSORS), (GROUP, 16 * PROCESSORS), (1024, 2 * PROCESSORS)] {
        let chunks = groups.div_ceil(count).min(len / CHUNK.max(items * lanes));
        if chunks > 1 {
            all.push(lines.twice(Shape { chunks, ..Shape::new(lanes, items, 1) }));
        }
    }
    all
}
