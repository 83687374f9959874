//! What a loop along a row reads and writes element by element.
//!
//! Before: the statements of a loop whose trips do not depend on each other. After: the stretches of arrays that belong to its trips, one
//! after the other: an element for each trip, or a few, as the colours of a pixel are. Of a stretch that is as long as the loop, a compiler
//! knows that no index is out of range.

use crate::arith::{ArithExpr, Var};
use crate::imp::ast::Stmt;
use crate::memory::BufferId;

/// More elements for a trip are a row of their own.
pub(super) const MOST_OF_A_TRIP: i64 = 16;

/// A few elements side by side for each trip, and as far from those of the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stretch {
    /// The array.
    pub(super) buffer: BufferId,
    /// How far the elements of a trip are from those of the one before; negative where trips go back through the array.
    pub(super) step: i64,
    /// The index of the first element of the first trip, counted from the trip with the index 0.
    pub(super) base: ArithExpr,
    /// How far the last element of a trip is from its first; less than a step is long.
    pub(super) reach: i64,
}

impl Stretch {
    /// An element of each trip.
    fn of(buffer: BufferId, index: &[ArithExpr], var: &Var) -> Option<Stretch> {
        let [index] = index else { return None };
        let (by, base) = index.linear_in(var)?;
        let step = by.as_const().filter(|step| (1..=MOST_OF_A_TRIP).contains(&step.abs()))?;
        Some(Stretch { buffer, step, base, reach: 0 })
    }

    /// Which element of a trip this one is, if it belongs to the stretch.
    pub(super) fn offset(&self, buffer: BufferId, index: &[ArithExpr], var: &Var) -> Option<i64> {
        let element = Stretch::of(buffer, index, var)?;
        let offset = self.distance(&element)?;
        (0..=self.reach).contains(&offset).then_some(offset)
    }

    /// Whether there is nothing between the elements of a trip and those of the next.
    pub(super) fn is_whole(&self) -> bool {
        self.reach + 1 == self.step.abs()
    }

    /// The number of elements for so many trips.
    pub(super) fn len(&self, trips: i64) -> i64 {
        self.step.abs() * (trips - 1) + self.reach + 1
    }

    /// How far the elements of another stretch are from those of the same trips.
    fn distance(&self, other: &Stretch) -> Option<i64> {
        let is_alike = (self.buffer, self.step) == (other.buffer, other.step);
        if is_alike { (&other.base - &self.base).as_const() } else { None }
    }

    /// Adds elements that lie beside those of a trip, if they do.
    fn extend(&mut self, other: &Stretch) -> bool {
        let Some(distance) = self.distance(other) else { return false };
        let (first, last) = (distance.min(0), distance.max(self.reach));
        let fits = last - first < self.step.abs();
        if fits {
            self.base = &self.base + first;
            self.reach = last - first;
        }
        fits
    }
}

/// What a loop reads and writes element by element: the stretches that are read, and those that are written and perhaps read, by their
/// arrays. An array that it writes has only such accesses, or none counts.
pub(super) fn stretches(
    body: &[Stmt],
    var: &Var,
    is_array: &dyn Fn(BufferId) -> bool,
) -> (Vec<Stretch>, Vec<(BufferId, Vec<Stretch>)>) {
    let mut inside: Vec<Var> = Vec::new();
    body.iter().for_each(|stmt| stmt.visit(&mut |s| inside.extend(s.index().cloned())));
    let is_known = |stretch: &Stretch| inside.iter().all(|var| !stretch.base.contains(var));
    let (mut written, mut others): (Vec<BufferId>, Vec<BufferId>) = (Vec::new(), Vec::new());
    let mut all: Vec<Stretch> = Vec::new();
    body.iter().for_each(|stmt| {
        stmt.visit(&mut |s| {
            s.accesses(&mut |id, is_write, lanes, index| {
                if is_write && !written.contains(&id) {
                    written.push(id);
                }
                let is_stretch = |it: &Stretch| lanes == 1 && is_known(it) && (it.step > 0 || !is_write);
                match Stretch::of(id, index, var).filter(is_stretch) {
                    Some(new) => {
                        if !all.iter_mut().any(|stretch| stretch.extend(&new)) {
                            all.push(new);
                        }
                    }
                    None => others.push(id),
                }
            });
        });
    });
    let (mut reads, mut writes): (Vec<Stretch>, Vec<(BufferId, Vec<Stretch>)>) = (Vec::new(), Vec::new());
    for stretch in all.into_iter().filter(|it| is_array(it.buffer)) {
        if !written.contains(&stretch.buffer) {
            reads.push(stretch);
        } else if !others.contains(&stretch.buffer) {
            match writes.iter_mut().find(|(id, _)| *id == stretch.buffer) {
                Some((_, list)) => list.push(stretch),
                None => writes.push((stretch.buffer, vec![stretch])),
            }
        }
    }
    (reads, writes)
}

#[cfg(test)]
mod tests {
    use crate::host::testing::text;

    #[test]
    fn rows_may_be_read_backwards() {
        let text = text("#[kernel] fn Back<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] { x.map(reverse) }");
        assert!(text.contains("s1[trip] = s0[(64 - 1 - trip)];"), "{text}");
    }
}
