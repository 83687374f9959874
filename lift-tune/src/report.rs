//! What tuning a kernel has shown, for people and for the file.

use std::collections::BTreeMap;
use std::fmt;

use crate::file::Entry;
use crate::journal::Measurement;

/// So many of the fastest points are shown in a text.
const SHOWN: usize = 10;

/// What takes this part of the time without tuning, or more, is no better.
const WORTH: f64 = 0.98;

/// A version with values of its tunables, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The version's name.
    pub version: String,
    /// Its steps, if the compiler does not make it by itself.
    pub strategy: Option<String>,
    /// Values of its tunables, by name.
    pub tunables: Vec<(String, i64)>,
    /// Its time in the search, or why there is none.
    pub measurement: Measurement,
    /// Its time in microseconds when it was measured again, side by side with others: the fastest of many times that vary is too fast.
    pub again: Option<f64>,
}

/// All that was measured of a kernel on one device at certain sizes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The kernel's name.
    pub kernel: String,
    /// Names the tokens that it was compiled from.
    pub fingerprint: String,
    /// The device's name.
    pub device: String,
    /// Its driver.
    pub driver: String,
    /// The values of the kernel's size variables.
    pub sizes: Vec<(String, i64)>,
    /// What was tried, in the order in which it was.
    pub rows: Vec<Row>,
    /// How many points there are.
    pub points: usize,
    /// The row of what a launch takes without tuning, if it was measured.
    pub untuned: Option<usize>,
    /// Bytes of all arguments and results: what has to be read or written at least, once.
    pub bytes: u64,
}

impl Row {
    /// Its time in microseconds: that of the last measurement.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        self.again.or(self.searched())
    }

    /// Its time in the search, in microseconds.
    #[must_use]
    pub fn searched(&self) -> Option<f64> {
        match self.measurement {
            Measurement::Time(time) => Some(time),
            Measurement::Failed(_) => None,
        }
    }

    /// What it is called: the version, or the steps that lead to it, with the values of its tunables.
    #[must_use]
    pub fn title(&self) -> String {
        let name = self.strategy.as_deref().unwrap_or(&self.version);
        let values: Vec<String> =
            self.tunables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        match values.as_slice() {
            [] => name.to_string(),
            values => format!("{name} with {}", values.join(", ")),
        }
    }
}

impl Report {
    /// The fastest row: of those that were measured again, if there are any; and what a launch takes without tuning, unless another one is faster by more
    /// than times vary.
    #[must_use]
    pub fn best(&self) -> Option<&Row> {
        let fastest = self.fastest().into_iter().next()?;
        let before = self.untuned.and_then(|row| self.rows.get(row));
        let untuned = before.filter(|_| {
            let times = fastest.time().zip(self.untuned_time());
            times.is_some_and(|(best, untuned)| best >= WORTH * untuned)
        });
        Some(untuned.unwrap_or(fastest))
    }

    /// The rows with a time, the fastest first; those that were measured again come before all others.
    #[must_use]
    pub fn fastest(&self) -> Vec<&Row> {
        // What was measured again comes before everything else.
        let mut timed: Vec<(bool, f64, &Row)> =
            self.rows.iter().filter_map(|row| Some((row.again.is_none(), row.time()?, row))).collect();
        timed.sort_by(|(a, one, _), (b, other, _)| a.cmp(b).then(one.total_cmp(other)));
        timed.into_iter().map(|(.., row)| row).collect()
    }

    /// The time of what a launch takes without tuning, in microseconds.
    #[must_use]
    pub fn untuned_time(&self) -> Option<f64> {
        self.rows.get(self.untuned?)?.time()
    }

    /// Why points have no time, and how many.
    #[must_use]
    pub fn failures(&self) -> Vec<(&str, usize)> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &self.rows {
            if let Measurement::Failed(why) = &row.measurement {
                *reasons.entry(why.lines().next().unwrap_or_default()).or_default() += 1;
            }
        }
        let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }

    /// What is kept of it: the fastest row, for a launch at such sizes on such a device.
    #[must_use]
    pub fn entry(&self) -> Option<Entry> {
        let best = self.best()?;
        let time = best.time()?;
        Some(Entry {
            kernel: self.kernel.clone(),
            fingerprint: self.fingerprint.clone(),
            device: self.device.clone(),
            driver: self.driver.clone(),
            sizes: sorted(&self.sizes),
            version: best.version.clone(),
            strategy: best.strategy.clone(),
            tunables: sorted(&best.tunables),
            microseconds: time,
            untuned: self.untuned_time().unwrap_or(time),
        })
    }

    /// The kernel, its sizes and the device, as a title.
    #[must_use]
    pub fn title(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let sizes = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
        format!("{}{sizes} on {}", self.kernel, self.device)
    }

    /// How many gigabytes are read and written in a second, if every argument and result is, once.
    #[must_use]
    pub fn gigabytes_per_second(&self, microseconds: f64) -> f64 {
        self.bytes as f64 / microseconds / 1e3
    }
}

/// As a file that is read has them.
fn sorted(numbers: &[(String, i64)]) -> Vec<(String, i64)> {
    let mut numbers = numbers.to_vec();
    numbers.sort();
    numbers
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} of {} points were tried.", self.title(), self.rows.len(), self.points)?;
        let fastest = self.fastest();
        let untuned = self.untuned.and_then(|row| self.rows.get(row));
        let best = self.best();
        if let (Some(time), Some(before)) = (best.and_then(Row::time), self.untuned_time()) {
            match untuned == best {
                true => writeln!(
                    f,
                    "What a launch takes without tuning is the fastest, as far as times can tell."
                )?,
                false => writeln!(
                    f,
                    "The fastest takes {:.0} % of the time without tuning.",
                    100.0 * time / before
                )?,
            }
        }
        writeln!(f, "\n{:>12}  {:>8}  version", "µs", "GB/s")?;
        let mut line = |row: &Row, mark: &str| match row.time() {
            Some(time) => {
                writeln!(f, "{time:12.2}  {:8.1}  {}{mark}", self.gigabytes_per_second(time), row.title())
            }
            None => Ok(()),
        };
        let mark = |row: &Row| if Some(row) == untuned { "  (without tuning)" } else { "" };
        fastest.iter().take(SHOWN).try_for_each(|row| line(row, mark(row)))?;
        if let Some(before) = untuned.filter(|row| !fastest.iter().take(SHOWN).any(|it| it == row)) {
            line(before, mark(before))?;
        }
        self.failures()
            .into_iter()
            .try_for_each(|(why, count)| writeln!(f, "{count} points without a time: {why}"))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn report() -> Report {
        let row = |version: &str, tile: i64, measurement: Measurement| Row {
            version: version.into(),
            strategy: None,
            tunables: if tile == 0 { vec![] } else { vec![("TILE".into(), tile)] },
            measurement,
            again: None,
        };
        Report {
            kernel: "Mean".into(),
            fingerprint: "0a".into(),
            device: "A <GPU>".into(),
            driver: "1.0".into(),
            sizes: vec![("W".into(), 100), ("H".into(), 200)],
            rows: vec![
                row("naive", 0, Measurement::Time(100.0)),
                row("tiled", 16, Measurement::Time(80.0)),
                row("tiled", 512, Measurement::Failed("too large\nby far".into())),
                row("tiled", 32, Measurement::Time(50.0)),
            ],
            points: 9,
            untuned: Some(1),
            bytes: 160_000,
        }
    }

    #[test]
    fn the_fastest_is_kept() {
        let entry = report().entry().unwrap();
        assert_eq!((&*entry.version, entry.microseconds, entry.untuned), ("tiled", 50.0, 80.0));
        assert_eq!(entry.tunables, [("TILE".to_string(), 32)]);
        assert_eq!(entry.sizes, [("H".to_string(), 200), ("W".to_string(), 100)]);
        assert_eq!(Report::default().entry(), None);
    }

    #[test]
    fn what_was_measured_again_decides() {
        let mut report = report();
        (report.rows[1].again, report.rows[0].again) = (Some(60.0), Some(55.0));
        assert_eq!(report.best().map(|row| &*row.version), Some("naive"));
        assert_eq!(report.entry().map(|it| (it.microseconds, it.untuned)), Some((55.0, 60.0)));
        // A gain that is no larger than noise is none.
        report.rows[0].again = Some(59.5);
        assert_eq!(report.entry().map(|it| (it.microseconds, it.untuned)), Some((60.0, 60.0)));
        assert!(report.to_string().contains("is the fastest, as far as times can tell"));
    }

    #[test]
    fn a_text_has_the_fastest_and_the_failures() {
        let expected = "\
Mean at W = 100, H = 200 on A <GPU>: 4 of 9 points were tried.
The fastest takes 62 % of the time without tuning.

          µs      GB/s  version
       50.00       3.2  tiled with TILE = 32
       80.00       2.0  tiled with TILE = 16  (without tuning)
      100.00       1.6  naive
1 points without a time: too large
";
        assert_eq!(report().to_string(), expected);
    }
}
