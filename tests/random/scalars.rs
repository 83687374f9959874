//! Random expressions for scalars.
//!
//! Integers wrap and are compared exactly. Floats may differ by rounding, so nothing that is not continuous is
//! applied to them: no comparison, no cast to an integer; and they stay small, so that little is lost.

use super::generate::{Generator, Scope};
use super::types::{Len, SIZES, Scalar, Ty};

impl Generator<'_> {
    /// An expression of this type.
    pub fn scalar(&mut self, scope: &Scope, scalar: Scalar, depth: usize) -> String {
        let atoms = atoms(scope, scalar);
        if depth == 0 || self.choices.once_in(4) {
            return match self.choices.below(atoms.len() + 1) {
                i if i < atoms.len() => atoms[i].clone(),
                _ => self.literal(scalar),
            };
        }
        match scalar {
            Scalar::I32 => self.integer(scope, depth),
            Scalar::F32 => self.float(scope, depth),
            Scalar::U8 => self.byte(scope, depth),
            Scalar::Bool => self.truth(scope, depth),
            Scalar::Usize => self.number(scope, depth),
        }
    }

    pub fn literal(&mut self, scalar: Scalar) -> String {
        match scalar {
            Scalar::I32 => self.choices.of(&["1i32", "0i32", "-7i32", "1000003i32", "i32::MAX"]).into(),
            Scalar::F32 => self.choices.of(&["0.5f32", "0.0f32", "-1.25f32"]).into(),
            Scalar::U8 => self.choices.of(&["1u8", "0u8", "255u8"]).into(),
            Scalar::Bool => self.choices.of(&["true", "false"]).into(),
            Scalar::Usize => self.choices.of(&["1usize", "0usize", "5usize", SIZES[0], SIZES[1]]).into(),
        }
    }

    fn pair(&mut self, scope: &Scope, scalar: Scalar, depth: usize) -> (String, String) {
        (self.scalar(scope, scalar, depth - 1), self.scalar(scope, scalar, depth - 1))
    }

    fn integer(&mut self, scope: &Scope, depth: usize) -> String {
        let kind = self.choices.below(16);
        let (a, b) = self.pair(scope, Scalar::I32, depth);
        match kind {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} / {b})"),
            4 => format!("({a} % {b})"),
            5 => format!("(-{a})"),
            6 => format!("min({a}, {b})"),
            7 => format!("max({a}, {b})"),
            8 => format!("({a} & {b})"),
            9 => format!("({a} ^ {b})"),
            10 => {
                let c = self.scalar(scope, Scalar::Bool, depth - 1);
                format!("if {c} {{ {a} }} else {{ {b} }}")
            }
            11 => format!("({} as i32)", self.scalar(scope, Scalar::U8, depth - 1)),
            12 => format!("({} as i32)", self.scalar(scope, Scalar::Usize, depth - 1)),
            13 => {
                let name = self.name();
                format!("{{ let {name} = {a}; {name} * {name} - {b} }}")
            }
            14 => {
                let (name, next) = (self.name(), self.name());
                let next = format!("|{next}| {next} * 5 - {b}");
                match self.choices.below(3) {
                    0 => format!("iterate(3, {next}, {a})"),
                    1 => format!("iterate_until(4, |{name}| {name} > {b}, {next}, {a})"),
                    _ => {
                        let done = self.scalar(scope, Scalar::Bool, depth - 1);
                        format!("iterate_until(3, |{name}| {done} || {name} % 3 == 0, {next}, {a})")
                    }
                }
            }
            _ => self.reduced(scope, Scalar::I32).unwrap_or(a),
        }
    }

    fn float(&mut self, scope: &Scope, depth: usize) -> String {
        let kind = self.choices.below(12);
        let (a, b) = self.pair(scope, Scalar::F32, depth);
        match kind {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * 0.5)"),
            3 => format!("({a} * clamp({b}, -1.5, 1.5))"),
            4 => format!("abs({a})"),
            5 => format!("min({a}, {b})"),
            6 => format!("max({a}, {b})"),
            7 => {
                let c = self.scalar(scope, Scalar::Bool, depth - 1);
                format!("if {c} {{ {a} }} else {{ {b} }}")
            }
            8 => format!("(({} % 100) as f32 * 0.25)", self.scalar(scope, Scalar::I32, depth - 1)),
            9 => format!("sin(clamp({a}, -3.0, 3.0))"),
            10 => {
                let (x, n, start) = (self.name(), self.name(), self.scalar(scope, Scalar::I32, depth - 1));
                format!(
                    "iterate_until(4, |_, {n}| {n} % 3 == 0, |{x}, {n}| ({x} * 0.5 + {b}, {n} + 1), ({a}, {start})).0"
                )
            }
            _ => self.reduced(scope, Scalar::F32).unwrap_or(a),
        }
    }

    fn byte(&mut self, scope: &Scope, depth: usize) -> String {
        let kind = self.choices.below(5);
        let (a, b) = self.pair(scope, Scalar::U8, depth);
        match kind {
            0 => format!("({a} + {b})"),
            1 => format!("max({a}, {b})"),
            2 => format!("({a} ^ {b})"),
            3 => format!("({} as u8)", self.scalar(scope, Scalar::I32, depth - 1)),
            _ => format!("({a} * {b})"),
        }
    }

    fn truth(&mut self, scope: &Scope, depth: usize) -> String {
        let kind = self.choices.below(6);
        let (a, b) = self.pair(scope, Scalar::I32, depth);
        let (p, q) = self.pair(scope, Scalar::Bool, depth);
        match kind {
            0 => format!("({a} < {b})"),
            1 => format!("({a} == {b})"),
            2 => format!("(!{p})"),
            3 => format!("({p} && {q})"),
            4 => format!("({p} || {q})"),
            _ => {
                let (i, j) = self.pair(scope, Scalar::Usize, depth);
                format!("({i} <= {j})")
            }
        }
    }

    fn number(&mut self, scope: &Scope, depth: usize) -> String {
        let kind = self.choices.below(4);
        let (a, b) = self.pair(scope, Scalar::Usize, depth);
        match kind {
            0 => format!("({a} + {b})"),
            1 => format!("({a} % 7)"),
            2 => format!("min({a}, {b})"),
            _ => format!("({a} / 2)"),
        }
    }

    /// A reduction of an array in scope.
    fn reduced(&mut self, scope: &Scope, scalar: Scalar) -> Option<String> {
        let arrays: Vec<&str> = scope
            .iter()
            .filter(|v| matches!(&v.ty, Ty::Array(element, _) if **element == Ty::Scalar(scalar)))
            .map(|v| v.name.as_str())
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let xs = self.choices.of(&arrays);
        Some(self.reduction(xs, scalar))
    }

    /// The array, reduced.
    pub fn reduction(&mut self, xs: &str, scalar: Scalar) -> String {
        match scalar {
            Scalar::I32 => {
                let (acc, x) = (self.name(), self.name());
                match self.choices.below(5) {
                    0 => format!("{xs}.reduce(add, 0)"),
                    1 => format!("{xs}.reduce(max, i32::MIN)"),
                    2 => format!("{xs}.map(|{x}| {x} * 3 - 1).reduce(mul, 1)"),
                    3 => format!("{xs}.fold(|{acc}, {x}| {acc} * 31 - {x}, 7)"),
                    _ => format!("{xs}.fold(|({acc}, n), {x}| ({acc} + n * {x}, n + 1), (0, 1)).0"),
                }
            }
            Scalar::F32 => match self.choices.below(3) {
                0 => format!("{xs}.reduce(add, 0.0)"),
                1 => format!("{xs}.reduce(max, -1000.0)"),
                _ => {
                    let (acc, x) = (self.name(), self.name());
                    format!("{xs}.fold(|{acc}, {x}| {acc} * 0.5 + {x}, 0.25)")
                }
            },
            Scalar::U8 => format!("{xs}.reduce(max, 0)"),
            Scalar::Usize => format!("{xs}.reduce(add, 0)"),
            Scalar::Bool => {
                let (a, b) = (self.name(), self.name());
                format!("{xs}.reduce(|{a}, {b}| {a} || {b}, false)")
            }
        }
    }
}

/// Everything in scope that is a scalar of this type: variables, parts of tuples, elements at known indices.
fn atoms(scope: &Scope, scalar: Scalar) -> Vec<String> {
    let mut found = Vec::new();
    for variable in scope {
        parts(&variable.name, &variable.ty, scalar, scope, 0, &mut found);
    }
    found
}

fn parts(text: &str, ty: &Ty, scalar: Scalar, scope: &Scope, depth: usize, found: &mut Vec<String>) {
    match ty {
        Ty::Scalar(s) if *s == scalar => found.push(text.to_string()),
        Ty::Scalar(_) => {}
        Ty::Tuple(tys) => {
            for (i, ty) in tys.iter().enumerate() {
                parts(&format!("{text}.{i}"), ty, scalar, scope, depth, found);
            }
        }
        Ty::Array(element, len) if depth < 4 => {
            if len.least() >= 1 {
                parts(&format!("{text}[0]"), element, scalar, scope, depth + 1, found);
            }
            if len.least() >= 3 {
                parts(&format!("{text}[2]"), element, scalar, scope, depth + 1, found);
            }
            for index in scope.iter().filter(|v| v.below == Some(*len)) {
                parts(&format!("{text}[{}]", index.name), element, scalar, scope, depth + 1, found);
            }
        }
        Ty::Array(..) => {}
    }
}

/// The text of the last index of an array.
pub fn last(len: Len) -> String {
    len.plus(-1).to_string()
}
