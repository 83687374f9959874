//! Values, and their conversion from and to flat slices.

use std::fmt;
use std::rc::Rc;

use lift_core::ir::Literal;

/// What an expression evaluates to. Copies share their elements: windows and padded arrays are made of copies of rows.
#[derive(Debug, Clone)]
pub enum Value {
    /// A scalar.
    Scalar(Literal),
    /// The product of two floats, not rounded yet.
    Product(Box<[Literal; 2]>),
    /// `(a, b)`
    Tuple(Rc<[Value]>),
    /// `[a, b]`
    Array(Rc<[Value]>),
}

/// Bitwise, but for NaNs, which are all equal: two results are equal when nobody can tell them apart.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Scalar(Literal::Float(a, s)), Value::Scalar(Literal::Float(b, t))) => {
                s == t && (a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
            }
            (Value::Scalar(a), Value::Scalar(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Product(a), Value::Product(b)) => a == b,
            (Value::Scalar(_) | Value::Product(..) | Value::Tuple(_) | Value::Array(_), _) => false,
        }
    }
}

impl Value {
    /// An array of these dimensions, outermost first, from its scalars in row-major order.
    ///
    /// # Panics
    ///
    /// When the number of scalars is not the product of the dimensions.
    pub fn from_flat<T: Copy + Into<Value>>(data: &[T], dims: &[usize]) -> Value {
        assert_eq!(data.len(), dims.iter().product::<usize>(), "as many elements as the dimensions say");
        match dims {
            [] => data[0].into(),
            [len, rest @ ..] => {
                let piece = rest.iter().product::<usize>();
                let part = |i: usize| Value::from_flat(&data[i * piece..(i + 1) * piece], rest);
                Value::Array((0..*len).map(part).collect())
            }
        }
    }

    /// All scalars in row-major order; tuples are flattened too.
    pub fn flat(&self) -> Vec<Value> {
        let mut all = Vec::new();
        self.append_to(&mut all);
        all
    }

    fn append_to(&self, all: &mut Vec<Value>) {
        match self {
            Value::Tuple(xs) | Value::Array(xs) => xs.iter().for_each(|x| x.append_to(all)),
            Value::Scalar(_) | Value::Product(..) => all.push(self.clone()),
        }
    }

    /// The scalar, if it is one. A product is rounded.
    pub fn as_scalar(&self) -> Option<Literal> {
        match self {
            Value::Scalar(x) => Some(*x),
            // Adding this zero changes nothing, not even the sign of another one.
            Value::Product(factors) => {
                let [a, b] = **factors;
                a.mul_add(b, Literal::float(-0.0, a.scalar()))
            }
            Value::Tuple(_) | Value::Array(_) => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Scalar(Literal::Bool(x)) => Some(*x),
            Value::Scalar(_) | Value::Product(..) | Value::Tuple(_) | Value::Array(_) => None,
        }
    }

    /// The integer, if it is one, of whatever type.
    pub fn as_int(&self) -> Option<i128> {
        self.as_scalar()?.as_int()
    }

    /// All floats in row-major order, as `f32`.
    pub fn f32s(&self) -> Vec<f32> {
        self.flat().iter().filter_map(|v| Some(v.as_scalar()?.as_float()? as f32)).collect()
    }

    /// All integers in row-major order, as `i32`.
    pub fn i32s(&self) -> Vec<i32> {
        self.flat().iter().filter_map(|v| Some(v.as_int()? as i32)).collect()
    }

    /// The lengths of all dimensions, outermost first; those inside are read off the first element.
    pub fn dims(&self) -> Vec<usize> {
        let mut dims = Vec::new();
        let mut value = self;
        while let Value::Array(xs) = value {
            dims.push(xs.len());
            let Some(first) = xs.first() else { break };
            value = first;
        }
        dims
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(xs) => Some(xs),
            Value::Scalar(_) | Value::Product(..) | Value::Tuple(_) => None,
        }
    }
}

/// A scalar from a Rust value of its type.
impl<T: Into<Literal>> From<T> for Value {
    fn from(x: T) -> Value {
        Value::Scalar(x.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |xs: &[Value]| xs.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Value::Scalar(x) => write!(f, "{x}"),
            Value::Product(factors) => write!(f, "{} · {}", factors[0], factors[1]),
            Value::Tuple(xs) => write!(f, "({})", list(xs)),
            Value::Array(xs) => write!(f, "[{}]", list(xs)),
        }
    }
}
