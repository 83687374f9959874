//! Tuning: which version of a kernel, with which values of its tunables, is the fastest for some arguments.
//!
//! `bench` runs a version on the arguments, compares what it makes of them, and times it; `points` lists what there is to try. Choosing
//! among that, and keeping what was measured, is the work of [`lift_tune`].

mod bench;
mod points;

use std::io::{IsTerminal as _, Write as _, stderr};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use bench::Bench;
pub use lift_tune::{
    Algorithm, Alternative, Budget, Entry, Journal, Measurement, Parameter, Progress, Random, Report, Row,
    Session, TuneFile, escaped,
};
pub use points::Chains;

use crate::args::HostArg;
use crate::error::{Error, Result};
use crate::file::FileProblem;
use crate::kernel::Kernel;
use crate::launch::Launcher;

/// How to look for the fastest version of a kernel: what a launcher's `tune` takes before the kernel's own arguments.
///
/// ```no_run
/// use std::time::Duration;
///
/// use lift_runtime::Tuning;
///
/// let tuning = Tuning::new().budget(Duration::from_secs(20)).progress(true);
/// # let _ = tuning;
/// // let report = blur.tune(&tuning, &image)?;
/// // println!("{report}");
/// // let fastest = report.apply(&blur)?;
/// ```
#[derive(Debug, Clone)]
pub struct Tuning {
    budget: Budget,
    algorithm: Algorithm,
    all_values: bool,
    speed: Option<f64>,
    seed: u64,
    tolerance: Option<f64>,
    journal: Option<PathBuf>,
    progress: bool,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning::new()
    }
}

impl Tuning {
    /// For 60 seconds, without a journal, in silence.
    #[must_use]
    pub fn new() -> Tuning {
        let budget = Budget { time: Some(Duration::from_secs(60)), trials: None, good: None };
        Tuning {
            budget,
            algorithm: Algorithm::default(),
            all_values: true,
            speed: None,
            seed: 1,
            tolerance: None,
            journal: None,
            progress: false,
        }
    }

    /// Stops after so long. What is measured at that moment is finished.
    #[must_use]
    pub fn budget(self, time: Duration) -> Tuning {
        Tuning { budget: Budget { time: Some(time), ..self.budget }, ..self }
    }

    /// Stops after so many measurements.
    #[must_use]
    pub fn trials(self, trials: usize) -> Tuning {
        Tuning { budget: Budget { trials: Some(trials), ..self.budget }, ..self }
    }

    /// Stops as soon as a version reads and writes its arguments and results, each once, at this memory bandwidth (bytes/s): the device's roofline.
    #[must_use]
    pub fn good_enough(self, bytes_per_second: f64) -> Tuning {
        Tuning { speed: Some(bytes_per_second), ..self }
    }

    /// Tries every version as a launch takes it, and no other values of its tunables.
    #[must_use]
    pub fn defaults(self) -> Tuning {
        Tuning { all_values: false, ..self }
    }

    /// Measures all there is, however long it takes.
    #[must_use]
    pub fn exhaustive(self) -> Tuning {
        Tuning {
            budget: Budget { time: None, trials: None, good: None },
            speed: None,
            algorithm: Algorithm::Exhaustive,
            ..self
        }
    }

    /// How the next point is chosen.
    #[must_use]
    pub fn search(self, algorithm: Algorithm) -> Tuning {
        Tuning { algorithm, ..self }
    }

    /// Other random choices for every seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Tuning {
        Tuning { seed, ..self }
    }

    /// Floats may differ from those of `naive` by so much of the largest of them, since sums are regrouped. Without being told, 10⁻² for `f16`, 10⁻⁴
    /// for `f32` and 10⁻¹⁰ for `f64`. Integers must not differ.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Tuning {
        Tuning { tolerance: Some(tolerance), ..self }
    }

    /// Keeps what is measured in this file, and takes what it has: after an interruption, and from one run to the next.
    #[must_use]
    pub fn journal(self, file: impl Into<PathBuf>) -> Tuning {
        Tuning { journal: Some(file.into()), ..self }
    }

    /// Says on the terminal how far it has come.
    #[must_use]
    pub fn progress(self, shown: bool) -> Tuning {
        Tuning { progress: shown, ..self }
    }

    /// Tunes a kernel on these arguments.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments, with `naive` on them, or with the journal. Other versions that fail are in the report.
    #[doc(hidden)]
    pub fn tune(&self, launcher: &Launcher, args: Vec<HostArg<'_>>) -> Result<TuningReport> {
        self.tune_with(launcher, args, None)
    }

    /// The same, with versions that are made meanwhile.
    ///
    /// # Errors
    ///
    /// The same.
    #[doc(hidden)]
    pub fn tune_with(
        &self,
        launcher: &Launcher,
        args: Vec<HostArg<'_>>,
        chains: Option<&dyn Chains>,
    ) -> Result<TuningReport> {
        let bench = Bench::new(launcher, args, self.tolerance)?;
        let points = points::Points::of(launcher, &bench, self.all_values, chains);
        let good = self.speed.map(|speed| 1e6 * bench.bytes() as f64 / speed.max(1.0));
        let mut journal = self.journal.as_deref().map(open).transpose()?;
        let session = Session {
            space: &points.space,
            names: &points.names,
            algorithm: self.algorithm,
            seed: self.seed,
            budget: Budget { good, ..self.budget },
        };
        let measure = |point: usize, best: Option<f64>| {
            let timed =
                points.launcher(point).and_then(|it| bench.time(&it, best).map_err(|e| e.to_string()));
            timed.map_or_else(Measurement::Failed, Measurement::Time)
        };
        let mut line = Line { shown: false, enabled: self.progress && stderr().is_terminal() };
        let look = |progress: &Progress| {
            line.show(progress, |point| points.title(point));
            true
        };
        let summary = session.run(journal.as_mut(), &points.first, measure, look);
        drop(line);
        let summary = summary.map_err(|error| not_kept(self.journal.as_deref(), &error))?;
        Ok(TuningReport(points.report(&bench, &summary)?))
    }
}

fn open(path: &Path) -> Result<Journal> {
    Journal::open(path).map_err(|error| not_kept(Some(path), &error))
}

fn not_kept(path: Option<&Path>, error: &std::io::Error) -> Error {
    let path = path.map(|path| path.display().to_string()).unwrap_or_default();
    Error::File { path, problem: FileProblem::Write(error.to_string()) }
}

/// What tuning has found. Printed, it is a table of the fastest versions.
#[derive(Debug, Clone)]
pub struct TuningReport(Report);

impl TuningReport {
    /// All that was measured.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.0
    }

    /// The name of the fastest version, and the values of its tunables.
    #[must_use]
    pub fn best(&self) -> Option<(&str, &[(String, i64)])> {
        self.0.best().map(|row| (&*row.version, row.tunables.as_slice()))
    }

    /// How long the fastest version takes.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        let time = self.0.best().and_then(Row::time);
        time.map(|time| Duration::from_secs_f64(time / 1e6))
    }

    /// How long a launch takes without tuning.
    #[must_use]
    pub fn untuned_time(&self) -> Option<Duration> {
        self.0.untuned_time().map(|time| Duration::from_secs_f64(time / 1e6))
    }

    /// The kernel in the fastest version.
    ///
    /// # Errors
    ///
    /// When it is another kernel, which has no such version.
    pub fn apply<K: Kernel>(&self, kernel: &K) -> Result<K> {
        let Some(best) = self.0.best() else { return Ok(kernel.clone()) };
        let chosen = kernel.launcher().variant(&best.version)?;
        let chosen = best.tunables.iter().try_fold(chosen, |it, (name, value)| it.with(name, *value))?;
        Ok(K::from_launcher(chosen))
    }

    /// Adds it to the `lift-tune.toml` in this folder, which is that of the crate's `Cargo.toml`. From the next build on, launches on this device
    /// take the fastest version at such sizes.
    ///
    /// # Errors
    ///
    /// [`Error::File`] when the file cannot be read or written, or is no such file.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let path = folder.as_ref().join(lift_tune::FILE);
        let problem = |problem: FileProblem| Error::File { path: path.display().to_string(), problem };
        let format = |reason: String| problem(FileProblem::Format { expected: "a `lift-tune.toml`", reason });
        let mut file = match std::fs::read_to_string(&path) {
            Ok(text) => TuneFile::parse(&text).map_err(format)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => TuneFile::default(),
            Err(error) => return Err(problem(FileProblem::Read(error.to_string()))),
        };
        if let Some(entry) = self.0.entry() {
            file.insert(entry);
            let other = path.with_extension(format!("toml-{}", std::process::id()));
            let written =
                std::fs::write(&other, file.to_string()).and_then(|()| std::fs::rename(&other, &path));
            written.map_err(|error| not_kept(Some(&path), &error))?;
        }
        Ok(())
    }

    /// The report as an HTML page, with plots.
    ///
    /// # Errors
    ///
    /// [`Error::File`] when it cannot be written.
    pub fn html(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        std::fs::write(path, self.0.html()).map_err(|error| not_kept(Some(path), &error))
    }
}

impl std::fmt::Display for TuningReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The line on the terminal. It is removed in the end.
struct Line {
    shown: bool,
    enabled: bool,
}

impl Line {
    fn show(&mut self, progress: &Progress, title: impl Fn(usize) -> String) {
        if self.enabled {
            // A line that cannot be written is no reason to stop.
            let _ = write!(stderr(), "\r{}\x1b[K", progress.line(title));
            self.shown = true;
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
