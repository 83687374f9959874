//! What it costs the host to start work on threads that sleep, and to wait for them.
//!
//! ```text
//! cargo run --release -p lift-suite --bin launch
//! ```

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use lift::{Device, Queue};
use lift_suite::fractal::Mandelbrot;
use lift_suite::measure::{FOREIGN, Load, Result};

/// Measures a launch on all threads of the host, which sleep when it comes. In each round the same work is done on one thread, which
/// takes so long that its share of each thread is `--work`; what a launch on all threads takes beyond that share is its cost. Rounds come
/// in spells; those in which other programs took more than 15 % of the processor do not count.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The work of each thread, in microseconds.
    #[arg(short, long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    work: u32,
    /// How long threads have nothing to do before each launch, in milliseconds.
    #[arg(short, long, value_name = "N", default_value_t = 3)]
    pause: u32,
    /// Spells of 50 rounds that count.
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    spells: u32,
}

/// Rounds of a spell.
const ROUNDS: usize = 50;

/// Spells in which others take too much, for each that counts.
const AGAIN: u32 = 10;

/// Rows, and points in each. None of them ever leaves the set.
const SHAPE: [usize; 2] = [64, 256];

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let device = Device::cpu();
    let threads = rayon::current_num_threads();
    println!("{device}, {threads} threads");
    let mut kernel = Launches::new(&device)?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    // The limit that takes as long as wanted on one thread.
    let wanted = f64::from(args.work) * threads as f64;
    let mut limit = 1000;
    for _ in 0..5 {
        let mut times = Vec::new();
        for _ in 0..9 {
            times.push(one.install(|| kernel.micros(limit))?);
        }
        limit = ((limit as f64 * wanted / quartiles(&mut times)[1]) as usize).max(1);
    }
    let pause = Duration::from_millis(args.pause.into());
    let (mut alone, mut all, mut costs, mut counted) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..args.spells * AGAIN {
        let load = Load::start(&[]);
        let mut spell = Vec::new();
        for _ in 0..ROUNDS {
            let share = one.install(|| {
                std::thread::sleep(pause);
                kernel.micros(limit)
            })? / threads as f64;
            std::thread::sleep(pause);
            spell.push((share, kernel.micros(limit)?));
        }
        if load.foreign().is_some_and(|share| share > FOREIGN) {
            continue;
        }
        counted += 1;
        alone.extend(spell.iter().map(|(share, _)| share));
        all.extend(spell.iter().map(|(_, together)| together));
        costs.extend(spell.iter().map(|(share, together)| together - share));
        if counted == args.spells {
            break;
        }
    }
    if counted == 0 {
        return Err("other programs leave too little of the processor".into());
    }
    println!("{} rounds, microseconds: median (quartiles)", counted as usize * ROUNDS);
    for (name, times) in
        [("the work of a thread", &mut alone), ("a launch", &mut all), ("its cost", &mut costs)]
    {
        let [low, middle, high] = quartiles(times);
        println!("{name:20} {middle:7.1}  ({low:.1} to {high:.1})");
    }
    Ok(())
}

/// A kernel of which all points take so many steps as its limit says.
struct Launches {
    kernel: Mandelbrot,
    queue: Queue,
    im: lift::DeviceArray<f32, 1>,
    re: lift::DeviceArray<f32, 1>,
    out: lift::DeviceArray<i32, 2>,
}

impl Launches {
    fn new(device: &Device) -> Result<Launches> {
        let [rows, points] = SHAPE;
        Ok(Launches {
            kernel: Mandelbrot::on(device)?,
            queue: device.queue()?,
            im: device.upload((vec![0.1; rows], [rows]))?,
            re: device.upload((vec![0.1; points], [points]))?,
            out: device.alloc(SHAPE)?,
        })
    }

    /// How long a launch takes its caller.
    fn micros(&mut self, limit: usize) -> Result<f64> {
        let start = Instant::now();
        self.kernel.launch(&self.queue, limit, &self.im, &self.re, &mut self.out)?.wait()?;
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }
}

fn quartiles(times: &mut [f64]) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| times.get(times.len() * quarter / 4).copied().unwrap_or(f64::NAN))
}
