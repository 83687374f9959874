//! What there is to try of a kernel: its versions, with values of their tunables that the device and the sizes allow, and versions that are made
//! while it is tuned.

use std::cmp::Ordering;
use std::sync::Mutex;

use lift_tune::{Alternative, Measurement, Parameter, Point, Report, Row, Space, Summary};

use super::bench::Bench;
use crate::device::Device;
use crate::error::Result;
use crate::launch::Launcher;
use crate::plan;
use crate::spec::{KernelSpec, Tunable, Variant, fingerprint};

/// So many points are measured again in the end.
const FINALS: usize = 6;

/// Versions of a kernel that somebody with a compiler can make, by steps with numbers.
pub trait Chains {
    /// The chains of steps, and the numbers that may stand in each.
    fn alternatives(&self) -> Vec<Alternative>;

    /// The steps of a chain with these numbers, as in `#[strategy(..)]`; none if it makes no sense with them.
    fn steps(&self, chain: usize, values: &[i64]) -> Option<String>;

    /// The kernel with the version that these steps lead to, by this name.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn launcher(&self, version: &str, steps: &str) -> std::result::Result<Launcher, String>;
}

/// The points of a kernel on a device at certain sizes.
pub(super) struct Points<'a> {
    pub(super) space: Space,
    /// For each, a name that says all that its time depends on.
    pub(super) names: Vec<String>,
    /// Those that are tried first: every version with default tunables, in the order in which a launch tries them.
    pub(super) first: Vec<usize>,
    launcher: &'a Launcher,
    variants: Vec<&'static Variant>,
    chains: Option<&'a dyn Chains>,
    /// The version that was made last: its values are measured after each other.
    made: Mutex<Option<(String, Launcher)>>,
}

/// A point in words.
struct Choice {
    version: String,
    strategy: Option<String>,
    tunables: Vec<(String, i64)>,
}

impl<'a> Points<'a> {
    /// The points of a launcher, with all values of tunables or with what a launch takes, and with chains if there are some.
    pub(super) fn of(
        launcher: &'a Launcher,
        bench: &Bench<'_>,
        all_values: bool,
        chains: Option<&'a dyn Chains>,
    ) -> Points<'a> {
        let (spec, device) = (launcher.spec(), launcher.device());
        let defaults = launcher.untuned(bench.sizes());
        let variants: Vec<&'static Variant> = defaults.iter().map(|(variant, _)| *variant).collect();
        let own = variants.iter().map(|variant| Alternative {
            name: variant.name.to_string(),
            parameters: variant.tunables.iter().map(|it| parameter(launcher, it, all_values)).collect(),
        });
        let made = chains.map(Chains::alternatives).unwrap_or_default();
        let feasible = |alternative: usize, values: &[i64]| match variants.get(alternative) {
            Some(variant) => plan::fits(spec, variant, bench.sizes(), values, device),
            None => chains.is_some_and(|it| it.steps(alternative - variants.len(), values).is_some()),
        };
        let space = Space::new(own.chain(made).collect(), feasible);
        let first = defaults.iter().enumerate().filter_map(|(alternative, (_, values))| {
            space.number(&Point { alternative, values: values.clone() })
        });
        let first = first.collect();
        let mut points =
            Points { names: Vec::new(), first, space, launcher, variants, chains, made: Mutex::new(None) };
        points.names = (0..points.space.len()).map(|point| points.name(point, spec, device, bench)).collect();
        points
    }

    /// The kernel with a point selected.
    pub(super) fn launcher(&self, point: usize) -> std::result::Result<Launcher, String> {
        let Choice { version, strategy, tunables } = self.choice(point);
        let chosen = match (&strategy, self.chains) {
            (Some(steps), Some(chains)) => self.made(chains, &version, steps)?,
            _ => self.launcher.clone(),
        };
        let select = || -> Result<Launcher> {
            let chosen = chosen.variant(&version)?;
            tunables.iter().try_fold(chosen, |it, (name, value)| it.with(name, *value))
        };
        select().map_err(|error| error.to_string())
    }

    fn made(&self, chains: &dyn Chains, version: &str, steps: &str) -> std::result::Result<Launcher, String> {
        let mut last = crate::lock(&self.made);
        if let Some((_, launcher)) = last.as_ref().filter(|(of, _)| of == steps) {
            return Ok(launcher.clone());
        }
        let launcher = chains.launcher(version, steps)?;
        *last = Some((steps.to_string(), launcher.clone()));
        Ok(launcher)
    }

    pub(super) fn title(&self, point: usize) -> String {
        self.row(point, Measurement::Time(0.0)).title()
    }

    fn choice(&self, point: usize) -> Choice {
        let Point { alternative, values } = &self.space.points()[point];
        if let Some(variant) = self.variants.get(*alternative) {
            let names = variant.tunables.iter().map(|tunable| tunable.name.to_string());
            let tunables = names.zip(values.iter().copied()).collect();
            return Choice { version: variant.name.to_string(), strategy: None, tunables };
        }
        let steps = self.chains.and_then(|it| it.steps(alternative - self.variants.len(), values));
        let steps = steps.unwrap_or_default();
        // The same steps have the same name in all files.
        let version = format!("tuned_{}", &fingerprint(steps.bytes())[..6]);
        Choice { version, strategy: Some(steps), tunables: Vec::new() }
    }

    fn row(&self, point: usize, measurement: Measurement) -> Row {
        let Choice { version, strategy, tunables } = self.choice(point);
        Row { version, strategy, tunables, measurement, again: None }
    }

    /// What is to be shown of all measurements. The best points and what a launch takes without tuning are measured again, side by side.
    pub(super) fn report(&self, bench: &Bench<'_>, summary: &Summary) -> Result<Report> {
        let (spec, device) = (self.launcher.spec(), self.launcher.device());
        let rows = summary.measurements.iter().map(|(point, measured)| self.row(*point, measured.clone()));
        let mut rows: Vec<Row> = rows.collect();
        let untuned = summary.measurements.iter().position(|(point, _)| self.first.first() == Some(point));
        let mut best: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].searched().is_some()).collect();
        let key = |at: &usize| if untuned == Some(*at) { Some(0.0) } else { rows[*at].searched() };
        best.sort_by(|one, other| key(one).partial_cmp(&key(other)).unwrap_or(Ordering::Equal));
        best.truncate(FINALS);
        // All of them could be made before.
        let made =
            best.into_iter().filter_map(|at| Some((at, self.launcher(summary.measurements[at].0).ok()?)));
        let (best, launchers): (Vec<usize>, Vec<Launcher>) = made.unzip();
        for (at, time) in best.into_iter().zip(bench.side_by_side(&launchers)?) {
            rows[at].again = Some(time);
        }
        Ok(Report {
            kernel: spec.name.to_string(),
            fingerprint: spec.fingerprint.to_string(),
            device: device.name().to_string(),
            driver: device.driver().to_string(),
            sizes: named(spec, bench.sizes()),
            rows,
            points: self.space.len(),
            untuned,
            bytes: bench.bytes(),
        })
    }

    /// A name of a point that says all that its time depends on: its text by a hash, and by the steps that lead to it where there is none yet.
    fn name(&self, point: usize, spec: &KernelSpec, device: &Device, bench: &Bench<'_>) -> String {
        let Choice { version, strategy, tunables } = self.choice(point);
        let text = match self.variants.get(self.space.points()[point].alternative) {
            Some(variant) => {
                let text =
                    format!("{:?} {:?} {:?}", variant.source.text(), variant.operations, variant.derivation);
                fingerprint(text.bytes())
            }
            None => format!("{} of {}", spec.fingerprint, env!("CARGO_PKG_VERSION")),
        };
        let list =
            |pairs: &[(String, i64)]| pairs.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let (sizes, tunables): (String, String) = (list(&named(spec, bench.sizes())), list(&tunables));
        let (device, driver) = (device.name(), device.driver());
        let version = strategy.unwrap_or(version);
        // What differed by too much may be near enough for another tolerance.
        let tolerance = bench.tolerance().map(|it| format!(" within {it:e}")).unwrap_or_default();
        format!("{}{sizes} on {device}, {driver}: {version}{tunables} {text}{tolerance}", spec.name)
    }
}

fn named(spec: &KernelSpec, sizes: &[i64]) -> Vec<(String, i64)> {
    spec.sizes.iter().map(|size| size.name.to_string()).zip(sizes.iter().copied()).collect()
}

/// The values that are tried: powers of two, and the default; one that was set has no others.
fn parameter(launcher: &Launcher, tunable: &Tunable, all_values: bool) -> Parameter {
    let powers = (0..62).map(|exponent| 1i64 << exponent);
    let mut values: Vec<i64> = match launcher.tunable(&tunable.name) {
        Some(value) => vec![value],
        None if !all_values => vec![tunable.default],
        None => {
            powers.filter(|it| (tunable.min..=tunable.max).contains(it)).chain([tunable.default]).collect()
        }
    };
    values.sort_unstable();
    values.dedup();
    Parameter { name: tunable.name.to_string(), values }
}
