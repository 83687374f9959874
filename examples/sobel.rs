//! The edges of a photograph.
//!
//! ```text
//! cargo run --release --example sobel
//! cargo run --release --example sobel -- photo.jpg --output edges.png
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::ndarray::Array2;
use lift::prelude::*;
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, colours, picture};

lift!(
    const ACROSS: [f32; 3] = [1.0, 2.0, 1.0];
    const ALONG: [f32; 3] = [-1.0, 0.0, 1.0];

    fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
        zip(a, b).map(mul).reduce(add, 0.0)
    }

    /// How bright and dark differ, from row to row and from column to column.
    fn slope(w: [[f32; 3]; 3]) -> f32 {
        hypot(w.map(dot(ACROSS)).dot(ALONG), w.map(dot(ALONG)).dot(ACROSS))
    }

    /// The length of the gradient of the brightness: large at edges.
    #[kernel]
    pub fn Sobel<H, W>(image: [[u8; W]; H]) -> [[f32; W]; H] {
        image.map2d(|p| p as f32).pad2d(1, 1, clamp).slide2d(3, 1).map2d(slope)
    }
);

/// Finds the edges in a picture.
#[derive(Parser)]
struct Args {
    /// The picture: any PNG or JPEG. Without one, the photograph that comes with the examples.
    input: Option<PathBuf>,
    /// How bright the edges are drawn.
    #[arg(short, long, default_value_t = 0.5)]
    gain: f32,
    /// Where the result goes.
    #[arg(short, long, default_value = "sobel.png")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    let device = args.common.device()?;
    let image = picture::grey(args.input.as_deref(), picture::ASTRONAUT)?;
    let edges = Sobel::on(&device)?.run(&image)?;
    picture::save_grey(&args.output, &colours::bytes(&edges, 0.0, 255.0 / args.gain))?;
    println!("{} {}×{} on {}", args.output.display(), image.ncols(), image.nrows(), device.name());
    if args.common.check {
        check::close(edges, on_host(&image), 1e-6)?;
    }
    Ok(())
}

/// The definition.
fn on_host(image: &Array2<u8>) -> Array2<f64> {
    let (h, w) = image.dim();
    Array2::from_shape_fn((h, w), |(i, j)| {
        let at = |di: usize, dj: usize| {
            f64::from(image[[(i + di).saturating_sub(1).min(h - 1), (j + dj).saturating_sub(1).min(w - 1)]])
        };
        let dx = at(0, 2) + 2.0 * at(1, 2) + at(2, 2) - at(0, 0) - 2.0 * at(1, 0) - at(2, 0);
        let dy = at(2, 0) + 2.0 * at(2, 1) + at(2, 2) - at(0, 0) - 2.0 * at(0, 1) - at(0, 2);
        dx.hypot(dy)
    })
}
