//! Random stencils of one to three dimensions whose points are named: by themselves, repeated, and different ones after each other.
//!
//! What they reach and read, what lies beyond the edges, and what else they read are chosen for each of them.

use super::choices::Choices;

/// The extents that a program is tried with, outermost first: single elements, primes, and whole vectors.
pub const EXTENTS: [[i64; 3]; 8] =
    [[1, 1, 1], [2, 3, 5], [5, 2, 16], [7, 6, 33], [19, 17, 4], [3, 11, 70], [131, 2, 3], [2, 67, 12]];

/// What lies beyond the edges. What gives an index, or a value, has a name for each number that it gets.
const BOUNDARIES: [&str; 8] = [
    "clamp",
    "mirror",
    "wrap",
    "reflect",
    "constant(ONE)",
    "value(|i, n| if i < 0 { ONE } else { TWO })",
    "value(|i, n| (i - n) as TYPE)",
    "|i, n| if i < 0 { 0 } else { n - 1 }",
];

const SIZES: [&str; 3] = ["N", "M", "O"];

/// A program of a kernel whose sizes are the last of `N`, `M` and `O`.
pub fn program(numbers: &[u16]) -> String {
    let mut choices = Choices::new(numbers);
    let dims = choices.of(&[2, 3, 2, 3, 1]);
    let scalar = choices.of(&["f32", "i32", "f64", "u8"]);
    let ty = SIZES[3 - dims..].iter().rev().fold(scalar.to_string(), |ty, n| format!("[{ty}; {n}]"));
    let mut stencils = Stencils { choices, dims, scalar, is_counted: false, reads_other: false };
    let body = stencils.body();
    let (counted, other) = (stencils.is_counted, stencils.reads_other);
    let mut params = Vec::new();
    params.extend(counted.then(|| "k: usize".to_string()));
    params.push(format!("grid: {ty}"));
    params.extend(other.then(|| format!("other: {ty}")));
    let (sizes, params) = (SIZES[3 - dims..].join(", "), params.join(", "));
    format!("#[kernel] fn Random<{sizes}>({params}) -> {ty} {{ {body} }}")
}

struct Stencils<'a> {
    choices: Choices<'a>,
    dims: usize,
    scalar: &'static str,
    /// Whether a number of rounds is a parameter.
    is_counted: bool,
    /// Whether there is another array.
    reads_other: bool,
}

impl Stencils<'_> {
    fn body(&mut self) -> String {
        match self.choices.below(6) {
            0 => self.step("grid"),
            1 => {
                let times = self.choices.of(&[2, 3, 4, 7]);
                let step = self.step("g");
                format!("iterate({times}, |g| {step}, grid)")
            }
            2 => {
                let (first, second) = (self.step("grid"), self.step("a"));
                let stored = self.choices.of(&["", ".materialize()"]);
                format!("let a = {first}{stored}; {second}")
            }
            3 => {
                self.is_counted = true;
                let step = self.step("g");
                format!("iterate(k, |g| {step}, grid)")
            }
            4 => {
                let times = self.choices.of(&[2, 3]);
                let (first, second) = (self.step("g"), self.step("a"));
                format!("iterate({times}, |g| {{ let a = {first}; {second} }}, grid)")
            }
            _ => {
                let (first, second, third) = (self.step("grid"), self.step("a"), self.step("b"));
                format!("let a = {first}; let b = {second}; {third}")
            }
        }
    }

    /// A function of the points around every element of an array.
    fn step(&mut self, grid: &str) -> String {
        let mut reach = Vec::new();
        for _ in 0..self.dims {
            reach.push(self.choices.of(&[(1, 1), (1, 1), (0, 1), (2, 0), (1, 2), (0, 0)]));
        }
        let padded = self.padded(grid, &reach);
        let windows: Vec<String> = reach.iter().map(|(l, r)| format!("{}, 1", l + r + 1)).collect();
        let d = if self.dims == 1 { String::new() } else { format!("{}d", self.dims) };
        let windows = format!("{padded}.slide{d}({})", windows.join(", "));
        match self.choices.below(4) {
            0 | 1 => {
                let value = self.value(&reach);
                format!("{windows}.map{d}(|w| {value})")
            }
            2 => {
                self.reads_other = true;
                let value = self.value(&reach);
                format!("zip{d}(other, {windows}).map{d}(|(x, w)| {value} - x)")
            }
            _ => {
                let (two, value) = (self.constant(1), self.value(&reach));
                format!("zip{d}({windows}, {grid}).map{d}(|(w, own)| {two} * own - ({value}))")
            }
        }
    }

    /// The array with what lies around it.
    fn padded(&mut self, grid: &str, reach: &[(i64, i64)]) -> String {
        let one = self.boundary();
        let boundaries: Vec<String> = reach
            .iter()
            .map(|_| if self.choices.once_in(3) { self.boundary() } else { one.clone() })
            .collect();
        let pad = |dim: usize| format!(".pad({}, {}, {})", reach[dim].0, reach[dim].1, boundaries[dim]);
        let (first, last) = (pad(0), pad(self.dims - 1));
        match self.dims {
            1 => format!("{grid}{first}"),
            2 => format!("{grid}.map(|row| row{last}){first}"),
            _ => format!("{grid}.map(|plane| plane.map(|row| row{last}){}){first}", pad(1)),
        }
    }

    fn boundary(&mut self) -> String {
        let (one, two) = (self.constant(0), self.constant(2));
        self.choices.of(&BOUNDARIES).replace("ONE", &one).replace("TWO", &two).replace("TYPE", self.scalar)
    }

    /// What is computed from a few points of a window.
    fn value(&mut self, reach: &[(i64, i64)]) -> String {
        let count = 1 + self.choices.below(5);
        (0..count).fold(String::new(), |sum, i| {
            let point = self.point(reach);
            let weight = self.constant(i);
            match (self.choices.below(6), sum.as_str()) {
                (_, "") => format!("{weight} * {point}"),
                (0..=2, _) => format!("{sum} - {weight} * {point}"),
                (3, _) => format!("max({sum}, {point})"),
                (4, _) => format!("(if {point} > {weight} {{ {sum} }} else {{ {point} }})"),
                _ => format!("({sum} + {point})"),
            }
        })
    }

    fn point(&mut self, reach: &[(i64, i64)]) -> String {
        let mut point = String::from("w");
        for (l, r) in reach {
            let i = self.choices.below((l + r + 1) as usize);
            point.push_str(&format!("[{i}]"));
        }
        point
    }

    fn constant(&self, i: usize) -> String {
        match self.scalar {
            "f32" | "f64" => ["0.5", "0.25", "0.75", "0.125", "0.375"][i % 5],
            _ => ["3", "2", "1", "5", "7"][i % 5],
        }
        .to_string()
    }
}
