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
pub enum SurfaceType {
    /// A scalar.
    Scalar(Scalar),
    /// `[T; n]`
    Array(Box<SurfaceType>, ArithExpr),
    /// `(T, U)`
    Tuple(Vec<SurfaceType>),
    /// A struct of the block: its name, and its fields in the order of the declaration.
    Struct(String, Vec<(String, SurfaceType)>),
}

/// The types of a kernel's parameters, and of its result if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Those of the parameters.
    pub params: Vec<SurfaceType>,
    /// That of the result.
    pub result: Option<SurfaceType>,
}

impl SurfaceType {
    /// Where the leaves are in it, in order, as Rust names these places: `.position.0`.
    pub fn paths(&self) -> Vec<String> {
        match self {
            SurfaceType::Scalar(_) => vec![String::new()],
            SurfaceType::Array(element, _) => element.paths(),
            SurfaceType::Tuple(parts) => {
                let below = |(i, part): (usize, &SurfaceType)| within(&i.to_string(), part);
                parts.iter().enumerate().flat_map(below).collect()
            }
            SurfaceType::Struct(_, fields) => {
                fields.iter().flat_map(|(name, field)| within(name, field)).collect()
            }
        }
    }
}

impl SurfaceType {
    /// Whether there is a scalar in it that is no element of an array.
    pub fn has_single(&self) -> bool {
        match self {
            SurfaceType::Scalar(_) => true,
            SurfaceType::Array(..) => false,
            SurfaceType::Tuple(parts) => parts.iter().any(SurfaceType::has_single),
            SurfaceType::Struct(_, fields) => fields.iter().any(|(_, field)| field.has_single()),
        }
    }

    /// The first leaf: its scalar, and how many dimensions are around it.
    pub fn first(&self) -> Option<(Scalar, usize)> {
        match self {
            SurfaceType::Scalar(scalar) => Some((*scalar, 0)),
            SurfaceType::Array(element, _) => element.first().map(|(scalar, dims)| (scalar, dims + 1)),
            SurfaceType::Tuple(parts) => parts.first()?.first(),
            SurfaceType::Struct(_, fields) => fields.first()?.1.first(),
        }
    }
}

fn within(name: &str, part: &SurfaceType) -> Vec<String> {
    part.paths().into_iter().map(|path| format!(".{name}{path}")).collect()
}

impl From<&Type> for SurfaceType {
    fn from(ty: &Type) -> SurfaceType {
        match ty {
            Type::Scalar(scalar) => SurfaceType::Scalar(*scalar),
            Type::Array(element, len) => {
                SurfaceType::Array(Box::new(SurfaceType::from(&**element)), len.clone())
            }
            Type::Tuple(parts) => SurfaceType::Tuple(parts.iter().map(SurfaceType::from).collect()),
        }
    }
}

impl fmt::Display for SurfaceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SurfaceType::Scalar(scalar) => write!(f, "{scalar}"),
            SurfaceType::Array(element, len) => write!(f, "[{element}; {len}]"),
            SurfaceType::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(SurfaceType::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
            SurfaceType::Struct(name, _) => f.write_str(name),
        }
    }
}
