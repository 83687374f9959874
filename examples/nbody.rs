//! Gravity between all pairs of bodies: two galaxies meet.
//!
//! ```text
//! cargo run --release --example nbody
//! cargo run --release --example nbody -- --bodies 16384 --steps 2000 --device gpu
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use lift::ndarray::{Array1, Array2};
use lift::prelude::*;
use lift::{Frames, colours};
use lift_examples::options::{self, Common, Outcome};
use lift_examples::{check, random::Random};

lift!(
    /// Bodies that come near must not fly apart: they are as if so far apart, squared, at least.
    const SOFTENING: f32 = 0.002;

    struct Vector {
        x: f32,
        y: f32,
        z: f32,
    }

    const ZERO: Vector = Vector { x: 0.0, y: 0.0, z: 0.0 };

    fn plus(a: Vector, b: Vector) -> Vector {
        Vector { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
    }

    /// `a + s·b`
    fn along(a: Vector, s: f32, b: Vector) -> Vector {
        Vector { x: a.x + s * b.x, y: a.y + s * b.y, z: a.z + s * b.z }
    }

    fn square(a: Vector) -> f32 {
        a.x * a.x + a.y * a.y + a.z * a.z
    }

    /// How a body here is pulled by a mass there.
    fn pull(here: Vector, there: Vector, mass: f32) -> Vector {
        let apart = along(there, -1.0, here);
        let squared = square(apart) + SOFTENING;
        along(ZERO, mass / (squared * squared.sqrt()), apart)
    }

    /// A step in time: half the way, then the new velocity, then the other half of the way.
    #[kernel]
    #[step(at; velocity)]
    pub fn Gravity<N>(
        at: [Vector; N],
        velocity: [Vector; N],
        mass: [f32; N],
        dt: f32,
    ) -> ([Vector; N], [Vector; N]) {
        let way = |(at, velocity)| along(at, 0.5 * dt, velocity);
        let middle = zip(at, velocity).map(way).materialize();
        let forces = middle.map(|here| zip(middle, mass).map(pull(here)).reduce(plus, ZERO));
        let velocity = zip(velocity, forces).map(|(velocity, force)| along(velocity, dt, force));
        (zip(middle, velocity).map(way), velocity)
    }

    /// What a mass there contributes to the potential here. A body is not bound to itself.
    fn potential(here: Vector, there: Vector, mass: f32) -> f32 {
        let squared = square(along(there, -1.0, here));
        if squared > 0.0 { -mass / (squared + SOFTENING).sqrt() } else { 0.0 }
    }

    /// Kinetic and potential energy of all.
    #[kernel]
    pub fn Energy<N>(at: [Vector; N], velocity: [Vector; N], mass: [f32; N]) -> f32 {
        let bound = at.map(|here| zip(at, mass).map(potential(here)).reduce(add, 0.0));
        zip(velocity, bound, mass).map(|(v, bound, mass)| 0.5 * mass * (square(v) + bound)).reduce(add, 0.0)
    }
);

/// Lets two galaxies meet, and writes it as an animation.
#[derive(Parser)]
struct Args {
    /// How many bodies there are.
    #[arg(short, long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    bodies: u32,
    /// Steps in time.
    #[arg(short = 'n', long, default_value_t = 500)]
    steps: u32,
    /// How long a step is.
    #[arg(long, default_value_t = 0.004)]
    dt: f32,
    /// Every so many steps a picture is made.
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Another seed, other orbits.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Rows and columns of the animation.
    #[arg(long, default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..=4096))]
    size: u32,
    /// The animation; a PNG shows the last picture.
    #[arg(short, long, default_value = "nbody.gif")]
    output: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// The arrays of an array of vectors.
type Vectors = VectorArrays<Array1<f32>, Array1<f32>, Array1<f32>>;

/// Positions, velocities and masses; so many belong to the first galaxy.
struct Bodies {
    at: Vectors,
    velocity: Vectors,
    mass: Array1<f32>,
    first: usize,
}

/// Two discs, each around a heavy body, on their way to each other. Two thirds of all belong to the larger one.
fn beginning(n: usize, seed: u64) -> Bodies {
    let mut random = Random::new(seed);
    let first = (2 * n).div_ceil(3).min(n - 1);
    let mut rows = Vec::new();
    for i in 0..n {
        let (heavy, size, middle, speed, tilt) = if i < first {
            (1.0_f32, 0.55, [-0.7_f32, -0.35, 0.0], [0.4_f32, 0.0, 0.0], 0.5_f32)
        } else {
            (0.5_f32, 0.35, [0.9, 0.35, 0.0], [-0.8, 0.0, 0.0], -0.9)
        };
        let centre = i == 0 || i == first;
        let radius = if centre { 0.0 } else { size * (0.05 + 0.95 * random.uniform()).sqrt() };
        let angle = random.uniform() * std::f32::consts::TAU;
        // On a circle, gravity and inertia cancel.
        let swiftness = if centre { 0.0 } else { (heavy / radius).sqrt() };
        let turned = |length: f32, angle: f32| {
            [length * angle.cos(), length * angle.sin() * tilt.cos(), length * angle.sin() * tilt.sin()]
        };
        let (place, motion) = (turned(radius, angle), turned(swiftness, angle + std::f32::consts::FRAC_PI_2));
        let mass = if centre { heavy } else { 0.05 / n as f32 };
        rows.push(([0, 1, 2].map(|c| middle[c] + place[c]), [0, 1, 2].map(|c| speed[c] + motion[c]), mass));
    }
    let at = |axis: usize| rows.iter().map(|row| row.0[axis]).collect();
    let velocity = |axis: usize| rows.iter().map(|row| row.1[axis]).collect();
    Bodies {
        at: VectorArrays { x: at(0), y: at(1), z: at(2) },
        velocity: VectorArrays { x: velocity(0), y: velocity(1), z: velocity(2) },
        mass: rows.iter().map(|row| row.2).collect(),
        first,
    }
}

fn main() -> ExitCode {
    options::main(run)
}

fn run(args: &Args) -> Outcome {
    let device = args.common.device()?;
    let Bodies { at, velocity, mass, first } = beginning(args.bodies as usize, args.seed);
    let mut gravity = Gravity::on(&device)?.start(at.each_ref(), velocity.each_ref(), &mass, args.dt)?;
    let energy = Energy::on(&device)?;
    let before = energy.run(at.each_ref(), velocity.each_ref(), &mass)?;

    let size = args.size as usize;
    let mut sky = Sky { light: [0, 1].map(|_| Array2::zeros((size, size))), first };
    let frames = Frames::create(&args.output)?.colours(colours::blue_and_orange());
    let mut frames = frames.range(0.0, 255.0);
    frames.push(&sky.picture(&at))?;
    let show = frames.show(|gravity: &mut GravitySteps| Ok(sky.picture(&gravity.at()?)));
    gravity.steps(args.steps.into()).every(args.every.into(), show).progress(true).go()?;

    let (at, velocity) = (gravity.at()?, gravity.velocity()?);
    let after = energy.run(at.each_ref(), velocity.each_ref(), &mass)?;
    let drift = (after - before) / before.abs() * 100.0;
    println!("{}: {} frames on {}", args.output.display(), frames.count(), device.name());
    frames.finish()?;
    println!("energy {before:.5} at the beginning, {after:.5} after {} steps: {drift:+.3} %", args.steps);
    if args.common.check {
        // Orbits are chaotic: what can be compared is one step.
        gravity.run(1)?;
        let found = gravity.at()?;
        let (fx, fy, fz) = on_host(&at, &velocity, &mass, args.dt.into());
        check::close(
            [found.x, found.y, found.z].into_iter().flatten(),
            [fx, fy, fz].into_iter().flatten(),
            1e-5,
        )?;
    }
    Ok(())
}

/// What is seen of the galaxies: bodies leave a trail that fades.
struct Sky {
    light: [Array2<f32>; 2],
    first: usize,
}

impl Sky {
    fn picture(&mut self, VectorArrays { x, y, .. }: &Vectors) -> Array2<u8> {
        let n = self.light[0].nrows();
        self.light.iter_mut().for_each(|light| light.mapv_inplace(|light| 0.7 * light));
        for (i, (x, y)) in x.iter().zip(y).enumerate() {
            let [row, column] = [-y, *x].map(|at| ((at / 1.4 + 1.0) * n as f32 / 2.0).floor());
            let light = &mut self.light[usize::from(i >= self.first)];
            if let Some(light) =
                light.get_mut((row as usize, column as usize)).filter(|_| row.min(column) >= 0.0)
            {
                *light += 0.8;
            }
        }
        Array2::from_shape_fn((n, n), |at| {
            let [blue, orange] = [0, 1].map(|i| self.light[i][at].min(1.0));
            if blue >= orange { (127.0 * blue) as u8 } else { 128 + (127.0 * orange) as u8 }
        })
    }
}

/// A step, from the definition.
fn on_host(
    at: &Vectors,
    velocity: &Vectors,
    mass: &Array1<f32>,
    dt: f64,
) -> (Array1<f64>, Array1<f64>, Array1<f64>) {
    let double = |v: &Vectors| [&v.x, &v.y, &v.z].map(|v| v.mapv(f64::from));
    let (at, mut velocity, mass) = (double(at), double(velocity), mass.mapv(f64::from));
    let middle = [0, 1, 2].map(|axis| &at[axis] + 0.5 * dt * &velocity[axis]);
    for i in 0..mass.len() {
        for j in 0..mass.len() {
            let apart = [0, 1, 2].map(|axis| middle[axis][j] - middle[axis][i]);
            let squared = apart.iter().map(|d| d * d).sum::<f64>() + 0.002;
            for axis in 0..3 {
                velocity[axis][i] += dt * mass[j] * apart[axis] / squared.powf(1.5);
            }
        }
    }
    let [x, y, z] = [0, 1, 2].map(|axis| &middle[axis] + 0.5 * dt * &velocity[axis]);
    (x, y, z)
}
