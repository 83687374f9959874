//! A kernel of a package, on a device and at sizes that the user says.

use std::path::PathBuf;

use cargo_lift::chain_compiler::launcher;
use cargo_lift::data;
use clap::Args;
use lift::tune::Chains;
use lift::{Device, Launcher, Tuning, TuningReport};

use crate::Result;
use crate::compile::{self, Kernel};
use crate::package::Package;
use crate::source;

/// A kernel on a device at certain sizes.
#[derive(Args)]
pub(crate) struct Subject {
    /// The kernel.
    kernel: String,
    /// The device: a part of its name, `gpu`, `cpu`, or its number. By default the best.
    #[arg(short, long, value_name = "NAME")]
    device: Option<String>,
    /// Values of size variables, such as `H=4096,W=4096`; without, arrays have some million elements.
    #[arg(short, long, value_name = "SIZES")]
    size: Vec<String>,
    #[command(flatten)]
    package: Package,
}

/// What is tuned.
pub(crate) struct Case {
    pub(crate) source: source::Kernel,
    pub(crate) kernel: Kernel,
    pub(crate) launcher: Launcher,
    sizes: Vec<i64>,
}

impl Subject {
    /// The kernel in the sources. No device is asked: some may be used by one process at a time.
    pub(crate) fn source(&self) -> Result<source::Kernel> {
        self.package.kernel(&self.kernel)
    }

    pub(crate) fn case(&self) -> Result<Case> {
        let source = self.source()?;
        let kernel = compile::kernel(&source)?;
        let sizes = data::sizes(kernel.spec, &self.size)?;
        let launcher = launcher(kernel.spec, &self.device()?)?;
        Ok(Case { source, kernel, launcher, sizes })
    }

    /// The device that was asked for, or the best one of OpenCL.
    fn device(&self) -> Result<Device> {
        let is_opencl = |device: &Device| *device != Device::cpu();
        let device = match &self.device {
            Some(name) => Some(Device::find(name)?).filter(is_opencl),
            None => Some(Device::best()?).filter(is_opencl).or(Device::all()?.into_iter().find(is_opencl)),
        };
        // Functions for the CPU without OpenCL are compiled by rustc, together with the rest of a crate.
        device.ok_or_else(|| {
            "a device of OpenCL is needed here: versions for the CPU without it are part of the crate's own code\n\
             help: `cargo lift doctor` says what to install\n\
             help: in a program with the feature `tune`, the kernel's method `tune` looks for the fastest version on any device"
                .into()
        })
    }
}

/// Where measurements of a kernel are kept.
pub(crate) fn journal(source: &source::Kernel) -> PathBuf {
    let workspace = source.call.file.above("Cargo.lock").unwrap_or_else(|| folder(source));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    target.join("lift-tune").join(format!("{}.jsonl", source.compiled))
}

/// The folder of the crate that has a kernel.
pub(crate) fn folder(source: &source::Kernel) -> PathBuf {
    source.call.file.above("Cargo.toml").unwrap_or_default()
}

impl Case {
    pub(crate) fn run(&self, tuning: &Tuning, chains: Option<&dyn Chains>) -> Result<TuningReport> {
        let args = data::arguments(self.kernel.spec, &self.sizes)?;
        tuning.tune_with(&self.launcher, args, chains).map_err(|error| {
            let sizes = self.kernel.spec.sizes.iter().zip(&self.sizes);
            let sizes: Vec<String> = sizes.map(|(size, value)| format!("{}={value}", size.name)).collect();
            let advice = "other sizes may be given with `--size`; for arguments that random numbers cannot be, tune in a program, with the feature `tune` \
                          and the kernel's method `tune`";
            format!("{error}\nnote: this was at {}, with random arguments\nhelp: {advice}", sizes.join(", ")).into()
        })
    }
}
