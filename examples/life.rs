//! The game of life on a torus.
//!
//! ```text
//! cargo run --release --example life
//! cargo run --release --example life -- --pattern glider-gun --output gun.gif
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
    /// A cell is born with three living neighbours, and lives on with two or three.
    fn next(cell: u8, neighbours: u8) -> u8 {
        if neighbours == 3 || neighbours == 2 && cell == 1 { 1 } else { 0 }
    }

    /// One generation.
    #[kernel]
    #[step(cells)]
    pub fn Life<H, W>(cells: [[u8; W]; H]) -> [[u8; W]; H] {
        let around = cells.pad2d(1, 1, wrap).slide2d(3, 1);
        // Nine cells at most: a byte holds their number.
        around.map2d(|w| next(w[1][1], w.join().reduce(wrapping_add, 0) - w[1][1]))
    }

    /// How many cells live.
    #[kernel]
    pub fn Population<H, W>(cells: [[u8; W]; H]) -> u32 {
        cells.join().map(|c| c as u32).reduce(add, 0)
    }
);

/// Plays the game of life, and writes it as an animation.
#[derive(Parser)]
struct Args {
    /// Rows and columns.
    #[arg(short, long, default_value_t = 192, value_parser = clap::value_parser!(u32).range(1..=8192))]
    size: u32,
    /// Generations.
    #[arg(short = 'n', long, default_value_t = 400)]
    steps: u32,
    /// Every so many generations one is shown.
    #[arg(short, long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// How it begins.
    #[arg(short, long, value_enum, default_value_t = Pattern::Random)]
    pattern: Pattern,
    /// It is computed in so many parts, with the same results.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    parts: u16,
    /// Another seed, another `random` beginning.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A cell is a square of so many pixels.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    scale: u8,
    /// The animation; a PNG shows the last generation.
    #[arg(short, long, default_value = "life.gif")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Pattern {
    /// A third of the cells live.
    Random,
    /// Gosper's gun: every 30 generations it shoots a glider.
    GliderGun,
}

const GUN: [&str; 9] = [
    "........................O...........",
    "......................O.O...........",
    "............OO......OO............OO",
    "...........O...O....OO............OO",
    "OO........O.....O...OO..............",
    "OO........O...O.OO....O.O...........",
    "..........O.....O.......O...........",
    "...........O...O....................",
    "............OO......................",
];

fn beginning(args: &Args) -> Result<Array2<u8>, &'static str> {
    let n = args.size as usize;
    match args.pattern {
        Pattern::Random => {
            let mut random = Random::new(args.seed);
            Ok(Array2::from_shape_fn((n, n), |_| u8::from(random.uniform() < 1.0 / 3.0)))
        }
        Pattern::GliderGun if n < 40 => Err("the glider gun needs 40 rows and columns"),
        Pattern::GliderGun => Ok(Array2::from_shape_fn((n, n), |(i, j)| {
            let line = i.checked_sub(2).and_then(|i| GUN.get(i));
            u8::from(line.and_then(|line| line.as_bytes().get(j.checked_sub(2)?)) == Some(&b'O'))
        })),
    }
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    let device = args.common.device()?;
    let cells = beginning(args)?;
    let mut life = Life::on(&device)?.parts(args.parts.into()).start(&cells)?;
    let population = Population::on(&device)?;

    let mut palette = [[12, 18, 40]; 256];
    palette[1] = [255, 214, 90];
    let frames = Frames::create(&args.output)?.colours(palette).range(0.0, 255.0);
    let mut frames = frames.scale(args.scale.into());
    frames.push(&cells)?;
    let show = frames.show(|life: &mut LifeSteps| life.cells());
    life.steps(args.steps.into()).every(args.every.into(), show).progress(true).go()?;

    let end = life.cells()?;
    let (first, last) = (population.run(&cells)?, population.run(&end)?);
    println!("{}: {} frames on {}", args.output.display(), frames.count(), device.name());
    frames.finish()?;
    println!("{first} cells live at the beginning, {last} after {} generations", args.steps);
    if args.common.check {
        let expected = (0..args.steps).progress().fold(cells, |cells, _| on_host(&cells));
        let wrong = end.iter().zip(&expected).filter(|(a, b)| a != b).count();
        check::within("cells that differ from the host's", wrong as f64, 0.0)?;
        let count = expected.iter().filter(|c| **c == 1).count();
        check::within("living cells that were not counted", count as f64 - f64::from(last), 0.0)?;
    }
    Ok(())
}

/// One generation, from the definition.
fn on_host(cells: &Array2<u8>) -> Array2<u8> {
    let (h, w) = cells.dim();
    Array2::from_shape_fn((h, w), |(i, j)| {
        let near = |n: usize, i: usize| [(i + n - 1) % n, i, (i + 1) % n];
        let sum: u8 = near(h, i).iter().flat_map(|i| near(w, j).map(|j| cells[[*i, j]])).sum();
        u8::from(sum == 3 || sum == 4 && cells[[i, j]] == 1)
    })
}
