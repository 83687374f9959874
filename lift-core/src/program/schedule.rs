//! A program of several launches as plain data: what a launcher does, in order.
//!
//! Buffers are *leaves*: one for every scalar in a type, in order, depth first. A parameter that is a single
//! scalar is passed by value; everything else is a buffer.

pub use lift_spec::Slot;

use crate::arith::ArithExpr;
use crate::ir::Scalar;
use crate::low::Geometry;
use crate::span::Span;

/// What a launcher does.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Buffers that live while the program runs, alone.
    pub temporaries: Vec<Temporary>,
    /// What is done, in order.
    pub operations: Vec<Operation>,
}

/// A buffer of a program's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Temporary {
    /// The type of its elements.
    pub scalar: Scalar,
    /// Its extents, outermost first, over sizes and tunables; empty for a single value.
    pub dims: Vec<ArithExpr>,
}

/// A step of a program.
#[derive(Debug, Clone)]
pub enum Operation {
    /// A kernel function is launched. It sees what earlier operations wrote.
    Launch(Launch),
    /// The operations are done so many times, unless they are left.
    Repeat(Count, Vec<Operation>),
    /// The end of the repetition among whose operations it stands, if the temporary, a truth value, is true.
    Leave(usize),
    /// From here on, each of the two temporaries stands for the other's buffer.
    Swap(usize, usize),
}

impl Schedule {
    /// Calls `f` on every launch.
    pub fn for_each_launch(&mut self, f: &mut dyn FnMut(&mut Launch)) {
        for_each_launch(&mut self.operations, f);
    }
}

fn for_each_launch(operations: &mut [Operation], f: &mut dyn FnMut(&mut Launch)) {
    for operation in operations {
        match operation {
            Operation::Launch(launch) => f(launch),
            Operation::Repeat(_, operations) => for_each_launch(operations, f),
            Operation::Leave(_) | Operation::Swap(..) => {}
        }
    }
}

/// How often something is repeated.
#[derive(Debug, Clone, PartialEq)]
pub enum Count {
    /// A size.
    Size(ArithExpr),
    /// The value of the scalar parameter with this leaf number.
    Param(usize),
    /// The same, divided by a number.
    Whole(usize, u64),
    /// What is left of it then.
    Rest(usize, u64),
}

/// One launch.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The kernel function.
    pub entry: String,
    /// Its arguments in order.
    pub args: Vec<Slot>,
    /// The index space, over sizes and tunables.
    pub geometry: Geometry,
    /// Bytes of local memory that the function declares.
    pub local_bytes: ArithExpr,
}

/// A place in the program whose indices are checked while it runs; see [`lift_spec::Site`].
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// `gather` or `scatter_to`.
    pub operation: &'static str,
    /// Where it was written.
    pub span: Span,
    /// What was written there, as far as that is known.
    pub written: String,
    /// The indices are the elements of this parameter's leaf, and positions are positions in it; in a function, that of its
    /// arguments. Nothing if they are computed.
    pub source: Option<usize>,
    /// The length of the array that is indexed.
    pub len: ArithExpr,
    /// Whether indices must be distinct. Each element is then claimed with the position of its index, counted from
    /// 1, so that a second one finds the first.
    pub distinct: bool,
}
