//! Operations that compute nothing: they say where the elements of an array are found in others, and, for many of them, where an
//! element is written.

use std::fmt::{self, Display, Formatter};

use crate::arith::ArithExpr;
use crate::low::{Boundary, Lambda, NodeId};
use crate::span::Span;

/// What a layout does with the arrays that it is applied to.
#[derive(Debug, Clone)]
pub enum Layout {
    /// Arrays element by element.
    Zip,
    /// An array for each part of the elements.
    Unzip,
    /// Arrays one after the other.
    Concat,
    /// Pieces of so many elements.
    Split(ArithExpr),
    /// Rows, of so many elements each, strung together.
    Join(ArithExpr),
    /// The two outermost dimensions swapped.
    Transpose,
    /// Windows that start so many elements apart.
    Slide(ArithExpr),
    /// So many elements added before, by a boundary, to an array of that length.
    Pad {
        /// How many before.
        left: ArithExpr,
        /// The length of the array.
        len: ArithExpr,
        /// What lies outside.
        boundary: Boundary,
    },
    /// The first so many elements.
    Take(ArithExpr),
    /// All but the first so many elements.
    Drop(ArithExpr),
    /// The elements at indices that are data.
    Gather {
        /// The indices.
        idx: NodeId,
        /// Where it was written.
        span: Span,
        /// The length of the array.
        len: ArithExpr,
    },
    /// The elements at the indices that a function makes of their own and of the length.
    Reorder(Lambda, ArithExpr),
    /// Element `i` becomes the element at the index that a function makes of `i` and of the length. It is written,
    /// never read.
    Scatter(Lambda, ArithExpr),
    /// The elements at indices that are data are replaced in an array of that length, which is where the value
    /// is stored. It is written, never read.
    Replace {
        /// The indices.
        idx: NodeId,
        /// Where it was written.
        span: Span,
        /// The length of the array.
        len: ArithExpr,
    },
}

/// How what is stored through a layout goes to the arrays that it is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// It does not: elements are read through it only.
    Not,
    /// Each array is written for itself.
    Each,
    /// Every element has one place, which its index says.
    Moved,
    /// Every element has one place, which a function or data say.
    Scattered,
}

impl Layout {
    /// How it is written through.
    pub fn write(&self) -> Write {
        match self {
            Layout::Concat => Write::Each,
            Layout::Unzip
            | Layout::Split(_)
            | Layout::Join(_)
            | Layout::Transpose
            | Layout::Take(_)
            | Layout::Drop(_) => Write::Moved,
            Layout::Scatter(..) | Layout::Replace { .. } => Write::Scattered,
            Layout::Zip
            | Layout::Slide(_)
            | Layout::Pad { .. }
            | Layout::Gather { .. }
            | Layout::Reorder(..) => Write::Not,
        }
    }

    /// What it reads besides the arrays: indices, and what lies outside.
    pub fn operand(&self) -> Option<NodeId> {
        match self {
            Layout::Gather { idx, .. } | Layout::Replace { idx, .. } => Some(*idx),
            Layout::Pad { boundary: Boundary::Constant(outside), .. } => Some(*outside),
            Layout::Zip
            | Layout::Unzip
            | Layout::Concat
            | Layout::Split(_)
            | Layout::Join(_)
            | Layout::Transpose
            | Layout::Slide(_)
            | Layout::Pad { .. }
            | Layout::Take(_)
            | Layout::Drop(_)
            | Layout::Reorder(..)
            | Layout::Scatter(..) => None,
        }
    }

    /// The function of an index, if there is one.
    pub fn function(&self) -> Option<&Lambda> {
        match self {
            Layout::Reorder(f, _)
            | Layout::Scatter(f, _)
            | Layout::Pad { boundary: Boundary::Index(f) | Boundary::Value(f), .. } => Some(f),
            Layout::Zip
            | Layout::Unzip
            | Layout::Concat
            | Layout::Split(_)
            | Layout::Join(_)
            | Layout::Transpose
            | Layout::Slide(_)
            | Layout::Pad { .. }
            | Layout::Take(_)
            | Layout::Drop(_)
            | Layout::Gather { .. }
            | Layout::Replace { .. } => None,
        }
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Zip => f.write_str("zip"),
            Layout::Unzip => f.write_str("unzip"),
            Layout::Concat => f.write_str("concat"),
            Layout::Split(n) => write!(f, "split {n}"),
            Layout::Join(n) => write!(f, "join {n}"),
            Layout::Transpose => f.write_str("transpose"),
            Layout::Slide(step) => write!(f, "slide by {step}"),
            Layout::Pad { left, len, boundary } => write!(f, "pad {left} before {len}, {}", boundary.name()),
            Layout::Take(n) => write!(f, "take {n}"),
            Layout::Drop(n) => write!(f, "drop {n}"),
            Layout::Gather { len, .. } => write!(f, "gather of {len}"),
            Layout::Reorder(_, len) => write!(f, "reorder {len}"),
            Layout::Scatter(_, len) => write!(f, "scatter {len}"),
            Layout::Replace { len, .. } => write!(f, "replace of {len}"),
        }
    }
}
