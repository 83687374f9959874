//! Functions of rows or of columns of a matrix.

use lift_suite::input::Random;
use lift_suite::measure::Opponent;

use super::{pick, two_sizes};
use crate::case::Program;
use crate::opponents::{columns, rows};

/// What is computed of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Its sum.
    Sum,
    /// Its largest element.
    Largest,
    /// Where its largest element is.
    WhereLargest,
    /// Its product with a vector, which is the same for all rows.
    Dot,
    /// Its mean and its variance.
    Moments,
    /// `exp(x - max) / Σ exp(x - max)`
    Softmax,
    /// `(x - mean) / sqrt(variance + ε)`
    Normalised,
    /// Its elements, divided by the root of the sum of their squares.
    Unit,
}

/// A function of each row, or of each column.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The function.
    pub function: Function,
    /// Of columns in place of rows.
    pub columns: bool,
    /// Rows and columns of the matrix.
    pub extents: [usize; 2],
    /// `f64` in place of `f32`.
    pub double: bool,
}

const ALL: &[Function] = &[
    Function::Sum,
    Function::Largest,
    Function::WhereLargest,
    Function::Dot,
    Function::Moments,
    Function::Softmax,
    Function::Normalised,
    Function::Unit,
];

impl Rows {
    /// Of rows.
    pub fn of_rows(random: &mut Random) -> Rows {
        Rows::random(random, false)
    }

    /// Of columns.
    pub fn of_columns(random: &mut Random) -> Rows {
        Rows::random(random, true)
    }

    fn random(random: &mut Random, columns: bool) -> Rows {
        let function = pick(random, ALL);
        Rows { function, columns, extents: two_sizes(random, 20.0, 26.0, 2.0), double: random.below(6) == 0 }
    }

    /// Whether each row gives a row, and not a scalar or two.
    #[must_use]
    pub fn gives_rows(&self) -> bool {
        matches!(self.function, Function::Softmax | Function::Normalised | Function::Unit)
    }

    /// The element type.
    #[must_use]
    pub fn element(&self) -> &'static str {
        if self.double { "f64" } else { "f32" }
    }
}

impl Program for Rows {
    fn name(&self) -> String {
        format!("{:?}, {}", self.function, self.element()).to_lowercase()
    }

    fn text(&self) -> String {
        let t = self.element();
        // The length of what is reduced, and how many there are.
        let (len, count) = if self.columns { ("N", "M") } else { ("M", "N") };
        let rows = if self.columns { "x.transpose()" } else { "x" };
        let body = match self.function {
            Function::Sum => "|r| r.reduce(add, 0.0)".to_string(),
            Function::Largest => format!("|r| r.reduce(max, {t}::NEG_INFINITY)"),
            Function::WhereLargest => "|r| r.argmax().0 as i32".to_string(),
            Function::Dot => "|r| zip(r, y).map(mul).reduce(add, 0.0)".to_string(),
            Function::Moments => format!(
                "|r| {{ let mean = r.reduce(add, 0.0) / {len} as {t}; (mean, r.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0) / {len} as {t}) }}"
            ),
            Function::Softmax => format!(
                "|r| {{ let top = r.reduce(max, {t}::NEG_INFINITY); let e = r.map(|v| exp(v - top)); let sum = e.reduce(add, 0.0); e.map(|v| v / sum) }}"
            ),
            Function::Normalised => format!(
                "|r| {{ let mean = r.reduce(add, 0.0) / {len} as {t}; let var = r.map(|v| (v - mean) * (v - mean)).reduce(add, 0.0) / {len} as {t}; \
                 let scale = 1.0 / sqrt(var + 0.00001); r.map(|v| (v - mean) * scale) }}"
            ),
            Function::Unit => {
                "|r| { let norm = sqrt(r.map(|v| v * v).reduce(add, 0.0)); r.map(|v| v / norm) }".to_string()
            }
        };
        let (result, after) = match self.function {
            Function::Moments => (format!("([{t}; {count}], [{t}; {count}])"), ".unzip()"),
            Function::WhereLargest => (format!("[i32; {count}]"), ""),
            _ if self.gives_rows() => {
                (format!("[[{t}; M]; N]"), if self.columns { ".transpose()" } else { "" })
            }
            _ => (format!("[{t}; {count}]"), ""),
        };
        let vector =
            if self.function == Function::Dot { format!(", y: [{t}; {len}]") } else { String::new() };
        format!(
            "#[kernel] fn Case<N, M>(x: [[{t}; M]; N]{vector}) -> {result} {{ {rows}.map({body}){after} }}"
        )
    }

    fn sizes(&self) -> Vec<usize> {
        self.extents.to_vec()
    }

    fn small(&self) -> Vec<usize> {
        vec![37, 71]
    }

    fn operations(&self, sizes: &[usize]) -> f64 {
        let each = match self.function {
            Function::Sum | Function::Largest | Function::WhereLargest => 1,
            Function::Dot => 2,
            Function::Moments | Function::Unit => 4,
            Function::Softmax | Function::Normalised => 8,
        };
        (sizes.iter().product::<usize>() * each) as f64
    }

    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent> {
        let extents = [sizes[0], sizes[1]];
        if self.columns { columns::opponents(self, extents) } else { rows::opponents(self, extents) }
    }
}
