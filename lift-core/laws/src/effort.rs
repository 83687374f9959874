//! How much a run of the tests tries of what is alike: a part of it, or everything. This is the only place that decides.
//!
//! What is left out is counted (`report`), and `scripts/test` prints it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Whether everything is asked for: `LIFT_TESTS=all`.
pub fn everything() -> bool {
    std::env::var("LIFT_TESTS").is_ok_and(|tests| tests == "all")
}

/// Whether the one at this position, of a kernel that is tried in `turns` ways, is tried in this one of them.
pub fn has_turn(position: usize, (turn, turns): (usize, usize), seed: u64) -> bool {
    everything() || (position + seed as usize) % turns == turn
}

/// Of things of these kinds, which texts stand for, the positions of those that are tried: of each kind the one with the smallest hash, and of all about
/// one of `share`. Which these are follows from the texts and from the seed of a run.
pub fn sample(texts: &[(&str, &str)], share: u64) -> BTreeSet<usize> {
    if everything() {
        return (0..texts.len()).collect();
    }
    let hashes: Vec<u64> = texts.iter().map(|(_, text)| hash(text)).collect();
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, (kind, _)) in texts.iter().enumerate() {
        let known = first.entry(kind).or_insert(i);
        if hashes[i] < hashes[*known] {
            *known = i;
        }
    }
    let some = (0..texts.len()).filter(|i| hashes[*i].is_multiple_of(share));
    first.into_values().chain(some).collect()
}

/// Whether a text is in a sample of this share, whatever others there are.
pub fn is_sampled(text: &str, share: u64) -> bool {
    everything() || hash(text).is_multiple_of(share)
}

/// A hash of a text and of the seed of this run that is the same on all machines (FNV-1a, with its high bits mixed into the low ones).
pub fn hash(text: &str) -> u64 {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_default();
    let bytes = seed.bytes().chain(text.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8
}

/// How many cases are tried: a third of so many, eight times as many where everything is asked for, or as many as this variable of the
/// environment says.
pub fn count(some: u32, variable: &str) -> u32 {
    let asked = std::env::var(variable).ok().and_then(|n| n.parse().ok());
    let cases = asked.unwrap_or(if everything() { 8 * some } else { some.div_ceil(3) });
    report(&format!("random cases of tests with {variable}"), cases as usize, 8 * some as usize);
    cases
}

/// Says that so many of so many were tried: a line of the file `LIFT_SAMPLED`, if there is one. Lines about the same are added up.
pub fn report(what: &str, tried: usize, all: usize) {
    let Some(path) = std::env::var_os("LIFT_SAMPLED") else { return };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    // One call for the line: several processes write.
    let line = format!("{tried}\t{all}\t{what}\n");
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file for what is sampled");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_a_sample() {
        let texts: Vec<(String, String)> =
            (0..600).map(|i| (format!("kind {}", i % 7), format!("text {i}"))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(kind, text)| (&**kind, &**text)).collect();
        let chosen = sample(&texts, 20);
        let kinds: BTreeSet<&str> = chosen.iter().map(|i| texts[*i].0).collect();
        assert_eq!(kinds.len(), 7);
        // About one of twenty, and all if everything is asked for.
        assert!(chosen.len() == texts.len() || (15..70).contains(&chosen.len()), "{}", chosen.len());
        // The order of the texts makes no difference.
        let reversed: Vec<(&str, &str)> = texts.iter().rev().copied().collect();
        let again: BTreeSet<&str> = sample(&reversed, 20).iter().map(|i| reversed[*i].1).collect();
        assert_eq!(again, chosen.iter().map(|i| texts[*i].1).collect());
    }
}
