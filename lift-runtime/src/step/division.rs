//! Which rows of the arrays of a simulation each of its parts has: its own, and those around them that it reads.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::spec::{Cut, Cuts, KernelSpec, Partition, Rotation};

/// Without being told, parts exchange their halos after so many steps at most.
///
/// NVIDIA H200, seven points of 512³ floats, 0.276 ms a step. In 4 parts, with exchanges after every, every second, fourth and eighth step: 0.337,
/// 0.305, 0.303 and 0.317 ms; with one queue for all, 0.333, 0.318, 0.317 and 0.327.
const MOST_STEPS: usize = 8;

/// Rows that parts compute for themselves in place of exchanging them are at most one in so many.
const SHARE: usize = 16;

/// How a simulation is divided.
#[derive(Debug)]
pub(super) struct Division {
    /// Nothing if there is one part, which is everything.
    cuts: Option<&'static Cuts>,
    parts: Vec<Rows>,
    /// After so many steps halos are exchanged. They are so many times as wide as what one step reads.
    steps: usize,
}

/// How a simulation is to be divided.
pub(super) struct Wanted<'a> {
    /// How many rows each part gets, in proportion to the others.
    pub(super) shares: &'a [f64],
    /// After how many steps halos are exchanged, if somebody said so.
    pub(super) steps: Option<usize>,
    /// Whether copying a row costs less than computing it twice: all parts are the processor's, in one process.
    pub(super) is_near: bool,
}

/// The rows of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows {
    /// Its own.
    own: Range<usize>,
    /// How many before and after them it has besides.
    before: usize,
    after: usize,
    is_last: bool,
}

/// Rows that one part has of another one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Halo {
    /// The part whose rows they are, and the first of them there.
    pub(super) from: (usize, usize),
    /// The part that reads them, and the first of them there.
    pub(super) to: (usize, usize),
    pub(super) count: usize,
}

/// How rows lie in memory: so many times one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Strips {
    /// The bytes of a row.
    pub(super) row: usize,
    /// From where the first row begins to where it begins the next time.
    pub(super) pitch: usize,
    /// How often.
    pub(super) count: usize,
}

/// The dimensions of an array that is cut: all those outside of the cut, the rows, and all inside.
#[derive(Debug, Clone, Copy)]
struct Shape {
    outer: usize,
    inner: usize,
}

impl Division {
    /// One part.
    pub(super) fn whole() -> Division {
        let rows = Rows { own: 0..0, before: 0, after: 0, is_last: true };
        Division { cuts: None, parts: vec![rows], steps: 1 }
    }

    /// The parts of a simulation with these sizes.
    ///
    /// # Errors
    ///
    /// [`Error::Parts`] when the kernel or its sizes do not allow it.
    pub(super) fn new(
        spec: &'static KernelSpec,
        rotation: &'static Rotation,
        Wanted { shares, steps, is_near }: &Wanted<'_>,
        sizes: &[i64],
    ) -> Result<Division> {
        let parts = shares.len();
        let wrong = |problem: String| Error::Parts { kernel: &spec.name, parts, problem };
        if parts < 2 {
            return Ok(Division::whole());
        }
        let cuts = match &rotation.partition {
            Partition::Cut(cuts) => cuts,
            Partition::Whole(reason) => return Err(wrong(reason.to_string())),
        };
        let size = spec.sizes.get(cuts.size).zip(sizes.get(cuts.size));
        let (name, n) = size.map_or(("", 0), |(size, n)| (&*size.name, usize::try_from(*n).unwrap_or(0)));
        let all = cuts.params.iter().chain(cuts.results.iter()).flatten();
        let extra = all.map(|cut| cut.extra).max().unwrap_or(0);
        let reads = cuts.before + cuts.after;
        let few = (n / parts / SHARE).checked_div(reads).unwrap_or(1);
        let usual = if *is_near { 1 } else { few.clamp(1, MOST_STEPS) };
        let steps = steps.unwrap_or(usual).max(1);
        let least = reads.saturating_mul(steps).saturating_add(extra).max(1);
        if n / parts < least {
            let [before, after] = [cuts.before, cuts.after].map(|rows| rows.saturating_mul(steps));
            let rounds = if steps == 1 { String::new() } else { format!(" in {steps} steps") };
            let problem = format!(
                "{name} = {n} gives each {} rows, and a part needs at least {least}, because it reads {before} before and {} \
                 after its own{rounds}",
                n / parts,
                after.saturating_add(extra),
            );
            return Err(wrong(problem));
        }
        let borders = borders(n, shares, least);
        let rows = |i: usize| {
            let is_last = i + 1 == parts;
            Rows {
                own: borders[i]..borders[i + 1],
                before: if i > 0 || cuts.periodic { cuts.before * steps } else { 0 },
                after: if !is_last || cuts.periodic { cuts.after * steps } else { 0 },
                is_last,
            }
        };
        Ok(Division { cuts: Some(cuts), parts: (0..parts).map(rows).collect(), steps })
    }

    /// How many rows are a part's own.
    pub(super) fn rows(&self, part: usize) -> usize {
        self.parts.get(part).map_or(0, |rows| rows.own.len())
    }

    /// How many parts there are.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// After how many steps halos are exchanged.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Where the array of a parameter is cut.
    fn cut(&self, leaf: usize) -> Option<Cut> {
        self.cuts.and_then(|cuts| cuts.params.get(leaf).copied().flatten())
    }

    /// The extents that an array has in a part.
    pub(super) fn extents(&self, leaf: usize, part: usize, whole: &[usize]) -> Vec<usize> {
        let mut extents = whole.to_vec();
        if let (Some(cut), Some(rows)) = (self.cut(leaf), self.parts.get(part))
            && let Some(extent) = extents.get_mut(cut.dimension)
        {
            *extent = rows.len() + cut.extra;
        }
        extents
    }

    /// A part's rows of an array of these extents, and those around them. `unit` is how many of the elements of `all` an element is.
    pub(super) fn part_of<T: Copy>(
        &self,
        leaf: usize,
        part: usize,
        whole: &[usize],
        unit: usize,
        all: &[T],
    ) -> Vec<T> {
        let (Some(cut), Some(rows)) = (self.cut(leaf), self.parts.get(part)) else { return all.to_vec() };
        let (shape, n) = (Shape::of(cut, whole, unit), whole.get(cut.dimension).copied().unwrap_or(0));
        let mut own = Vec::new();
        for outer in 0..shape.outer {
            for row in 0..rows.len() + cut.extra {
                // Before the first row comes the last one.
                let row = (rows.own.start + n + row - rows.before) % n.max(1);
                let at = (outer * n + row) * shape.inner;
                own.extend(all.get(at..at + shape.inner).into_iter().flatten());
            }
        }
        own
    }

    /// The array whose parts these are, each with the rows around its own.
    pub(super) fn whole_of<T: Copy>(
        &self,
        leaf: usize,
        whole: &[usize],
        unit: usize,
        mut parts: Vec<Vec<T>>,
    ) -> Vec<T> {
        let Some(cut) = self.cut(leaf).filter(|_| parts.len() > 1) else {
            return parts.drain(..).next().unwrap_or_default();
        };
        let shape = Shape::of(cut, whole, unit);
        let mut all = Vec::with_capacity(parts.first().map_or(0, Vec::len) * parts.len());
        for outer in 0..shape.outer {
            for (rows, own) in self.parts.iter().zip(&parts) {
                all.extend(rows.of_strip(cut, shape, outer, own));
            }
        }
        all
    }

    /// Where the rows of an array begin that are a part's own, and their extents; nothing if another part has all that is not cut.
    #[cfg(feature = "save")]
    pub(super) fn own(&self, leaf: usize, part: usize, whole: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
        let (mut origin, mut extents) = (vec![0; whole.len()], whole.to_vec());
        let (Some(cut), Some(rows)) = (self.cut(leaf), self.parts.get(part)) else {
            return (part == 0).then_some((origin, extents));
        };
        *origin.get_mut(cut.dimension)? = rows.own.start;
        *extents.get_mut(cut.dimension)? = rows.owned(cut);
        Some((origin, extents))
    }

    /// The elements of those rows, from all that a part has.
    #[cfg(feature = "save")]
    pub(super) fn own_of<T: Copy>(
        &self,
        leaf: usize,
        part: usize,
        whole: &[usize],
        unit: usize,
        all: &[T],
    ) -> Vec<T> {
        let (Some(cut), Some(rows)) = (self.cut(leaf), self.parts.get(part)) else { return all.to_vec() };
        let shape = Shape::of(cut, whole, unit);
        let mut own = Vec::new();
        (0..shape.outer).for_each(|outer| own.extend(rows.of_strip(cut, shape, outer, all)));
        own
    }

    /// Where the element number `at` of an array lies in each part that has it, and whether the row is the part's own.
    pub(super) fn places(&self, leaf: usize, whole: &[usize], at: usize) -> Vec<(usize, usize, bool)> {
        let Some(cut) = self.cut(leaf) else {
            return (0..self.len()).map(|part| (part, at, part == 0)).collect();
        };
        let (shape, n) = (Shape::of(cut, whole, 1), whole.get(cut.dimension).copied().unwrap_or(0).max(1));
        let (outer, row, inner) = (at / shape.inner / n, at / shape.inner % n, at % shape.inner);
        let mut places = Vec::new();
        for (part, rows) in self.parts.iter().enumerate() {
            let all = rows.len() + cut.extra;
            // Before the first row comes the last one.
            let local = (row + n + rows.before - rows.own.start) % n;
            if local < all {
                let is_own = (rows.before..rows.before + rows.owned(cut)).contains(&local);
                places.push((part, (outer * all + local) * shape.inner + inner, is_own));
            }
        }
        places
    }

    /// The index in the whole array of an element of a part.
    pub(super) fn index(&self, leaf: usize, part: usize, whole: &[usize], mut at: usize) -> Vec<usize> {
        let own = self.extents(leaf, part, whole);
        let mut index = vec![0; whole.len()];
        for (position, extent) in index.iter_mut().zip(&own).rev() {
            (*position, at) = (at.checked_rem(*extent).unwrap_or(0), at.checked_div(*extent).unwrap_or(0));
        }
        if let (Some(cut), Some(rows)) = (self.cut(leaf), self.parts.get(part))
            && let (Some(row), Some(n)) = (index.get_mut(cut.dimension), whole.get(cut.dimension))
        {
            *row = (rows.own.start + n + *row - rows.before).checked_rem(*n).unwrap_or(0);
        }
        index
    }

    /// The rows that parts have of others, in the array of a parameter.
    pub(super) fn halos(&self, leaf: usize) -> Vec<Halo> {
        let (Some(cut), Some(cuts)) = (self.cut(leaf), self.cuts) else { return Vec::new() };
        let (mut halos, last) = (Vec::new(), self.len() - 1);
        for (to, rows) in self.parts.iter().enumerate() {
            let neighbour = |part: usize| self.parts.get(part).map(|rows| (part, rows));
            if let Some((from, theirs)) = neighbour(if to == 0 { last } else { to - 1 })
                && rows.before > 0
            {
                let first = theirs.before + theirs.own.len() - rows.before;
                halos.push(Halo { from: (from, first), to: (to, 0), count: rows.before });
            }
            let after = rows.after + if rows.is_last { 0 } else { cut.extra };
            if let Some((from, theirs)) = neighbour(if to == last { 0 } else { to + 1 })
                && after > 0
                && (to < last || cuts.periodic)
            {
                let first = rows.before + rows.own.len();
                halos.push(Halo { from: (from, theirs.before), to: (to, first), count: after });
            }
        }
        halos
    }

    /// How rows lie in the memory of a part, for an array of so many bytes an element.
    pub(super) fn strips(&self, leaf: usize, part: usize, whole: &[usize], bytes: usize) -> Strips {
        let Some(cut) = self.cut(leaf) else { return Strips::default() };
        let shape = Shape::of(cut, whole, bytes);
        let rows = self.parts.get(part).map_or(0, |rows| rows.len() + cut.extra);
        Strips { row: shape.inner, pitch: rows * shape.inner, count: shape.outer }
    }
}

/// Where the rows of parts begin and end that have these shares of `n` rows, at least so many each, which there are.
fn borders(n: usize, shares: &[f64], least: usize) -> Vec<usize> {
    // Whole numbers, so that equal shares are equal numbers of rows but for one.
    const UNIT: f64 = (1 << 20) as f64;
    let largest = shares.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let weights = shares.iter().map(|share| ((share / largest * UNIT) as u128).max(1));
    let total: u128 = weights.clone().sum();
    let ends = weights.scan(0, |sum, weight| {
        *sum += weight;
        Some((n as u128 * *sum / total) as usize)
    });
    let mut before = 0;
    let mut rows: Vec<usize> = ends.map(|end| end - std::mem::replace(&mut before, end)).collect();
    for part in 0..rows.len() {
        while rows[part] < least {
            // There are enough for all, so that one has more than it needs.
            let Some(most) = (0..rows.len()).max_by_key(|part| rows[*part]) else { break };
            let moved = (least - rows[part]).min(rows[most].saturating_sub(least));
            if moved == 0 {
                break;
            }
            rows[most] -= moved;
            rows[part] += moved;
        }
    }
    let sums = rows.iter().scan(0, |sum, rows| {
        *sum += rows;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

impl Rows {
    /// How many it has, of the size that is cut.
    fn len(&self) -> usize {
        self.before + self.own.len() + self.after
    }

    /// How many rows of an array are its own.
    fn owned(&self, cut: Cut) -> usize {
        self.own.len() + if self.is_last { cut.extra } else { 0 }
    }

    /// Those of its own rows that lie together, of all that it has.
    fn of_strip<T: Copy>(&self, cut: Cut, shape: Shape, outer: usize, all: &[T]) -> impl Iterator<Item = T> {
        let from = outer * (self.len() + cut.extra) + self.before;
        let elements = from * shape.inner..(from + self.owned(cut)) * shape.inner;
        all.get(elements).unwrap_or(&[]).iter().copied()
    }
}

impl Shape {
    fn of(cut: Cut, extents: &[usize], unit: usize) -> Shape {
        let product = |extents: Option<&[usize]>| extents.unwrap_or(&[]).iter().product::<usize>();
        Shape {
            outer: product(extents.get(..cut.dimension)),
            inner: product(extents.get(cut.dimension + 1..)) * unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow::Borrowed;

    use super::*;
    use crate::spec::SizeVar;

    /// A division of 20 rows, of an array with two dimensions of which this one is cut.
    fn division(shares: &[f64], dimension: usize, extra: usize, periodic: bool, steps: usize) -> Division {
        static SPEC: KernelSpec = KernelSpec {
            name: Borrowed("Step"),
            sizes: Borrowed(&[SizeVar { name: Borrowed("N"), define: Borrowed("N") }]),
            ..KernelSpec::INVALID
        };
        let cuts = Cuts {
            size: 0,
            params: vec![Some(Cut { dimension, extra }), None].into(),
            results: vec![Some(Cut { dimension, extra })].into(),
            before: 2,
            after: 1,
            periodic,
        };
        let rotation = Rotation { chains: Borrowed(&[]), partition: Partition::Cut(cuts) };
        let wanted = Wanted { shares, steps: Some(steps), is_near: true };
        Division::new(&SPEC, Box::leak(Box::new(rotation)), &wanted, &[20]).unwrap()
    }

    #[test]
    fn shares_are_rows() {
        assert_eq!(borders(10, &[1.0; 3], 1), [0, 3, 6, 10]);
        assert_eq!(borders(10, &[0.3; 4], 2), [0, 2, 5, 7, 10]);
        assert_eq!(borders(100, &[3.0, 1.0], 1), [0, 75, 100]);
        // Nobody has fewer than it needs.
        assert_eq!(borders(100, &[1000.0, 1.0, 0.0], 4), [0, 92, 96, 100]);
        assert_eq!(borders(12, &[0.0, 1.0, 1e300], 4), [0, 4, 8, 12]);
    }

    #[test]
    fn parts_make_the_whole_and_halos_are_the_rows_of_others() {
        for (parts, steps) in (1..=5).map(|parts| (parts, 1)).chain([(2, 2), (3, 2), (2, 3)]) {
            for (dimension, extra, periodic) in [(0, 0, false), (0, 1, false), (1, 2, false), (1, 0, true)] {
                if 20 / parts < 3 * steps + extra {
                    continue;
                }
                let shares: Vec<f64> = (0..parts).map(|part| 1.0 + ((part + dimension) % 3) as f64).collect();
                let division = division(&shares, dimension, extra, periodic, steps);
                let mut extents = [3, 3];
                extents[dimension] = 20 + extra;
                let all: Vec<usize> = (0..extents.iter().product()).collect();
                let own = |part: usize| division.part_of(0, part, &extents, 1, &all);
                let mut pieces: Vec<Vec<usize>> = (0..division.len()).map(own).collect();
                for (part, piece) in pieces.iter().enumerate() {
                    assert_eq!(piece.len(), division.extents(0, part, &extents).iter().product::<usize>());
                    for (local, at) in piece.iter().enumerate() {
                        let index = division.index(0, part, &extents, local);
                        assert_eq!(index[0] * extents[1] + index[1], *at);
                        assert!(
                            division.places(0, &extents, *at).iter().any(|it| (it.0, it.1) == (part, local))
                        );
                    }
                }
                for at in &all {
                    let owners = division.places(0, &extents, *at);
                    assert_eq!(owners.iter().filter(|(_, _, is_own)| *is_own).count(), 1);
                }
                // What is overwritten by halos is what was there.
                let before = pieces.clone();
                for Halo { from: (from, first), to: (to, place), count } in division.halos(0) {
                    let strips = [from, to].map(|part| division.strips(0, part, &extents, 1));
                    for i in 0..strips[0].count {
                        let source = first * strips[0].row + i * strips[0].pitch;
                        let target = place * strips[1].row + i * strips[1].pitch;
                        for k in 0..count * strips[0].row {
                            pieces[to][target + k] = pieces[from][source + k] + 1_000_000;
                        }
                    }
                }
                // All rows that are not a part's own are.
                for (part, (piece, before)) in pieces.iter().zip(&before).enumerate() {
                    for (local, (now, was)) in piece.iter().zip(before).enumerate() {
                        let places = division.places(0, &extents, *was);
                        let is_own = places.contains(&(part, local, true));
                        assert_eq!(now % 1_000_000, *was);
                        assert_eq!(*now < 1_000_000, is_own, "{parts} {dimension} {extra} {periodic}");
                    }
                }
                assert_eq!(division.whole_of(0, &extents, 1, before), all);
                // What is not cut is everywhere.
                assert_eq!(division.part_of(1, division.len() - 1, &[4], 1, &[7, 8, 9, 6]), [7, 8, 9, 6]);
            }
        }
    }
}
