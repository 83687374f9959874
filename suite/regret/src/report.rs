//! What is said about cases: a line for each, and the distribution of ratios.

use std::fmt::Write;

use lift_suite::measure::Competition;

use crate::case::Case;

/// A case and what it took.
pub struct Measured {
    /// The case.
    pub case: Case,
    /// At which sizes it ran.
    pub sizes: Vec<usize>,
    /// The times.
    pub competition: Competition,
}

/// Times of one case as ratios.
#[derive(Debug, Clone, Copy)]
pub struct Ratios {
    /// The best of our versions to the one that was chosen: at most 1.
    pub choice: f64,
    /// The best opponent to the version that was chosen, if there are opponents.
    pub opponent: Option<f64>,
}

impl Measured {
    /// The ratios.
    #[must_use]
    pub fn ratios(&self) -> Ratios {
        let Competition { first, versions, opponents, .. } = &self.competition;
        let best = versions.iter().map(|it| it.median).fold(first.median, f64::min);
        let opponent = opponents.iter().map(|it| it.median).reduce(f64::min);
        Ratios { choice: best / first.median, opponent: opponent.map(|best| best / first.median) }
    }

    /// The row of the table.
    #[must_use]
    pub fn row(&self) -> String {
        let Competition { first, versions, opponents, bytes, .. } = &self.competition;
        let Ratios { choice, opponent } = self.ratios();
        let best =
            versions.iter().chain([first]).min_by(|a, b| a.median.total_cmp(&b.median)).unwrap_or(first);
        let other = opponents.iter().min_by(|a, b| a.median.total_cmp(&b.median));
        let (seconds, half) = (first.median / 1e3, if self.case.is_held_out() { "held out" } else { "" });
        let gigabytes = *bytes as f64 / seconds / 1e9;
        let teraflops = self.case.program.operations(&self.sizes) / seconds / 1e12;
        let mut text = format!(
            "| {} | {} | {half} | {} | {:.4} | {gigabytes:.0} | {teraflops:.2} | {} | {choice:.2} |",
            self.case.number,
            self.case.title(&self.sizes),
            first.name,
            first.median,
            best.name
        );
        let _ = match (other, opponent) {
            (Some(other), Some(ratio)) => {
                write!(text, " {} | {:.4} | {ratio:.2} |", other.name, other.median)
            }
            _ => write!(text, " | | |"),
        };
        text
    }
}

/// The first lines of the table.
pub const HEAD: &str = "| | program | half | version | ms | GB/s | Tflop/s | best version | best / chosen | best opponent | ms | opponent / chosen |\n\
                        | ---: | --- | --- | --- | ---: | ---: | ---: | --- | ---: | --- | ---: | ---: |";

/// The distribution of the ratios, of each class and of all, and of those that are held out.
#[must_use]
pub fn summary(all: &[Measured]) -> String {
    let mut text = String::from(
        "| cases | | best / chosen: mean | least | opponent / chosen: mean | least | below 0.7 |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut classes: Vec<&str> = all.iter().map(|it| it.case.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let held_out = |it: &&Measured| it.case.is_held_out();
    let mut groups: Vec<(&str, Vec<&Measured>)> = classes
        .into_iter()
        .map(|class| (class, all.iter().filter(|it| it.case.class == class).collect()))
        .collect();
    groups.push(("all", all.iter().collect()));
    groups.push(("held out", all.iter().filter(held_out).collect()));
    for (name, cases) in groups {
        let choices: Vec<f64> = cases.iter().map(|it| it.ratios().choice).collect();
        let opponents: Vec<f64> = cases.iter().filter_map(|it| it.ratios().opponent).collect();
        let few = opponents.iter().filter(|ratio| **ratio < 0.7).count();
        let _ = writeln!(
            text,
            "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {few} |",
            cases.len(),
            mean(&choices),
            least(&choices),
            mean(&opponents),
            least(&opponents)
        );
    }
    text
}

/// The geometric mean.
pub(crate) fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

fn least(ratios: &[f64]) -> f64 {
    ratios.iter().copied().fold(f64::NAN, f64::min)
}
