//! How a launch is cut into parts.

use super::{Argument, Call};

/// Boundaries between parts lie between lines of the cache where they can, so that no two threads write one.
const LINE: usize = 64;
/// What a part has of each row of an array of which work-items have columns: processors load what lies side by side.
const PIECE: usize = 1024;
/// So many bytes, of all that a launch reads and writes, are worth a part: a thread takes one within a tenth of a microsecond.
const PART_BYTES: usize = 8 << 10;
/// To read and write so many bytes takes longer than to wake threads, whatever is computed.
const FORK_BYTES: usize = 256 << 10;
/// Other threads take parts of the share of a thread that is interrupted.
const PARTS_A_THREAD: usize = 16;
/// Work-items that are computed several at once read much of the same: a part has so many rows, if that leaves a part for each thread, or so many columns, a piece of each row.
const ROWS_A_PART: usize = 16;
const COLUMNS_A_PART: usize = 256;
/// As many at once are columns, in the lanes of a vector.
const FEWEST_LANES: usize = 8;

/// The parts of a launch. No result depends on where their boundaries are, but for the order of sums in shared arrays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    items: usize,
    count: usize,
    /// Numbers of work-items between boundaries are multiples of it.
    unit: usize,
    /// Whether there is enough work for several threads, as far as bytes tell.
    pub(super) large: bool,
}

impl Parts {
    /// At least so many, or one for each work-item; each of at least so many work-items, which are computed at once, unless the first bound says no.
    pub(super) fn of(call: &Call<'_>, (least, together): (usize, usize)) -> Parts {
        let bytes = call.arguments.iter().map(touched).fold(0, usize::saturating_add);
        let threads = rayon::current_num_threads();
        let most = match together {
            0 | 1 => usize::MAX,
            _ => {
                let enough = if together < FEWEST_LANES { ROWS_A_PART } else { COLUMNS_A_PART };
                let of_each_thread = (call.items / enough / threads).max(1);
                (of_each_thread * threads).min(call.items / together)
            }
        };
        let count = (bytes / PART_BYTES).min(PARTS_A_THREAD * threads).min(most);
        let count = count.max(least).max(1).min(call.items);
        let pieces = call.arguments.iter().map(items_of_pieces).max().unwrap_or(1);
        let count = count.min((call.items / pieces).max(threads).max(least));
        let lines = call.arguments.iter().map(items_of_lines).max().unwrap_or(1);
        // Small results of much work are better in more parts.
        let each = call.items / count.max(1);
        let unit = [lines.max(together), together, 1].into_iter().find(|unit| each >= *unit).unwrap_or(1);
        Parts { items: call.items, count, unit, large: bytes >= FORK_BYTES }
    }

    /// How many there are; none if there are no work-items.
    pub(super) fn count(self) -> usize {
        self.count
    }

    /// The first work-item of a part, and the one after its last.
    pub(super) fn items(self, part: usize) -> (usize, usize) {
        (self.boundary(part), self.boundary(part + 1))
    }

    fn boundary(self, part: usize) -> usize {
        if part == self.count {
            return self.items;
        }
        // Nothing overflows in twice the width.
        let even = (self.items as u128 * part as u128 / self.count as u128) as usize;
        even - even % self.unit
    }
}

fn touched(argument: &Argument<'_>) -> usize {
    match argument {
        Argument::Read(bytes, _) => bytes.len(),
        Argument::Own(bytes, ..) | Argument::Columns(bytes, ..) | Argument::Shared(bytes, _) => bytes.len(),
        Argument::Claims(bytes) => bytes.as_ref().map_or(0, |bytes| bytes.len()),
        Argument::Scalar(..) | Argument::Status(_) => 0,
    }
}

/// The least number of work-items whose elements are whole lines.
fn items_of_lines(argument: &Argument<'_>) -> usize {
    match argument {
        Argument::Own(_, elem, each) | Argument::Columns(_, elem, each, _) => {
            let bytes = each.saturating_mul(elem.size());
            // The greatest power of two that divides the bytes; 0 is a multiple of any.
            let divisor =
                if bytes == 0 { LINE } else { 1 << bytes.trailing_zeros().min(LINE.trailing_zeros()) };
            LINE / divisor
        }
        Argument::Scalar(..)
        | Argument::Read(..)
        | Argument::Shared(..)
        | Argument::Status(_)
        | Argument::Claims(_) => 1,
    }
}

/// How many work-items have a piece of each row that is long enough.
fn items_of_pieces(argument: &Argument<'_>) -> usize {
    match argument {
        Argument::Columns(_, elem, each, _) => PIECE.div_ceil((each * elem.size()).max(1)),
        _ => 1,
    }
}
