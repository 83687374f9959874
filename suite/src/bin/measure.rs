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
use lift_suite::measure::{self, Caches, Choice, Conditions, FOREIGN, Measured, Peer, Result, Row, Versions};

/// Measures the low-level kernels, the algorithmic kernels of the same workloads, OpenCL written by hand, and copies of
/// as many bytes, side by side. The rates and the fraction of the copy's speed are those of the low-level kernel. Where nothing is
/// written by hand, there are the versions of the algorithmic kernel alone, and ratios are to `naive`. On the processor without OpenCL,
/// `--device host`, there is the algorithmic kernel alone: what is written by hand is OpenCL. `--host` measures that one beside the others.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Runs of each kernel; the median counts. By default 60 on a GPU, 10 on a CPU.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Every extent, in place of each row's own.
    #[arg(short, long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u32).range(1..))]
    size: Option<u32>,
    /// All launches use the same arrays, which a GPU's caches then hold if they fit.
    #[arg(short, long)]
    warm: bool,
    /// Nobody checks indices that are data; otherwise kernels of `lift!` do, and those written by hand for CPUs.
    #[arg(short, long)]
    unchecked: bool,
    /// All versions of the algorithmic kernels that the device can run, not the first one alone.
    #[arg(short, long)]
    versions: bool,
    /// The algorithmic kernel on the processor without OpenCL, too, in the same rounds as on the device, and how many times as long
    /// the device takes: the median of the ratios of all rounds. The results must agree.
    #[arg(long)]
    host: bool,
    /// The algorithmic kernels alone, without what is written by hand and the low-level kernels.
    #[arg(short, long)]
    alone: bool,
    /// Repeats rounds in which other programs took more than 15 % of the processor, if the system tells; a row that has too few
    /// others fails.
    #[arg(long)]
    quiet: bool,
    /// Another program that runs rows in the same rounds, such as those that `scripts/peers` makes; may be given several times. It is
    /// compared with the host, so this needs `--host` or `--device host`.
    #[arg(long, value_name = "COMMAND")]
    peer: Vec<String>,
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
            None => self.choice.sizes(row).to_vec(),
        }
    }
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
    let rows = args.choice.rows();
    if args.list {
        let shape = |row: &Row| row.gpu.hand.map_or("nothing by hand".to_string(), |hand| hand.shape());
        rows.iter().for_each(|row| println!("{:30} {}", row.title(), shape(row)));
        return Ok(true);
    }
    let device = args.choice.device()?;
    let runs = args.runs.map_or(if device.is_gpu() { 60 } else { 10 }, |runs| runs as usize);
    println!("{device}");
    if measure::is_host(&device) {
        println!("what is written by hand is OpenCL: there is none of it here");
    } else if args.host {
        println!("beside {}", Device::cpu());
    }
    let caches = if args.warm { Caches::Warm } else { Caches::Cold };
    let versions = if args.versions { Versions::All } else { Versions::First };
    let conditions = Conditions {
        runs,
        caches,
        checked: !args.unchecked,
        versions,
        opponents: !args.alone,
        host: args.host,
        quiet: args.quiet,
    };
    let warm = if args.warm { ", always on the same arrays" } else { "" };
    println!("medians of {runs} runs{warm}{}", if args.unchecked { ", indices unchecked" } else { "" });
    if args.quiet {
        println!(
            "rounds in which others took more than {:.0} % of the processor are repeated",
            FOREIGN * 100.0
        );
    }
    let mut peers = args.peer.iter().map(|command| Peer::start(command)).collect::<Result<Vec<Peer>>>()?;
    let (mut measured, mut failed): (Vec<(&Row, Measured)>, _) = (Vec::new(), false);
    for row in rows {
        eprintln!("{} …", row.title());
        match measure::measure_with(row, &device, &mut peers, &args.sizes(row), conditions) {
            Ok(times) => {
                eprintln!("{}", times.line());
                measured.push((row, times));
            }
            Err(error) => {
                failed = true;
                eprintln!("{}: {error}", row.title());
            }
        }
    }
    print!("{}", measure::table(&measured));
    if measured.iter().any(|(_, it)| !it.rivals.is_empty()) {
        print!("\n{}", measure::rivals_table(&measured));
    }
    if args.versions {
        print!("\n{}", measure::versions_table(&measured));
    }
    if let Some(file) = &args.json {
        std::fs::write(file, measure::json(&device.to_string(), runs, &measured))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(!failed)
}
