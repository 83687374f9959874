//! A kernel of a package, on a device and at sizes that the user says.

use std::path::PathBuf;

use clap::Args;
use lift::tune::Chains;
use lift::{Device, Launcher, Tuning, TuningReport};

use crate::Result;
use crate::compile::{self, Kernel};
use crate::data;
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
    pub(crate) fn case(&self) -> Result<Case> {
        let source = self.package.kernel(&self.kernel)?;
        let kernel = compile::kernel(&source)?;
        let device = match &self.device {
            Some(name) => Device::find(name)?,
            None => Device::all()?.into_iter().find(Device::is_gpu).map_or_else(Device::best, Ok)?,
        };
        let device = match device == Device::cpu() {
            // Functions for it are compiled by rustc, together with the rest of a crate.
            true => Device::all()?.into_iter().find(|it| *it != Device::cpu()).ok_or(
                "versions for the CPU without OpenCL are part of the crate's own code: tune them in a program, with the feature `tune` and the \
                 kernel's method `tune`; here, a device of OpenCL is needed (`cargo lift doctor` says what to install)",
            )?,
            false => device,
        };
        let sizes = data::sizes(kernel.spec, &self.size)?;
        let launcher = compile::launcher(kernel.spec, &device)?;
        Ok(Case { source, kernel, launcher, sizes })
    }
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

    pub(crate) fn journal(&self) -> PathBuf {
        let workspace = self.source.call.file.above("Cargo.lock").unwrap_or_else(|| self.folder());
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
        target.join("lift-tune").join(format!("{}.jsonl", self.kernel.spec.name))
    }

    /// The folder of the crate that has the kernel.
    pub(crate) fn folder(&self) -> PathBuf {
        self.source.call.file.above("Cargo.toml").unwrap_or_default()
    }
}
