//! Programs that mostly move data.

use lift_suite::input::Random;
use lift_suite::measure::Opponent;

use super::{pick, two_sizes};
use crate::case::Program;
use crate::opponents::moves;

/// What is done with a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Rows become columns.
    Transposed,
    /// The sum of a matrix and a transposed one.
    SumWithTransposed,
    /// A polynomial of each element.
    Polynomial,
    /// A sum of three matrices, each with its factor.
    Weighted,
    /// Rows in reverse order, and their elements, too.
    Turned,
    /// A row and a column are added to every element.
    Outer,
}

/// A program that computes little.
#[derive(Debug, Clone)]
pub struct Move {
    /// What it does.
    pub what: What,
    /// Rows and columns.
    pub extents: [usize; 2],
    /// `f64` in place of `f32`.
    pub double: bool,
}

impl Move {
    /// Any of them.
    pub fn random(random: &mut Random) -> Move {
        let what = pick(
            random,
            &[
                What::Transposed,
                What::SumWithTransposed,
                What::Polynomial,
                What::Weighted,
                What::Turned,
                What::Outer,
            ],
        );
        Move { what, extents: two_sizes(random, 20.0, 26.0, 2.0), double: random.below(5) == 0 }
    }

    /// The element type.
    #[must_use]
    pub fn element(&self) -> &'static str {
        if self.double { "f64" } else { "f32" }
    }
}

impl Program for Move {
    fn name(&self) -> String {
        format!("{:?}, {}", self.what, self.element()).to_lowercase()
    }

    fn text(&self) -> String {
        let t = self.element();
        let (params, result, body) = match self.what {
            What::Transposed => ("x: [[T; M]; N]", "[[T; N]; M]", "x.transpose()"),
            What::SumWithTransposed => {
                ("x: [[T; M]; N], y: [[T; N]; M]", "[[T; M]; N]", "zip2d(x, y.transpose()).map2d(add)")
            }
            What::Polynomial => {
                ("x: [[T; M]; N]", "[[T; M]; N]", "x.map2d(|v| ((0.25 * v + 0.5) * v + 0.125) * v + 1.0)")
            }
            What::Weighted => (
                "x: [[T; M]; N], y: [[T; M]; N], z: [[T; M]; N]",
                "[[T; M]; N]",
                "zip2d(x, y, z).map2d(|a, b, c| 0.5 * a + 0.25 * b + 0.125 * c)",
            ),
            What::Turned => ("x: [[T; M]; N]", "[[T; M]; N]", "x.reverse().map(|r| r.reverse())"),
            What::Outer => (
                "x: [[T; M]; N], u: [T; N], v: [T; M]",
                "[[T; M]; N]",
                "zip(x, u).map(|r, a| zip(r, v).map(|c, b| c + a * b))",
            ),
        };
        format!("#[kernel] fn Case<N, M>({params}) -> {result} {{ {body} }}").replace("T;", &format!("{t};"))
    }

    fn sizes(&self) -> Vec<usize> {
        self.extents.to_vec()
    }

    fn small(&self) -> Vec<usize> {
        vec![37, 71]
    }

    fn operations(&self, sizes: &[usize]) -> f64 {
        sizes.iter().product::<usize>() as f64
    }

    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent> {
        moves::opponents(self, [sizes[0], sizes[1]])
    }
}
