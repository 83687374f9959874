//! The options that the examples share.

use std::error::Error;
use std::process::ExitCode;

use lift::Device;

/// Where to run, and whether to compare.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// The device: part of its name, `gpu`, `host` (the processor without OpenCL), or its number in `--list-devices`. Without, the best.
    #[arg(short, long)]
    pub device: Option<String>,
    /// Lists the devices and stops.
    #[arg(long)]
    pub list_devices: bool,
    /// Compares the result with a plain computation.
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
    let matches = A::command().get_matches();
    let list_devices = matches.try_get_one("list_devices").is_ok_and(|asked| asked == Some(&true));
    let args = A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let outcome = if list_devices { print_devices() } else { run(&args) };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_devices() -> Outcome {
    for device in Device::all()? {
        println!("{device}");
    }
    Ok(())
}
