//! A generated program at certain sizes.

use cargo_lift::chain_compiler::{ChainCompiler, launcher};
use cargo_lift::data;
use lift::spec::{KernelSpec, Variant};
use lift::tune::{Report, Row as Point};
use lift::{Device, Tuning};
use lift_core::describe::describe;
use lift_core::ir::Backends;
use lift_core::pipeline::Checked;
use lift_suite::input::Random;
use lift_suite::measure::{Competition, Lift, NOTHING, Opponent, Result, Row, compete};

use proc_macro2::TokenStream;

use crate::classes::CLASSES;

/// A random member of a class.
pub trait Program {
    /// What distinguishes it from other members of its class.
    fn name(&self) -> String;

    /// A text with one kernel.
    fn text(&self) -> String;

    /// Values of the size variables, in their order.
    fn sizes(&self) -> Vec<usize>;

    /// Values at which it is computed in a moment.
    fn small(&self) -> Vec<usize>;

    /// Operations on scalars.
    fn operations(&self, sizes: &[usize]) -> f64;

    /// What is written by hand for these sizes.
    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent>;
}

/// A program and where it comes from.
pub struct Case {
    /// The class.
    pub class: &'static str,
    /// Its number; those that are odd are held out.
    pub number: usize,
    /// The program.
    pub program: Box<dyn Program>,
}

impl Case {
    /// The case of this number: classes take turns.
    #[must_use]
    pub fn of(seed: u64, number: usize) -> Case {
        let (class, make) = CLASSES[number % CLASSES.len()];
        let mut random = Random::new(seed ^ ((number as u64 + 1) << 20));
        random.bits();
        Case { class, number, program: make(&mut random) }
    }

    /// Whether nothing may be tuned on it.
    #[must_use]
    pub fn is_held_out(&self) -> bool {
        (self.number / CLASSES.len()) % 2 == 1
    }

    /// The class, what distinguishes the program, and sizes.
    #[must_use]
    pub fn title(&self, sizes: &[usize]) -> String {
        let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
        format!("{} {}, {}", self.class, self.program.name(), sizes.join(" × "))
    }

    /// Compiles the program and runs it against its opponents.
    ///
    /// # Errors
    ///
    /// Texts that the compiler rejects, versions that differ, and what a device cannot do.
    pub fn run(&self, device: &Device, sizes: &[usize], runs: usize) -> Result<Competition> {
        self.run_spec(compiled(&self.program.text())?, device, sizes, runs)
    }

    /// The same with the version that tuning finds as the one that is chosen; also what that is, and how many points were tried.
    ///
    /// # Errors
    ///
    /// The same, and what goes wrong with the tuning.
    pub fn run_tuned(
        &self,
        tuning: &Tuning,
        device: &Device,
        sizes: &[usize],
        runs: usize,
    ) -> Result<(Competition, String)> {
        let (spec, report) = tuned(&self.program.text(), tuning, device, sizes)?;
        let best = report.best().map(Point::title).unwrap_or_default();
        let found = format!("{best}, of {} points among {}", report.rows.len(), report.points);
        Ok((self.run_spec(spec, device, sizes, runs)?, found))
    }

    fn run_spec(
        &self,
        spec: &'static KernelSpec,
        device: &Device,
        sizes: &[usize],
        runs: usize,
    ) -> Result<Competition> {
        let row = Row {
            name: "a generated program",
            sizes: &[],
            quick: &[],
            algorithmic: Lift { spec: Box::leak(Box::new(spec)), launcher: None, scalars: &[] },
            given: &[],
            gpu: NOTHING,
            cpu: None,
            operations: |_| 0.0,
            bytes: None,
        };
        compete(&row, device, &self.program.opponents(sizes), sizes, runs)
    }
}

/// The only kernel of a text, with the fastest version, which is called `tuned`, as the first choice.
fn tuned(
    text: &str,
    tuning: &Tuning,
    device: &Device,
    sizes: &[usize],
) -> Result<(&'static KernelSpec, Report)> {
    let spec = compiled(text)?;
    let sizes: Vec<i64> = sizes.iter().map(|size| *size as i64).collect();
    let made = ChainCompiler::of(
        text.parse::<TokenStream>().map_err(|error| error.to_string())?,
        &spec.name,
        device,
    );
    let found = tuning.tune_with(&launcher(spec, device)?, data::arguments(spec, &sizes)?, Some(&made))?;
    let best = found.report().best().ok_or("no version has a time")?;
    let its_spec = match &best.strategy {
        Some(steps) => made.version(&best.version, steps)?,
        None => spec,
    };
    let fastest = its_spec.variants.iter().find(|it| it.name == best.version).ok_or("the version is gone")?;
    let mut fastest = Variant { name: "tuned".into(), least: Vec::new().into(), ..fastest.clone() };
    for (name, value) in &best.tunables {
        let tunables = fastest.tunables.to_mut().iter_mut();
        tunables.filter(|it| it.name == *name).for_each(|it| it.default = *value);
    }
    let tuned = KernelSpec {
        variants: spec.variants.iter().cloned().chain([fastest]).collect(),
        gpu_order: [vec!["tuned".into()], spec.gpu_order.to_vec()].concat().into(),
        cpu_order: [vec!["tuned".into()], spec.cpu_order.to_vec()].concat().into(),
        ..spec.clone()
    };
    Ok((Box::leak(Box::new(tuned)), found.report().clone()))
}

/// The only kernel of a text.
fn compiled(text: &str) -> Result<&'static KernelSpec> {
    let mut checked = Checked::of(text.parse().map_err(|error| format!("{error}: {text}"))?);
    checked.restrict(Backends { host: false, ..Backends::default() });
    let compilation = checked.compile(|_| true);
    if let Some(error) = compilation.diagnostics.iter().map(|d| d.text()).next() {
        return Err(format!("{error}\n{text}").into());
    }
    let kernel = compilation.kernels.first().ok_or("there is no kernel")?;
    Ok(Box::leak(Box::new(describe(kernel))))
}
