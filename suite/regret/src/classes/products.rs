//! Products of matrices of any shape, stored either way.

use lift_suite::input::Random;
use lift_suite::measure::Opponent;

use super::{pick, size};
use crate::case::Program;
use crate::opponents;

/// `A·B`, and perhaps a sum with a third matrix.
#[derive(Debug, Clone)]
pub struct Product {
    /// `A` is stored column by column.
    pub a_turned: bool,
    /// `B` is stored column by column.
    pub b_turned: bool,
    /// `0.5 · A·B + C`
    pub sum: bool,
    /// `f64` in place of `f32`.
    pub double: bool,
    /// Rows of the result, its columns, and what is reduced.
    pub extents: [usize; 3],
}

impl Product {
    /// Any of them that takes at most a few milliseconds.
    pub fn random(random: &mut Random) -> Product {
        let extents = loop {
            let extents = [(); 3].map(|()| size(random, 4.0, 14.0));
            let [n, m, k] = extents.map(|n| n as f64);
            if (2.0 * n * m * k).log2() < 37.5 && 2.0 * n * m * k > 1e8 && n * m + m * k + n * k < 2e8 {
                break extents;
            }
        };
        Product {
            a_turned: random.below(4) == 0,
            b_turned: random.below(3) == 0,
            sum: random.below(3) == 0,
            double: pick(random, &[false, false, false, true]),
            extents,
        }
    }

    /// The element type.
    #[must_use]
    pub fn element(&self) -> &'static str {
        if self.double { "f64" } else { "f32" }
    }
}

impl Program for Product {
    fn name(&self) -> String {
        let turned = |turned: bool| if turned { "ᵀ" } else { "" };
        let sum = if self.sum { " + C" } else { "" };
        format!("A{}·B{}{sum}, {}", turned(self.a_turned), turned(self.b_turned), self.element())
    }

    fn text(&self) -> String {
        let t = self.element();
        let matrix = |rows: &str, columns: &str, turned: bool| match turned {
            true => format!("[[{t}; {rows}]; {columns}]"),
            false => format!("[[{t}; {columns}]; {rows}]"),
        };
        let (a, b) = (matrix("N", "K", self.a_turned), matrix("K", "M", self.b_turned));
        let rows = if self.a_turned { "a.transpose()" } else { "a" };
        let columns = if self.b_turned { "b" } else { "b.transpose()" };
        let dot = "zip(row, column).map(mul).reduce(add, 0.0)";
        let (c, body) = match self.sum {
            false => (String::new(), format!("{rows}.map(|row| {columns}.map(|column| {dot}))")),
            true => (
                format!(", c: [[{t}; M]; N]"),
                format!("zip({rows}, c).map(|row, cs| zip({columns}, cs).map(|column, c| 0.5 * {dot} + c))"),
            ),
        };
        format!("#[kernel] fn Case<N, M, K>(a: {a}, b: {b}{c}) -> [[{t}; M]; N] {{ {body} }}")
    }

    fn sizes(&self) -> Vec<usize> {
        self.extents.to_vec()
    }

    fn small(&self) -> Vec<usize> {
        vec![67, 70, 53]
    }

    fn operations(&self, sizes: &[usize]) -> f64 {
        2.0 * sizes.iter().map(|n| *n as f64).product::<f64>()
    }

    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent> {
        opponents::products::opponents(self, sizes)
    }
}
