//! Prefix sums and their like, of a whole array, of rows, and of columns.

use lift_suite::input::Random;
use lift_suite::measure::Opponent;

use super::{pick, size, two_sizes};
use crate::case::Program;
use crate::opponents::scans;

/// Along which elements is scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// A whole array.
    Array,
    /// Each row.
    Rows,
    /// Each column.
    Columns,
}

/// A scan with a function before or after it.
#[derive(Debug, Clone)]
pub struct Scan {
    /// Along what.
    pub along: Along,
    /// The largest so far in place of the sum.
    pub largest: bool,
    /// Elements are squared before.
    pub before: bool,
    /// Results are halved after.
    pub after: bool,
    /// The extents.
    pub extents: Vec<usize>,
}

impl Scan {
    /// Any of them.
    pub fn random(random: &mut Random) -> Scan {
        let along = pick(random, &[Along::Array, Along::Rows, Along::Columns]);
        let extents = match along {
            Along::Array => vec![size(random, 20.0, 27.0)],
            Along::Rows | Along::Columns => two_sizes(random, 20.0, 26.0, 3.0).to_vec(),
        };
        let [largest, before, after] = [3, 3, 3].map(|n| random.below(n) == 0);
        Scan { along, largest, before, after, extents }
    }
}

impl Program for Scan {
    fn name(&self) -> String {
        let of = if self.largest { "largest so far" } else { "sums" };
        let also = [(self.before, ", squared"), (self.after, ", halved")];
        let also: String = also.iter().filter(|(does, _)| *does).map(|(_, text)| *text).collect();
        format!("{of} along {:?}{also}", self.along).to_lowercase()
    }

    fn text(&self) -> String {
        let before = if self.before { ".map(|v| v * v)" } else { "" };
        let after = if self.after { ".map(|v| 0.5 * v)" } else { "" };
        let scan = if self.largest { "scan(max, f32::NEG_INFINITY)" } else { "scan(add, 0.0)" };
        let along = format!("{before}.{scan}{after}");
        let (ty, body, sizes) = match self.along {
            Along::Array => ("[f32; N]", format!("x{along}"), "N"),
            Along::Rows => ("[[f32; M]; N]", format!("x.map(|r| r{along})"), "N, M"),
            Along::Columns => {
                ("[[f32; M]; N]", format!("x.transpose().map(|c| c{along}).transpose()"), "N, M")
            }
        };
        format!("#[kernel] fn Case<{sizes}>(x: {ty}) -> {ty} {{ {body} }}")
    }

    fn sizes(&self) -> Vec<usize> {
        self.extents.clone()
    }

    fn small(&self) -> Vec<usize> {
        match self.along {
            Along::Array => vec![5003],
            Along::Rows | Along::Columns => vec![37, 71],
        }
    }

    fn operations(&self, sizes: &[usize]) -> f64 {
        (sizes.iter().product::<usize>() * (1 + usize::from(self.before) + usize::from(self.after))) as f64
    }

    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent> {
        scans::opponents(self, sizes)
    }
}
