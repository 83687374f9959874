//! A Gaussian process as a model of the cost.

use super::guided::Model;
use crate::random::Random;

/// Every so many calls, the hyper-parameters are fitted again.
const EVERY: usize = 8;
/// The number of changes of the hyper-parameters that are tried then.
const CHANGES: usize = 30;
/// The number at the first time.
const FIRST_CHANGES: usize = 60;

/// Regression with the kernel `exp(-sum(rate * |difference|))` over the features.
///
/// This kernel admits the jumps that costs have between adjacent parameter values; smoother ones need about
/// twice as many points.
#[derive(Default)]
pub(super) struct Gaussian {
    /// How fast the correlation decreases, for every feature.
    rates: Vec<f32>,
    /// The variance of the noise, relative to that of the process.
    noise: f64,
    calls: usize,
    rows: Vec<Vec<f32>>,
    mean: f64,
    fit: Fit,
}

/// The solution for given hyper-parameters.
#[derive(Default)]
struct Fit {
    /// The rows of the lower triangular factor of the covariance, without the zeros.
    factor: Vec<Vec<f64>>,
    /// The inverse covariance times the costs.
    weights: Vec<f64>,
    variance: f64,
    /// The logarithm of the likelihood but for a constant.
    likelihood: f64,
}

impl Model for Gaussian {
    fn learn(&mut self, rows: &[&[f32]], costs: &[f64], random: &mut Random) {
        if self.rates.is_empty() {
            self.rates = vec![1.0; rows.first().map_or(0, |row| row.len())];
            self.noise = 1e-3;
        }
        self.mean = costs.iter().sum::<f64>() / costs.len() as f64;
        let costs: Vec<_> = costs.iter().map(|cost| cost - self.mean).collect();
        self.fit = Fit::new(rows, &costs, &self.rates, self.noise);
        if self.calls.is_multiple_of(EVERY) {
            let changes = if self.calls == 0 { FIRST_CHANGES } else { CHANGES };
            (0..changes).for_each(|change| self.climb(change, rows, &costs, random));
        }
        self.calls += 1;
        self.rows = rows.iter().map(|row| row.to_vec()).collect();
    }

    fn predict(&self, features: &[f32]) -> (f64, f64) {
        let covariances: Vec<_> = self.rows.iter().map(|row| kernel(row, features, &self.rates)).collect();
        let mean = self.mean + dot(&covariances, &self.fit.weights);
        let explained = forward(&self.fit.factor, covariances);
        let variance = self.fit.variance * (1.0 - dot(&explained, &explained));
        (mean, variance.max(0.0).sqrt())
    }

    /// The mean less a bound of the deviation: the nearest point alone explains less than all.
    fn optimistic(&self, features: &[f32]) -> f64 {
        let (mut mean, mut nearest) = (self.mean, 0.0_f64);
        for (row, weight) in self.rows.iter().zip(&self.fit.weights) {
            let covariance = kernel(row, features, &self.rates);
            mean += covariance * weight;
            nearest = nearest.max(covariance);
        }
        mean - (self.fit.variance * (1.0 - nearest * nearest)).sqrt()
    }
}

impl Gaussian {
    /// Changes the hyper-parameters at random and keeps the change if the likelihood grows.
    fn climb(&mut self, change: usize, rows: &[&[f32]], costs: &[f64], random: &mut Random) {
        let (mut rates, mut noise) = (self.rates.clone(), self.noise);
        let factor = (3.0 * random.unit() - 1.5).exp();
        let index = random.below(rates.len() + 1);
        // Now and then all rates change: they are often too low or too high in common.
        if change.is_multiple_of(8) {
            rates.iter_mut().for_each(|rate| *rate *= factor as f32);
        } else if let Some(rate) = rates.get_mut(index) {
            *rate *= factor as f32;
        } else {
            noise = (noise * factor * factor).clamp(1e-6, 0.3);
        }
        rates.iter_mut().for_each(|rate| *rate = rate.clamp(1e-3, 1e2));
        let fit = Fit::new(rows, costs, &rates, noise);
        if fit.likelihood > self.fit.likelihood {
            (self.rates, self.noise, self.fit) = (rates, noise, fit);
        }
    }
}

impl Fit {
    fn new(rows: &[&[f32]], costs: &[f64], rates: &[f32], noise: f64) -> Self {
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let covariances = rows[..index].iter().map(|other| kernel(row, other, rates)).collect();
            let mut last = forward(&factor, covariances);
            // The noise keeps this positive but for rounding.
            last.push((1.0 + noise - dot(&last, &last)).max(1e-9).sqrt());
            factor.push(last);
        }
        let size = rows.len() as f64;
        let reduced = forward(&factor, costs.to_vec());
        let variance = (dot(&reduced, &reduced) / size).max(1e-12);
        let determinant: f64 = factor.iter().filter_map(|row| row.last()).map(|d| d.ln()).sum();
        let weights = backward(&factor, reduced);
        Self { weights, factor, variance, likelihood: -0.5 * size * variance.ln() - determinant }
    }
}

/// The correlation of the costs of two points.
fn kernel(a: &[f32], b: &[f32], rates: &[f32]) -> f64 {
    let distance: f32 = a.iter().zip(b).zip(rates).map(|((a, b), rate)| rate * (a - b).abs()).sum();
    f64::from((-distance).exp())
}

/// Solves for `x` in `factor * x = values`.
fn forward(factor: &[Vec<f64>], mut values: Vec<f64>) -> Vec<f64> {
    for (index, row) in factor.iter().enumerate() {
        values[index] = (values[index] - dot(&row[..index], &values[..index])) / row[index];
    }
    values
}

/// Solves for `x` in `transpose(factor) * x = values`.
fn backward(factor: &[Vec<f64>], mut values: Vec<f64>) -> Vec<f64> {
    for (index, row) in factor.iter().enumerate().rev() {
        let solved = values[index] / row[index];
        values.iter_mut().zip(&row[..index]).for_each(|(value, entry)| *value -= solved * entry);
        values[index] = solved;
    }
    values
}

/// The scalar product, in four sums that the processor computes at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::{Gaussian, Model, backward, dot, forward};
    use crate::random::Random;

    #[test]
    fn triangular_systems_are_solved() {
        let factor = vec![vec![2.0], vec![1.0, 4.0]];
        assert_eq!(forward(&factor, vec![2.0, 9.0]), [1.0, 2.0]);
        assert_eq!(backward(&factor, vec![4.0, 8.0]), [1.0, 2.0]);
        let numbers: Vec<_> = (0..7).map(f64::from).collect();
        assert_eq!(dot(&numbers, &numbers), 91.0);
    }

    #[test]
    fn the_model_interpolates_and_knows_where_it_does_not() {
        let rows: Vec<_> = [0.0, 0.1, 0.2, 0.8, 0.9, 1.0].map(|x: f32| [x, 0.5]).to_vec();
        let costs: Vec<_> = rows.iter().map(|row| f64::from(row[0]).powi(2)).collect();
        let mut model = Gaussian::default();
        let rows: Vec<_> = rows.iter().map(|row| &row[..]).collect();
        model.learn(&rows, &costs, &mut Random::new(1));
        let (mean, deviation) = model.predict(&[0.9, 0.5]);
        assert!((mean - 0.81).abs() < 0.05, "{mean}");
        let (middle, unsure) = model.predict(&[0.5, 0.5]);
        assert!((0.04..0.64).contains(&middle), "{middle}");
        assert!(unsure > 3.0 * deviation, "{unsure} {deviation}");
        assert!(model.optimistic(&[0.5, 0.5]) <= middle - unsure);
    }

    #[test]
    fn equal_costs_and_equal_points_are_no_problem() {
        let mut model = Gaussian::default();
        model.learn(&[&[0.0], &[0.0], &[1.0]], &[1.0; 3], &mut Random::new(1));
        let (mean, deviation) = model.predict(&[0.3]);
        assert!((mean - 1.0).abs() < 1e-6 && deviation.is_finite());
    }
}
