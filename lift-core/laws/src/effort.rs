//! How much a run of the tests tries of what is alike: a part of it, or everything.
//!
//! Versions of one kernel at several sizes differ in little, and drivers take long to build them. Each is tried at one of
//! the sizes, which take turns from version to version and from kernel to kernel.

/// Whether everything is asked for: `LIFT_TESTS=all`.
pub fn everything() -> bool {
    std::env::var("LIFT_TESTS").is_ok_and(|tests| tests == "all")
}

/// Whether the one at this position, of a kernel that is tried in `turns` ways, is tried in this one of them.
pub fn has_turn(position: usize, (turn, turns): (usize, usize), seed: u64) -> bool {
    everything() || (position + seed as usize) % turns == turn
}

/// Oclgrind, which takes a hundred times as long as a device, watches one kernel of so many. The accesses of the others are checked where their
/// statements are run.
const WATCHED: usize = 3;

/// Whether the kernel at this position of so many is one of those that Oclgrind watches: at least one is. Runs with other seeds watch others.
pub fn is_watched(kernel: usize, kernels: usize) -> bool {
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse::<usize>().ok());
    everything() || (kernel + seed.unwrap_or_default()).is_multiple_of(WATCHED.min(kernels))
}

/// How many cases are tried: so few, eight times as many where everything is asked for, or as many as this variable of the environment says.
pub fn count(few: u32, variable: &str) -> u32 {
    let asked = std::env::var(variable).ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if everything() { 8 * few } else { few })
}
