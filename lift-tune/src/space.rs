//! The set of all versions and parameter values that can be tried.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A tunable parameter with its ordered domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name; parameters of the same name in several alternatives are taken to mean the same.
    pub name: String,
    /// The values it can have, in an order in which neighbours are expected to perform alike.
    pub values: Vec<i64>,
}

/// A version of a kernel, or a chain of steps, with its own parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The name of the version.
    pub name: String,
    /// Its parameters; there may be none.
    pub parameters: Vec<Parameter>,
}

/// One alternative with a value for each of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The index of the alternative.
    pub alternative: usize,
    /// The values of its parameters, in their order.
    pub values: Vec<i64>,
}

/// All feasible points, numbered from 0 and ordered by alternative.
#[derive(Clone, Debug)]
pub struct Space {
    alternatives: Vec<Alternative>,
    points: Vec<Point>,
    prior: Vec<f64>,
    numbers: HashMap<Point, usize>,
    /// The numbers of each alternative's points.
    ranges: Vec<Range<usize>>,
}

impl Space {
    /// Enumerates the product of the domains of each alternative and keeps what `feasible` accepts of the
    /// alternative with this number.
    ///
    /// Values that occur repeatedly in a domain are removed from it.
    pub fn new(mut alternatives: Vec<Alternative>, feasible: impl Fn(usize, &[i64]) -> bool) -> Self {
        for parameter in alternatives.iter_mut().flat_map(|alternative| &mut alternative.parameters) {
            let mut known = HashSet::new();
            parameter.values.retain(|&value| known.insert(value));
        }
        let mut space = Self {
            alternatives: Vec::new(),
            points: Vec::new(),
            prior: Vec::new(),
            numbers: HashMap::new(),
            ranges: Vec::new(),
        };
        for (index, alternative) in alternatives.iter().enumerate() {
            let start = space.points.len();
            for_each_choice(&alternative.parameters, |values| {
                if feasible(index, values) {
                    space.insert(Point { alternative: index, values: values.to_vec() });
                }
            });
            space.ranges.push(start..space.points.len());
        }
        space.alternatives = alternatives;
        space
    }

    fn insert(&mut self, point: Point) {
        self.numbers.insert(point.clone(), self.points.len());
        self.points.push(point);
    }

    /// Attaches a predicted cost to every point. Only the order of the costs matters.
    #[must_use]
    pub fn with_prior(mut self, predict: impl Fn(&Alternative, &[i64]) -> f64) -> Self {
        self.prior = (self.points.iter())
            .map(|point| predict(&self.alternatives[point.alternative], &point.values))
            .collect();
        self
    }

    /// The alternatives, among them those without feasible points.
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// The feasible points, without duplicates.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The predicted cost of every point, or nothing where there is no prediction.
    pub fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// The number of feasible points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether no point is feasible.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The number of a point, if it is feasible.
    pub fn number(&self, point: &Point) -> Option<usize> {
        self.numbers.get(point).copied()
    }

    /// The neighbours of a point, nearest first: one parameter changed to an adjacent value, then the points
    /// of other alternatives that agree in all parameters of the same name, then one parameter changed to
    /// any other value.
    ///
    /// Alternatives without a common parameter have no neighbours in each other, except that those without
    /// any parameters are neighbours of all.
    pub fn neighbours(&self, number: usize) -> Vec<usize> {
        let mut neighbours = Vec::new();
        let mut far = Vec::new();
        let mut point = self.points[number].clone();
        for (index, parameter) in self.alternatives[point.alternative].parameters.iter().enumerate() {
            let value = point.values[index];
            let position = parameter.values.iter().position(|&v| v == value).unwrap_or(0);
            for (other, &changed) in parameter.values.iter().enumerate() {
                point.values[index] = changed;
                let near = other.abs_diff(position) == 1;
                let group = if near { &mut neighbours } else { &mut far };
                group.extend(self.number(&point).filter(|&n| n != number));
            }
            point.values[index] = value;
        }
        neighbours.extend(self.counterparts(&point));
        neighbours.append(&mut far);
        neighbours
    }

    /// The points of other alternatives that agree with `point` in all parameters of the same name.
    fn counterparts(&self, point: &Point) -> Vec<usize> {
        let mut found = Vec::new();
        let own = &self.alternatives[point.alternative].parameters;
        for (index, alternative) in self.alternatives.iter().enumerate() {
            if index == point.alternative {
                continue;
            }
            let common: Vec<_> = (alternative.parameters.iter().enumerate())
                .filter_map(|(i, p)| {
                    Some((i, point.values[own.iter().position(|other| other.name == p.name)?]))
                })
                .collect();
            if common.is_empty() && !own.is_empty() && !alternative.parameters.is_empty() {
                continue;
            }
            let agrees = |&n: &usize| common.iter().all(|&(i, value)| self.points[n].values[i] == value);
            found.extend(self.ranges[index].clone().filter(agrees));
        }
        found
    }
}

/// Calls `visit` with every choice of values, the last parameter varying fastest.
fn for_each_choice(parameters: &[Parameter], mut visit: impl FnMut(&[i64])) {
    fn rest(parameters: &[Parameter], values: &mut Vec<i64>, visit: &mut impl FnMut(&[i64])) {
        let Some((first, others)) = parameters.split_first() else { return visit(values) };
        for &value in &first.values {
            values.push(value);
            rest(others, values, visit);
            values.pop();
        }
    }
    rest(parameters, &mut Vec::with_capacity(parameters.len()), &mut visit);
}

#[cfg(test)]
mod tests {
    use super::{Alternative, Parameter, Point, Space};

    fn alternative(name: &str, parameters: &[(&str, &[i64])]) -> Alternative {
        let parameters = (parameters.iter())
            .map(|&(name, values)| Parameter { name: name.to_owned(), values: values.to_vec() })
            .collect();
        Alternative { name: name.to_owned(), parameters }
    }

    fn points(space: &Space, numbers: &[usize]) -> Vec<(usize, Vec<i64>)> {
        numbers.iter().map(|&n| (space.points()[n].alternative, space.points()[n].values.clone())).collect()
    }

    #[test]
    fn feasible_points_are_numbered_once() {
        let domains = alternative("a", &[("x", &[1, 2, 2, 1, 4]), ("y", &[1, 3])]);
        let space = Space::new(vec![domains, alternative("b", &[])], |_, values| values != [2, 3]);
        assert_eq!(space.len(), 6);
        for (number, point) in space.points().iter().enumerate() {
            assert_eq!(space.number(point), Some(number));
        }
        assert_eq!(space.number(&Point { alternative: 0, values: vec![2, 3] }), None);
        assert_eq!(space.number(&Point { alternative: 1, values: vec![] }), Some(5));
    }

    #[test]
    fn neighbours_are_ordered_by_distance() {
        let xs = [1, 2, 4, 8];
        let alternatives = vec![
            alternative("a", &[("x", &xs), ("y", &[1, 2])]),
            alternative("b", &[("z", &[5, 6]), ("x", &[4, 2])]),
            alternative("c", &[("z", &[5])]),
            alternative("d", &[]),
        ];
        let space = Space::new(alternatives, |_, _| true);
        let number = space.number(&Point { alternative: 0, values: vec![2, 1] }).unwrap();
        let expected = [
            (0, vec![1, 1]),
            (0, vec![4, 1]),
            (0, vec![2, 2]),
            (1, vec![5, 2]),
            (1, vec![6, 2]),
            (3, vec![]),
            (0, vec![8, 1]),
        ];
        assert_eq!(points(&space, &space.neighbours(number)), expected);
        // The alternative without parameters leads everywhere.
        assert_eq!(space.neighbours(space.len() - 1), (0..space.len() - 1).collect::<Vec<_>>());
    }

    #[test]
    fn the_prior_is_computed_for_every_point() {
        let space = Space::new(vec![alternative("a", &[("x", &[3, 1])])], |_, _| true);
        assert!(space.prior().is_empty());
        assert_eq!(space.with_prior(|_, values| values[0] as f64).prior(), [3.0, 1.0]);
    }

    #[test]
    fn a_space_may_be_empty() {
        assert!(Space::new(vec![alternative("a", &[("x", &[])])], |_, _| true).is_empty());
    }
}
