//! The search algorithms by name.

use std::fmt;
use std::str::FromStr;

use super::Search;
use super::exhaustive::Exhaustive;
use super::forest::Forest;
use super::gaussian::Gaussian;
use super::genetic::Genetic;
use super::guided::Guided;
use super::local::Local;
use super::random::RandomOrder;

/// A search algorithm, as it is named in options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// All points in order, those of the best prior first.
    Exhaustive,
    /// All points in random order.
    Random,
    /// Hill climbing, restarted at random points.
    Local,
    /// Recombination and mutation of the best points.
    Genetic,
    /// The points of which an ensemble of regression trees expects the greatest improvement.
    Forest,
    /// The points of which a Gaussian process expects the greatest improvement; the fewest trials of all.
    #[default]
    Gaussian,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 6] =
        [Self::Exhaustive, Self::Random, Self::Local, Self::Genetic, Self::Forest, Self::Gaussian];

    /// The name, as parsed and displayed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::Random => "random",
            Self::Local => "local",
            Self::Genetic => "genetic",
            Self::Forest => "forest",
            Self::Gaussian => "gaussian",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm(String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Algorithm::ALL.map(Algorithm::name).join(", ");
        write!(f, "there is no search `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

/// A new search; for the same seed, space and outcomes it asks for the same points.
pub fn searcher(algorithm: Algorithm, seed: u64) -> Box<dyn Search + Send> {
    match algorithm {
        Algorithm::Exhaustive => Box::new(Exhaustive::default()),
        Algorithm::Random => Box::new(RandomOrder::new(seed)),
        Algorithm::Local => Box::new(Local::new(seed)),
        Algorithm::Genetic => Box::new(Genetic::new(seed)),
        Algorithm::Forest => Box::new(Guided::new(Forest::default(), seed)),
        Algorithm::Gaussian => Box::new(Guided::new(Gaussian::default(), seed)),
    }
}

#[cfg(test)]
mod tests {
    use super::Algorithm;

    #[test]
    fn names_are_parsed() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        let error = "annealing".parse::<Algorithm>().unwrap_err().to_string();
        assert!(
            error.starts_with("there is no search `annealing`; there are exhaustive, random,"),
            "{error}"
        );
    }
}
