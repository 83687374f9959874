//! Programs as users write them against loops in Rust.
//!
//! ```text
//! cargo run --release -p lift-suite --bin natural -- --host
//! ```

use std::process::ExitCode;

use clap::Parser;
use lift::Device;
use lift_suite::measure::is_host;
use lift_suite::natural::{Program, measure, programs, table};

/// Measures programs as users write them, beside the loop that they would write in Rust otherwise, on one thread and on two. Ratios
/// are those of the loop on two threads to Lift: below 1, Lift is slower. A program that takes more than 2 s is run once.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// On the processor without OpenCL; otherwise on the device that `LIFT_DEVICE` names, by default a GPU or another one with OpenCL.
    #[arg(long)]
    host: bool,
    /// Rounds, in each of which everything runs; the median counts.
    #[arg(short, long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How often a program is measured again, at most, because other programs took more than 15 % of the processor.
    #[arg(short, long, value_name = "N", default_value_t = 5)]
    attempts: u32,
    /// Shows the programs and stops.
    #[arg(short, long)]
    list: bool,
    /// Only the programs whose name has one of these parts.
    names: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let wanted = |program: &&Program| {
        args.names.is_empty() || args.names.iter().any(|part| program.name.contains(part.as_str()))
    };
    if args.list {
        programs().filter(wanted).for_each(|program| println!("{}", program.name));
        return ExitCode::SUCCESS;
    }
    let device = match if args.host { Ok(Device::cpu()) } else { opencl() } {
        Ok(device) => device,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{device}");
    let (mut measured, mut failed) = (Vec::new(), false);
    for program in programs().filter(wanted) {
        eprintln!("{} …", program.name);
        match measure(&device, program, args.rounds as usize, args.attempts as usize) {
            Ok(times) => measured.push(times),
            Err(error) => {
                failed = true;
                eprintln!("{}: {error}", program.name);
            }
        }
    }
    print!("{}", table(&measured));
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The device that `LIFT_DEVICE` names, or the best one with OpenCL.
fn opencl() -> lift::Result<Device> {
    let best = Device::best()?;
    if std::env::var_os("LIFT_DEVICE").is_some() || !is_host(&best) {
        return Ok(best);
    }
    let others = Device::all()?.into_iter().filter(|device| !is_host(device));
    Ok(others.max_by_key(Device::is_gpu).unwrap_or(best))
}
