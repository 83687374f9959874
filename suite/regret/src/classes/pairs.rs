//! A function of each element of one array with all of another one.

use lift_suite::input::Random;
use lift_suite::measure::Opponent;

use super::{pick, size};
use crate::case::Program;
use crate::opponents;

/// What is reduced over all pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The square of the distance to the nearest one.
    Nearest,
    /// The acceleration by all of them, softened.
    Gravity,
    /// The sum of Gaussians.
    Density,
    /// How many are near.
    Near,
}

/// All pairs of points in a plane.
#[derive(Debug, Clone)]
pub struct Pairs {
    /// What is computed.
    pub function: Function,
    /// Results, and points for each of them.
    pub extents: [usize; 2],
}

impl Pairs {
    /// Any of them.
    pub fn random(random: &mut Random) -> Pairs {
        let function =
            pick(random, &[Function::Nearest, Function::Gravity, Function::Density, Function::Near]);
        let extents = loop {
            let extents = [(); 2].map(|()| size(random, 6.0, 20.0));
            let pairs = (extents[0] * extents[1]) as f64;
            if (24.0..34.0).contains(&pairs.log2()) {
                break extents;
            }
        };
        Pairs { function, extents }
    }
}

impl Program for Pairs {
    fn name(&self) -> String {
        format!("{:?}", self.function).to_lowercase()
    }

    fn text(&self) -> String {
        let (result, body, after) = match self.function {
            Function::Nearest => (
                "[f32; N]",
                "map(|p, q| (x - p) * (x - p) + (y - q) * (y - q)).reduce(min, f32::INFINITY)",
                "",
            ),
            Function::Gravity => (
                "([f32; N], [f32; N])",
                "map(|p, q| { let dx = p - x; let dy = q - y; let d = dx * dx + dy * dy + 0.01; let f = 1.0 / (d * sqrt(d)); (f * dx, f * dy) })\
                 .reduce(|a, b| (a.0 + b.0, a.1 + b.1), (0.0, 0.0))",
                ".unzip()",
            ),
            Function::Density => (
                "[f32; N]",
                "map(|p, q| exp(-4.0 * ((x - p) * (x - p) + (y - q) * (y - q)))).reduce(add, 0.0)",
                "",
            ),
            Function::Near => (
                "[i32; N]",
                "map(|p, q| if (x - p) * (x - p) + (y - q) * (y - q) < 0.01 { 1 } else { 0 }).reduce(add, 0)",
                "",
            ),
        };
        format!(
            "#[kernel] fn Case<N, M>(xs: [f32; N], ys: [f32; N], ps: [f32; M], qs: [f32; M]) -> {result} {{ zip(xs, ys).map(|x, y| zip(ps, qs).{body}){after} }}"
        )
    }

    fn sizes(&self) -> Vec<usize> {
        self.extents.to_vec()
    }

    fn small(&self) -> Vec<usize> {
        vec![131, 77]
    }

    fn operations(&self, sizes: &[usize]) -> f64 {
        let each = match self.function {
            Function::Nearest | Function::Near => 6,
            Function::Gravity => 14,
            Function::Density => 8,
        };
        sizes.iter().map(|n| *n as f64).product::<f64>() * f64::from(each)
    }

    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent> {
        opponents::pairs::opponents(self, sizes)
    }
}
