//! Takes the grain out of a photograph and leaves its edges: speckle-reducing anisotropic diffusion (Yu and Acton).
//!
//! ```text
//! cargo run --release --example srad
//! cargo run --release --example srad -- --noise 0.4 --steps 80 --noisy noisy.png
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use indicatif::ProgressIterator;
use lift::ndarray::Array2;
use lift::prelude::*;
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, colours, picture, random::Random};

lift!(
    /// How freely a pixel may diffuse: much where its surroundings vary as speckle does, little where they vary more.
    /// The variation is the variance divided by the square of the mean.
    fn conductance(speckle: f32, w: [[f32; 3]; 3]) -> f32 {
        let here = w[1][1];
        let (north, south) = (w[0][1] - here, w[2][1] - here);
        let (west, east) = (w[1][0] - here, w[1][2] - here);
        let gradient = (north * north + south * south + west * west + east * east) / (here * here);
        let laplacian = (north + south + west + east) / here;
        let slope = 1.0 + 0.25 * laplacian;
        let variation = (0.5 * gradient - 0.0625 * laplacian * laplacian) / (slope * slope);
        let excess = (variation - speckle) / (speckle * (1.0 + speckle));
        (1.0 / (1.0 + excess)).clamp(0.0, 1.0)
    }

    /// The pixel after a step. What it gives to its neighbours in the south and east, their conductances decide.
    fn diffuse(lambda: f32, w: [[f32; 3]; 3], c: [[f32; 2]; 2]) -> f32 {
        let here = w[1][1];
        let (north, south) = (c[0][0] * (w[0][1] - here), c[1][0] * (w[2][1] - here));
        let (west, east) = (c[0][0] * (w[1][0] - here), c[0][1] * (w[1][2] - here));
        here + 0.25 * lambda * (north + south + west + east)
    }

    /// A step of diffusion: two launches.
    #[kernel]
    #[step(image)]
    pub fn Srad<H, W>(lambda: f32, speckle: f32, image: [[f32; W]; H]) -> [[f32; W]; H] {
        let windows = image.pad2d(1, 1, clamp).slide2d(3, 1);
        let conductances = windows.map2d(conductance(speckle)).materialize();
        let ahead = conductances.pad2d(0, 1, 0, 1, clamp, clamp).slide2d(2, 1);
        zip2d(windows, ahead).map2d(diffuse(lambda))
    }
);

/// Adds speckle to a picture, and takes it out again.
#[derive(Parser)]
struct Args {
    /// The picture: any PNG or JPEG. Without one, the photograph that comes with the examples.
    input: Option<PathBuf>,
    /// How strong the speckle is: pixels are multiplied by numbers that deviate from 1 by so much.
    #[arg(long, default_value_t = 0.25)]
    noise: f32,
    /// Another seed, other speckle.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps of diffusion.
    #[arg(short = 'n', long, default_value_t = 40)]
    steps: u32,
    /// How far each step goes, from 0 to 1.
    #[arg(short, long, default_value_t = 0.5)]
    lambda: f32,
    /// It is computed in so many parts, with the same results.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    parts: u16,
    /// Where the speckled picture goes, if anywhere.
    #[arg(long)]
    noisy: Option<PathBuf>,
    /// Where the result goes.
    #[arg(short, long, default_value = "srad.png")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    if !(args.lambda > 0.0 && args.lambda <= 1.0) {
        return Err(format!("--lambda must be more than 0 and at most 1, not {}", args.lambda).into());
    }
    if !(args.noise > 0.0 && args.noise <= 1.0) {
        return Err(format!("--noise must be more than 0 and at most 1, not {}", args.noise).into());
    }
    let device = args.common.device()?;
    let clean = picture::grey(args.input.as_deref(), picture::ASTRONAUT)?;
    let mut random = Random::new(args.seed);
    let noisy = clean.mapv(|p| (f32::from(p) * (1.0 + args.noise * random.normal())).clamp(DARKEST, 255.0));
    // Diffusion makes speckle weaker from step to step.
    let speckle = |step: u32| (args.noise * (-args.lambda * step as f32 / 6.0).exp()).powi(2).max(1e-6);

    let mut srad = Srad::on(&device)?.parts(args.parts.into()).start(args.lambda, speckle(0), &noisy)?;
    for step in (0..args.steps).progress() {
        srad.set_speckle(speckle(step))?;
        srad.run(1)?;
    }
    let image = srad.image()?;

    if let Some(path) = &args.noisy {
        picture::save_grey(path, &colours::bytes(&noisy, 0.0, 255.0))?;
    }
    picture::save_grey(&args.output, &colours::bytes(&image, 0.0, 255.0))?;
    println!("{} {}×{} on {}", args.output.display(), clean.ncols(), clean.nrows(), device.name());
    println!("signal to noise: {:.1} dB before, {:.1} dB after", psnr(&noisy, &clean), psnr(&image, &clean));
    if args.common.check {
        let start = noisy.mapv(f64::from);
        let expected = (0..args.steps)
            .progress()
            .fold(start, |image, step| on_host(args.lambda.into(), speckle(step).into(), &image));
        check::close(image, expected, 1e-3)?;
    }
    Ok(())
}

/// Diffusion divides by brightness, so that nothing may be black.
const DARKEST: f32 = 4.0;

/// The peak signal-to-noise ratio in decibels.
fn psnr(image: &Array2<f32>, clean: &Array2<u8>) -> f64 {
    let squares = image.iter().zip(clean).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
    10.0 * (255.0 * 255.0 * clean.len() as f64 / squares.sum::<f64>().max(1e-9)).log10()
}

/// A step, from the definition.
fn on_host(lambda: f64, speckle: f64, image: &Array2<f64>) -> Array2<f64> {
    let (h, w) = image.dim();
    // Up, down, left, right.
    let near = |i: usize, j: usize| {
        [(i.saturating_sub(1), j), ((i + 1).min(h - 1), j), (i, j.saturating_sub(1)), (i, (j + 1).min(w - 1))]
    };
    let conductances = Array2::from_shape_fn((h, w), |(i, j)| {
        let here = image[[i, j]];
        let differences = near(i, j).map(|at| (image[at] - here) / here);
        let gradient: f64 = differences.iter().map(|d| d * d).sum();
        let laplacian: f64 = differences.iter().sum();
        let variation = (gradient / 2.0 - laplacian.powi(2) / 16.0) / (1.0 + laplacian / 4.0).powi(2);
        (1.0 / (1.0 + (variation - speckle) / (speckle * (1.0 + speckle)))).clamp(0.0, 1.0)
    });
    Array2::from_shape_fn((h, w), |(i, j)| {
        let [up, down, left, right] = near(i, j);
        let flow = |at: (usize, usize), c: (usize, usize)| conductances[c] * (image[at] - image[[i, j]]);
        let sum = flow(up, (i, j)) + flow(down, down) + flow(left, (i, j)) + flow(right, right);
        image[[i, j]] + 0.25 * lambda * sum
    })
}
