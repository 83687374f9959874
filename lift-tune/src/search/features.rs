//! Points as vectors of numbers, for models of the cost.

use crate::space::{Point, Space};

/// The features of all points of a space, each scaled to the range from 0 to 1.
pub(super) struct Features {
    /// The number of features; it is 0 for spaces of one point.
    columns: usize,
    /// The features of the first point, then those of the second, and so on.
    values: Vec<f32>,
}

impl Features {
    /// Describes every point by its parameter values, its alternative and the rank of its prior.
    pub(super) fn new(space: &Space) -> Self {
        let mut columns = Vec::new();
        for name in names(space) {
            let value = |point: &Point| value(space, point, name);
            columns.push(column(space, |point| value(point).map_or(0.0, magnitude)));
            // What matters of sizes on devices is often the greatest power of two that divides them.
            columns.push(column(space, |point| value(point).map_or(0.0, alignment)));
        }
        for index in 0..space.alternatives().len() {
            columns.push(column(space, |point| f32::from(u8::from(point.alternative == index))));
        }
        columns.push(ranks(space.prior()));
        columns.retain_mut(|column| scale(column));
        let row = |point: usize| columns.iter().map(move |column| column[point]);
        Self { columns: columns.len(), values: (0..space.len()).flat_map(row).collect() }
    }

    /// The features of a point.
    pub(super) fn of(&self, point: usize) -> &[f32] {
        &self.values[point * self.columns..(point + 1) * self.columns]
    }
}

/// The names of all parameters, each once.
fn names(space: &Space) -> Vec<&str> {
    let mut names = Vec::new();
    for parameter in space.alternatives().iter().flat_map(|alternative| &alternative.parameters) {
        if !names.contains(&parameter.name.as_str()) {
            names.push(parameter.name.as_str());
        }
    }
    names
}

/// The value of the parameter called `name`, if the point's alternative has it.
fn value(space: &Space, point: &Point, name: &str) -> Option<i64> {
    let parameters = &space.alternatives()[point.alternative].parameters;
    parameters.iter().position(|parameter| parameter.name == name).map(|index| point.values[index])
}

fn column(space: &Space, feature: impl Fn(&Point) -> f32) -> Vec<f32> {
    space.points().iter().map(feature).collect()
}

/// The logarithm of a value, extended to 0 and to negative values: the ratio of sizes matters.
fn magnitude(value: i64) -> f32 {
    let size = value.unsigned_abs() as f32;
    (1.0 + size).log2().copysign(value as f32)
}

/// The exponent of the greatest power of two that divides a value; 0 for flags.
fn alignment(value: i64) -> f32 {
    if value == 0 { 0.0 } else { value.trailing_zeros() as f32 }
}

/// The place of each cost in ascending order; equal costs have equal ranks.
fn ranks(costs: &[f64]) -> Vec<f32> {
    let mut sorted = costs.to_vec();
    sorted.sort_by(f64::total_cmp);
    costs.iter().map(|cost| sorted.partition_point(|other| other.total_cmp(cost).is_lt()) as f32).collect()
}

/// Scales a column to the range from 0 to 1, or returns that it tells no points apart.
fn scale(column: &mut [f32]) -> bool {
    let low = column.iter().copied().fold(f32::INFINITY, f32::min);
    let high = column.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    column.iter_mut().for_each(|value| *value = (*value - low) / (high - low));
    low < high
}

#[cfg(test)]
mod tests {
    use super::Features;
    use crate::space::{Alternative, Parameter, Space};

    fn alternative(name: &str, values: &[(&str, &[i64])]) -> Alternative {
        let parameters = (values.iter())
            .map(|&(name, values)| Parameter { name: name.to_owned(), values: values.to_vec() })
            .collect();
        Alternative { name: name.to_owned(), parameters }
    }

    #[test]
    fn features_are_scaled_and_tell_points_apart() {
        let alternatives = vec![
            alternative("a", &[("x", &[1, 3, 7]), ("same", &[5])]),
            alternative("b", &[("x", &[1]), ("flag", &[0, 1])]),
        ];
        let space = Space::new(alternatives, |_, _| true);
        let features = Features::new(&space);
        // The magnitudes of `x`, `same` and `flag` (those of an absent parameter are 0) and two alternatives;
        // no alignment differs.
        assert_eq!(features.of(0).len(), 5);
        assert_eq!(features.of(1), [0.5, 1.0, 0.0, 1.0, 0.0]);
        for point in 1..space.len() {
            assert!((0..point).all(|other| features.of(other) != features.of(point)));
        }
    }

    #[test]
    fn the_prior_is_a_feature() {
        let space = Space::new(vec![alternative("a", &[("x", &[0, 1, 3])])], |_, _| true);
        let space = space.with_prior(|_, values| -values[0] as f64);
        assert_eq!(Features::new(&space).of(0), [0.0, 1.0]);
        assert_eq!(Features::new(&space).of(1), [0.5, 0.5]);
    }

    #[test]
    fn one_point_has_no_features() {
        let space = Space::new(vec![alternative("a", &[])], |_, _| true);
        assert_eq!(Features::new(&space).of(0), [0.0; 0]);
    }
}
