//! How a simulation would scale to many devices: a model from what is measured on one, and from figures of a network.
//!
//! ```text
//! cargo run --release -p lift-regret --bin scaling -- --device gpu
//! ```

mod measure;
mod model;
mod plot;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::Device;

use model::{Measured, Network, Plan};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Predicts how the example `room` scales to 4096 devices, each a rank, cut along one dimension.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// A part of the device's name, or `gpu` or `host`.
    #[arg(short, long)]
    device: Option<String>,
    /// Points along each side of the room that one device has.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(32..=4096))]
    size: u32,
    /// How long a message is under way, in microseconds.
    #[arg(long, default_value_t = 2.0)]
    latency: f64,
    /// How fast a device's network is, in GB/s. 50 are the 400 Gb/s of a port of InfiniBand NDR.
    #[arg(long, default_value_t = 50.0)]
    bandwidth: f64,
    /// The picture.
    #[arg(short, long, value_name = "FILE", default_value = "scaling.svg")]
    output: PathBuf,
}

/// How many devices are looked at.
const DEVICES: [usize; 13] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let device = args.device.as_ref().map_or_else(Device::best, |name| Device::find(name))?;
    let n = args.size as usize;
    let measured = measure::device(&device, n)?;
    let network = Network { latency: args.latency * 1e-6, bandwidth: args.bandwidth * 1e9 };
    println!("{}: planes of {n}×{n} points\n", device.name());
    println!("| rows | ms a step |\n| --- | --- |");
    for (rows, seconds) in &measured.steps {
        println!("| {rows} | {:.4} |", 1e3 * seconds);
    }
    println!(
        "\nAn exchange with two neighbours takes {:.3} ms and {:.3} ms for each plane, besides the network.\n",
        1e3 * measured.fixed,
        1e3 * measured.plane
    );

    println!(
        "Ranks that share the device, in ms a step:\n\n| ranks | predicted | measured |\n| --- | --- | --- |"
    );
    for ranks in [3, 4, 8] {
        let steps = 4;
        let found = measure::ranks(&device, n, ranks, steps)?;
        println!("| {ranks} | {:.3} | {:.3} |", 1e3 * measured.shared(ranks, n, steps), 1e3 * found);
    }

    let weak = table(
        "Weak scaling: as many rows on each device",
        DEVICES.map(|devices| (devices, n * devices)),
        &measured,
        &network,
    );
    let strong = table(
        "Strong scaling: as many rows in all",
        DEVICES.map(|devices| (devices, n)),
        &measured,
        &network,
    );
    plot::draw(&args.output, device.name(), &weak, &strong)?;
    println!("\n{}", args.output.display());
    Ok(())
}

/// Prints the best plan for each number of devices and rows, and gives its efficiency: what one device would need, divided by what all need
/// together.
fn table(
    title: &str,
    cases: [(usize, usize); DEVICES.len()],
    measured: &Measured,
    network: &Network,
) -> Vec<(usize, f64)> {
    println!("\n{title}:\n");
    println!("| devices | rows of each | steps between exchanges | ms a step | efficiency |");
    println!("| --- | --- | --- | --- | --- |");
    let mut efficiencies = Vec::new();
    for (devices, rows) in cases {
        let Some(Plan { seconds, steps }) = measured.plan(rows, devices, network) else { continue };
        let efficiency = measured.step(rows as f64) / (devices as f64 * seconds);
        println!("| {devices} | {} | {steps} | {:.4} | {efficiency:.2} |", rows / devices, 1e3 * seconds);
        efficiencies.push((devices, efficiency));
    }
    efficiencies
}
