//! Types of data: scalars, arrays with symbolic lengths, tuples.

use std::fmt;
use std::sync::Arc;

use crate::arith::{ArithExpr, Var};
use crate::budget;
use crate::bug;
use crate::ir::scalar::Scalar;
use std::collections::BTreeMap;

/// The most scalars in an array that a work-item keeps for itself.
pub const MOST_PRIVATE: i64 = 256;

/// The most scalars in a type, where an array counts as one of its elements.
pub const MOST_PARTS: usize = 1024;

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// `[T; n]`
    Array(Arc<Type>, ArithExpr),
    /// `(T, U)`
    Tuple(Arc<[Type]>),
}

impl Type {
    /// `[element; len]`
    pub fn array(element: Type, len: ArithExpr) -> Type {
        Type::Array(Arc::new(element), len)
    }

    /// `(parts…)`
    pub fn tuple(parts: Vec<Type>) -> Type {
        Type::Tuple(parts.into())
    }

    /// The scalar, if this is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            Type::Array(..) | Type::Tuple(_) => None,
        }
    }

    /// Element type and length, if this is an array.
    pub fn as_array(&self) -> Option<(&Type, &ArithExpr)> {
        match self {
            Type::Array(element, len) => Some((element, len)),
            Type::Scalar(_) | Type::Tuple(_) => None,
        }
    }

    /// The length of an array.
    pub fn length(&self) -> ArithExpr {
        match self.as_array() {
            Some((_, len)) => len.clone(),
            None => bug!("the length of {self}"),
        }
    }

    /// The number of parts of a tuple; 1 for everything else.
    pub fn arity(&self) -> usize {
        match self {
            Type::Tuple(parts) => parts.len(),
            Type::Scalar(_) | Type::Array(..) => 1,
        }
    }

    /// Whether this is an array or a tuple with one in it.
    pub fn contains_array(&self) -> bool {
        budget::step();
        match self {
            Type::Scalar(_) => false,
            Type::Array(..) => true,
            Type::Tuple(parts) => parts.iter().any(Type::contains_array),
        }
    }

    /// The number of scalars in it, if `known` makes constants of all lengths and there are few enough to be
    /// kept by every work-item for itself.
    pub fn small_count(&self, known: &dyn Fn(&ArithExpr) -> ArithExpr) -> Option<i64> {
        let count = match self {
            Type::Scalar(_) => 1,
            Type::Array(element, len) => known(len).as_const()?.checked_mul(element.small_count(known)?)?,
            Type::Tuple(parts) => parts.iter().map(|part| part.small_count(known)).sum::<Option<i64>>()?,
        };
        (count <= MOST_PRIVATE).then_some(count)
    }

    /// The scalars in it with the dimensions around each, depth first: the buffers and values it is made of.
    pub fn leaves(&self) -> Vec<(Vec<ArithExpr>, Scalar)> {
        budget::step();
        match self {
            Type::Scalar(scalar) => vec![(Vec::new(), *scalar)],
            Type::Array(element, len) => {
                let outer = |(dims, scalar): (Vec<ArithExpr>, Scalar)| {
                    ([std::slice::from_ref(len), &dims].concat(), scalar)
                };
                element.leaves().into_iter().map(outer).collect()
            }
            Type::Tuple(parts) => parts.iter().flat_map(Type::leaves).collect(),
        }
    }

    /// The lengths of all array dimensions, outermost first, and what is inside.
    pub fn shape(&self) -> (Vec<ArithExpr>, &Type) {
        let mut dims = Vec::new();
        let mut ty = self;
        while let Type::Array(element, len) = ty {
            dims.push(len.clone());
            ty = element;
        }
        (dims, ty)
    }

    /// An array of these dimensions, outermost first.
    pub fn with_shape(self, dims: &[ArithExpr]) -> Type {
        dims.iter().rev().fold(self, |ty, len| Type::array(ty, len.clone()))
    }

    /// Replaces size variables.
    pub fn substitute(&self, sizes: &BTreeMap<Var, ArithExpr>) -> Type {
        self.map_sizes(&|n| n.substitute(sizes))
    }

    /// Applies `f` to every length.
    pub fn map_sizes(&self, f: &dyn Fn(&ArithExpr) -> ArithExpr) -> Type {
        budget::step();
        match self {
            Type::Scalar(s) => Type::Scalar(*s),
            Type::Array(element, len) => Type::array(element.map_sizes(f), f(len)),
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|p| p.map_sizes(f)).collect()),
        }
    }

    /// Calls `f` on every scalar type in it.
    pub fn scalars(&self, f: &mut dyn FnMut(Scalar)) {
        budget::step();
        match self {
            Type::Scalar(s) => f(*s),
            Type::Array(element, _) => element.scalars(f),
            Type::Tuple(parts) => parts.iter().for_each(|p| p.scalars(f)),
        }
    }

    /// Whether the two agree in everything but lengths.
    pub fn same_shape(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Scalar(a), Type::Scalar(b)) => a == b,
            (Type::Array(a, _), Type::Array(b, _)) => a.same_shape(b),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.same_shape(y))
            }
            (Type::Scalar(_) | Type::Array(..) | Type::Tuple(_), _) => false,
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(s) => write!(f, "{s}"),
            Type::Array(element, len) => write!(f, "[{element}; {len}]"),
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Type::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
        }
    }
}
