//! Values, and their conversion from and to flat slices.

use std::fmt;

/// What an expression evaluates to.
#[derive(Debug, Clone)]
pub enum Value {
    /// `f32`
    F32(f32),
    /// `i32`
    I32(i32),
    /// `u8`
    U8(u8),
    /// `bool`
    Bool(bool),
    /// `usize`
    Usize(u64),
    /// `(a, b)`
    Tuple(Vec<Value>),
    /// `[a, b]`
    Array(Vec<Value>),
}

/// Bitwise, but for NaNs, which are all equal: two results are equal when nobody can tell them apart.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Value::I32(a), Value::I32(b)) => a == b,
            (Value::U8(a), Value::U8(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Usize(a), Value::Usize(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Array(a), Value::Array(b)) => a == b,
            (
                Value::F32(_)
                | Value::I32(_)
                | Value::U8(_)
                | Value::Bool(_)
                | Value::Usize(_)
                | Value::Tuple(_)
                | Value::Array(_),
                _,
            ) => false,
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
        match self {
            Value::Tuple(xs) | Value::Array(xs) => xs.iter().flat_map(Value::flat).collect(),
            Value::F32(_) | Value::I32(_) | Value::U8(_) | Value::Bool(_) | Value::Usize(_) => {
                vec![self.clone()]
            }
        }
    }

    /// All scalars of type `f32` in row-major order.
    pub fn f32s(&self) -> Vec<f32> {
        self.flat().into_iter().filter_map(|v| if let Value::F32(x) = v { Some(x) } else { None }).collect()
    }

    /// All scalars of type `i32` in row-major order.
    pub fn i32s(&self) -> Vec<i32> {
        self.flat().into_iter().filter_map(|v| if let Value::I32(x) = v { Some(x) } else { None }).collect()
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
            Value::F32(_)
            | Value::I32(_)
            | Value::U8(_)
            | Value::Bool(_)
            | Value::Usize(_)
            | Value::Tuple(_) => None,
        }
    }
}

impl From<f32> for Value {
    fn from(x: f32) -> Value {
        Value::F32(x)
    }
}

impl From<i32> for Value {
    fn from(x: i32) -> Value {
        Value::I32(x)
    }
}

impl From<u8> for Value {
    fn from(x: u8) -> Value {
        Value::U8(x)
    }
}

impl From<bool> for Value {
    fn from(x: bool) -> Value {
        Value::Bool(x)
    }
}

impl From<u64> for Value {
    fn from(x: u64) -> Value {
        Value::Usize(x)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |xs: &[Value]| xs.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Value::F32(x) => write!(f, "{x:?}"),
            Value::I32(x) => write!(f, "{x}"),
            Value::U8(x) => write!(f, "{x}"),
            Value::Bool(x) => write!(f, "{x}"),
            Value::Usize(x) => write!(f, "{x}"),
            Value::Tuple(xs) => write!(f, "({})", list(xs)),
            Value::Array(xs) => write!(f, "[{}]", list(xs)),
        }
    }
}
