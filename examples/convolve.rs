//! A 17×17 convolution of a large array: how fast each version is, beside the device's copy bandwidth.
//!
//! ```text
//! cargo run --release --example convolve -- --size 4096 --device nvidia
//! ```

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lift::Error;
use lift::ndarray::Array2;
use lift::prelude::*;
use lift_examples::check;
use lift_examples::options::{self, Common, Outcome};

lift!(
    fn weigh(weights: [[f32; 17]; 17], nbh: [[f32; 17]; 17]) -> f32 {
        zip(weights.join(), nbh.join()).map(mul).reduce(add, 0.0)
    }

    #[kernel]
    fn Convolve<H, W>(weights: [[f32; 17]; 17], image: [[f32; W]; H]) -> [[f32; W]; H] {
        image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(weigh(weights))
    }
);

/// Measures a 17×17 convolution in every version that the device runs.
#[derive(Parser)]
struct Args {
    /// Rows and columns.
    #[arg(short, long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=30_000))]
    size: u32,
    /// Runs of each version; the median counts.
    #[arg(short, long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// A tunable to set in the versions that have it, for example `TILE_X=64`; may be given several times.
    #[arg(short, long, value_parser = tunable)]
    tunable: Vec<(String, i64)>,
    /// Prints the text of every version for OpenCL and stops.
    #[arg(long)]
    show_source: bool,
    #[command(flatten)]
    common: Common,
}

fn tunable(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_string(), value.parse().map_err(|_| format!("`{value}` is no number"))?))
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    if args.show_source {
        Convolve::VARIANTS.iter().for_each(|v| println!("// {}\n{}", v.name, v.source));
        return Ok(());
    }
    let device = args.common.device()?;
    println!("{device}");
    let queue = device.queue()?;
    let n = args.size as usize;
    let pixel = |(i, j): (usize, usize)| ((i * 7919 + j * 104_729) % 1009) as f32 / 1009.0;
    let image = Array2::from_shape_fn((n, n), pixel);
    let weights = Array2::from_shape_fn((17, 17), |(i, j)| (i * 17 + j) as f32 / (289.0 * 144.0));
    let d_image = device.upload(&image)?;
    let d_weights = device.upload(&weights)?;
    let mut out = device.alloc::<f32, 2>([n, n])?;

    let bytes = (n * n * 8) as f64;
    let copy = median(args.runs, || out.copy_from(&queue, &d_image)?.kernel_time())?;
    println!("copy      {:9.4} ms  {:8.1} GB/s", ms(copy), bytes / copy.as_secs_f64() / 1e9);
    let all = Convolve::on(&device)?;
    for name in all.variant_names() {
        let mut convolve = all.variant(name)?;
        for (tunable, value) in &args.tunable {
            // Other versions may have it.
            match convolve.with(tunable, *value) {
                Err(Error::UnknownTunable { .. }) => {}
                set => convolve = set?,
            }
        }
        // A result left over from the version before must not be taken for this one's.
        out.write(&Array2::from_elem((n, n), f32::NAN))?;
        let time =
            median(args.runs, || convolve.launch(&queue, &d_weights, &d_image, &mut out)?.kernel_time())?;
        let flops = (n * n * 578) as f64 / time.as_secs_f64();
        println!(
            "{name:9} {:9.4} ms  {:8.1} GB/s {:8.1} GFLOP/s  {:6.1} × copy",
            ms(time),
            bytes / time.as_secs_f64() / 1e9,
            flops / 1e9,
            time.as_secs_f64() / copy.as_secs_f64(),
        );
        if args.common.check {
            check::within("largest error", largest_error(&image, &weights, &out.download()?), 1e-5)?;
        }
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median of so many runs, after one that is not counted.
fn median(runs: u32, mut run: impl FnMut() -> lift::Result<Duration>) -> lift::Result<Duration> {
    run()?;
    let mut times = (0..runs).map(|_| run()).collect::<lift::Result<Vec<Duration>>>()?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// Compares some thousand elements, the borders among them, with double precision on the host.
fn largest_error(image: &Array2<f32>, weights: &Array2<f32>, found: &Array2<f32>) -> f64 {
    let n = image.nrows();
    let step = (n / 40).max(1);
    let border = |i: &usize| *i < 9 || *i + 9 >= n || i.is_multiple_of(step);
    let at = |i: usize, d: usize| (i + d).saturating_sub(8).min(n - 1);
    let mut worst = 0.0_f64;
    for i in (0..n).filter(border) {
        for j in (0..n).filter(border) {
            let mut expected = 0.0;
            for ((di, dj), w) in weights.indexed_iter() {
                expected += f64::from(*w) * f64::from(image[[at(i, di), at(j, dj)]]);
            }
            let error = (f64::from(found[[i, j]]) - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
            worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        }
    }
    worst
}
