//! Random stencils of floats whose results depend on how they are rounded: no weight is a power of two.

use crate::choices::Choices;

/// A kernel of one or two arrays of the same shape.
pub struct Program {
    /// The text.
    pub text: String,
    /// How far it looks back along the outermost dimension, all steps together, and how far ahead.
    pub reach: (usize, usize),
    /// Its size variables, outermost first, and their values.
    pub sizes: Vec<(&'static str, i64)>,
}

const WEIGHTS: [&str; 8] = ["0.3", "0.17", "0.71", "0.123", "0.61", "0.377", "0.9", "0.05"];

/// What lies beyond the edges, where it does not depend on how long the array is.
const BOUNDARIES: [&str; 4] = ["clamp", "mirror", "constant(0.3)", "reflect"];

/// The program that these numbers decide.
pub fn program(numbers: &[u16]) -> Program {
    let mut choices = Choices::new(numbers);
    let dims = choices.of(&[2, 1, 2, 3]);
    let scalar = choices.of(&["f32", "f32", "f32", "f64"]);
    let sizes: Vec<(&str, i64)> = match dims {
        1 => vec![("N", 203)],
        2 => vec![("N", 29), ("M", choices.of(&[45, 64]))],
        _ => vec![("N", 15), ("M", 9), ("O", choices.of(&[21, 32]))],
    };
    let ty = sizes.iter().rev().fold(scalar.to_string(), |ty, (n, _)| format!("[{ty}; {n}]"));
    let mut stencils = Stencils { choices, dims, reads_other: false, reach: (0, 0) };
    let body = stencils.body();
    let names: Vec<&str> = sizes.iter().map(|(name, _)| *name).collect();
    let other = if stencils.reads_other { format!(", other: {ty}") } else { String::new() };
    let text = format!("#[kernel] fn Random<{}>(grid: {ty}{other}) -> {ty} {{ {body} }}", names.join(", "));
    Program { text, reach: stencils.reach, sizes }
}

struct Stencils<'a> {
    choices: Choices<'a>,
    dims: usize,
    reads_other: bool,
    reach: (usize, usize),
}

impl Stencils<'_> {
    fn body(&mut self) -> String {
        let d = self.suffix();
        match self.choices.below(6) {
            0 => self.step("grid", 1),
            1 => {
                let times = self.choices.of(&[2, 3]);
                let step = self.step("g", times);
                format!("iterate({times}, |g| {step}, grid)")
            }
            2 => {
                let (first, second) = (self.step("grid", 1), self.step("a", 1));
                let stored = self.choices.of(&["", ".materialize()"]);
                format!("let a = {first}{stored}; {second}")
            }
            3 => {
                let (weight, step) = (self.weight(), self.step("a", 1));
                format!("let a = grid.map{d}(|x| {weight} * x); {step}")
            }
            4 => {
                let (weight, step) = (self.weight(), self.step("grid", 1));
                format!("{step}.map{d}(|x| x * x + {weight})")
            }
            _ => {
                let (first, second) = (self.step("g", 2), self.step("a", 2));
                format!("iterate(2, |g| {{ let a = {first}; {second} }}, grid)")
            }
        }
    }

    fn suffix(&self) -> String {
        if self.dims == 1 { String::new() } else { format!("{}d", self.dims) }
    }

    /// A function of the points around every element, which is applied so many times.
    fn step(&mut self, grid: &str, times: usize) -> String {
        let reach: Vec<(usize, usize)> =
            (0..self.dims).map(|_| self.choices.of(&[(1, 1), (1, 1), (0, 1), (2, 2), (1, 0)])).collect();
        self.reach.0 += times * reach[0].0;
        self.reach.1 += times * reach[0].1;
        let pad = |(l, r): (usize, usize), boundary: &str| format!(".pad({l}, {r}, {boundary})");
        let boundary = self.choices.of(&BOUNDARIES);
        let rows: Vec<String> = reach.iter().map(|reach| pad(*reach, boundary)).collect();
        let padded = match rows.as_slice() {
            [one] => format!("{grid}{one}"),
            [outer, row] => format!("{grid}.map(|row| row{row}){outer}"),
            [outer, middle, row, ..] => {
                format!("{grid}.map(|plane| plane.map(|row| row{row}){middle}){outer}")
            }
            [] => grid.to_string(),
        };
        let windows: Vec<String> = reach.iter().map(|(l, r)| format!("{}, 1", l + r + 1)).collect();
        let d = self.suffix();
        let windows = format!("{padded}.slide{d}({})", windows.join(", "));
        let value = self.value(&reach);
        match self.choices.below(4) {
            0 | 1 => format!("{windows}.map{d}(|w| {value})"),
            2 => {
                self.reads_other = true;
                let weight = self.weight();
                format!("zip{d}(other, {windows}).map{d}(|(x, w)| {value} - {weight} * x)")
            }
            _ => {
                let weight = self.weight();
                format!("zip{d}({windows}, {grid}).map{d}(|(w, own)| own + {weight} * ({value}))")
            }
        }
    }

    fn value(&mut self, reach: &[(usize, usize)]) -> String {
        let first = self.term(reach);
        match self.choices.below(4) {
            0 | 1 => first,
            2 => format!("({first}) * {} + {}", self.weight(), self.point(reach)),
            _ => format!("({first}) - {} * ({})", self.weight(), self.term(reach)),
        }
    }

    fn term(&mut self, reach: &[(usize, usize)]) -> String {
        let count: usize = reach.iter().map(|(l, r)| l + r + 1).product();
        let all = format!("w{}", ".join()".repeat(self.dims - 1));
        let [a, b, c, d] = std::array::from_fn(|_| self.point(reach));
        let [u, v] = std::array::from_fn(|_| self.weight());
        match self.choices.below(10) {
            0 => format!("{u} * {a} + {v} * {b} + 0.21 * {c} + 0.07 * {d}"),
            1 => format!("{a} + {u} * ({b} - 2.0 * {c} + {d})"),
            2 if count <= 27 => {
                let weights: Vec<&str> = (0..count).map(|_| self.weight()).collect();
                format!("zip({all}, [{}]).map(|(x, k)| x * k).reduce(add, 0.0)", weights.join(", "))
            }
            3 => format!("{a} * {b} - {c} * {d}"),
            4 => format!("({a} + {u} * {b}) / (1.5 + {c} * {c})"),
            5 => format!("({a} * {a} + {b} * {b} + 0.1).sqrt()"),
            6 => format!("max({a}, {b}) * {u} + min({c}, {v} * {d})"),
            7 => format!("{{ let e = {u} * ({a} - {b}); {c} + e * e }}"),
            8 => format!("(if {a} > {b} {{ {u} * {a} + {c} }} else {{ {b} - {v} * {d} }})"),
            9 => format!("{all}.map(|x| x * x).reduce(add, 0.0) * {u}"),
            _ => format!("{all}.reduce(add, 0.0) * {u} + {a}"),
        }
    }

    fn point(&mut self, reach: &[(usize, usize)]) -> String {
        reach
            .iter()
            .fold("w".to_string(), |point, (l, r)| format!("{point}[{}]", self.choices.below(l + r + 1)))
    }

    fn weight(&mut self) -> &'static str {
        self.choices.of(&WEIGHTS)
    }
}
