//! The parallel reductions of the slides *Performance portable code through rewriting*, after M. Harris, as strategies.
//!
//! Before: `reduce(f, z)` of an array. After: two launches, of groups that reduce a part each, and of one group that reduces what these
//! leave. Each strategy goes a step further than the one before, from work-items that are mostly idle to such that read as fast as memory
//! gives. Exploration goes to the last one directly; these show what there is on the way.

use lift_core::explore::reductions::{GROUP, STEP, rounds, shared, vectors};
use lift_core::explore::rows::sized;
use lift_core::ir::Kernel;
use lift_core::rewrite::normal;
use lift_core::rewrite::position::{self, BODY, OF, REDUCED};
use lift_core::rewrite::rules::{memory, partial, place, reduction};
use lift_core::rewrite::strategy::{Derivation, Strategy};

use crate::rules::rounds::{EVERY, GROUPS_STORED, INTERLEAVE, REDUCE_ONE};

/// One of the reductions.
pub struct Reduction {
    /// Its name.
    pub name: &'static str,
    /// What is better than before.
    pub about: &'static str,
    /// Elements that a group reduces, of which arrays are a multiple.
    pub part: i64,
    /// How a group reduces them. The reduction is the body of a map.
    by_group: fn(&mut Derivation) -> Option<()>,
}

/// The seven reductions.
pub const SEVEN: [Reduction; 7] = [
    Reduction {
        name: "Interleaved",
        about: "Every item of which the number is a multiple of twice the distance adds its neighbour at that distance; in every round, \
                every other item of those that were left is idle.",
        part: GROUP,
        by_group: |d| {
            copied(d)?;
            d.apply(&EVERY, &PART)?;
            for _ in 0..GROUP.ilog2() {
                let [taken] = d.apply(&INTERLEAVE, &PART)?.focus()?;
                d.apply(&place::COPY, &taken)?;
                shared(d, &taken)?;
            }
            d.apply(&REDUCE_ONE, &PART).map(drop)
        },
    },
    Reduction {
        name: "Neighbours",
        about: "The items that are left are neighbours, but what they read is far apart.",
        part: GROUP,
        by_group: |d| {
            copied(d)?;
            (0..GROUP.ilog2()).try_for_each(|_| rounds(d, &partial::REDUCE_SPLIT, &PART, 2))?;
            d.apply(&REDUCE_ONE, &PART).map(drop)
        },
    },
    Reduction {
        name: "Halves",
        about: "Neighbours read neighbours.",
        part: GROUP,
        by_group: |d| {
            copied(d)?;
            halved(d, GROUP / 2, 1)?;
            d.apply(&REDUCE_ONE, &PART).map(drop)
        },
    },
    Reduction {
        name: "FirstAdded",
        about: "Every item adds two elements when it reads them.",
        part: 2 * GROUP,
        by_group: |d| {
            halved(d, GROUP, 1)?;
            d.apply(&REDUCE_ONE, &PART).map(drop)
        },
    },
    Reduction {
        name: "LastUnrolled",
        about: "The last 32 sums are added without waiting.",
        part: 2 * GROUP,
        by_group: |d| halved(d, GROUP, 32),
    },
    Reduction {
        name: "Unrolled",
        about: "All rounds are written out, and there are two.",
        part: 2 * GROUP,
        by_group: |d| {
            halved(d, GROUP, GROUP)?;
            rounds(d, &partial::REDUCE_STRIDED, &PART, STEP)
        },
    },
    Reduction {
        name: "Vectors",
        about: "Every item reads 16 fours, 1024 elements apart, before it waits for others.",
        part: 16 * 4 * GROUP,
        by_group: |d| vectors(d, &PART, 4),
    },
];

/// Where the map stands whose function reduces a part.
const PARTS: [usize; 1] = [REDUCED];

/// Where the reduction of a part stands.
const PART: [usize; 2] = [REDUCED, BODY];

impl Reduction {
    /// The derivation, if the kernel reduces an array of which the length is a multiple of a group's part.
    pub fn derive(&self, kernel: &Kernel) -> Option<Derivation> {
        let mut d = Derivation::new(&kernel.body, &kernel.facts);
        normal::strategy(Strategy::once).apply(&mut d);
        sized(&mut d, &partial::REDUCE_SPLIT, &[], self.part)?;
        d.apply(&place::WORKGROUP[0], &PARTS)?;
        (self.by_group)(&mut d)?;
        d.apply(&GROUPS_STORED, &PARTS)?;
        // The last launch: what groups have left is one part for one more.
        let [one] = d.apply(&reduction::REDUCE_ONE_CHUNK, &[])?.focus()?;
        d.apply(&reduction::REDUCE_BY_GROUPS, &one)?;
        place::unroll_reductions(&mut d);
        Some(d)
    }
}

/// The items copy a part to local memory.
fn copied(d: &mut Derivation) -> Option<()> {
    d.apply(&memory::TILE_TO_LOCAL, &PARTS)?;
    d.apply(&place::LOCAL[0], &position::join(&PART, &[REDUCED, OF])).map(drop)
}

/// The items reduce pairs of an element of the first half and one of the other, until so many are left.
fn halved(d: &mut Derivation, first: i64, last: i64) -> Option<()> {
    let mut half = first;
    while half >= last {
        rounds(d, &partial::REDUCE_STRIDED, &PART, half)?;
        half /= 2;
    }
    Some(())
}
