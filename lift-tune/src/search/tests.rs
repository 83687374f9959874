//! What holds for all algorithms.

use proptest::prelude::*;

use super::{Algorithm, Outcome, Search, Seen, searcher};
use crate::space::{Alternative, Parameter, Space};

fn alternative(name: &str, parameters: &[(&str, &[i64])]) -> Alternative {
    let parameters = (parameters.iter())
        .map(|&(name, values)| Parameter { name: name.to_owned(), values: values.to_vec() })
        .collect();
    Alternative { name: name.to_owned(), parameters }
}

/// Two versions with common parameters and one without any.
fn space() -> Space {
    let sizes = [1, 2, 4, 8, 16, 32, 64, 128];
    let tiled = alternative("tiled", &[("x", &sizes), ("y", &sizes), ("tile", &[1, 2, 3, 4])]);
    let plain = alternative("plain", &[("x", &sizes), ("y", &sizes)]);
    let feasible = |_: usize, values: &[i64]| values.len() < 2 || values[0] * values[1] <= 256;
    Space::new(vec![plain, alternative("naive", &[]), tiled], feasible)
}

/// A smooth cost with one optimum, and failures where the product of the parameters is large.
fn outcome(space: &Space, number: usize) -> Outcome {
    let point = &space.points()[number];
    let distance = |value: i64, optimum: f64| ((value as f64).log2() - optimum).abs();
    match point.values[..] {
        [x, y, tile] if x * y * tile > 512 => Outcome::Failed,
        [x, y, tile] => Outcome::Cost(1.0 + distance(x, 5.0) + distance(y, 2.0) + (tile - 3).abs() as f64),
        [x, y] => Outcome::Cost(2.0 + distance(x, 5.0) + distance(y, 2.0)),
        _ => Outcome::Cost(12.0),
    }
}

/// Asks for at most `count` points, records what came of each, and returns them.
fn run(search: &mut dyn Search, space: &Space, seen: &mut Seen, count: usize) -> Vec<usize> {
    let mut points = Vec::new();
    while points.len() < count
        && let Some(point) = search.next(space, seen)
    {
        assert!(!seen.contains(point), "{point} is asked for again");
        seen.record(point, outcome(space, point));
        points.push(point);
    }
    points
}

/// The mean number of trials until the optimum is found.
fn trials(algorithm: Algorithm, space: &Space) -> f64 {
    let total: usize = (0..3)
        .map(|seed| {
            let (mut search, mut seen) = (searcher(algorithm, seed), Seen::new());
            while seen.best().is_none_or(|(_, cost)| cost > 1.0) {
                run(&mut *search, space, &mut seen, 1);
            }
            seen.len()
        })
        .sum();
    total as f64 / 3.0
}

#[test]
fn every_point_is_tried_once() {
    let space = Space::new(space().alternatives().to_vec(), |_, values| values.iter().sum::<i64>() < 11);
    for algorithm in Algorithm::ALL {
        let (mut search, mut seen) = (searcher(algorithm, 1), Seen::new());
        assert_eq!(run(&mut *search, &space, &mut seen, usize::MAX).len(), space.len(), "{algorithm}");
        assert_eq!(search.next(&space, &seen), None);
    }
}

#[test]
fn the_optimum_is_found_faster_than_at_random() {
    let space = space();
    let random = trials(Algorithm::Random, &space);
    for algorithm in [Algorithm::Local, Algorithm::Genetic, Algorithm::Forest, Algorithm::Gaussian] {
        let guided = trials(algorithm, &space);
        assert!(guided < 0.7 * random, "{algorithm}: {guided}, random: {random}");
    }
}

#[test]
fn a_good_prior_shortens_the_search() {
    let space = space().with_prior(|_, values| match values {
        [x, y, tile] => ((x - 32).abs() + (y - 4).abs() + (tile - 2).abs()) as f64,
        _ => 1000.0,
    });
    for algorithm in [Algorithm::Exhaustive, Algorithm::Forest, Algorithm::Gaussian] {
        assert!(trials(algorithm, &space) < 10.0, "{algorithm}");
    }
}

#[test]
fn the_seed_determines_the_points() {
    let space = space();
    let points = |algorithm, seed| run(&mut *searcher(algorithm, seed), &space, &mut Seen::new(), 20);
    for algorithm in Algorithm::ALL {
        assert_eq!(points(algorithm, 1), points(algorithm, 1), "{algorithm}");
        assert!(
            algorithm == Algorithm::Exhaustive || points(algorithm, 1) != points(algorithm, 2),
            "{algorithm}"
        );
    }
}

#[test]
fn small_spaces_and_empty_ones_are_searched() {
    for (alternatives, count) in [(vec![], 0), (vec![alternative("a", &[])], 1)] {
        let space = Space::new(alternatives, |_, _| true);
        for algorithm in Algorithm::ALL {
            let points = run(&mut *searcher(algorithm, 1), &space, &mut Seen::new(), usize::MAX);
            assert_eq!(points.len(), count, "{algorithm}");
        }
    }
}

#[test]
fn failures_do_not_end_a_search() {
    let space = space();
    for algorithm in Algorithm::ALL {
        let (mut search, mut seen) = (searcher(algorithm, 1), Seen::new());
        while let Some(point) = search.next(&space, &seen) {
            seen.record(point, Outcome::Failed);
        }
        assert_eq!(seen.len(), space.len(), "{algorithm}");
    }
}

#[test]
fn outcomes_recorded_earlier_are_used() {
    let space = space();
    let good = (0..space.len()).find(|&point| outcome(&space, point) == Outcome::Cost(2.0)).unwrap();
    let near = space.neighbours(good);
    for algorithm in [Algorithm::Local, Algorithm::Genetic, Algorithm::Gaussian] {
        let mut seen = Seen::new();
        run(&mut *searcher(Algorithm::Random, 7), &space, &mut seen, 40);
        seen.record(good, outcome(&space, good));
        let points = run(&mut *searcher(algorithm, 1), &space, &mut seen, 6);
        assert!(points.iter().any(|point| near.contains(point)), "{algorithm}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn searches_are_resumed(tried in prop::collection::btree_set(0_usize..40, 0..40), algorithm in 0..Algorithm::ALL.len()) {
        let space = Space::new(vec![alternative("a", &[("x", &[0, 1, 2, 3, 4, 5, 6, 7]), ("y", &[1, 2, 3, 4, 5])])], |_, _| true);
        let mut seen: Seen = tried.into_iter().map(|point| (point, outcome(&space, point))).collect();
        run(&mut *searcher(Algorithm::ALL[algorithm], 3), &space, &mut seen, usize::MAX);
        prop_assert_eq!(seen.len(), space.len());
    }
}
