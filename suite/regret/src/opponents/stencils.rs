//! What is written by hand for stencils: kernels from templates, in shapes that do well on GPUs.

use lift_suite::measure::{HandWritten, Opponent};

use crate::classes::stencils::{Shape, Stencil};
use field::Field;
use kernels::Kernel;

mod field;
mod kernels;
mod parts;

/// How a kernel goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A block for each work-item.
    Direct,
    /// The same from a tile in local memory.
    Tile,
    /// Along the last axis with sums for all planes that are not complete.
    March,
    /// The same from tiles in local memory.
    MarchTile,
    /// Along the last axis with a window of registers.
    Window,
}

/// A kind, and the block of a work-item.
type Choice = (Kind, [usize; 3]);

/// Kernels with more additions in their text take long to compile, and have too many registers.
const MOST_ADDITIONS: usize = 1600;

/// As many work-items keep a GPU busy.
const BUSY: usize = 1 << 17;

/// The kernels for a stencil of such extents: none where an extent is hardly larger than the stencil.
pub fn opponents(stencil: &Stencil, sizes: &[usize]) -> Vec<Opponent> {
    if sizes.iter().any(|&extent| extent <= 2 * stencil.radius.max(2)) {
        return Vec::new();
    }
    let [still, marching] = [false, true].map(|marching| Field::of(stencil, sizes, marching));
    let choices = match stencil.dims {
        2 => in_plane(&still, &marching),
        _ => in_volume(&still),
    };
    let additions = stencil.points().len() * stencil.results;
    let of = |(kind, block): Choice| {
        let field = match kind {
            Kind::Direct | Kind::Tile => &still,
            Kind::March | Kind::MarchTile | Kind::Window => &marching,
        };
        opponent(field, kind, block)
    };
    let is_short = |(kind, block): &Choice| match kind {
        Kind::Direct => additions * block[1] * block[2] <= MOST_ADDITIONS,
        _ => additions * block[1] <= MOST_ADDITIONS,
    };
    choices.into_iter().filter(is_short).map(of).collect()
}

/// The shapes for two dimensions.
fn in_plane(still: &Field<'_>, marching: &Field<'_>) -> Vec<Choice> {
    use Kind::{Direct, March, Tile, Window};
    let (stencil, v) = (still.stencil, lanes(still));
    let mut all: Vec<Choice> =
        [[1, 1, 1], [1, 4, 1], [1, 8, 1], [2, 4, 1]].map(|block| (Direct, block)).to_vec();
    if width(still, v) > 1 {
        all.extend([[v, 1, 1], [v, 2, 1], [v, 4, 1]].map(|block| (Direct, block)));
    }
    if stencil.shape == Shape::Box || stencil.radius > 1 {
        all.extend([[1, 4, 1], [v, 4, 1]].map(|block| (Tile, block)));
    }
    all.push((March, chunk(marching, 1)));
    if stencil.shape == Shape::Star && stencil.radius > 1 {
        all.push((Window, chunk(marching, 1)));
    }
    all
}

/// The shapes for three dimensions.
fn in_volume(field: &Field<'_>) -> Vec<Choice> {
    use Kind::{Direct, March, MarchTile, Window};
    let (stencil, v) = (field.stencil, lanes(field));
    let mut all: Vec<Choice> = [[1, 1, 1], [1, 2, 2], [1, 1, 4]].map(|block| (Direct, block)).to_vec();
    all.extend(match width(field, v) {
        1 => [[1, 4, 2], [2, 2, 2], [1, 2, 4]].map(|block| (Direct, block)),
        _ => [[v, 2, 1], [v, 2, 2], [v, 1, 4]].map(|block| (Direct, block)),
    });
    all.push((March, chunk(field, 1)));
    match stencil.shape {
        Shape::Star => all.extend([(Window, chunk(field, 1)), (Window, chunk(field, 2))]),
        Shape::Box => all.push((March, chunk(field, 2))),
    }
    if stencil.shape == Shape::Box || stencil.radius > 1 {
        all.push((MarchTile, chunk(field, 1)));
    }
    all
}

/// How many elements have 16 bytes.
fn lanes(field: &Field<'_>) -> usize {
    if field.stencil.double { 2 } else { 4 }
}

/// How many of so many elements can be loaded at once.
fn width(field: &Field<'_>, block: usize) -> usize {
    let most = block.min(lanes(field));
    [4, 2, 1]
        .into_iter()
        .find(|width| *width <= most && field.axes[0].from.is_multiple_of(*width))
        .unwrap_or(1)
}

/// The block of a march that has so many rows: as long as a GPU is busy.
fn chunk(field: &Field<'_>, rows: usize) -> [usize; 3] {
    let [x, y, z] = field.axes.each_ref().map(|axis| axis.to);
    let items = |width: usize, depth: usize| x.div_ceil(width) * y.div_ceil(rows) * z.div_ceil(depth);
    let vector = lanes(field);
    let wide = width(field, vector) == vector && items(vector, 8) >= BUSY / 2;
    let lanes = if wide { vector } else { 1 };
    let depth = [64, 32, 16].into_iter().find(|depth| items(lanes, *depth) >= BUSY);
    [lanes, rows, depth.unwrap_or(8)]
}

/// A kernel as an opponent.
fn opponent(field: &Field<'_>, kind: Kind, block: [usize; 3]) -> Opponent {
    let [x, y, z] = field.axes.each_ref().map(|axis| axis.is_there());
    let across = field.axes[0].to.div_ceil(block[0]).next_power_of_two().clamp(8, 32);
    let group = match (kind, y) {
        (_, false) => [64, 1],
        // Wide tiles have fewer rows around them.
        (Kind::Tile, _) => [32, 8],
        _ if z => [across, 256 / across],
        _ if block[1] == 1 => [32, 8],
        _ if block[0] == 1 || block[1] > 2 => [32, 4],
        _ => [64, 4],
    };
    let kernel = Kernel { field, block, group, width: width(field, block[0]) };
    let text = match kind {
        Kind::Direct => kernel.direct(),
        Kind::Tile => kernel.tiled(),
        Kind::March => kernel.marching(),
        Kind::MarchTile => kernel.marching_tiled(),
        Kind::Window => kernel.window(),
    };
    let there = |extents: [usize; 3]| -> &'static [usize] {
        extents
            .into_iter()
            .zip([x, y, z])
            .filter_map(|(n, there)| there.then_some(n))
            .collect::<Vec<_>>()
            .leak()
    };
    let program = HandWritten::sweep(text.leak(), "stencil", there([group[0], group[1], 1]), there(block))
        .divisors(&[]);
    Opponent { name: format!("{kind:?} {}", program.shape()).to_lowercase(), program }
}
