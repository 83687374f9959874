//! The potential of point charges in a grounded box, by multigrid: four kernels on grids of many sizes.
//!
//! ```text
//! cargo run --release --example multigrid
//! cargo run --release --example multigrid -- --levels 10 --cycles 12
//! ```

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use lift::ndarray::Array2;
use lift::prelude::*;
use lift_examples::options::{self, Common, Outcome};
use lift_examples::random::Random;
use lift_examples::{check, colours, picture};

lift!(
    /// Of a plus-shaped window: the sum of the four neighbours.
    fn around(w: [[f32; 3]; 3]) -> f32 {
        w[0][1] + w[1][0] + w[1][2] + w[2][1]
    }

    /// One sweep of damped Jacobi for `-Δu = f`; `h2` is the square of the distance between points.
    #[kernel]
    pub fn Smooth<N>(h2: f32, u: [[f32; N]; N], f: [[f32; N]; N]) -> [[f32; N]; N] {
        let windows = u.pad2d(1, 1, constant(0.0)).slide2d(3, 1);
        zip2d(windows, f).map2d(|(w, f)| 0.2 * w[1][1] + 0.2 * (around(w) + h2 * f))
    }

    /// How far a solution is from the equation.
    #[kernel]
    pub fn Residual<N>(h2: f32, u: [[f32; N]; N], f: [[f32; N]; N]) -> [[f32; N]; N] {
        let windows = u.pad2d(1, 1, constant(0.0)).slide2d(3, 1);
        zip2d(windows, f).map2d(|(w, f)| f - (4.0 * w[1][1] - around(w)) / h2)
    }

    /// The same on a grid with half as many points: weighted means.
    #[kernel]
    pub fn Restrict<N>(fine: [[f32; 2 * N + 1]; 2 * N + 1]) -> [[f32; N]; N] {
        fine.slide2d(3, 2).map2d(|w| {
            let corners = w[0][0] + w[0][2] + w[2][0] + w[2][2];
            0.25 * w[1][1] + 0.125 * around(w) + 0.0625 * corners
        })
    }

    /// Adds what is known on the coarser grid, interpolated.
    #[kernel]
    pub fn Correct<N>(
        fine: [[f32; 2 * N + 1]; 2 * N + 1],
        coarse: [[f32; N]; N],
    ) -> [[f32; 2 * N + 1]; 2 * N + 1] {
        let squares = coarse.pad2d(1, 1, constant(0.0)).slide2d(2, 1);
        let between = squares.map2d(|w| {
            [
                [0.25 * (w[0][0] + w[0][1] + w[1][0] + w[1][1]), 0.5 * (w[0][1] + w[1][1])],
                [0.5 * (w[1][0] + w[1][1]), w[1][1]],
            ]
        });
        zip2d(fine, between.join2d().take(2 * N + 1).map(take(2 * N + 1))).map2d(add)
    }

    /// The largest absolute value.
    #[kernel]
    pub fn Largest<N, M>(x: [[f32; M]; N]) -> f32 {
        x.join().map(abs).reduce(max, 0.0)
    }
);

/// Solves Poisson's equation by multigrid.
#[derive(Parser)]
struct Args {
    /// Grids: the finest has 2^(levels + 1) - 1 points in a row, the coarsest 3.
    #[arg(short, long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=12))]
    levels: u32,
    /// How often one goes down and up again.
    #[arg(short = 'n', long, default_value_t = 8)]
    cycles: u32,
    /// Sweeps on each grid on the way down, and on the way up.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    sweeps: u32,
    /// Charges, half of them negative.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    charges: u32,
    /// The picture.
    #[arg(short, long, default_value = "multigrid.png")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// The kernels on a device.
struct Multigrid {
    smooth: Smooth,
    residual: Residual,
    restrict: Restrict,
    correct: Correct,
    largest: Largest,
    sweeps: u32,
}

impl Multigrid {
    fn on(device: &Device, sweeps: u32) -> lift::Result<Multigrid> {
        Ok(Multigrid {
            smooth: Smooth::on(device)?,
            residual: Residual::on(device)?,
            restrict: Restrict::on(device)?,
            correct: Correct::on(device)?,
            largest: Largest::on(device)?,
            sweeps,
        })
    }

    fn smoothed(&self, h2: f32, mut u: Array2<f32>, f: &Array2<f32>) -> lift::Result<Array2<f32>> {
        for _ in 0..self.sweeps {
            u = self.smooth.run(h2, &u, f)?;
        }
        Ok(u)
    }

    /// A better solution: down to the coarsest grid and up again.
    fn cycle(&self, u: Array2<f32>, f: &Array2<f32>) -> lift::Result<Array2<f32>> {
        let n = f.nrows();
        let h2 = square_of_distance(n);
        let mut u = self.smoothed(h2, u, f)?;
        if n > 3 {
            let coarse = self.restrict.run(&self.residual.run(h2, &u, f)?)?;
            let correction = self.cycle(Array2::zeros(coarse.dim()), &coarse)?;
            u = self.correct.run(&u, &correction)?;
        }
        self.smoothed(h2, u, f)
    }
}

fn square_of_distance(n: usize) -> f32 {
    ((n + 1) as f32).powi(-2)
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    let device = args.common.device()?;
    let multigrid = Multigrid::on(&device, args.sweeps)?;
    let n = (2 << args.levels) - 1;
    let f = charges(n, args.charges);
    let start = multigrid.largest.run(&f)?;
    let mut u = Array2::zeros((n, n));
    for cycle in 1..=args.cycles {
        let begin = Instant::now();
        u = multigrid.cycle(u, &f)?;
        let milliseconds = 1e3 * begin.elapsed().as_secs_f64();
        let left = multigrid.largest.run(&multigrid.residual.run(square_of_distance(n), &u, &f)?)?;
        println!("cycle {cycle}: residual {:.1e}, {milliseconds:.1} ms", left / start);
    }
    let range = u.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
    picture::save_grey(&args.output, &colours::bytes(&u, -range, range))?;
    println!("{} {n}×{n} on {}", args.output.display(), device.name());
    if args.common.check {
        let left = on_host(&u, &f).fold(0.0_f64, |most, x| most.max(x.abs()));
        let limit = 0.3_f64.powi(args.cycles as i32).max(1e-3);
        check::within("residual on the host, relative to the first", left / f64::from(start), limit)?;
    }
    Ok(())
}

/// Charges of one grid point each, of which the largest is 1.
fn charges(n: usize, count: u32) -> Array2<f32> {
    let (mut random, mut f) = (Random::new(1), Array2::zeros((n, n)));
    for k in 0..count {
        let mut place = || ((0.1 + 0.8 * random.uniform()) * n as f32) as usize;
        f[[place(), place()]] = if k % 2 == 0 { 1.0 } else { -1.0 };
    }
    f
}

/// The residual, from the definition.
fn on_host(u: &Array2<f32>, f: &Array2<f32>) -> Array2<f64> {
    let n = f.nrows();
    let at =
        |i: usize, j: usize| u.get([i.wrapping_sub(1), j.wrapping_sub(1)]).map_or(0.0, |x| f64::from(*x));
    Array2::from_shape_fn((n, n), |(i, j)| {
        let (i, j) = (i + 1, j + 1);
        let laplace = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4.0 * at(i, j);
        f64::from(f[[i - 1, j - 1]]) + laplace * ((n + 1) as f64).powi(2)
    })
}
