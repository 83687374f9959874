//! Which families of variants make sense on which class of devices, and which to try first without measuring: a table.
//!
//! A GPU's caches serve small windows well: there local memory, with its copies and barriers, costs more
//! than it saves, and blocks in registers win, because they keep more bytes in flight. With windows of 7 × 7 points and
//! more, local memory wins where windows are read in loops: in two passes, or with blocks in registers inside of tiles, where that can be. Two passes over windows
//! that fit into registers are for tuning. A loop through the planes wins where windows are too deep
//! for blocks. Several steps in one launch read and write the array once for all of them. Products in blocks, transposed tiles and rows by groups
//! read a fraction of what a work-item for each result does, or read it together. A CPU has no local memory at all: there a
//! copy is only a copy, which pays where a panel of a matrix, or a tile of what large windows need, is read again and again.

use crate::explore::{Variant, is_large, nests, one_stencil, start, tile};
use crate::ir::Kernel;
use crate::machine::windows::LARGE_WINDOW;
use crate::rewrite::rules::stencil::Stencil;

/// A class of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Many work-items at once, and local memory of their own for groups.
    Gpu,
    /// Few cores with wide vectors and large caches.
    Cpu,
}

/// When a family is a good choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Where there is such a variant: it is made only where it pays.
    There,
    /// Where a window is worth a copy to local memory.
    LargeWindows,
    /// Where windows are too large for registers, or only launches know how large they are.
    BeyondRegisters,
}

/// For each class the families that make sense, the best first. What is in no line is for tuning alone.
const TABLE: [(Class, &str, When); 31] = [
    (Class::Gpu, "passes", When::There),
    (Class::Gpu, "two_stage_large", When::There),
    (Class::Gpu, "two_stage_narrow", When::There),
    (Class::Gpu, "two_stage", When::There),
    (Class::Gpu, "two_stage_small", When::There),
    (Class::Gpu, "blocked", When::There),
    (Class::Gpu, "blocked_64", When::There),
    (Class::Gpu, "blocked_32", When::There),
    (Class::Gpu, "short_rows", When::There),
    (Class::Gpu, "local_rows", When::There),
    (Class::Gpu, "held_rows", When::There),
    (Class::Gpu, "in_columns", When::There),
    (Class::Gpu, "rows", When::There),
    (Class::Gpu, "fewest_columns", When::There),
    (Class::Gpu, "few_columns", When::There),
    (Class::Gpu, "coarsened", When::There),
    (Class::Gpu, "transposed", When::There),
    (Class::Gpu, "separated", When::BeyondRegisters),
    (Class::Gpu, "window_rows", When::There),
    (Class::Gpu, "registers", When::There),
    (Class::Gpu, "strided", When::There),
    (Class::Gpu, "tiled", When::LargeWindows),
    (Class::Gpu, "marching", When::There),
    (Class::Gpu, "separated", When::There),
    (Class::Gpu, "naive", When::There),
    (Class::Gpu, "tiled", When::There),
    (Class::Cpu, "row_passes", When::There),
    (Class::Cpu, "rows_first", When::There),
    (Class::Cpu, "panels", When::There),
    (Class::Cpu, "vectors", When::There),
    (Class::Cpu, "naive", When::There),
];

/// The names of the variants for a class of devices, the most promising first. A program of several launches is given by all
/// of them, with the names that the variants have together.
pub fn order(class: Class, launches: &[Kernel], names: &[&'static str]) -> Vec<&'static str> {
    let stencil = |kernel| {
        let mut d = start(kernel);
        one_stencil(&mut d);
        nests(&mut d);
        tile::stencil(d.expr()).map(|(_, stencil)| stencil)
    };
    let stencils: Vec<Stencil> = launches.iter().filter_map(stencil).collect();
    let is_worth_a_copy = |stencil: &Stencil| stencil.reads().as_const().is_none_or(|n| n >= LARGE_WINDOW);
    let is_perhaps_large = |stencil: &Stencil| is_large(stencil) || stencil.reads().as_const().is_none();
    let holds = |when: &When| match when {
        When::There => true,
        When::LargeWindows => stencils.iter().any(is_worth_a_copy),
        When::BeyondRegisters => stencils.iter().any(is_perhaps_large),
    };
    let lines: Vec<&str> =
        TABLE.iter().filter(|(c, _, when)| *c == class && holds(when)).map(|(_, name, _)| *name).collect();
    let place = |name: &&str| lines.iter().position(|line| line == name).unwrap_or(lines.len());
    let mut names = names.to_vec();
    names.sort_by_key(place);
    names
}

/// These may pay only at some sizes.
const SIZED: [&str; 4] = ["short_rows", "local_rows", "held_rows", "strided"];

/// Whether a variant pays only at sizes that are not known. A launch that follows another one's version is not chosen by its sizes, so it takes the next version of the
/// table: chunks of two stages are long.
pub(crate) fn is_for_some_sizes(variant: &Variant) -> bool {
    SIZED.contains(&variant.name) && !variant.least.is_empty()
}

/// The variant of a launch, of those with these names, that goes with another launch's variant of this name, which it does not have itself: the best one for the same class
/// of devices.
pub fn beside(name: &str, launch: &Kernel, names: &[&'static str]) -> Option<&'static str> {
    let of_class = |class| TABLE.iter().any(|(c, family, _)| *c == class && *family == name);
    let class = [Class::Gpu, Class::Cpu].into_iter().find(|class| of_class(*class))?;
    order(class, std::slice::from_ref(launch), names).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::variant::NAMES;

    #[test]
    fn the_table_names_families() {
        for (_, name, _) in TABLE {
            assert!(NAMES.contains(&name), "{name}");
        }
        // Something is left everywhere.
        for class in [Class::Gpu, Class::Cpu] {
            assert!(TABLE.contains(&(class, "naive", When::There)));
        }
    }
}
