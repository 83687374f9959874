//! The Mandelbrot set in colours.
//!
//! ```text
//! cargo run --release --example mandelbrot
//! cargo run --release --example mandelbrot -- --re -0.743645 --im 0.131825 --zoom 3000 --limit 2000
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::ndarray::{Array1, Array2};
use lift::prelude::*;
use lift_examples::colours::{self, Rgb};
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, picture};

lift!(
    /// Where a sequence goes, and after how many steps.
    fn step<T>(re: T, im: T, x: T, y: T, steps: i32) -> (T, T, i32) {
        (x * x - y * y + re, 2.0 * x * y + im, steps + 1)
    }

    /// Whether it has escaped.
    fn is_far<T>(x: T, y: T, _steps: i32) -> bool {
        x * x + y * y > 1e4
    }

    /// How long the sequence `z = 0`, `z = z² + c` takes to escape: the fraction says how far it went with its last
    /// step. It is -1 if the sequence stays.
    fn time<T>(limit: usize, re: T, im: T) -> f32 {
        let (x, y, steps) = iterate_until(limit, is_far, step(re, im), (0.0, 0.0, 0));
        if steps as usize == limit {
            -1.0
        } else {
            (steps as f32 + 3.0 - ((x * x + y * y) as f32).log2().log2()).max(0.0)
        }
    }

    /// All combinations of real and imaginary parts.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Mandelbrot<T, H, W>(limit: usize, im: [T; H], re: [T; W]) -> [[f32; W]; H] {
        im.map(|im| re.map(|re| time(limit, re, im)))
    }
);

/// Draws the Mandelbrot set.
#[derive(Parser)]
struct Args {
    /// Pixels in a row.
    #[arg(long, default_value_t = 640, value_parser = clap::value_parser!(u32).range(1..=8192))]
    width: u32,
    /// Rows.
    #[arg(long, default_value_t = 480, value_parser = clap::value_parser!(u32).range(1..=8192))]
    height: u32,
    /// The point in the middle, its real part.
    #[arg(long, default_value_t = -0.65, allow_negative_numbers = true)]
    re: f64,
    /// The point in the middle, its imaginary part.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    im: f64,
    /// How much is enlarged; more than 2000 takes double precision.
    #[arg(short, long, default_value_t = 1.0)]
    zoom: f64,
    /// Steps after which a point counts as one of the set.
    #[arg(short, long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    /// The picture.
    #[arg(short, long, default_value = "mandelbrot.png")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// A pixel's colour is the mean of so many in both directions.
const SAMPLES: usize = 2;

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    if !(args.zoom.is_finite() && args.zoom > 0.0) {
        return Err(format!("--zoom must be a positive number, not {}", args.zoom).into());
    }
    let device = args.common.device()?;
    let (height, width) = (args.height as usize, args.width as usize);
    // The set is 2.5 high.
    let distance = 2.5 / args.zoom / (SAMPLES * height) as f64;
    let line = |middle: f64, n: usize| {
        Array1::from_shape_fn(SAMPLES * n, |i| middle + distance * (i as f64 - (SAMPLES * n) as f64 / 2.0))
    };
    let (im, re) = (line(args.im, height), line(args.re, width));
    let limit = args.limit as usize;
    let times = if args.zoom <= 2000.0 {
        let (im, re) = (im.mapv(|x| x as f32), re.mapv(|x| x as f32));
        Mandelbrot::<f32>::on(&device)?.run(limit, &im, &re)?
    } else {
        Mandelbrot::<f64>::on(&device)?.run(limit, &im, &re)?
    };
    picture::save(&args.output, &mean(&times.mapv(colour)))?;
    println!("{} {width}×{height} on {}", args.output.display(), device.name());
    if args.common.check {
        // Near the set, how long it takes depends on how numbers are rounded.
        let expected = on_host(limit, &im, &re);
        let different = times.iter().zip(&expected).filter(|(a, b)| (**a - **b).abs() > 0.01).count();
        check::within("points that differ from the host's", different as f64 / times.len() as f64, 0.02)?;
    }
    Ok(())
}

/// The set is black; around it, the colours change more slowly the longer it takes.
fn colour(time: f32) -> Rgb {
    if time < 0.0 { [0; 3] } else { colours::cycle(0.25 * (0.5 * time + 1.0).ln()) }
}

/// One pixel for every square of samples.
fn mean(samples: &Array2<Rgb>) -> Array2<Rgb> {
    let (height, width) = samples.dim();
    Array2::from_shape_fn((height / SAMPLES, width / SAMPLES), |(i, j)| {
        let at = |k: usize| samples[[i * SAMPLES + k / SAMPLES, j * SAMPLES + k % SAMPLES]];
        let count = SAMPLES * SAMPLES;
        [0, 1, 2].map(|c| ((0..count).map(|k| usize::from(at(k)[c])).sum::<usize>() / count) as u8)
    })
}

/// The definition.
fn on_host(limit: usize, im: &Array1<f64>, re: &Array1<f64>) -> Array2<f32> {
    Array2::from_shape_fn((im.len(), re.len()), |(i, j)| {
        let (mut x, mut y) = (0.0_f64, 0.0_f64);
        for steps in 0..limit {
            let square = x * x + y * y;
            if square > 1e4 {
                return (steps as f64 + 3.0 - square.log2().log2()).max(0.0) as f32;
            }
            (x, y) = (x * x - y * y + re[j], 2.0 * x * y + im[i]);
        }
        -1.0
    })
}
