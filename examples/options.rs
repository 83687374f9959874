//! The options that the examples share.

use std::error::Error;
use std::process::ExitCode;

use lift::Device;

/// Where to run, and whether to compare.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// The device: part of its name, `gpu`, `cpu`.
    #[arg(short, long)]
    pub device: Option<String>,
    /// Compares the result with a computation on the host.
    #[arg(long)]
    pub check: bool,
}

impl Common {
    /// The device that was asked for, or the best one.
    pub fn device(&self) -> lift::Result<Device> {
        match &self.device {
            Some(name) => Device::find(name),
            None => Device::best(),
        }
    }
}

/// How an example ends.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Reads the arguments and runs the example; errors are printed as sentences.
pub fn main<A: clap::Parser>(run: impl Fn(&A) -> Outcome) -> ExitCode {
    match run(&A::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
