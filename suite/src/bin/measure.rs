//! Kernels of `lift!` against OpenCL written by hand, by the device's own clock.
//!
//! ```text
//! cargo build --release -p lift-suite --bin measure
//! target/release/measure --device gpu
//! ```
//!
//! The program needs nothing but an OpenCL driver: all texts are part of it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::Device;
use lift_suite::measure::{self, Caches, Conditions, Measured, ROWS, Result, Row, Versions};

/// Measures the low-level kernels, the algorithmic kernels of the same workloads, OpenCL written by hand, and copies of
/// as many bytes, side by side. The rates and the fraction of the copy's speed are those of the low-level kernel.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The device: a part of its name, `gpu`, `cpu`, or its number. By default the best.
    #[arg(short, long, value_name = "NAME")]
    device: Option<String>,
    /// Only the rows whose name or size has this part, as `--list` shows them; may be given several times.
    #[arg(short, long, value_name = "SUBSTRING")]
    only: Vec<String>,
    /// Runs of each kernel; the median counts. By default 60 on a GPU, 10 on a CPU.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Every extent, in place of each row's own.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    size: Option<u32>,
    /// Sizes that are computed in a moment: tries the program, measures nothing of interest.
    #[arg(short, long, conflicts_with = "size")]
    quick: bool,
    /// All launches use the same arrays, which a GPU's caches then hold if they fit.
    #[arg(short, long)]
    warm: bool,
    /// Kernels of `lift!` do not check indices that are data, as those written by hand.
    #[arg(short, long)]
    unchecked: bool,
    /// All versions of the algorithmic kernels that the device can run, not the first one alone.
    #[arg(short, long)]
    versions: bool,
    /// Writes all numbers to a file, too.
    #[arg(short, long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Shows the rows and stops.
    #[arg(short, long)]
    list: bool,
}

impl Args {
    fn sizes(&self, row: &Row) -> Vec<usize> {
        match self.size {
            Some(size) => vec![size as usize; row.sizes.len()],
            None if self.quick => row.quick.to_vec(),
            None => row.sizes.to_vec(),
        }
    }

    fn wants(&self, row: &Row) -> bool {
        let title = title(row);
        self.only.is_empty() || self.only.iter().any(|part| title.contains(part.as_str()))
    }
}

/// The name and the size.
fn title(row: &Row) -> String {
    let sizes: Vec<String> = row.sizes.iter().map(usize::to_string).collect();
    format!("{} {}", row.name, sizes.join("x"))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all rows could be measured.
fn run(args: &Args) -> Result<bool> {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| args.wants(row)).collect();
    if args.list {
        rows.iter().for_each(|row| println!("{:30} {}", title(row), row.gpu.hand.shape()));
        return Ok(true);
    }
    let device = match &args.device {
        Some(name) => Device::find(name)?,
        None => Device::best()?,
    };
    let runs = args.runs.map_or(if device.is_gpu() { 60 } else { 10 }, |runs| runs as usize);
    println!("{device}");
    let caches = if args.warm { Caches::Warm } else { Caches::Cold };
    let versions = if args.versions { Versions::All } else { Versions::First };
    let conditions = Conditions { runs, caches, checked: !args.unchecked, versions };
    let warm = if args.warm { ", always on the same arrays" } else { "" };
    println!("medians of {runs} runs{warm}{}", if args.unchecked { ", indices unchecked" } else { "" });
    let (mut measured, mut failed): (Vec<(&Row, Measured)>, _) = (Vec::new(), false);
    for row in rows {
        eprintln!("{} …", title(row));
        match measure::measure(row, &device, &args.sizes(row), conditions) {
            Ok(times) => {
                eprintln!("{}", times.line());
                measured.push((row, times));
            }
            Err(error) => {
                failed = true;
                eprintln!("{}: {error}", title(row));
            }
        }
    }
    print!("{}", measure::table(&measured));
    if args.versions {
        print!("\n{}", measure::versions_table(&measured));
    }
    if let Some(file) = &args.json {
        std::fs::write(file, measure::json(&device.to_string(), runs, &measured))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(!failed)
}
