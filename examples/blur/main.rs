//! Filters a photograph: the example to start with.
//!
//! ```text
//! cargo run --release --example blur
//! cargo run --release --example blur -- photo.jpg --filter sobel --output edges.png
//! ```

mod filters;
mod host;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use filters::{Boundary, Filter};
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, picture::Picture};

/// Blurs, sharpens or finds edges in a picture, on a GPU or on the processor.
#[derive(Parser)]
struct Args {
    /// The picture: any PNG or JPEG. Without one, the photograph that comes with the examples.
    input: Option<PathBuf>,
    /// Where the result goes.
    #[arg(short, long, default_value = "blur.png")]
    output: PathBuf,
    /// What to do.
    #[arg(short, long, value_enum, default_value_t = Filter::Gaussian)]
    filter: Filter,
    /// The window reaches so many pixels to each side (1 to 32); `sobel` always looks at 3×3.
    #[arg(short, long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=32))]
    radius: u8,
    /// Width of the bell of `gaussian` and `sharpen`; a third of the radius by default.
    #[arg(short, long)]
    sigma: Option<f32>,
    /// What lies outside the picture.
    #[arg(short, long, value_enum, default_value_t = Boundary::Clamp)]
    boundary: Boundary,
    /// The version of the kernel, for example `tiled` on OpenCL devices; another name lists those of the device. Without, one that suits it.
    #[arg(long)]
    variant: Option<String>,
    /// Prints the text for the device, if it is one of OpenCL, and stops.
    #[arg(long)]
    show_source: bool,
    /// Prints how long the kernels took.
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    let device = args.common.device()?;
    let radius = usize::from(args.radius);
    let sigma = args.sigma.unwrap_or(radius as f32 / 3.0);
    if !(sigma.is_finite() && sigma > 0.0) {
        return Err(format!("--sigma must be a positive number, not {sigma}").into());
    }
    let weights = filters::weights(args.filter, radius, sigma);
    let filter = filters::prepare(&device, args.filter, args.boundary, args.variant.as_deref(), &weights)?;
    if args.show_source {
        if filter.source.is_empty() {
            return Err(format!("{} runs what is compiled to Rust, not OpenCL", device.label()).into());
        }
        println!("{}", filter.source);
        return Ok(());
    }

    let picture = Picture::open(args.input.as_deref())?;
    let queue = device.queue()?;
    let mut events = Vec::new();
    let mut worst = 0.0_f64;
    let filtered = picture.map_planes(|pixels| {
        let plane = device.upload((pixels, [picture.height, picture.width]))?;
        let (out, event) = filter.run(&queue, &plane)?;
        events.push(event);
        let out: Vec<f32> = out.download()?.into_iter().collect();
        if args.common.check {
            let plane = host::Plane { pixels, height: picture.height, width: picture.width };
            let expected = host::filter(&plane, args.filter, args.boundary, &weights);
            worst = worst.max(largest_error(&out, &expected));
        }
        Ok(out)
    })?;
    filtered.save(&args.output)?;
    println!("{} {}×{} on {}", args.output.display(), picture.width, picture.height, device.name());
    if args.time {
        let mut total = Duration::ZERO;
        for event in &events {
            total += event.kernel_time()?;
        }
        println!("{} kernel runs, {:.3} ms together", events.len(), total.as_secs_f64() * 1e3);
    }
    if args.common.check {
        check::within("largest error, relative to the largest value", worst, 1e-5)?;
    }
    Ok(())
}

/// The largest difference, relative to the largest expected value.
fn largest_error(found: &[f32], expected: &[f64]) -> f64 {
    let scale = expected.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let difference = found.iter().zip(expected).map(|(f, e)| (f64::from(*f) - e).abs());
    difference.fold(0.0, |m: f64, d| if d.is_nan() { f64::INFINITY } else { m.max(d) }) / scale
}
