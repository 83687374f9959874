//! A search guided by a model of the cost.

use super::exhaustive::by_prior;
use super::features::Features;
use super::random::RandomOrder;
use super::{Outcome, Search, Seen};
use crate::random::Random;
use crate::space::Space;

/// The number of points tried before the model is asked.
const START: usize = 12;
/// How many of them are those of the best prior, where there is one.
const PRIOR: usize = 6;
/// Every so many points, one is a neighbour of the best points: a model that is wrong there is corrected.
const NEAR: usize = 3;
/// The number of the best points whose neighbours are considered.
const BEST: usize = 3;
/// The number of random points among which the model chooses.
const SAMPLE: usize = 3000;
/// The number of those that are worth an exact prediction.
const PROMISING: usize = 300;
/// The number of points that the model learns from, half of them the best and half the latest.
const ROWS: usize = 160;

/// A regression of the cost.
pub(super) trait Model {
    /// Learns from points, given by their features and costs.
    fn learn(&mut self, rows: &[&[f32]], costs: &[f64], random: &mut Random);

    /// The mean and the standard deviation of the cost of a point.
    fn predict(&self, features: &[f32]) -> (f64, f64);

    /// A cost that the point may have if it is a good one; it need not be exact, but is to be fast.
    fn optimistic(&self, features: &[f32]) -> f64;
}

/// Tries the point of which the model expects the greatest improvement.
pub(super) struct Guided<M> {
    model: M,
    random: Random,
    others: RandomOrder,
    /// What depends on the space only, once it is known.
    prepared: Option<(Features, Vec<usize>)>,
}

impl<M: Model> Guided<M> {
    pub(super) fn new(model: M, seed: u64) -> Self {
        Self { model, random: Random::new(seed), others: RandomOrder::new(!seed), prepared: None }
    }

    /// Unseen points for the model to choose from.
    fn candidates(&mut self, space: &Space, seen: &Seen) -> Vec<usize> {
        let unseen = |point: &usize| !seen.contains(*point);
        let mut best: Vec<_> = seen.costs().collect();
        best.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut near = best
            .iter()
            .take(BEST)
            .map(|&(point, _)| -> Vec<_> { space.neighbours(point).into_iter().filter(unseen).collect() });
        if seen.len().is_multiple_of(NEAR)
            && let Some(near) = near.find(|near| !near.is_empty())
        {
            return near;
        }
        let mut candidates: Vec<_> = (0..space.len()).filter(unseen).collect();
        if candidates.len() > SAMPLE {
            self.random.shuffle(&mut candidates);
            candidates.truncate(SAMPLE);
            candidates.extend(near.flatten());
        }
        candidates
    }

    /// The candidate of the greatest expected improvement on the cost 0.
    fn most_promising(&self, candidates: Vec<usize>, features: &Features) -> Option<usize> {
        let mut ranked: Vec<_> = (candidates.into_iter())
            .map(|point| (point, self.model.optimistic(features.of(point))))
            .collect();
        if ranked.len() > PROMISING {
            ranked.select_nth_unstable_by(PROMISING, |a, b| a.1.total_cmp(&b.1));
            ranked.truncate(PROMISING);
        }
        let improvement = |&(point, _): &(usize, f64)| {
            let (mean, deviation) = self.model.predict(features.of(point));
            (point, expected_improvement(-mean, deviation))
        };
        ranked.iter().map(improvement).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(point, _)| point)
    }
}

impl<M: Model> Search for Guided<M> {
    fn next(&mut self, space: &Space, seen: &Seen) -> Option<usize> {
        let (features, start) = match self.prepared.take() {
            Some(prepared) => prepared,
            None => (Features::new(space), start(space, &mut self.random)),
        };
        let next = if let Some(&point) = start.iter().find(|&&point| !seen.contains(point))
            && seen.len() < start.len()
        {
            Some(point)
        } else if let Some((points, costs)) = samples(seen) {
            let rows: Vec<_> = points.into_iter().map(|point| features.of(point)).collect();
            self.model.learn(&rows, &costs, &mut self.random);
            let candidates = self.candidates(space, seen);
            self.most_promising(candidates, &features)
        } else {
            // There is nothing to learn from failures alone.
            self.others.next(space, seen)
        };
        self.prepared = Some((features, start));
        next
    }
}

/// The points to start with: the best of the prior, then random ones of all alternatives in turn.
fn start(space: &Space, random: &mut Random) -> Vec<usize> {
    let mut start = if space.prior().is_empty() { Vec::new() } else { by_prior(space) };
    start.truncate(PRIOR);
    let mut groups = vec![Vec::new(); space.alternatives().len()];
    for (number, point) in space.points().iter().enumerate() {
        groups[point.alternative].push(number);
    }
    groups.iter_mut().for_each(|group| random.shuffle(group));
    // A small alternative would hardly be met among the points of all, and nothing be learnt about it.
    let length = START.max(start.len() + groups.len());
    for round in 0..length {
        let fresh = groups.iter().filter_map(|group| group.get(round)).filter(|point| !start.contains(point));
        let fresh: Vec<_> = fresh.copied().collect();
        start.extend(fresh);
    }
    start.truncate(length);
    start
}

/// What to learn from: points with the logarithms of their costs relative to the best. Failures count as the
/// worst cost. `None` if all failed.
fn samples(seen: &Seen) -> Option<(Vec<usize>, Vec<f64>)> {
    let (_, best) = seen.best()?;
    let worst = seen.costs().map(|(_, cost)| cost).fold(best, f64::max);
    // A cost of zero would be infinitely better than all others.
    let least = best.max(f64::MIN_POSITIVE);
    let target = |outcome| match outcome {
        Outcome::Cost(cost) => (cost.max(least) / least).ln(),
        Outcome::Failed => (worst.max(least) / least).ln(),
    };
    let mut rows: Vec<_> = seen.history().iter().map(|&(point, outcome)| (point, target(outcome))).collect();
    if rows.len() > ROWS {
        let latest = rows.split_off(rows.len() - ROWS / 2);
        rows.select_nth_unstable_by(ROWS / 2, |a, b| a.1.total_cmp(&b.1));
        rows.truncate(ROWS / 2);
        rows.extend(latest);
    }
    Some(rows.into_iter().unzip())
}

/// The mean of what a normally distributed gain exceeds 0 by.
fn expected_improvement(mean: f64, deviation: f64) -> f64 {
    let deviation = deviation.max(1e-9);
    let z = mean / deviation;
    let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    // A logistic approximation of the distribution function, with an error below 0.0002.
    let probability = 1.0 / (1.0 + (-1.5976 * z - 0.070_565 * z.powi(3)).exp());
    mean * probability + deviation * density
}

#[cfg(test)]
mod tests {
    use super::{START, expected_improvement, samples, start};
    use crate::random::Random;
    use crate::search::{Outcome, Seen};
    use crate::space::{Alternative, Parameter, Space};

    #[test]
    fn improvement_grows_with_mean_and_deviation() {
        assert!((expected_improvement(0.0, 1.0) - 0.398_942).abs() < 1e-5);
        assert!((expected_improvement(3.0, 1.0) - 3.000_382).abs() < 1e-3);
        assert!(expected_improvement(-1.0, 2.0) > expected_improvement(-1.0, 1.0));
        assert!(expected_improvement(0.5, 0.0) > expected_improvement(0.4, 0.0));
    }

    #[test]
    fn failures_count_as_the_worst_cost() {
        let outcomes = [Outcome::Cost(2.0), Outcome::Failed, Outcome::Cost(4.0)];
        let seen: Seen = outcomes.into_iter().enumerate().collect();
        assert_eq!(samples(&seen), Some((vec![0, 1, 2], vec![0.0, 2.0_f64.ln(), 2.0_f64.ln()])));
        assert_eq!(samples(&[(0, Outcome::Failed)].into_iter().collect()), None);
    }

    #[test]
    fn the_start_has_points_of_all_alternatives_and_the_best_of_the_prior() {
        let parameter = Parameter { name: "x".to_owned(), values: (0..100).collect() };
        let large = Alternative { name: "large".to_owned(), parameters: vec![parameter] };
        let small = Alternative { name: "small".to_owned(), parameters: vec![] };
        let space = Space::new(vec![large, small], |_, _| true);
        let points = start(&space, &mut Random::new(1));
        assert_eq!(points.len(), START);
        assert!(points.contains(&100));
        let space = space.with_prior(|_, values| values.first().map_or(0.0, |x| (x - 50) as f64).abs());
        assert!(start(&space, &mut Random::new(1)).contains(&50));
    }
}
