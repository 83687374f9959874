//! Operations that compute nothing: they say where the elements of an array are found in others, and, for many of them, where an
//! element is written.

use std::fmt::{self, Display, Formatter};

use crate::ir;
use crate::ir::prim::{Prim, Write};
use crate::low::{Boundary, Lambda, NodeId};
use crate::span::Span;

/// A primitive that is a layout, without the arrays that it is applied to.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Which.
    pub prim: Prim,
    /// The other arguments, in the order of its signature. An array that is written into has none: that is where the value is stored.
    pub args: Vec<Arg>,
    /// Where it was written.
    pub span: Span,
}

/// What a layout depends on besides its arrays.
pub type Arg = ir::Arg<NodeId, Lambda>;

impl Layout {
    /// How it is written through.
    pub fn write(&self) -> Write {
        self.prim.write()
    }

    /// What it reads besides the arrays: indices, and what lies outside.
    pub fn operand(&self) -> Option<NodeId> {
        self.args.iter().find_map(|arg| match arg {
            Arg::Data(x) | Arg::Boundary(Boundary::Constant(x)) => Some(*x),
            Arg::Size(_) | Arg::Fun(_) | Arg::Boundary(_) => None,
        })
    }

    /// The function of an index, if there is one.
    pub fn function(&self) -> Option<&Lambda> {
        self.args.iter().find_map(Arg::function)
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let words = self.args.iter().filter_map(|arg| match arg {
            Arg::Size(n) => Some(n.to_string()),
            Arg::Boundary(boundary) => Some(boundary.name().to_string()),
            Arg::Data(_) | Arg::Fun(_) => None,
        });
        let words = words.collect::<Vec<_>>().join(", ");
        write!(f, "{}{}{words}", self.prim.name(), if words.is_empty() { "" } else { " " })
    }
}
