//! All pairs: the other points in tiles of local memory, through the cache, or shared by a group's items, with several results of an item; for few
//! results in two launches that share the other points.

use lift_suite::measure::Opponent;

use super::join::{Join, opponent};
use super::launches::{PROCESSORS, defined};
use crate::classes::pairs::{Function, Pairs};

/// Work-items of a group.
const ITEMS: usize = 256;

/// Groups of a processor, fewer than which leave it idle at times.
const BUSY: usize = 2;

/// Results that are few enough for groups that share each of them.
const FEW: usize = 1 << 16;

/// A kernel, what it is called, and results of an item, or of a group.
struct Way {
    entry: &'static str,
    name: &'static str,
    results: usize,
    /// Whether all items of a group compute the same results.
    shared: bool,
}

/// All ways.
const WAYS: &[Way] = &[
    Way { entry: "tiles", name: "tiles, 1 an item", results: 1, shared: false },
    Way { entry: "tiles", name: "tiles, 2 an item", results: 2, shared: false },
    Way { entry: "tiles", name: "tiles, 4 an item", results: 4, shared: false },
    Way { entry: "broadcast", name: "through the cache, 1 an item", results: 1, shared: false },
    Way { entry: "broadcast", name: "through the cache, 4 an item", results: 4, shared: false },
    Way { entry: "across", name: "across, 8 a group", results: 8, shared: true },
];

/// All that are worth a try at these sizes.
#[must_use]
pub fn opponents(pairs: &Pairs, sizes: &[usize]) -> Vec<Opponent> {
    let &[n, m] = sizes else { return Vec::new() };
    let mut all = Vec::new();
    for way in WAYS.iter().filter(|way| !way.shared || n <= FEW) {
        let share = way.split(pairs.function, n, m);
        if share < m {
            all.push(way.opponent(pairs.function, n, m, share));
        }
        // In one launch, too, unless that leaves most processors idle.
        if share >= m || 4 * way.groups(n) > PROCESSORS {
            all.push(way.opponent(pairs.function, n, m, m));
        }
    }
    all
}

impl Way {
    /// Groups for all results.
    fn groups(&self, n: usize) -> usize {
        n.div_ceil(if self.shared { self.results } else { self.results * ITEMS })
    }

    /// How many of the other points a group should visit.
    fn split(&self, function: Function, n: usize, m: usize) -> usize {
        let cost = |share: usize| {
            let parts = m.div_ceil(share);
            let groups = (self.groups(n) * parts).div_ceil(PROCESSORS).max(BUSY);
            // All items of a group visit a point at a time, or each another one.
            let cycles =
                groups * share * self.results * cycles(function) / if self.shared { ITEMS } else { 1 };
            join(function, n, parts).cost(4).map_or(usize::MAX, |more| cycles + more)
        };
        let shares = (1..=256).map(|parts| m.div_ceil(parts).next_multiple_of(ITEMS));
        // A tenth is less than what such an estimate knows.
        shares.min_by_key(|&share| cost(share)).filter(|&share| 10 * cost(share) < 9 * cost(m)).unwrap_or(m)
    }

    /// The kernel, of which each group visits so many of the other points.
    fn opponent(&self, function: Function, n: usize, m: usize, share: usize) -> Opponent {
        let join = join(function, n, m.div_ceil(share));
        let mut macros = join.macros();
        macros.push(("RESULTS", self.results.to_string()));
        macros.push(("SHARE", share.to_string()));
        macros.push(("VISIT(found, x, y, p, q)", visit(function).into()));
        // The program says that its sums are not contracted: of so many pairs, some are as near as 0.1.
        let exact = if function == Function::Near { "#pragma OPENCL FP_CONTRACT OFF\n" } else { "" };
        let only = self.entry.to_uppercase();
        let text = format!("{exact}#define IS_{only}\n{}\n{}", defined(&macros), include_str!("pairs.cl"));
        opponent(self.name.into(), text, self.entry, &[ITEMS, 1], &[self.groups(n), join.parts], &join)
    }
}

/// How the parts of each result are joined.
fn join(function: Function, count: usize, parts: usize) -> Join {
    let (element, function, start, fields) = match function {
        Function::Nearest => ("float", "fmin(a, b)", "INFINITY", 1),
        Function::Gravity => ("float", "(a) + (b)", "0", 2),
        Function::Density => ("float", "(a) + (b)", "0", 1),
        Function::Near => ("int", "(a) + (b)", "0", 1),
    };
    Join { element, function, start, fields, count, parts }
}

/// About how many cycles a processor takes for a pair of each of a group's items.
fn cycles(function: Function) -> usize {
    match function {
        Function::Nearest | Function::Near => 10,
        Function::Density => 24,
        Function::Gravity => 60,
    }
}

/// What a pair adds to what was found: the body of a macro.
fn visit(function: Function) -> &'static str {
    match function {
        Function::Nearest => {
            "{ const float u = (x) - (p), v = (y) - (q); (found)[0] = fmin((found)[0], u * u + v * v); }"
        }
        Function::Gravity => {
            "{ const float u = (p) - (x), v = (q) - (y), d = u * u + v * v + 0.01f, f = 1.0f / (d * sqrt(d)); \
             (found)[0] += f * u; (found)[1] += f * v; }"
        }
        Function::Density => {
            "{ const float u = (x) - (p), v = (y) - (q); (found)[0] += exp(-4.0f * (u * u + v * v)); }"
        }
        Function::Near => {
            "{ const float u = (x) - (p), v = (y) - (q); (found)[0] += u * u + v * v < 0.01f ? 1 : 0; }"
        }
    }
}
