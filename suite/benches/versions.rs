//! All versions of every program of the suite, against each other, the low-level kernel, and OpenCL written by hand, where there
//! is any, as ratios of times in one run by the device's own clock.
//!
//! ```text
//! cargo bench -p lift-suite --bench versions -- --only jacobi2d
//! ```

use std::process::ExitCode;

use clap::Parser;
use lift_suite::measure::{self, Choice, Conditions, Result, Versions};

/// Compares all versions of every program of the suite with each other and with OpenCL written by hand, or with the version `naive` where
/// there is none.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Runs of each kernel; the median counts. By default 20 on a GPU, 3 on a CPU.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Cargo says so.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let device = args.choice.device()?;
    let runs = args.runs.map_or(if device.is_gpu() { 20 } else { 3 }, |runs| runs as usize);
    let conditions = Conditions { versions: Versions::All, ..Conditions::of_runs(runs) };
    println!("{device}, medians of {runs} runs");
    for row in args.choice.rows() {
        let measured = measure::measure(row, &device, args.choice.sizes(row), conditions)?;
        println!("{}", measure::versions_table(&[(row, measured)]));
    }
    Ok(())
}
