//! Programs with little arithmetic against copying the bytes that they must read and write.
//!
//! ```text
//! LIFT_DEVICE=nvidia cargo run --release -p lift-suite --bin traffic
//! ```

use std::process::ExitCode;

use clap::Parser;
use lift::Device;
use lift_suite::natural::traffic::{programs, table};

/// Measures programs with little arithmetic, such as sums, prefix sums and transposition, by profiling events. The ratio is that of copying as many bytes as a
/// program must read and write, at the speed at which the device copies a large array, to the program's time.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// Rows of a matrix; an array of one dimension has four times as many elements as a matrix.
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    rows: u32,
    /// Columns of a matrix.
    #[arg(long, value_name = "M", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    columns: u32,
    /// Runs; the median counts.
    #[arg(short, long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Every version of each program, and not only the one that the launcher chooses.
    #[arg(short, long)]
    all: bool,
    /// Only the programs whose name has one of these parts.
    names: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match measure(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args) -> Result<(), String> {
    let device = Device::best().map_err(|error| error.to_string())?;
    println!("{device}");
    let wanted =
        |name: &str| args.names.is_empty() || args.names.iter().any(|part| name.contains(part.as_str()));
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for program in programs().iter().filter(|program| program.is_copy() || wanted(program.name)) {
        eprintln!("{} …", program.name);
        match program.measure(
            &device,
            [args.rows as usize, args.columns as usize],
            args.runs as usize,
            args.all,
        ) {
            Ok(measured) => rows.extend(measured),
            Err(error) => failed.push(format!("{}: {error}", program.name)),
        }
    }
    print!("{}", table(&rows));
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}
