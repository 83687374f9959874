//! How long programs take.

use std::fmt::Write;
use std::time::{Duration, Instant};

use lift::Device;

use super::{Program, Work};
use crate::measure::{FOREIGN, Load};

/// A program takes longer than this: one run has to do.
const ENDLESS: Duration = Duration::from_secs(2);

/// The system counts time in hundredths of a second: shorter attempts cannot tell what others take.
const MOMENT: Duration = Duration::from_millis(200);

/// Medians.
pub struct Measured {
    program: &'static Program,
    /// Lift, the loop on one thread, and on two, in milliseconds.
    times: [f64; 3],
    once: bool,
    version: &'static str,
    /// The share of the processor that other programs took meanwhile.
    foreign: f64,
}

/// Measures a program in so many rounds, in each of which all three run, after a round that does not count. As long as other
/// programs take too much of the processor, and at most `attempts` times, all of it is done again; the quietest attempt counts.
///
/// # Errors
///
/// A text that says why it cannot run, or that its result is wrong.
pub fn measure(
    device: &Device,
    program: &'static Program,
    rounds: usize,
    attempts: usize,
) -> Result<Measured, String> {
    let mut work = (program.make)(device, program.sizes).map_err(|error| error.to_string())?;
    let version = work.chosen()?;
    work.check(&[version])?;
    let first = round(&mut work)?;
    let mut best = Measured { program, times: first, once: true, version, foreign: 1.0 };
    if first[0] > ENDLESS.as_secs_f64() * 1e3 {
        return Ok(best);
    }
    for _ in 0..attempts.max(1) {
        let (load, mut all) = (Load::start(&[]), Vec::new());
        while all.len() < rounds.max(1) || load.seconds() < MOMENT.as_secs_f64() {
            all.push(round(&mut work)?);
        }
        let foreign = load.foreign().unwrap_or(0.0);
        if best.once || foreign < best.foreign {
            best =
                Measured { times: [0, 1, 2].map(|which| median(&all, which)), once: false, foreign, ..best };
        }
        if foreign <= FOREIGN {
            break;
        }
    }
    Ok(best)
}

fn median(rounds: &[[f64; 3]], which: usize) -> f64 {
    let mut times: Vec<f64> = rounds.iter().map(|times| times[which]).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn round(work: &mut Work) -> Result<[f64; 3], String> {
    let millis = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    (work.ours.launch)(None).map_err(|error| error.to_string())?;
    let ours = millis(start);
    let start = Instant::now();
    (work.plain)(1, false);
    let one = millis(start);
    let start = Instant::now();
    (work.plain)(2, false);
    Ok([ours, one, millis(start)])
}

impl Measured {
    /// How many times as long as Lift the loop takes on two threads.
    pub fn ratio(&self) -> f64 {
        self.times[2] / self.times[0]
    }
}

/// A table in Markdown.
pub fn table(measured: &[Measured]) -> String {
    let mut text = format!(
        "| {:24} | {:>14} | {:>10} | loop 1 ms | loop 2 ms | ratio | version | others |\n",
        "program", "sizes", "ours ms"
    );
    text += "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: |\n";
    for it in measured {
        let sizes: Vec<String> = it.program.sizes.iter().map(usize::to_string).collect();
        let [ours, one, two] = it.times;
        let mark = if it.once { "*" } else { "" };
        let _ = writeln!(
            text,
            "| {:24} | {:>14} | {:>10} | {one:9.2} | {two:9.2} | {:5.2} | {} | {:.0} % |",
            it.program.name,
            sizes.join(" x "),
            format!("{ours:.2}{mark}"),
            it.ratio(),
            it.version,
            100.0 * it.foreign
        );
    }
    if measured.iter().any(|it| it.once) {
        text += "\n`*`: a single run, whatever others took.\n";
    }
    text
}
