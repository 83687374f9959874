//! The strategies by name.

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

/// A strategy, as it is named in options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
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

impl Strategy {
    /// All strategies.
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

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStrategy(String);

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        write!(f, "unknown strategy `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|strategy| strategy.name() == name);
        found.ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

/// A new search; for the same seed, space and outcomes it asks for the same points.
pub fn searcher(strategy: Strategy, seed: u64) -> Box<dyn Search + Send> {
    match strategy {
        Strategy::Exhaustive => Box::new(Exhaustive::default()),
        Strategy::Random => Box::new(RandomOrder::new(seed)),
        Strategy::Local => Box::new(Local::new(seed)),
        Strategy::Genetic => Box::new(Genetic::new(seed)),
        Strategy::Forest => Box::new(Guided::new(Forest::default(), seed)),
        Strategy::Gaussian => Box::new(Guided::new(Gaussian::default(), seed)),
    }
}

#[cfg(test)]
mod tests {
    use super::Strategy;

    #[test]
    fn names_are_parsed() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        let error = "annealing".parse::<Strategy>().unwrap_err().to_string();
        assert!(error.starts_with("unknown strategy `annealing`; there are exhaustive, random,"), "{error}");
    }
}
