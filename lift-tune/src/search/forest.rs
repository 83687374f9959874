//! An ensemble of randomised regression trees as a model of the cost.

use super::guided::Model;
use crate::random::Random;

const TREES: usize = 30;
/// Fewer points than twice this are not divided.
const LEAF: usize = 2;

/// Trees that differ by the random thresholds at which they divide the points.
#[derive(Default)]
pub(super) struct Forest(Vec<Tree>);

enum Tree {
    Leaf { mean: f64, variance: f64 },
    Split { feature: usize, threshold: f32, low: Box<Tree>, high: Box<Tree> },
}

impl Model for Forest {
    fn learn(&mut self, rows: &[&[f32]], costs: &[f64], random: &mut Random) {
        let mut samples: Vec<_> = rows.iter().copied().zip(costs.iter().copied()).collect();
        self.0 = (0..TREES).map(|_| Tree::grow(&mut samples, random)).collect();
    }

    /// The deviation has two parts: among the trees and in the leaves.
    fn predict(&self, features: &[f32]) -> (f64, f64) {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (mean, variance) in self.0.iter().map(|tree| tree.leaf(features)) {
            sum += mean;
            squares += mean * mean + variance;
        }
        let mean = sum / TREES as f64;
        (mean, (squares / TREES as f64 - mean * mean).max(0.0).sqrt())
    }

    fn optimistic(&self, features: &[f32]) -> f64 {
        let (mean, deviation) = self.predict(features);
        mean - deviation
    }
}

impl Tree {
    /// Divides the samples as long as that reduces the variance, and reorders them thereby.
    fn grow(samples: &mut [(&[f32], f64)], random: &mut Random) -> Self {
        let size = samples.len() as f64;
        let sum: f64 = samples.iter().map(|(_, cost)| cost).sum();
        let mean = sum / size;
        let variance = samples.iter().map(|(_, cost)| (cost - mean).powi(2)).sum::<f64>() / size;
        let leaf = Self::Leaf { mean, variance };
        if samples.len() < 2 * LEAF || variance < 1e-12 {
            return leaf;
        }
        let columns = samples[0].0.len();
        let splits = (0..columns).filter_map(|feature| split(samples, sum, feature, random));
        let Some((_, feature, threshold)) = splits.max_by(|a, b| a.0.total_cmp(&b.0)) else { return leaf };
        let mut middle = 0;
        for index in 0..samples.len() {
            if samples[index].0[feature] <= threshold {
                samples.swap(index, middle);
                middle += 1;
            }
        }
        let (low, high) = samples.split_at_mut(middle);
        let (low, high) = (Box::new(Self::grow(low, random)), Box::new(Self::grow(high, random)));
        Self::Split { feature, threshold, low, high }
    }

    /// The mean and the variance of the leaf that a point falls into.
    fn leaf(&self, features: &[f32]) -> (f64, f64) {
        let mut tree = self;
        loop {
            match tree {
                Self::Leaf { mean, variance } => return (*mean, *variance),
                Self::Split { feature, threshold, low, high } => {
                    tree = if features[*feature] <= *threshold { low } else { high };
                }
            }
        }
    }
}

/// A division by a feature at a random threshold: how good it is, the feature and the threshold.
fn split(
    samples: &[(&[f32], f64)],
    sum: f64,
    feature: usize,
    random: &mut Random,
) -> Option<(f64, usize, f32)> {
    let values = samples.iter().map(|(features, _)| features[feature]);
    let least = values.clone().fold(f32::INFINITY, f32::min);
    let greatest = values.fold(f32::NEG_INFINITY, f32::max);
    let threshold = least + (greatest - least) * random.unit() as f32;
    // The second condition fails for no width and where rounding reaches the upper end.
    if !(least <= threshold && threshold < greatest) {
        return None;
    }
    let (mut count, mut low) = (0.0, 0.0);
    for (_, cost) in samples.iter().filter(|(features, _)| features[feature] <= threshold) {
        count += 1.0;
        low += cost;
    }
    let others = samples.len() as f64 - count;
    // The variance within the two parts is least where this is greatest.
    Some((low * low / count + (sum - low).powi(2) / others, feature, threshold))
}

#[cfg(test)]
mod tests {
    use super::{Forest, Model};
    use crate::random::Random;

    #[test]
    fn a_step_is_learnt() {
        let rows: Vec<_> = (0..40).map(|i| [(i % 8) as f32 / 7.0, (i / 8) as f32 / 4.0]).collect();
        let costs: Vec<_> = rows.iter().map(|row| if row[0] < 0.5 { 1.0 } else { 3.0 }).collect();
        let rows: Vec<_> = rows.iter().map(|row| &row[..]).collect();
        let mut forest = Forest::default();
        forest.learn(&rows, &costs, &mut Random::new(1));
        assert!((forest.predict(&[0.1, 0.3]).0 - 1.0).abs() < 1e-6);
        assert!((forest.predict(&[0.9, 0.3]).0 - 3.0).abs() < 1e-6);
        let (_, deviation) = forest.predict(&[0.5, 0.5]);
        assert!(deviation > 0.1, "{deviation}");
    }

    #[test]
    fn points_without_features_give_the_mean() {
        let mut forest = Forest::default();
        forest.learn(&[&[], &[], &[], &[]], &[1.0, 2.0, 3.0, 6.0], &mut Random::new(1));
        assert_eq!(forest.predict(&[]).0, 3.0);
    }
}
