//! The sound of a room: the wave equation on a grid, with walls that absorb a part of it.
//!
//! ```text
//! cargo run --release --example room
//! cargo run --release --example room -- --shape ellipsoid --size 240 --seconds 1 --loss 0.02 --output dome.wav
//! ```
//!
//! A point of air is updated from its neighbours, and those of them that are walls reflect (frequency-independent, locally reacting walls;
//! Webb and Bilbao, *Computing room acoustics with CUDA*). The shape is a mask, so that any room will do. A clap at one place is
//! recorded at two others, as a stereo WAV file. The crate `lift-mpi` runs the same program on many machines.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use indicatif::ProgressIterator;
use lift::ndarray::Array3;
use lift::prelude::*;
use lift_examples::check;
use lift_examples::options::{self, Common, Outcome};

lift!(
    /// The square of the Courant number, the largest that is stable in three dimensions.
    const COURANT2: f32 = 1.0 / 3.0;
    const COURANT: f32 = 0.57735027;

    /// The next pressure of a point with `air` neighbours that are no walls, from those around it and from the one before.
    fn next(around: [[[f32; 3]; 3]; 3], before: f32, air: u8, loss: f32) -> f32 {
        let sum = around[0][1][1]
            + around[2][1][1]
            + around[1][0][1]
            + around[1][2][1]
            + around[1][1][0]
            + around[1][1][2];
        let absorbed = 0.5 * COURANT * loss * (6.0 - air as f32);
        let free = (2.0 - COURANT2 * (air as f32)) * around[1][1][1] + COURANT2 * sum;
        if air == 0u8 { 0.0 } else { (free + (absorbed - 1.0) * before) / (1.0 + absorbed) }
    }

    /// A step in time.
    #[kernel]
    #[step(p, before)]
    pub fn Room<Z, Y, X>(
        p: [[[f32; X]; Y]; Z],
        before: [[[f32; X]; Y]; Z],
        air: [[[u8; X]; Y]; Z],
        loss: f32,
    ) -> [[[f32; X]; Y]; Z] {
        zip3d(p.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), before, air)
            .map3d(|(around, old, air)| next(around, old, air, loss))
    }
);

/// Metres per second.
const SOUND: f64 = 343.0;

/// Computes the sound of a clap in a room, and writes what two ears hear.
#[derive(Parser)]
pub struct Args {
    /// The form of the room.
    #[arg(short, long, value_enum, default_value_t = Shape::Box)]
    shape: Shape,
    /// Points along the longest side; the others have three quarters and half as many.
    #[arg(long, default_value_t = 96, value_parser = clap::value_parser!(u32).range(8..=2048))]
    size: u32,
    /// Samples per second. Points are 1.73 times as far apart as sound travels between two samples.
    #[arg(long, default_value_t = 8000, value_parser = clap::value_parser!(u32).range(100..=192_000))]
    rate: u32,
    /// How long it is recorded.
    #[arg(long, default_value_t = 0.25)]
    seconds: f64,
    /// How much of the sound walls absorb: 0 for none.
    #[arg(long, default_value_t = 0.05)]
    loss: f32,
    /// The room is computed in so many parts, with the same results.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    parts: u16,
    /// The recording.
    #[arg(short, long, default_value = "room.wav")]
    output: PathBuf,
    /// What all examples have.
    #[command(flatten)]
    pub common: Common,
}

/// The form of a room.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// A box.
    Box,
    /// A box without one of its corners.
    L,
    /// An ellipsoid.
    Ellipsoid,
}

impl Shape {
    /// Whether a point is air; places run from 0 to 1 along each side.
    fn is_air(self, [z, y, x]: [f64; 3]) -> bool {
        match self {
            Shape::Box => true,
            Shape::L => y < 0.5 || x < 0.5,
            Shape::Ellipsoid => [z, y, x].iter().map(|at| (2.0 * at - 1.0).powi(2)).sum::<f64>() <= 1.0,
        }
    }
}

/// For each point of air how many of its six neighbours are air, too; 0 for walls.
fn air(shape: Shape, [z, y, x]: [usize; 3]) -> Array3<u8> {
    let extents = [z, y, x];
    let is_air = |at: [isize; 3]| {
        // The outermost points are walls.
        let inside = at.iter().zip(extents).all(|(at, n)| *at >= 1 && *at < n as isize - 1);
        inside && shape.is_air([0, 1, 2].map(|d| at[d] as f64 / (extents[d] - 1) as f64))
    };
    Array3::from_shape_fn((z, y, x), |(z, y, x)| {
        let at = [z as isize, y as isize, x as isize];
        if !is_air(at) {
            return 0;
        }
        let neighbours = (0..6).filter(|i| {
            let mut next = at;
            next[i / 2] += if i % 2 == 0 { 1 } else { -1 };
            is_air(next)
        });
        neighbours.count() as u8
    })
}

/// A clap: a smooth pulse, whose mean is 0 so that the room is quiet in the end.
fn clap(rate: u32) -> Vec<f32> {
    let width = (f64::from(rate) / 1500.0).max(2.0);
    let pulse = |i: usize| {
        let t = (i as f64 - 3.0 * width) / width;
        ((1.0 - 2.0 * t * t) * (-t * t).exp()) as f32
    };
    (0..(6.0 * width) as usize).map(pulse).collect()
}

fn main() -> ExitCode {
    options::main(|args: &Args| run(args, &Ranks::alone(), &args.common.device()?))
}

/// Computes the room on these ranks, of which the first one writes what is heard.
pub fn run(args: &Args, ranks: &Ranks, device: &Device) -> Outcome {
    if !(args.seconds > 0.0 && args.seconds <= 60.0) {
        return Err(format!("--seconds must be more than 0 and at most 60, not {}", args.seconds).into());
    }
    if !(args.loss >= 0.0 && args.loss <= 10.0) {
        return Err(format!("--loss must be between 0 and 10, not {}", args.loss).into());
    }
    let n = args.size as usize;
    let extents = [n / 2, n * 3 / 4, n];
    let place = |part: [f64; 3]| [0, 1, 2].map(|d| (extents[d] as f64 * part[d]) as usize);
    let (source, ears) = (place([0.4, 0.3, 0.25]), [place([0.5, 0.3, 0.7]), place([0.5, 0.35, 0.7])]);
    let (silence, air) = (Array3::<f32>::zeros(extents), air(args.shape, extents));
    let mut room = Room::on(device)?
        .parts(args.parts.into())
        .across(ranks)
        .start(&silence, &silence, &air, args.loss)?;
    room.source(source, &clap(args.rate))?;
    let probes = room.probe_all(ears)?;

    let steps = (args.seconds * f64::from(args.rate)).ceil() as u64;
    // The first step builds the kernel.
    room.run(1)?;
    room.wait()?;
    let started = Instant::now();
    room.steps(steps - 1).progress(true).go()?;
    let seconds = started.elapsed().as_secs_f64();
    let heard = probes.iter().map(|probe| room.samples(*probe)).collect::<lift::Result<Vec<_>>>()?;
    if !ranks.is_first() {
        return Ok(());
    }
    write(args, &heard)?;

    let side = SOUND * 3.0_f64.sqrt() / f64::from(args.rate);
    let [height, width, length] = extents.map(|n| side * n as f64);
    println!(
        "{}: {:.2} s in a room of {length:.1} m × {width:.1} m × {height:.1} m, {n} points long, on {}",
        args.output.display(),
        steps as f64 / f64::from(args.rate),
        device.name()
    );
    if steps > 1 {
        println!("{:.4} ms a step", 1e3 * seconds / (steps - 1) as f64);
    }
    if args.common.check {
        let expected = on_host(&air, args.loss.into(), source, &clap(args.rate), &ears, steps);
        check::close(heard.concat(), expected, 1e-3)?;
    }
    Ok(())
}

/// Writes the recordings as channels, as loud as fits.
fn write(args: &Args, heard: &[Vec<f32>]) -> Outcome {
    let spec = hound::WavSpec {
        channels: heard.len() as u16,
        sample_rate: args.rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let loudest = heard.iter().flatten().fold(f32::MIN_POSITIVE, |loudest, sample| loudest.max(sample.abs()));
    let mut file = hound::WavWriter::create(&args.output, spec)
        .map_err(|error| format!("{} cannot be written: {error}", args.output.display()))?;
    for i in 0..heard.first().map_or(0, Vec::len) {
        for channel in heard {
            file.write_sample((channel[i] / loudest * f32::from(i16::MAX)) as i16)?;
        }
    }
    file.finalize()?;
    Ok(())
}

/// What is heard, from the definition: one ear after the other.
fn on_host(
    air: &Array3<u8>,
    loss: f64,
    source: [usize; 3],
    clap: &[f32],
    ears: &[[usize; 3]],
    steps: u64,
) -> Vec<f64> {
    let (mut p, mut before) = (Array3::<f64>::zeros(air.dim()), Array3::<f64>::zeros(air.dim()));
    let mut heard = vec![Vec::new(); ears.len()];
    for step in (0..steps as usize).progress() {
        let new = Array3::from_shape_fn(air.dim(), |(z, y, x)| {
            let k = f64::from(air[[z, y, x]]);
            if k == 0.0 {
                return 0.0;
            }
            let sum = p[[z - 1, y, x]]
                + p[[z + 1, y, x]]
                + p[[z, y - 1, x]]
                + p[[z, y + 1, x]]
                + p[[z, y, x - 1]]
                + p[[z, y, x + 1]];
            let absorbed = 0.5 * (1.0_f64 / 3.0).sqrt() * loss * (6.0 - k);
            ((2.0 - k / 3.0) * p[[z, y, x]] + sum / 3.0 + (absorbed - 1.0) * before[[z, y, x]])
                / (1.0 + absorbed)
        });
        (before, p) = (p, new);
        p[source] += clap.get(step).copied().map_or(0.0, f64::from);
        heard.iter_mut().zip(ears).for_each(|(heard, ear)| heard.push(p[*ear]));
    }
    heard.concat()
}
