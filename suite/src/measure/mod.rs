//! Measurements: for every workload the kernel in the low-level language, the same workload in the algorithmic
//! language, and the best OpenCL known, written by hand; side by side, and beside a copy of as many bytes. Where nothing is
//! written by hand, versions are compared with each other. The algorithmic kernel may run on the host, too, beside the OpenCL device.
//!
//! Before: a [`Row`], a device and sizes. After: the [`Times`] of each by the device's own clock, or the reason why there
//! are none. Nothing is timed before all results agree. The program `measure` is the command line.

mod arrays;
mod choice;
mod compete;
mod hand;
mod load;
mod peer;
mod report;
mod rooms;
mod rows;
mod run;

use std::error::Error;
use std::ops::Deref;

use lift::spec::KernelSpec;
use lift::{Device, Launcher};

pub use choice::Choice;
pub use compete::{Competition, Opponent, Standing, compete};
pub use hand::{HandWritten, Stage, Work};
pub use load::Load;
pub use peer::Peer;
pub use report::{json, rivals_table, table, versions_table};
pub use rows::ROWS;
pub use run::{Caches, Conditions, FOREIGN, Measured, Rival, Times, Versions, agree, measure, measure_with};

/// A result, or a text for the user.
pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// One workload at one size.
pub struct Row {
    /// What is computed.
    pub name: &'static str,
    /// The size variables of [`Row::algorithmic`], in its order.
    pub sizes: &'static [usize],
    /// Sizes that are computed in a moment, and at which the last work-groups are not full.
    pub quick: &'static [usize],
    /// The kernel in the algorithmic language. The arrays of all others are the same.
    pub algorithmic: Lift,
    /// What is in arrays that may not hold any numbers, by the names of the parameters.
    pub given: &'static [(&'static str, Given)],
    /// What is written for GPUs.
    pub gpu: Tuned,
    /// What is written for CPUs; that for GPUs, if there is nothing.
    pub cpu: Option<Tuned>,
    /// Floating-point operations, for values of the size variables.
    pub operations: fn(&[usize]) -> f64,
    /// How many bytes a launch moves at least, if it does not go through all of its arrays.
    pub bytes: Option<fn(&[usize]) -> usize>,
}

impl Row {
    /// The name and the size.
    pub fn title(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(usize::to_string).collect();
        format!("{} {}", self.name, sizes.join("x"))
    }
}

/// What is in an array.
#[derive(Clone, Copy)]
pub enum Given {
    /// Random numbers between these.
    Between(f32, f32),
    /// Numbers that follow from the sizes.
    Numbers(fn(&[usize]) -> Result<Vec<i32>>),
    /// The same for floats.
    Floats(fn(&[usize]) -> Result<Vec<f32>>),
}

/// A description, which may be read from its text when it is first looked at.
pub type Description = &'static (dyn Deref<Target = KernelSpec> + Sync);

/// A kernel of `lift!`, and what its scalar parameters are in the measurement.
#[derive(Clone, Copy)]
pub struct Lift {
    /// The kernel.
    pub spec: Description,
    /// Its launcher, which knows what is compiled to Rust, too; without one it is launched by its description.
    pub launcher: Option<fn(&Device) -> lift::Result<Launcher>>,
    /// Values for its scalar parameters, in their order.
    pub scalars: &'static [f64],
}

/// What is written for one kind of device.
#[derive(Clone, Copy)]
pub struct Tuned {
    /// The kernel in the low-level language, if there is one.
    pub low: Option<Description>,
    /// The opponent, if there is one; otherwise that is the version `naive`.
    pub hand: Option<HandWritten>,
    /// Values for the scalar parameters of both.
    pub scalars: &'static [f64],
}

/// Nothing is written for any device.
pub const NOTHING: Tuned = Tuned { low: None, hand: None, scalars: &[] };

impl Row {
    /// What is best on this device. What is written by hand and placed by hand is OpenCL: for the host, there is nothing.
    #[must_use]
    pub fn tuned(&self, device: &Device) -> &Tuned {
        match &self.cpu {
            _ if is_host(device) => &NOTHING,
            Some(cpu) if !device.is_gpu() => cpu,
            Some(_) | None => &self.gpu,
        }
    }
}

/// Whether this is the processor without OpenCL.
#[must_use]
pub fn is_host(device: &Device) -> bool {
    device.label() == Device::cpu().label()
}
