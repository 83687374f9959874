//! The outcomes of the points tried so far.

use std::collections::HashMap;

/// What came of trying a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// The cost measured, for example a time; less is better.
    Cost(f64),
    /// The point could not be compiled or run, or gave a wrong result.
    Failed,
}

/// The outcome of every point tried so far, in the order of the trials.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    history: Vec<(usize, Outcome)>,
    /// The place of each point in the history.
    places: HashMap<usize, usize>,
}

impl Seen {
    /// Nothing tried yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the outcome of a point; it replaces an earlier one. A cost that is not finite is a failure.
    pub fn record(&mut self, point: usize, outcome: Outcome) {
        let outcome = match outcome {
            Outcome::Cost(cost) if cost.is_finite() => outcome,
            Outcome::Cost(_) | Outcome::Failed => Outcome::Failed,
        };
        let place = *self.places.entry(point).or_insert(self.history.len());
        if let Some(entry) = self.history.get_mut(place) {
            entry.1 = outcome;
        } else {
            self.history.push((point, outcome));
        }
    }

    /// Whether the point has been tried.
    pub fn contains(&self, point: usize) -> bool {
        self.places.contains_key(&point)
    }

    /// The outcome of a point, if it has been tried.
    pub fn outcome(&self, point: usize) -> Option<Outcome> {
        self.places.get(&point).map(|&place| self.history[place].1)
    }

    /// The cost of a point, if it has been tried and did not fail.
    pub fn cost(&self, point: usize) -> Option<f64> {
        match self.outcome(point)? {
            Outcome::Cost(cost) => Some(cost),
            Outcome::Failed => None,
        }
    }

    /// All points tried with their outcomes, in the order of the first trials.
    pub fn history(&self) -> &[(usize, Outcome)] {
        &self.history
    }

    /// The points that did not fail with their costs, in the order of the first trials.
    pub fn costs(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.history.iter().filter_map(|&(point, outcome)| match outcome {
            Outcome::Cost(cost) => Some((point, cost)),
            Outcome::Failed => None,
        })
    }

    /// The point of least cost with its cost; the first of several.
    pub fn best(&self) -> Option<(usize, f64)> {
        self.costs().min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The number of points tried.
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether nothing has been tried.
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }
}

impl FromIterator<(usize, Outcome)> for Seen {
    fn from_iter<I: IntoIterator<Item = (usize, Outcome)>>(outcomes: I) -> Self {
        let mut seen = Self::new();
        outcomes.into_iter().for_each(|(point, outcome)| seen.record(point, outcome));
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Seen};

    #[test]
    fn the_last_outcome_of_a_point_counts() {
        let mut seen: Seen = [(3, Outcome::Cost(2.0)), (1, Outcome::Cost(1.0))].into_iter().collect();
        seen.record(1, Outcome::Failed);
        assert_eq!(seen.history(), [(3, Outcome::Cost(2.0)), (1, Outcome::Failed)]);
        assert_eq!(seen.best(), Some((3, 2.0)));
        assert_eq!((seen.cost(1), seen.cost(3), seen.outcome(2)), (None, Some(2.0), None));
    }

    #[test]
    fn a_cost_that_is_not_finite_is_a_failure() {
        let seen: Seen =
            [(0, Outcome::Cost(f64::NAN)), (1, Outcome::Cost(f64::INFINITY))].into_iter().collect();
        assert!(seen.history().iter().all(|&(_, outcome)| outcome == Outcome::Failed));
        assert_eq!((seen.len(), seen.best()), (2, None));
    }
}
