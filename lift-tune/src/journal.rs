//! What was measured, line by line, so that nothing is measured twice and nothing is lost.
//!
//! A line is written before a point is tried, and one after. A process that is killed, or whose driver kills it, leaves the first of them alone;
//! a point that has two such lines is not tried again. Lines are whole or, at the end of a process, the last one is not: that one is passed over.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

/// So often a point may be begun without an end.
const ATTEMPTS: usize = 2;

/// What became of a point.
#[derive(Debug, Clone, PartialEq)]
pub enum Measurement {
    /// It took so many microseconds.
    Time(f64),
    /// It cannot be used, and why.
    Failed(String),
}

/// A line.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Names the point and everything that its time depends on.
    point: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    microseconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// What was measured before, and a file to which more is added. Several processes may use it at once.
#[derive(Debug)]
pub struct Journal {
    file: File,
    known: BTreeMap<String, Measurement>,
    begun: BTreeMap<String, usize>,
}

impl Journal {
    /// Opens the file, or makes it, and its folder.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Journal> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut journal = Journal { file, known: BTreeMap::new(), begun: BTreeMap::new() };
        journal.locked(|journal| {
            let mut bytes = Vec::new();
            journal.file.read_to_end(&mut bytes)?;
            // A process that was killed may have left half a line, even half a character.
            if bytes.last().is_some_and(|last| *last != b'\n') {
                journal.file.write_all(b"\n")?;
            }
            for line in bytes.split(|byte| *byte == b'\n') {
                if let Ok(line) = serde_json::from_slice::<Line>(line) {
                    journal.read(line);
                }
            }
            Ok(())
        })?;
        Ok(journal)
    }

    fn read(&mut self, line: Line) {
        match (line.microseconds, line.failed) {
            (Some(time), _) => {
                self.known.insert(line.point, Measurement::Time(time));
            }
            (None, Some(why)) => {
                self.known.insert(line.point, Measurement::Failed(why));
            }
            (None, None) => *self.begun.entry(line.point).or_default() += 1,
        }
    }

    /// What is known of a point.
    #[must_use]
    pub fn measurement(&self, point: &str) -> Option<Measurement> {
        let crashed = || {
            let often = self.begun.get(point).is_some_and(|times| *times >= ATTEMPTS);
            often.then(|| Measurement::Failed("the process ended while it was measured".to_string()))
        };
        self.known.get(point).cloned().or_else(crashed)
    }

    /// Notes that a point is about to be tried.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn begin(&mut self, point: &str) -> io::Result<()> {
        self.write(Line { point: point.to_string(), microseconds: None, failed: None })
    }

    /// Notes what became of it.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn end(&mut self, point: &str, measurement: &Measurement) -> io::Result<()> {
        let (microseconds, failed) = match measurement {
            Measurement::Time(time) => (Some(*time), None),
            Measurement::Failed(why) => (None, Some(why.clone())),
        };
        self.write(Line { point: point.to_string(), microseconds, failed })
    }

    /// Notes of all points that were begun and not ended that they failed, for this reason, and says how many there were. No process may be
    /// measuring now.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn abandon(&mut self, why: &str) -> io::Result<usize> {
        let open: Vec<String> =
            self.begun.keys().filter(|point| !self.known.contains_key(*point)).cloned().collect();
        for point in &open {
            self.end(point, &Measurement::Failed(why.to_string()))?;
        }
        Ok(open.len())
    }

    fn write(&mut self, line: Line) -> io::Result<()> {
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        self.locked(|journal| {
            // Another process may have been killed in the middle of a line.
            let end = journal.file.seek(io::SeekFrom::End(0))?;
            let mut last = [b'\n'];
            if end > 0 {
                journal.file.seek(io::SeekFrom::Start(end - 1))?;
                journal.file.read_exact(&mut last)?;
            }
            if last != [b'\n'] {
                text.insert(0, '\n');
            }
            journal.file.write_all(text.as_bytes())?;
            journal.file.flush()
        })?;
        self.read(line);
        Ok(())
    }

    /// Does something while no other process reads or writes the file.
    fn locked(&mut self, act: impl FnOnce(&mut Journal) -> io::Result<()>) -> io::Result<()> {
        self.file.lock()?;
        let done = act(self);
        self.file.unlock()?;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("lift-tune-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn what_was_measured_is_known_again() {
        let path = scratch("known");
        {
            let mut journal = Journal::open(&path).unwrap();
            journal.begin("a").unwrap();
            journal.end("a", &Measurement::Time(1.25)).unwrap();
            journal.end("b", &Measurement::Failed("no \"memory\"\n".into())).unwrap();
            assert_eq!(journal.measurement("a"), Some(Measurement::Time(1.25)));
            for i in 1..200 {
                journal.end(&i.to_string(), &Measurement::Time(1e3 / f64::from(i))).unwrap();
            }
        }
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.measurement("a"), Some(Measurement::Time(1.25)));
        // To the last bit.
        for i in 1..200 {
            assert_eq!(journal.measurement(&i.to_string()), Some(Measurement::Time(1e3 / f64::from(i))));
        }
        assert_eq!(journal.measurement("b"), Some(Measurement::Failed("no \"memory\"\n".into())));
        assert_eq!(journal.measurement("c"), None);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_ends_a_process_twice_is_not_tried_again() {
        let path = scratch("crash");
        for attempt in 0..ATTEMPTS {
            let mut journal = Journal::open(&path).unwrap();
            assert_eq!(journal.measurement("a"), None, "{attempt}");
            journal.begin("a").unwrap();
        }
        let journal = Journal::open(&path).unwrap();
        assert!(matches!(journal.measurement("a"), Some(Measurement::Failed(_))));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn whoever_watches_a_process_notes_its_end() {
        let path = scratch("abandoned");
        let mut journal = Journal::open(&path).unwrap();
        journal.begin("a").unwrap();
        journal.end("a", &Measurement::Time(1.0)).unwrap();
        journal.begin("b").unwrap();
        assert_eq!(Journal::open(&path).unwrap().abandon("killed").unwrap(), 1);
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.measurement("b"), Some(Measurement::Failed("killed".into())));
        assert_eq!(journal.abandon("killed").unwrap(), 0);
        fs::remove_file(path).unwrap();
    }

    /// A process that is killed leaves a file that ends anywhere.
    #[test]
    fn every_whole_line_of_a_torn_file_counts() {
        let path = scratch("torn");
        {
            let mut journal = Journal::open(&path).unwrap();
            for point in ["a", "bä", "c"] {
                journal.begin(point).unwrap();
                journal.end(point, &Measurement::Time(2.0)).unwrap();
            }
        }
        let whole = fs::read(&path).unwrap();
        for end in 0..=whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            let ends = |point: &str| {
                let line = format!("{{\"point\":\"{point}\",\"microseconds\":2.0}}");
                let at = whole.windows(line.len()).position(|it| it == line.as_bytes()).unwrap();
                at + line.len()
            };
            for point in ["a", "bä", "c"] {
                assert_eq!(journal.measurement(point).is_some(), ends(point) <= end, "{point} {end}");
            }
            journal.end("d", &Measurement::Time(3.0)).unwrap();
            assert_eq!(Journal::open(&path).unwrap().measurement("d"), Some(Measurement::Time(3.0)), "{end}");
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn several_writers_share_a_file() {
        let path = scratch("shared");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let mut journal = Journal::open(path).unwrap();
                    for i in 0..25 {
                        journal.end(&format!("{writer} {i}"), &Measurement::Time(f64::from(i))).unwrap();
                    }
                });
            }
        });
        assert_eq!(Journal::open(&path).unwrap().known.len(), 100);
        fs::remove_file(path).unwrap();
    }
}
