//! The classes of programs, each with what is written by hand for its members.

use lift_suite::input::Random;

use crate::case::Program;

pub mod moves;
pub mod pairs;
pub mod products;
pub mod rows;
pub mod scans;
pub mod stencils;

/// Makes a random member of a class.
pub type Make = fn(&mut Random) -> Box<dyn Program>;

/// All classes. Cases take turns.
pub const CLASSES: &[(&str, Make)] = &[
    ("stencil 2-D", |random| Box::new(stencils::Stencil::in_plane(random))),
    ("rows", |random| Box::new(rows::Rows::of_rows(random))),
    ("stencil 3-D", |random| Box::new(stencils::Stencil::in_volume(random))),
    ("columns", |random| Box::new(rows::Rows::of_columns(random))),
    ("product", |random| Box::new(products::Product::random(random))),
    ("scan", |random| Box::new(scans::Scan::random(random))),
    ("pairs", |random| Box::new(pairs::Pairs::random(random))),
    ("move", |random| Box::new(moves::Move::random(random))),
];

/// One of these.
pub(crate) fn pick<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

/// A number between these powers of two, each magnitude as likely as any other: a power of two, a multiple of 4, or anything.
pub(crate) fn size(random: &mut Random, low: f32, high: f32) -> usize {
    let exponent = random.uniform(low..high);
    match random.below(3) {
        0 => 1 << exponent.round() as usize,
        1 => ((exponent.exp2() as usize) / 4 * 4).max(4),
        _ => exponent.exp2() as usize,
    }
}

/// Two numbers whose product is between these powers of two.
pub(crate) fn two_sizes(random: &mut Random, low: f32, high: f32, least: f32) -> [usize; 2] {
    let first = size(random, least, high - least);
    let rest = (first as f32).log2();
    let (low, high) = ((low - rest).max(least), (high - rest).max(least + 1.0));
    [first, size(random, low.min(high - 1.0), high)]
}
