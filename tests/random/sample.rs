//! Random programs that are always the same: so that they can be compiled beforehand.

use super::{generate, placed, stencils, updates};

/// How many there are of each generator.
const PROGRAMS: u64 = 16;

/// A program, and the sizes to try.
pub struct Sampled {
    /// The generator, and which of its programs this is.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Values of the size variables.
    pub sizes: Vec<Vec<(&'static str, i64)>>,
}

/// What decides about a program: at most 47 numbers.
fn numbers(seed: u64) -> Vec<u16> {
    let mut state = seed;
    let mut next = || {
        // The steps of SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as u16
    };
    let len = next() % 48;
    (0..len).map(|_| next()).collect()
}

fn sampled<const D: usize>(
    generator: &str,
    names: [&'static str; D],
    program: impl Fn(&[u16], u64) -> (String, Vec<[i64; D]>),
) -> Vec<Sampled> {
    let one = |number: u64| {
        let (text, sizes) = program(&numbers(20_261_125 + number), number);
        let sizes = sizes.into_iter().map(|values| names.into_iter().zip(values).collect());
        Sampled { name: format!("{generator} {number}"), text, sizes: sizes.collect() }
    };
    (0..PROGRAMS).map(one).collect()
}

/// Programs over all primitives.
pub fn plain() -> Vec<Sampled> {
    sampled("plain", ["N", "M"], |numbers, _| (generate::program(numbers), vec![[5, 7], [1, 4], [3, 1]]))
}

/// Programs that say where everything is computed.
pub fn placed_by_hand() -> Vec<Sampled> {
    sampled("placed", ["N", "M"], |numbers, _| {
        let program = placed::program(numbers);
        (program.text, program.sizes.to_vec())
    })
}

/// Programs that update several arrays.
pub fn several_updates() -> Vec<Sampled> {
    sampled("updates", ["N", "M"], |numbers, _| (updates::program(numbers), vec![[1, 1], [7, 3], [33, 2]]))
}

/// Stencils of one to three dimensions.
pub fn of_points() -> Vec<Sampled> {
    sampled("stencil", ["N", "M", "O"], |numbers, number| {
        let extents = |i: u64| stencils::EXTENTS[(number + i) as usize % stencils::EXTENTS.len()];
        (stencils::program(numbers), vec![extents(0), extents(3), extents(5)])
    })
}

/// All of them.
pub fn all() -> Vec<Sampled> {
    [plain(), placed_by_hand(), several_updates(), of_points()].into_iter().flatten().collect()
}
