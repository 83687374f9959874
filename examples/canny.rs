//! The edges of a photograph as thin lines: Canny's edge detector.
//!
//! ```text
//! cargo run --release --example canny
//! cargo run --release --example canny -- photo.jpg --low 20 --high 60 --output edges.png
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::ndarray::{Array1, Array2};
use lift::prelude::*;
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, picture};

lift!(
    const ACROSS: [f32; 3] = [1.0, 2.0, 1.0];
    const ALONG: [f32; 3] = [-1.0, 0.0, 1.0];

    fn dot<n>(a: [f32; n], b: [f32; n]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    /// Blurred: each row of the window by itself, then the sums.
    fn smooth<k>(weights: [f32; k], w: [[f32; k]; k]) -> f32 {
        w.map(dot(weights)).dot(weights)
    }

    /// How steep the brightness is (Sobel), and in which direction: 0 along the row, 2 along the column, 1 and 3 diagonally.
    fn slope(w: [[f32; 3]; 3]) -> (f32, i32) {
        let (dx, dy) = (w.map(dot(ALONG)).dot(ACROSS), w.map(dot(ACROSS)).dot(ALONG));
        let quarters = (dy.atan2(dx) * (4.0 / std::f32::consts::PI)).round() as i32;
        // Opposite directions are the same.
        (hypot(dx, dy), quarters.rem_euclid(4))
    }

    /// The steepness where it is the largest across the edge, and 0 beside.
    fn ridge(w: [[(f32, i32); 3]; 3]) -> f32 {
        let (here, direction) = w[1][1];
        let (before, after) = if direction == 0 {
            (w[1][0].0, w[1][2].0)
        } else if direction == 1 {
            (w[0][0].0, w[2][2].0)
        } else if direction == 2 {
            (w[0][1].0, w[2][1].0)
        } else {
            (w[0][2].0, w[2][0].0)
        };
        if here > before && here >= after { here } else { 0.0 }
    }

    /// 2 is an edge, 1 is one if it touches another, 0 is none.
    fn mark(low: f32, high: f32, steepness: f32) -> f32 {
        if steepness >= high {
            2.0
        } else if steepness >= low {
            1.0
        } else {
            0.0
        }
    }

    /// Blurred, where it is steep, the ridges of that, and which of them matter.
    #[kernel]
    pub fn Marks<H, W, R>(
        weights: [f32; 2 * R + 1],
        low: f32,
        high: f32,
        image: [[u8; W]; H],
    ) -> [[f32; W]; H] {
        let blurred =
            image.map2d(|p| p as f32).pad2d(R, R, clamp).slide2d(2 * R + 1, 1).map2d(smooth(weights));
        let slopes = blurred.pad2d(1, 1, clamp).slide2d(3, 1).map2d(slope);
        slopes.pad2d(1, 1, clamp).slide2d(3, 1).map2d(ridge).map2d(mark(low, high))
    }

    /// What touches an edge becomes one.
    #[kernel]
    #[step(marks)]
    pub fn Grow<H, W>(marks: [[f32; W]; H]) -> [[f32; W]; H] {
        let around = marks.pad2d(1, 1, clamp).slide2d(3, 1);
        around.map2d(|w| if w[1][1] == 1.0 { w.join().reduce(max, 1.0) } else { w[1][1] })
    }
);

/// Finds the edges in a picture, and draws them as thin lines.
#[derive(Parser)]
struct Args {
    /// The picture: any PNG or JPEG. Without one, the photograph that comes with the examples.
    input: Option<PathBuf>,
    /// How much the picture is blurred first.
    #[arg(short, long, default_value_t = 1.4)]
    sigma: f32,
    /// Edges are as steep as this where they are weakest …
    #[arg(short, long, default_value_t = 50.0)]
    low: f32,
    /// … and as this somewhere.
    #[arg(long, default_value_t = 120.0)]
    high: f32,
    /// Where the result goes.
    #[arg(short, long, default_value = "canny.png")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    if !(args.sigma > 0.0 && args.sigma <= 10.0) {
        return Err(format!("--sigma must be more than 0 and at most 10, not {}", args.sigma).into());
    }
    let device = args.common.device()?;
    let image = picture::grey(args.input.as_deref(), picture::ASTRONAUT)?;
    let weights = bell(args.sigma);
    let marks = Marks::on(&device)?.run(&weights, args.low, args.high, &image)?;
    let mut growing = Grow::on(&device)?.start(&marks)?;
    let steps =
        growing.steps(image.len() as u64).until(16, |growing| Ok(growing.max_change()? == 0.0)).go()?;
    let edges = growing.marks()?.mapv(|mark| if mark == 2.0 { 255 } else { 0 });

    picture::save_grey(&args.output, &edges)?;
    println!("{} {}×{} on {}", args.output.display(), image.ncols(), image.nrows(), device.name());
    let count = edges.iter().filter(|edge| **edge > 0).count();
    println!("{count} pixels are edges; they were found after {steps} steps");
    if args.common.check {
        // Where a number is very near a limit, rounding decides.
        let expected = on_host(&weights, args.low.into(), args.high.into(), &image);
        let different = edges.iter().zip(&expected).filter(|(a, b)| (**a > 0) != **b).count();
        check::within("pixels that differ from the host's", different as f64 / image.len() as f64, 0.005)?;
    }
    Ok(())
}

/// Weights that fall off like a bell and add up to one.
fn bell(sigma: f32) -> Array1<f32> {
    let radius = (3.0 * sigma).ceil();
    let weights = Array1::from_iter(
        (0..=2 * radius as usize).map(|i| (-0.5 * ((i as f32 - radius) / sigma).powi(2)).exp()),
    );
    &weights / weights.sum()
}

/// The definition.
fn on_host(weights: &Array1<f32>, low: f64, high: f64, image: &Array2<u8>) -> Array2<bool> {
    let (h, w) = image.dim();
    let radius = weights.len() / 2;
    let blurred = Array2::from_shape_fn((h, w), |(i, j)| {
        let mut sum = 0.0;
        for ((di, wi), (dj, wj)) in
            weights.iter().enumerate().flat_map(|row| weights.iter().enumerate().map(move |c| (row, c)))
        {
            sum += f64::from(*wi) * f64::from(*wj) * f64::from(near(image, (i + di, j + dj), radius));
        }
        sum
    });
    let slopes = Array2::from_shape_fn((h, w), |(i, j)| {
        let at = |di: usize, dj: usize| near(&blurred, (i + di, j + dj), 1);
        let dx = at(0, 2) + 2.0 * at(1, 2) + at(2, 2) - at(0, 0) - 2.0 * at(1, 0) - at(2, 0);
        let dy = at(2, 0) + 2.0 * at(2, 1) + at(2, 2) - at(0, 0) - 2.0 * at(0, 1) - at(0, 2);
        (dx, dy)
    });
    let steep = slopes.mapv(|(dx, dy)| f64::hypot(dx, dy));
    let ridges = Array2::from_shape_fn((h, w), |(i, j)| {
        let (dx, dy) = slopes[[i, j]];
        let (di, dj) = match ((dy.atan2(dx) * 4.0 / std::f64::consts::PI).round() as i32).rem_euclid(4) {
            0 => (1, 0),
            1 => (0, 0),
            2 => (0, 1),
            _ => (0, 2),
        };
        let here = steep[[i, j]];
        let (before, after) = (near(&steep, (i + di, j + dj), 1), near(&steep, (i + 2 - di, j + 2 - dj), 1));
        if here > before && here >= after { here } else { 0.0 }
    });
    let mut edges = ridges.mapv(|steepness| steepness >= high);
    let mut new = Vec::from_iter(edges.indexed_iter().filter(|(_, edge)| **edge).map(|(at, _)| at));
    while let Some((i, j)) = new.pop() {
        for at in (0..9)
            .map(|k| ((i + k / 3).saturating_sub(1).min(h - 1), (j + k % 3).saturating_sub(1).min(w - 1)))
        {
            if ridges[at] >= low && !edges[at] {
                edges[at] = true;
                new.push(at);
            }
        }
    }
    edges
}

/// The element so many rows and columns up and to the left of this one, or the nearest.
fn near<T: Copy>(array: &Array2<T>, (i, j): (usize, usize), shift: usize) -> T {
    let (h, w) = array.dim();
    array[[i.saturating_sub(shift).min(h - 1), j.saturating_sub(shift).min(w - 1)]]
}
