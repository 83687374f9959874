//! Random stencils of one to three dimensions whose points are named, in windows or by their indices: by themselves, repeated, and different ones after
//! each other.
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
        match self.choices.below(7) {
            0 | 1 => {
                let value = self.in_window(&reach);
                format!("{windows}.map{d}(|w| {value})")
            }
            2 => {
                self.reads_other = true;
                let value = self.in_window(&reach);
                format!("zip{d}(other, {windows}).map{d}(|(x, w)| {value} - x)")
            }
            3 => {
                let (two, value) = (self.constant(1), self.in_window(&reach));
                format!("zip{d}({windows}, {grid}).map{d}(|(w, own)| {two} * own - ({value}))")
            }
            4 => self.by_index(grid),
            // Windows of values that are computed together, and values that are computed from windows.
            5 => {
                self.reads_other = true;
                let fold = self.choices.of(&["clamp", "mirror", "wrap", "reflect"]);
                let sizes: Vec<String> = reach.iter().map(|(l, r)| format!("{}, 1", l + r + 1)).collect();
                let pads = self.pads(&reach, &|_| fold.to_string());
                let (first, second) = (self.point(&reach), self.point(&reach));
                let both = format!("zip{d}({grid}, other){pads}.slide{d}({})", sizes.join(", "));
                format!("{both}.map{d}(|w| {first}.0 - {second}.1)")
            }
            _ => {
                let (first, second) = (self.in_window(&reach), self.in_window(&reach));
                let other = self.padded(grid, &reach);
                let sizes: Vec<String> = reach.iter().map(|(l, r)| format!("{}, 1", l + r + 1)).collect();
                let other = format!("{other}.slide{d}({})", sizes.join(", "));
                format!(
                    "zip{d}({windows}.map{d}(|w| {first}), {other}.map{d}(|w| {second})).map{d}(|(a, b)| a * a - b)"
                )
            }
        }
    }

    /// A generated array that reads around its indices.
    fn by_index(&mut self, grid: &str) -> String {
        let (names, sizes) = (&["i", "j", "k"][..self.dims], &SIZES[3 - self.dims..]);
        let is_guarded = self.choices.once_in(2);
        let value = self.value(&mut |stencils| {
            let index = |(i, n): (&&str, &&str)| match (is_guarded, stencils.choices.below(6)) {
                (_, 0) => i.to_string(),
                (true, 1..=3) => format!("{i} - 1"),
                (true, _) => format!("{i} + 1"),
                (false, 1) => format!("min({i} + 2, {n} - 1)"),
                (false, 2) => format!("max({i}, 1) - 1"),
                (false, 3) => format!("({i} + 1) % {n}"),
                (false, 4) => format!("({i} + {n} - 1) % {n}"),
                (false, _) => format!("({i} as i64 - 2).clamp(0, {n} as i64 - 1) as usize"),
            };
            let indices: Vec<String> = names.iter().zip(sizes).map(index).collect();
            format!("{grid}[{}]", indices.join("]["))
        });
        let own = format!("{grid}[{}]", names.join("]["));
        let is_inside = |(i, n): (&&str, &&str)| format!("{i} > 0 && {i} + 1 < {n}");
        let inside: Vec<String> = names.iter().zip(sizes).map(is_inside).collect();
        let scalar = self.scalar;
        let value = match (is_guarded, self.choices.below(3)) {
            (true, 0) => format!("if {} {{ {value} }} else {{ i as {scalar} }}", inside.join(" && ")),
            (true, _) => format!("if {} {{ {value} }} else {{ {own} }}", inside.join(" && ")),
            (false, 0) => format!("{value} - i as {scalar}"),
            (false, _) => value,
        };
        let d = if self.dims == 1 { String::new() } else { format!("{}d", self.dims) };
        format!("array{d}({}, |{}| {value})", sizes.join(", "), names.join(", "))
    }

    /// What is computed from points of a window.
    fn in_window(&mut self, reach: &[(i64, i64)]) -> String {
        self.value(&mut |stencils| stencils.point(reach))
    }

    /// The array with what lies around it.
    fn padded(&mut self, grid: &str, reach: &[(i64, i64)]) -> String {
        let one = self.boundary();
        let boundaries: Vec<String> = reach
            .iter()
            .map(|_| if self.choices.once_in(3) { self.boundary() } else { one.clone() })
            .collect();
        format!("{grid}{}", self.pads(reach, &|dim| boundaries[dim].clone()))
    }

    fn pads(&self, reach: &[(i64, i64)], boundary: &dyn Fn(usize) -> String) -> String {
        let pad = |dim: usize| format!(".pad({}, {}, {})", reach[dim].0, reach[dim].1, boundary(dim));
        let (first, last) = (pad(0), pad(self.dims - 1));
        match self.dims {
            1 => first,
            2 => format!(".map(|row| row{last}){first}"),
            _ => format!(".map(|plane| plane.map(|row| row{last}){}){first}", pad(1)),
        }
    }

    fn boundary(&mut self) -> String {
        let (one, two) = (self.constant(0), self.constant(2));
        self.choices.of(&BOUNDARIES).replace("ONE", &one).replace("TWO", &two).replace("TYPE", self.scalar)
    }

    /// What is computed from a few points.
    fn value(&mut self, point: &mut dyn FnMut(&mut Self) -> String) -> String {
        let count = 1 + self.choices.below(5);
        (0..count).fold(String::new(), |sum, i| {
            let point = point(self);
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
