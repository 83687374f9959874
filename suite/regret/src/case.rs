//! A generated program at certain sizes.

use lift::Device;
use lift::spec::KernelSpec;
use lift_core::describe::describe;
use lift_core::ir::Backends;
use lift_core::pipeline::Checked;
use lift_suite::input::Random;
use lift_suite::measure::{Competition, Lift, NOTHING, Opponent, Result, Row, compete};

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
        let row = Row {
            name: "a generated program",
            sizes: &[],
            quick: &[],
            algorithmic: Lift { spec: compiled(&self.program.text())?, launcher: None, scalars: &[] },
            given: &[],
            gpu: NOTHING,
            cpu: None,
            operations: |_| 0.0,
            bytes: None,
        };
        compete(&row, device, &self.program.opponents(sizes), sizes, runs)
    }
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
