//! How long programs take.

use std::fmt::Write;
use std::time::{Duration, Instant};

use lift::Device;

use super::{Program, Work};

/// A program takes longer than this: one run has to do.
const ENDLESS: Duration = Duration::from_secs(2);

/// Medians.
pub struct Measured {
    program: &'static Program,
    /// Lift, the loop on one thread, and on two, in milliseconds.
    times: [f64; 3],
    once: bool,
    version: &'static str,
}

/// Measures a program in so many rounds, in each of which all three run, after a round that does not count.
///
/// # Errors
///
/// A text that says why it cannot run, or that its result is wrong.
pub fn measure(device: &Device, program: &'static Program, rounds: usize) -> Result<Measured, String> {
    let mut work = (program.make)(device, program.sizes).map_err(|error| error.to_string())?;
    let version = work.check()?;
    let first = round(&mut work)?;
    let once = first[0] > ENDLESS.as_secs_f64() * 1e3;
    let mut all = if once { vec![first] } else { Vec::new() };
    while !once && all.len() < rounds.max(1) {
        all.push(round(&mut work)?);
    }
    let median = |which: usize| {
        let mut times: Vec<f64> = all.iter().map(|times| times[which]).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Ok(Measured { program, times: [median(0), median(1), median(2)], once, version })
}

fn round(work: &mut Work) -> Result<[f64; 3], String> {
    let millis = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    (work.ours)(false).map_err(|error| error.to_string())?;
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
        "| {:24} | {:>14} | {:>10} | loop 1 ms | loop 2 ms | ratio | version |\n",
        "program", "sizes", "ours ms"
    );
    text += "| --- | --- | ---: | ---: | ---: | ---: | --- |\n";
    for it in measured {
        let sizes: Vec<String> = it.program.sizes.iter().map(usize::to_string).collect();
        let [ours, one, two] = it.times;
        let mark = if it.once { "*" } else { "" };
        let _ = writeln!(
            text,
            "| {:24} | {:>14} | {:>10} | {one:9.2} | {two:9.2} | {:5.2} | {} |",
            it.program.name,
            sizes.join(" x "),
            format!("{ours:.2}{mark}"),
            it.ratio(),
            it.version
        );
    }
    if measured.iter().any(|it| it.once) {
        text += "\n`*`: a single run.\n";
    }
    text
}
