//! A long simulation that is saved now and then, and goes on where it was saved: also with another number of ranks.
//!
//! ```text
//! cargo build --release --package lift-mpi --example checkpoints
//! mpirun -n 4 target/release/examples/checkpoints --folder heat --steps 10000
//! ```
//!
//! Whenever a rank or a machine dies, the folder holds the last state that was saved as a whole.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::ndarray::Array2;
use lift::prelude::*;

lift!(
    /// A plate that is heated in one place.
    #[kernel]
    #[step(u)]
    fn Plate<H, W>(u: [[f32; W]; H], rate: f32) -> [[f32; W]; H] {
        zip2d(u, u.pad2d(1, 1, clamp).slide2d(3, 1))
            .map2d(|(c, w)| c + rate * (w[0][1] + w[1][0] + w[1][2] + w[2][1] - 4.0 * c))
    }
);

/// Computes how heat spreads, and saves the state now and then.
#[derive(Parser)]
struct Args {
    /// Where the simulation is saved. If there is one, it goes on.
    #[arg(long, default_value = "checkpoint")]
    folder: PathBuf,
    /// Points along each side.
    #[arg(long, default_value_t = 512)]
    size: usize,
    /// So many steps are made in all.
    #[arg(long, default_value_t = 2000)]
    steps: u64,
    /// After so many steps it is saved.
    #[arg(long, default_value_t = 200)]
    every: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    lift_mpi::run(|ranks| run(&args, ranks))
}

fn run(args: &Args, ranks: &Ranks) -> lift::Result<()> {
    let plate = Plate::on(&lift_mpi::device()?)?.across(ranks);
    let mut sim = if args.folder.join("manifest.json").exists() {
        plate.restore(&args.folder)?
    } else {
        let n = args.size;
        let mut sim = plate.start(&Array2::<f32>::zeros((n, n)), 0.2)?;
        sim.source([n / 3, n / 2], &vec![1.0; args.steps as usize])?;
        sim
    };
    let left = args.steps.saturating_sub(sim.steps_done());
    sim.steps(left).every(args.every.max(1), |sim| sim.save(&args.folder)).progress(true).go()?;
    let heat: f64 = sim.u()?.iter().map(|u| f64::from(*u)).sum();
    if ranks.is_first() {
        println!("{} steps, heat {heat}", sim.steps_done());
    }
    Ok(())
}
