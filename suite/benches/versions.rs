//! All versions of every workload's kernel, against each other, the low-level kernel, and OpenCL written by hand, as
//! ratios of times in one run by the device's own clock.
//!
//! ```text
//! cargo bench -p lift-suite --bench versions -- --only jacobi2d
//! ```

use std::process::ExitCode;

use clap::Parser;
use lift::Device;
use lift_suite::measure::{self, Caches, Conditions, ROWS, Result, Versions};

/// Compares all versions of every workload's kernel with each other and with OpenCL written by hand.
#[derive(Parser)]
struct Args {
    /// The device: a part of its name, `gpu`, `cpu`, or its number. By default the best.
    #[arg(short, long, value_name = "NAME")]
    device: Option<String>,
    /// Only the rows whose name has this part; may be given several times.
    #[arg(short, long, value_name = "SUBSTRING")]
    only: Vec<String>,
    /// Runs of each kernel; the median counts. By default 20 on a GPU, 3 on a CPU.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Sizes that are computed in a moment.
    #[arg(short, long)]
    quick: bool,
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
    let device = match &args.device {
        Some(name) => Device::find(name)?,
        None => Device::best()?,
    };
    let runs = args.runs.map_or(if device.is_gpu() { 20 } else { 3 }, |runs| runs as usize);
    let conditions = Conditions { runs, caches: Caches::Cold, checked: true, versions: Versions::All };
    println!("{device}, medians of {runs} runs");
    for row in ROWS {
        if args.only.is_empty() || args.only.iter().any(|part| row.name.contains(part.as_str())) {
            let sizes = if args.quick { row.quick } else { row.sizes };
            let measured = measure::measure(row, &device, sizes, conditions)?;
            println!("{}", measure::versions_table(&[(row, measured)]));
        }
    }
    Ok(())
}
