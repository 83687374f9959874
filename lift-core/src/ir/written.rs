//! Types as users wrote them: a struct has its name and its fields, where [`Type`] has a tuple.
//!
//! Only what crosses the border between host and device is described this way, since only there a launcher must
//! meet the user's own types and names.

use std::fmt;

use crate::arith::ArithExpr;
use crate::ir::scalar::Scalar;
use crate::ir::types::Type;

/// The type of a parameter or result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// A scalar.
    Scalar(Scalar),
    /// `[T; n]`
    Array(Box<Written>, ArithExpr),
    /// `(T, U)`
    Tuple(Vec<Written>),
    /// A struct of the block: its name, and its fields in the order of the declaration.
    Struct(String, Vec<(String, Written)>),
}

/// The types of a kernel's parameters, and of its result if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Those of the parameters.
    pub params: Vec<Written>,
    /// That of the result.
    pub result: Option<Written>,
}

impl Written {
    /// Where the leaves are in it, in order, as Rust names these places: `.position.0`.
    pub fn paths(&self) -> Vec<String> {
        match self {
            Written::Scalar(_) => vec![String::new()],
            Written::Array(element, _) => element.paths(),
            Written::Tuple(parts) => {
                let below = |(i, part): (usize, &Written)| within(&i.to_string(), part);
                parts.iter().enumerate().flat_map(below).collect()
            }
            Written::Struct(_, fields) => {
                fields.iter().flat_map(|(name, field)| within(name, field)).collect()
            }
        }
    }
}

impl Written {
    /// Whether there is a scalar in it that is no element of an array.
    pub fn has_single(&self) -> bool {
        match self {
            Written::Scalar(_) => true,
            Written::Array(..) => false,
            Written::Tuple(parts) => parts.iter().any(Written::has_single),
            Written::Struct(_, fields) => fields.iter().any(|(_, field)| field.has_single()),
        }
    }

    /// The first leaf: its scalar, and how many dimensions are around it.
    pub fn first(&self) -> Option<(Scalar, usize)> {
        match self {
            Written::Scalar(scalar) => Some((*scalar, 0)),
            Written::Array(element, _) => element.first().map(|(scalar, dims)| (scalar, dims + 1)),
            Written::Tuple(parts) => parts.first()?.first(),
            Written::Struct(_, fields) => fields.first()?.1.first(),
        }
    }
}

fn within(name: &str, part: &Written) -> Vec<String> {
    part.paths().into_iter().map(|path| format!(".{name}{path}")).collect()
}

impl From<&Type> for Written {
    fn from(ty: &Type) -> Written {
        match ty {
            Type::Scalar(scalar) => Written::Scalar(*scalar),
            Type::Array(element, len) => Written::Array(Box::new(Written::from(&**element)), len.clone()),
            Type::Tuple(parts) => Written::Tuple(parts.iter().map(Written::from).collect()),
        }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Scalar(scalar) => write!(f, "{scalar}"),
            Written::Array(element, len) => write!(f, "[{element}; {len}]"),
            Written::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Written::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
            Written::Struct(name, _) => f.write_str(name),
        }
    }
}
