//! The types of random programs, with lengths whose values are known for every choice of sizes.

use std::fmt;

/// The size variables of every program.
pub const SIZES: [&str; 2] = ["N", "M"];

/// `factor * variable / divisor + constant`, where the division leaves nothing; without a variable if the factor
/// is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Len {
    pub factor: i64,
    pub variable: usize,
    pub divisor: i64,
    pub constant: i64,
}

impl Len {
    pub fn constant(constant: i64) -> Len {
        Len { factor: 0, variable: 0, divisor: 1, constant }
    }

    pub fn new(factor: i64, variable: usize, constant: i64) -> Len {
        Len { factor, variable, divisor: 1, constant }
    }

    /// Its smallest value: every size is at least 1.
    pub fn least(self) -> i64 {
        (self.factor + self.divisor - 1) / self.divisor + self.constant
    }

    /// Its value for these sizes.
    pub fn value(self, sizes: &[i64; 2]) -> i64 {
        self.factor * sizes[self.variable] / self.divisor + self.constant
    }

    pub fn plus(self, more: i64) -> Len {
        Len { constant: self.constant + more, ..self }
    }

    pub fn is_multiple_of(self, m: i64) -> bool {
        self.is_multiple_if_sizes_are(1, m)
    }

    /// Whether it is a multiple of `m` if the size variables are multiples of `unit`.
    pub fn is_multiple_if_sizes_are(self, unit: i64, m: i64) -> bool {
        (self.factor * unit) % (self.divisor * m) == 0 && self.constant % m == 0
    }

    pub fn divided_by(self, m: i64) -> Len {
        let constant = self.constant / m;
        Len { divisor: self.divisor * m, constant, ..self }.reduced()
    }

    /// The same, with the smallest divisor.
    fn reduced(self) -> Len {
        let (mut a, mut b) = (self.factor, self.divisor);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Len { factor: self.factor / a, divisor: self.divisor / a, ..self }
    }

    /// The sum, if it needs one variable at most.
    pub fn sum(self, other: Len) -> Option<Len> {
        let variable = if self.factor == 0 { other.variable } else { self.variable };
        let one = self.factor == 0 || other.factor == 0 || self.variable == other.variable;
        let sum = Len {
            factor: self.factor * other.divisor + other.factor * self.divisor,
            variable,
            divisor: self.divisor * other.divisor,
            constant: self.constant + other.constant,
        };
        one.then_some(sum.reduced())
    }

    /// The product, if it needs one variable at most and no square.
    pub fn product(self, other: Len) -> Option<Len> {
        let (scale, len) = if self.factor == 0 { (self.constant, other) } else { (other.constant, self) };
        let product = Len { factor: len.factor * scale, constant: len.constant * scale, ..len };
        (self.factor == 0 || other.factor == 0).then_some(product.reduced())
    }
}

impl fmt::Display for Len {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = SIZES[self.variable];
        match (self.factor, self.divisor) {
            (0, _) => return write!(f, "{}", self.constant),
            (1, 1) => f.write_str(name)?,
            (k, 1) => write!(f, "{k} * {name}")?,
            (1, d) => write!(f, "{name} / {d}")?,
            (k, d) => write!(f, "{k} * ({name} / {d})")?,
        }
        match self.constant {
            0 => Ok(()),
            c if c < 0 => write!(f, " - {}", -c),
            c => write!(f, " + {c}"),
        }
    }
}

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    I32,
    F32,
    U8,
    Usize,
    Bool,
}

impl Scalar {
    /// Those of which arrays are made.
    pub const OF_ARRAYS: [Scalar; 4] = [Scalar::I32, Scalar::F32, Scalar::U8, Scalar::Bool];

    pub fn name(self) -> &'static str {
        match self {
            Scalar::I32 => "i32",
            Scalar::F32 => "f32",
            Scalar::U8 => "u8",
            Scalar::Usize => "usize",
            Scalar::Bool => "bool",
        }
    }
}

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub enum Ty {
    Scalar(Scalar),
    Array(Box<Ty>, Len),
    Tuple(Vec<Ty>),
}

impl Ty {
    pub fn array(element: Ty, len: Len) -> Ty {
        Ty::Array(Box::new(element), len)
    }

    pub fn rank(&self) -> usize {
        match self {
            Ty::Array(element, _) => 1 + element.rank(),
            Ty::Scalar(_) | Ty::Tuple(_) => 0,
        }
    }

    /// Whether no length depends on sizes.
    pub fn has_fixed_lengths(&self) -> bool {
        match self {
            Ty::Scalar(_) => true,
            Ty::Array(element, len) => len.factor == 0 && element.has_fixed_lengths(),
            Ty::Tuple(parts) => parts.iter().all(Ty::has_fixed_lengths),
        }
    }

    /// The number of scalars for these sizes.
    pub fn scalars(&self, sizes: &[i64; 2]) -> i64 {
        match self {
            Ty::Scalar(_) => 1,
            Ty::Array(element, len) => element.scalars(sizes) * len.value(sizes).max(0),
            Ty::Tuple(parts) => parts.iter().map(|part| part.scalars(sizes)).sum(),
        }
    }

    /// What is inside all arrays.
    pub fn leaf(&self) -> &Ty {
        match self {
            Ty::Array(element, _) => element.leaf(),
            Ty::Scalar(_) | Ty::Tuple(_) => self,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(scalar) => f.write_str(scalar.name()),
            Ty::Array(element, len) => write!(f, "[{element}; {len}]"),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Ty::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
        }
    }
}
