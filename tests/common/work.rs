//! The work law: what is computed grows with the sizes as it does in the program as it is written, where each value is computed once.

use lift_core::pipeline::Compiled;

use super::statements::Statements;

/// The extents for which operations are counted: the second is twice the first, twice.
const EXTENTS: [i64; 2] = [8, 32];

/// How much more the operations may grow. Tiles at edges, and what vectors leave over, weigh more where arrays are small, and so do values that
/// nobody needs; a value that is computed for each element where one for the row would do counts as 4.
pub const MOST: f64 = 2.5;

/// Programs that take more operations say nothing that others do not.
const LONG: u64 = 2_000_000;

/// How much more the operations of each version grow than those of the kernel as it is written, while every extent doubles twice; no version where
/// that would take too long.
pub fn growth<'a>(compiled: &'a Compiled, sizes: [&str; 2]) -> Result<Vec<(&'a str, f64)>, String> {
    let tunables = &[("TILE_X", 8), ("TILE_Y", 4), ("TILE_Z", 2)];
    let mut found = Vec::new();
    for version in &compiled.versions {
        let work = |extent: i64| {
            let sizes = sizes.map(|name| (name, extent));
            Statements { compiled, sizes: &sizes, tunables, seed: 1 }.work(version)
        };
        let [small, small_written] = work(EXTENTS[0])?;
        let growth = ((EXTENTS[1] / EXTENTS[0]) as u64).pow(3);
        if small.saturating_mul(growth) > LONG {
            continue;
        }
        let [large, large_written] = work(EXTENTS[1])?;
        let ratio = |a: u64, b: u64| a as f64 / b.max(1) as f64;
        found.push((version.name, ratio(large, small) / ratio(large_written, small_written)));
    }
    Ok(found)
}
