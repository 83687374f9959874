//! Operations that compute nothing: they say where the elements of an array are found in others, and, for many of them, where an
//! element is written.

use std::fmt::{self, Display, Formatter};

use crate::arith::ArithExpr;
use crate::ir::prim::{Prim, Write};
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

impl Layout {
    /// The primitive that it stands for.
    fn prim(&self) -> Prim {
        match self {
            Layout::Zip => Prim::Zip,
            Layout::Unzip => Prim::Unzip,
            Layout::Concat => Prim::Concat,
            Layout::Split(_) => Prim::Split,
            Layout::Join(_) => Prim::Join,
            Layout::Transpose => Prim::Transpose,
            Layout::Slide(_) => Prim::Slide,
            Layout::Pad { .. } => Prim::Pad,
            Layout::Take(_) => Prim::Take,
            Layout::Drop(_) => Prim::Drop,
            Layout::Gather { .. } => Prim::Gather,
            Layout::Reorder(..) => Prim::Reorder,
            Layout::Scatter(..) => Prim::Scatter,
            Layout::Replace { .. } => Prim::ScatterTo,
        }
    }

    /// How it is written through.
    pub fn write(&self) -> Write {
        self.prim().write()
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
        f.write_str(self.prim().name())?;
        match self {
            Layout::Zip | Layout::Unzip | Layout::Concat | Layout::Transpose => Ok(()),
            Layout::Split(n) | Layout::Join(n) | Layout::Slide(n) | Layout::Take(n) | Layout::Drop(n) => {
                write!(f, " {n}")
            }
            Layout::Pad { left, len, boundary } => write!(f, " {left} before {len}, {}", boundary.name()),
            Layout::Gather { len, .. }
            | Layout::Reorder(_, len)
            | Layout::Scatter(_, len)
            | Layout::Replace { len, .. } => write!(f, " of {len}"),
        }
    }
}
