//! Heat spreads in a plate: the two-dimensional heat equation.
//!
//! ```text
//! cargo run --release --example heat
//! cargo run --release --example heat -- --size 1024 --steps 20000 --output heat.png
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use indicatif::ProgressIterator;
use lift::Frames;
use lift::ndarray::Array2;
use lift::prelude::*;
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, random::Random};

lift!(
    /// A step in time. The plate's edges are insulated: beyond them it is as warm as on them.
    #[kernel]
    #[step(u)]
    pub fn Heat<H, W>(u: [[f32; W]; H], rate: f32) -> [[f32; W]; H] {
        u.pad2d(1, 1, clamp)
            .slide2d(3, 1)
            .map2d(|w| w[1][1] + rate * (w[0][1] + w[1][0] + w[1][2] + w[2][1] - 4.0 * w[1][1]))
    }

    /// All heat of the plate.
    #[kernel]
    pub fn Energy<H, W>(u: [[f32; W]; H]) -> f64 {
        u.join().map(|t| t as f64).reduce(add, 0.0)
    }
);

/// Lets heat spread in a plate, and writes it as an animation.
#[derive(Parser)]
struct Args {
    /// Rows and columns.
    #[arg(short, long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=16384))]
    size: u32,
    /// Steps in time.
    #[arg(short = 'n', long, default_value_t = 1000)]
    steps: u32,
    /// Every so many steps a picture is made.
    #[arg(short, long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// How fast heat spreads; more than 0.25 is unstable.
    #[arg(short, long, default_value_t = 0.2)]
    rate: f32,
    /// Spots that are hot at the beginning.
    #[arg(long, default_value_t = 24)]
    spots: u32,
    /// It is computed in so many parts, with the same results.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    parts: u16,
    /// Another seed, other spots.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The animation; a PNG shows the last picture.
    #[arg(short, long, default_value = "heat.gif")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// Discs of different size and heat in a cold plate.
fn beginning(n: usize, spots: u32, seed: u64) -> Array2<f32> {
    let mut random = Random::new(seed);
    let mut u = Array2::zeros((n, n));
    for _ in 0..spots {
        let [y, x] = [0, 1].map(|_| random.uniform() * n as f32);
        let radius = (0.02 + 0.06 * random.uniform()) * n as f32;
        let heat = 0.4 + 0.6 * random.uniform();
        for ((i, j), t) in u.indexed_iter_mut() {
            if (i as f32 - y).hypot(j as f32 - x) <= radius {
                *t = heat.max(*t);
            }
        }
    }
    u
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    if !(args.rate > 0.0 && args.rate <= 0.25) {
        return Err(format!("--rate must be more than 0 and at most 0.25, not {}", args.rate).into());
    }
    let device = args.common.device()?;
    let n = args.size as usize;
    let start = beginning(n, args.spots, args.seed);
    let mut plate = Heat::on(&device)?.parts(args.parts.into()).start(&start, args.rate)?;
    let energy = Energy::on(&device)?;
    let before = energy.run(&start)?;

    let mut frames = Frames::create(&args.output)?;
    frames.push(&start)?;
    let show = frames.show(|plate: &mut HeatSteps| plate.u());
    plate.steps(args.steps.into()).every(args.every.into(), show).progress(true).go()?;

    let end = plate.u()?;
    let after = energy.run(&end)?;
    println!("{}: {} frames on {}", args.output.display(), frames.count(), device.name());
    frames.finish()?;
    println!("energy {before:.4} at the beginning, {after:.4} after {} steps", args.steps);
    if args.common.check {
        check::within("energy lost or gained, relative", ((after - before) / before.max(1e-9)).abs(), 1e-4)?;
        let expected =
            (0..args.steps).progress().fold(start.mapv(f64::from), |u, _| on_host(&u, args.rate.into()));
        check::close(end, expected, 1e-4)?;
    }
    Ok(())
}

/// A step, from the definition.
fn on_host(u: &Array2<f64>, rate: f64) -> Array2<f64> {
    let (h, w) = u.dim();
    Array2::from_shape_fn((h, w), |(i, j)| {
        let (up, down) = (u[[i.saturating_sub(1), j]], u[[(i + 1).min(h - 1), j]]);
        let (left, right) = (u[[i, j.saturating_sub(1)]], u[[i, (j + 1).min(w - 1)]]);
        u[[i, j]] + rate * (up + down + left + right - 4.0 * u[[i, j]])
    })
}
