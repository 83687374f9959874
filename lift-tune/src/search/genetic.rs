//! A genetic search.

use super::random::RandomOrder;
use super::{Search, Seen};
use crate::random::Random;
use crate::space::{Point, Space};

/// The number of random points at the start.
const START: usize = 20;
/// The number of the best points that have offspring.
const PARENTS: usize = 12;
/// How often offspring is made anew when it is infeasible or seen, before a random point is taken.
const ATTEMPTS: usize = 50;

/// Recombines the best points seen and changes them a little.
pub(super) struct Genetic {
    random: Random,
    others: RandomOrder,
}

impl Genetic {
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), others: RandomOrder::new(!seed) }
    }

    /// A point with each value from one of the parents, and some values changed.
    fn offspring(&mut self, mother: &Point, father: &Point, space: &Space) -> Option<usize> {
        let mut child = mother.clone();
        let parameters = &space.alternatives()[mother.alternative].parameters;
        let foreign = &space.alternatives()[father.alternative].parameters;
        for (parameter, value) in parameters.iter().zip(&mut child.values) {
            if let Some(index) = foreign.iter().position(|other| other.name == parameter.name)
                && self.random.below(2) == 0
            {
                *value = father.values[index];
            }
        }
        let child = space.number(&child)?;
        if self.random.below(3) == 0 {
            Some(child)
        } else {
            self.random.choose(&space.neighbours(child)).copied()
        }
    }
}

impl Search for Genetic {
    fn next(&mut self, space: &Space, seen: &Seen) -> Option<usize> {
        let mut parents: Vec<_> = seen.costs().collect();
        if seen.len() >= START {
            parents.sort_by(|a, b| a.1.total_cmp(&b.1));
            parents.truncate(PARENTS);
            for _ in 0..ATTEMPTS {
                let (Some(&(mother, _)), Some(&(father, _))) =
                    (self.random.choose(&parents), self.random.choose(&parents))
                else {
                    break;
                };
                let child = self.offspring(&space.points()[mother], &space.points()[father], space);
                if let Some(child) = child.filter(|&child| !seen.contains(child)) {
                    return Some(child);
                }
            }
        }
        self.others.next(space, seen)
    }
}
