//! Measuring point after point until there is reason to stop.

use std::io;
use std::time::{Duration, Instant};

use crate::journal::{Journal, Measurement};
use crate::search::{Algorithm, Outcome, Seen, searcher};
use crate::space::Space;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// After so long.
    pub time: Option<Duration>,
    /// After so many points that were measured now.
    pub trials: Option<usize>,
    /// As soon as a point takes no longer than so many microseconds: what the device's ceilings allow.
    pub good: Option<f64>,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Points of which the time is known, or why they have none.
    pub tried: usize,
    /// All points.
    pub points: usize,
    /// The best point so far and its time in microseconds.
    pub best: Option<(usize, f64)>,
    /// The time of the point that is tried before all others.
    pub first: Option<f64>,
    /// What is left of the time.
    pub left: Option<Duration>,
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Every point that was tried: those that the journal knew, and then the others in the order in which they were tried.
    pub measurements: Vec<(usize, Measurement)>,
    /// The best point and its time in microseconds.
    pub best: Option<(usize, f64)>,
    /// How many were measured now.
    pub now: usize,
    /// Whether every point was tried.
    pub is_complete: bool,
}

/// One tuning of a kernel.
#[derive(Debug)]
pub struct Session<'a> {
    /// What there is to try.
    pub space: &'a Space,
    /// For every point, a name that says all that its time depends on: the text that is run, tunables, sizes, device.
    pub names: &'a [String],
    /// How points are chosen.
    pub algorithm: Algorithm,
    /// The same choices for the same seed and the same times.
    pub seed: u64,
    /// When to stop.
    pub budget: Budget,
}

impl Session<'_> {
    /// Tries points that the journal does not know. `first` are tried before others, in this order: what a launch takes without tuning, for
    /// example. `measure` is given a point and the best time so far, so that losers can be given up early; `look` is told after every point, and
    /// says whether to go on.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub fn run(
        &self,
        mut journal: Option<&mut Journal>,
        first: &[usize],
        mut measure: impl FnMut(usize, Option<f64>) -> Measurement,
        mut look: impl FnMut(&Progress) -> bool,
    ) -> io::Result<Summary> {
        let start = Instant::now();
        let mut seen = Seen::new();
        let mut measurements = Vec::new();
        if let Some(journal) = &journal {
            for (point, name) in self.names.iter().enumerate() {
                if let Some(known) = journal.measurement(name) {
                    seen.record(point, outcome(&known));
                    measurements.push((point, known));
                }
            }
        }
        let mut search = searcher(self.algorithm, self.seed);
        let untuned = first.first().copied();
        let mut first = first.iter().copied();
        let mut now = 0;
        loop {
            let left = self.budget.time.map(|time| time.saturating_sub(start.elapsed()));
            let best = seen.best();
            let first_time = untuned.and_then(|point| seen.cost(point));
            let (tried, points) = (measurements.len(), self.space.len());
            let progress = Progress { tried, points, best, first: first_time, left };
            let is_good = best.zip(self.budget.good).is_some_and(|((_, time), good)| time <= good);
            let is_over = left.is_some_and(|left| left.is_zero())
                || self.budget.trials.is_some_and(|trials| now >= trials)
                || is_good;
            if !look(&progress) || is_over {
                break;
            }
            let wanted = first.by_ref().find(|point| !seen.contains(*point));
            let Some(point) = wanted.or_else(|| search.next(self.space, &seen)) else { break };
            let name = &self.names[point];
            if let Some(journal) = &mut journal {
                journal.begin(name)?;
            }
            let measured = measure(point, best.map(|(_, time)| time));
            if let Some(journal) = &mut journal {
                journal.end(name, &measured)?;
            }
            seen.record(point, outcome(&measured));
            measurements.push((point, measured));
            now += 1;
        }
        let is_complete = measurements.len() == self.space.len();
        Ok(Summary { measurements, best: seen.best(), now, is_complete })
    }
}

fn outcome(measurement: &Measurement) -> Outcome {
    match measurement {
        Measurement::Time(time) => Outcome::Cost(*time),
        Measurement::Failed(_) => Outcome::Failed,
    }
}

impl Progress {
    /// One line for a terminal: how many points were tried, the best so far, by `title`, and the time that is left.
    #[must_use]
    pub fn line(&self, title: impl Fn(usize) -> String) -> String {
        let gain = |time: f64| match self.first {
            Some(first) if first > time => format!(", {:.2} times as fast as without tuning", first / time),
            _ => String::new(),
        };
        let best =
            self.best.map(|(point, time)| format!("  best {time:.1} µs ({}){}", title(point), gain(time)));
        let left = self.left.map(|left| format!("  {} s left", left.as_secs()));
        format!(
            "{} of {} points{}{}",
            self.tried,
            self.points,
            best.unwrap_or_default(),
            left.unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Alternative, Parameter};

    fn space() -> Space {
        let parameter = Parameter { name: "n".into(), values: (1..=20).collect() };
        Space::new(vec![Alternative { name: "v".into(), parameters: vec![parameter] }], |_, _| true)
    }

    fn session<'a>(space: &'a Space, names: &'a [String], budget: Budget) -> Session<'a> {
        Session { space, names, algorithm: Algorithm::default(), seed: 1, budget }
    }

    const ALL: Budget = Budget { time: None, trials: None, good: None };

    #[test]
    fn it_ends_when_there_is_reason_to() {
        let space = space();
        let names: Vec<String> = (0..space.len()).map(|point| point.to_string()).collect();
        let measure = |point: usize, _: Option<f64>| match point {
            3 => Measurement::Failed("no".into()),
            _ => Measurement::Time(100.0 + (point as f64 - 11.0).abs()),
        };
        let run = |budget: Budget, first: &[usize]| {
            session(&space, &names, budget).run(None, first, measure, |_| true).unwrap()
        };
        let all = run(ALL, &[]);
        assert!(all.is_complete && all.now == 20 && all.best == Some((11, 100.0)));
        let some = run(Budget { trials: Some(3), ..ALL }, &[5, 3, 7]);
        let order: Vec<usize> = some.measurements.iter().map(|(point, _)| *point).collect();
        assert_eq!((order, some.is_complete), (vec![5, 3, 7], false));
        let good = run(Budget { good: Some(101.0), ..ALL }, &[0, 12, 1]);
        assert_eq!((good.now, good.best), (2, Some((12, 101.0))));
        assert_eq!(run(Budget { time: Some(Duration::ZERO), ..ALL }, &[0]).now, 0);
        let stopped =
            session(&space, &names, ALL).run(None, &[], measure, |progress| progress.tried < 4).unwrap();
        assert_eq!(stopped.now, 4);
    }

    #[test]
    fn a_line_says_how_far_it_has_come() {
        let progress = Progress {
            tried: 5,
            points: 9,
            best: Some((2, 50.0)),
            first: Some(75.0),
            left: Some(Duration::from_secs(7)),
        };
        let line = progress.line(|point| format!("point {point}"));
        assert_eq!(
            line,
            "5 of 9 points  best 50.0 µs (point 2), 1.50 times as fast as without tuning  7 s left"
        );
    }
}
