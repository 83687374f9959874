//! Generated programs against what is written by hand for each of them.
//!
//! ```text
//! cargo build --release -p lift-regret
//! target/release/lift-regret --device gpu
//! ```

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lift::{Device, Tuning};
use lift_regret::case::Case;
use lift_regret::classes::CLASSES;
use lift_regret::plot;
use lift_regret::report::{HEAD, Measured, summary};
use lift_suite::measure::Result;

/// Makes random programs of each class, and measures the version that the launcher chooses for random sizes beside all other versions and
/// beside kernels in OpenCL from templates, which are tried in several shapes. Ratios below 1 say how much faster others are.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The device: a part of its name, `gpu`, `cpu`, or its number. By default the best.
    #[arg(short, long, value_name = "NAME")]
    device: Option<String>,
    /// Other programs and sizes for every seed.
    #[arg(short, long, default_value_t = 1)]
    seed: u64,
    /// How many programs; classes take turns.
    #[arg(short, long, default_value_t = 64)]
    cases: usize,
    /// The first of them.
    #[arg(short, long, default_value_t = 0)]
    from: usize,
    /// Only these classes.
    #[arg(long, value_name = "SUBSTRING")]
    only: Vec<String>,
    /// Runs of each version and opponent; the median counts.
    #[arg(short, long, default_value_t = 7)]
    runs: usize,
    /// Tunes each program for so many seconds first, and measures the version that is found as the one that is chosen.
    #[arg(short, long, value_name = "SECONDS")]
    tune: Option<u64>,
    /// Small sizes: tries the program, measures nothing of interest.
    #[arg(short, long)]
    quick: bool,
    /// All versions and opponents, not the best ones alone.
    #[arg(short, long)]
    all: bool,
    /// Shows the texts and stops.
    #[arg(short, long)]
    list: bool,
    /// Writes the tables to a file, too.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draws the distribution of the ratios to opponents, as SVG.
    #[arg(short, long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args) -> Result<()> {
    let wanted =
        |case: &Case| args.only.is_empty() || args.only.iter().any(|part| case.class.contains(part.as_str()));
    let cases = (args.from..args.from + args.cases).map(|number| Case::of(args.seed, number)).filter(wanted);
    if args.list {
        cases.for_each(|case| {
            println!("{}: {}\n{}\n", case.number, case.title(&case.program.sizes()), case.program.text())
        });
        return Ok(());
    }
    let device = match &args.device {
        Some(name) => Device::find(name)?,
        None => Device::best()?,
    };
    let mut text = format!("{device}, seed {}, {} classes\n\n{HEAD}\n", args.seed, CLASSES.len());
    print!("{text}");
    let (mut measured, mut failed) = (Vec::new(), Vec::new());
    for case in cases {
        let sizes = if args.quick { case.program.small() } else { case.program.sizes() };
        let run = || match args.tune {
            Some(seconds) => {
                let tuning = Tuning::new().budget(Duration::from_secs(seconds));
                let (competition, found) = case.run_tuned(&tuning, &device, &sizes, args.runs)?;
                eprintln!("    tuning found {found}");
                Ok(competition)
            }
            None => case.run(&device, &sizes, args.runs),
        };
        match run() {
            Ok(competition) => {
                let one = Measured { case, sizes, competition };
                let row = one.row();
                println!("{row}");
                text += &format!("{row}\n");
                if args.all {
                    let all = one.competition.versions.iter().chain(&one.competition.opponents);
                    all.for_each(|it| eprintln!("    {:.4} {}", it.median, it.name));
                }
                one.competition.out.iter().for_each(|(name, why)| eprintln!("    without {name}: {why}"));
                measured.push(one);
            }
            Err(error) => {
                eprintln!("{} ({}): {error}", case.number, case.title(&sizes));
                failed.push(case.number);
            }
        }
    }
    let summary = summary(&measured);
    println!("\n{summary}");
    if let Some(file) = &args.output {
        std::fs::write(file, text + "\n" + &summary)?;
    }
    if let Some(file) = &args.plot {
        let title = format!("{} generated programs on {}", measured.len(), device.name());
        std::fs::write(file, plot::svg(&title, &plot::dots(&measured))?)?;
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("these could not be measured: {failed:?}").into()),
    }
}
