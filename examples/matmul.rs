//! The product of two matrices: how fast each version is.
//!
//! ```text
//! cargo run --release --example matmul -- --check
//! cargo run --release --example matmul -- --rows 2048 --inner 4096 --columns 2048 --device gpu
//! ```

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lift::ndarray::Array2;
use lift::prelude::*;
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, random::Random};

lift!(
    fn dot<n>(x: [f32; n], y: [f32; n]) -> f32 {
        zip(x, y).map(mul).reduce(add, 0.0)
    }

    /// Every row of `a` with every column of `b`.
    #[kernel]
    pub fn Product<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a.map(|row| b.transpose().map(dot(row)))
    }
);

/// Multiplies two matrices, with every version of the kernel that the device runs.
#[derive(Parser)]
struct Args {
    /// Rows of the first matrix, and of the product.
    #[arg(short = 'n', long, default_value_t = 512, value_parser = size())]
    rows: u32,
    /// Columns of the first matrix, which are rows of the second.
    #[arg(short = 'k', long, default_value_t = 512, value_parser = size())]
    inner: u32,
    /// Columns of the second matrix, and of the product.
    #[arg(short = 'm', long, default_value_t = 512, value_parser = size())]
    columns: u32,
    /// Runs of each version; the median counts.
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    #[command(flatten)]
    common: Common,
}

fn size() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=30_000)
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    let device = args.common.device()?;
    let queue = device.queue()?;
    let (n, m, k) = (args.rows as usize, args.columns as usize, args.inner as usize);
    println!("{n}×{k} times {k}×{m} on {}", device.name());

    let mut random = Random::new(1);
    let mut matrix = |rows, columns| Array2::from_shape_simple_fn((rows, columns), || random.uniform() - 0.5);
    let (a, b) = (matrix(n, k), matrix(k, m));
    let (d_a, d_b) = (device.upload(&a)?, device.upload(&b)?);
    let mut out = device.alloc::<f32, 2>([n, m])?;
    let all = Product::on(&device)?;
    for name in all.variant_names() {
        let product = all.variant(name)?;
        // A result left over from the version before must not be taken for this one's.
        out.write(&Array2::from_elem((n, m), f32::NAN))?;
        let mut times = Vec::new();
        for _ in 0..=args.runs {
            times.push(product.launch(&queue, &d_a, &d_b, &mut out)?.kernel_time()?);
        }
        // The first run warms up.
        let seconds = median(&mut times[1..]).as_secs_f64();
        let operations = 2.0 * (n * m * k) as f64;
        println!("{name:9} {:9.3} ms {:9.1} GFLOP/s", seconds * 1e3, operations / seconds / 1e9);
        if args.common.check {
            let scale = (k as f64).sqrt();
            check::close(out.download()?, on_host(&a, &b), 1e-6 * scale)?;
        }
    }
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The definition.
fn on_host(a: &Array2<f32>, b: &Array2<f32>) -> Array2<f64> {
    a.mapv(f64::from).dot(&b.mapv(f64::from))
}
